"""What a step costs, of keys and numbers alone: no state is asked, so a price that was worked out once holds for every
battle with the same book. `core 6.0`, `core 10.4`"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from lnl.book.rows import PROHIBITED, Going, HexsideRow, TerrainRow
from lnl.book.tables import Tables
from lnl.state.setting import PublicSetting, tables_named
from umpire.kernel.book.points import One, Sum
from umpire.kernel.settings import half
from umpire.kernel.values.modifiers import Modifier

KNOWN_TO_SCOUTS = "known_to_scouts"
"""The trait of terrain in which a scout shows the way. `core 11.7`"""
PRICES_KEPT = 50_000


class Mover(Struct, frozen=True):
    """Who makes a step, as far as its cost asks: `words` are those of his traits that a change of a price names,
    `is_led` says that somebody shows the way, `is_big` that he is a big gun."""

    side: str
    going: Going = "leg"
    words: tuple[str, ...] = ()
    is_led: bool = False
    is_big: bool = False
    is_hurried: bool = False


class StepContext(Struct, frozen=True):
    """A step as prices know it: the key of the terrain paid for, levels up (down below 0), the kinds of markers that
    lie there, and the terrain entered before in this move, which `way_cost` alone is told."""

    mover: Mover
    terrain: str = ""
    rise: int = 0
    lying: tuple[str, ...] = ()
    entered: tuple[str, ...] = ()


terrain_cost: One[[Tables, StepContext], int] = One("terrain cost", rule="core 10.4")
"""What entering terrain costs, whatever was entered before it."""
slope_cost: One[[Tables, StepContext], int] = One("slope cost", rule="hid 10.5.2")
"""What so many levels up or down in one step cost more; -1: they cannot be climbed."""
lying_cost: Sum[[Tables, StepContext]] = Sum("cost of what lies in a hex", rule="core 10.4")
"""What lies in a hex costs whoever enters it more, with the traits of its terrain: craters and dust, `hid 10.5.6`,
`hona 10.8`."""
way_cost: Sum[[Tables, StepContext]] = Sum("cost after the way so far", rule="core 10.4")
"""What entering terrain costs more or less after what was entered in this move: the first woods of partisans, `hotm
13.1.1`, the first sand or hammada at double-time, `hona 10.7`. Where it changes nothing for a mover, what he can reach
is found much faster."""


def rate(row: TerrainRow | HexsideRow, going: Going) -> int:
    """What ground or a hexside costs those who go so; -1: they may not."""
    found: int = getattr(row, going)
    return found


@lru_cache(maxsize=64)
def words_that_matter(setting: str) -> frozenset[str]:
    """The traits named by changes of prices that are in force in battles with this public setting."""
    public: PublicSetting = half(setting)
    changes = [change for point in (terrain_cost, slope_cost, way_cost) for change in point.changes]
    return frozenset(each.trait for each in changes if each.trait and each.applies(public.active, (each.trait,)))


@lru_cache(maxsize=PRICES_KEPT)
def price_of_terrain(setting: str, context: StepContext) -> int:
    """What entering terrain costs, whatever was entered before."""
    public: PublicSetting = half(setting)
    return terrain_cost(public.active, context.mover.words, tables_named(setting), context)


@lru_cache(maxsize=PRICES_KEPT)
def price_of_slope(setting: str, context: StepContext) -> int:
    """What a change of level costs more; -1 where it is none to climb."""
    public: PublicSetting = half(setting)
    return slope_cost(public.active, context.mover.words, tables_named(setting), context)


@lru_cache(maxsize=PRICES_KEPT)
def price_of_way(setting: str, context: StepContext) -> tuple[Modifier, ...]:
    """What terrain costs more or less after what was entered before it."""
    public: PublicSetting = half(setting)
    return way_cost(public.active, context.mover.words, tables_named(setting), context).modifiers


def price_of_lying(setting: str, context: StepContext) -> tuple[Modifier, ...]:
    """What the markers in a hex cost more."""
    public: PublicSetting = half(setting)
    tables = tables_named(setting)
    return lying_cost(public.active, tables.terrain(context.terrain).traits, tables, context).modifiers


@terrain_cost.printed
def _terrain(rule: str, tables: Tables, context: StepContext) -> int:
    """The terrain chart; where a scout shows the way some terrain costs no more than it does him. `core 11.7`"""
    row = tables.terrain(context.terrain)
    price = rate(row, context.mover.going)
    if context.mover.is_led and KNOWN_TO_SCOUTS in row.traits:
        return min(price, tables.number("scout_terrain_cost"))
    return price


@lying_cost.printed
def _markers(rule: str, tables: Tables, context: StepContext) -> Iterable[Modifier]:
    """What the terrain chart says of smoke, foxholes and trenches. `core 10.4`"""
    for kind in context.lying:
        if kind in ("smoke", "foxhole", "trench"):
            row = tables.marker(kind)
            if row.leg:
                yield Modifier(row.leg, row.name, rule)


@slope_cost.printed
def _slope(rule: str, tables: Tables, context: StepContext) -> int:
    rise = context.rise
    if abs(rise) >= tables.number("levels_at_once"):
        return PROHIBITED
    named: Mapping[int, str] = {1: "up_one", 2: "up_two", -1: "down_one", -2: "down_two"}
    # A table that allows more levels has no price of its own for them.
    return tables.number(named[max(-2, min(rise, 2))])
