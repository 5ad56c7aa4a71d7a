"""The rows of Lock 'n Load's tables as structs. Distances in hexes, costs in movement points, heights in levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from umpire.kernel.book.columns import Adds, Refers

Kind = Literal[
    "squad",
    "half_squad",
    "crew",
    "weapon_team",
    "leader",
    "hero",
    "medic",
    "sniper",
    "chaplain",
    "advisor",
    "scout",
    "commissar",
    "nurse",
]
"""What a counter of men is. `core 1.1`, `core 11.0`"""
MULTI_MAN: tuple[Kind, ...] = ("squad", "half_squad", "crew", "weapon_team")
SINGLE_MAN: tuple[Kind, ...] = (
    "leader",
    "hero",
    "medic",
    "sniper",
    "chaplain",
    "advisor",
    "scout",
    "commissar",
    "nurse",
)

Going = Literal["leg", "tracked", "off_road", "road"]
"""How what a counter stands for goes over ground: a column of the terrain chart. `core 10.4`"""
Sight = Literal["open", "degrading", "blocking"]
"""What a piece of terrain does to a line of sight that crosses it. `core 10.3`"""
WeaponUse = Literal["direct", "ordnance", "mortar", "satchel", "flamethrower", "claymore"]
Damage = Literal["none", "shaken", "casualties", "wounded", "eliminated"]

Count = Annotated[int, Meta(ge=0)]
CounterKey = Annotated[str, Refers("counters")]
NationKey = Annotated[str, Refers("nations")]
Traits = Annotated[tuple[str, ...], Adds()]
PROHIBITED = -1
"""The cost of ground that may not be entered."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    key: str


class TerrainRow(Row, frozen=True, kw_only=True):
    """A kind of terrain: costs to enter (-1: not at all), its modifier for those in it, and what it does to sight.

    `height` is that of what stands there, above the ground of its hex; `levels` the storeys of a building (the level of
    an upper storey above its ground is `upper_level`). Terrain whose `sight` is open is Open terrain for spotting.
    `core 10.3`, `core 10.4`
    """

    name: str
    leg: int
    tracked: int = PROHIBITED
    off_road: int = PROHIBITED
    road: int = PROHIBITED
    target_modifier: int = 0
    sight: Sight = "open"
    height: Count = 0
    upper_level: Count = 2
    is_building: bool = False
    cancels_moving: bool = False
    bars_mortars: bool = False
    colour: str = ""
    traits: Traits = ()


class HexsideRow(Row, frozen=True, kw_only=True):
    """What stands on a hexside: what crossing it costs more, what it gives those behind it, and what it does to sight
    that crosses it. A road or a bridge along it is no hexside. `core 10.3`"""

    name: str
    leg: int
    tracked: int = PROHIBITED
    off_road: int = PROHIBITED
    road: int = PROHIBITED
    target_modifier: int = 0
    sight: Sight = "open"
    height: Count = 0
    bars_guns: bool = False
    traits: Traits = ()


class MarkerRow(Row, frozen=True, kw_only=True):
    """Smoke and fortifications: what they add to the terrain. `total`: the cost stands for the hex, not beside it.
    `against_mortars`: the modifier where a mortar or artillery takes part. `spotted_as`: as which kind of terrain men
    in it are spotted, "" for that of their hex. `core 7.0`, `core 21.0`"""

    name: str
    leg: int = 0
    total: bool = False
    target_modifier: int = 0
    against_mortars: int | None = None
    sight: Sight = "open"
    spotted_as: Literal["", "open", "degrading", "blocking"] = ""
    height: Count = 0
    firepower: Count = 0
    rallies: bool = False


class CounterRow(Row, frozen=True, kw_only=True):
    """A counter of men with its two sides. `core 1.1`, `core 1.11`

    `reduces`: what is left of it after Casualties, by the die where there are two (odd, even); `combines` what two of
    them form. `extended_range`: a black box around the range; `assault_move`: a red one around the movement;
    `stealth`: a yellow square. `troop` is the force that its background shows, `leads` are those that a leader leads
    beside his own. `leadership_range`: within how many hexes a leader activates, where it is not the number that holds
    for all. `facing`: a red arrow, it fires in one direction only.
    """

    BY_MODULE: ClassVar[bool] = True

    name: str
    kind: Kind
    nation: NationKey
    firepower: Count = 0
    range: Count = 0
    movement: Count = 0
    going: Going = "leg"
    morale: int | None = None
    shaken_morale: int | None = None
    leadership: int = 0
    leadership_range: Count | None = None
    extended_range: bool = False
    assault_move: bool = False
    stealth: bool = False
    self_rally: bool = False
    melee_bonus: int = 0
    reduces: CounterKey = ""
    reduces_even: CounterKey = ""
    combines: CounterKey = ""
    troop: str = ""
    leads: Traits = ()
    gun_size: Count = 0
    facing: bool = False
    immobile: bool = False
    minimum_range: Count = 0
    use: WeaponUse = "direct"
    recoilless: bool = False
    traits: Traits = ()


class WeaponRow(Row, frozen=True, kw_only=True):
    """A support weapon. `other_side`: what its other side shows ("" for none), fired with the values of the row
    `fired_as`; one that is `set_up` may not be moved, one that is `dismantled` may not be fired. `once`: removed after
    use. `core 1.6.1`"""

    BY_MODULE: ClassVar[bool] = True

    name: str
    nation: NationKey = ""
    firepower: Count = 0
    range: Count = 0
    minimum_range: Count = 0
    use: WeaponUse = "direct"
    is_machine_gun: bool = False
    melee: bool = False
    once: bool = False
    set_up: bool = False
    dismantled: bool = False
    other_side: Literal["", "bipod", "dismantled"] = ""
    fired_as: Annotated[str, Refers("weapons")] = ""
    jams: bool = False
    traits: Traits = ()


class FireModifierRow(Row, frozen=True, kw_only=True):
    """A modifier of an attack on the Direct Fire Table. `core 5.0`"""

    name: str
    value: int
    rule: str


class MeleeRow(Row, frozen=True, kw_only=True):
    """A column of the Melee Table: the number that kills at these odds; `column` counts from the worst odds. `core
    8.0`"""

    name: str
    column: Count
    attack: Count
    defence: Count
    kill: int


class DamageRow(Row, frozen=True, kw_only=True):
    """What a Damage Check does to a kind of target: not above its morale, above, from twice, from three times.
    `core 5.1`"""

    name: str
    above: Damage
    twice: Damage
    thrice: Damage


class NationRow(Row, frozen=True, kw_only=True):
    """A nation, or a force of it (nation_troop): what a unit needs to lay smoke or fire a star shell, its colour on
    counters. `core 13.0`"""

    name: str
    colour: str
    smoke: Count = 0
    star_shell: Count = 0
    traits: Traits = ()


class SkillRow(Row, frozen=True, kw_only=True):
    """A skill card: who may own it, whether it is used up, and the effects (words that chapters know). `core 12.0`"""

    name: str
    owners: tuple[Kind, ...]
    once: bool = False
    traits: Traits = ()
    value: int = 0


class NumberRow(Row, frozen=True, kw_only=True):
    """A single number of the rules, with the section that gives it."""

    name: str
    value: int
    rule: str


class TraitRow(Row, frozen=True, kw_only=True):
    """A trait for which several modules print the same rule: the key under which the module of this book prints it.
    Without such a row the trait does nothing."""

    name: str
    rule: str


SCHEMA: Mapping[str, type[Row]] = {
    "counters": CounterRow,
    "damage": DamageRow,
    "fire_modifiers": FireModifierRow,
    "hexsides": HexsideRow,
    "markers": MarkerRow,
    "melee": MeleeRow,
    "nations": NationRow,
    "numbers": NumberRow,
    "skills": SkillRow,
    "terrain": TerrainRow,
    "traits": TraitRow,
    "weapons": WeaponRow,
}
