"""Where a move can come to, and ways to a goal that keep out of sight. On a grid: for drawing and planning.

What is found here is a proposal: `spend` judges the move, `visible_stretches` what is seen of it.
`fireforce movement`
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import shapely

from fireforce.table.going import Rates, rate_for
from fireforce.table.ground import CELL, GOINGS, PREPARED, Ground
from fireforce.table.region import visible_region
from fireforce.table.terrain import Point

RAYS = 72
_STEP = 10

Cells = npt.NDArray[np.float64]


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proposed way: its points, and roughly its cost in moves and the length of it that observers see."""

    path: tuple[Point, ...]
    moves: float
    seen: int


def reachable(ground: Ground, start: Point, rates: Rates, fraction: Fraction = Fraction(1)) -> tuple[Point, ...]:
    """Roughly the area that one straight move reaches, as a ring of points around `start`.

    Accurate to half an inch where kinds of going meet; a way around may come to more. Raises `ValueError`
    for a start off the table.
    """
    _on_table(ground, start)
    cost = _cost(ground, rates)
    longest = max((rate_for(rates, going) for going in GOINGS), default=0) * fraction
    steps = int(longest / _STEP) + 1
    angles = np.arange(RAYS) * (2 * math.pi / RAYS)
    rays = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    middles = (np.arange(steps) + 0.5) * _STEP
    x = start[0] + rays[:, :1] * middles
    y = start[1] + rays[:, 1:] * middles
    column, row = np.floor_divide(x, CELL).astype(int), np.floor_divide(y, CELL).astype(int)
    on_table = (x >= 0) & (x <= ground.width) & (y >= 0) & (y <= ground.depth)
    each = np.where(on_table, cost[row.clip(0, cost.shape[0] - 1), column.clip(0, cost.shape[1] - 1)], np.inf)
    spent = np.cumsum(each * _STEP, axis=1)
    # What is left of the move at the beginning of each step, and the share of the step it pays for.
    before = np.concatenate([np.zeros((RAYS, 1)), spent[:, :-1]], axis=1)
    left = np.maximum(float(fraction) - before, 0)
    reach = np.minimum(left / (each * _STEP), 1).sum(axis=1) * _STEP
    ends = np.floor(np.array(start) + rays * reach[:, None] + 0.5).astype(int)
    return tuple((min(max(px, 0), ground.width), min(max(py, 0), ground.depth)) for px, py in ends.tolist())


def route(
    ground: Ground,
    start: Point,
    goal: Point,
    rates: Rates,
    *,
    observers: Sequence[Point] = (),
    exposure: int = 4,
) -> Route | None:
    """The cheapest way from start to goal; None where there is none.

    A stretch in sight of an observer counts `exposure` times more for each of them (at most three) than its
    going alone. Raises `ValueError` for ends off the table or a negative exposure.
    """
    _on_table(ground, start)
    _on_table(ground, goal)
    if exposure < 0:
        raise ValueError(f"exposure is {exposure}; it must be zero or more")
    going = _cost(ground, rates)
    seen = _seen(ground, observers)
    cost = going * (1 + exposure * np.minimum(seen, 3))
    cells = _cheapest(cost, _cell(ground, start), _cell(ground, goal))
    if cells is None:
        return None
    cells = _pulled(cost, cells)
    middles = [(column * CELL + CELL // 2, row * CELL + CELL // 2) for row, column in cells[1:-1]]
    path = [start, *((min(x, ground.width), min(y, ground.depth)) for x, y in middles), goal]
    moves, exposed = 0.0, 0.0
    for a, b in pairwise(path):
        row, column, length = _samples(a, b, cost.shape)
        moves += float(going[row, column].mean()) * length
        exposed += float((seen[row, column] > 0).mean()) * length
    return Route(tuple(path), round(moves, 3), round(exposed))


def _cost(ground: Ground, rates: Rates) -> Cells:
    """Moves for a hundredth of an inch in each cell; infinite where it cannot be entered."""
    each = np.array([1 / rate if (rate := rate_for(rates, going)) else np.inf for going in GOINGS])
    result: Cells = each[ground.raster]
    return result


def _seen(ground: Ground, observers: Sequence[Point]) -> npt.NDArray[np.int64]:
    """By how many observers each cell is seen; judged in every other cell each way."""
    rows, columns = ground.raster.shape
    half_rows, half_columns = -(-rows // 2), -(-columns // 2)
    x, y = np.meshgrid((np.arange(half_columns) * 2 + 1) * CELL, (np.arange(half_rows) * 2 + 1) * CELL)
    count = np.zeros((half_rows, half_columns), dtype=np.int64)
    for observer in observers:
        region = visible_region(ground, observer)
        with PREPARED:
            count += shapely.contains_xy(region, x, y)
    return count.repeat(2, axis=0).repeat(2, axis=1)[:rows, :columns]


def _cheapest(cost: Cells, start: tuple[int, int], goal: tuple[int, int]) -> list[tuple[int, int]] | None:
    """Cells (row, column) of the cheapest way, by A* over eight neighbours; equal ways in a fixed order."""
    rows, columns = cost.shape
    flat = cost.ravel().tolist()
    least = min(flat)
    if math.isinf(least):
        return None
    target = goal[0] * columns + goal[1]
    source = start[0] * columns + start[1]
    moves = [
        (down, across, math.hypot(down, across) * CELL / 2)
        for down in (-1, 0, 1)
        for across in (-1, 0, 1)
        if down or across
    ]
    best = {source: 0.0}
    came: dict[int, int] = {}
    done: set[int] = set()
    queue = [(0.0, source)]
    while queue:
        _, here = heapq.heappop(queue)
        if here == target:
            return _traced(came, here, columns)
        if here in done:
            continue
        done.add(here)
        row, column = divmod(here, columns)
        for down, across, half in moves:
            next_row, next_column = row + down, column + across
            if not (0 <= next_row < rows and 0 <= next_column < columns):
                continue
            there = next_row * columns + next_column
            if there in done or math.isinf(flat[there]):
                continue
            # Half the step lies in either cell; the first may be one that cannot be entered, only left.
            total = best[here] + half * ((flat[here] if here != source else flat[there]) + flat[there])
            if total < best.get(there, math.inf):
                best[there] = total
                came[there] = here
                ahead = math.hypot(next_row - goal[0], next_column - goal[1]) * CELL * least
                heapq.heappush(queue, (total + ahead, there))
    return None


def _traced(came: dict[int, int], here: int, columns: int) -> list[tuple[int, int]]:
    way = [here]
    while here in came:
        here = came[here]
        way.append(here)
    return [divmod(cell, columns) for cell in reversed(way)]


def _pulled(cost: Cells, cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The way with as few corners as it can have without costing more."""
    spent = [0.0]
    for a, b in pairwise(cells):
        spent.append(spent[-1] + _straight_cost(cost, a, b))
    kept, at = [cells[0]], 0
    while at < len(cells) - 1:
        last = len(cells) - 1
        # Halving the rest until a straight line is as cheap: not the fewest corners, but few.
        while last > at + 1 and _straight_cost(cost, cells[at], cells[last]) > (spent[last] - spent[at]) * 1.001:
            last = at + max(1, (last - at) * 3 // 4)
        kept.append(cells[last])
        at = last
    return kept


def _straight_cost(cost: Cells, a: tuple[int, int], b: tuple[int, int]) -> float:
    row, column, length = _samples(
        (a[1] * CELL + CELL // 2, a[0] * CELL + CELL // 2),
        (b[1] * CELL + CELL // 2, b[0] * CELL + CELL // 2),
        cost.shape,
    )
    return float(cost[row, column].mean()) * length


def _samples(a: Point, b: Point, shape: tuple[int, ...]) -> tuple[Any, Any, float]:
    """Rows and columns of the cells along a line, a tenth of an inch apart, and its length."""
    length = math.dist(a, b)
    count = max(1, round(length / _STEP))
    share = (np.arange(count) + 0.5) / count
    column = ((a[0] + (b[0] - a[0]) * share) // CELL).astype(int).clip(0, shape[1] - 1)
    row = ((a[1] + (b[1] - a[1]) * share) // CELL).astype(int).clip(0, shape[0] - 1)
    return row, column, length


def _cell(ground: Ground, point: Point) -> tuple[int, int]:
    rows, columns = ground.raster.shape
    return min(point[1] // CELL, rows - 1), min(point[0] // CELL, columns - 1)


def _on_table(ground: Ground, point: Point) -> None:
    if not ground.is_on_table(point):
        raise ValueError(f"{point} lies off the table; x runs from 0 to {ground.width}, y from 0 to {ground.depth}")
