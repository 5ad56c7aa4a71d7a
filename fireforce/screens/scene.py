"""What does not change: the table, the kinds of ground, weapons and house values of the book."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import convert

from fireforce.screens.drawn import GroundKind, Scene, SceneLine, SceneRoad, SceneTerrain, SceneWeapon
from fireforce.state.battle import State
from fireforce.state.setting import PublicSetting, setting_of, tables_of
from umpire.kernel.views import house_values


def scene(state: State, rules: Mapping[str, str]) -> Scene:
    """The scene of a battle, the same for all seats; `rules` are titles by key."""
    setting = setting_of(state)
    kinds = tables_of(state).kinds
    table = setting.table
    grounds = {
        kind.key: GroundKind(label=kind.name, going=kind.going, cover=kind.cover, save=kind.save)
        for kind in kinds.ground
    }
    barriers = {kind.key: GroundKind(label=kind.name, cover=kind.cover) for kind in kinds.barrier}
    storey = kinds.length("storey")
    areas = tuple(
        SceneTerrain(
            key=each.key,
            name=each.name,
            kind=each.kind,
            ring=each.polygon,
            height=kinds.grounds[each.kind].height if each.height is None else each.height,
        )
        for each in table.terrain
    )
    buildings = tuple(
        SceneTerrain(
            key=each.key,
            name=each.name,
            kind="building",
            ring=each.polygon,
            height=each.storeys * storey,
            storeys=each.storeys,
        )
        for each in table.buildings
    )
    return Scene(
        kind="inches",
        width=table.width,
        depth=table.depth,
        unit=100,
        title=setting.title,
        description=setting.description,
        victory=setting.victory,
        terrain=areas + buildings,
        roads=tuple(SceneRoad(key=each.key, name=each.name, line=each.line, width=each.width) for each in table.roads),
        lines=tuple(SceneLine(key=each.key, name=each.name, kind=each.kind, line=each.line) for each in table.lines),
        kinds={**grounds, **barriers},
        weapons=_weapons(setting),
        house=house_values(setting.book),
        rules=rules,
        digest=state.public.setting,
    )


def _weapons(setting: PublicSetting) -> dict[str, SceneWeapon]:
    rows = setting.book.tables["weapons"]
    return {
        key: convert({name: row[name].value for name in SceneWeapon.__struct_fields__}, SceneWeapon)
        for key, row in rows.items()
    }
