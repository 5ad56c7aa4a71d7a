"""What a step costs: terrain, hexsides, slopes, wire, mines, floors, bunkers. `core 6.0`, `core 10.4`, `core 21.0`"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from lnl.board.ground import BUNKER, GROUND, LEVELS, Ground
from lnl.board.hexes import Hex, Place, distance, neighbours
from lnl.book.rows import PROHIBITED, TerrainRow
from lnl.book.rows import Going as Class
from lnl.knowledge.sighting import reaches_at_night
from lnl.rules.movement.known_ground import Known, KnownGround, Steps, Way, bare_ground, way_of
from lnl.rules.movement.step_costs import (
    Mover,
    StepContext,
    price_of_lying,
    price_of_slope,
    price_of_terrain,
    price_of_way,
    rate,
    way_cost,
    words_that_matter,
)
from lnl.state.battle import State, Unit, Work, hex_key, hex_of
from lnl.state.finding import counter_of, enemies_perceived_by, scouts, sees, standing, traits_of, works
from lnl.state.setting import ground_of, setting_of, tables_of
from umpire.kernel.values.memo import Memo, Recent
from umpire.kernel.values.modifiers import Modifier, total

RULE = "core 6.0"
PATHFINDER = "pathfinder"
"""The trait of those who show the way as a scout does. `core 12.0`"""

_grounds: Recent[tuple[object, ...], KnownGround] = Recent(16)
"""What is known of a map with what lies on it, in whichever state or belief: a dozen battles are played at a time."""


def _known_ground(state: State, works_by_hex: Mapping[Hex, Sequence[Work]]) -> KnownGround:
    """What was worked out of a map with these markers, works and smoke on it, in whichever state."""
    public = state.public
    there = tuple((at, tuple((each.kind, each.side) for each in here)) for at, here in sorted(works_by_hex.items()))

    def make() -> KnownGround:
        covered = [hex_of(marked) for marked in (*public.terrain, *public.smoke)]
        return KnownGround(*bare_ground(public.setting), (*covered, *works_by_hex))

    return _grounds.of((public.setting, tuple(public.terrain.items()), tuple(public.smoke), there), make)


def unknown_ground(setting: str) -> KnownGround:
    """Ground of which nothing is known yet, and nothing is kept."""
    return KnownGround(bare_ground(setting)[0], Known(), ())


class Going:
    """The ground of one state for movement: what stands where is looked up once for all units and steps."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.ground: Ground = ground_of(state)
        self.tables = tables_of(state)
        self.works: dict[Hex, list[Work]] = {}
        for work in works(state):
            self.works.setdefault(work.at, []).append(work)
        self.units = standing(state)
        self.known = _known_ground(state, self.works)
        self.layout, self._near = self.known.layout, self.known.around
        self._ends: dict[str, frozenset[int]] = {}
        self._perceived: dict[tuple[str, str], tuple[tuple[Place, bool], ...]] = {}
        self._seen: dict[tuple[str, str, Place], tuple[Place, ...]] = {}

    def seen_enemies(self, unit: Unit, origin: Place) -> tuple[Place, ...]:
        """Where enemies stand whom a unit's command perceives, in the line of sight from a place; by night beyond two
        hexes those in the light, or who have fired. `core 5.1`, `core 20.0`"""
        state, whose = self.state, (unit.command, unit.side)
        if whose not in self._perceived:
            found: dict[Place, bool] = {}
            for each in enemies_perceived_by(state, unit):
                found[each.at] = found.get(each.at, False) or each.fired
            self._perceived[whose] = tuple(sorted(found.items()))
        key = (*whose, origin)
        if key not in self._seen:
            self._seen[key] = tuple(
                at
                for at, has_fired in self._perceived[whose]
                # From the enemy: what he sees is worked out once for all places from which he is looked at.
                if (has_fired or reaches_at_night(state, origin, at)) and sees(state, at, origin)
            )
        return self._seen[key]

    def prices(self, walker: Walker, place: Place, entered: Sequence[Place]) -> tuple[int | None, ...]:
        """What each step from a place costs a unit, in the order of `around`."""
        return tuple(walker.cost(place, to, entered) for to in self.around(place))

    def steps(self, walker: Walker, number: int) -> Steps:
        """The steps that can be made from a place, by number, for a unit whose way does not matter: remembered by what
        decides about their cost."""
        place = self.layout.places[number]
        known = self.known.at((place[0], place[1])).steps.setdefault(walker.mover, {})
        found = known.get(number)
        if found is None:
            priced = zip(self.around(place), self.prices(walker, place, ()), strict=True)
            found = tuple((self.layout.number[to], price) for to, price in priced if price is not None)
            known[number] = found
        self.known.steps(walker.mover)[number] = found
        return found

    def kinds_at(self, at: Hex) -> tuple[str, ...]:
        return tuple(work.kind for work in self.works.get(at, ()))

    @cached_property
    def occupied(self) -> frozenset[int]:
        """The numbers of the places with units, and of those with works about them."""
        number = self.layout.number
        covered = ((*at, level) for at in self.works for level in LEVELS)
        return frozenset(number[place] for place in (*self.units, *covered) if place in number)

    def ends(self, side: str) -> frozenset[int]:
        """The numbers of the places with enemies of a side, where its moves end."""
        found = self._ends.get(side)
        if found is None:
            taken = [place for place, there in self.units.items() if any(each.side != side for each in there)]
            found = self._ends[side] = frozenset([self.layout.number[place] for place in taken])
        return found

    def enemies(self, place: Place, side: str) -> tuple[Unit, ...]:
        return tuple(each for each in self.units.get(place, ()) if each.side != side)

    def around(self, place: Place) -> tuple[Place, ...]:
        """The places to which a step may lead: the hexes around on this level, stairs, and in or out of a bunker."""
        found = self._near.get(place)
        if found is None:
            known = self.known.at((place[0], place[1])).around
            found = known[place] = self._near[place] = known.get(place) or tuple(self._around(place))
        return found

    @cached_property
    def kinds(self) -> tuple[TerrainRow, ...]:
        """The kinds of terrain on the map as it is now."""
        keys = {*(each.terrain for each in self.ground.hexes.values()), *self.state.public.terrain.values(), "road"}
        return tuple(self.tables.terrain(key) for key in sorted(keys))

    def _around(self, place: Place) -> Iterable[Place]:
        column, row, level = place
        here = (column, row)
        levels = (*self.ground.levels(here), *((BUNKER,) if "bunker" in self.kinds_at(here) else ()))
        yield from ((column, row, other) for other in levels if abs(other - level) == 1)
        if level == BUNKER:
            return
        for at in neighbours(here):
            if self.ground.at(at) is None:
                continue
            if level == GROUND or (level in self.ground.levels(at) and self.ground.is_same_building(here, at)):
                yield (*at, level)

    def way(self, side: str, origin: Place, to: Place, how: Class = "leg") -> Way | None:
        """A step of a unit of this side that goes so; None where there is no way."""
        known = self.known.at((origin[0], origin[1])).ways
        key = (origin, to, side, how)
        if key not in known:
            known[key] = self._way(Mover(side, how), origin, to)
        return known[key]

    def _way(self, mover: Mover, origin: Place, to: Place) -> Way | None:
        if to not in self.around(origin):
            return None
        here, there = (origin[0], origin[1]), (to[0], to[1])
        if here == there:
            return way_of(None, (self._within(origin, to),))
        row = self.terrain(there)
        if rate(row, mover.going) == PROHIBITED:
            return None
        barred = row.is_building
        if to[2] != GROUND:
            return way_of(row, (), barred)
        by_road = self.ground.is_road(here, there) and not row.is_building
        others: list[Modifier] = []
        for key in () if by_road else filter(None, (self.ground.hexside(here, there), self.ground.stream(here, there))):
            side_row = self.tables.hexside(key)
            if (price := rate(side_row, mover.going)) == PROHIBITED:
                return None
            barred = barred or side_row.bars_guns
            if price:
                others.append(Modifier(price, side_row.name, "core 10.4"))
        rise = self._level(there) - self._level(here)
        if "wire" in self.kinds_at(there):
            wire = self.tables.marker("wire")
            in_all = Modifier(wire.leg, wire.name, "core 21.3")
            return way_of(None, (in_all, *self._mines(mover.side, there)), barred, rise, is_total=wire.total)
        road = self.tables.terrain("road")
        terrain = road if by_road and rate(row, mover.going) > rate(road, mover.going) else row
        lying = price_of_lying(self.state.public.setting, StepContext(mover, row.key, rise, self._lying(there)))
        return way_of(terrain, (*others, *lying, *self._mines(mover.side, there)), barred, rise)

    def _within(self, origin: Place, to: Place) -> Modifier:
        if BUNKER in (origin[2], to[2]):
            row = self.tables.marker("bunker")
            return Modifier(row.leg, row.name, "core 21.1")
        return Modifier(self.tables.number("floor_cost"), "Stairs", "core 10.2")

    def terrain(self, at: Hex) -> TerrainRow:
        """The terrain of a hex as it is now. `core 10.5`"""
        known = self.known.at(at).rows
        row = known.get(at)
        if row is None:
            placed = self.state.public.terrain.get(hex_key(at))
            found = self.ground.at(at)
            row = known[at] = self.tables.terrain(placed or (found.terrain if found is not None else ""))
        return row

    def _level(self, at: Hex) -> int:
        found = self.ground.at(at)
        return found.elevation if found is not None else 0

    def _lying(self, at: Hex) -> tuple[str, ...]:
        smoke = ("smoke",) if hex_key(at) in self.state.public.smoke else ()
        return (*smoke, *self.kinds_at(at))

    def _mines(self, side: str, at: Hex) -> Iterable[Modifier]:
        """Own mines cost a point more, however many; those of enemies attack instead. `core 21.4`"""
        if any(work.kind == "mines" and work.side == side for work in self.works.get(at, ())):
            row = self.tables.marker("mines")
            yield Modifier(row.leg, row.name, "core 21.4")


_memo: Memo[State, Going] = Memo(Going)
going = _memo.of
"""The ground of a state for movement; that of the states asked about last is remembered."""


class Walker:
    """A unit that moves with others, at double-time or not: what steps cost it."""

    def __init__(self, state: State, each: Unit, stack: Sequence[Unit] = (), *, hurries: bool = False) -> None:
        self.unit = each
        self.ground = going(state)
        self._setting = state.public.setting
        row, words = counter_of(state, each), traits_of(state, each)
        after_way = bool(way_cost.applying(setting_of(state).active, words))
        self.mover = Mover(
            side=each.side,
            going=row.going,
            words=tuple(sorted(words & words_that_matter(self._setting))),
            is_led=is_guided(state, (each, *stack)),
            is_big=is_big_gun(state, each),
            is_hurried=hurries and after_way,
        )
        """What decides about the cost of steps, beside the ground."""
        self.is_plain = not after_way
        """Whether it does not matter what this unit has entered before in this move."""
        self._prices: dict[tuple[str, tuple[str, ...]], int] = {}
        self._ways: dict[tuple[Place, ...], tuple[str, ...]] = {}
        self._memories: dict[tuple[str, ...], tuple[int, ...]] = {}

    def way(self, origin: Place, to: Place) -> Way | None:
        """The step, None where this unit may not make it."""
        way = self.ground.way(self.mover.side, origin, to, self.mover.going)
        return None if way is None or (way.bars_guns and self.mover.is_big) else way

    def cost(self, origin: Place, to: Place, entered: Sequence[Place] = ()) -> int | None:
        """What a step costs; None where the unit may not go. `entered` are the places of this move before it."""
        way = self.way(origin, to)
        if way is None:
            return None
        spent = way.others_cost
        if way.terrain is not None:
            spent += self._price(way.terrain.key, entered)
        if way.rise:
            climb = self._climb(way.rise)
            if climb == PROHIBITED:
                return None
            spent += 0 if way.is_total else climb
        return spent

    def memory(self, entered: Sequence[Place]) -> tuple[int, ...]:
        """What the terrain of the map costs from now on: all that the way so far matters for."""
        way = self._terrains(entered)
        found = self._memories.get(way)
        if found is None:
            found = self._memories[way] = tuple(self._price(row.key, entered) for row in self.ground.kinds)
        return found

    def parts(self, origin: Place, to: Place, entered: Sequence[Place] = ()) -> tuple[Modifier, ...]:
        """What the cost of a step that can be made consists of."""
        way = self.way(origin, to)
        if way is None:
            return ()
        found: list[Modifier] = []
        if way.terrain is not None:
            status = "house" if self.ground.tables.is_house("terrain", way.terrain.key, "leg") else ""
            price = price_of_terrain(self._setting, StepContext(self.mover, way.terrain.key))
            found.append(Modifier(price, way.terrain.name, "core 10.4", status))
            found.extend(self._after_way(way.terrain.key, entered))
        if way.rise and not way.is_total and (climb := self._climb(way.rise)):
            found.append(Modifier(climb, "Slope", "hid 10.5.2", "house"))
        return (*found, *way.others)

    def _price(self, terrain: str, entered: Sequence[Place]) -> int:
        way = () if self.is_plain else self._terrains(entered)
        known = self._prices.get((terrain, way))
        if known is None:
            known = price_of_terrain(self._setting, StepContext(self.mover, terrain))
            known += total(self._after_way(terrain, entered))
            self._prices[terrain, way] = known
        return known

    def _after_way(self, terrain: str, entered: Sequence[Place]) -> tuple[Modifier, ...]:
        if self.is_plain:
            return ()
        return price_of_way(self._setting, StepContext(self.mover, terrain, entered=self._terrains(entered)))

    def _terrains(self, entered: Sequence[Place]) -> tuple[str, ...]:
        """The terrain of the way so far."""
        way = tuple(entered)
        found = self._ways.get(way)
        if found is None:
            found = self._ways[way] = tuple(self.ground.terrain((place[0], place[1])).key for place in way)
        return found

    def _climb(self, rise: int) -> int:
        return price_of_slope(self._setting, StepContext(self.mover, rise=rise))


def cost_of(
    state: State,
    each: Unit,
    origin: Place,
    to: Place,
    stack: Sequence[Unit] = (),
    entered: Sequence[Place] = (),
) -> tuple[int | None, tuple[Modifier, ...]]:
    """What a step costs a unit that moves with `stack`, and what that consists of; None where it may not go. `entered`
    are the places of this move before it. `core 6.0`, `core 10.4`"""
    walker = Walker(state, each, stack)
    found = walker.cost(origin, to, entered)
    return found, () if found is None else walker.parts(origin, to, entered)


def is_guided(state: State, stack: Iterable[Unit]) -> bool:
    """Whether a scout who carries no weapon (or another who knows the way) goes with them. `core 11.7`"""
    return any(scouts(state, each) or PATHFINDER in traits_of(state, each) for each in stack)


def is_big_gun(state: State, each: Unit) -> bool:
    """Whether a weapon team may not enter buildings or cross walls, hedges and bocage. `core 1.6.3`"""
    return counter_of(state, each).gun_size > tables_of(state).number("gun_size_limit")


def is_nearer(state: State, origin: Place, to: Place, enemy: Place) -> bool:
    """Whether a step brings one closer to a place, a change of level toward it included. `core 5.1`, `core 6.0`"""
    at = (enemy[0], enemy[1])
    before, after = distance((origin[0], origin[1]), at), distance((to[0], to[1]), at)
    if before != after or origin[:2] != to[:2]:
        return after < before
    return abs(_height(state, to) - _height(state, enemy)) < abs(_height(state, origin) - _height(state, enemy))


def _height(state: State, place: Place) -> int:
    found = ground_of(state).at((place[0], place[1]))
    row = going(state).terrain((place[0], place[1]))
    base = found.elevation if found is not None else 0
    return base + (row.upper_level if place[2] > GROUND else place[2])
