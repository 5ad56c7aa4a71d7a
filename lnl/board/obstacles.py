"""What of a map stands in the way of sight, as arrays over its hexes.

Hexes are numbered by column and row, hexsides by three times the number of the hex of which they are the north-eastern,
south-eastern or southern one. An obstacle reaches from the ground of its hex up to its top. `core 10.3`
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from lnl.board.ground import Ground, GroundRows, Silhouette
from lnl.board.hexes import Hex, Point, centre, direction_of
from lnl.board.lines import Bools, Ints
from lnl.book.rows import HexsideRow, MarkerRow, TerrainRow

NOTHING = -1000
"""The top of what is not there."""
LARGEST = 150
"""Columns or rows of the largest map; the products of its lengths fit into 32 bits."""


class Overlay(Struct, frozen=True, order=True):
    """What lies on a hex for a while: a kind of terrain (a marker, which takes the place of what is printed and fills
    the hex), or a key of the markers (smoke, a wreck), which adds to it. `core 7.0`, `core 10.5`"""

    hex: Hex
    kind: str


class Standing(Struct, frozen=True):
    """An obstacle of a hex or hexside. `height` above its ground, `top` above level 0."""

    what: str
    blocks: bool
    height: int
    top: int
    rule: str = "core 10.3"


class Obstacles(Struct, frozen=True):
    """All of a map. `filling`: what stands everywhere in a hex; the three tops are those of the highest of it that
    blocks, that degrades, and that has a height and so casts a shadow. `drawn` and what follows: silhouettes, in the
    order of their hexes (`first`, `count`), with `corners` and the hex each `belongs_to`. `sides`: by hexside."""

    hexes: tuple[Hex, ...]
    number: dict[Hex, int]
    column: Ints
    half: Ints
    grid: Ints
    dots: Ints
    elevation: Ints
    filling: tuple[tuple[Standing, ...], ...]
    block_top: Ints
    degrade_top: Ints
    shadow_top: Ints
    drawn: tuple[Standing, ...]
    first: Ints
    count: Ints
    corners: Ints
    belongs_to: Ints
    drawn_top: Ints
    drawn_blocks: Bools
    drawn_stands: Bools
    sides: dict[int, Standing]
    side_block_top: Ints
    side_degrade_top: Ints


def obstacles_of(ground: Ground, tables: GroundRows) -> Obstacles:
    """What is printed on a map. Raises ValueError for one that is too large, KeyError where the tables lack a kind."""
    if max(ground.width, ground.height) > LARGEST:
        raise ValueError(f"a map of {ground.width} by {ground.height} hexes is too large for lines of sight")
    printed = sorted(ground.hexes.values(), key=lambda here: here.at)
    hexes = tuple(here.at for here in printed)
    number = {at: n for n, at in enumerate(hexes)}
    column = np.array([at[0] for at in hexes], dtype=np.int32)
    half = np.array([2 * at[1] + at[0] % 2 for at in hexes], dtype=np.int32)
    grid = np.full((ground.width + 1, 2 * ground.height + 4), -1, dtype=np.int32)
    grid[column, half] = np.arange(len(hexes), dtype=np.int32)
    filling = tuple(
        _standing(tables.terrain[here.terrain], here.elevation, here.storeys) if here.fills else () for here in printed
    )
    silhouettes = [
        (number[ground.hex_named(each.at)], each, stands)
        for each in ground.silhouettes
        for stands in _drawn(ground, tables, each)
    ]
    silhouettes.sort(key=lambda each: each[0])
    sides = _sides(ground, tables, number)
    side_block, side_degrade = np.full((2, 3 * len(hexes)), NOTHING, dtype=np.int32)
    for index, side in sides.items():
        (side_block if side.blocks else side_degrade)[index] = side.top
    block, degrade, shadow = _tops(filling)
    return Obstacles(
        hexes=hexes,
        number=number,
        column=column,
        half=half,
        grid=grid,
        dots=np.array([centre(at) for at in hexes], dtype=np.int32),
        elevation=np.array([here.elevation for here in printed], dtype=np.int32),
        filling=filling,
        block_top=block,
        degrade_top=degrade,
        shadow_top=shadow,
        drawn=tuple(stands for _, _, stands in silhouettes),
        first=np.searchsorted([at for at, _, _ in silhouettes], np.arange(len(hexes))).astype(np.int32),
        count=np.bincount([at for at, _, _ in silhouettes], minlength=len(hexes)).astype(np.int32),
        corners=_padded([each.polygon for _, each, _ in silhouettes]),
        belongs_to=np.array(
            [number[ground.hex_named(each.spills_from or each.at)] for _, each, _ in silhouettes], np.int32
        ),
        drawn_top=np.array([stands.top for _, _, stands in silhouettes], dtype=np.int32),
        drawn_blocks=np.array([stands.blocks for _, _, stands in silhouettes], dtype=np.bool_),
        drawn_stands=np.array([stands.height > 0 for _, _, stands in silhouettes], dtype=np.bool_),
        sides=sides,
        side_block_top=side_block,
        side_degrade_top=side_degrade,
    )


def laid_over(printed: Obstacles, overlays: Iterable[Overlay], tables: GroundRows) -> Obstacles:
    """The same with what lies on the map now. Raises KeyError for a hex off the map or a kind that no table has."""
    filling, count = list(printed.filling), printed.count.copy()
    markers = sorted(overlays, key=lambda each: each.kind not in tables.terrain)
    for overlay in markers:
        if overlay.hex not in printed.number:
            raise KeyError(f"{overlay.kind} lies on {overlay.hex}, which is off the map")
        at = printed.number[overlay.hex]
        elevation = int(printed.elevation[at])
        if overlay.kind in tables.terrain:
            marker = _standing(tables.terrain[overlay.kind], elevation, 1)
            filling[at] = tuple(replace(each, rule="core 10.5") for each in marker)
            count[at] = 0
        else:
            filling[at] = (*filling[at], *_standing(tables.markers[overlay.kind], elevation, 1))
    block, degrade, shadow = printed.block_top.copy(), printed.degrade_top.copy(), printed.shadow_top.copy()
    for at in {printed.number[overlay.hex] for overlay in markers}:
        block[at], degrade[at], shadow[at] = (int(top[0]) for top in _tops([filling[at]]))
    return replace(
        printed, filling=tuple(filling), count=count, block_top=block, degrade_top=degrade, shadow_top=shadow
    )


def _standing(row: TerrainRow | MarkerRow | HexsideRow, ground: int, storeys: int) -> tuple[Standing, ...]:
    """What a kind puts in the way. A building reaches up to its highest floor at least."""
    if row.sight == "open":
        return ()
    height = row.height
    if isinstance(row, TerrainRow) and storeys > 1:
        height = max(height, row.upper_level * (storeys - 1))
    return (Standing(what=row.name, blocks=row.sight == "blocking", height=height, top=ground + height),)


def _drawn(ground: Ground, tables: GroundRows, each: Silhouette) -> tuple[Standing, ...]:
    """It stands on the ground of the hex in which it lies, and has the storeys of the hex to which it belongs."""
    owner = ground.hexes[each.spills_from or each.at]
    storeys = owner.storeys if owner.terrain == each.terrain else 1
    return _standing(tables.terrain[each.terrain], ground.hexes[each.at].elevation, storeys)


def _sides(ground: Ground, tables: GroundRows, number: dict[Hex, int]) -> dict[int, Standing]:
    """A hexside stands on the higher of the grounds that it parts."""
    found = {}
    for name, kind in ground.hexsides.items():
        a, b = (ground.hexes[each] for each in name.split("-"))
        for stands in _standing(tables.hexsides[kind], max(a.elevation, b.elevation), 1):
            what = f"{stands.what} between {a.name} and {b.name}"
            found[3 * number[a.at] + direction_of(a.at, b.at) - 2] = replace(stands, what=what)
    return dict(sorted(found.items()))


def _tops(filling: Sequence[Sequence[Standing]]) -> tuple[Ints, Ints, Ints]:
    """The highest top of each hex that blocks, that degrades, and that casts a shadow."""
    blocks, degrades, shades = (
        np.array([max((each.top for each in here if test(each)), default=NOTHING) for here in filling], dtype=np.int32)
        for test in (lambda each: each.blocks, lambda each: not each.blocks, lambda each: each.height > 0)
    )
    return blocks, degrades, shades


def _padded(polygons: Sequence[Sequence[Point]]) -> Ints:
    """An array by corner, axis and polygon, the last corner of each repeated up to the longest."""
    longest = max((len(polygon) for polygon in polygons), default=1)
    padded = [[*polygon, *[polygon[-1]] * (longest - len(polygon))] for polygon in polygons]
    array = np.array(padded, dtype=np.int32).reshape(len(polygons), longest, 2)
    return np.ascontiguousarray(array.transpose(1, 2, 0))
