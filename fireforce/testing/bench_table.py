"""What the table's questions cost, against their budgets and a yardstick run in the same process.

The table is 72" by 48" with 45 areas and 60 figures, laid out by a fixed rule; nothing is random. A value is
the median over many questions, each the best of a few tries; cold regions are never taken from memory.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import count

import numpy as np
import shapely

from fireforce.book.kinds import kinds
from fireforce.table.going import spend
from fireforce.table.ground import Ground, ground
from fireforce.table.ranges import base_to_base
from fireforce.table.region import fresh_stretches, visible_region
from fireforce.table.route import reachable, route
from fireforce.table.sight import Eye, fresh_sights
from fireforce.table.terrain import Building, Line, Point, Road, Table, Terrain
from umpire.testing import benching

WIDTH, DEPTH = 7200, 4800

_RATES = {"good": 600, "bad": 400, "road": 800}


REFERENCE = 21.4
"""Milliseconds that the yardstick takes on the machine on which the budgets were set."""


def rows() -> tuple[benching.Row, ...]:
    """Runs all benchmarks of the table; a few seconds."""
    yardstick = _best(_yardstick, tries=5)
    return tuple(
        benching.row(name, round(value, 3), "ms", budget, round(yardstick, 3), reference=REFERENCE)
        for name, value, budget in (
            ("fireforce.table.shot", _shot(), 2.0),
            ("fireforce.table.targets_of_a_shooter", _targets(), 25.0),
            ("fireforce.table.path_under_30_observers", _path(), 25.0),
            ("fireforce.table.region_cold", _region(), 10.0),
            ("fireforce.table.move", _move(), 2.0),
            ("fireforce.table.reachable", _reachable(), 3.0),
            ("fireforce.table.concealed_route", _route(), 300.0),
        )
    )


@lru_cache(maxsize=1)
def crowded_table() -> Table:
    """45 areas: 24 houses, 9 woods, 4 of bush, 4 paddies, 2 hills, 2 clouds of smoke; and a road, a wall, a hedge."""
    middles = iter(_scattered(45, WIDTH, DEPTH, 500))
    houses = tuple(
        Building(f"house-{index}", f"house {index}", _turned(next(middles), 120 + 8 * index, 150, index), 1 + index % 2)
        for index in range(24)
    )
    sorts = ["jungle"] * 6 + ["forest"] * 3 + ["bush"] * 4 + ["paddy"] * 4 + ["hill"] * 2 + ["smoke"] * 2
    terrain = tuple(
        Terrain(f"{kind}-{index}", f"{kind} {index}", kind, _ragged(next(middles), 350, index))
        for index, kind in enumerate(sorts)
    )
    road = Road("road", "the road", ((0, 300), (3000, 2100), (WIDTH, 4500)))
    lines = (
        Line("wall", "the wall", "wall", ((1000, 3000), (2200, 3300))),
        Line("hedge", "the hedge", "hedge", ((5000, 900), (6200, 1300))),
    )
    return Table(WIDTH, DEPTH, terrain, (road,), houses, lines)


def figures(count: int = 60) -> tuple[Point, ...]:
    """Where the figures of the benchmark stand."""
    return _scattered(count, WIDTH, DEPTH, 100, start=1000)


def _shot() -> float:
    table, places = ground(crowded_table()), figures()
    pairs = [(places[index], places[-1 - index]) for index in range(20)]

    def explain(a: Point, b: Point) -> None:
        fresh_sights(table, Eye(a), [Eye(b)])
        table.save_at(b)
        base_to_base(a, b)

    return statistics.median(_best(partial(explain, a, b)) for a, b in pairs)


def _targets() -> float:
    table, places = ground(crowded_table()), figures(61)
    eyes = [Eye(place) for place in places]
    return statistics.median(
        _best(partial(fresh_sights, table, eyes[at], [*eyes[:at], *eyes[at + 1 :]])) for at in range(8)
    )


def _path() -> float:
    table, places = ground(crowded_table()), figures()
    for place in places[30:]:
        visible_region(table, place)
    path = [places[0], (places[0][0] + 600, places[0][1] + 150), (places[0][0] + 1200, places[0][1] + 150)]
    return _best(lambda: fresh_stretches(table, path, places[30:]))


def _region() -> float:
    places = figures(20)
    table = Ground(crowded_table(), (), kinds())
    times = []
    for place in places:
        begun = time.perf_counter()
        visible_region(table, place)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def _move() -> float:
    table, place = ground(crowded_table()), figures()[0]
    paths = ([place, (place[0] + 500, place[1] + 200), (place[0] + 700, place[1] - n)] for n in count(50))
    return _best(lambda: spend(table, next(paths), _RATES))  # the going along a path is remembered


def _reachable() -> float:
    table, place = ground(crowded_table()), figures()[0]
    return _best(lambda: reachable(table, place, _RATES))


def _route() -> float:
    table, places = ground(crowded_table()), figures()
    return _best(lambda: route(table, (100, 100), (WIDTH - 100, DEPTH - 100), _RATES, observers=places[:5]))


def _yardstick() -> int:
    """A fixed load of the same sort: Shapely's intersections of segments with discs, and NumPy's sorting."""
    turn = np.arange(200) * 0.1
    discs = shapely.buffer(shapely.points(np.stack([np.cos(turn), np.sin(turn)], axis=1) * 1000), 100)
    segments = shapely.linestrings(np.stack([np.zeros((200, 2)), np.stack([np.sin(turn), np.cos(turn)], 1) * 2000], 1))
    hits = shapely.intersects(discs[:, None], segments[None, :])
    area = shapely.union_all(discs[:60]).area
    order = np.sort(np.sin(np.arange(50_000) * 1.7))
    return int(hits.sum()) + int(area) + len(order)


def _best(question: Callable[[], object], tries: int = 3) -> float:
    """The shortest time of several, in milliseconds."""
    question()
    times = []
    for _ in range(tries):
        begun = time.perf_counter()
        question()
        times.append(time.perf_counter() - begun)
    return min(times) * 1000


def _scattered(count: int, width: int, depth: int, margin: int, start: int = 0) -> tuple[Point, ...]:
    """Points that fill a rectangle evenly without a pattern: multiples of two irrational steps."""
    return tuple(
        (
            margin + int((width - 2 * margin) * ((index + 1 + start) * 0.7548776662466927 % 1)),
            margin + int((depth - 2 * margin) * ((index + 1 + start) * 0.5698402909980532 % 1)),
        )
        for index in range(count)
    )


def _turned(middle: Point, half_length: int, half_width: int, turn: int) -> tuple[Point, ...]:
    sine, cosine = math.sin(turn), math.cos(turn)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(
        (
            round(middle[0] + right * half_length * cosine - up * half_width * sine),
            round(middle[1] + right * half_length * sine + up * half_width * cosine),
        )
        for right, up in corners
    )


def _ragged(middle: Point, radius: int, turn: int) -> tuple[Point, ...]:
    return tuple(
        (
            round(middle[0] + (radius + 110 * math.sin(5 * corner + turn)) * math.cos(corner * math.tau / 16)),
            round(middle[1] + (radius + 110 * math.sin(5 * corner + turn)) * math.sin(corner * math.tau / 16)),
        )
        for corner in range(16)
    )
