"""Target modifiers: what the defence adds to its die for where the target stands. `core 5.0`

The terrain of the hex, smoke in it, works that the unit is in, and a wall, hedge or bocage that the fire crosses on the
target's own side of the hex.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lnl.board.ground import BUNKER, GROUND
from lnl.board.hexes import CORNERS, DIRECTIONS, Hex, Place, centre, neighbour
from lnl.state.battle import State, Unit, hex_key
from lnl.state.finding import has_kind, is_multi_man, terrain_at, traits_of, units_at, works_at
from lnl.state.setting import ground_of, setting_of, tables_of
from umpire.kernel.book.points import Sum
from umpire.kernel.values.modifiers import Modifier, total

RULE = "core 5.0"

target_modifier: Sum[[State, Unit, bool]] = Sum("target modifier", rule=RULE)
"""What the hex and its works give a unit against fire, from wherever it comes; True: a mortar (or M79, M203, artillery)
takes part. Partisans in the woods have more, `hotm 13.1.1`."""


def target_modifiers(
    state: State,
    each: Unit,
    origin: Place | None = None,
    *,
    mortar: bool = False,
    barrage: bool = False,
    sniper: bool = False,
) -> tuple[Modifier, ...]:
    """All target modifiers of a unit against fire from a place (None: from no direction), in which a mortar takes part
    or that is a barrage.

    A sniper who stands without an MMC doubles those of his hex, but not against the barrages of mortars and artillery
    and not against other snipers. `core 5.0`, `core 11.4`
    """
    found = target_modifier(setting_of(state).active, traits_of(state, each), state, each, mortar).modifiers
    doubled = total(found)
    if doubled and has_kind(state, each, "sniper") and not (barrage or sniper or _is_stacked(state, each)):
        found = (*found, Modifier(doubled, "sniper in hiding", "core 11.4"))
    return (*found, *_hexsides(state, each.at, origin)) if origin is not None else found


def covering_ground(state: State, at: Place) -> str:
    """What of the ground of a place has a positive target modifier, "" where nothing has: its terrain, or smoke, which
    is terrain too; works are none. `core 1.5`, `core 7.0` (L246)"""
    row = terrain_at(state, at)
    if row.target_modifier > 0:
        return row.name.lower()
    is_smoked = hex_key(at) in state.public.smoke
    return "smoke" if is_smoked and tables_of(state).marker("smoke").target_modifier > 0 else ""


def _is_stacked(state: State, each: Unit) -> bool:
    return any(is_multi_man(state, other) for other in units_at(state, each.at, each.side))


@target_modifier.printed
def _terrain(rule: str, state: State, each: Unit, mortar: bool) -> Iterable[Modifier]:
    """That of the terrain around the dot. `core 10.4`"""
    row = terrain_at(state, each.at)
    if row.target_modifier:
        yield _of_row(state, "terrain", row.key, row.target_modifier, row.name.lower(), rule)


@target_modifier.printed
def _smoke(rule: str, state: State, each: Unit, mortar: bool) -> Iterable[Modifier]:
    """Smoke adds to that of the hex. `core 7.0`"""
    if hex_key(each.at) in state.public.smoke:
        row = tables_of(state).marker("smoke")
        yield _of_row(state, "markers", "smoke", row.target_modifier, "smoke", "core 7.0")


@target_modifier.printed
def _works(rule: str, state: State, each: Unit, mortar: bool) -> Iterable[Modifier]:
    """Foxholes and trenches for those on the ground of the hex, bunkers for those inside; a trench gives less against
    attacks with a mortar. `core 21.1`, `core 21.2`, `core 21.6`"""
    tables = tables_of(state)
    kinds = dict.fromkeys(work.kind for work in works_at(state, each.at))
    for kind, section, level in (
        ("foxhole", "core 21.2", GROUND),
        ("trench", "core 21.6", GROUND),
        ("bunker", "core 21.1", BUNKER),
    ):
        if kind in kinds and each.at[2] == level:
            row = tables.marker(kind)
            value = row.target_modifier
            if mortar and row.against_mortars is not None:
                value = row.against_mortars
            yield _of_row(state, "markers", kind, value, row.name.lower(), section)


def _hexsides(state: State, at: Place, origin: Place) -> Iterator[Modifier]:
    """What stands on the side of the target's hex by which the fire comes in; of two at a corner the better one."""
    ground = ground_of(state)
    tables = tables_of(state)
    here: Hex = (at[0], at[1])
    rows = [
        tables.hexside(key)
        for direction in sides_crossed((origin[0], origin[1]), here)
        if (key := ground.hexside(here, neighbour(here, direction)))
    ]
    best = max(rows, key=lambda row: row.target_modifier, default=None)
    if best is not None and best.target_modifier > 0:
        yield _of_row(state, "hexsides", best.key, best.target_modifier, f"{best.name.lower()} between", "core 10.4")


def sides_crossed(origin: Hex, target: Hex) -> tuple[int, ...]:
    """By which side of its hex a line from the dot of `origin` comes to the dot of `target`: a direction from the
    target, two where it comes through a corner, none within one hex."""
    if origin == target:
        return ()
    (x, y), (from_x, from_y) = centre(target), centre(origin)
    dx, dy = from_x - x, from_y - y
    found = []
    for direction in DIRECTIONS:
        (ax, ay), (bx, by) = CORNERS[direction - 2], CORNERS[direction - 1]
        if ax * dy - ay * dx >= 0 and dx * by - dy * bx >= 0:
            found.append(direction)
    return tuple(found)


def _of_row(state: State, table: str, key: str, value: int, reason: str, rule: str) -> Modifier:
    is_house = tables_of(state).is_house(table, key, "target_modifier")
    return Modifier(value, reason, rule, "house" if is_house else "")
