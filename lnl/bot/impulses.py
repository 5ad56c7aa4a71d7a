"""What a plain general does with an impulse: of all that his units are offered the order that is worth most.

He looks no further than this one order: fire by what it is expected to do, marches by where they lead and what they
cost on the way, melees by their odds, all by the thumb of `lnl.bot.assessment`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from lnl.board.hexes import Place
from lnl.bot.assessment import NEAR, assessed, own_firepower
from lnl.knowledge.sighting import is_lit
from lnl.orders.orders import AssaultMove, FightMelee, Fire, Move
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.orders import NOBODY, check_fire, declared
from lnl.rules.fire.smoke import capability
from lnl.rules.fire.support_weapon_fire import fired_row, most_weapons
from lnl.rules.hidden.spotting import needed, working
from lnl.rules.melee.orders import check_fight
from lnl.rules.movement.orders import check_march
from lnl.rules.turn.operations_phase import can_act
from lnl.state.battle import Believed, Unit, hex_key
from lnl.state.finding import (
    apart,
    carried,
    counter_of,
    impulse_of,
    is_multi_man,
    is_open,
    present,
    unit,
    units,
    units_at,
    weapon,
)
from lnl.state.setting import setting_of
from umpire.kernel.forms import ChoiceSlot, Form, PathSlot, PointSlot, order_of
from umpire.kernel.registry import Wish
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import total

Offered = Callable[[str | None], Sequence[Form]]

LEAST = 0.04
"""What an order must be worth to be better than waiting."""
KEPT = 0.22
"""What fire must be worth that could be kept for enemies who may yet move, and a sniper's first shot."""
FIRST = 0.5
"""How much more that is worth which only helps before others go."""
COURAGE = 0.7
"""How much losses on the way count against what is won by it."""
TRIED = 4
"""Of how many places that are worth most a way is looked for that may be gone."""


class Operations:
    """What a seat might do in this impulse."""

    def __init__(self, believed: Believed, seat: Seat, acting: Sequence[str]) -> None:
        self.believed, self.seat = believed, seat
        self.view = assessed(believed, acting[0])
        self.impulse = impulse_of(believed, acting)
        self.own = [each for each in units(believed) if each.command in acting]
        self.is_blind = setting_of(believed).options.play == "blind"
        self.keeps = self.view.defends and self._others_may_move()
        self._done: set[tuple[str, tuple[str, ...], str]] = set()

    def _others_may_move(self) -> bool:
        return self.is_blind or any(each.is_good_order and not (each.moved or each.fired) for each in self.view.enemies)

    def wish(self, offered: Offered) -> Wish | None:
        """The best order; before it more places are activated, where leaders can and these have something to do too.
        None while another command of the side has the impulse."""
        if self.impulse is not None and self.impulse.command not in self.seat.commands:
            return None
        found: list[tuple[Place, Wish]] = []
        chains: list[Form] = []
        for each in self.own:
            if not self._is_called_on(each):
                continue
            for form in offered(each.id):
                if form.verb == "Activate":
                    chains.append(form)
                found.extend((each.at, wish) for wish in self._wishes(form))
        if not found or (best := max(found, key=lambda one: one[1].worth))[1].worth <= LEAST:
            has_begun = self.impulse is not None and bool(self.impulse.places)
            return Wish(order={"verb": "EndImpulse" if has_begun else "Pass"})
        for form in chains:
            places = [(at[0], at[1], at[2]) for at in form.fixed["places"]]
            others = [at for at, wish in found if wish.worth > 2 * LEAST and at in places and at != best[0]]
            if best[0] in places and others:
                return Wish(order=order_of(form, {}), worth=best[1].worth)
        return best[1]

    def _is_called_on(self, each: Unit) -> bool:
        """Whether a unit may do something now. Those who are hidden in an open battle keep to their plans, until they
        are wanted nearby; a sniper may show up."""
        if not each.is_placed:
            return True
        if self.impulse is not None and self.impulse.places:
            if each.at not in self.impulse.places and each.id not in self.impulse.acted:
                return False
        if not (self.is_blind or is_open(self.believed, each.id) or self.view.pull(each, each.at) > 0):
            return False
        return can_act(self.believed, each, self.impulse)

    def _wishes(self, form: Form) -> Iterable[Wish]:
        wishes = _WISHES.get(form.verb)
        return wishes(self, form) if wishes is not None else ()

    def _is_new(self, verb: str, ids: Sequence[str], what: object) -> bool:
        """Whether this was not thought of already, for another of those who would do it."""
        key = (verb, tuple(sorted(ids)), repr(what))
        is_new = key not in self._done
        self._done.add(key)
        return is_new

    # Fire

    def fires(self, form: Form) -> Iterator[Wish]:
        """All who may fire at a place from theirs, and the one asked about alone, with what serves each best."""
        slots = {
            slot.name: [choice.id for choice in slot.choices] for slot in form.slots if isinstance(slot, ChoiceSlot)
        }
        target = place_of(form.fixed["target"])
        for firing in (slots["units"], list(form.subject)):
            if not self._is_new("Fire", firing, target):
                continue
            guns = [
                gun
                for each in firing
                for gun in self._guns(unit(self.believed, each), slots.get("weapons", ()), target)
            ]
            leader = next(iter(slots.get("leader", ())), NOBODY)
            order = Fire(
                units=tuple(firing), target=target, weapons=tuple(guns), leader="" if leader == NOBODY else leader
            )
            if leader in firing or any(check_fire(self.believed, self.seat, order)):
                continue
            worth = self.view.fire(declared(self.believed, self.seat.commands, order)) - 0.03 * len(firing)
            yield Wish(order=_plain(order), worth=worth - (KEPT if self.keeps else 0.0))

    def _guns(self, each: Unit, usable: Sequence[str], target: Place) -> Sequence[str]:
        guns = [gun for gun in carried(self.believed, each) if gun in usable]
        guns.sort(key=lambda gun: -fired_row(self.believed, weapon(self.believed, gun)).firepower)
        own = own_firepower(self.believed, each, apart(each.at, target))
        if counter_of(self.believed, each).kind == "squad" and own is not None and len(guns) > 1:
            second = fired_row(self.believed, weapon(self.believed, guns[1])).firepower
            return guns[: 2 if second > own else 1]
        return guns[: most_weapons(self.believed, each)]

    def mortars(self, form: Form) -> Iterator[Wish]:
        """Called fire on known enemies."""
        if form.fixed.get("star_shell"):
            return
        for slot in form.slots:
            if isinstance(slot, ChoiceSlot):
                yield self._mortar(form, place_of(form.fixed["target"]), {"caller": slot.choices[-1].id})
            elif isinstance(slot, PointSlot):
                for at in (place_of(at) for at in slot.places):
                    if any(foe[:2] == at[:2] for foe in self.view.foes):
                        yield self._mortar(form, at, {"target": list(at)})

    def _mortar(self, form: Form, target: Place, values: Mapping[str, Any]) -> Wish:
        crew = unit(self.believed, form.subject[0])
        is_light = form.fixed["mortar"] != crew.id
        made = Attack(
            command=crew.command,
            place=crew.at,
            units=(crew.id,),
            weapons=(form.fixed["mortar"],) if is_light else (),
            holding=(crew.id,) if is_light else (),
            target=target,
            targets=tuple(each.id for each in self.view.enemies if each.at[:2] == target[:2]),
            how="indirect",
        )
        return Wish(order=order_of(form, values), worth=self.view.fire(made) - 0.03)

    def snipes(self, form: Form) -> Iterator[Wish]:
        """A sniper shows up for a good shot, where he is covered best."""
        if "target" not in form.fixed:
            return
        each, target = unit(self.believed, form.subject[0]), place_of(form.fixed["target"])
        places = [place_of(at) for slot in form.slots if isinstance(slot, PointSlot) for at in slot.places]
        at, worth = max(((at, self.view.snipe(each, at, target)) for at in places), key=lambda one: (one[1], one[0]))
        yield Wish(order=order_of(form, {"at": list(at)}), worth=worth - KEPT)

    # Marches

    def marches(self, form: Form) -> Iterator[Wish]:
        """All who may go along, and the fewest, along the cheapest way to the place that is worth most."""
        way = next(slot for slot in form.slots if isinstance(slot, PathSlot))
        along = next((slot for slot in form.slots if isinstance(slot, ChoiceSlot)), None)
        every = [choice.id for choice in along.choices] if along is not None else list(form.fixed["units"])
        fewest = every[: along.least] if along is not None else every
        paths = _paths(way)
        hurried = bool(form.fixed.get("double_time"))
        for ids in (every, fewest):
            if not self._is_new(f"{form.verb} {hurried}", ids, way.start):
                continue
            stack = present(self.believed, ids)
            here = self._standing(stack, place_of(way.start)) + self._forgone(stack)
            found = [(self._march(stack, path, form.verb) - here, at) for at, path in paths.items()]
            for worth, at in sorted(found, reverse=True)[:TRIED]:
                kind = Move if form.verb == "Move" else AssaultMove
                order = kind(units=tuple(ids), path=paths[at], double_time=hurried)
                if worth > LEAST and not any(check_march(self.believed, self.seat, order)):
                    yield Wish(order=_plain(order), worth=worth)
                    break

    def _forgone(self, stack: Sequence[Unit]) -> float:
        """The fire that a stack forgoes which marches, and the trouble."""
        spotted = not self.view.defends
        fires = (self.view.prospect(each, each.at, spotted=spotted) for each in stack if each.is_good_order)
        return 0.5 * sum(fires) + 0.05

    def _march(self, stack: Sequence[Unit], path: Sequence[Place], verb: str) -> float:
        """What it brings to be at the end of a way, less what it costs to go there."""
        view, end = self.view, path[-1]
        found = -COURAGE * sum(view.exposure(each, path, moving=True) * view.worth(each) for each in stack)
        if view.foes.get(end):
            return found + view.melee(stack, end) + 0.5 * view.aims.get(end[:2], 0.0)
        if verb == "AssaultMove":
            found += 0.25 * sum(view.prospect(each, end) for each in stack if each.is_good_order)
        return found + self._standing(stack, end)

    def _standing(self, stack: Sequence[Unit], place: Place) -> float:
        """What it is worth that units stand in a place: what they hold there, and what it is for each."""
        view, at, ids = self.view, place[:2], [each.id for each in stack]
        found = sum(self._of_each(each, place, ids) for each in stack)
        if any(view.can_hold(each) for each in stack) and not view.garrison(at, ids):
            found += view.aims.get(at, 0.0) * (0.3 if any(foe[:2] == at for foe in view.foes) else 1.0)
            found += view.holds.get(at, 0.0) * (1.0 if self.is_blind or view.nearest_enemy(at) <= NEAR else 0.5)
        return found

    def _of_each(self, each: Unit, place: Place, ids: Sequence[str]) -> float:
        """What a place is worth for a unit, with those who go there with it: its shots from there, the fire it draws,
        how far it still is; for the Shaken that somebody may rally them, for single men that they are not alone."""
        view = self.view
        found = 0.2 * view.prospect(each, place) if each.is_good_order else 0.0
        found -= 0.6 * view.exposure(each, (place,), moving=False) * view.worth(each)
        others = [other for other in view.own if other.id != each.id and (other.at == place or other.id in ids)]
        if each.is_shaken:
            return found + 0.3 * any(other.is_good_order and other.id not in ids for other in others)
        if view.can_hold(each):
            return found - view.urgency(each) * view.pull(each, place)
        is_alone = not any(is_multi_man(self.believed, other) for other in others)
        return found - is_alone - 0.3 * view.urgency(each) * view.pull(each, place)

    # The rest

    def spots(self, form: Form) -> Iterator[Wish]:
        """An attempt at the place at which most could be fired then."""
        each = unit(self.believed, form.subject[0])
        for at in (place_of(at) for slot in form.slots if isinstance(slot, PointSlot) for at in slot.places):
            if at not in self.view.foes:
                continue
            shots = sorted(
                (self.view.shot(other, other.at, at) for other in self.view.own if can_act(self.believed, other)),
                reverse=True,
            )
            chance = needed(self.believed, each.command, at) - total(working(self.believed, each, at))
            cost = 0.5 * self.view.prospect(each, each.at) + (0.1 if is_multi_man(self.believed, each) else 0.02)
            worth = min(max(chance, 0), 6) / 6 * 0.6 * sum(shots[:3]) - cost
            yield Wish(order=order_of(form, {"target": list(at)}), worth=worth)

    def smokes(self, form: Form) -> Iterator[Wish]:
        """Smoke where those who are here would go, and would be fired at."""
        each = unit(self.believed, form.subject[0])
        view = self.view
        here = [
            other for other in units_at(self.believed, each.at, each.side) if other.id != each.id and not other.moved
        ]
        going = sum(view.worth(other) for other in here if view.can_hold(other) and not other.fired)
        for place in (place_of(at) for slot in form.slots if isinstance(slot, PointSlot) for at in slot.places):
            if view.pull(each, place) >= view.pull(each, each.at) or hex_key(place) in self.believed.public.smoke:
                continue
            saved = min(capability(self.believed, each), 6) / 6 * view.exposure(each, (place,), moving=True) * going
            worth = saved - view.urgency(each) * view.worth(each)
            if worth > 0:
                yield Wish(order=order_of(form, {"at": list(place[:2])}), worth=worth + FIRST)

    def star_shells(self, form: Form) -> Iterator[Wish]:
        """Light over what is to be taken, or over who fires out of the dark."""
        wanted = [
            at for at in (*self.view.aims, *(place[:2] for place in self.view.foes)) if not is_lit(self.believed, at)
        ]
        for at in (at for slot in form.slots if isinstance(slot, PointSlot) for at in slot.places):
            if at in wanted:
                yield Wish(order=order_of(form, {"at": list(at)}), worth=0.1)

    def fights(self, form: Form) -> Iterator[Wish]:
        """A melee is fought on, against as many as may be."""
        able = [one.id for slot in form.slots if isinstance(slot, ChoiceSlot) for one in slot.choices]
        at = place_of(form.fixed["at"])
        for count in range(len(able), -1, -1):
            order = FightMelee(at=at, targets=tuple(able[:count]))
            if not any(check_fight(self.believed, self.seat, order)):
                yield Wish(order=_plain(order), worth=1.0)
                return

    def leaves(self, form: Form) -> Iterator[Wish]:
        """Who has come to where his side leaves the board goes."""
        ids = [choice.id for slot in form.slots if isinstance(slot, ChoiceSlot) for choice in slot.choices]
        if any(is_multi_man(self.believed, each) for each in present(self.believed, ids)):
            yield Wish(order=order_of(form, {"units": ids}), worth=3.0)


_WISHES: Mapping[str, Callable[[Operations, Form], Iterator[Wish]]] = {
    "Fire": Operations.fires,
    "FireMortar": Operations.mortars,
    "PlaceSniper": Operations.snipes,
    "Move": Operations.marches,
    "AssaultMove": Operations.marches,
    "Spot": Operations.spots,
    "LaySmoke": Operations.smokes,
    "FireStarShell": Operations.star_shells,
    "FightMelee": Operations.fights,
    "ExitBoard": Operations.leaves,
}


def place_of(at: Sequence[int]) -> Place:
    """A place as orders and forms have it; of a hex the ground."""
    return at[0], at[1], at[2] if len(at) > 2 else 0


def _paths(way: PathSlot) -> dict[Place, tuple[Place, ...]]:
    """The cheapest way to each place that can be reached, where the slot says it."""
    rows = [row for ring in way.region for row in ring if len(row) > 6]
    came = {place_of(row[:3]): place_of(row[4:7]) for row in rows}
    paths: dict[Place, tuple[Place, ...]] = {}
    for place in came:
        path, at = [place], came[place]
        while at != way.start and at in came:
            path.append(at)
            at = came[at]
        paths[place] = tuple(reversed(path))
    return paths


def _plain(order: Any) -> dict[str, Any]:
    plain: dict[str, Any] = to_builtins(order)
    return plain
