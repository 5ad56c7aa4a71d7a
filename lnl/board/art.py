"""Terrain as it is drawn, cut along the hexsides: each piece of a polygon lies within one hex.

Corners that the cutting makes are rounded along the hexside, which moves the drawing by less than a two-hundredth of a
hex; everything after that is exact. `core 10.3`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

from lnl.board.hexes import CORNERS, Hex, Point, centre

Polygon = tuple[Point, ...]


def is_convex(polygon: Sequence[Point]) -> bool:
    """Whether it has an area and no corner of it is turned inward."""
    turns = [
        (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)
        for x, y in polygon
    ]
    return len(polygon) >= 3 and (min(turns) < 0) != (max(turns) > 0)


def covers(polygon: Sequence[Point], point: Point) -> bool:
    """Whether a point lies in a convex polygon or on its outline."""
    x, y = point
    turns = [
        (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)
    ]
    return min(turns) >= 0 or max(turns) <= 0


def pieces(polygon: Polygon) -> Iterator[tuple[Hex, Polygon]]:
    """The part of a convex polygon in each hex that it reaches into, by column and row."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    for column in range((min(xs) - 120) // 180, (max(xs) + 120) // 180 + 2):
        for row in range((min(ys) - 120) // 120, (max(ys) + 60) // 120 + 2):
            if len(part := _cut(polygon, (column, row))) >= 3 and is_convex(part):
                yield (column, row), part


def _cut(polygon: Polygon, at: Hex) -> Polygon:
    x0, y0 = centre(at)
    corners = [(x0 + dx, y0 + dy) for dx, dy in CORNERS]
    part = list(polygon)
    for a, b in zip(corners, (*corners[1:], *corners[:1]), strict=True):
        kept: list[Point] = []
        for here, there in zip(part, (*part[1:], *part[:1]), strict=True):
            side_here, side_there = _side(a, b, here), _side(a, b, there)
            if side_here >= 0:
                kept.append(here)
            if side_here * side_there < 0:
                kept.append(_crossing(a, b, here, there, Fraction(side_here, side_here - side_there)))
        part = [point for n, point in enumerate(kept) if point != kept[n - 1]]
        if not part:
            break
    return tuple(part)


def _side(a: Point, b: Point, point: Point) -> int:
    """Above 0 on the inner side of a hexside, below on the outer, 0 on it."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def _crossing(a: Point, b: Point, here: Point, there: Point, share: Fraction) -> Point:
    """Where an edge of the drawing crosses a hexside, on the hexside: it runs level or by one up for one across."""
    x = floor(here[0] + share * (there[0] - here[0]) + Fraction(1, 2))
    return x, a[1] + (x - a[0]) * (b[1] - a[1]) // (b[0] - a[0])
