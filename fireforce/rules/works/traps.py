"""Booby traps: who comes near one may set it off, whoever laid it. `fireforce mines`"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from fireforce.book.rows import Manner
from fireforce.happening.blinds import CardPlaced, CardRemoved, CardTurned
from fireforce.happening.movement import Moved
from fireforce.happening.rulings import fallen, tell
from fireforce.rules.fire.saving_throws import Cause, pin, save
from fireforce.state.battle import (
    Card,
    Place,
    State,
)
from fireforce.state.finding import (
    card,
    figure,
    has_figure,
    side_of,
)
from fireforce.state.setting import ground_of, tables_of
from fireforce.table.going import point_along, spend
from fireforce.table.ranges import distance
from umpire.kernel.rulings import Ruling, roll

RULE = "fireforce mines"
Outcome = Literal["passed", "detected", "goes off"]


def tested(state: State, piece: str, trap: Card, subject: str, *, secret: bool) -> Ruling[tuple[State, Outcome]]:
    """A figure has come near to a booby trap: it goes off, is detected, or nothing happens. Those who laid it know it
    already. `fireforce mines`"""
    tables = tables_of(state)
    goes_off, found = tables.number("booby_trap_on_foot"), tables.number("booby_trap_detected")
    if side_of(state, trap.command) == figure(state, piece).side:
        found = 0
    bands = [(1, found, "detected"), (found + 1, goes_off - 1, "passed"), (goes_off, 6, "goes off")]
    made = yield from roll(
        "1d6",
        "booby trap",
        subject=subject,
        by=figure(state, piece).command,
        bands=[band for band in bands if band[0] <= band[1]],
        rule=RULE,
        secret=secret,
    )
    results: dict[str, Outcome] = {"detected": "detected", "goes off": "goes off"}
    return fallen(made, state), results.get(made.result, "passed")


def springs(state: State, piece: str, trap: Card, when: str = "") -> Ruling[State]:
    """The trap goes off at a figure: he is saved or a casualty, and it is used up. A side's own trap is an accident.
    `fireforce mines`, `fireforce victory-points`"""
    state = yield from uncover(state, trap, "set_off")
    owner = side_of(state, trap.command)
    by = owner if owner != figure(state, piece).side else ""
    state = yield from save(state, {piece: 1}, Cause(kinds=("he",), by=by, cause="booby trap", when=when))
    return (yield from tell(CardRemoved(card=trap.id)))


def withdraws_from(
    state: State, piece: str, trap: Card, walked: Sequence[Place], manner: Manner | Literal[""]
) -> Ruling[State]:
    """Who has survived a booby trap falls back on the way that he has walked (with its start), or straight away from it
    where he has not walked, and is pinned as by a blast. `fireforce mines`"""
    if not has_figure(state, piece) or not figure(state, piece).is_fit:
        return state
    man = figure(state, piece)
    length = sum(distance(a, b) for a, b in pairwise(walked))
    back = tables_of(state).distance("booby_trap_withdrawal")
    at = point_along(walked, max(length - back, 0)) if length else _away(state, man.at, trap.at, back)
    state = yield from tell(
        Moved(figure=piece, at=at, path=(at,), manner=manner, distance=man.distance, why="booby_trap")
    )
    return (yield from pin(state, piece, "he"))


def _away(state: State, at: Place, danger: Place, length: int) -> Place:
    """The place so far straight away from a danger, or as far as the ground lets a man go."""
    away = distance(at, danger)
    if not away:
        return at
    x, y = (one + round((one - other) * length / away) for one, other in zip(at, danger, strict=True))
    reach = length + 2  # the goal is rounded to whole hundredths, so the way may be a little longer
    return spend(ground_of(state), (at, (x, y)), {"good": reach, "bad": reach, "road": reach}).reached


def uncover(state: State, trap: Card, why: str) -> Ruling[State]:
    """A booby trap is there for all to see."""
    now = card(state, trap.id)
    if now.is_face_up:
        return state
    if now.is_on_table:
        return (yield from tell(CardTurned(card=trap.id, why=why)))
    return (yield from tell(CardPlaced(card=trap.id, is_on_table=True, is_face_up=True)))
