"""Lines of sight between bases, with the place and reason of a block, hindrances, and the target's cover.

A line is clear if a straight ray runs free from the middle or one of eight points on the rim of a base to
the middle or one of eight points of the other (house). Rays rise or fall evenly between the eyes of both.

* What `blocks` (buildings, woods, smoke, steps of a hill) stops a ray that touches it lower than its top;
  but woods and buildings do not stop the sight of whoever has the middle of his base in them.
* Of terrain in which an end stands, a ray may pass at most `into` (row of `kinds.toml`): jungle 8".
* Figures do not block.

Everything but the target's cover is the same from either end: pairs are put in order before they are judged.
`fireforce visibility`, `fireforce small-arms`, `fireforce smoke`
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
import shapely

from fireforce.book.kinds import COVERS, Cover
from fireforce.table.convex import all_run_inside, covers_all, length_inside, touched
from fireforce.table.ground import Bools, Floats, Ground, Ints, meet
from fireforce.table.ranges import BASE_RADIUS, nearest_integer
from fireforce.table.terrain import Point


class Eye(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who looks or is looked at: the middle of his base, its radius, his eyes above the ground (None: standing)."""

    point: Point
    radius: int = BASE_RADIUS
    height: int | None = None


class Hindrance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the line between the middles passes: `length` inside it, 0 for a wall, a hedge or a touched corner."""

    key: str
    name: str
    kind: str
    length: int


class Sight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether two see each other, and why not; `cover` is what the second of them, the target, has from it.

    `blocked_at` is the middle of the stretch on which the line between the middles is stopped by `by`.
    """

    clear: bool
    blocked_at: Point | None = None
    reason: str = ""
    by: str | None = None
    through: tuple[Hindrance, ...] = ()
    cover: Cover = "none"
    cover_reason: str = ""


def line_of_sight(
    ground: Ground,
    a: Point,
    b: Point,
    *,
    radius_a: int = BASE_RADIUS,
    radius_b: int = BASE_RADIUS,
    height_a: int | None = None,
    height_b: int | None = None,
) -> Sight:
    """What lies between a figure at `a` and its target at `b`. Heights are of eyes above the ground."""
    return sights(ground, Eye(a, radius_a, height_a), [Eye(b, radius_b, height_b)])[0]


def sights(ground: Ground, viewer: Eye, targets: Sequence[Eye]) -> tuple[Sight, ...]:
    """`line_of_sight` from one figure to many, in one go; what was asked before is remembered."""

    def fresh(new: list[int]) -> Sequence[Sight]:
        return fresh_sights(ground, viewer, [targets[index] for index in new])

    return tuple(ground.sights.together([(viewer, target) for target in targets], fresh))


def fresh_sights(ground: Ground, viewer: Eye, targets: Sequence[Eye]) -> tuple[Sight, ...]:
    """The same, computed anew."""
    if not targets:
        return ()
    pairs = _Pairs(ground, [viewer, *targets], [(0, index + 1) for index in range(len(targets))])
    centre = pairs.stops(pairs.centre)
    clear = pairs.any_clear(centre)
    stops: dict[int, list[_Stop]] = {}
    for stop in pairs.explained(centre):
        stops.setdefault(stop.pair, []).append(stop)
    crossed = pairs.crossed()
    return tuple(
        _sight(ground, pairs, index, bool(clear[index]), stops.get(index, []), crossed.get(index, []))
        for index in range(len(targets))
    )


def can_see(ground: Ground, viewer: Eye, targets: Sequence[Eye]) -> tuple[bool, ...]:
    """The verdicts of `sights` alone, at a fraction of the cost."""
    return see_each_other(ground, [(viewer, target) for target in targets])


def see_each_other(ground: Ground, asked: Sequence[tuple[Eye, Eye]]) -> tuple[bool, ...]:
    """The same for any pairs of figures: all at once costs much less than one after the other."""
    if not asked:
        return ()
    number: dict[Eye, int] = {}
    indices = [(number.setdefault(a, len(number)), number.setdefault(b, len(number))) for a, b in asked]
    eyes, verdicts = list(number), []
    for start in range(0, len(indices), _AT_ONCE):
        pairs = _Pairs(ground, eyes, indices[start : start + _AT_ONCE])
        verdicts += pairs.any_clear(pairs.stops(pairs.centre)).tolist()
    return tuple(verdicts)


_AT_ONCE = 400
"""Pairs that are judged together; each may need 81 rays."""


class _Rays(msgspec.Struct, frozen=True):
    """Rays of pairs: `pair[i]` is whose ray i is; `a[i]`, `b[i]` its ends in the pair's order."""

    pair: Ints
    a: Floats
    b: Floats


class _Stops(msgspec.Struct, frozen=True):
    """Ray `ray[i]` is stopped by solid `solid[i]`, or, where that is -1, by the depth of area `area[i]`."""

    ray: Ints
    solid: Ints
    area: Ints


class _Stop(msgspec.Struct, frozen=True):
    """One stop of the line between the middles: for whom, by what, on which stretch (a geometry)."""

    pair: int
    key: str
    reason: str
    area: int
    stretch: Any


class _Crossing(msgspec.Struct, frozen=True):
    """An area (or, with `barrier`, a wall or hedge) that the line between the middles passes, and where."""

    index: int
    barrier: bool
    part: Any


class _Pairs:
    """Pairs of a viewer and a target (indices of `eyes`), each in an order that does not depend on who looks."""

    def __init__(self, ground: Ground, eyes: Sequence[Eye], asked: Sequence[tuple[int, int]]) -> None:
        self.ground = ground
        self.eyes = eyes
        self.count = len(asked)
        self.viewer, self.target = np.array(asked, dtype=np.intp).T
        self.inside = ground.areas_at([eye.point for eye in eyes])
        above = np.array([ground.eye_height if eye.height is None else eye.height for eye in eyes])
        self.floor = ground.elevations(self.inside)
        eye_level = self.floor + above
        rank = {eye: at for at, eye in enumerate(sorted(set(eyes), key=_order))}
        ranks = np.array([rank[eye] for eye in eyes], dtype=np.intp)
        # False where the viewer comes first.
        self.swapped = ranks[self.viewer] > ranks[self.target]
        self.first = np.where(self.swapped, self.target, self.viewer)
        self.second = np.where(self.swapped, self.viewer, self.target)
        self.points = np.array([eye.point for eye in eyes], dtype=np.float64)
        self.z_first = eye_level[self.first]
        self.z_second = eye_level[self.second]
        self.low = np.minimum(self.z_first, self.z_second)
        self.high = np.maximum(self.z_first, self.z_second)
        self.either = self.inside[self.first] | self.inside[self.second]
        self.rims = [_rim(eye.radius) for eye in eyes]
        # The lines between the middles: ray i belongs to pair i.
        self.centre = _Rays(np.arange(self.count), self.points[self.first], self.points[self.second])

    def any_clear(self, centre: _Stops) -> Bools:
        """For each pair whether any ray from base to base is clear; `centre` are the stops of its middle line."""
        clear = np.ones(self.count, dtype=np.bool_)
        hidden = np.unique(centre.ray)
        if not len(hidden):
            return clear
        clear[hidden] = False
        for known in (self._in_full_shadow(centre), self._in_full_depth(centre)):
            hidden = np.setdiff1d(hidden, known, assume_unique=True)
        if not len(hidden):
            return clear
        rays = self._rim_rays(hidden)
        # What stops the middle line stops most of the others: asked first, it leaves few for the whole table.
        free = np.ones(len(rays.pair), dtype=np.bool_)
        free[self._too_deep(rays)[0]] = False
        for pairs, solids in _rounds(centre):
            solid_of = np.full(self.count, -1)
            solid_of[pairs] = solids
            ray = np.flatnonzero(free & (solid_of[rays.pair] >= 0))
            free[ray[self._are_stopped(rays, ray, solid_of[rays.pair[ray]])]] = False
        left = _Rays(rays.pair[free], rays.a[free], rays.b[free])
        free = np.ones(len(left.pair), dtype=np.bool_)
        free[self.stops(left).ray] = False
        clear[left.pair[free]] = True
        return clear

    def _in_full_shadow(self, centre: _Stops) -> Ints:
        """Pairs of which one solid in the way of the middle line is known to stop every ray."""
        ground = self.ground
        found = np.zeros(self.count, dtype=np.bool_)
        pair, solid = centre.ray[centre.solid >= 0], centre.solid[centre.solid >= 0]
        radii = np.array([eye.radius for eye in self.eyes])
        alike = radii[self.first[pair]] == radii[self.second[pair]]
        high = alike & (ground.tops[solid] > self.high[pair])
        for each in np.unique(solid[high]).tolist():
            corners = ground.solid_corners[each]
            for radius in np.unique(radii[self.first[pair[high]]]).tolist() if corners is not None else ():
                those = pair[high & (solid == each) & (radii[self.first[pair]] == radius)]
                a, b = self.points[self.first[those]], self.points[self.second[those]]
                found[those] |= covers_all(corners, a, b, _rim(radius))
        return np.flatnonzero(found)

    def _in_full_depth(self, centre: _Stops) -> Ints:
        """Pairs of which every ray is known to run too far inside the area that stops the middle line by its depth."""
        ground = self.ground
        found = np.zeros(self.count, dtype=np.bool_)
        pair, area = centre.ray[centre.solid < 0], centre.area[centre.solid < 0]
        radii = np.array([eye.radius for eye in self.eyes])
        alike = radii[self.first[pair]] == radii[self.second[pair]]
        for each in np.unique(area[alike]).tolist():
            corners = ground.area_corners[each]
            for radius in np.unique(radii[self.first[pair[alike]]]).tolist() if corners is not None else ():
                for near, far in ((self.first, self.second), (self.second, self.first)):
                    those = pair[alike & (area == each) & (radii[near[pair]] == radius) & self.inside[near[pair], each]]
                    a, b = self.points[near[those]], self.points[far[those]]
                    length = np.full(len(those), ground.into[each] + 1)
                    found[those] |= all_run_inside(corners, a, b, _rim(radius), length)
        return np.flatnonzero(found)

    def _rim_rays(self, pairs: Ints) -> _Rays:
        """All rays from base to base of these pairs."""
        owner, a, b = [], [], []
        sizes = np.array([len(rim) for rim in self.rims])
        for size in np.unique(sizes[self.first[pairs]]):
            for other in np.unique(sizes[self.second[pairs]]):
                those = pairs[(sizes[self.first[pairs]] == size) & (sizes[self.second[pairs]] == other)]
                if len(those):
                    a.append(np.repeat(self._rim_points(self.first[those]), other, axis=1).reshape(-1, 2))
                    b.append(np.tile(self._rim_points(self.second[those]), (1, size, 1)).reshape(-1, 2))
                    owner.append(np.repeat(those, size * other))
        return _Rays(np.concatenate(owner), np.concatenate(a), np.concatenate(b))

    def _rim_points(self, eyes: Ints) -> Floats:
        points: Floats = self.points[eyes][:, None] + np.stack([self.rims[eye] for eye in eyes.tolist()])
        return points

    def stops(self, rays: _Rays) -> _Stops:
        """Everything that stops any of the rays."""
        ray, solid = self.ground.solid_tree.query(_segments(rays))
        stopped = self._are_stopped(rays, ray, solid)
        ray, solid = ray[stopped], solid[stopped]
        deep_ray, deep_area = self._too_deep(rays)
        return _Stops(
            np.concatenate([ray, deep_ray]),
            np.concatenate([solid, np.full(len(deep_ray), -1)]),
            np.concatenate([self.ground.solid_area[solid], deep_area]),
        )

    def _are_stopped(self, rays: _Rays, ray: Ints, solid: Ints) -> Bools:
        """Whether ray `ray[i]` is stopped by solid `solid[i]`."""
        ground = self.ground
        pair = rays.pair[ray]
        top = ground.tops[solid]
        stopped: Bools = (top > self.low[pair]) & ~self.either[pair, ground.solid_area[solid]]
        asked = np.flatnonzero(stopped)
        stopped[asked] = self._meet(rays, ray[asked], solid[asked])
        partly = np.flatnonzero(stopped & (top <= self.high[pair]))
        if len(partly):
            lower = self._lower_part(rays, ray[partly], top[partly])
            stopped[partly] = meet(ground.solid_tree.geometries[solid[partly]], lower)
        return stopped

    def _meet(self, rays: _Rays, ray: Ints, solid: Ints) -> Bools:
        """Whether ray `ray[i]` touches solid `solid[i]` as seen from above."""
        met = np.zeros(len(ray), dtype=np.bool_)
        is_rough = np.zeros(len(ray), dtype=np.bool_)
        for each in np.unique(solid).tolist():
            corners = self.ground.solid_corners[each]
            those = solid == each
            if corners is None:
                is_rough |= those
            else:
                met[those] = touched(corners, rays.a[ray[those]], rays.b[ray[those]])
        rough = np.flatnonzero(is_rough)
        met[rough] = meet(self.ground.solid_tree.geometries[solid[rough]], _segments(rays, ray[rough]))
        return met

    def _lower_part(self, rays: _Rays, ray: Ints, top: Floats) -> Any:
        """The part of each ray that runs below `top`, which lies between its two ends."""
        z_first, z_second = self.z_first[rays.pair[ray]], self.z_second[rays.pair[ray]]
        a, b = rays.a[ray], rays.b[ray]
        share = (top - z_first) / (z_second - z_first)
        at_top = a + share[:, None] * (b - a)
        lower_end = np.where((z_first < z_second)[:, None], a, b)
        return shapely.linestrings(np.stack([lower_end, at_top], axis=1))

    def _too_deep(self, rays: _Rays) -> tuple[Ints, Ints]:
        """Rays that run farther inside an area holding one of their ends than sight reaches into it."""
        ground = self.ground
        limited = self.either[:, :-1] & np.isfinite(ground.into) & (ground.span > ground.into)
        ray, area = np.nonzero(limited[rays.pair])
        inside = np.zeros(len(ray))
        for each in np.unique(area).tolist():
            those = np.flatnonzero(area == each)
            corners = ground.area_corners[each]
            if corners is None:
                inside[those] = shapely.length(shapely.intersection(_segments(rays, ray[those]), ground.shapes[each]))
            else:
                inside[those] = length_inside(corners, rays.a[ray[those]], rays.b[ray[those]])
        deep = np.floor(inside + 0.5 + 1e-6) > ground.into[area]
        return ray[deep], area[deep]

    def explained(self, stops: _Stops) -> Iterator[_Stop]:
        """The stops of the lines between the middles, in words."""
        ground = self.ground
        ray, solid = stops.ray, stops.solid
        lines = _segments(self.centre)[ray]
        shapes = np.where(solid < 0, 0, solid)
        shapes = ground.solid_tree.geometries[shapes] if len(ground.solids) else np.empty(len(ray), dtype=object)
        shapes[solid < 0] = ground.shapes[stops.area[solid < 0]]
        tops = np.append(ground.tops, -np.inf)[solid]
        partly = np.flatnonzero((tops > self.low[ray]) & (tops <= self.high[ray]))
        if len(partly):
            lines[partly] = self._lower_part(self.centre, ray[partly], tops[partly])
        for index, stretch in enumerate(_shared(lines, shapes)):
            area = int(stops.area[index])
            if solid[index] < 0:
                place = ground.areas[area]
                ran, reach = nearest_integer(stretch.length), int(ground.into[area])
                reason = f"{place.name}: sight reaches {inches(reach)} into it, the line runs {inches(ran)} inside"
                yield _Stop(int(ray[index]), place.key, reason, area, stretch)
            else:
                block = ground.solids[solid[index]]
                hill = area < 0
                reason = f"the ground of {block.name} rises in between" if hill else f"{block.name} stands in between"
                yield _Stop(int(ray[index]), block.key, reason, area, stretch)

    def crossed(self) -> dict[int, list[_Crossing]]:
        """What each line between the middles passes: terrain with cover or that blocks, walls and hedges."""
        ground = self.ground
        lines = _segments(self.centre)
        found: dict[int, list[_Crossing]] = {}
        for barrier, tree in ((False, ground.area_tree), (True, ground.barrier_tree)):
            pair, index = tree.query(lines, predicate="intersects")
            parts = _shared(lines[pair], tree.geometries[index])
            for one, which, part in zip(pair.tolist(), index.tolist(), parts, strict=True):
                if barrier or ground.areas[which].kind.cover != "none" or ground.areas[which].kind.blocks:
                    found.setdefault(one, []).append(_Crossing(which, barrier, part))
        return found


def _sight(
    ground: Ground, pairs: _Pairs, index: int, clear: bool, stops: list[_Stop], crossed: list[_Crossing]
) -> Sight:
    through = tuple(sorted((_hindrance(ground, each) for each in crossed), key=lambda each: each.key))
    if clear:
        cover, why = _cover(ground, pairs, index, stops, crossed)
        return Sight(True, through=through, cover=cover, cover_reason=why)
    middle = shapely.Point((pairs.points[pairs.viewer[index]] + pairs.points[pairs.target[index]]) / 2)
    worst = min(
        stops,
        key=lambda stop: (
            -nearest_integer(stop.stretch.length),
            nearest_integer(stop.stretch.distance(middle)),
            stop.key,
        ),
    )
    return Sight(False, _middle(worst.stretch), worst.reason, worst.key, through)


def _hindrance(ground: Ground, crossing: _Crossing) -> Hindrance:
    if crossing.barrier:
        line = ground.table.lines[crossing.index]
        return Hindrance(line.key, line.name, line.kind, 0)
    area = ground.areas[crossing.index]
    return Hindrance(area.key, area.name, area.kind.key, nearest_integer(crossing.part.length))


def _cover(
    ground: Ground, pairs: _Pairs, index: int, stops: list[_Stop], crossed: list[_Crossing]
) -> tuple[Cover, str]:
    """The best cover of the target against the viewer, and what gives it.

    It stands in it; or it lies behind it: the line to its feet passes a wall, hedge or edge of cover within
    `cover_reach` of its base; or a corner that stops the line between the middles hides a part of it (house).
    """
    viewer_at, target_at = int(pairs.viewer[index]), int(pairs.target[index])
    target = pairs.eyes[target_at]
    found: list[tuple[Cover, str]] = [
        (area.kind.cover, f"in {area.name}") for area in ground.under(target.point, target.radius)
    ]
    place = shapely.Point(target.point)
    reach = target.radius + ground.cover_reach
    for crossing in crossed:
        if not crossing.barrier and (
            pairs.inside[viewer_at, crossing.index] or pairs.inside[target_at, crossing.index]
        ):
            continue  # what both or the viewer stand in is no edge between them; the target's own is counted above
        away = nearest_integer(place.distance(crossing.part))
        if away > reach:
            continue
        if crossing.barrier:
            line, kind = ground.table.lines[crossing.index], ground.barriers[crossing.index]
            cover, height, name = kind.cover, kind.height, line.name
        else:
            area = ground.areas[crossing.index]
            cover, height, name = area.kind.cover, area.height, area.name
        if not height or away * _fall(pairs, index) <= height * _apart(pairs, index):
            found.append((cover, f"behind {name}"))
    for stop in stops:
        cover = "hard" if stop.area < 0 else ground.areas[stop.area].kind.cover
        found.append((cover, "partly hidden: " + stop.reason))
    best = max(found, key=lambda each: COVERS.index(each[0]), default=("none", ""))
    return best if best[0] != "none" else ("none", "")


def _fall(pairs: _Pairs, index: int) -> float:
    """From the viewer's eyes down to the target's feet."""
    viewer_first = not pairs.swapped[index]
    level = pairs.z_first[index] if viewer_first else pairs.z_second[index]
    return float(level - pairs.floor[pairs.target[index]])


def _apart(pairs: _Pairs, index: int) -> float:
    return math.dist(pairs.points[pairs.viewer[index]], pairs.points[pairs.target[index]])


def _rounds(stops: _Stops) -> Iterator[tuple[Ints, Ints]]:
    """The solids that stop rays, one for each ray at a time: rays and their first, their second, their next solid."""
    ray, solid = stops.ray[stops.solid >= 0], stops.solid[stops.solid >= 0]
    while len(ray):
        _, first = np.unique(ray, return_index=True)
        yield ray[first], solid[first]
        ray, solid = np.delete(ray, first), np.delete(solid, first)


def _segments(rays: _Rays, which: Any = slice(None)) -> Any:
    return shapely.linestrings(np.stack([rays.a[which], rays.b[which]], axis=1))


def _shared(lines: Any, shapes: Any) -> Any:
    """Where lines pass shapes that they intersect; if that is too little for floats, where they come closest."""
    shared = shapely.intersection(lines, shapes)
    empty = shapely.is_empty(shared)
    shared[empty] = shapely.shortest_line(lines[empty], shapes[empty])
    return shared


def _order(eye: Eye) -> tuple[Point, int, int]:
    return eye.point, eye.radius, -1 if eye.height is None else eye.height


@lru_cache(maxsize=64)
def _rim(radius: int) -> Floats:
    """The middle and eight points of the rim: the same after a quarter turn or in a mirror."""
    if radius <= 0:
        return np.zeros((1, 2))
    slant = nearest_integer(radius * math.sqrt(0.5))
    straight = [(0, 0), (radius, 0), (-radius, 0), (0, radius), (0, -radius)]
    return np.array([*straight, *((x, y) for x in (-slant, slant) for y in (-slant, slant))], dtype=np.float64)


def _middle(stretch: Any) -> Point:
    """The middle of a stretch; of several pieces, of the longest."""
    parts = [part for part in shapely.get_parts(stretch) if not part.is_empty]
    best = max(parts, key=lambda part: (nearest_integer(part.length), part.coords[0]))
    x, y = shapely.line_interpolate_point(best, 0.5, normalized=True).coords[0] if best.length else best.coords[0]
    return nearest_integer(x), nearest_integer(y)


def inches(length: int) -> str:
    """A length for people: 850 is 8.5"."""
    return f'{length / 100:g}"'
