"""Support weapons in fire: who fires how many, with what firepower, instead of what. `core 1.6.1`, `core 1.6.2`

A squad fires one beside its own firepower, or two without it; a half-squad, crew or eligible single man one instead of
it. Captured weapons and those of single men have half their firepower, rounded up, and never a quarter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lnl.board.hexes import Place
from lnl.book.rows import WeaponRow
from lnl.rules.works.support_weapons import ELIGIBLE
from lnl.state.battle import State, Unit, Weapon
from lnl.state.finding import apart, counter_of, has_kind, is_captured, is_single_man, terrain_at, weapon_row
from lnl.state.setting import setting_of, tables_of
from umpire.kernel.book.points import One
from umpire.kernel.values.modifiers import Modifier, Refusal

RULE = "core 1.6.1"
BY_THEMSELVES = ("ordnance", "claymore")
"""Weapons that add no firepower to a fire attack. `core 5.2`, `core 21.5`"""
RULES: Mapping[str, str] = {"satchel": "core 1.6.2", "flamethrower": "core 1.6.2", "mortar": "core 1.6.22"}
"""The sections of weapons that have one of their own."""
THROWN = ("satchel",)
"""Weapons that no modifier of the attack but leadership touches. `core 1.6.2`"""

captured_firepower: One[[int, int], int] = One("captured firepower", rule=RULE)
"""What is left of the firepower (the first number) of a captured weapon, with the book's divisor."""


@captured_firepower.printed
def _captured(rule: str, firepower: int, divisor: int) -> int:
    return -(-firepower // divisor)


def fired_row(state: State, gun: Weapon) -> WeaponRow:
    """The values of the side that a weapon shows. `core 1.6.1.01`"""
    row = weapon_row(state, gun)
    return tables_of(state).weapon(row.fired_as) if row.fired_as and not gun.is_set_up else row


def is_ready(state: State, gun: Weapon) -> bool:
    """Whether a weapon can be fired as it is: not jammed, not dismantled. `core 1.6.1.01`, `core 1.6.1.1`"""
    row = weapon_row(state, gun)
    return not gun.is_jammed and (gun.is_set_up or row.other_side != "dismantled")


def most_weapons(state: State, each: Unit) -> int:
    """How many support weapons a unit fires at most. `core 1.6.1`, `core 1.6.3`"""
    kind = counter_of(state, each).kind
    if kind == "squad":
        return tables_of(state).number("squad_weapons_fired")
    return 1 if kind in ("half_squad", "crew") or kind in ELIGIBLE else 0


def forfeits(state: State, each: Unit, weapons: int) -> bool:
    """Whether a unit that fires so many support weapons has no firepower of its own left. `core 1.6.1`"""
    return weapons > (1 if counter_of(state, each).kind == "squad" else 0)


def weapon_firepower(state: State, holder: Unit, gun: Weapon, *, alone: bool) -> Modifier:
    """What a support weapon adds in the hands of a unit. `core 1.6.1`, `core 1.6.2`, `core 1.6.22`

    A single man fires at half, rounded up, whosever the weapon was, but for satchel charges, and but for heroes (and
    mortars) that fire with others. `alone`: no other unit takes part.
    """
    row = fired_row(state, gun)
    tables = tables_of(state)
    divisor = tables.number("captured_divisor")
    status = "house" if tables.is_house("weapons", row.key, "firepower") else ""
    value, reason = row.firepower, row.name
    if is_single_man(state, holder):
        is_full = row.use in THROWN or (not alone and (has_kind(state, holder, "hero") or row.use == "mortar"))
        if not is_full:
            value, reason = -(-row.firepower // divisor), f"{row.name}, fired by one man"
    elif is_captured(gun, holder):
        traits = (*row.traits, *gun.traits)
        value = captured_firepower(setting_of(state).active, traits, row.firepower, divisor)
        reason = f"{row.name}, captured"
    return Modifier(value, reason, RULES.get(row.use, RULE), status)


def weapon_refusals(
    state: State, each: Unit, guns: Sequence[Weapon], target: Place, *, opportunity: bool
) -> Iterator[Refusal]:
    """Why a unit may not fire these of its weapons at a place. `core 1.6.1`, `core 1.6.22`"""
    name = counter_of(state, each).name
    most = most_weapons(state, each)
    if len(guns) > most:
        words = "no support weapon" if most == 0 else f"no more than {most} of them"
        yield Refusal(f"{name} may fire {words}.", RULE, "weapons")
    for gun in guns:
        if why := _why_not(state, each, gun, target, opportunity):
            row = fired_row(state, gun)
            yield Refusal(f"{row.name} {why}", RULES.get(row.use, RULE), "weapons")


def _why_not(state: State, each: Unit, gun: Weapon, target: Place, opportunity: bool) -> str:
    row = fired_row(state, gun)
    if gun.owner != each.id:
        return "is in nobody's hands who fires."
    if row.use in BY_THEMSELVES:
        return "does not take part in fire attacks."
    if not is_ready(state, gun):
        return "is jammed." if gun.is_jammed else "is dismantled."
    if row.use == "mortar":
        if opportunity:
            return "takes no opportunity fire."
        if terrain_at(state, each.at).bars_mortars:
            return "cannot be fired from here."
    distance = apart(each.at, target)
    if distance > row.range:
        return f"reaches {row.range} hexes, the target is {distance} away."
    if distance < row.minimum_range:
        return f"fires no closer than {row.minimum_range} hexes."
    return ""
