"""What a figure may do with its move: how much of it, whether it may advance, and what it is made to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from fireforce.book.rows import Manner, MoveGoing
from fireforce.rules.men.conduct import conduct
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    squad_of,
    team_of,
)
from fireforce.state.setting import ground_of, tables_of
from fireforce.table.going import Progress, Rates, spend
from fireforce.table.ground import Memory
from fireforce.table.route import reachable
from umpire.kernel.values.modifiers import Refusal

RULE = "fireforce movement"
GOINGS: tuple[MoveGoing, ...] = ("good", "bad", "road")


class Allowance(Struct, frozen=True, kw_only=True):
    """What a figure may do with its move in this player turn.

    `advance` limits moves that advance, as the motivation table has it; `withdraws` makes the figure withdraw a full
    move; `is_pinned`: only into cover near by. `barred`: why it may not move at all, and `waits` where that will be
    otherwise when its team has been rolled for. `full` is a whole move, less for who carries stores.
    """

    full: Fraction = Fraction(1)
    advance: Literal["full", "half", "cover", "none"] = "full"
    withdraws: Literal["no", "retreat", "run"] = "no"
    is_pinned: bool = False
    barred: Refusal | None = None
    waits: bool = False

    @property
    def is_dictated(self) -> bool:
        return self.barred is None and self.withdraws != "no"


def allowance(state: State, man: Figure) -> Allowance:
    """What a figure may do with its move now, from what its command knows. `fireforce motivation`,
    `fireforce saving-throws`"""

    def barred(why: str, rule: str = RULE) -> Allowance:
        return Allowance(barred=_refusal(man, why, rule))

    if not man.is_fit:
        return barred("is out of the battle")
    if man.moved:
        return barred("has moved in this turn")
    mine = conduct(state, man)
    if mine.has_let_pass:
        return barred("has let his move pass: other troops have been rolled for since", "fireforce motivation")
    full = Fraction(1)
    if not man.carrying.is_empty:
        full /= tables_of(state).number("carrying_divisor")
    if mine.withdraws != "no":
        return Allowance(full=full, withdraws=mine.withdraws)
    if man.destroying or man.searching:
        return barred("is busy searching or destroying stores", "fireforce searching")
    if why := _stays(state, man):
        return barred(why, "fireforce organisation")
    if mine.must_roll:
        return Allowance(
            barred=_refusal(man, "cannot move before his squad is rolled for", "fireforce motivation"), waits=True
        )
    if mine.stays_down and mine.row is not None:
        return barred(f"hugs the dirt: pinned and {mine.row.name.lower()}", "fireforce motivation")
    return Allowance(full=full, advance=mine.advance, is_pinned=man.is_pinned)


def _refusal(man: Figure, why: str, rule: str) -> Refusal:
    return Refusal(f"{man.name or 'The figure'} {why}.", rule, "figures")


def _stays(state: State, man: Figure) -> str:
    """Why a figure keeps the place that its team was told to keep; "" where it was told nothing of the kind.
    `fireforce organisation`"""
    unit = squad_of(state, man)
    team = unit.teams.get(team_of(unit, man.id)) if unit is not None else None
    if team is None:
        return ""
    if team.kind == "dropped_off":
        return "has been dropped off and stays until he is told to rejoin"
    if team.kind == "gun_group" and team.place is None and team.formed != state.public.player_turn:
        return "keeps the place of the gun group until it is told to rejoin"
    return ""


ADVANCES = ("full", "half", "cover", "none")
"""From best to worst."""


def worst(state: State, men: Iterable[Figure]) -> Allowance:
    """What men who go as one may do of their own will: as the worst of them; without men, as troops whom nothing holds
    back. `fireforce motivation`"""
    found = Allowance()
    for man in men:
        mine = allowance(state, man)
        is_worse = ADVANCES.index(mine.advance) > ADVANCES.index(found.advance)
        found = Allowance(full=min(found.full, mine.full), advance=mine.advance if is_worse else found.advance)
    return found


def rates(state: State, manner: Manner) -> Rates:
    """The longest move in this manner, by going. `fireforce movement`"""
    tables = tables_of(state)
    return {going: tables.move_rate(manner, going) for going in GOINGS}


def measured(state: State, path: Sequence[Place], manner: Manner, fraction: Fraction) -> Progress:
    """How far a path (with its start) leads for a fraction of a move. `fireforce movement`"""
    return spend(ground_of(state), path, rates(state, manner), fraction)


_REACHED = Memory(2_000)
"""The areas that a move reaches, by ground, place, rates and fraction."""


def reached(state: State, at: Place, manner: Manner, fraction: Fraction) -> tuple[Place, ...]:
    """Roughly the area that a straight move in this manner reaches, as a ring; remembered, for drawing."""
    ground, how_far = ground_of(state), rates(state, manner)
    key = (ground, at, tuple(how_far.items()), fraction)
    return _REACHED.get(key, lambda: reachable(ground, at, how_far, fraction))
