"""What lines of sight on hexes cost, against the budgets.

The maps are crowded: a third of the hexes carry a drawing, others are filled; there are hills, hedges and houses of two
storeys, laid out by a fixed rule; nothing is random.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from lnl.board.art import pieces
from lnl.board.ground import Ground, HexGround, Silhouette
from lnl.board.hexes import Hex, Place, centre, hex_name, neighbours
from lnl.board.obstacles import laid_over, obstacles_of
from lnl.board.sight import Overlay, Sight, sight_of
from lnl.book.tables import GroundTables, Tables, core_book
from umpire.kernel.values.maps import ordered
from umpire.testing import benching

SIZES = {(20, 10): (1.0, 3.0, 1.0), (40, 30): (5.0, 8.0, 8.0), (50, 40): (10.0, 15.0, 25.0)}
"""Columns and rows: the budgets of a cold field and one with overlays in ms, of the whole map in s."""
FIELDS = 24
"""Cold fields are measured from so many hexes all over the map."""
OVERLAYS = 12


def crowded(width: int, height: int) -> Ground:
    """The map of that size."""
    hexes = [(column, row) for column in range(1, width + 1) for row in range(1, height + 1)]
    printed = {hex_name(at): _printed(at) for at in hexes}
    silhouettes = tuple(
        Silhouette(here.terrain, part, hex_name(lies), "" if lies == here.at else here.name)
        for here in printed.values()
        if not here.fills
        for lies, part in pieces(_drawing(here))
        if hex_name(lies) in printed
    )
    hedges = {
        f"{hex_name(at)}-{hex_name(other)}": "hedge"
        for at in hexes
        if _chance(at, 3) < 8
        for other in neighbours(at)
        if other > at and hex_name(other) in printed
    }
    return Ground(
        width=width,
        height=height,
        hexes=ordered(printed),
        names=ordered({name: name for name in printed}),
        hexsides=ordered(hedges),
        silhouettes=silhouettes,
    )


def _printed(at: Hex) -> HexGround:
    chance = _chance(at, 1)
    kinds = ((18, "stone_building"), (32, "light_woods"), (38, "forest"), (44, "brush"))
    terrain = next((kind for limit, kind in kinds if chance < limit), "clear")
    return HexGround(
        name=hex_name(at),
        at=at,
        terrain=terrain,
        elevation=max(0, _chance((at[0] // 5, at[1] // 5), 2) // 30 - 1),
        storeys=2 if chance < 3 else 1,
        fills=chance >= 32,
    )


def _drawing(here: HexGround) -> tuple[tuple[int, int], ...]:
    """A house, or a wood of twelve corners that reaches over the hexsides."""
    x, y = centre(here.at)
    if here.terrain == "stone_building":
        return ((x - 50, y - 20), (x + 10, y - 40), (x + 60, y + 10), (x - 10, y + 40))
    wood = ((90, 0), (80, 30), (50, 55), (0, 65), (-50, 55), (-80, 30))
    return tuple((x + turn * dx, y + turn * dy) for turn in (1, -1) for dx, dy in wood)


def _chance(at: Hex, salt: int) -> int:
    """Below 100, spread without a pattern."""
    return (at[0] * 7919 + at[1] * 104_729 + salt * 15_485_863 + at[0] * at[1] * 31_337) % 10_007 % 100


def rows() -> Iterator[benching.Row]:
    """Cold fields, with and without overlays, cached ones, single look-ups, whole maps."""
    yardstick = benching.yardstick()
    tables = Tables(core_book()).ground
    for (width, height), (cold, laid, whole) in SIZES.items():
        ground, size = crowded(width, height), f"{width}x{height}"
        yield _row(f"field of one hex, {size}", _cold(ground, tables), "ms", cold, yardstick)
        yield _row(f"field under {OVERLAYS} overlays, {size}", _laid(ground, tables), "ms", laid, yardstick)
        sight = sight_of(ground, tables, ())
        a, b = (1, 1, 0), (width, height, 0)
        yield _row(f"field remembered, {size}", _each(partial(sight.field, a)) * 1e6, "us", 50, yardstick)
        yield _row(f"one line remembered, {size}", _each(partial(sight.sees, a, b)) * 1e6, "us", 1, yardstick)
        yield _row(f"whole map, {size}", _whole(ground, tables), "s", whole, yardstick)


def _row(name: str, value: float, unit: str, budget: float, yardstick: float) -> benching.Row:
    return benching.row(f"lnl sight: {name}", round(value, 4), unit, budget, yardstick)


def _places(ground: Ground) -> tuple[Place, ...]:
    """Hexes all over the map."""
    places = [at for at in ground.places() if at[2] == 0]
    return tuple(places[:: max(1, len(places) // FIELDS)])


def _cold(ground: Ground, tables: GroundTables) -> float:
    """Milliseconds of a field, of the median hex."""
    sight = Sight(ground, tables, obstacles_of(ground, tables))
    sight.field((1, 1, 0))
    return statistics.median(_seconds(partial(sight.field, at)) * 1000 for at in _places(ground)[1:])


def _laid(ground: Ground, tables: GroundTables) -> float:
    """The same where the overlays have just been laid down."""
    printed = obstacles_of(ground, tables)
    overlays = tuple(
        Overlay(hex=(1 + n * 5 % ground.width, 1 + n * 3 % ground.height), kind=("smoke", "wreck", "forest")[n % 3])
        for n in range(OVERLAYS)
    )

    def field(at: Place) -> None:
        Sight(ground, tables, laid_over(printed, overlays, tables)).field(at)

    return statistics.median(_seconds(partial(field, at)) * 1000 for at in _places(ground))


def _whole(ground: Ground, tables: GroundTables) -> float:
    sight = Sight(ground, tables, obstacles_of(ground, tables))
    return _seconds(lambda: list(sight.whole()))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _each(work: Callable[[], object]) -> float:
    """Seconds of one of ten thousand."""

    def many() -> None:
        for _ in range(10_000):
            work()

    return benching.best_of(3, many) / 10_000


benching.register("sight.hexes", lambda: list(rows()))
