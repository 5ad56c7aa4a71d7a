"""What counts in melee: who may attack and be attacked there, with what firepower, at what odds.

`core 8.0`, `core 8.2`, `core 8.3`
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from lnl.board.hexes import Place
from lnl.book.rows import MeleeRow
from lnl.rules.fire.support_weapon_fire import fired_row, forfeits, is_ready, most_weapons, weapon_firepower
from lnl.rules.men.leaders import leadership, lent
from lnl.state.battle import State, Unit, Weapon
from lnl.state.belonging import nation_of
from lnl.state.finding import (
    carried,
    counter_of,
    has_kind,
    has_weapon,
    is_captured,
    is_leader,
    present,
    traits_of,
    units_at,
    weapon,
    weapon_row,
    weapons_of,
)
from lnl.state.setting import setting_of, tables_of
from umpire.kernel.book.points import One, Sum
from umpire.kernel.values.modifiers import Modifier, total

RULE = "core 8.0"
FIGHTERS = ("squad", "half_squad", "crew", "hero", "scout")
"""Who attacks and is attacked by himself: scouts fight as MMCs without firepower. `core 8.1`, `core 11.7`"""
ARMED = ("leader", "commissar", "advisor")
"""Who does so with a melee-eligible weapon only. `core 8.1`"""

ambush: One[[State, Unit, Place], int] = One("ambush", rule=RULE)
"""By how much a unit's firepower is multiplied as it enters a melee: more than once also strikes first. No unit of the
core rules ambushes; partisans and Belgians: `hotm 13.1.1`, `hid 13.3.1`."""
melee_modifier: Sum[[State, tuple[str, ...], tuple[str, ...]]] = Sum("melee roll", rule=RULE)
"""What is added to the dice of a melee attack: by id those who attack and those who are attacked."""
own_firepower: One[[State, Unit], int] = One("own firepower in melee", rule=RULE)
"""A unit's own firepower in melee. Who is low on ammunition has none, `hona 13.1.5`."""


@ambush.printed
def _no_ambush(rule: str, state: State, each: Unit, place: Place) -> int:
    return 1


@own_firepower.printed
def _by_its_counter(rule: str, state: State, each: Unit) -> int:
    return counter_of(state, each).firepower


def _own(state: State, each: Unit) -> int:
    return own_firepower(setting_of(state).active, traits_of(state, each), state, each)


# Who


def has_melee_weapon(state: State, each: Unit) -> bool:
    """Whether a unit holds a machine gun, flamethrower or charge that can be used. `core 8.3`"""
    return any(_is_usable(state, gun) for gun in weapons_of(state, each))


def _is_usable(state: State, gun: Weapon) -> bool:
    return weapon_row(state, gun).melee and is_ready(state, gun)


def can_attack(state: State, each: Unit) -> bool:
    """Whether a unit makes melee attacks: in Good Order, an MMC but no weapon team, a hero or scout, or a leader or
    advisor with a melee-eligible weapon. `core 8.1`, `core 1.6.3`"""
    if not each.is_good_order:
        return False
    return has_kind(state, each, *FIGHTERS) or (has_kind(state, each, *ARMED) and has_melee_weapon(state, each))


def is_eligible(state: State, each: Unit) -> bool:
    """Whether a unit may be attacked in melee, and keeps those from being removed who may not: whoever attacks, and
    weapon teams in Good Order. `core 8.1`"""
    return can_attack(state, each) or (each.is_good_order and has_kind(state, each, "weapon_team"))


def attackers_at(state: State, place: Place, side: str) -> tuple[Unit, ...]:
    """Who of a side attacks in a melee."""
    return tuple(each for each in units_at(state, place, side) if can_attack(state, each))


def eligible_at(state: State, place: Place, sides: Iterable[str]) -> tuple[Unit, ...]:
    """Who of these sides may be attacked in a melee."""
    among = set(sides)
    return tuple(each for each in units_at(state, place) if each.side in among and is_eligible(state, each))


# With what


def weapons_used(state: State, each: Unit, charges: Sequence[str] = (), leading: Sequence[str] = ()) -> tuple[str, ...]:
    """The weapons with which a unit fights best, within what it may use at a time; charges that are used up only where
    they are named. By id those who lead and help with nobody's weapon. `core 8.0`, `core 1.6.1`"""
    usable = [
        gun
        for gun in weapons_of(state, each)
        if _is_usable(state, gun) and (gun.id in charges or not fired_row(state, gun).once)
    ]
    if has_kind(state, each, "weapon_team") or not usable:
        return ()
    usable.sort(key=lambda gun: (gun.id not in charges, -_weapon(state, each, gun, leading).value, gun.id))
    best: tuple[str, ...] = ()
    for count in range(1, most_weapons(state, each) + 1):
        chosen = tuple(gun.id for gun in usable[:count])
        named = {gun for gun in charges if gun in chosen} - set(best)
        if len(chosen) == count and (
            named or _worth(state, each, chosen, leading) > _worth(state, each, best, leading)
        ):
            best = chosen
    return best


def _worth(state: State, each: Unit, weapons: Sequence[str], leading: Sequence[str]) -> tuple[int, bool]:
    """How well a unit fights with these: of as much firepower better what costs its side nothing of the dice."""
    return strength(state, each, weapons, leading), not is_zero(state, each, weapons)


def strength(state: State, each: Unit, weapons: Sequence[str], leading: Sequence[str] = ()) -> int:
    """The melee firepower of a unit with these weapons."""
    return total(firepower(state, each, weapons, leading))


def firepower(state: State, each: Unit, weapons: Sequence[str], leading: Sequence[str] = ()) -> tuple[Modifier, ...]:
    """The melee firepower of a unit with these weapons: its own, undivided, and theirs, or theirs instead of it. One
    without firepower fights with 1, a weapon team defends with 1. `core 8.0`, `core 8.2`, `core 1.6.3`"""
    row = counter_of(state, each)
    tables = tables_of(state)
    if row.kind == "weapon_team":
        return (Modifier(tables.number("melee_weapon_team"), row.name, "core 1.6.3"),)
    found: list[Modifier] = []
    if not forfeits(state, each, len(weapons)) and not has_kind(state, each, *ARMED):
        own = _own(state, each)
        status = "house" if own and tables.is_house("counters", row.key, "firepower") else ""
        value = own or tables.number("melee_zero_firepower")
        found.append(Modifier(value, row.name, RULE if own else "core 8.2", status))
        if row.melee_bonus:
            found.append(Modifier(row.melee_bonus, f"{row.name}: M", "core 8.2"))
    for held in weapons:
        if has_weapon(state, held):
            found.append(_weapon(state, each, weapon(state, held), leading))
    return tuple(found)


def _weapon(state: State, each: Unit, gun: Weapon, leading: Sequence[str]) -> Modifier:
    """A weapon's firepower in melee: as in fire, but that two leaders or advisors who share one use all of it.
    `core 8.0`"""
    if _mate(state, each, gun, leading) is not None:
        row = fired_row(state, gun)
        return Modifier(row.firepower, row.name, RULE)
    return _by_himself(state, each, gun)


def _by_himself(state: State, each: Unit, gun: Weapon) -> Modifier:
    mates = (other for other in units_at(state, each.at, each.side) if other.id != each.id)
    return weapon_firepower(state, each, gun, alone=not any(can_attack(state, other) for other in mates))


def _mate(state: State, each: Unit, gun: Weapon, leading: Sequence[str]) -> Unit | None:
    """The leader or advisor without a weapon who crews one with another, where it has more firepower for two: the one
    with the least leadership, which he forfeits; not one who leads instead. `core 8.0`, `core 1.6.1`"""
    if not has_kind(state, each, *ARMED) or is_captured(gun, each):
        return None
    if fired_row(state, gun).firepower <= _by_himself(state, each, gun).value:
        return None
    mates = (
        other
        for other in units_at(state, each.at, each.side)
        if other.id != each.id
        and other.is_good_order
        and has_kind(state, other, *ARMED)
        and not carried(state, other)
        and other.id not in leading
    )
    return min(mates, key=lambda other: (leadership(state, other), other.id), default=None)


def mates(state: State, each: Unit, weapons: Sequence[str], leading: Sequence[str] = ()) -> Iterator[Unit]:
    """Who crews these weapons with their owner."""
    for held in weapons:
        if has_weapon(state, held) and (mate := _mate(state, each, weapon(state, held), leading)) is not None:
            yield mate


def is_zero(state: State, each: Unit, weapons: Sequence[str]) -> bool:
    """Whether a unit counts as one without firepower: MMCs whose own is 0, whatever they fight with, and scouts who
    fire no weapon; a weapon team's 1 stands in its firepower's place. `core 8.2`, `core 11.7`"""
    row = counter_of(state, each)
    if row.kind == "scout":
        return not weapons
    return row.kind in ("squad", "half_squad", "crew") and _own(state, each) == 0


# Odds


class MeleeAttack(Struct, frozen=True, kw_only=True):
    """A melee attack worked out. `needed` is the number that kills, `modifiers` are added to the dice."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attack: tuple[Modifier, ...]
    defence: tuple[Modifier, ...]
    column: MeleeRow
    modifiers: tuple[Modifier, ...]
    is_too_weak: bool = False

    @property
    def odds(self) -> str:
        return self.column.name

    @property
    def needed(self) -> int:
        return self.column.kill


def attack_of(
    state: State,
    attackers: Sequence[str],
    defenders: Sequence[str],
    used: Mapping[str, Sequence[str]],
    *,
    times: Mapping[str, int] | None = None,
    leading: Sequence[str] = (),
) -> MeleeAttack:
    """A melee attack of units on others, each with the weapons that it uses; `times` multiplies the firepower of those
    who ambush, `leading` lead instead of firing a weapon. `core 8.0`, `core 8.2`, `core 13.0`

    `is_too_weak`: worse than the worst odds of the table, so no more than one unit may be attacked.
    """
    tables = tables_of(state)
    striking, struck = present(state, attackers), present(state, defenders)
    attack: list[Modifier] = []
    for each in striking:
        parts = firepower(state, each, used.get(each.id, ()), leading)
        factor = (times or {}).get(each.id, 1)
        attack.extend(parts if factor == 1 else [Modifier(total(parts) * factor, f"ambush × {factor}", RULE)])
    defence = [part for each in struck for part in firepower(state, each, used.get(each.id, ()))]
    strong, weak = total(attack), max(1, total(defence))
    columns = tables.melee
    reached = [row.column for row in columns if strong * row.defence >= weak * row.attack]
    is_too_weak = not reached
    column = max(reached, default=0)
    if any(has_kind(state, each, "hero") for each in striking):
        column += tables.number("hero_shift")
    crews = {mate.id for each in striking for mate in mates(state, each, used.get(each.id, ()), leading)}
    leader, shift = _led(state, column, striking, crews, used)
    return MeleeAttack(
        attackers=tuple(each.id for each in striking),
        defenders=tuple(each.id for each in struck),
        attack=tuple(attack),
        defence=tuple(defence),
        column=_column(columns, column + shift),
        modifiers=_to_the_dice(state, striking, struck, used, leader),
        is_too_weak=is_too_weak,
    )


def _column(columns: Sequence[MeleeRow], number: int) -> MeleeRow:
    return columns[min(max(number, 0), len(columns) - 1)]


def _led(
    state: State, column: int, striking: Sequence[Unit], crews: Collection[str], used: Mapping[str, Sequence[str]]
) -> tuple[Unit | None, int]:
    """Who leads an attack of these, and by how much its column shifts because those who take part are of several
    nations, him among them: one who neither fires a weapon nor helps to and is not Ops Complete; an ally only where he
    helps more than his coming costs (L260). `core 8.0`, `core 11.1`, `core 4.1`, `core 13.0`"""
    there = units_at(state, striking[0].at, striking[0].side) if striking else ()
    able = [each for each in there if is_leader(state, each) and not used.get(each.id) and each.id not in crews]
    leaders: list[Unit | None] = [None, *(each for each in able if lent(state, each))]
    nations = {nation_of(state, each) for each in (*striking, *present(state, crews))}
    columns = tables_of(state).melee
    mixed = tables_of(state).number("mixed_nations_shift")

    def shift(leader: Unit | None) -> int:
        with_him = nations if leader is None else nations | {nation_of(state, leader)}
        return mixed if len(with_him) > 1 else 0

    def needed(leader: Unit | None) -> int:
        return _column(columns, column + shift(leader)).kill - (0 if leader is None else lent(state, leader))

    best = min(leaders, key=needed)
    return best, shift(best)


def _to_the_dice(
    state: State,
    striking: Sequence[Unit],
    struck: Sequence[Unit],
    used: Mapping[str, Sequence[str]],
    leader: Unit | None,
) -> tuple[Modifier, ...]:
    """The leadership of who leads; 1 off for each attacker without firepower, 1 more for each defender. `core 8.0`,
    `core 8.2`"""
    found: list[Modifier] = []
    if leader is not None:
        found.append(Modifier(lent(state, leader), counter_of(state, leader).name, RULE))
    weak = sum(is_zero(state, each, used.get(each.id, ())) for each in striking)
    if weak:
        found.append(Modifier(-weak, f"{weak} without firepower attacking", "core 8.2"))
    weak = sum(is_zero(state, each, used.get(each.id, ())) for each in struck)
    if weak:
        found.append(Modifier(weak, f"{weak} without firepower defending", "core 8.2"))
    traits = frozenset(word for each in striking for word in traits_of(state, each))
    ids = tuple(each.id for each in striking), tuple(each.id for each in struck)
    return (*found, *melee_modifier(setting_of(state).active, traits, state, *ids).modifiers)
