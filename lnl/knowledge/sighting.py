"""Who has what before his eyes: the status of a place, from what a command knows and in truth.

`Knowledge` answers as a command may know it, alike in truth and in belief: rules ask it through
`lnl.rules.hidden.spotting`. `Watch` reads the truth: what is hidden and is seen now, for `lnl.knowledge.notice` and for
the moment when hidden units of an open battle are revealed. `core 10.1`, `core 20.0`
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache

from lnl.board.ground import BUNKER, GROUND, LEVELS, UPSTAIRS
from lnl.board.hexes import Hex, Place, distance, neighbours
from lnl.book.rows import Sight as Effect
from lnl.state.battle import CommandPart, State, Unit, Weapon, Work, hex_key
from lnl.state.finding import melee_at, perceived_enemies, side_of, terrain_at, units, units_of, works
from lnl.state.setting import PublicSetting, setting_of, sight, tables_of
from umpire.kernel.book.points import One
from umpire.kernel.settings import half
from umpire.kernel.values.memo import Memo

RULE = "core 10.1"
SHOWING = ("move", "assault")
"""Movement that is seen as it is made, and whose marker gives a place away. `core 10.1`"""
STEALTHY = ("low_crawl", "stealth")
"""Movement that is not. `core 6.3`, `core 6.4`"""
NEVER_SEEN = ("mines", "claymore")
"""Works that nobody sees before they hit. `core 21.4`, `core 21.5`"""

spotting_terrain: One[[State, Place, Effect, bool], Effect] = One("spotting terrain", rule=RULE)
"""As which kind of terrain a hex is spotted: that of its centre, but units in a trench as the table of markers says."""


@spotting_terrain.printed
def _spotting_terrain(rule: str, state: State, place: Place, terrain: Effect, in_trench: bool) -> Effect:
    return (tables_of(state).marker("trench").spotted_as if in_trench else "") or terrain


def locations(place: Place) -> tuple[Place, ...]:
    """The places that are spotted together: a floor by itself, the inside of a bunker with its hex. `core 10.1`,
    `core 21.1`"""
    column, row, level = place
    return (place,) if level == UPSTAIRS else ((column, row, GROUND), (column, row, BUNKER))


def is_adjacent(state: State, a: Place, b: Place) -> bool:
    """Whether two places are adjacent: neighbouring hexes but for different floors of multi-storey buildings, or floors
    of one hex. `core 6.0`, `core 10.2`"""
    return b in places_beside(state.public.setting, a)


@lru_cache(maxsize=8192)
def places_beside(setting: str, place: Place) -> frozenset[Place]:
    """The places adjacent to one on the map of a setting, those of its own hex among them."""
    public: PublicSetting = half(setting)
    ground, here = public.ground, place[:2]
    found = {(*here, level) for level in LEVELS}
    for at in neighbours(here):
        apart = UPSTAIRS in ground.levels(here) and UPSTAIRS in ground.levels(at)
        found.update((*at, level) for level in LEVELS if not apart or (level == UPSTAIRS) == (place[2] == UPSTAIRS))
    return frozenset(found)


@lru_cache(maxsize=64)
def places_of(setting: str) -> tuple[Place, ...]:
    """The ground and the floors of every hex on the map of a setting, in order."""
    public: PublicSetting = half(setting)
    ground = public.ground
    hexes = sorted(ground.hexes.values(), key=lambda each: each.at)
    return tuple((*here.at, level) for here in hexes for level in ground.levels(here.at) if level >= 0)


def effect_at(state: State, place: Place, *, trench: bool) -> Effect:
    """As which kind of terrain a place is spotted: smoke is blocking terrain. `core 7.0`, `core 10.1`"""
    if hex_key(place) in state.public.smoke:
        return "blocking"
    row = terrain_at(state, place)
    return spotting_terrain(setting_of(state).active, row.traits, state, place, row.sight, trench)


def is_night(state: State) -> bool:
    return state.public.hour == "night"


def is_lit(state: State, at: Hex | Place) -> bool:
    """Whether a star shell lights a hex as if it were day. `core 20.1`"""
    radius = tables_of(state).number("star_shell_radius")
    return any(distance(shell, (at[0], at[1])) <= radius for shell in state.public.star_shells)


def reaches_at_night(state: State, origin: Place, place: Place) -> bool:
    """Whether darkness lets one see from here to there: within two hexes, or into a hex that is lit. `core 20.0`"""
    if not is_night(state) or distance(origin[:2], place[:2]) <= setting_of(state).options.visibility:
        return True
    return is_lit(state, place)


def gives_away(each: Unit) -> bool:
    """Whether the markers of a unit make its hex spotted: Move, Assault Move, Fired. One that is still moving is seen
    itself, and gives nobody else away. `core 10.1`, `core 5.3`"""
    return not each.is_moving and (each.fired or each.moved in SHOWING)


def is_passing(each: Unit) -> bool:
    """Whether a unit is seen because it moves at this moment. `core 10.1`"""
    return each.is_moving and each.moved in SHOWING


def friends(state: State, command: str) -> Iterator[Unit]:
    """The units on the map of a command and those of its side that are open: what it knows of its own side."""
    side = side_of(state, command)
    yield from (each for each in units_of(state.public) if each.side == side and each.is_placed)
    part = state.commands.get(command)
    if part is not None:
        yield from (each for each in units_of(part) if each.is_placed)


class _Effects:
    """As what hexes are spotted on a map with these markers and this smoke, with a trench in them or without; and, by
    the hexes with trenches, the places that are no open terrain. Filled as it is asked about."""

    def __init__(self) -> None:
        self.known: dict[tuple[Hex, bool], Effect] = {}
        self.covered: dict[frozenset[Hex], tuple[Place, ...]] = {}


@lru_cache(maxsize=64)
def _effects(setting: str, terrain: tuple[tuple[str, str], ...], smoke: tuple[str, ...]) -> _Effects:
    return _Effects()


class Knowledge:
    """The status of places as one command knows it. `core 10.1`"""

    def __init__(self, state: State, command: str) -> None:
        self.state, self.command, self.side = state, command, side_of(state, command)
        public = state.public
        self._lying = frozenset((*public.terrain, *public.smoke))
        self._bare = _effects(public.setting, (), ())
        self._effects = _effects(public.setting, tuple(public.terrain.items()), tuple(public.smoke))
        self.targets: dict[Place, tuple[Place, ...]] = {}
        """What units may try to spot, by the place where they stand: `lnl.rules.hidden.spotting` remembers it here."""

    @cached_property
    def enemies(self) -> dict[Place, list[Unit]]:
        """The enemies that the command has before its eyes, by place."""
        found: dict[Place, list[Unit]] = {}
        for each in perceived_enemies(self.state, self.command):
            found.setdefault(each.at, []).append(each)
        return found

    @cached_property
    def _trenches(self) -> frozenset[Hex]:
        own = self.state.commands.get(self.command)
        return frozenset(
            each.at
            for each in works(self.state)
            if each.kind == "trench"
            and (
                each.id in self.state.public.pieces
                or (own is not None and each.id in own.pieces)
                or each.id in self.state.umpire.aliases.get(self.command, {})
            )
        )

    @cached_property
    def _given_away(self) -> frozenset[Place]:
        """The places that markers make spotted: their own, Melee markers, those of enemies in them."""
        part = self.state.commands.get(self.command)
        public = self.state.public
        marked = (*public.spotted, *(part.spotted if part is not None else ()))
        fought = (melee.at for melee in public.melees.values())
        seen = (at for at, there in self.enemies.items() if any(gives_away(enemy) for enemy in there))
        return frozenset(spot for at in (*marked, *fought, *seen) for spot in locations(at))

    @cached_property
    def _beside(self) -> frozenset[Place]:
        """The places adjacent to its own in Good Order, but for those with none but stealthy enemies."""
        eyes = {each.at for each in friends(self.state, self.command) if each.is_good_order}
        setting = self.state.public.setting
        return frozenset().union(*(places_beside(setting, place) for place in eyes)).difference(self._stealthy())

    def _stealthy(self) -> Iterator[Place]:
        enemies = self.enemies
        for at, there in enemies.items():
            if all(each.moved == "stealth" for each in there):
                together = locations(at)
                if all(each.moved == "stealth" for spot in together for each in enemies.get(spot, ())):
                    yield from together

    def effect(self, place: Place) -> Effect:
        """As which kind of terrain a place is to be spotted."""
        at = (place[0], place[1])
        key = (at, at in self._trenches)
        known = (self._effects if self._lying and hex_key(at) in self._lying else self._bare).known
        found = known.get(key)
        if found is None:
            found = known[key] = effect_at(self.state, place, trench=key[1])
        return found

    def is_spotted(self, place: Place) -> bool:
        """Whether the status of a place is spotted, whatever passes through it at this moment."""
        return place in self._given_away or place in self._beside or self.effect(place) == "open"

    @cached_property
    def unspotted(self) -> tuple[Place, ...]:
        """All places but the insides of bunkers that are not spotted, in order."""
        known = self._effects.covered
        found = known.get(self._trenches)
        if found is None:
            places = places_of(self.state.public.setting)
            found = known[self._trenches] = tuple(place for place in places if self.effect(place) != "open")
        return tuple(place for place in found if place not in self._given_away and place not in self._beside)


class _Known(dict[str, Knowledge]):
    """What commands know in a state."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __missing__(self, command: str) -> Knowledge:
        found = self[command] = Knowledge(self.state, command)
        return found


_latest: Memo[State, _Known] = Memo(_Known)


def knowledge_of(state: State, command: str) -> Knowledge:
    """What a command knows in this state, worked out once while few others are asked about."""
    return _latest.of(state)[command]


def is_marked(state: State, command: str, together: Iterable[Place]) -> bool:
    """Whether a Spotted marker lies in one of these places, for everybody or for this command."""
    part = state.commands.get(command)
    own = part.spotted if part is not None else ()
    return any(each in state.public.spotted or each in own for each in together)


class Watch:
    """What one command sees in truth, as the map is now. `core 10.1`

    Movers who have only just entered do not spot by adjacency before opportunity fire is over (`core 6.0` d): `settled`
    asks without them.
    """

    def __init__(self, state: State, command: str) -> None:
        self.state, self.command = state, command
        self.side = side_of(state, command)
        self.eyes: dict[Place, bool] = {}
        self.adjacent: dict[Place, bool] = {}
        for each in friends(state, command):
            self.eyes[each.at] = self.eyes.get(each.at, False) or each.is_good_order
            if each.is_good_order:
                self.adjacent[each.at] = self.adjacent.get(each.at, False) or not each.is_moving
        self._sight = sight(state)
        self._is_night, self._visibility = is_night(state), setting_of(state).options.visibility
        self._lit: dict[Place, bool] = {}
        self._lines: dict[tuple[Place, bool, bool], bool] = {}
        self._statuses: dict[Place, tuple[bool, bool]] = {}

    @cached_property
    def _places(self) -> dict[Place, list[Unit]]:
        found: dict[Place, list[Unit]] = {}
        for each in units(self.state):
            if each.side != self.side and each.is_placed:
                found.setdefault(each.at, []).append(each)
        return found

    @cached_property
    def _trenches(self) -> frozenset[Hex]:
        return frozenset(each.at for each in works(self.state) if each.kind == "trench")

    def has_line(self, place: Place, *, good_order: bool = False, fired: bool = False) -> bool:
        """Whether somebody (in Good Order) has a line of sight to a place; by night two hexes far, or into light, or to
        who has fired. `core 20.0`"""
        key = (place, good_order, fired)
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = any(
                (is_good or not good_order)
                and (fired or self._reaches(origin, place))
                and self._sight.sees(origin, place)
                for origin, is_good in self.eyes.items()
            )
        return found

    def _reaches(self, origin: Place, place: Place) -> bool:
        """As `reaches_at_night`, with what lies in the light remembered."""
        if not self._is_night or distance(origin[:2], place[:2]) <= self._visibility:
            return True
        found = self._lit.get(place)
        if found is None:
            found = self._lit[place] = is_lit(self.state, place)
        return found

    def is_next_to(self, place: Place, *, settled: bool) -> bool:
        """Whether somebody in Good Order is adjacent to a place."""
        setting = self.state.public.setting
        return any(
            (is_settled or not settled) and place in places_beside(setting, origin)
            for origin, is_settled in self.adjacent.items()
        )

    def _status(self, place: Place) -> tuple[bool, bool]:
        """Whether markers, of the place or of who is in it, make it spotted; and whether it is open."""
        found = self._statuses.get(place)
        if found is None:
            together = locations(place)
            is_given_away = (
                is_marked(self.state, self.command, together)
                or any(melee_at(self.state, each) for each in together)
                or any(gives_away(each) for spot in together for each in self._places.get(spot, ()))
            )
            is_open = effect_at(self.state, place, trench=(place[0], place[1]) in self._trenches) == "open"
            found = self._statuses[place] = (is_given_away, is_open)
        return found

    def sees(self, each: Unit, *, settled: bool) -> bool:
        """Whether this enemy is before the eyes of the command."""
        place = each.at
        if place in self.eyes:
            return True
        together = locations(place)
        here = [other for spot in together for other in self._places.get(spot, ())]
        is_stealthy = all(other.moved == "stealth" for other in here)
        if not is_stealthy and self.is_next_to(place, settled=settled):
            return True
        if not self.has_line(place, fired=each.fired):
            return False
        is_given_away, is_open = self._status(place)
        if is_given_away or is_passing(each):
            return True
        if not is_open:
            return False
        return each.moved not in STEALTHY or self.has_line(place, good_order=True)

    def sees_work(self, each: Work, *, settled: bool) -> bool:
        """Whether this work of the enemy is seen: like a unit that stands there, but for what is buried."""
        if each.kind in NEVER_SEEN:
            return False
        place = (*each.at, GROUND)
        if any(spot in self.eyes for spot in locations(place)) or self.is_next_to(place, settled=settled):
            return True
        if not self.has_line(place):
            return False
        return self._status(place)[0] or effect_at(self.state, place, trench=False) == "open"

    def sees_loose(self, each: Weapon) -> bool:
        """Whether a weapon that lies somewhere is seen: by who is there."""
        return each.at in self.eyes


def seen_pieces(watch: Watch, part: CommandPart, known: Collection[str] | None = None) -> Iterator[Unit | Work]:
    """What of the hidden units and works of an enemy part a command sees now. With `known`, movers who are adjacent
    count only for what of it is known already."""

    def settled(piece: str) -> bool:
        return known is not None and piece not in known

    for each in part.pieces.values():
        if isinstance(each, Unit):
            if each.is_placed and watch.sees(each, settled=settled(each.id)):
                yield each
        elif isinstance(each, Work) and watch.sees_work(each, settled=settled(each.id)):
            yield each


def seen_lying(watch: Watch) -> Iterator[Weapon]:
    """The hidden weapons that lie where a command sees them, whoever had them last."""
    lying = (each for each in watch.state.umpire.pieces.values() if isinstance(each, Weapon))
    return (each for each in lying if watch.sees_loose(each))
