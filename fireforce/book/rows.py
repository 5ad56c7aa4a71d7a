"""The rows of FireForce's tables as structs. Lengths in hundredths of an inch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from fireforce.book.kinds import TABLES as GROUND_TABLES

Quality = Literal["elite", "veteran", "trained", "poor", "green"]
Hour = Literal["day", "night"]
Manner = Literal["tactical", "running"]
MoveGoing = Literal["good", "bad", "road"]
Mode = Literal["cards", "map"]
Side = Literal["regular", "indigenous"]
WeaponKind = Literal[
    "autocannon", "carbine", "he", "hmg", "lmg", "minigun", "pistol", "rifle", "saw", "shotgun", "smg", "sniper rifle"
]

Length = Annotated[int, Meta(ge=0)]
D10 = Annotated[int, Meta(ge=1, le=10)]
Band = tuple[Annotated[int, Meta(ge=1, le=20)], Annotated[int, Meta(ge=1, le=20)]]


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    key: str


class QualityRow(Row, frozen=True, kw_only=True):
    """How good troops are. `motivation` is the Motivation Number; `rank` orders the ladder, the best highest."""

    name: str
    rank: int
    motivation: int
    always_day: bool
    save_as: Literal["trained", "poor"]
    halves_fire: bool


class TargetSelection(Row, frozen=True, kw_only=True):
    """`divisor` of hits to potential critical hits; `critical_number` on a d10, or none needed."""

    divisor: Annotated[int, Meta(ge=1)]
    critical_number: D10 | None = None


class MotivationResult(Row, frozen=True, kw_only=True):
    """What troops will do. `day_from` and `night_from` are the lowest scores; the worst result has none."""

    name: str
    severity: int
    day_from: int | None = None
    night_from: int | None = None
    advance: Literal["full", "half", "cover", "none"]
    withdraws: Literal["no", "retreat", "run"] = "no"
    pinned_withdraws: bool = False
    fire: Literal["normal", "prophylactic", "none"] = "normal"
    pinned_fire: Literal["prophylactic", "none"] = "prophylactic"
    drops_quality: bool = False
    surrenders: bool = False

    def starts(self, column: Hour) -> int | None:
        return self.day_from if column == "day" else self.night_from


class MotivationModifier(Row, frozen=True, kw_only=True):
    """`each`: the value counts once for every one (casualty)."""

    name: str
    value: int
    exempt: tuple[Quality, ...] = ()
    each: bool = False


class Weapon(Row, frozen=True, kw_only=True):
    """`on_the_move`: may be fired on the move, or only where mounted on a vehicle."""

    name: str
    kind: WeaponKind
    range: Length
    prophylactic: bool
    on_the_move: Literal["yes", "no", "mounted"]
    fire_points: Annotated[int, Meta(ge=1)]


class FireCondition(Row, frozen=True, kw_only=True):
    """What halves or doubles fire points, but for these kinds of weapon."""

    name: str
    effect: Literal["halve", "double"]
    kinds_exempt: tuple[WeaponKind, ...] = ()


class FireModifier(Row, frozen=True, kw_only=True):
    """What is added to the d20, at targets `within` or `beyond` a distance, but for these kinds of weapon."""

    name: str
    value: int
    within: Length | None = None
    beyond: Length | None = None
    kinds_exempt: tuple[WeaponKind, ...] = ()


class HitRow(Row, frozen=True, kw_only=True):
    """For each number of hits the lowest and highest roll of the d20 that scores it."""

    hits_0: Band | None = None
    hits_1: Band | None = None
    hits_2: Band | None = None
    hits_3: Band | None = None
    hits_4: Band | None = None
    hits_5: Band | None = None
    hits_6: Band | None = None
    hits_7: Band | None = None
    hits_8: Band | None = None
    hits_9: Band | None = None
    hits_10: Band | None = None

    def bands(self) -> tuple[tuple[int, int, int], ...]:
        """Lowest roll, highest roll, hits; in the order of hits."""
        cells = ((hits, getattr(self, f"hits_{hits}")) for hits in range(11))
        return tuple((band[0], band[1], hits) for hits, band in cells if band is not None)


class SavingThrow(Row, frozen=True, kw_only=True):
    """What a figure needs on a d10 on this kind of ground."""

    name: str
    trained: D10
    poor: D10
    civilian: D10


class SavingThrowModifier(Row, frozen=True, kw_only=True):
    """`kinds`: counts against these weapons only."""

    name: str
    value: int
    kinds: tuple[WeaponKind, ...] = ()


class CloseCombatModifier(Row, frozen=True, kw_only=True):
    name: str
    value: int


class CloseCombatResult(Row, frozen=True, kw_only=True):
    """What follows from a difference of the scores of at least this."""

    name: str
    difference_from: int


class Movement(Row, frozen=True, kw_only=True):
    """The farthest move in a turn, by going."""

    name: str
    good: Length
    bad: Length
    road: Length


class Distance(Row, frozen=True, kw_only=True):
    name: str
    length: Length


class Hearing(Row, frozen=True, kw_only=True):
    name: str
    distance: Length


class Spotting(Row, frozen=True, kw_only=True):
    """How near an enemy finds a concealed unit, by where it is; `prepared` none: it cannot be in such a position."""

    name: str
    open: Length | Literal["sight"]
    soft: Length
    jungle: Length
    prepared: Length | None = None
    modes: tuple[Mode, ...]


class Card(Row, frozen=True, kw_only=True):
    """A card of indigenous forces: may it be moved; is it matched by a dummy."""

    name: str
    moves: bool
    matched: bool


class Number(Row, frozen=True, kw_only=True):
    name: str
    value: int


class VictoryPoints(Row, frozen=True, kw_only=True):
    """Points that `scorer` gets for one deed; `enemy` where it counts against one kind of enemy only."""

    scorer: Side
    deed: str
    name: str
    points: int
    enemy: Side | None = None


SCHEMA: Mapping[str, type[msgspec.Struct]] = {
    "cards": Card,
    "close_combat_modifiers": CloseCombatModifier,
    "close_combat_results": CloseCombatResult,
    "distances": Distance,
    "fire_conditions": FireCondition,
    "fire_modifiers": FireModifier,
    "hearing": Hearing,
    "hit_table": HitRow,
    "motivation_modifiers": MotivationModifier,
    "motivation_results": MotivationResult,
    "movement": Movement,
    "numbers": Number,
    "qualities": QualityRow,
    "saving_throw_modifiers": SavingThrowModifier,
    "saving_throws": SavingThrow,
    "spotting": Spotting,
    "target_selection": TargetSelection,
    "victory_points": VictoryPoints,
    "weapons": Weapon,
    **GROUND_TABLES,
}
"""Table name -> struct of its rows."""
