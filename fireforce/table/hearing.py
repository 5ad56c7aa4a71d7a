"""From where a noise is heard: the place of a way that is nearest to who listens, and in which eighth of the compass.

Measured exactly, along the whole way: a noise is made wherever its maker has been, and heard from edge of base to edge
of base as all else is measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from fireforce.table.ranges import BASE_RADIUS, bearing, nearest_integer
from fireforce.table.terrain import Point

Octant = Literal["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]

OCTANTS: tuple[Octant, ...] = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)


class Noise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one listener perceives of a way: how far off it was at its nearest, from edge of base to edge of base, and
    where that was."""

    distance: int
    at: Point


def octant(origin: Point, to: Point) -> Octant | None:
    """The eighth of the compass in which `to` lies from `origin`; a bearing midway goes to the clockwise one."""
    return None if origin == to else OCTANTS[(bearing(origin, to) + 225) // 450 % 8]


def nearest_on(path: Sequence[Point], to: Point) -> tuple[float, Point]:
    """How far a path, or the one place where somebody stood, is from a place at its nearest, and where that is."""
    best, at = math.dist(path[0], to), path[0]
    for a, b in pairwise(path):
        dx, dy = b[0] - a[0], b[1] - a[1]
        squared = dx * dx + dy * dy
        if not squared:
            continue
        share = min(max(((to[0] - a[0]) * dx + (to[1] - a[1]) * dy) / squared, 0.0), 1.0)
        x, y = a[0] + share * dx, a[1] + share * dy
        gap = math.hypot(x - to[0], y - to[1])
        if gap < best:
            best, at = gap, (nearest_integer(x), nearest_integer(y))
    return best, at


def heard(
    path: Sequence[Point], listener: Point, reach: int, radius: int = BASE_RADIUS, listeners_radius: int = BASE_RADIUS
) -> Noise | None:
    """What a listener hears of who makes a noise all along a path (with its start); the limit itself is heard, None
    beyond it. `fireforce visibility`"""
    away, at = nearest_on(path, listener)
    gap = max(0, nearest_integer(away) - radius - listeners_radius)
    return Noise(gap, at) if gap <= reach else None
