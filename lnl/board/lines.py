"""Which hexes and hexsides a line from dot to dot touches, for every pair of dots of a map, exact.

Seen from the first dot the touched hexes depend only on how far away the second is, so one table serves all pairs of a
map. Here a column is three units wide and a row two high: the dot of the hex o columns on and h half rows down lies at
(3 o, h), its corners at (+-2, 0) and (+-1, +-1). The first dot of a pair is always that of the smaller column, or row.

Touching counts: the hexes on both sides of a line along a hexside are touched, and all three at a corner that it runs
through. Nothing else in the project decides what a line touches. `core 10.3`, `core 10.5`
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

EAST_SIDES: tuple[tuple[int, int], ...] = ((1, -1), (1, 1), (0, 2))
"""To the neighbours across whose hexsides a hex is the first: north-east, south-east, south (directions 2, 3, 4)."""
_SIDE_CORNERS = (((1, -1), (2, 0)), ((2, 0), (1, 1)), ((1, 1), (-1, 1)))


class Hexes(Struct, frozen=True):
    """For line n, from `starts[n]` to `starts[n + 1]`, the hexes it touches between its ends, in their order along it.
    `near_first`, `near_last`: whether they are neighbours of the hex at that end. `along` grows along the line."""

    starts: Ints
    column: Ints
    half: Ints
    along: Ints
    near_first: Bools
    near_last: Bools


class Sides(Struct, frozen=True):
    """Likewise the hexsides it touches, but for those of the hexes at its ends and what it runs along from there.
    The hexside is that of the hex `column`, `half` to its neighbour number `side` of `EAST_SIDES`. Hexsides that a line
    meets at one corner, or by running along one of them, have the same `meeting`. `hid 21.5`"""

    starts: Ints
    column: Ints
    half: Ints
    along: Ints
    side: Ints
    meeting: npt.NDArray[np.int64]


class LineTable:
    """The lines of all maps of no more than so many columns and rows. Made by `line_table`."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.halves = 2 * height
        """No dot is more half rows below or above another."""
        offsets = [
            (columns, halves)
            for columns in range(width)
            for halves in range(-self.halves, self.halves + 1)
            if (halves - columns) % 2 == 0 and (columns or halves > 0)
        ]
        self._columns = np.array([columns for columns, _ in offsets], dtype=np.int64)
        self._halves = np.array([halves for _, halves in offsets], dtype=np.int64)
        # The last line has no length: from a hex to itself.
        self.number = np.full((width, 2 * self.halves + 1), len(offsets), dtype=np.int32)
        self.number[self._columns, self._halves + self.halves] = np.arange(len(offsets), dtype=np.int32)

    @cached_property
    def hexes(self) -> Hexes:
        line, o, h = self._touched
        n, m = self._columns[line], self._halves[line]
        return Hexes(
            starts=self._starts(line),
            column=o.astype(np.int32),
            half=h.astype(np.int32),
            along=(2 * (3 * o * n + h * m)).astype(np.int32),
            near_first=_are_neighbours(o, h),
            near_last=_are_neighbours(n - o, m - h),
        )

    @cached_property
    def sides(self) -> Sides:
        line, o, h = self._touched
        found = []
        for side in range(3):
            kept, meeting, along = self._side(line, o, h, side)
            found.append((line[kept], o[kept], h[kept], np.full(int(kept.sum()), side), meeting[kept], along[kept]))
        lines, columns, halves, which, meetings, alongs = (np.concatenate(each) for each in zip(*found, strict=True))
        order = np.lexsort((which, halves, columns, alongs, lines))
        return Sides(
            starts=self._starts(lines[order]),
            column=columns[order].astype(np.int32),
            half=halves[order].astype(np.int32),
            along=alongs[order].astype(np.int32),
            side=which[order].astype(np.int32),
            meeting=meetings[order],
        )

    @cached_property
    def _touched(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Line, column and half row of every hex that a line touches between its ends, in order."""
        found = [self._straight_down()]
        for n in range(1, self.width):
            lines = np.flatnonzero(self._columns == n)
            line, o = np.repeat(lines, n + 1), np.tile(np.arange(n + 1), len(lines))
            m = self._halves[line]
            # Touched where the dot is off the line by no more than a corner is: 3 |n h - m o| <= reach.
            reach = np.maximum(2 * np.abs(m), 3 * n + np.abs(m))
            low, high = -((reach - 3 * m * o) // (3 * n)), (reach + 3 * m * o) // (3 * n)
            low += (low - o) & 1
            count = np.maximum(0, (high - low) // 2 + 1)
            step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
            found.append((np.repeat(line, count), np.repeat(o, count), np.repeat(low, count) + 2 * step))
        line, o, h = (np.concatenate(each) for each in zip(*found, strict=True))
        along, length = self._along(line, o, h)
        between = (along > 0) & (along < length)
        line, o, h, along = line[between], o[between], h[between], along[between]
        order = np.lexsort((h, o, along, line))
        return line[order], o[order], h[order]

    def _straight_down(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        lines = np.flatnonzero(self._columns == 0)
        count = self._halves[lines] // 2
        line = np.repeat(lines, count)
        h = 2 * (np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count))
        return line, np.zeros_like(line), h

    def _along(
        self, line: npt.NDArray[np.int64], o: npt.NDArray[np.int64], h: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """How far along its line a dot lies at right angles, and the length of the line, both measured on true hexes,
        in which a column is as wide as a row is high times the root of three quarters."""
        n, m = self._columns[line], self._halves[line]
        return 3 * o * n + h * m, 3 * n * n + m * m

    def _side(
        self, line: npt.NDArray[np.int64], o: npt.NDArray[np.int64], h: npt.NDArray[np.int64], side: int
    ) -> tuple[Bools, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Of each touched hex, whether its hexside is touched too, where the line meets it, and how far along."""
        n, m = self._columns[line], self._halves[line]
        (east0, south0), (east1, south1) = _SIDE_CORNERS[side]
        x0, x1, y0, y1 = 3 * o + east0, 3 * o + east1, h + south0, h + south1
        off0, off1 = 3 * n * y0 - m * x0, 3 * n * y1 - m * x1
        across, down = EAST_SIDES[side]
        along, length = self._along(line, o + across, h + down)
        reach = np.maximum(2 * np.abs(m), 3 * n + np.abs(m))
        other = (3 * np.abs(n * (h + down) - m * (o + across)) <= reach) & (along > 0) & (along < length)
        lies_along = (off0 == 0) & (off1 == 0)
        from_end = (
            _is_corner(x0, y0) | _is_corner(x1, y1) | _is_corner(3 * n - x0, m - y0) | _is_corner(3 * n - x1, m - y1)
        )
        kept = other & (np.sign(off0) * np.sign(off1) <= 0) & ~(lies_along & from_end)
        # Through corners all along its way runs a line to the side or at 60 degrees to it: there all that it meets
        # between two dots is one meeting.
        x = np.where(off0 == 0, x0, x1)
        corner = np.where(off0 == 0, 2 * x0 * 4096 + 2 * y0, np.where(off1 == 0, 2 * x1 * 4096 + 2 * y1, 0))
        apart = np.where((off0 == 0) | (off1 == 0), corner, (x0 + x1) * 4096 + y0 + y1)
        meeting = np.where(m == 0, x // 6, np.where(np.abs(m) == 3 * n, x // 3, apart))
        return kept, meeting, ((x0 + x1) * n + (y0 + y1) * m)

    def _starts(self, line: npt.NDArray[np.int64]) -> Ints:
        count = np.bincount(line, minlength=len(self._columns) + 1)
        return np.concatenate([[0], np.cumsum(count)]).astype(np.int32)


@lru_cache(maxsize=8)
def line_table(width: int, height: int) -> LineTable:
    """The table for maps of this size; computed once."""
    return LineTable(width, height)


def _are_neighbours(o: npt.NDArray[np.int64], h: npt.NDArray[np.int64]) -> Bools:
    result: Bools = np.abs(o) + np.maximum(0, np.abs(h) - np.abs(o)) // 2 == 1
    return result


def _is_corner(x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> Bools:
    """Whether a point is a corner of the hex with its dot at nought."""
    result: Bools = ((np.abs(x) == 2) & (y == 0)) | ((np.abs(x) == 1) & (np.abs(y) == 1))
    return result
