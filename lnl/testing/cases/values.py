"""What a case may ask of Lock 'n Load, each a function whose parameters are read by their types. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from lnl.board.ground import level_of
from lnl.board.hexes import Place
from lnl.board.sight import Line
from lnl.book.designations import designation
from lnl.book.rows import CounterRow
from lnl.knowledge.sighting import is_adjacent
from lnl.rules.fire import damage_checks
from lnl.rules.fire import smoke as smokes
from lnl.rules.fire.attacks import Attack
from lnl.rules.fire.target_modifiers import target_modifiers
from lnl.rules.fire.volley import targets_at, worked_out
from lnl.rules.hidden import spotting as spottings
from lnl.rules.melee import strength as melees
from lnl.rules.men import leaders
from lnl.rules.men.morale import cover_bonus, morale_of
from lnl.rules.movement import movement
from lnl.rules.movement import reach as reaching
from lnl.rules.movement import stacking as stacks
from lnl.rules.turn import activation
from lnl.state.battle import Manner, State, Unit, Weapon
from lnl.state.finding import apart, commands_of, counter_of, line, side_of, terrain_at, units_at, weapons_of
from lnl.state.finding import units as all_units
from lnl.state.setting import ground_of, setting_of, sight, tables_of
from lnl.words.naming import place_words
from umpire.kernel.values.modifiers import total
from umpire.testing.cases.words import CaseFault, plain, unknown

Verdict = Literal["accepted", "refused"]
Units = tuple[Unit, ...]
Guns = tuple[Weapon, ...]

# Sight and ground


def line_of_sight(state: State, from_: Place, to: Place) -> str:
    found = line(state, from_, to)
    return "blocked" if found.is_blocked else f"degraded {found.degrading}" if found.degrading else "clear"


def degrading(state: State, from_: Place, to: Place) -> int:
    return line(state, from_, to).degrading


def obstacles(state: State, from_: Place, to: Place) -> list[str]:
    """The hexes (or hexsides) that bear on a line."""
    found: Line = line(state, from_, to)
    return [each.at for each in found.obstacles]


def asymmetric_lines(state: State) -> int:
    """Of how many pairs of places the lines differ by direction, in what they say and in what bears on them."""
    places = [at for at in ground_of(state).places() if at[2] >= 0]
    lines = sight(state)
    differing = 0
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            is_odd = lines.line(one, other) != lines.line(other, one)
            differing += is_odd or lines.sees(one, other) != lines.field(other).sees(one)
    return differing


def range_(state: State, from_: Place, to: Place) -> int:
    return apart(from_, to)


def adjacent(state: State, from_: Place, to: Place) -> bool:
    return is_adjacent(state, from_, to)


def level(state: State, at: Place) -> int:
    """The level of whoever is at a place."""
    return level_of(ground_of(state), at, tables_of(state).ground.terrain)


def obstacle_level(state: State, at: Place) -> int:
    """The level of the top of what stands in a hex."""
    here = ground_of(state).at(at[:2])
    assert here is not None
    return here.elevation + terrain_at(state, at).height


def _commands(state: State, name: str) -> Sequence[str]:
    setting = setting_of(state)
    if name in setting.commands:
        return (name,)
    return commands_of(state, name) or unknown("the side", name, (*setting.commands, *setting.sides))


def spotted(state: State, at: Place, by: str = "") -> bool:
    """Whether a place is spotted for a side; for the enemies of who is there, if none is named."""
    sides = {each.side for each in units_at(state, at)}
    commands = _commands(state, by) if by else [each for each in state.commands if side_of(state, each) not in sides]
    return any(spottings.is_spotted(state, each, at) for each in commands)


def spotting(state: State, unit: Unit, to: Place) -> int:
    """The highest die with which a unit spots a place."""
    return spottings.needed(state, unit.command, to) - total(spottings.working(state, unit, to))


# Fire


def firepower(
    state: State,
    units: Units,
    target: Place,
    weapons: Guns = (),
    holding: Units = (),
    leader: str = "",
    how: Literal["direct", "opportunity"] = "direct",
) -> int:
    """What is added to the attack die against those in a place."""
    first = units[0]
    if not units_at(state, target):
        raise CaseFault(f"nobody is in {place_words(state, target)} to be fired at", at="target")
    attack = Attack(
        command=first.command,
        place=first.at,
        units=tuple(each.id for each in units),
        weapons=tuple(each.id for each in weapons),
        holding=tuple(each.id for each in holding),
        leader=leader,
        target=target,
        targets=targets_at(state, target, first.side, first.at),
        how=how,
    )
    volley = worked_out(state, attack)
    return total(volley.attack) + total(volley.aims[0].extra)


def target_modifier(
    state: State, units: Units = (), at: Place = (0, 0, 0), from_: Place | None = None, mortar: bool = False
) -> int:
    """What is added to a unit's defence die; of a hex without a unit what its terrain and what lies there give."""
    there = units or units_at(state, at)
    some = there[0] if there else next(iter(all_units(state)))
    each = some if there else Unit(id=some.id, command=some.command, side=some.side, counter=some.counter, at=at)
    return total(target_modifiers(state, each, from_, mortar=mortar))


def damage(state: State, unit: Unit, total: Any) -> str | list[str]:
    """What a total of a Damage Check does to a unit as it is now; of several totals each."""
    scale = damage_checks.scale_of(state, unit)
    return [scale.damage(each) for each in total] if isinstance(total, list) else scale.damage(total)


# Movement and stacking


def cost(
    state: State, units: Units, path: tuple[Place, ...], manner: Manner = "move", double_time: bool = False
) -> int | str:
    """The movement points of a path; "impossible" where there is no way or they do not suffice."""
    at = units[0].at
    spent: Mapping[str, int] = {each.id: 0 for each in units}
    for number, step in enumerate(path):
        way = {"manner": manner, "double_time": double_time, "spent": spent, "entered": tuple(path[:number])}
        made = movement.made(state, units, at, step, **way)  # type: ignore[arg-type]
        if made.why:
            return "impossible"
        at, spent = step, made.spent
    return max(spent.values())


def allowance(state: State, units: Units, manner: Manner = "move", double_time: bool = False) -> int:
    return movement.allowance(state, units[0], manner, double_time, units)[0]


def reach(state: State, units: Units, manner: Manner = "move", double_time: bool = False) -> list[str]:
    """The places that units can reach together."""
    found = reaching.reachable(state, list(units), manner, double_time)
    return [place_words(state, at) for at in sorted(found)]


def stacking(state: State, units: Units = (), at: Place | None = None) -> Verdict:
    """Whether these units may be in one place, alone, or with those of their side in `at`; those who are there."""
    stack = list(units or units_at(state, at or (0, 0, 0)))
    ids = [each.id for each in stack]
    is_crowd = stacks.room_for(state, at, stack[0].side, ids) if at else stacks.too_many(state, stack[0].at, stack)
    return "refused" if is_crowd else "accepted"


def counts(state: State, units: Units = (), at: Place = (0, 0, 0), side: str = "") -> list[float]:
    """How many squads and single men units count for: those named, or those of a side in a place."""
    halves, men = stacks.counts(state, list(units or units_at(state, at, side)))
    return [halves // 2 if halves % 2 == 0 else halves / 2, men]


def activates(state: State, from_: Place, side: str = "") -> list[str]:
    """The places that an impulse that begins there can be extended to, the first among them."""
    commands = _commands(state, side or units_at(state, from_)[0].side)
    return [place_words(state, each) for each in activation.activatable(state, commands, from_)]


# Men


def morale(state: State, unit: Unit) -> int:
    return morale_of(state, unit)[0]


def cover(state: State, unit: Unit) -> int:
    """What terrain and works take off a unit's morale check."""
    return total(cover_bonus(state, unit))


def leadership(state: State, unit: Unit) -> int:
    return leaders.leadership(state, unit)


def smoke(state: State, unit: Unit) -> int:
    """The highest die with which a unit lays smoke."""
    return smokes.capability(state, unit)


def reduces(state: State, unit: Unit) -> list[str]:
    """What casualties make of a squad: for an odd die, and for an even one where that differs."""
    row = counter_of(state, unit)
    table = tables_of(state).book.table("counters", CounterRow)
    halves = [table[key] for key in (row.reduces, row.reduces_even) if key]
    return [f"{half.firepower}-{half.range}-{half.movement}" for half in halves]


# Melee


def melee_firepower(state: State, units: Units, weapons: Guns | None = None) -> int:
    """The melee firepower of units together, each with the weapons that serve it best, or with those named."""
    found = 0
    for each in units:
        guns = melees.weapons_used(state, each)
        if weapons is not None:
            guns = tuple(gun.id for gun in weapons_of(state, each) if gun in weapons)
        found += melees.strength(state, each, guns)
    return found


def _attack(state: State, attackers: Units, defenders: Units) -> melees.MeleeAttack:
    used = {each.id: melees.weapons_used(state, each) for each in (*attackers, *defenders)}
    return melees.attack_of(state, [each.id for each in attackers], [each.id for each in defenders], used)


def odds_(state: State, attackers: Units | int, defenders: Units | int) -> str:
    """The odds of units against others, or of so much firepower against so much."""
    if isinstance(attackers, int) or isinstance(defenders, int):
        assert isinstance(attackers, int)
        assert isinstance(defenders, int)
        rows = [row for row in tables_of(state).melee if attackers * row.defence >= defenders * row.attack]
        return max(rows, key=lambda row: row.column, default=tables_of(state).melee[0]).name
    return _attack(state, attackers, defenders).odds


def kill_number(state: State, attackers: Units | int = 0, defenders: Units | int = 0, odds: str = "") -> int:
    """The number that kills at these odds, or of these attackers (or their firepower) against these defenders."""
    name = plain(odds).replace(":", "-") if odds else odds_(state, attackers, defenders)
    rows = {row.name: row.kill for row in tables_of(state).melee}
    return rows[name] if name in rows else unknown("the odds", name, rows)


# The book


def parse(state: State, text: str) -> list[Any]:
    """A dash string: firepower, range, movement, morale, morale when Shaken ("unset" where none is printed), marks."""
    found = designation(text)
    if found is None:
        raise CaseFault(f"{text!r} is no dash string, such as 2-5-4-6", at=text)
    made: list[Any] = [found.firepower, found.range, found.movement]
    made += ["unset"] if found.morale is None else [found.morale, found.shaken_morale]
    made += [f"melee +{found.melee_bonus}"] if found.melee_bonus else []
    return [*made, *map(plain, found.traits)]


def table(state: State, table: str, row: str, column: str) -> Any:
    """Any cell of the book."""
    return tables_of(state).book.origin(table, row, column).value


VALUES: Final[Mapping[str, Callable[..., Any]]] = {
    plain(each.__name__.rstrip("_")): each
    for each in (
        *(line_of_sight, degrading, obstacles, asymmetric_lines, range_, adjacent, level, obstacle_level),
        *(spotted, spotting, firepower, target_modifier, damage),
        *(cost, allowance, reach, stacking, counts, activates),
        *(morale, cover, leadership, smoke, reduces),
        *(melee_firepower, odds_, kill_number, parse, table),
    )
}
