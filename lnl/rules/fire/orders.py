"""The order to fire: what it is refused for, how it is carried out, where it may be given. `core 5.0`, `core 4.0`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from lnl.board.hexes import Place
from lnl.orders.checks import off_map, repeated
from lnl.orders.dispatch import handles
from lnl.orders.orders import Fire
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.fire_combat import RULE, aiding_leaders, attack, fires_alone, has_fired, may_fire, target_refusals
from lnl.rules.fire.support_weapon_fire import fired_row, most_weapons
from lnl.rules.fire.volley import shown, struck, targets_at, worked_out
from lnl.rules.turn.operations_phase import act_together, acted, acts, another_has_it, began, may_act
from lnl.state.battle import Believed, State, Unit
from lnl.state.belonging import impulse_of_side, is_mine, mine_at
from lnl.state.finding import carried, has_kind, has_unit, is_leader, perceived_enemies, unit, units_at, weapon
from lnl.words.naming import name_of, place_words, unit_name
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.registry import Preview
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.memo import Memo
from umpire.kernel.values.modifiers import Refusal, total

NOBODY = "none"
"""In an order: no leader aids."""


# Refusals


def check_fire(believed: Believed, seat: Seat, order: Fire) -> Iterator[Refusal]:
    """Units of one place that may act, of whichever of the seat's commands, fire together at a place that each of these
    may fire at, each within its means; once from a place in an impulse, but for weapon teams and snipers, who fire by
    themselves. `core 4.0`, `core 5.0`, `core 5.2`"""
    wrong = [
        *off_map(believed, (order.target,), "target"),
        *may_act(believed, seat, order.units, firing=True),
        *(repeated(order.weapons, "weapons") if order.weapons else ()),
    ]
    if wrong:
        yield from wrong
        return
    firing = [unit(believed, each) for each in order.units]
    command, place = firing[0].command, firing[0].at
    if len(firing) > 1 and any(fires_alone(believed, each) for each in firing):
        yield Refusal("Weapon teams and snipers fire by themselves.", "core 5.2", "units")
    yield from has_fired(believed, command, place, firing)
    for whose in dict.fromkeys(each.command for each in firing):
        if refused := list(target_refusals(believed, whose, place, order.target)):
            yield from refused
            return
    for each in firing:
        own = [held for held in order.weapons if held in carried(believed, each)]
        yield from may_fire(believed, each, own, order.target, holding=each.id in order.holding)
    yield from _unknown(believed, firing, order)
    if order.leader not in ("", NOBODY):
        able = aiding_leaders(believed, seat.commands, place, order.units, order.target)
        if order.leader not in {leader.id for leader in able}:
            yield _no_aid(believed, seat, order)


def _no_aid(believed: Believed, seat: Seat, order: Fire) -> Refusal:
    """Why the leader of an order, who is none of those who may, does not aid its fire. `core 5.1`, `core 1.6.1`,
    `core 5.01`"""
    leader = unit(believed, order.leader) if has_unit(believed, order.leader) else None
    if leader is not None and is_mine(seat, leader) and is_leader(believed, leader):
        if not leader.is_good_order:
            return Refusal("A Shaken leader aids no fire.", "core 5.1", "leader")
        if leader.id in order.units:
            return Refusal("A leader who fires himself aids no fire.", "core 1.6.1", "leader")
    return Refusal("He may not aid this fire.", "core 5.01", "leader")


def _unknown(state: State, firing: Sequence[Unit], order: Fire) -> Iterator[Refusal]:
    held = {gun for each in firing for gun in carried(state, each)}
    if any(each not in held for each in order.weapons):
        yield Refusal("That weapon is in nobody's hands who fires.", "core 1.6.1", "weapons")
    if any(each not in order.units for each in order.holding):
        yield Refusal("Who keeps his own fire back fires as well.", RULE, "holding")
    armed = {each.id for each in firing if set(carried(state, each)) & set(order.weapons)}
    if any(each in order.units and each not in armed for each in order.holding):
        yield Refusal("Who keeps his own fire back fires a weapon.", RULE, "holding")


# The ruling


def declared(state: State, commands: Sequence[str], order: Fire) -> Attack:
    """The attack that an order of who leads these commands stands for: everybody who is at the target, in truth as in
    belief. `core 5.0`"""
    first = unit(state, order.units[0])
    leader = order.leader
    if leader in ("", NOBODY):
        able = aiding_leaders(state, commands, first.at, order.units, order.target)
        leader = able[0].id if able and not leader else ""
    return Attack(
        command=first.command,
        place=first.at,
        units=order.units,
        weapons=order.weapons,
        holding=order.holding,
        leader=leader,
        target=order.target,
        targets=targets_at(state, order.target, first.side, first.at),
        how="sniper" if has_kind(state, first, "sniper") else "direct",
    )


def resolve_fire(state: State, seat: Seat, order: Fire) -> Ruling[State]:
    """The impulse is begun, the attack carried out, and noted. Troops of another command of their side at the target,
    whom the giver did not know of, stay them: they hold their fire. `core 4.0`, `core 5.0`"""
    first = unit(state, order.units[0])
    if another_has_it(state, seat, first.command):
        return state
    if any(units_at(state, at, first.side) for at in struck(order.target, first.at)):
        return state
    volley = worked_out(state, declared(state, seat.commands, order))
    made = volley.made
    state = yield from began(state, seat, (made.place,), made.command)
    state = yield from attack(state, made, volley)
    impulse = impulse_of_side(state, made.command)
    aids = impulse.aids if impulse is not None else ()
    if made.leader and made.leader not in aids:
        aids = (*aids, made.leader)
    who = (*made.units, made.leader) if made.leader else made.units
    noted = {} if fires_alone(state, first) else {"fired_from": (made.place, made.target)}
    return (yield from acted(state, made.command, who, aids=aids, **noted))


# Forms


def fire_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a unit each place at which it may fire, with those of its place who may join in, their weapons, and who
    aids. `core 5.0`"""
    if subject is None or not has_unit(believed, subject):
        return
    each = unit(believed, subject)
    if not is_mine(seat, each) or not acts(believed, seat, subject, firing=True):
        return
    if any(has_fired(believed, each.command, each.at, (each,))):
        return
    stack = _joining(believed, seat, each)
    for target in _memo.of(believed).targets(each.command, each.at):
        form = _form(believed, seat, each, stack, target)
        if form is not None:
            yield form


class _Known:
    """What was worked out of a state for all who stand in a place: at which places they may fire, who with what."""

    def __init__(self, state: Believed) -> None:
        self.state = state
        self._targets: dict[tuple[str, Place], tuple[Place, ...]] = {}
        self._usable: dict[tuple[str, Place], tuple[str, ...] | None] = {}
        self._choices: dict[str, Choice] = {}

    def targets(self, command: str, place: Place) -> tuple[Place, ...]:
        """Where known enemies stand at whom those of a command may fire from a place."""
        key = (command, place)
        if key not in self._targets:
            among = sorted({enemy.at for enemy in perceived_enemies(self.state, command)})
            self._targets[key] = tuple(at for at in among if not any(target_refusals(self.state, command, place, at)))
        return self._targets[key]

    def usable(self, each: Unit, target: Place) -> tuple[str, ...] | None:
        """The weapons that a unit may fire at a place; None where it has nothing to fire at it."""
        key = (each.id, target)
        if key not in self._usable:
            guns = tuple(
                gun
                for gun in carried(self.state, each)
                if not any(may_fire(self.state, each, (gun,), target, holding=True))
            )
            is_able = bool(guns) or not any(may_fire(self.state, each, (), target))
            self._usable[key] = guns if is_able else None
        return self._usable[key]

    def choice(self, each: Unit) -> Choice:
        found = self._choices.get(each.id)
        if found is None:
            label = unit_name(self.state, each)
            found = self._choices[each.id] = Choice(id=each.id, label=label, pieces=(each.id,), at=each.at)
        return found


_memo: Memo[Believed, _Known] = Memo(_Known)


def _joining(believed: Believed, seat: Seat, each: Unit) -> list[Unit]:
    """Who of its place may fire together with a unit, itself among them."""
    if fires_alone(believed, each):
        return [each]
    others = (other for other in mine_at(believed, seat.commands, each.at) if other.id != each.id)
    able = [
        other
        for other in others
        if not fires_alone(believed, other) and act_together(believed, seat, each, other, firing=True)
    ]
    return [each, *able]


def _form(believed: Believed, seat: Seat, each: Unit, stack: Sequence[Unit], target: Place) -> Form | None:
    known = _memo.of(believed)
    able: list[Unit] = []
    guns: list[str] = []
    for other in stack:
        if target not in known.targets(other.command, other.at):
            continue
        usable = known.usable(other, target)
        if usable is not None:
            able.append(other)
            guns.extend(usable)
    if each not in able:
        return None
    slots = [
        ChoiceSlot(
            name="units",
            label="Who fires",
            choices=tuple([known.choice(other) for other in able]),
            many=True,
            most=len(able),
        )
    ]
    if guns:
        choices = tuple(
            Choice(id=gun, label=fired_row(believed, weapon(believed, gun)).name, pieces=(gun,)) for gun in guns
        )
        slots.append(ChoiceSlot(name="weapons", label="Weapons", choices=choices, many=True, least=0, most=len(guns)))
    leaders = aiding_leaders(believed, seat.commands, each.at, (each.id,), target)
    if leaders:
        named = tuple([known.choice(leader) for leader in leaders])
        slots.append(
            ChoiceSlot(
                name="leader", label="Who aids", choices=(*named, Choice(id=NOBODY, label="Nobody")), usual=named[0].id
            )
        )
    return Form(
        verb="Fire",
        label=f"Fire at {place_words(believed, target)}",
        subject=(each.id,),
        fixed={"target": list(target)},
        slots=tuple(slots),
        rule=RULE,
        odds=True,
    )


def sample_fire(believed: Believed, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
    """A random choice of who fires what: every unit named fires its own firepower or weapons that it may."""
    slots = {slot.name: slot for slot in form.slots if isinstance(slot, ChoiceSlot)}
    target: Place = tuple(form.fixed["target"])
    first = unit(believed, form.subject[0])
    able = [choice.id for choice in slots["units"].choices]
    usable = [choice.id for choice in slots["weapons"].choices] if "weapons" in slots else []
    named = set(random.sample(able, random.randint(1, len(able)))) | set(form.subject)
    firing: list[str] = []
    weapons: list[str] = []
    for piece in able:
        if piece not in named:
            continue
        each = unit(believed, piece)
        own = [gun for gun in carried(believed, each) if gun in usable]
        most = min(len(own), most_weapons(believed, each))
        fired = random.sample(own, random.randint(0, most))
        if any(may_fire(believed, each, fired, target)):
            fired = own[:1]
        if not any(may_fire(believed, each, fired, target)):
            firing.append(piece)
            weapons.extend(fired)
    order: dict[str, Any] = {"verb": "Fire", "units": firing, "target": list(target)}
    if "weapons" in slots:
        order["weapons"] = weapons
    if "leader" in slots:
        aiding = {leader.id for leader in aiding_leaders(believed, seat.commands, first.at, firing, target)}
        offered = [choice.id for choice in slots["leader"].choices if choice.id in aiding]
        order["leader"] = offered[0] if offered and random.random() < 0.8 else NOBODY
    return order


def preview_fire(believed: Believed, seat: Seat, order: Fire) -> Preview:
    """The firepower with its working, and the target modifiers of each whom it hits. `core 5.0`"""
    volley = worked_out(believed, declared(believed, seat.commands, order))
    dice = {"1d6": "1d6", "2d6": "2d6", "higher": "the higher of 2d6"}[volley.dice]
    notes = [
        f"{name_of(believed, aim.unit)}: {total(volley.attack) + total(aim.extra)} + {dice} "
        f"against {total(aim.defence)} + 1d6"
        for aim in volley.aims
    ]
    modifiers = (*shown(believed, volley), *(modifier for aim in volley.aims[:1] for modifier in aim.defence))
    return Preview(cost=f"{total(volley.attack)} + {dice}", notes=tuple(notes), modifiers=modifiers)


handles(
    Fire,
    check=check_fire,
    resolve=resolve_fire,
    options=fire_forms,
    phases=("operations",),
    rule=RULE,
    preview=preview_fire,
    sample=sample_fire,
)
