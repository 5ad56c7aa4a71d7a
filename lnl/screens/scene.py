"""What does not change and need not be sent twice: the map in the map's own lattice, the kinds of ground, counters and
weapons of the book, zones and house values.

A client that draws true hexes stretches the lattice: dots stand at (180 c, 120 r), 60 lower in odd columns, corners at
(+-120, 0) and (+-60, +-60) from them, y to the south.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from lnl.state.battle import Believed, State
from lnl.state.finding import units_of
from lnl.state.setting import PublicSetting, setting_of
from umpire.kernel.book.book import Line

_SHOWN: Mapping[str, tuple[str, ...]] = {
    "terrain": ("name", "leg", "target_modifier", "sight", "height", "upper_level", "is_building", "colour"),
    "hexsides": ("name", "leg", "target_modifier", "sight", "height"),
    "markers": ("name", "leg", "total", "target_modifier", "against_mortars", "sight", "firepower"),
    "weapons": ("name", "firepower", "range", "minimum_range", "use", "is_machine_gun", "melee", "once"),
    "nations": ("name", "colour", "smoke", "star_shell"),
    "skills": ("name", "once", "value"),
}
"""What a screen shows of a row of each table."""


def scene(state: State) -> dict[str, Any]:
    """The scene of a battle; the same for all seats, but for the zones that each knows."""
    setting = setting_of(state)
    ground = setting.ground
    return {
        "kind": "hexes",
        "columns": ground.width,
        "rows": ground.height,
        "width": 180 * ground.width + 180,
        "depth": 120 * ground.height + 180,
        "lattice": {"column": 180, "row": 120, "lower": 60, "corners": [[120, 0], [60, 60]]},
        "title": setting.title,
        "description": setting.description,
        "victory": setting.victory,
        "special_rules": list(setting.special_rules),
        "hexes": {name: to_builtins(hex_) for name, hex_ in ground.hexes.items()},
        "names": dict(ground.names),
        "half_hexes": list(ground.half_hexes),
        "hexsides": dict(ground.hexsides),
        "streams": dict(ground.streams),
        "roads": to_builtins(ground.roads),
        "buildings_named": dict(ground.buildings),
        "silhouettes": to_builtins(ground.silhouettes),
        "zones": {
            key: {"name": setting.zones[key].name, "hexes": to_builtins(setting.zones[key].hexes)}
            for key in known_zones(state)
        },
        "kinds": _rows(setting, "terrain"),
        "side_kinds": _rows(setting, "hexsides"),
        "marker_kinds": _rows(setting, "markers"),
        "weapons": _rows(setting, "weapons"),
        "nations": _rows(setting, "nations"),
        "skills": _rows(setting, "skills"),
        "house": [_house(line) for line in setting.book.house_values()],
        "digest": state.public.setting,
    }


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


def _rows(setting: PublicSetting, table: str) -> dict[str, Any]:
    """The rows of a table with what a screen shows, and in `house` those of the columns that are our own proposal."""
    found: dict[str, Any] = {}
    for key, row in setting.book.tables.get(table, {}).items():
        shown = {name: row[name].value for name in _SHOWN[table] if name in row}
        ours = [name for name in _SHOWN[table] if name in row and row[name].status == "house"]
        found[key] = {**shown, "house": ours} if ours else shown
    return found


def _house(line: Line) -> dict[str, Any]:
    return {"key": line.key, "what": line.origin.source, "value": to_builtins(line.origin.value)}
