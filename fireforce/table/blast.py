"""Who stands in a burst, a beaten zone or the cone of a claymore. Boundaries count as in.

Points are middles of bases; all functions return the indices of the points that are in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from fireforce.table.ranges import bearing, distance, nearest_integer
from fireforce.table.terrain import Point


def in_circle(points: Sequence[Point], centre: Point, radius: int) -> tuple[int, ...]:
    """Those within the burst radius of the point of burst. `fireforce direct-he`"""
    return tuple(index for index, point in enumerate(points) if distance(centre, point) <= radius)


def in_rectangle(points: Sequence[Point], centre: Point, length: int, width: int, facing: int) -> tuple[int, ...]:
    """Those in a beaten zone around `centre`, its length along `facing` (tenths of a degree). `fireforce artillery`"""
    angle = math.radians(facing / 10)
    sine, cosine = math.sin(angle), math.cos(angle)
    found = []
    for index, (x, y) in enumerate(points):
        east, north = x - centre[0], y - centre[1]
        along = nearest_integer(abs(2 * (east * sine + north * cosine)))
        across = nearest_integer(abs(2 * (east * cosine - north * sine)))
        if along <= length and across <= width:
            found.append(index)
    return tuple(found)


def in_cone(points: Sequence[Point], apex: Point, facing: int, length: int, half_angle: int = 450) -> tuple[int, ...]:
    """Those in a cone that opens `half_angle` to either side of `facing`; its apex is in. `fireforce mines`

    Angles in tenths of a degree. A claymore's cone is 500 long with the default half angle.
    """
    return tuple(
        index
        for index, point in enumerate(points)
        if point == apex or (distance(apex, point) <= length and _between(bearing(apex, point), facing) <= half_angle)
    )


def _between(one: int, other: int) -> int:
    """The angle between two bearings, 0..1800."""
    apart = (one - other) % 3600
    return min(apart, 3600 - apart)
