"""What motivation lets a figure do now, and makes it do: one answer for orders, forms, plans and previews alike.

The move asks it (`allowance`), and so do fire, searching and stores; whatever a figure is busy with, what it is made to
do goes before. `fireforce motivation`
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from fireforce.book.rows import MotivationResult
from fireforce.rules.men.motivation import needs_motivation, result_row
from fireforce.state.battle import (
    Figure,
    State,
)
from fireforce.state.finding import (
    squad_of,
    team_of,
)

RULE = "fireforce motivation"


class Conduct(Struct, frozen=True, kw_only=True):
    """What a figure may do and must do by the motivation of its team.

    `row` is the result that binds it, None where none does; `must_roll`: nothing is settled before its team is rolled
    for; `has_let_pass`: the time of its team's move is over; `withdraws`: it goes a full move away, and does nothing
    else before; `stays_down`: it may not stir at all; `fire` is the most that it may.
    """

    row: MotivationResult | None = None
    must_roll: bool = False
    has_let_pass: bool = False
    withdraws: Literal["no", "retreat", "run"] = "no"
    stays_down: bool = False
    fire: Literal["normal", "prophylactic", "none"] = "normal"

    @property
    def advance(self) -> Literal["full", "half", "cover", "none"]:
        return self.row.advance if self.row is not None else "full"


def conduct(state: State, man: Figure) -> Conduct:
    """What a figure may do and must do now, from what its command knows: the result that its team rolled binds whoever
    must be motivated; who has lost a close combat goes, motivated or not. `fireforce motivation`,
    `fireforce special-motivation`, `fireforce close-combat`"""
    unit = squad_of(state, man)
    team = unit.teams.get(team_of(unit, man.id)) if unit is not None else None
    rolled = team.roll_of(man.id) if team is not None else None
    is_bound = rolled is not None and needs_motivation(state, man)
    row = result_row(state, rolled.result) if is_bound and rolled is not None and rolled.result else None
    withdraws: Literal["no", "retreat", "run"] = "no"
    if man.must_withdraw:
        # Whoever has lost goes, motivated or not, and pinned or not; of a broken squad he runs as the others do.
        withdraws = "run" if row is not None and row.withdraws == "run" and not man.is_pinned else "retreat"
    elif row is not None and (row.pinned_withdraws or not man.is_pinned):
        withdraws = row.withdraws
    return Conduct(
        row=row,
        must_roll=is_bound and row is None,
        has_let_pass=rolled is not None and rolled.has_moved,
        withdraws=withdraws,
        stays_down=row is not None and withdraws == "no" and man.is_pinned and row.pinned_fire == "none",
        fire="normal" if row is None else row.pinned_fire if man.is_pinned else row.fire,
    )


def is_made_to_go(state: State, man: Figure) -> bool:
    """Whether a figure has a move to make that it is made to make, and has not made it: it does nothing else before."""
    mine = conduct(state, man)
    return man.is_fit and not man.moved and not mine.has_let_pass and mine.withdraws != "no"


def why_not_busy(state: State, man: Figure) -> tuple[str, str] | None:
    """Why a figure can be busy with nothing else, and by which rule: it is made to go; None where it is not.
    `fireforce motivation`, `fireforce close-combat`"""
    if not is_made_to_go(state, man):
        return None
    row = conduct(state, man).row
    if row is None or row.withdraws == "no":
        return "has lost a close combat and withdraws", "fireforce close-combat"
    return f"is {row.name.lower()} and withdraws", RULE
