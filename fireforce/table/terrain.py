"""The table as a value: terrain, roads, buildings, walls and hedges.

A table is `width` by `depth` hundredths of an inch; the origin is its lower left corner, x runs to the
right (east) and y **up** (north). Points are pairs of integers. Polygons are rings of at least three
points, in either direction, not closed by repeating the first.
"""

from __future__ import annotations

import hashlib
from functools import cached_property

import msgspec

Point = tuple[int, int]


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An area of one kind. `height` overrides the kind's own (hundredths of an inch)."""

    key: str
    name: str
    kind: str
    polygon: tuple[Point, ...]
    height: int | None = None


class Building(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A building; it is of kind `building` and as high as its storeys."""

    key: str
    name: str
    polygon: tuple[Point, ...]
    storeys: int = 1


class Road(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A road or hard track along a line. `fireforce movement`"""

    key: str
    name: str
    line: tuple[Point, ...]
    width: int = 100


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wall or hedge along a line. `kind` is a row of table `barrier`."""

    key: str
    name: str
    kind: str
    line: tuple[Point, ...]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything that lies on a table and does not move."""

    width: int
    depth: int
    terrain: tuple[Terrain, ...] = ()
    roads: tuple[Road, ...] = ()
    buildings: tuple[Building, ...] = ()
    lines: tuple[Line, ...] = ()

    @cached_property
    def _digest(self) -> str:
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()

    def digest(self) -> str:
        """SHA-256 of the table's canonical bytes, in hexadecimal."""
        return self._digest
