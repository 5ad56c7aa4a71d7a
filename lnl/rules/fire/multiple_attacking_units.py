"""Several units that fire together: what each adds, and the sum. `core 5.2`, `core 5.4`

One unit leads with all its firepower, every further MMC adds half of its own, heroes add all of theirs, support weapons
theirs. Fractions are kept (here in quarters) and the sum is rounded up once.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.support_weapon_fire import THROWN, fired_row, forfeits, weapon_firepower
from lnl.rules.men.skill_cards import skill_modifiers
from lnl.state.battle import State, Unit, Weapon
from lnl.state.finding import apart, counter_of, has_kind, is_multi_man, present, traits_of, weapons_of
from lnl.state.setting import setting_of, tables_of
from umpire.kernel.book.points import One
from umpire.kernel.values.modifiers import Modifier

RULE = "core 5.2"
QUARTERS = 4
"""Halves of halves occur: a supporting unit beyond its printed range."""

FIRING = ("hero", "sniper", "scout")
"""Single men with firepower of their own, a scout's being 0. `core 11.2`, `core 11.4`, `core 11.7`"""

supporting_firepower: One[[int], int] = One("supporting firepower", rule=RULE)
"""What a further MMC adds, of its own firepower; both in quarters of a point. Partisans: `hotm 13.1.1`."""

own_firepower: One[[State, Unit, int], int | None] = One("own firepower", rule="core 5.4")
"""A unit's own firepower at a range, in quarters of a point; None where it has none to add. Who is low on ammunition
has less, `hona 13.1.5`."""


@supporting_firepower.printed
def _half(rule: str, quarters: int) -> int:
    return quarters // 2


class Shares(Struct, frozen=True, kw_only=True):
    """What the firers of an attack add up to before its modifiers.

    `thrown_only`: nothing but satchel charges takes part. `has_mortar`: the higher of two dice is thrown.
    `is_barrage`: it is the fire of a mortar team, which stays; a light mortar makes no barrage. `jams`: the
    weapon that would jam, with what it adds. `own`: the units whose inherent firepower takes part.
    """

    modifiers: tuple[Modifier, ...]
    thrown_only: bool = False
    has_mortar: bool = False
    is_barrage: bool = False
    has_flamethrower: bool = False
    jams: tuple[str, int] | None = None
    own: tuple[str, ...] = ()


def shares(state: State, made: Attack) -> Shares:
    """The firepower of an attack, with its working. `core 5.2`"""
    firing = present(state, made.units)
    alone = len(firing) == 1
    own: list[tuple[int, Unit]] = []
    whole: list[Modifier] = []
    guns: list[tuple[Unit, Weapon]] = []
    for each in firing:
        fired = [gun for gun in weapons_of(state, each) if gun.id in made.weapons]
        guns.extend((each, gun) for gun in fired)
        if each.id in made.holding or forfeits(state, each, len(fired)):
            continue
        quarters = inherent(state, each, apart(made.place, made.target))
        if quarters is None:
            continue
        own.append((quarters, each))
        if not is_multi_man(state, each):
            whole.extend(skill_modifiers(state, each, "marksman"))
    armed = [(gun, weapon_firepower(state, holder, gun, alone=alone)) for holder, gun in guns]
    rows = [fired_row(state, gun) for _, gun in guns]
    jamming = next(((gun.id, adds.value) for gun, adds in armed if fired_row(state, gun).jams), None)
    is_barrage = any(counter_of(state, each).use == "mortar" for each in firing)
    return Shares(
        modifiers=(*_added(state, own), *whole, *(adds for _, adds in armed)),
        thrown_only=not own and bool(rows) and all(row.use in THROWN for row in rows),
        has_mortar=is_barrage or any(row.use == "mortar" for row in rows),
        is_barrage=is_barrage,
        has_flamethrower=any(makes_retreat(row.use, row.traits) for row in rows),
        jams=jamming,
        own=tuple(each.id for _, each in own),
    )


def makes_retreat(use: str, traits: tuple[str, ...]) -> bool:
    """Whether a weapon drives those whom it shakes out of their hex: flamethrowers do, and others whose data say so.
    `core 1.6.2`, `hid 1.6.5`"""
    return use == "flamethrower" or "drives_out" in traits


def inherent(state: State, each: Unit, distance: int) -> int | None:
    """A unit's own firepower at a range, in quarters; None where it has none to add. `core 5.4`, `core 11.1`"""
    return own_firepower(setting_of(state).active, traits_of(state, each), state, each, distance)


@own_firepower.printed
def _by_its_counter(rule: str, state: State, each: Unit, distance: int) -> int | None:
    """What the counter prints; beyond a boxed range, up to twice, half of it. `core 5.4`"""
    row = counter_of(state, each)
    if not (is_multi_man(state, each) or has_kind(state, each, *FIRING)) or row.use == "ordnance":
        return None
    if distance < row.minimum_range:
        return None
    if distance <= row.range:
        return row.firepower * QUARTERS
    if row.extended_range and distance <= 2 * row.range:
        return row.firepower * QUARTERS // 2
    return None


def _added(state: State, own: Sequence[tuple[int, Unit]]) -> tuple[Modifier, ...]:
    """What units add of their own: the one that leads, those that support it, single men all of theirs. Fractions are
    added up, and what remains of them is rounded up once, with the last that brought one. `core 5.2`, `core 11.2`"""
    active = setting_of(state).active
    led = sorted((entry for entry in own if is_multi_man(state, entry[1])), key=lambda one: (-one[0], one[1].id))
    parts = [(quarters, "lead unit", RULE, "") for quarters, _ in led[:1]]
    if rest := led[1:]:
        added = sum(supporting_firepower(active, traits_of(state, each), quarters) for quarters, each in rest)
        parts.append((added, "supporting unit" if len(rest) == 1 else f"{len(rest)} supporting units", RULE, ""))
    for quarters, each in own:
        if not is_multi_man(state, each):
            row = counter_of(state, each)
            status = "house" if tables_of(state).is_house("counters", row.key, "firepower") else ""
            parts.append((quarters, row.name, RULE, status))
    last = max((index for index, part in enumerate(parts) if part[0] % QUARTERS), default=-1)
    found: list[Modifier] = []
    so_far = 0
    for index, (quarters, reason, rule, status) in enumerate(parts):
        before = so_far // QUARTERS
        so_far += quarters
        upto = -(-so_far // QUARTERS) if index >= last else so_far // QUARTERS
        found.append(Modifier(upto - before, reason, rule, status))
        if index == last:
            so_far = upto * QUARTERS
    return tuple(found)
