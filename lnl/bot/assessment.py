"""What a general makes of what he believes: what is to be taken and held, how far it is, what fire would do.

Worths are in squads: 1 is a squad in Good Order, or one point of the scenario. All values are a club player's rules of
thumb (house); all that is looked at is a belief.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lnl.board.hexes import Hex, Place, distance
from lnl.knowledge.sighting import is_adjacent, reaches_at_night
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.damage_checks import FACES, Scale, aid_at, scale_of
from lnl.rules.fire.multiple_attacking_units import QUARTERS, inherent
from lnl.rules.fire.support_weapon_fire import fired_row, forfeits, is_ready, most_weapons
from lnl.rules.fire.target_modifiers import target_modifiers
from lnl.rules.fire.volley import NATURAL, Dice, is_sniping, worked_out
from lnl.rules.hidden.spotting import is_spotted
from lnl.rules.melee.strength import attack_of, can_attack, is_eligible, weapons_used
from lnl.rules.movement.going import Walker, going
from lnl.rules.turn.victory import controller, objectives
from lnl.state.battle import Believed, State, Unit
from lnl.state.finding import (
    apart,
    carried,
    counter_of,
    has_kind,
    is_locked,
    is_multi_man,
    is_open,
    sees,
    terrain_at,
    unit,
    units,
    weapons_of,
    works,
)
from lnl.state.setting import setting_of, sight, tables_of, turns_of
from umpire.kernel.values.memo import Memo
from umpire.kernel.values.modifiers import total

LOST: Mapping[str, float] = {"none": 0.0, "shaken": 0.45, "casualties": 0.75, "wounded": 0.6, "eliminated": 1.0}
"""What part of a unit is lost by a result of the damage table."""
WORTH: Mapping[str, float] = {
    "squad": 1.0,
    "half_squad": 0.6,
    "crew": 0.5,
    "weapon_team": 0.8,
    "leader": 0.9,
    "commissar": 0.9,
    "hero": 0.6,
}
"""What a unit is worth by its kind; all other single men less."""
SINGLE, GUN = 0.4, 0.15
MELEE_CHANCES = {needed: sum(6 - abs(7 - roll) for roll in range(max(2, needed), 13)) / 36 for needed in range(-9, 23)}
"""The chance that two dice come to no less than a number."""
STRIDE = 4
"""Movement points of a turn, by which distances are counted in turns."""
NEAR = 4
"""Within how many hexes enemies threaten what one holds."""
DETOUR = 0.7
"""How many turns' march more a point is worth."""
REACTION = 2
"""Within how many turns somebody who is to hold a place must be there."""
FAR = 1000.0


@lru_cache(maxsize=8192)
def harm(scale: Scale, margin: int, dice: Dice = "1d6") -> float:
    """What part of a unit an attack is expected to cost, whose modifiers beat those of the defence by `margin`."""
    found = 0.0
    for natural in NATURAL[dice]:
        for defence in FACES:
            if natural + margin > defence:
                results = scale.outcomes(natural + margin - defence)
                found += _chance(natural, dice) / 6 * sum(LOST[each] for each in results) / 6
    return found


def _chance(natural: int, dice: Dice) -> float:
    if dice == "2d6":
        return (6 - abs(7 - natural)) / 36
    return (2 * natural - 1) / 36 if dice == "higher" else 1 / 6


def firepower(state: State, each: Unit, away: int) -> float | None:
    """About what a unit fires with at a range, its weapons that are ready included; None where nothing reaches."""
    rows = [fired_row(state, gun) for gun in weapons_of(state, each) if is_ready(state, gun)]
    guns = sorted(
        (row.firepower for row in rows if row.use in ("direct", "flamethrower") and away <= row.range), reverse=True
    )
    own = own_firepower(state, each, away)
    found = [own] if own is not None else []
    for count in range(1, min(len(guns), most_weapons(state, each)) + 1):
        kept = 0.0 if own is None or forfeits(state, each, count) else own
        found.append(kept + sum(guns[:count]))
    return max(found, default=None)


def own_firepower(state: State, each: Unit, away: int) -> float | None:
    """The same without its weapons."""
    quarters = inherent(state, each, away) if counter_of(state, each).use != "mortar" else None
    return None if quarters is None else quarters / QUARTERS


class _Memory(Struct):
    """What was worked out of a map with what lies on it: ways to aims, and cover against fire from places."""

    ways: dict[Hex, dict[Place, float]]
    covers: dict[tuple[Place, Place], int]


@lru_cache(maxsize=32)
def _memory(ground: tuple[Any, ...]) -> _Memory:
    """Where it is remembered, battle after battle."""
    return _Memory(ways={}, covers={})


class Assessment:
    """How things stand for one side, as one of its commands sees them."""

    def __init__(self, believed: Believed, command: str) -> None:
        self.state, self.command = believed, command
        self.setting = setting_of(believed)
        self.side = self.setting.commands[command].side
        there = [each for each in units(believed) if each.is_placed]
        self.own = [each for each in there if each.side == self.side]
        self.enemies = [each for each in there if each.side != self.side]
        self.foes: dict[Place, list[Unit]] = {}
        for each in self.enemies:
            self.foes.setdefault(each.at, []).append(each)
        known = [*self.own, *self.enemies, *units(believed)]  # the last for who has yet to come in
        self.some = next((each for each in self.own if is_multi_man(believed, each)), known[0])
        self.left = max(1, turns_of(believed) - believed.public.turn + 1)
        hunted = [each for each in objectives(believed) if each.side == self.side and each.deed == "loss_mmc"]
        self.bounty = 1.0 + 0.5 * sum(each.points for each in hunted)
        public = believed.public
        lying = tuple((work.kind, work.at, work.side) for work in works(believed))
        self._memory = _memory((public.setting, self.side, tuple(public.smoke), tuple(public.terrain.items()), lying))
        self.holds, self.aims = self._objectives()
        self.threatened = self._threatened()
        at_first = list(self.setting.control.values())
        self.defends = 2 * at_first.count(self.side) > len(at_first)
        self._harms: dict[tuple[str, int, Dice], float] = {}
        self._fires: dict[tuple[str, int], float | None] = {}
        self._worths: dict[str, float] = {}
        self._threats: dict[Place, tuple[tuple[Place, int, bool], ...]] = {}
        self._powers: dict[tuple[Place, int], int | None] = {}
        self._prospects: dict[tuple[str, Place, bool], float] = {}
        self._pulls: dict[tuple[str, Place], float] = {}

    # What is to be held and taken

    def _objectives(self) -> tuple[dict[Hex, float], dict[Hex, float]]:
        """What each hex is worth that the side holds, and what each that it wants: another's, or one by which it leaves
        the board."""
        holds: dict[Hex, float] = {}
        aims: dict[Hex, float] = {}
        for each in objectives(self.state):
            hexes = self.setting.zones[each.zone].hexes if each.zone else ()
            for at in hexes if each.deed == "control" or (each.deed == "exit" and each.side == self.side) else ():
                is_held = each.deed == "control" and (controller(self.state, at) == self.side or self.occupies(at))
                among = holds if is_held else aims
                among[at] = max(among.get(at, 0.0), float(each.points))
        return holds, aims

    def _threatened(self) -> dict[Hex, float]:
        """What each hex is worth that the side holds with nobody in it, and that enemies are near to."""
        return {
            at: worth for at, worth in self.holds.items() if self.nearest_enemy(at) <= NEAR and not self.garrison(at)
        }

    def nearest_enemy(self, at: Hex) -> int:
        return min((distance(at, place[:2]) for place in self.foes), default=99)

    def garrison(self, at: Hex, without: Sequence[str] = ()) -> bool:
        """Whether somebody of the side, beside these, can hold a hex and is in it."""
        return any(each.at[:2] == at and each.id not in without and self.can_hold(each) for each in self.own)

    def occupies(self, at: Hex) -> bool:
        """Whether the side alone is seen in a hex, with somebody who can hold it: in a blind battle it knows no more of
        what it has taken."""
        return self.garrison(at) and not any(place[:2] == at for place in self.foes)

    def can_hold(self, each: Unit) -> bool:
        return each.is_good_order and (is_multi_man(self.state, each) or has_kind(self.state, each, "hero"))

    def worth(self, each: Unit) -> float:
        """What a unit is worth, and more where the side has points for destroying it."""
        if each.id not in self._worths:
            kind = counter_of(self.state, each).kind
            found = WORTH.get(kind, SINGLE) + GUN * len(carried(self.state, each))
            is_hunted = each.side != self.side and is_multi_man(self.state, each)
            self._worths[each.id] = found * self.bounty if is_hunted else found
        return self._worths[each.id]

    # How far it is

    def turns_to(self, place: Place, aim: Hex) -> float:
        """About how many turns of movement lie between a place and a hex to be taken, by covered ways."""
        if aim not in self._memory.ways:
            self._memory.ways[aim] = self._ways(aim)
        return self._memory.ways[aim].get(place, FAR) / STRIDE

    def _ways(self, aim: Hex) -> dict[Place, float]:
        """The points that it takes to an aim from all places; open ground seen from there counts one more."""
        ground, goal = going(self.state), (*aim, 0)
        walker = Walker(self.state, replace(self.some, side=self.side))
        found: dict[Place, float] = {}
        todo: list[tuple[float, Place]] = [(0.0, goal)]
        while todo:
            spent, place = heappop(todo)
            if place in found:
                continue
            found[place] = spent
            open_ground = terrain_at(self.state, place).target_modifier == 0 and sees(self.state, goal, place)
            for origin in ground.around(place):
                price = walker.cost(origin, place) if origin not in found else None
                if price is not None:
                    heappush(todo, (spent + price + open_ground, origin))
        return found

    def pull(self, each: Unit, place: Place) -> float:
        """How many turns a unit in a place is from what it wants most, more where that is worth less; 0 where it wants
        nothing. Who holds something for a side that defends, or is its reserve, is not lured far away."""
        key = (each.id, place)
        if key not in self._pulls:
            stays = self.defends and (each.at[:2] in self.holds or self._lies_hidden(each))
            wanted = {at: worth for at, worth in self.aims.items() if not stays or self._is_soon(each, at)}
            wanted.update((at, worth) for at, worth in self.threatened.items() if self._is_soon(each, at))
            best = max(wanted.values(), default=0.0)
            found = (self.turns_to(place, at) + DETOUR * (best - worth) for at, worth in wanted.items())
            self._pulls[key] = min(found, default=0.0)
        return self._pulls[key]

    def _lies_hidden(self, each: Unit) -> bool:
        """Whether a unit is hidden in an open battle: a reserve, a patrol."""
        return self.setting.options.play == "open" and not is_open(self.state, each.id)

    def _is_soon(self, each: Unit, at: Hex) -> bool:
        return self.turns_to(each.at, at) <= REACTION

    def urgency(self, each: Unit) -> float:
        """What a turn's march towards the nearest aim is worth: more when little time is left for it."""
        needed = self.pull(each, each.at) / self.left
        return 0.3 * (1.0 + min(2.0, max(0.0, 4 * (needed - 0.35))))

    # Fire

    def harm(self, each: Unit, margin: int, dice: Dice = "1d6") -> float:
        """What part of a unit an attack is expected to cost."""
        key = (each.id, margin, dice)
        if key not in self._harms:
            self._harms[key] = harm(scale_of(self.state, each), margin, dice)
        return self._harms[key]

    def firepower(self, each: Unit, away: int) -> float | None:
        """About what a unit fires with at a range, None where nothing reaches."""
        key = (each.id, away)
        if key not in self._fires:
            self._fires[key] = firepower(self.state, each, away)
        return self._fires[key]

    def power(self, origin: Place, away: int) -> int | None:
        """About what the enemies in Good Order of a place fire with together at a range."""
        key = (origin, away)
        if key not in self._powers:
            firing = [each for each in self.foes[origin] if each.is_good_order and not is_locked(self.state, each)]
            found = sorted((fp for each in firing if (fp := self.firepower(each, away)) is not None), reverse=True)
            self._powers[key] = round(found[0] + sum(found[1:]) / 2 + 0.25) if found else None
        return self._powers[key]

    def threats(self, place: Place) -> tuple[tuple[Place, int, bool], ...]:
        """Who could fire at a place: from where, by how much the attack's modifiers beat those of a target that stands
        there, and whether they have not fired or moved yet."""
        if place not in self._threats:
            self._threats[place] = tuple(self._threats_to(place))
        return self._threats[place]

    def _threats_to(self, place: Place) -> Iterable[tuple[Place, int, bool]]:
        for origin, there in self.foes.items():
            fp = self.power(origin, apart(origin, place))
            if fp is None or origin == place or not self.is_visible(origin, place):
                continue
            ready = any(each.is_good_order and not each.fired and each.moved in ("", "assault") for each in there)
            yield origin, fp + self.way(origin, place) - self.cover(place, origin), ready

    def is_visible(self, origin: Place, place: Place) -> bool:
        return reaches_at_night(self.state, origin, place) and sees(self.state, origin, place)

    def way(self, origin: Place, place: Place) -> int:
        """What range and what lies between add to an attack."""
        near = tables_of(self.state).fire_modifier("adjacent").value if is_adjacent(self.state, origin, place) else 0
        return near - sight(self.state).field(origin).degrading(place)

    def cover(self, place: Place, origin: Place) -> int:
        """What a place gives against fire from another."""
        covers = self._memory.covers
        if (place, origin) not in covers:
            covers[place, origin] = total(target_modifiers(self.state, replace(self.some, at=place), origin))
        return covers[place, origin]

    def exposure(self, each: Unit, places: Sequence[Place], *, moving: bool) -> float:
        """What part of a unit the enemy's fire is expected to cost: as it goes through places, that of those who have
        not fired yet, each at the best moment; else that of a turn in the last of them."""
        worst: dict[Place, float] = {}
        for place in places if moving else places[-1:]:
            for origin, margin, ready in self.threats(place):
                if ready or not moving:
                    found = self.harm(each, margin + moving)
                    worst[origin] = max(worst.get(origin, 0.0), found)
        left = 1.0
        for found in sorted(worst.values(), reverse=True)[:3]:
            left *= 1.0 - 0.7 * found
        return 1.0 - left

    def prospect(self, each: Unit, place: Place, *, spotted: bool = False) -> float:
        """What the best shot of a unit from a place would do to known enemies, or to those of them who are spotted."""
        key = (each.id, place, spotted)
        if key not in self._prospects:
            among = (at for at in self.foes if not spotted or is_spotted(self.state, self.command, at))
            self._prospects[key] = max((self.shot(each, place, at) for at in among), default=0.0)
        return self._prospects[key]

    def shot(self, each: Unit, place: Place, target: Place) -> float:
        """What a unit's shot from a place at another would do to those who are known to be there."""
        fp = self.firepower(each, apart(place, target))
        return 0.0 if fp is None or target == place else self.hits(round(fp + 0.25), place, target)

    def hits(self, fp: int, place: Place, target: Place) -> float:
        """What so much firepower would do."""
        if not self.is_visible(place, target):
            return 0.0
        margin = fp + self.way(place, target) - self.cover(target, place)
        return sum(self.worth(foe) * self.harm(foe, margin) for foe in self.foes[target])

    def snipe(self, each: Unit, place: Place, target: Place) -> float:
        """What a sniper's shot from a place would do, less what it would bring upon him. `core 11.4`"""
        margin = counter_of(self.state, each).firepower + self.way(place, target) - self.cover(target, place)
        there = self.foes[target]
        hit = sum(self.worth(foe) * self.harm(foe, margin, "2d6") for foe in there) / len(there)
        return hit - 0.3 * SINGLE * self.exposure(each, (place,), moving=False)

    def fire(self, made: Attack) -> float:
        """What an attack is expected to do. `core 5.0`, `core 5.1`"""
        volley = worked_out(self.state, made)
        found = []
        for aim in volley.aims:
            each = unit(self.state, aim.unit)
            margin = total(volley.attack) + aim.margin + total(aid_at(self.state, each))
            found.append(self.worth(each) * self.harm(each, margin, volley.dice))
        return sum(found) / len(found) if found and is_sniping(self.state, made) else sum(found)

    # Melee

    def melee(self, stack: Sequence[Unit], place: Place) -> float:
        """What a round of melee is expected to bring in a place with enemies, if these join those who are there."""
        own = (*(each for each in self.own if each.at == place and each not in stack), *stack)
        striking = [each for each in own if can_attack(self.state, each)]
        struck = [each for each in self.foes.get(place, ()) if is_eligible(self.state, each)]
        gain = sum(self.worth(each) for each in self.foes.get(place, ()))
        loss = sum(self.worth(each) for each in own)
        if not striking:
            return -loss
        if not struck:
            return gain
        won, lost = (
            self._kills(striking, struck),
            self._kills([each for each in struck if can_attack(self.state, each)], own),
        )
        return won * gain - lost * loss

    def _kills(self, striking: Sequence[Unit], struck: Sequence[Unit]) -> float:
        able = [each for each in struck if is_eligible(self.state, each)]
        if not striking or not able:
            return 0.0
        used = {each.id: weapons_used(self.state, each) for each in (*striking, *able)}
        made = attack_of(self.state, [each.id for each in striking], [each.id for each in able], used)
        return MELEE_CHANCES[made.needed - total(made.modifiers)]


class _Views(dict[str, Assessment]):
    """How things stand in a belief, as each command sees them."""

    def __init__(self, believed: Believed) -> None:
        self.believed = believed

    def __missing__(self, command: str) -> Assessment:
        found = self[command] = Assessment(self.believed, command)
        return found


_memo: Memo[Believed, _Views] = Memo(_Views)


def assessed(believed: Believed, command: str) -> Assessment:
    """How things stand for a command, worked out once while few other beliefs are asked about."""
    return _memo.of(believed)[command]
