"""Visibility: when hidden troops are placed on the table, and when they hide again.

Everything here is decided on the truth and ends in world events; `fireforce.knowledge.notice` writes what commands see
of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fireforce.happening.blinds import CardMade
from fireforce.happening.rulings import tell
from fireforce.happening.visibility import Concealed, Placed, Prepared, Spotted
from fireforce.orders.dispatch import at as at_moment
from fireforce.rules.hidden.spotting import finders_of, in_sight_of, is_hidden, is_moving, may_be_off_table, observers
from fireforce.state.battle import (
    Card,
    Figure,
    State,
)
from fireforce.state.finding import (
    cards,
    figure,
    figures,
)
from fireforce.state.setting import ground_of, setting_of
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
                Spotted(observer=finder.id, target=piece, why="seen_in_open" if in_open else "spotted")
            )
            state = yield from tell(Placed(figures=(piece,), why="seen_in_open" if in_open else "spotted"))
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
        for man in figures(state)
        if man.is_placed
        and man.id not in state.public.pieces
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
            state = yield from tell(Prepared(figures=(man.id,), is_prepared=man.is_prepared, hidden_turns=hidden))
    return state


@at_moment("end", "ends", order=10)
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
        state = yield from tell(Concealed(figures=(man.id,)))
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
        state = yield from tell(Concealed(figures=tuple(man.id for man in men)))
        state = yield from tell(CardMade(card=new))
    return state
