"""The going along a path, and how far a move reaches on it.

A move is a budget of 1 (1/2 where only half is allowed). A hundredth of an inch in going g costs 1/rate(g),
so that ground of both kinds can be mixed in one move. Lengths along a path are whole hundredths, measured
from its start; all costs are exact fractions. `fireforce movement`, `fireforce motivation`
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import msgspec
import shapely

from fireforce.table.ground import Ground, worst_going
from fireforce.table.ranges import nearest_integer
from fireforce.table.terrain import Point

Way = Literal["good", "bad", "impassable", "road"]

Rates = Mapping[str, int]
"""Going ("good", "bad", "road") -> the longest move in it, hundredths of an inch. Without "road" the rate for
good going holds on roads; ground whose rate is missing or 0 cannot be entered."""

_ALONG = Fraction(3, 4)
"""Square of the cosine of 30 degrees: who keeps to within 30 degrees of a road moves along it (house)."""


class Leg(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stretch of a path in one going. `key` names the road or the terrain that decides, "" for open ground.

    `begin` and `end` are distances along the path. `road` is true where it follows a road; a road that is only
    crossed makes the going good.
    """

    begin: int
    end: int
    start: Point
    stop: Point
    going: Way
    road: bool
    key: str

    @property
    def length(self) -> int:
        return self.end - self.begin


class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far a move comes: the point reached, at `distance` along the path, and what it cost.

    `complete` if that is the end of the path; else `stopped_by` says what ended the move, and where.
    """

    reached: Point
    distance: int
    spent: Fraction
    legs: tuple[Leg, ...]
    complete: bool
    stopped_by: str = ""


def legs(ground: Ground, path: Sequence[Point]) -> tuple[Leg, ...]:
    """The going along a path, from its start to its end or to where it leaves the table; remembered.

    Raises `ValueError` for a path of no points, or that starts off the table.
    """
    found: tuple[Leg, ...] = ground.ways.get(tuple(path), lambda: _legs(ground, path))
    return found


def _legs(ground: Ground, path: Sequence[Point]) -> tuple[Leg, ...]:
    if not path:
        raise ValueError("a path needs at least 1 point, this has none")
    if not ground.is_on_table(path[0]):
        raise ValueError(
            f"the path starts at {path[0]}, off the table; x runs from 0 to {ground.width}, y from 0 to {ground.depth}"
        )
    found: list[Leg] = []
    walked = 0.0
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if not length:
            continue
        edge = _edge(ground, a, b)
        for share_from, share_to, way, key in _ways(ground, a, b):
            share_to = min(share_to, edge)
            begin, end = nearest_integer(walked + share_from * length), nearest_integer(walked + share_to * length)
            if end <= begin:
                continue
            start, stop = _towards(a, b, share_from), _towards(a, b, share_to)
            if (
                found
                and (found[-1].going, found[-1].key, found[-1].stop) == (way, key, start)
                and _straight(found[-1].start, start, stop)
            ):
                begin, start = found[-1].begin, found.pop().start
            found.append(Leg(begin, end, start, stop, way, way == "road", key))
        if edge < 1:
            break
        walked += length
    return tuple(found)


def spend(ground: Ground, path: Sequence[Point], rates: Rates, fraction: Fraction = Fraction(1)) -> Progress:
    """Moves along a path as far as `fraction` of a move reaches.

    The point reached is on the path, rounded towards its start. Raises `ValueError` for a path of no points or
    one that starts off the table. `fireforce movement`
    """
    spent = Fraction(0)
    walked: list[Leg] = []
    found = legs(ground, path)
    for leg in found:
        rate = rate_for(rates, leg.going)
        if not rate:
            key = f" ({leg.key})" if leg.key else ""
            return _ended(path, walked, spent, f"{leg.going} going{key} at {leg.start} cannot be entered")
        cost = Fraction(leg.length, rate)
        if spent + cost > fraction:
            length = math.floor((fraction - spent) * rate)
            if length:
                stop = point_along(path, leg.begin + length)
                walked.append(msgspec.structs.replace(leg, end=leg.begin + length, stop=stop))
                spent += Fraction(length, rate)
            allowed = "the move is used up" if fraction >= 1 else f"{fraction} of a move is used up"
            return _ended(path, walked, spent, allowed)
        walked.append(leg)
        spent += cost
    beyond = [point for point in path if not ground.is_on_table(point)]
    if beyond:
        last = walked[-1].stop if walked else path[0]
        return _ended(path, walked, spent, f"the path leaves the table at {last}")
    return Progress(path[-1], walked[-1].end if walked else 0, spent, tuple(walked), True)


def rate_for(rates: Rates, way: str) -> int:
    """The longest move in this going; 0 where it cannot be entered."""
    if way == "impassable":
        return 0
    return rates.get(way) or (rates.get("good", 0) if way == "road" else 0)


def point_along(path: Sequence[Point], distance: int) -> Point:
    """The point at a distance along the path, rounded towards the path's start; its end if its length in whole
    hundredths is no more."""
    walked = 0.0
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if distance < walked + length:
            if b == path[-1] and distance >= nearest_integer(walked + length):
                return b
            return _towards(a, b, (distance - walked) / length)
        walked += length
    return path[-1]


def _ended(path: Sequence[Point], walked: list[Leg], spent: Fraction, why: str) -> Progress:
    if not walked:
        return Progress(path[0], 0, spent, (), False, why)
    return Progress(walked[-1].stop, walked[-1].end, spent, tuple(walked), False, why)


def _ways(ground: Ground, a: Point, b: Point) -> list[tuple[float, float, Way, str]]:
    """The going from a to b: shares of the way from, to, going, key."""
    line = shapely.LineString([a, b])
    areas = _spans(line, a, b, ground.area_tree)
    roads = _spans(line, a, b, ground.road_tree)
    cuts = sorted({0.0, 1.0, *(cut for span in (*areas, *roads) for cut in span[:2])})
    found: list[tuple[float, float, Way, str]] = []
    for begin, end in pairwise(cuts):
        middle = (begin + end) / 2
        way, key = _way(
            ground,
            [index for low, high, index in areas if low <= middle <= high],
            [index for low, high, index in roads if low <= middle <= high],
            (b[0] - a[0], b[1] - a[1]),
        )
        if found and found[-1][2:] == (way, key):
            begin = found.pop()[0]
        found.append((begin, end, way, key))
    return found


def _way(ground: Ground, areas: list[int], roads: list[int], direction: Point) -> tuple[Way, str]:
    for index in roads:
        if _follows(direction, ground.road_parts[index].direction):
            return "road", ground.road_parts[index].key
    if roads:
        return "good", ground.road_parts[roads[0]].key
    found = [ground.areas[index] for index in sorted(areas)]
    going = worst_going([area.kind for area in found])
    easing = [area.key for area in found if area.kind.eases]
    deciding = easing if easing else [area.key for area in found if area.kind.going == going != "good"]
    return going, deciding[-1] if deciding else ""


def _follows(direction: Point, road: Point) -> bool:
    along = direction[0] * road[0] + direction[1] * road[1]
    lengths = (direction[0] ** 2 + direction[1] ** 2) * (road[0] ** 2 + road[1] ** 2)
    return along * along >= _ALONG * lengths


def _spans(line: Any, a: Point, b: Point, tree: Any) -> list[tuple[float, float, int]]:
    """The stretches of the line inside shapes of the tree: shares from, to, and the shape's index."""
    found = []
    length = math.dist(a, b)
    index = tree.query(line, predicate="intersects")
    parts, owner = shapely.get_parts(shapely.intersection(line, tree.geometries[index]), return_index=True)
    for part, which in zip(parts, owner.tolist(), strict=True):
        if part.geom_type == "LineString":
            ends = sorted(math.dist(a, end) / length for end in (part.coords[0], part.coords[-1]))
            found.append((ends[0], min(ends[1], 1.0), int(index[which])))
    return found


def _edge(ground: Ground, a: Point, b: Point) -> float:
    """The share of the way from a, on the table, to b at which it leaves the table; 1 if it does not."""
    share = 1.0
    for start, end, limit in ((a[0], b[0], ground.width), (a[1], b[1], ground.depth)):
        if end < 0:
            share = min(share, start / (start - end))
        elif end > limit:
            share = min(share, (limit - start) / (end - start))
    return share


def _towards(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way, rounded towards a."""

    def part(start: int, end: int) -> int:
        # Noise in the last digits must not cost a hundredth.
        return start + math.trunc((end - start) * share + math.copysign(1e-6, end - start))

    return (part(a[0], b[0]), part(a[1], b[1])) if share < 1 else b


def _straight(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) == (b[1] - a[1]) * (c[0] - a[0])
