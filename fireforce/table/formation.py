"""Coherency: which figures keep together, and who has lost touch."""

from __future__ import annotations

from collections.abc import Sequence

from fireforce.table.ranges import BASE_RADIUS, base_to_base
from fireforce.table.terrain import Point

GAP = 300
"""The widest gap between figures that keep together, hundredths of an inch. `fireforce organisation`"""


def groups(points: Sequence[Point], gap: int = GAP, radius: int = BASE_RADIUS) -> tuple[tuple[int, ...], ...]:
    """Chains of figures no more than `gap` apart, base to base: indices, the largest group first.

    Equal groups stand in the order of their first figure. `fireforce organisation`
    """
    left = list(range(len(points)))
    found: list[tuple[int, ...]] = []
    while left:
        chain = [left.pop(0)]
        for member in chain:
            joined = [each for each in left if base_to_base(points[member], points[each], radius, radius) <= gap]
            chain += joined
            left = [each for each in left if each not in joined]
        found.append(tuple(sorted(chain)))
    return tuple(sorted(found, key=lambda group: (-len(group), group)))


def stragglers(
    points: Sequence[Point], gap: int = GAP, radius: int = BASE_RADIUS, leader: int | None = None
) -> tuple[int, ...]:
    """Figures out of touch with the body of their squad: the leader's group if one is named, else the largest."""
    body: tuple[int, ...] = ()
    for group in groups(points, gap, radius):
        if leader is None or leader in group:
            body = group
            break
    return tuple(index for index in range(len(points)) if index not in body)
