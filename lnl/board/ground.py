"""A map as a value: what is printed on each hex and hexside, and every name by which a hex is called.

What lies on the map for a while (smoke, terrain markers, fortifications) belongs to the state of a battle.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from msgspec import Struct, field

from lnl.board.hexes import Hex, Place, Point
from lnl.book.rows import HexsideRow, MarkerRow, TerrainRow
from umpire.kernel.codec import digest_of, encode
from umpire.kernel.values.maps import is_ordered
from umpire.kernel.values.spelling import get_close_matches

GROUND, UPSTAIRS, BUNKER = 0, 1, -1
LEVELS = (BUNKER, GROUND, UPSTAIRS)
"""The levels of a place."""


class GroundRows(Protocol):
    """The tables that a map is read with: rows by key; and how many degrading hexes a line may cross. `core 10.3`"""

    @property
    def terrain(self) -> Mapping[str, TerrainRow]: ...

    @property
    def hexsides(self) -> Mapping[str, HexsideRow]: ...

    @property
    def markers(self) -> Mapping[str, MarkerRow]: ...

    @property
    def most_degrading(self) -> int: ...


class Silhouette(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of terrain as it is drawn: a convex polygon in the lattice that lies within the hex named `at`.

    `spills_from` names the hex next to it to which the piece belongs, "" where the piece is its own hex's.
    `core 10.1`, `core 10.3`
    """

    terrain: str
    polygon: tuple[Point, ...]
    at: str
    spills_from: str = ""


class HexGround(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is printed on a hex. `terrain` is that around its dot; where it `fills` the hex it stands everywhere in it,
    otherwise silhouettes say where. `building`: the key of the building that it is part of; one may walk from hex to
    hex of the same building on the same level. `label`: the name of the place. `core 1.4`, `core 10.2`, `core 10.4`
    """

    name: str
    at: Hex
    terrain: str
    elevation: int = 0
    storeys: int = 1
    fills: bool = True
    road: bool = False
    building: str = ""
    label: str = ""


class Ground(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A map of one board or of several joined. `width` and `height` count columns and rows of all together.

    `names`: every name of a hex to the name it has in `hexes`: where boards meet a hex has one of each board.
    `hexsides`, `streams`: "A1-A2", the hex of the smaller column and row first, to the key of the hexsides table.
    `roads`: chains of neighbouring hexes that a road runs through. `half_hexes`: those cut by the edge of the map.
    `core 1.4`
    """

    title: str = ""
    width: int
    height: int
    hexes: Mapping[str, HexGround]
    names: Mapping[str, str]
    hexsides: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    roads: tuple[tuple[str, ...], ...] = ()
    buildings: Mapping[str, str] = field(default_factory=dict)
    silhouettes: tuple[Silhouette, ...] = ()
    half_hexes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for each in (self.hexes, self.names, self.hexsides, self.streams, self.buildings):
            if not is_ordered(each):
                raise ValueError("the mappings of a map stand in the order of their keys")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return digest_of(encode(self))

    def hex_named(self, name: str) -> Hex:
        """The hex of that name, one of several where boards meet. Raises KeyError."""
        return self.hexes[self.names[name.strip().upper()]].at

    def nearest(self, name: str) -> str:
        """The name most like one that is not there, for messages; "" where nothing is."""
        near = get_close_matches(name.strip().upper(), self.names, 1)
        return near[0] if near else ""

    def name_of(self, at: Hex) -> str:
        """The name of a hex. Raises KeyError off the map."""
        return self._by_hex[at].name

    def at(self, at: Hex) -> HexGround | None:
        """What is printed there, None off the map."""
        return self._by_hex.get(at)

    def levels(self, at: Hex) -> tuple[int, ...]:
        """The levels that the map gives a hex: the ground, and an upper storey in a building of two. `core 10.2`"""
        here = self._by_hex.get(at)
        return () if here is None else tuple(range(here.storeys))

    def places(self) -> tuple[Place, ...]:
        """Every hex at each of its levels."""
        return tuple((*at, level) for at in self._by_hex for level in self.levels(at))

    def hexside(self, a: Hex, b: Hex) -> str:
        """The key of what stands between neighbours, "" for nothing. `core 10.3`"""
        return self.hexsides.get(self.side_name(a, b), "")

    def stream(self, a: Hex, b: Hex) -> str:
        """The key of the stream between neighbours, "" for none. `hid 10.5.5`"""
        return self.streams.get(self.side_name(a, b), "")

    def is_road(self, a: Hex, b: Hex) -> bool:
        """Whether a road leads from a hex to its neighbour."""
        return self.side_name(a, b) in self._road_sides

    def is_same_building(self, a: Hex, b: Hex) -> bool:
        """Whether one may walk within doors from one hex to the other on the same level. `core 10.2`"""
        here, there = self._by_hex.get(a), self._by_hex.get(b)
        return here is not None and there is not None and here.building != "" and here.building == there.building

    def side_name(self, a: Hex, b: Hex) -> str:
        """How the hexside between two neighbours is called, "" where it is the edge of the map."""
        first, second = self._by_hex.get(min(a, b)), self._by_hex.get(max(a, b))
        return "" if first is None or second is None else f"{first.name}-{second.name}"

    @cached_property
    def _by_hex(self) -> dict[Hex, HexGround]:
        return {here.at: here for here in sorted(self.hexes.values(), key=lambda each: each.at)}

    @cached_property
    def _road_sides(self) -> frozenset[str]:
        chains = [[self.hexes[name].at for name in road] for road in self.roads]
        return frozenset(self.side_name(a, b) for road in chains for a, b in pairwise(road))


_LEVEL_WORDS: Mapping[int, str] = {GROUND: "", UPSTAIRS: " upstairs", BUNKER: " in the bunker"}


def place_name(ground: Ground, place: Place) -> str:
    """As a place is called: "H6", "H6 upstairs", "H6 in the bunker". Raises KeyError off the map."""
    column, row, level = place
    return ground.name_of((column, row)) + _LEVEL_WORDS[level]


def place_named(ground: Ground, text: str) -> Place:
    """The place that is called so. Raises KeyError where there is none: no such hex, or no upper storey."""
    words = text.strip()
    for level in (UPSTAIRS, BUNKER, GROUND):
        if words.casefold().endswith(_LEVEL_WORDS[level]):
            break
    at = ground.hex_named(words[: len(words) - len(_LEVEL_WORDS[level])])
    if level == UPSTAIRS and UPSTAIRS not in ground.levels(at):
        raise KeyError(text)
    return (*at, level)


def level_of(ground: Ground, place: Place, terrain: Mapping[str, TerrainRow]) -> int:
    """The height of whoever is at a place, in levels: that of the ground, and in an upper storey as much more as the
    terrain says (two). Raises KeyError off the map. `core 10.2`"""
    column, row, level = place
    here = ground.hexes[ground.name_of((column, row))]
    return here.elevation + (terrain[here.terrain].upper_level if level == UPSTAIRS else 0)
