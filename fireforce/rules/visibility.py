"""Visibility: when hidden troops are placed on the table, when they hide again, what is found empty.

Everything here is decided on the truth and ends in world events; `fireforce.notice` writes what commands see of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fireforce import events
from fireforce.describe import names_of
from fireforce.dispatch import at as at_moment
from fireforce.dispatch import describes, notices
from fireforce.rules.spotting import finders_of, in_sight_of, is_hidden, is_moving, may_be_off_table, observers
from fireforce.rulings import tell
from fireforce.setting import ground_of, kind_of_side, setting_of, tables_of
from fireforce.state import Card, Figure, State, cards, figure, figures
from fireforce.table.ranges import base_to_base
from fireforce.table.sight import Eye, can_see
from umpire.kernel.events import FoundEmpty, KnowledgeEvent
from umpire.kernel.registry import LogLine
from umpire.kernel.rulings import Ruling

RULE = "fireforce visibility"


# Placed on the table


def place_found(state: State, men: Iterable[str]) -> Ruling[State]:
    """Puts on the table those of the hidden figures that an enemy finds where they stand. `fireforce visibility`"""
    asked = tuple(men)
    # Who is placed does not move, and neither do those who find him: all are asked for at once.
    finders = finders_of(state, [man for piece in asked if is_hidden(state, man := figure(state, piece))])
    for piece in asked:
        man, finder = figure(state, piece), finders.get(piece)
        if finder is not None and is_hidden(state, man):
            in_open = ground_of(state).save_at(man.at, man.radius) == "open" and is_moving(state, man)
            state = yield from tell(
                events.Spotted(observer=finder.id, target=piece, why="seen_in_open" if in_open else "spotted")
            )
            state = yield from tell(events.Placed(figures=(piece,), why="seen_in_open" if in_open else "spotted"))
    return state


@at_moment("visibility", "begins")
def visibility(state: State) -> Ruling[State]:
    """What the movement has revealed is placed on the table: hidden troops of every side. `fireforce visibility`"""
    hidden = [man.id for man in figures(state) if is_hidden(state, man)]
    return (yield from place_found(state, hidden))


# Hiding again


def _in_sight(state: State, men: Iterable[Figure]) -> frozenset[str]:
    """Those of some men to whom any enemy has a line of sight."""
    by_command: dict[str, list[Figure]] = {}
    for man in men:
        by_command.setdefault(man.command, []).append(man)
    found = [in_sight_of(state, those, observers(state, command)) for command, those in by_command.items()]
    return frozenset().union(*found)


def _placed(state: State) -> list[Figure]:
    """Those on the table of the side whose turn it is who may be taken off it."""
    return [
        man
        for part in state.commands.values()
        for man in part.figures.values()
        if man.is_placed
        and man.is_fit
        and man.side == state.public.active
        and not man.is_civilian
        and may_be_off_table(state, man)
    ]


@at_moment("upkeep", "begins")
def begin_to_hide(state: State) -> Ruling[State]:
    """Notes which placed figures begin their player turn out of sight. `fireforce visibility`"""
    placed = _placed(state)
    seen = _in_sight(state, placed)
    for man in placed:
        hidden = 0 if man.id in seen else 1
        if hidden != man.hidden_turns:
            state = yield from tell(
                events.Prepared(figures=(man.id,), is_prepared=man.is_prepared, hidden_turns=hidden)
            )
    return state


@at_moment("end", "ends")
def hide_again(state: State) -> Ruling[State]:
    """Placed figures that have been out of all enemies' sight and hearing for the whole of their own player turn (their
    time began anew where one saw or heard them) are taken off the table; with cards on the table a squad of which all
    are hidden lies under a new card. `fireforce visibility`"""
    hidden = [man for man in _placed(state) if man.hidden_turns > 0]
    seen = _in_sight(state, hidden)
    hidden = [man for man in hidden if man.id not in seen]
    if setting_of(state).options.hidden == "cards":
        return (yield from _under_new_cards(state, hidden))
    for man in hidden:
        state = yield from tell(events.Concealed(figures=(man.id,)))
    return state


def _under_new_cards(state: State, hidden: Sequence[Figure]) -> Ruling[State]:
    ids = {man.id for man in hidden}
    for unit in sorted({man.squad for man in hidden if man.squad}):
        men = [man for man in figures(state) if man.squad == unit and man.is_fit]
        if not all(man.id in ids for man in men):
            continue
        x = sum(man.at[0] for man in men) // len(men)
        y = sum(man.at[1] for man in men) // len(men)
        new = Card(
            id=f"{unit}-card-{state.public.player_turn}",
            command=men[0].command,
            kind="troops",
            at=(x, y),
            squad=unit,
            is_on_table=True,
        )
        if any(each.id == new.id for each in cards(state)):
            continue
        state = yield from tell(events.Concealed(figures=tuple(man.id for man in men)))
        state = yield from tell(events.CardMade(card=new))
    return state


@notices(events.PhaseBegan)
def _find_empty(before: State, event: events.PhaseBegan, after: State) -> Iterator[KnowledgeEvent]:
    """A remembered figure goes where a man of one's own who could not miss anybody there finds nobody: within the
    distance at which even a prepared position is found, with a line of sight."""
    if event.phase != "visibility":
        return
    for command, part in after.commands.items():
        remembered = {
            alias: each
            for alias, each in part.contacts.items()
            if each.status == "remembered" and each.kind == "figure"
        }
        if not remembered:
            continue
        own = [
            man
            for man in figures(after)
            if man.command == command and man.is_fit and not man.is_pinned and not man.is_civilian
        ]
        for alias, each in remembered.items():
            place = (each.at[0], each.at[1])
            reach = _surely_found(after, str(each.looks.get("side", "")))
            near = [man for man in own if reach is not None and base_to_base(man.at, place) <= reach]
            eyes = [Eye(man.at, man.radius) for man in near]
            if near and any(can_see(ground_of(after), Eye(place), eyes)):
                yield FoundEmpty(command=command, alias=alias)


def _surely_found(state: State, side: str) -> int | None:
    """The distance at which troops of a side are found wherever they lie; None where they never are by distance."""
    if side not in setting_of(state).sides:
        return None
    target = f"{kind_of_side(state, side)}_stationary"
    found = tables_of(state).spotting(target, "prepared", setting_of(state).options.hidden, state.public.hour)
    return found if isinstance(found, int) else None


# Words


@describes(events.Placed)
def _placed_line(event: events.Placed, state: State) -> LogLine:
    why = {
        "fired": "by their fire",
        "seen_in_open": "moving in the open",
        "spotted": "from near by",
        "searched": "by a search",
        "contacted": "by contact",
        "left_position": "leaving their position",
        "umpire": "by the umpire's word",
    }.get(event.why, event.why)
    return LogLine(
        text=f"The enemy sees {names_of(state, event.figures)}: given away {why}.",
        kind="placed",
        rule=RULE,
        pieces=event.figures,
    )


@describes(events.Concealed)
def _concealed_line(event: events.Concealed, state: State) -> LogLine:
    return LogLine(
        text=f"The enemy has lost {names_of(state, event.figures)} from sight.",
        kind="concealed",
        rule=RULE,
        pieces=event.figures,
    )
