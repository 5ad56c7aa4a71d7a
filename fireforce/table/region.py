"""The exact region that a point sees, and the stretches of a path within it.

Regions are for sight from middle to middle at the height of a standing figure: what `line_of_sight` says of
bases without extent. They are unions of shadows, not samples; only the limit of sight inside woods, which is
a curve, is drawn with short chords (less than a hundredth off up to 20", see the tests).

Target heights differ only by the elevation of the ground they stand on, so each zone of elevation has its
own shadows. `fireforce visibility`
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import shapely
from shapely.ops import substring

from fireforce.table.ground import Bools, Floats, Ground, Ints, meet
from fireforce.table.ranges import nearest_integer
from fireforce.table.terrain import Point
from umpire.kernel.checkpoints import checkpoint

Stretch = tuple[int, int]
"""From and to, as distances along a path in hundredths of an inch."""

_BESIDE = 1e-6
"""Radians to either side of a corner, to see past it on both sides."""

_FAN = 360
_CLOSER = 3
_PARTS = np.linspace(0, 1, 17)
"""Into how many parts an angle is divided, so many times, to close in on a jump."""


def visible_region(ground: Ground, point: Point, height: int | None = None) -> Any:
    """All places where a standing figure is seen from `point`: a Shapely (multi)polygon, remembered.

    `height` is that of the eyes above the ground at `point`; None is a standing figure.
    """
    eyes = ground.eye_height if height is None else height
    return ground.regions.get((point, eyes), lambda: _region(ground, point, eyes))


def outline(region: Any) -> tuple[tuple[tuple[Point, ...], ...], ...]:
    """A region for drawing: polygons, each of rings (the outer one first) of whole points, not closed."""
    return tuple(
        tuple(_ring(ring) for ring in (part.exterior, *part.interiors))
        for part in shapely.get_parts(region)
        if part.geom_type == "Polygon" and not part.is_empty
    )


def visible_stretches(
    ground: Ground, path: Sequence[Point], observers: Sequence[Point], height: int | None = None
) -> tuple[tuple[Stretch, ...], ...]:
    """For each observer the stretches of the path on which he sees a figure that walks it; remembered.

    Distances along the path, rounded to whole hundredths; stretches that touch are joined. Raises
    `ValueError` for a path of fewer than two points.
    """
    if len(path) < 2:
        raise ValueError(f"a path needs at least 2 points, this has {len(path)}")
    walked = tuple(path)

    def fresh(new: list[int]) -> Sequence[tuple[Stretch, ...]]:
        return fresh_stretches(ground, path, [observers[index] for index in new], height)

    return tuple(ground.stretches.together([(walked, each, height) for each in observers], fresh))


def fresh_stretches(
    ground: Ground, path: Sequence[Point], observers: Sequence[Point], height: int | None = None
) -> tuple[tuple[Stretch, ...], ...]:
    """The same, computed anew."""
    regions = np.array([visible_region(ground, each, height) for each in observers], dtype=object)
    found: list[list[tuple[float, float]]] = [[] for _ in observers]
    start = 0.0
    for a, b in pairwise(path):
        if a == b:
            continue
        parts, owner = shapely.get_parts(shapely.intersection(shapely.LineString([a, b]), regions), return_index=True)
        for part, index in zip(parts, owner.tolist(), strict=True):
            if part.geom_type == "LineString" and not part.is_empty:
                ends = [math.dist(a, part.coords[0]), math.dist(a, part.coords[-1])]
                found[index].append((start + min(ends), start + max(ends)))
        start += math.dist(a, b)
    return tuple(_joined(each) for each in found)


def glimpsed(
    ground: Ground, path: Sequence[Point], stretches: Sequence[Stretch], observers: Sequence[Point]
) -> tuple[bool, ...]:
    """For each observer whether he sees any of some stretches of the path; in doubt, by a hundredth, that he does."""
    line = shapely.LineString(path)
    wanted = shapely.MultiLineString([substring(line, max(begin - 1, 0), end + 1) for begin, end in stretches])
    regions = np.array([visible_region(ground, each) for each in observers], dtype=object)
    return tuple(meet(regions, wanted).tolist())


def _joined(stretches: list[tuple[float, float]]) -> tuple[Stretch, ...]:
    joined: list[Stretch] = []
    for begin, end in sorted((nearest_integer(a), nearest_integer(b)) for a, b in stretches):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return tuple(joined)


def _region(ground: Ground, point: Point, eyes: int) -> Any:
    checkpoint()
    inside = ground.areas_at([point])
    level = float(ground.elevations(inside)[0]) + eyes
    origin = np.array(point, dtype=np.float64)
    far = 4.0 * (ground.width + ground.depth)
    parts = []
    for elevation, zone in ground.zones.items():
        target = float(elevation + ground.eye_height)
        standing = np.flatnonzero(~inside[0, ground.solid_area] & (ground.tops > min(level, target)))
        hidden = _fallen(ground, _shadows(ground, standing, origin, level, target, far), zone)
        parts.append(shapely.difference(zone, shapely.union_all(hidden)))
    region = parts[0] if len(parts) == 1 else shapely.union_all(parts)
    region = shapely.difference(region, shapely.union_all(_depth_limits(ground, origin, inside[0], region, far)))
    if region.geom_type == "GeometryCollection":  # lines without width between two shadows are no ground that is seen
        region = shapely.union_all([part for part in shapely.get_parts(region) if part.geom_type == "Polygon"])
    shapely.prepare(region)
    # Prepared geometry builds its indices at its first question; asked here, before threads share it.
    shapely.intersects_xy(region, *point)
    return region


class _Shadow(msgspec.Struct, frozen=True):
    """A ring that is a shadow or a part of one; `spared` is the area it does not fall on, or -1."""

    ring: Floats
    spared: int


def _fallen(ground: Ground, shadows: list[_Shadow], zone: Any) -> list[Any]:
    """The shadows as they fall on a zone, without those that lie in the dark anyway."""
    if not shadows:
        return []
    rings = [shadow.ring for shadow in shadows]
    spared = np.array([shadow.spared for shadow in shadows])
    owner = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    fallen = shapely.intersection(
        shapely.polygons(shapely.linearrings(np.concatenate(rings), indices=owner)), shapely.box(*zone.bounds)
    )
    size = shapely.area(fallen)
    rest = np.argsort(-size, kind="stable")[: np.count_nonzero(size)]
    kept: list[Any] = []
    while len(rest):
        largest, rest = rest[0], rest[1:]
        shadow = fallen[largest]
        if spared[largest] >= 0:
            shadow = shapely.difference(shadow, ground.shapes[spared[largest]])
        kept.append(shadow)
        shapely.prepare(shadow)
        rest = rest[~shapely.covers(shadow, fallen[rest])]
    return kept


def _shadows(ground: Ground, standing: Ints, origin: Floats, level: float, target: float, far: float) -> list[_Shadow]:
    """Where a target with its eyes at `target` is hidden by these solids.

    Who stands in the area that casts a shadow is judged by its depth (`_depth_limits`): the shadow does not fall
    there, unless nothing is seen in it at all (smoke).
    """
    tops, area = ground.tops[standing], ground.solid_area[standing]
    above, below = level - tops, tops - target
    spared = np.where((area >= 0) & (np.append(ground.into, 0)[area] > 0), area, -1)
    # Looking up: hidden from where the ray over its top has risen to the target.
    nearest = np.ones(len(standing))
    rising = below <= 0
    nearest[rising] = (target - level) / -above[rising]
    # Of a wall that nobody looks over: from its far sides, which leaves out the solid itself.
    far_sides = ~rising & (above <= 0) & (spared >= 0) & ground.solid_convex[standing]
    spared[far_sides] = -1
    # Looking down over it: hidden from the solid itself to where the ray over its far edge comes down.
    over = (below > 0) & (above > 0)
    found = [
        _Shadow(ring, spared[one])
        for one in np.flatnonzero(over).tolist()
        for ring in _swept(ground.solids[standing[one]].shape, origin, (level - target) / above[one])
    ]
    cast = np.flatnonzero(~over)
    rings = [ground.solid_rings[index] for index in standing[cast].tolist()]
    found += [
        _Shadow(ring, spared[cast[one]]) for one, ring in _cast(rings, origin, nearest[cast], far_sides[cast], far)
    ]
    return found


def _cast(
    rings: Sequence[Floats], origin: Floats, nearest: Floats, far_sides: Bools, far: float
) -> Iterator[tuple[int, Floats]]:
    """All of each shape scaled about the origin by factors from its `nearest` up: itself, so scaled, and its shadow.

    A ring for each chain of sides that face the origin, with the number of its shape; with `far_sides` of those that
    do not, which gives the shadow without the shape itself if that is convex.
    """
    if not rings:
        return
    # Holes cast nothing of their own: a hole is a higher step of a hill. Who stands on it looks down over the
    # step around it, and is himself in the wood around it.
    lengths = [len(ring) for ring in rings]
    owner = np.repeat(np.arange(len(rings)), lengths)
    offset = (np.concatenate(rings) - origin) * nearest[owner, None]
    # With the solid on their left, sides that turn clockwise about the origin face it. What leads from one shape to the
    # next is no side.
    turn = _cross(offset[:-1], offset[1:])
    turn = np.where(far_sides[owner[:-1]], -turn, turn)
    facing = (turn < 0) & (owner[:-1] == owner[1:])
    with np.errstate(divide="ignore", invalid="ignore"):  # at a corner nothing faces who stands on it
        towards = offset / np.hypot(offset[:, 0], offset[:, 1])[:, None]
        middle = towards[:-1] + towards[1:]
        middle /= np.hypot(middle[:, 0], middle[:, 1])[:, None]
    # A side seen under a wide angle: its far side must bulge, or its chord would cut the table.
    behind = np.empty((2 * len(offset) - 1, 2))
    behind[::2], behind[1::2] = origin + towards * far, origin + middle * 2 * far
    front = origin + offset
    change = np.flatnonzero(np.diff(facing, prepend=False, append=False)).reshape(-1, 2)
    for first, end in change.tolist():
        yield owner[first], np.concatenate([front[first : end + 1], behind[2 * first : 2 * end + 1][::-1]])


def _swept(shape: Any, origin: Floats, farthest: float) -> list[Floats]:
    """The solid parts of all of `shape` scaled about the origin by factors from 1 to `farthest`."""
    found = []
    rings = [shapely.get_coordinates(ring) for ring in (shape.exterior, *shape.interiors)]
    if len(rings) == 1:
        found += [rings[0], origin + (rings[0] - origin) * farthest]
    else:
        # A shape with holes as pieces without.
        for piece in shapely.get_parts(shapely.constrained_delaunay_triangles(shape)):
            corners = shapely.get_coordinates(piece)
            found += [corners, origin + (corners - origin) * farthest]
    for ring in rings:
        offset = ring - origin
        turned = np.flatnonzero(_cross(offset[:-1], offset[1:]))
        near, next_to = offset[turned], offset[turned + 1]
        found += list(origin + np.stack([near, next_to, next_to * farthest, near * farthest], axis=1))
    return found


def _depth_limits(ground: Ground, origin: Floats, inside: Any, region: Any, far: float) -> list[Any]:
    """What of the region lies too deep in terrain that sight reaches into only so far."""
    limits = []
    whole = shapely.box(-ground.width, -ground.depth, 2 * ground.width, 2 * ground.depth)
    shapely.prepare(region)
    for index in np.flatnonzero(np.isfinite(ground.into) & (ground.span > ground.into)).tolist():
        within, shape = bool(inside[index]), ground.shapes[index]
        if within or shapely.intersects(region, shape):
            reached = _reached(shape, origin, within, float(ground.into[index]), far)
            limits.append(shapely.difference(whole if within else shape, reached))
    return limits


def _reached(shape: Any, origin: Floats, inside: bool, into: float, far: float) -> Any:
    """Where rays from the origin have run no more than `into` inside the shape."""
    corners = shapely.get_coordinates(shape)
    start, end = corners[:-1] - origin, corners[1:] - origin
    towards = np.arctan2(start[:, 1], start[:, 0])
    # A shape that lies to one side is met by no ray elsewhere; the rest of the circle is left out.
    bearings = np.sort(towards)
    gaps = np.diff(bearings, append=bearings[0] + 2 * math.pi)
    widest = int(np.argmax(gaps))
    aside = not inside and gaps[widest] > math.pi
    turned = bearings[(widest + 1) % len(bearings)] if aside else -math.pi
    fan = np.linspace(-math.pi, math.pi, _FAN, endpoint=False)
    # Counted from the first corner, so that the interval is one.
    angles = np.concatenate([towards - _BESIDE, towards + _BESIDE, fan])
    angles = np.unique((angles - turned + 2 * _BESIDE) % (2 * math.pi))
    if aside:
        angles = angles[angles <= 2 * math.pi - gaps[widest] + 4 * _BESIDE]
    else:
        angles = np.append(angles, angles[0] + 2 * math.pi)
    angles += turned - 2 * _BESIDE
    stretch, _ = _runs(angles, start, end, inside, into, far)
    # Where the limit passes from one stretch inside the shape to another, or to none, it jumps: close in on that, but
    # not at a corner, which has a ray on either side already.
    jump = np.flatnonzero((stretch[:-1] != stretch[1:]) & (np.diff(angles) > 3 * _BESIDE))
    low, high = angles[jump], angles[jump + 1]
    if len(jump):
        for _ in range(_CLOSER):
            between = low[:, None] + (high - low)[:, None] * _PARTS
            found = _runs(between.ravel(), start, end, inside, into, far)[0].reshape(between.shape)
            # The last that is still as at the low end, and the first that is not: the high end never is.
            first = np.argmax(np.append(found[:, 1:-1] != stretch[jump, None], np.ones((len(jump), 1), bool), 1), 1)
            row = np.arange(len(jump))
            low, high = between[row, first], between[row, first + 1]
    angles = np.unique(np.concatenate([angles, low, high]))
    _, reach = _runs(angles, start, end, inside, into, far)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ends = origin + rays * np.maximum(reach, 1e-3)[:, None]
    return shapely.Polygon(np.concatenate([origin[None], ends]) if aside else ends)


def _runs(angles: Floats, start: Floats, end: Floats, inside: bool, into: float, far: float) -> tuple[Any, Floats]:
    """For each ray: in which of its stretches inside the ring it has run `into` (-1: in none), and how far out."""
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    side = end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = _cross(rays[:, None, :], side[None, :, :])
        along = _cross(start, side)[None, :] / slope
        across = _cross(start[None, :, :], rays[:, None, :]) / slope
    hit = (along > 0) & (across >= 0) & (across < 1)
    cuts = np.sort(np.where(hit, along, far), axis=1)
    if inside:
        cuts = np.concatenate([np.zeros((len(cuts), 1)), cuts], axis=1)
    if cuts.shape[1] % 2:
        cuts = np.concatenate([cuts, np.full((len(cuts), 1), far)], axis=1)
    entered, left = cuts[:, 0::2], cuts[:, 1::2]
    ran = np.cumsum(left - entered, axis=1)
    over = ran > into
    first = np.argmax(over, axis=1)
    row = np.arange(len(cuts))
    found = over.any(axis=1)
    return np.where(found, first, -1), np.where(found, left[row, first] - (ran[row, first] - into), far)


def _cross(a: Floats, b: Floats) -> Floats:
    result: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return result


def _ring(ring: Any) -> tuple[Point, ...]:
    points = [(nearest_integer(x), nearest_integer(y)) for x, y in ring.coords[:-1]]
    return tuple(point for index, point in enumerate(points) if point != points[index - 1])
