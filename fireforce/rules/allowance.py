"""What a figure may do with its move: how much of it, whether it may advance, and what it is made to do."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from fireforce.rows import Manner, MoveGoing
from fireforce.rules.motivation import hostiles, needs_motivation, result_row
from fireforce.setting import PublicSetting, ground_of, setting_of, tables_of
from fireforce.state import Figure, Place, State, squad_of, team_of
from fireforce.table.going import Progress, Rates, spend
from fireforce.table.ground import Memory
from fireforce.table.ranges import distance, nearest
from fireforce.table.route import reachable
from umpire.kernel.modifiers import Refusal
from umpire.kernel.settings import half

RULE = "fireforce movement"
GOINGS: tuple[MoveGoing, ...] = ("good", "bad", "road")


class Allowance(Struct, frozen=True, kw_only=True):
    """What a figure may do with its move in this player turn.

    `advance` limits moves that advance, as the motivation table has it; `withdraws` makes the figure withdraw a full
    move; `is_pinned`: only into cover near by. `barred`: why it may not move at all. `full` is a whole move, less for
    who carries stores.
    """

    full: Fraction = Fraction(1)
    advance: Literal["full", "half", "cover", "none"] = "full"
    withdraws: Literal["no", "retreat", "run"] = "no"
    is_pinned: bool = False
    barred: Refusal | None = None

    @property
    def is_dictated(self) -> bool:
        return self.barred is None and self.withdraws != "no"


def allowance(state: State, man: Figure) -> Allowance:
    """What a figure may do with its move now, from what its command knows. `fireforce motivation`,
    `fireforce saving-throws`"""

    def barred(why: str, rule: str = RULE) -> Allowance:
        return Allowance(barred=Refusal(f"{man.name or 'The figure'} {why}.", rule, "figures"))

    if not man.is_fit:
        return barred("is out of the battle")
    if man.moved:
        return barred("has moved in this turn")
    if man.destroying or man.searching:
        return barred("is busy searching or destroying stores", "fireforce searching")
    full = Fraction(1)
    if not man.carrying.is_empty:
        full /= tables_of(state).number("carrying_divisor")
    unit = squad_of(state, man)
    team = unit.teams.get(team_of(unit, man.id)) if unit is not None else None
    if team is not None and team.has_moved:
        return barred("has let his move pass: other troops have been rolled for since", "fireforce motivation")
    is_motivated = unit is not None and team is not None and needs_motivation(state, man)
    row = result_row(state, team.result) if is_motivated and team is not None and team.result else None
    if man.must_withdraw:
        # Whoever has lost goes, motivated or not, and pinned or not; of a broken squad he runs as the others do.
        runs = row is not None and row.withdraws == "run" and not man.is_pinned
        return Allowance(full=full, withdraws="run" if runs else "retreat")
    if is_motivated:
        if row is None:
            return barred("cannot move before his squad is rolled for", "fireforce motivation")
        if row.withdraws != "no":
            if man.is_pinned and not row.pinned_withdraws:
                return barred(f"is pinned and stays down: {row.name.lower()}", "fireforce motivation")
            return Allowance(full=full, withdraws=row.withdraws)
    if team is not None and team.kind == "dropped_off":
        return barred("has been dropped off and stays until he is told to rejoin", "fireforce organisation")
    advance = row.advance if row is not None else "full"
    if man.is_pinned:
        if row is not None and row.pinned_fire == "none":
            return barred(f"hugs the dirt: pinned and {row.name.lower()}", "fireforce motivation")
        return Allowance(full=full, advance=advance, is_pinned=True)
    return Allowance(full=full, advance=advance)


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


def threats(state: State, command: str) -> tuple[Place, ...]:
    """Where the enemies stand that a command has in sight."""
    return tuple(man.at for man in hostiles(state, command))


def towards(state: State, man: Figure, foes: Sequence[Place]) -> Place | None:
    """The place that it is an advance to come nearer to: the nearest enemy in sight; where none is, the enemy's part of
    the table. None where nobody can tell."""
    closest = nearest(foes, man.at)
    return foes[closest] if closest is not None else front(state, man.side)


def is_advance(state: State, man: Figure, end: Place, foes: Sequence[Place]) -> bool:
    """Whether a move that ends there is an advance (house). `fireforce motivation`"""
    goal = towards(state, man, foes)
    return goal is not None and distance(end, goal) < distance(man.at, goal)


def front(state: State, side: str) -> Place | None:
    """Where a side takes the enemy to be before it has seen any: the middle of the places where open enemies begin the
    battle; where none do, the place across the table from its own beginning."""
    return _front(state.public.setting, side)


@lru_cache(maxsize=256)
def _front(digest: str, side: str) -> Place | None:
    setting: PublicSetting = half(digest)
    own = [unit.at for unit in setting.units.values() if setting.commands[unit.command].side == side]
    theirs = [unit.at for unit in setting.units.values() if setting.commands[unit.command].side != side]
    if theirs:
        return _middle(theirs)
    if not own:
        return None
    x, y = _middle(own)
    return (setting.table.width - x, setting.table.depth - y)


def _middle(places: Sequence[Place]) -> Place:
    return (sum(x for x, _ in places) // len(places), sum(y for _, y in places) // len(places))


def kind_of_side(state: State, side: str) -> Literal["regular", "indigenous"]:
    """Whether a side is regular or indigenous."""
    return setting_of(state).sides[side].kind
