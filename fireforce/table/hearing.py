"""Who hears a noise, and from where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from fireforce.table.ranges import bearing, distance
from fireforce.table.terrain import Point

Octant = Literal["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]

OCTANTS: tuple[Octant, ...] = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)


class Noise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one listener perceives: his index, how far off the noise is, and in which eighth of the compass.

    `octant` is None where he stands on the spot.
    """

    listener: int
    distance: int
    octant: Octant | None


def octant(origin: Point, to: Point) -> Octant | None:
    """The eighth of the compass in which `to` lies from `origin`; a bearing midway goes to the clockwise one."""
    return None if origin == to else OCTANTS[(bearing(origin, to) + 225) // 450 % 8]


def hears(source: Point, listeners: Sequence[Point], radius: int) -> tuple[Noise, ...]:
    """Those who hear a noise made at `source`, in the order given; the limit itself is heard. `fireforce visibility`"""
    return tuple(
        Noise(index, distance(source, listener), octant(listener, source))
        for index, listener in enumerate(listeners)
        if distance(source, listener) <= radius
    )
