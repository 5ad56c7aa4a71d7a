"""Distances and bearings. Lengths are hundredths of an inch, bearings tenths of a degree clockwise from north."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from fireforce.table.terrain import Point

BASE_RADIUS = 25
"""Radius of a figure's base where the caller names none: row `measure.base_radius`."""

Measured = Literal["bases", "centres"]
"""From the edge of a base to the edge of the other, or from middle to middle."""


def nearest_integer(value: float) -> int:
    """Rounds half up; noise in the last digits of a half does not tip it."""
    return math.floor(value + 0.5 + 1e-6)


def distance(a: Point, b: Point) -> int:
    """From middle to middle, to the nearest hundredth."""
    return nearest_integer(math.hypot(b[0] - a[0], b[1] - a[1]))


def base_to_base(a: Point, b: Point, radius_a: int = BASE_RADIUS, radius_b: int = BASE_RADIUS) -> int:
    """From edge of base to edge of base; 0 where the bases touch or overlap. `fireforce conventions`"""
    return max(0, distance(a, b) - radius_a - radius_b)


def within(
    points: Sequence[Point],
    target: Point,
    reach: int,
    *,
    measured: Measured = "bases",
    radius: int = BASE_RADIUS,
    target_radius: int = BASE_RADIUS,
) -> tuple[int, ...]:
    """Indices of the points no farther than `reach` from the target; the limit itself is within."""
    allowed = reach + (radius + target_radius if measured == "bases" else 0)
    return tuple(index for index, point in enumerate(points) if distance(point, target) <= allowed)


def nearest(points: Sequence[Point], target: Point) -> int | None:
    """Index of the point nearest to the target, the first of equals; None of no points."""
    return min(range(len(points)), key=lambda index: (_squared(points[index], target), index), default=None)


def bearing(origin: Point, to: Point) -> int:
    """The direction from `origin` to `to`, 0..3599; 0 where they are the same point."""
    east, north = to[0] - origin[0], to[1] - origin[1]
    return nearest_integer(math.degrees(math.atan2(east, north)) * 10) % 3600


def _squared(a: Point, b: Point) -> int:
    return (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
