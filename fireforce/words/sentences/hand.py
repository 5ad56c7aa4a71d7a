"""How it reads: the umpire's hand, and who comes in."""

from __future__ import annotations

from fireforce.happening.hand import Added, Arrived, Removed, ReserveAdded
from fireforce.happening.register import says
from fireforce.orders.dispatch import hand
from fireforce.state.battle import NEVER, State
from fireforce.words.naming import inches, name_of, names_of
from umpire.kernel.hand.corrections import BATTLE, Altered
from umpire.kernel.registry import LogLine


@says(Altered)
def _altered(state: State, event: Altered) -> LogLine:
    what = "the battle" if event.piece == BATTLE else name_of(state, event.piece)
    pieces = () if event.piece == BATTLE else (event.piece,)
    return LogLine(text=hand.altered(state, event, what), kind="umpire", pieces=pieces)


@says(Added)
def _added(state: State, event: Added) -> LogLine:
    names = ", ".join(unit.name for unit in event.squads) or names_of(state, tuple(man.id for man in event.figures))
    at = tuple(man.at for man in event.figures[:1])
    where = f" at {inches(at[0])}" if at else ""
    return LogLine(text=f"The umpire adds {names}: {len(event.figures)} men{where}.", kind="umpire", at=at)


@says(ReserveAdded)
def _waits(state: State, event: ReserveAdded) -> LogLine:
    each = event.squad
    when = "until it is brought in" if each.arrives == NEVER else f"to come in in turn {each.arrives}"
    before = f", not in turn {event.was_to_arrive}" if event.was_to_arrive not in (0, each.arrives, NEVER) else ""
    return LogLine(text=f"{each.name} waits off the table {when}{before}.", kind="umpire", pieces=(each.id,))


@says(Arrived)
def _arrived(state: State, event: Arrived) -> LogLine:
    at = event.figures[0].at if event.figures else None
    return LogLine(
        text=f"{event.squad.name} comes in.",
        kind="move",
        rule="fireforce turn-sequence",
        pieces=(event.squad.id,),
        at=() if at is None else (at,),
    )


@says(Removed)
def _removed(state: State, event: Removed) -> LogLine:
    return LogLine(text=f"The umpire takes {event.what or 'a man'} out of the battle.", kind="umpire")
