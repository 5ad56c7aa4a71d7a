"""Support weapons: who may carry how many, and what is done with them in the Rally Phase: picked up, passed on,
dropped, flipped, and a jam cleared.

`core 1.6.1`, `core 1.6.1.01`, `core 1.6.1.1`, `core 3.0`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lnl.happening.rulings import tell
from lnl.happening.weapons import WeaponDropped, WeaponFlipped, WeaponJammed, WeaponTaken
from lnl.orders.checks import not_our_units
from lnl.orders.dispatch import at as at_moment
from lnl.orders.dispatch import handles
from lnl.orders.orders import Drop, Flip, HandOver, PickUp
from lnl.state.battle import Believed, State, Unit, Weapon
from lnl.state.belonging import is_known, is_mine
from lnl.state.finding import (
    carried,
    counter_of,
    has_kind,
    has_unit,
    has_weapon,
    is_locked,
    is_multi_man,
    perceived_enemies,
    true_id,
    unit,
    units,
    units_at,
    weapon,
    weapon_row,
    weapons,
    weapons_of,
)
from lnl.state.setting import setting_of, tables_of
from lnl.words.naming import name_of
from umpire.kernel.book.points import Sum
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 3.0"
CARRYING = "core 1.6.1"
TRIPODS = "core 1.6.1.01"
JAMS = "core 1.6.1.1"
ELIGIBLE = ("leader", "commissar", "hero", "scout", "advisor")
"""Single men who may carry and fire a support weapon; medics, chaplains, nurses and snipers may not. `core 1.6.1`,
`core 11.6`, `core 11.7`"""


carrying: Sum[[State, Unit, Weapon]] = Sum("carrying a weapon", rule=CARRYING)
"""What else forbids a unit to carry a weapon, with the traits of the weapon; the reason follows the unit's name. Some
are too heavy for one man, `hona 1.6.6`."""


# Portage


def portage(state: State, each: Unit) -> int:
    """How many support weapons a unit may carry: a squad two, a half-squad, crew or eligible single man one.
    `core 1.6.1`, `core 1.6.3`"""
    kind = counter_of(state, each).kind
    tables = tables_of(state)
    if kind == "squad":
        return tables.number("squad_portage")
    if kind in ("half_squad", "crew"):
        return tables.number("half_squad_portage")
    return tables.number("single_man_portage") if kind in ELIGIBLE else 0


def may_take(state: State, each: Unit, gun: Weapon, *, instead_of: str = "") -> str:
    """Why a unit may not take this support weapon as well, "" where it may. `core 1.6.1`"""
    room = portage(state, each)
    if not room:
        return "may carry no support weapon"
    if not each.is_good_order:
        return "is not in Good Order"
    held = [gun for gun in carried(state, each) if gun != instead_of]
    if len(held) >= room:
        return f"carries {len(held)} already, and may no more than {room}"
    traits = (*weapon_row(state, gun).traits, *gun.traits)
    found = carrying(setting_of(state).active, traits, state, each, gun).refusals
    return found[0].reason if found else ""


def bars_moving(state: State, each: Unit) -> Weapon | None:
    """The weapon that keeps its owner where he is: one that stands on its tripod or base plate. `core 1.6.1.01`,
    `core 1.6.22`"""
    return next((gun for gun in weapons_of(state, each) if gun.is_set_up and weapon_row(state, gun).set_up), None)


def can_be_flipped(state: State, gun: Weapon) -> bool:
    """Whether a weapon has another side to show. `core 1.6.1.01`"""
    row = weapon_row(state, gun)
    return row.set_up and bool(row.other_side)


# PickUp


def _loose(state: State, each: Unit) -> Iterator[Weapon]:
    """What lies in a unit's place and is nobody's."""
    return (gun for gun in weapons(state) if not gun.owner and gun.at == each.at and each.is_placed)


def _enemies_in_hex(state: State, each: Unit) -> bool:
    return any(foe.at[:2] == each.at[:2] for foe in perceived_enemies(state, each.command))


def check_pick_up(believed: Believed, seat: Seat, order: PickUp) -> Iterable[Refusal]:
    """A Good Order unit takes a weapon of either side that lies in its place, where no enemy is in its hex. `core
    1.6.1`, `core 3.0`"""
    if found := list(not_our_units(believed, seat, (order.unit,), "unit", RULE)):
        return found
    each = unit(believed, order.unit)
    if order.weapon not in [gun.id for gun in _loose(believed, each)]:
        return [Refusal("No such weapon lies here.", RULE, "weapon")]
    if why := may_take(believed, each, weapon(believed, order.weapon)):
        return [Refusal(f"{name_of(believed, each.id)} {why}.", CARRYING, "unit")]
    if is_locked(believed, each) or _enemies_in_hex(believed, each):
        return [Refusal("There are enemies in its hex.", CARRYING, "unit")]
    return []


def pick_up(state: State, seat: Seat, order: PickUp) -> Ruling[State]:
    """It is the unit's now. `core 3.0`"""
    piece = true_id(state, seat.commands, order.weapon)
    if piece is None or not has_weapon(state, piece) or weapon(state, piece).owner:
        return state
    return (yield from tell(WeaponTaken(weapon=piece, unit=order.unit)))


def pick_up_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a unit what lies in its place."""
    if subject is None or not has_unit(believed, subject):
        return
    for gun in sorted(_loose(believed, unit(believed, subject)), key=lambda gun: gun.id):
        if not any(check_pick_up(believed, seat, PickUp(unit=subject, weapon=gun.id))):
            yield Form(
                verb="PickUp",
                label=f"Pick up {name_of(believed, gun.id)}",
                subject=(subject, gun.id),
                fixed={"unit": subject, "weapon": gun.id},
                rule=RULE,
            )


# HandOver


def check_hand_over(believed: Believed, seat: Seat, order: HandOver) -> Iterable[Refusal]:
    """Between two Good Order units of one place, not in Melee; in exchange where the taker is full. `core 3.0`"""
    gun = _mine(believed, seat, order.weapon)
    if gun is None:
        return [Refusal("No unit of yours has this weapon.", RULE, "weapon")]
    if found := list(not_our_units(believed, seat, (gun.owner, order.unit), "unit", RULE)):
        return found
    giver, taker = unit(believed, gun.owner), unit(believed, order.unit)
    if giver.id == taker.id or giver.at != taker.at:
        return [Refusal("Weapons pass between two units of one place.", RULE, "unit")]
    if not giver.is_good_order or not taker.is_good_order:
        return [Refusal("Only Good Order units pass weapons on.", RULE, "unit")]
    if is_locked(believed, giver):
        return [Refusal("They are locked in Melee.", RULE, "unit")]
    if order.exchange and order.exchange not in carried(believed, taker):
        return [Refusal("The other unit has no such weapon to give.", RULE, "exchange")]
    if why := may_take(believed, taker, gun, instead_of=order.exchange):
        return [Refusal(f"{name_of(believed, taker.id)} {why}.", CARRYING, "unit")]
    if order.exchange and (why := may_take(believed, giver, weapon(believed, order.exchange), instead_of=order.weapon)):
        return [Refusal(f"{name_of(believed, giver.id)} {why}.", CARRYING, "exchange")]
    return []


def hand_over(state: State, seat: Seat, order: HandOver) -> Ruling[State]:
    """It has another owner, and where they exchange, the other one too. `core 3.0`"""
    giver = weapon(state, order.weapon).owner
    state = yield from tell(WeaponTaken(weapon=order.weapon, unit=order.unit))
    if order.exchange:
        state = yield from tell(WeaponTaken(weapon=order.exchange, unit=giver))
    return state


def hand_over_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a unit with a weapon those beside it who may have it, in exchange for what they hold or for nothing."""
    if subject is None or not has_unit(believed, subject) or not is_mine(seat, unit(believed, subject)):
        return
    each = unit(believed, subject)
    for gun in carried(believed, each):
        yield from _hand_over_forms(believed, seat, each, gun)


def _hand_over_forms(believed: Believed, seat: Seat, each: Unit, gun: str) -> Iterator[Form]:
    for exchange in (
        "",
        *(held for other in units_at(believed, each.at, each.side) for held in carried(believed, other)),
    ):
        takers = [
            other
            for other in units_at(believed, each.at, each.side)
            if not any(check_hand_over(believed, seat, HandOver(weapon=gun, unit=other.id, exchange=exchange)))
        ]
        if takers:
            name = name_of(believed, gun)
            label = f"Exchange {name} for {name_of(believed, exchange)}" if exchange else f"Pass on {name}"
            choices = tuple(
                Choice(id=other.id, label=name_of(believed, other.id), pieces=(other.id,)) for other in takers
            )
            yield Form(
                verb="HandOver",
                label=label,
                subject=(each.id,),
                fixed={"weapon": gun, "exchange": exchange},
                slots=(ChoiceSlot(name="unit", label="To whom", choices=choices),),
                rule=RULE,
            )


# Drop and Flip


def _mine(state: State, seat: Seat, piece: str) -> Weapon | None:
    """A weapon that a unit of the seat has."""
    if not has_weapon(state, piece):
        return None
    gun = weapon(state, piece)
    is_own = gun.owner and has_unit(state, gun.owner) and is_mine(seat, unit(state, gun.owner))
    return gun if is_own else None


def _in_hand(believed: Believed, seat: Seat, piece: str, kinds: tuple[str, ...], what: str) -> list[Refusal]:
    gun = _mine(believed, seat, piece)
    if gun is None:
        return [Refusal("No unit of yours has this weapon.", RULE, "weapon")]
    if found := list(not_our_units(believed, seat, (gun.owner,), "weapon", RULE)):
        return found
    owner = unit(believed, gun.owner)
    if not owner.is_good_order or not has_kind(believed, owner, *kinds):
        return [Refusal(what, RULE, "weapon")]
    return [Refusal("Its owner is locked in Melee.", RULE, "weapon")] if is_locked(believed, owner) else []


def check_drop(believed: Believed, seat: Seat, order: Drop) -> Iterable[Refusal]:
    """Only a Good Order squad drops a weapon. `core 3.0`"""
    return _in_hand(believed, seat, order.weapon, ("squad",), "Only a Good Order squad drops a weapon.")


def drop(state: State, seat: Seat, order: Drop) -> Ruling[State]:
    """It lies in the place of its owner. `core 3.0`"""
    return (yield from tell(WeaponDropped(weapon=order.weapon, at=weapon(state, order.weapon).at)))


def check_flip(believed: Believed, seat: Seat, order: Flip) -> Iterable[Refusal]:
    """A Good Order squad or half-squad flips a weapon that has another side. `core 1.6.1.01`, `core 1.6.22`"""
    what = "A Good Order squad or half-squad sets it up or takes it down."
    if found := _in_hand(believed, seat, order.weapon, ("squad", "half_squad"), what):
        return found
    if not can_be_flipped(believed, weapon(believed, order.weapon)):
        return [Refusal("It has no other side.", TRIPODS, "weapon")]
    return []


def flip(state: State, seat: Seat, order: Flip) -> Ruling[State]:
    """It shows its other side. `core 1.6.1.01`"""
    return (yield from tell(WeaponFlipped(weapon=order.weapon, is_set_up=not weapon(state, order.weapon).is_set_up)))


def drop_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a unit what it may drop."""
    for gun in _held(believed, subject):
        if not any(check_drop(believed, seat, Drop(weapon=gun))):
            yield _form(believed, "Drop", f"Drop {name_of(believed, gun)}", subject, gun)


def flip_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a unit what it may set up or take down."""
    for gun in _held(believed, subject):
        if not any(check_flip(believed, seat, Flip(weapon=gun))):
            is_up = weapon(believed, gun).is_set_up
            label = f"Make {name_of(believed, gun)} ready to move" if is_up else f"Set {name_of(believed, gun)} up"
            yield _form(believed, "Flip", label, subject, gun)


def _held(believed: Believed, subject: str | None) -> tuple[str, ...]:
    return carried(believed, unit(believed, subject)) if subject is not None and has_unit(believed, subject) else ()


def _form(believed: Believed, verb: str, label: str, subject: str | None, gun: str) -> Form:
    return Form(verb=verb, label=label, subject=(subject or "",), fixed={"weapon": gun}, rule=RULE)


# Jams


@at_moment("rally", "ends")
def clear_jams(state: State) -> Ruling[State]:
    """A jammed weapon is clear when the Rally Phase ends with it in the hands of a Good Order unit. `core 1.6.1.1`"""
    for gun in list(weapons(state)):
        if gun.is_jammed and gun.owner and unit(state, gun.owner).is_good_order:
            state = yield from tell(WeaponJammed(weapon=gun.id, is_jammed=False))
    return state


# What is worth waiting for


def has_decisions(state: State, command: str) -> bool:
    """Whether a unit of a command might take a weapon that lies beside it or that another one holds, or flip one."""
    mine = [each for each in units(state) if each.command == command and each.is_placed and each.is_good_order]
    for each in mine:
        if is_locked(state, each):
            continue
        if not _enemies_in_hex(state, each) and any(not may_take(state, each, gun) for gun in _loose(state, each)):
            return True
        beside = units_at(state, each.at, each.side)
        others = [
            other
            for other in beside
            if other.id != each.id and other.is_good_order and is_known(state, (command,), other)
        ]
        if any(not may_take(state, each, gun) for other in others for gun in weapons_of(state, other)):
            return True
        may_flip = is_multi_man(state, each) and has_kind(state, each, "squad", "half_squad")
        if may_flip and any(can_be_flipped(state, gun) for gun in weapons_of(state, each)):
            return True
    return False


PHASE = ("rally",)
handles(PickUp, check=check_pick_up, resolve=pick_up, options=pick_up_forms, phases=PHASE, rule=RULE, role="aside")
handles(
    HandOver, check=check_hand_over, resolve=hand_over, options=hand_over_forms, phases=PHASE, rule=RULE, role="aside"
)
handles(Drop, check=check_drop, resolve=drop, options=drop_forms, phases=PHASE, rule=RULE, role="aside")
handles(Flip, check=check_flip, resolve=flip, options=flip_forms, phases=PHASE, rule=TRIPODS, role="aside")
