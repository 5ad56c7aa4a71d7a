"""Hexes by column and row, and their geometry in whole numbers.

Columns stand flat side up; columns of odd number (A, C, E ...) lie half a hex lower than the others, row 1 is north.
In the lattice of a map the dot of a hex is at (180 c, 120 r), 60 more for a lower column, and its corners at (+-120, 0)
and (+-60, +-60), y to the south. The true hexes are this one stretched, and stretching changes no crossing of lines: so
all questions of sight have exact answers in integers. `core 1.4`
"""

from __future__ import annotations

from collections.abc import Callable

Hex = tuple[int, int]
"""Column and row, both from 1; column 1 is A."""
Place = tuple[int, int, int]
"""Column, row, level: 0 is the ground, 1 an upper storey, -1 the inside of a bunker."""
Point = tuple[int, int]
"""A point of the lattice."""

DIRECTIONS = (1, 2, 3, 4, 5, 6)
"""North, and on clockwise."""
SPINES = (1, 2, 3, 4, 5, 6)
"""Spine n is the corner between directions n and n + 1: 1 points north-east, 2 east. `core 15.1`"""

CORNERS: tuple[Point, ...] = ((60, -60), (120, 0), (60, 60), (-60, 60), (-120, 0), (-60, -60))
"""The corners of a hex from its dot, in the order of the spines."""
_STEPS: tuple[Point, ...] = ((0, -120), (180, -60), (180, 60), (0, 120), (-180, 60), (-180, -60))
"""From the dot to the dot of the neighbour, in the order of the directions."""


def centre(at: Hex) -> Point:
    """The dot of a hex in the lattice. `core 1.4`"""
    column, row = at
    return 180 * column, 120 * row + 60 * (column % 2)


def hex_at(point: Point) -> Hex:
    """The hex that has its dot there. Raises ValueError where there is no dot."""
    column = point[0] // 180
    row = (point[1] - 60 * (column % 2)) // 120
    if centre((column, row)) != point:
        raise ValueError(f"{point} is the dot of no hex")
    return column, row


def neighbour(at: Hex, direction: int) -> Hex:
    """The hex on that side, which may lie off the map."""
    (x, y), (dx, dy) = centre(at), _STEPS[direction - 1]
    return hex_at((x + dx, y + dy))


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around, from the north clockwise; some may lie off the map."""
    return tuple(neighbour(at, direction) for direction in DIRECTIONS)


def direction_of(a: Hex, b: Hex) -> int:
    """In which direction the neighbour b lies from a. Raises ValueError for hexes that are not neighbours."""
    (x, y), (to_x, to_y) = centre(a), centre(b)
    step = (to_x - x, to_y - y)
    if step not in _STEPS:
        raise ValueError(f"{a} and {b} are not neighbours")
    return _STEPS.index(step) + 1


def distance(a: Hex, b: Hex) -> int:
    """The range in hexes: the steps from one to the other."""
    columns = abs(b[0] - a[0])
    halves = abs(2 * (b[1] - a[1]) + b[0] % 2 - a[0] % 2)
    return columns + (halves - columns) // 2 if halves > columns else columns


def directions_toward(a: Hex, b: Hex) -> tuple[int, ...]:
    """The directions whose next hex is nearer to b: one or two, none where b is a."""
    away = distance(a, b)
    return tuple(direction for direction in DIRECTIONS if distance(neighbour(a, direction), b) < away)


def hexes_within(at: Hex, radius: int) -> tuple[Hex, ...]:
    """All hexes at no more than that range, the hex itself included, by column and row; some may lie off the map."""
    column, row = at
    around = (
        (c, r)
        for c in range(column - radius, column + radius + 1)
        for r in range(row - radius - 1, row + radius + 2)
        if distance(at, (c, r)) <= radius
    )
    return tuple(around)


def opposite(spine: int) -> int:
    """The spine behind. `core 15.0`"""
    return (spine + 2) % 6 + 1


def spines_turned(a: int, b: int) -> int:
    """How many spines a pivot from one facing to the other passes, the shorter way. `core 15.1`"""
    turned = abs(a - b)
    return min(turned, 6 - turned)


def arc(at: Hex, spine: int) -> Callable[[Hex], bool]:
    """A test whether a hex lies in the covered arc of 60 degrees around a facing: between the rows of hexes that run
    out on both sides of the spine, these included. The hex itself is in no arc. `core 14.0`, `core 15.1`"""
    x, y = centre(at)
    (left_x, left_y), (right_x, right_y) = _STEPS[spine - 1], _STEPS[spine % 6]

    def covers(target: Hex) -> bool:
        to_x, to_y = centre(target)
        dx, dy = to_x - x, to_y - y
        return target != at and left_x * dy - left_y * dx >= 0 and dx * right_y - dy * right_x >= 0

    return covers


def column_name(column: int) -> str:
    """A to Z, then AA, AB and so on."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def hex_name(at: Hex) -> str:
    """As it is printed on a board without a number: H6."""
    return f"{column_name(at[0])}{at[1]}"
