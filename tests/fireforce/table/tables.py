"""Tables for the tests: small ones by hand, and random ones of corner-exact pieces."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from hypothesis import strategies as st

from fireforce.table.terrain import Building, Line, Point, Road, Table, Terrain

SIDE = 4800


def rectangle(x0: int, y0: int, x1: int, y1: int) -> tuple[Point, ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def area(kind: str, x0: int, y0: int, x1: int, y1: int, key: str = "", height: int | None = None) -> Terrain:
    return Terrain(key or kind, f"the {kind}", kind, rectangle(x0, y0, x1, y1), height)


def house(x0: int, y0: int, x1: int, y1: int, key: str = "house", storeys: int = 1) -> Building:
    return Building(key, f"the {key}", rectangle(x0, y0, x1, y1), storeys)


def table(*pieces: Terrain | Building | Road | Line, side: int = SIDE) -> Table:
    return Table(
        side,
        side,
        tuple(each for each in pieces if isinstance(each, Terrain)),
        tuple(each for each in pieces if isinstance(each, Road)),
        tuple(each for each in pieces if isinstance(each, Building)),
        tuple(each for each in pieces if isinstance(each, Line)),
    )


def moved(lay: Table, move: Callable[[Point], Point]) -> Table:
    """The table with every point moved; it must be square."""

    def points(of: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(move(point) for point in of)

    return Table(
        lay.width,
        lay.depth,
        tuple(msgspec.structs.replace(each, polygon=points(each.polygon)) for each in lay.terrain),
        tuple(msgspec.structs.replace(each, line=points(each.line)) for each in lay.roads),
        tuple(msgspec.structs.replace(each, polygon=points(each.polygon)) for each in lay.buildings),
        tuple(msgspec.structs.replace(each, line=points(each.line)) for each in lay.lines),
    )


# Whole-numbered directions, so that turned rectangles have whole corners.
_TURNS = ((1, 0), (3, 4), (4, 3), (1, 1), (2, 1), (1, 3))

AREAS = ("jungle", "forest", "bush", "smoke", "rocks", "hill")
BLOCKERS = ("jungle", "forest", "smoke")


def points(low: int = 1000, high: int = 3800) -> st.SearchStrategy[Point]:
    return st.tuples(st.integers(low, high), st.integers(low, high))


@st.composite
def outlines(draw: st.DrawFn) -> tuple[Point, ...]:
    (x, y), (u, v) = draw(points(1500, 3300)), draw(st.sampled_from(_TURNS))
    a, b = draw(st.integers(10, 120)), draw(st.integers(10, 120))
    return tuple(
        (x + s * a * u - t * b * v, y + s * a * v + t * b * u) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )


@st.composite
def pieces(draw: st.DrawFn, key: str, kinds: tuple[str, ...] = AREAS) -> Terrain | Building:
    outline, kind = draw(outlines()), draw(st.sampled_from((*kinds, "building")))
    if kind == "building":
        return Building(key, key, outline, draw(st.integers(1, 3)))
    return Terrain(key, key, kind, outline)


@st.composite
def tables(draw: st.DrawFn, most: int = 6, kinds: tuple[str, ...] = AREAS) -> Table:
    found = [draw(pieces(f"piece-{index}", kinds)) for index in range(draw(st.integers(0, most)))]
    wall = draw(st.lists(points(), min_size=2, max_size=3, unique=True))
    return table(*found, Line("wall", "wall", "wall", tuple(wall)))
