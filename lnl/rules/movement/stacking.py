"""Stacking: how many units of a side a place holds, at all times. `core 1.3`"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lnl.board.ground import UPSTAIRS
from lnl.board.hexes import Place
from lnl.book.rows import SINGLE_MAN
from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, traits_of, units, units_at, units_in_hex, works_at
from lnl.state.setting import setting_of, tables_of
from umpire.kernel.book.points import Sum
from umpire.kernel.values.modifiers import Refusal

RULE = "core 1.3"

stacking_limit: Sum[[State, Place, tuple[Unit, ...]]] = Sum("stacking limit", rule=RULE)
"""What forbids these units of one side to be in a place together; with the traits of all of them."""


def room_for(state: State, place: Place, side: str, coming: Iterable[str]) -> str:
    """Why these units may not be in a place beside those of their side that are there already; "" if they may."""
    ids = set(coming)
    there = [each for each in _sharing(state, place, side) if each.id not in ids]
    found = [each for each in units(state) if each.id in ids and each.side == side] if ids else ()
    return too_many(state, place, (*there, *found))


def room_beside(state: State, newcomer: Unit) -> str:
    """Why a unit that is not on the map yet may not stand where it would, beside those of its side; "" if it may."""
    return too_many(state, newcomer.at, (*_sharing(state, newcomer.at, newcomer.side), newcomer))


def too_many(state: State, place: Place, stack: Sequence[Unit]) -> str:
    """Why units of one side may not be in a place together; "" if they may."""
    if not stack:
        return ""
    traits = frozenset(word for each in stack for word in traits_of(state, each))
    found = stacking_limit(setting_of(state).active, traits, state, place, tuple(stack))
    return found.refusals[0].reason if found.refusals else ""


def counts(state: State, stack: Iterable[Unit]) -> tuple[int, int]:
    """What units count for: half-squads (a squad or a weapon team is as many as the book says) and single men."""
    to_a_squad = tables_of(state).number("half_squads_to_a_squad")
    halves = men = 0
    for each in stack:
        kind = counter_of(state, each).kind
        if kind in SINGLE_MAN:
            men += 1
        else:
            halves += to_a_squad if kind in ("squad", "weapon_team") else 1
    return halves, men


@stacking_limit.printed
def _printed(rule: str, state: State, place: Place, stack: tuple[Unit, ...]) -> Iterable[Refusal]:
    """Three squads or their equal and two single men."""
    tables = tables_of(state)
    halves, men = counts(state, stack)
    squads, single = tables.number("squads_in_a_hex"), tables.number("single_men_in_a_hex")
    if halves > squads * tables.number("half_squads_to_a_squad"):
        yield Refusal(f"No more than {squads} squads or their equal of a side stand in one place.", rule)
    if men > single:
        yield Refusal(f"No more than {single} single men of a side stand in one place.", rule)


def _sharing(state: State, place: Place, side: str) -> tuple[Unit, ...]:
    """Who counts together: those of a level, but in a bunker and on top of it those of the whole hex. `core 21.1`"""
    if place[2] != UPSTAIRS and works_at(state, place, "bunker"):
        return tuple(each for each in units_in_hex(state, place[:2], side) if each.at[2] != UPSTAIRS)
    return units_at(state, place, side)
