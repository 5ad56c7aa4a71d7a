"""Benchmarks: rows of name, value, unit, budget, yardstick and ratio, gathered from whoever registers some.

A budget is checked against a yardstick measured in the same run, so that a slow machine does not fail and a fast one
does not hide a regression: `ratio` is value / (budget x slowness), where slowness is how much longer the yardstick took
than on the machine of the budget (never below 1).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct


class Row(Struct, frozen=True, kw_only=True):
    """One measured thing. `value` and `budget` in `unit`; `ratio` above 1 is over the budget."""

    name: str
    value: float
    unit: str
    budget: float
    yardstick: float
    ratio: float
    is_floor: bool = False


YARDSTICK = 0.030
"""Seconds that `yardstick` takes on the machine on which the budgets were set."""

Bench = Callable[[], Iterable[Row]]
_benches: dict[str, Bench] = {}


def register(name: str, bench: Bench) -> None:
    """Makes a benchmark known by its name."""
    _benches[name] = bench


def benches() -> Mapping[str, Bench]:
    return dict(sorted(_benches.items()))


def yardstick() -> float:
    """Seconds of a fixed piece of plain work, the best of five."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        table: dict[int, int] = {}
        for number in range(300_000):
            table[number % 997] = table.get(number % 997, 0) + number
        best = min(best, time.perf_counter() - start)
    return best


def best_of(times: int, work: Callable[[], Any]) -> float:
    """Seconds of the best of some runs, after one to warm up."""
    work()
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def row(
    name: str,
    value: float,
    unit: str,
    budget: float,
    measured: float,
    *,
    reference: float = YARDSTICK,
    is_floor: bool = False,
) -> Row:
    """A row; `measured` is the yardstick of this run, `reference` what it takes on the machine of the budgets.
    `is_floor`: the value must reach the budget, not stay under."""
    slowness = max(1.0, measured / reference)
    ratio = (budget / slowness) / value if is_floor and value else value / (budget * slowness)
    return Row(
        name=name, value=value, unit=unit, budget=budget, yardstick=measured, ratio=round(ratio, 4), is_floor=is_floor
    )
