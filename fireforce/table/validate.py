"""What is wrong with a table, in words: for editors, scenario files, and before a table is compiled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

import msgspec
import shapely

from fireforce.book.kinds import Kinds, kinds
from fireforce.table.terrain import Building, Line, Point, Road, Table, Terrain
from umpire.kernel.values.spelling import get_close_matches

LARGEST = 100_000
"""The longest side of a table, hundredths of an inch: beyond it sight would lose whole hundredths."""


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault: the key of the piece (or "table"), what is wrong, and what would be right."""

    key: str
    what: str
    right: str

    def __str__(self) -> str:
        return f"{self.key}: {self.what}; {self.right}"


class BadTable(ValueError):
    """The table cannot be played on. `faults` lists everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


def validate(table: Table, overlays: tuple[Terrain, ...] = (), known: Kinds | None = None) -> list[Fault]:
    """Every fault of the table and of what is laid over it (smoke), in the order of its pieces."""
    if not (0 < table.width <= LARGEST and 0 < table.depth <= LARGEST):
        return [
            Fault(
                "table",
                f"measures {table.width} by {table.depth}",
                f"both sides must lie between 1 and {LARGEST} hundredths of an inch",
            )
        ]
    return list(_faults(table, overlays, known or kinds()))


def _faults(table: Table, overlays: tuple[Terrain, ...], known: Kinds) -> Iterator[Fault]:
    pieces: tuple[Terrain | Road | Building | Line, ...] = (
        *table.terrain,
        *overlays,
        *table.roads,
        *table.buildings,
        *table.lines,
    )
    seen: set[str] = set()
    for piece in pieces:
        if piece.key in seen:
            yield Fault(piece.key, "this key is used twice", "give every piece of the table a key of its own")
        seen.add(piece.key)
    for terrain in (*table.terrain, *overlays):
        yield from _kind(terrain.key, terrain.kind, known.grounds)
        yield from _ring(terrain.key, terrain.polygon, table, inside=terrain not in overlays)
        if terrain.height is not None and terrain.height < 0:
            yield Fault(terrain.key, f"has height {terrain.height}", "a height is zero or more")
    for building in table.buildings:
        yield from _ring(building.key, building.polygon, table)
        if building.storeys < 1:
            yield Fault(building.key, f"has {building.storeys} storeys", "a building has one storey or more")
    for road in table.roads:
        yield from _line(road.key, road.line, table)
        if road.width < 1:
            yield Fault(road.key, f"is {road.width} wide", "give a width in hundredths of an inch, 1 or more")
    for line in table.lines:
        yield from _kind(line.key, line.kind, known.barriers)
        yield from _line(line.key, line.line, table)


def _kind(key: str, kind: str, rows: Mapping[str, object]) -> Iterator[Fault]:
    if kind not in rows:
        near = get_close_matches(kind, rows, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(rows))}"
        yield Fault(key, f"unknown kind {kind!r}", hint)


def _ring(key: str, ring: tuple[Point, ...], table: Table, inside: bool = True) -> Iterator[Fault]:
    if len(ring) < 3:
        yield Fault(key, f"has {len(ring)} points", "an area needs at least 3")
        return
    # Smoke may drift over the edge; what is built or grows may not.
    if inside:
        yield from _outside(key, ring, table)
    polygon = shapely.Polygon(ring)
    if polygon.convex_hull.area == 0:
        yield Fault(key, "has no area", "its points must not all lie on one line")
    elif not polygon.is_valid:
        yield Fault(key, f"its outline is not simple ({_where(polygon)})", "draw it so that its sides do not cross")


def _line(key: str, line: tuple[Point, ...], table: Table) -> Iterator[Fault]:
    if len(line) < 2:
        yield Fault(key, f"has {len(line)} points", "a line needs at least 2")
    elif any(a == b for a, b in pairwise(line)):
        yield Fault(key, "repeats a point", "two points that follow each other must differ")
    yield from _outside(key, line, table)


def _outside(key: str, points: tuple[Point, ...], table: Table) -> Iterator[Fault]:
    for x, y in points:
        if not (0 <= x <= table.width and 0 <= y <= table.depth):
            yield Fault(
                key,
                f"point ({x}, {y}) lies off the table",
                f"x runs from 0 to {table.width}, y from 0 to {table.depth}",
            )


def _where(polygon: shapely.Polygon) -> str:
    """GEOS names the kind of fault and the place: "Self-intersection[50 50]"."""
    reason, _, place = shapely.is_valid_reason(polygon).partition("[")
    return f"{reason.lower()} at ({place.rstrip(']').replace(' ', ', ')})" if place else reason.lower()
