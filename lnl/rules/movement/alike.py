"""Units that are alike in all that movement asks about: what was worked out for one of them holds for the others."""

from __future__ import annotations

from itertools import count

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.rules.melee.strength import own_firepower
from lnl.rules.movement.movement import double_time_bonus
from lnl.rules.movement.special_movement import manner_of_moving, may_assault_move, may_use_stealth
from lnl.rules.movement.stacking import stacking_limit
from lnl.state.battle import State, Unit, Weapon
from lnl.state.finding import weapons_of
from lnl.state.setting import setting_of
from umpire.kernel.book.points import Point
from umpire.kernel.values.memo import Memo

NOWHERE: Place = (0, 0, 0)
ASKED: tuple[Point, ...] = (
    double_time_bonus,
    manner_of_moving,
    may_assault_move,
    may_use_stealth,
    own_firepower,
    stacking_limit,
)
"""The points that are given a state and bear on how far units go, in which manner, and beside whom they may stand."""


class Alike:
    """The units of one state by number: those with the same one differ in their names alone, in where they stand, and
    in which of like weapons they have. Where a module changes what movement asks with the state in hand, which may then
    be anything, they stand in one place."""

    def __init__(self, state: State) -> None:
        self.state = state
        active = setting_of(state).active
        self.is_by_place = any(point.is_changed(active) for point in ASKED)
        self._next = count()
        self._numbers: dict[tuple[Unit, tuple[Weapon, ...]], int] = {}
        self._known: dict[str, tuple[Unit, int]] = {}

    def of(self, each: Unit) -> int:
        """The number of a unit, as it is given here."""
        unit, number = self._known.get(each.id, (None, 0))
        if unit is not each:
            at = each.at if self.is_by_place else NOWHERE
            guns = tuple(replace(gun, id="", hold=None, at=NOWHERE) for gun in weapons_of(self.state, each))
            looks = (replace(each, id="", name="", at=at), guns)
            number = self._numbers.setdefault(looks, next(self._next))
            self._known[each.id] = (each, number)
        return number


_memo: Memo[State, Alike] = Memo(Alike)
alike = _memo.of
"""The units of a state by number; those of the states asked about last are remembered."""
