"""Event markers, and the events that a turn or losses bring: when one happens, and what it does.

A marker's place is open to all, its text to nobody before it happens. `core 1.7`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnl.board.ground import GROUND
from lnl.board.hexes import Place
from lnl.book.rows import MULTI_MAN
from lnl.happening.men import Rallied
from lnl.happening.movement import Arrived, Reinforced
from lnl.happening.rulings import tell
from lnl.happening.seeing import Disclosed, Revealed
from lnl.happening.turn import Happened, PointsScored
from lnl.knowledge.sighting import reaches_at_night
from lnl.orders.dispatch import at as at_moment
from lnl.rules.men.heroes import waits_for_a_hero
from lnl.rules.movement.stacking import room_for
from lnl.rules.turn import victory
from lnl.state.battle import Score, State, Unit
from lnl.state.finding import enemies_at, has_unit, is_open, sees, unit, units, works
from lnl.state.setting import Action, EventMarker, Happening, secrets_of, setting_of, tables_of
from umpire.kernel.events import Event
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Belief

RULE = "core 1.7"
DESK = "umpire"
"""The side of a text that only the umpire reads."""


# Triggers


def entered(state: State, place: Place) -> Ruling[State]:
    """Units have entered a place: the markers that this sets off happen, before anybody fires at them; who passes
    through an objective controls it. `core 1.7`, `core 6.0`"""
    state = yield from triggered(state)
    return (yield from victory.passed_through(state, place))


def triggered(state: State) -> Ruling[State]:
    """Every marker happens that somebody sets off as they stand, however they came there; what it brings may set off
    others. `core 1.7`"""
    while (found := due(state)) is not None:
        state = yield from _set_off(state, *found)
    return state


def due(state: State) -> tuple[EventMarker, Sequence[Unit]] | None:
    """The first marker that is set off as units stand now, and by whom: by those in its hex, or by those who have a
    line of sight to it, by night within two hexes or into light. `core 1.7`, `core 20.0`"""
    for marker in _waiting(state):
        by = [each for each in units(state) if each.is_placed and _sets_off(state, marker, each)]
        if by:
            return marker, by
    return None


def turn_began(state: State) -> Ruling[State]:
    """What the scenario has for this turn happens. `core 1.7`"""
    for happening in secrets_of(state).happenings.values():
        if happening.trigger == "turn" and happening.turn == state.public.turn:
            state = yield from happen(state, happening)
    return state


def loss_due(state: State) -> Happening | None:
    """An event that is due because a side has lost so many MMCs."""
    for happening in secrets_of(state).happenings.values():
        if happening.trigger == "loss" and not has_happened(state, happening):
            if _lost(state, happening.side) >= happening.count:
                return happening
    return None


@at_moment("rally", "begins")
@at_moment("operations", "begins")
def look_around(state: State) -> Ruling[State]:
    """Also without a move somebody may stand on a marker or see it: from the start, as he comes in, or when smoke has
    gone. `core 1.7`"""
    return (yield from triggered(state))


def has_happened(state: State, happening: Happening) -> bool:
    """Whether an event is over: each happens once."""
    return happening.key in state.umpire.happened or (
        happening.marker != "" and happening.marker in state.public.happened
    )


def _waiting(state: State) -> list[EventMarker]:
    """The markers that have not been set off; to a belief, which does not know what they do, none: odds of a move leave
    them out."""
    if isinstance(state, Belief):
        return []
    secret = secrets_of(state).happenings
    over = {each.marker for each in secret.values() if each.marker and has_happened(state, each)}
    over |= {*state.public.happened, *state.umpire.happened}
    return [each for each in setting_of(state).markers.values() if each.key not in over]


def _sets_off(state: State, marker: EventMarker, each: Unit) -> bool:
    if marker.side not in ("", each.side):
        return False
    if marker.kind == "occupied":
        return each.at[:2] == marker.at
    spot = (*marker.at, GROUND)
    return reaches_at_night(state, each.at, spot) and sees(state, each.at, spot)


def _lost(state: State, side: str) -> int:
    """How many MMCs a side has lost for good."""
    counters = tables_of(state).counter
    gone = ("eliminated", "surrendered")
    return sum(
        each.side == side and each.how in gone and counters(each.counter).kind in MULTI_MAN
        for each in victory.losses(state)
    )


# What happens


def _set_off(state: State, marker: EventMarker, by: Sequence[Unit]) -> Ruling[State]:
    """Where only hidden units have set it off, neither that nor what it does to others is known: its text is for their
    side."""
    is_public = any(is_open(state, each.id) for each in by)
    found = [each for each in secrets_of(state).happenings.values() if each.marker == marker.key]
    for happening in found:
        state = yield from happen(state, happening, side="" if is_public else by[0].side, marker=marker.key * is_public)
    if not found:
        state = yield from tell(Happened(key=marker.key, marker=marker.key * is_public, side=by[0].side))
    return state


def happen(state: State, happening: Happening, *, side: str = "", marker: str = "") -> Ruling[State]:
    """An event happens, once: everything that it does. `core 1.7`"""
    if has_happened(state, happening):
        return state
    for event in events_of(state, happening, side=side, marker=marker):
        state = yield from tell(event)
    return state


def events_of(state: State, happening: Happening, *, side: str = "", marker: str = "") -> list[Event]:
    """What an event does, one thing after the other; `side` alone comes to know of it where one is given."""
    found: list[Event] = [
        Happened(
            key=happening.key, marker=marker, side=DESK if each.kind == "umpire" else each.side or side, text=each.text
        )
        for each in happening.actions
        if each.kind in ("text", "umpire")
    ]
    found = found or [Happened(key=happening.key, marker=marker, side=side)]
    placed: dict[str, Place] = {}
    for action in happening.actions:
        found.extend(_does(state, happening, action, placed, side))
    return found


def _does(state: State, happening: Happening, action: Action, placed: dict[str, Place], side: str) -> Iterator[Event]:
    """What one action does. What only one side is to know stays hidden from the others: to it alone forces are
    disclosed, and points are counted in silence (L230)."""
    names = _named(state, action)
    if action.kind == "points":
        score = Score(
            side=action.side, points=action.points, reason=action.text or "an event", rule=RULE, key=happening.key
        )
        yield PointsScored(score=score, known=not side)
    elif action.kind == "rally":
        among = names or [each.id for each in units(state) if each.side == action.side]
        for piece in among:
            if has_unit(state, piece) and unit(state, piece).is_shaken:
                yield Rallied(unit=piece)
    elif action.kind == "reveal":
        hidden = tuple(piece for piece in names if not is_open(state, piece))
        if hidden:
            yield Disclosed(pieces=hidden, side=side) if side else Revealed(pieces=hidden)
    elif action.kind in ("place", "reinforce"):
        yield from _come_in(state, action, names, placed)


def _come_in(state: State, action: Action, names: Sequence[str], placed: dict[str, Place]) -> Iterator[Event]:
    """Forces come in: at once where they are placed, if there is room and no enemy; else as reinforcements of this
    turn, or of the next one where its Operations Phase has begun."""
    late = state.public.phase == "operations"
    turn = state.public.turn + 1 if late else max(1, state.public.turn)
    for piece in names:
        if not has_unit(state, piece) or unit(state, piece).is_placed:
            continue
        each = unit(state, piece)
        at = action.at or each.at
        with_it = [other for other, where in placed.items() if where == at and unit(state, other).side == each.side]
        if action.kind == "place" and not enemies_at(state, at, each.side):
            if not room_for(state, at, each.side, (*with_it, piece)) and not waits_for_a_hero(state, each, placed):
                placed[piece] = at
                yield Arrived(unit=piece, at=at, facing=each.facing)
                continue
        if each.arrives > turn:
            yield Reinforced(units=(piece,), turn=turn)


def _named(state: State, action: Action) -> list[str]:
    """The true ids of an action's forces that are still there."""
    there = {*(each.id for each in units(state)), *(each.id for each in works(state))}
    named = (state.umpire.names.get(key, "") for key in action.forces)
    return [piece for piece in named if piece in there]
