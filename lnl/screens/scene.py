"""What does not change and need not be sent twice: the map in the map's own lattice, the kinds of ground, counters and
weapons of the book, zones and house values.

A client that draws true hexes stretches the lattice: dots stand at (180 c, 120 r), 60 lower in odd columns, corners at
(+-120, 0) and (+-60, +-60) from them, y to the south.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from msgspec import UNSET, UnsetType, convert

from lnl.board.ground import HexGround, Silhouette
from lnl.board.hexes import Hex
from lnl.book.rows import Sight, WeaponUse
from lnl.state.battle import Believed, State
from lnl.state.finding import units_of
from lnl.state.setting import PublicSetting, setting_of
from umpire.kernel import views
from umpire.kernel.views import Drawn, HouseValue, house_values


class ShownRow(Drawn, frozen=True, kw_only=True):
    """What a screen shows of a row of a table: what the book says, and in `house` the columns that are our proposal."""

    name: str
    house: tuple[str, ...] = ()


class TerrainKind(ShownRow, frozen=True, kw_only=True):
    """A kind of terrain."""

    leg: int | UnsetType = UNSET
    target_modifier: int | UnsetType = UNSET
    sight: Sight | UnsetType = UNSET
    height: int | UnsetType = UNSET
    upper_level: int | UnsetType = UNSET
    is_building: bool | UnsetType = UNSET
    colour: str | UnsetType = UNSET


class HexsideKind(ShownRow, frozen=True, kw_only=True):
    """What may stand on a hexside."""

    leg: int | UnsetType = UNSET
    target_modifier: int | UnsetType = UNSET
    sight: Sight | UnsetType = UNSET
    height: int | UnsetType = UNSET


class MarkerKind(ShownRow, frozen=True, kw_only=True):
    """Smoke and fortifications."""

    leg: int | UnsetType = UNSET
    total: bool | UnsetType = UNSET
    target_modifier: int | UnsetType = UNSET
    against_mortars: int | UnsetType = UNSET
    sight: Sight | UnsetType = UNSET
    firepower: int | UnsetType = UNSET


class WeaponKind(ShownRow, frozen=True, kw_only=True):
    """A support weapon."""

    firepower: int | UnsetType = UNSET
    range: int | UnsetType = UNSET
    minimum_range: int | UnsetType = UNSET
    use: WeaponUse | UnsetType = UNSET
    is_machine_gun: bool | UnsetType = UNSET
    melee: bool | UnsetType = UNSET
    once: bool | UnsetType = UNSET


class Nation(ShownRow, frozen=True, kw_only=True):
    """A nation, or a force of it."""

    colour: str | UnsetType = UNSET
    smoke: int | UnsetType = UNSET
    star_shell: int | UnsetType = UNSET


class Skill(ShownRow, frozen=True, kw_only=True):
    """A skill card."""

    once: bool | UnsetType = UNSET
    value: int | UnsetType = UNSET


class Lattice(Drawn, frozen=True, kw_only=True):
    """Where the dots of hexes stand, and their corners from there."""

    column: int
    row: int
    lower: int
    corners: tuple[tuple[int, int], ...]


class SceneZone(Drawn, frozen=True, kw_only=True):
    """A zone that the reader knows."""

    name: str
    hexes: tuple[Hex, ...]


class Scene(views.Scene, frozen=True, kw_only=True):
    """The map of a battle of Lock 'n Load, and rows of its book."""

    kind: Literal["hexes"]
    columns: int
    rows: int
    width: int
    depth: int
    lattice: Lattice
    description: str
    victory: str
    special_rules: tuple[str, ...]
    hexes: Mapping[str, HexGround]
    names: Mapping[str, str]
    half_hexes: tuple[str, ...]
    hexsides: Mapping[str, str]
    streams: Mapping[str, str]
    roads: tuple[tuple[str, ...], ...]
    buildings_named: Mapping[str, str]
    silhouettes: tuple[Silhouette, ...]
    zones: Mapping[str, SceneZone]
    kinds: Mapping[str, TerrainKind]
    side_kinds: Mapping[str, HexsideKind]
    marker_kinds: Mapping[str, MarkerKind]
    weapons: Mapping[str, WeaponKind]
    nations: Mapping[str, Nation]
    skills: Mapping[str, Skill]
    house: tuple[HouseValue, ...]


R = TypeVar("R", bound=ShownRow)
LATTICE = Lattice(column=180, row=120, lower=60, corners=((120, 0), (60, 60)))


def scene(state: State, rules: Mapping[str, str]) -> Scene:
    """The scene of a battle; the same for all seats, but for the zones that each knows."""
    setting = setting_of(state)
    ground = setting.ground
    return Scene(
        kind="hexes",
        columns=ground.width,
        rows=ground.height,
        width=180 * ground.width + 180,
        depth=120 * ground.height + 180,
        lattice=LATTICE,
        title=setting.title,
        description=setting.description,
        victory=setting.victory,
        special_rules=setting.special_rules,
        hexes=ground.hexes,
        names=ground.names,
        half_hexes=ground.half_hexes,
        hexsides=ground.hexsides,
        streams=ground.streams,
        roads=ground.roads,
        buildings_named=ground.buildings,
        silhouettes=ground.silhouettes,
        zones={
            key: SceneZone(name=setting.zones[key].name, hexes=setting.zones[key].hexes) for key in known_zones(state)
        },
        kinds=_rows(setting, "terrain", TerrainKind),
        side_kinds=_rows(setting, "hexsides", HexsideKind),
        marker_kinds=_rows(setting, "markers", MarkerKind),
        weapons=_rows(setting, "weapons", WeaponKind),
        nations=_rows(setting, "nations", Nation),
        skills=_rows(setting, "skills", Skill),
        house=house_values(setting.book),
        rules=rules,
        digest=state.public.setting,
    )


def known_zones(state: State) -> list[str]:
    """The zones that a seat knows of, by key: those of open objectives, of open forces and of its own. Where others
    may be set up or come in, and what they are after in secret, is theirs to know."""
    setting = setting_of(state)
    if not isinstance(state, Believed):
        return sorted(setting.zones)
    aims = {each.zone for each in setting.objectives.values()}
    forces = {each.zone for each in setting.forces.values()}
    own = {each.zone for part in state.commands.values() for each in units_of(part)}
    return sorted((aims | forces | own) & set(setting.zones))


def _rows(setting: PublicSetting, table: str, kind: type[R]) -> dict[str, R]:
    """The rows of a table with what a screen shows."""
    found: dict[str, R] = {}
    for key, row in setting.book.tables.get(table, {}).items():
        shown = {name: row[name] for name in kind.__struct_fields__ if name in row}
        house = tuple(name for name, cell in shown.items() if cell.status == "house")
        found[key] = convert({**{name: cell.value for name, cell in shown.items()}, "house": house}, kind)
    return found
