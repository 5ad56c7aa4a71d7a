"""What was worked out of ground for movement, and stays: where steps lead, and what they cost each kind of unit.

A map does not change but for what lies on it: terrain markers, smoke, works. What lies in a hex matters to the steps
from it and into it; all others are the same in every state of every battle on that map. Nothing here refers to a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from lnl.board.ground import BUNKER
from lnl.board.hexes import Hex, Place, neighbours
from lnl.book.rows import Going, TerrainRow
from lnl.rules.movement.step_costs import Mover
from lnl.state.battle import place_key
from lnl.state.setting import PublicSetting
from umpire.kernel.settings import half
from umpire.kernel.values.modifiers import Modifier

Steps = tuple[tuple[int, int], ...]
"""The steps that can be made from a place: the number of the place that each leads to, and its cost."""

MAPS_KEPT = 32


class Way(Struct, frozen=True):
    """A step, whoever makes it: the terrain paid for (None where a price of its own stands for the hex), levels up,
    what else it costs, and what may bar it. Where `is_total` a slope bars, and costs nothing."""

    terrain: TerrainRow | None = None
    rise: int = 0
    others: tuple[Modifier, ...] = ()
    bars_guns: bool = False
    others_cost: int = 0
    is_total: bool = False


def way_of(
    terrain: TerrainRow | None,
    others: tuple[Modifier, ...],
    barred: bool = False,
    rise: int = 0,
    *,
    is_total: bool = False,
) -> Way:
    """A step with what it costs beside its terrain added up."""
    return Way(terrain, rise, others, barred, sum(part.value for part in others), is_total)


class Layout:
    """The places of a map by number, in their order: each hex on all its levels, and as the bunker that it may hold."""

    def __init__(self, setting: str) -> None:
        public: PublicSetting = half(setting)
        ground = public.ground
        levels = ((here.at, (BUNKER, *ground.levels(here.at))) for here in ground.hexes.values())
        self.places: tuple[Place, ...] = tuple(sorted((*at, level) for at, found in levels for level in found))
        self.number: Mapping[Place, int] = {place: number for number, place in enumerate(self.places)}
        self.keys: Mapping[Place, str] = {place: place_key(place) for place in self.places}


class Known:
    """What is known of some hexes: steps by side and way of going, where steps lead, rows of the terrain, what steps
    cost whom."""

    def __init__(self) -> None:
        self.ways: dict[tuple[Place, Place, str, Going], Way | None] = {}
        self.around: dict[Place, tuple[Place, ...]] = {}
        self.rows: dict[Hex, TerrainRow] = {}
        self.steps: dict[Mover, dict[int, Steps]] = {}


class KnownGround:
    """What is known of a map with what lies on it: `at` gives what is known of a hex and the steps from it. Of hexes
    that nothing lies in or beside that is one and the same for all that may lie elsewhere."""

    def __init__(self, layout: Layout, bare: Known, covered: Iterable[Hex]) -> None:
        self.layout = layout
        self._bare, self._own = bare, Known()
        self._touched = frozenset(at for each in covered for at in (each, *neighbours(each)))

    def at(self, at: Hex) -> Known:
        return self._own if at in self._touched else self._bare

    @property
    def around(self) -> dict[Place, tuple[Place, ...]]:
        """Where steps lead from all places that were asked about: to be asked before `at`."""
        return self._own.around

    def steps(self, mover: Mover) -> dict[int, Steps]:
        """The steps of those who pay alike from all places that were asked about: to be asked before `at`."""
        return self._own.steps.setdefault(mover, {})


@lru_cache(maxsize=MAPS_KEPT)
def bare_ground(setting: str) -> tuple[Layout, Known]:
    """The places of the map of a setting, and what is known of it with nothing on it."""
    return Layout(setting), Known()
