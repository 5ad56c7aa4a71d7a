"""Values of melee and of the book that a case file may ask for. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from lnl.book.designations import designation
from lnl.book.rows import CounterRow
from lnl.rules.melee import strength as melee_strength
from lnl.state.battle import State
from lnl.state.finding import counter_of, weapons_of
from lnl.state.setting import tables_of
from lnl.testing.cases.figures import guns_of, many, one
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

# Melee


def _melee_firepower(state: State, units: Any, weapons: Any = None) -> int:
    """The melee firepower of units together, each with the weapons that serve it best, or with those named."""
    named = None if weapons is None else guns_of(state, units, weapons)
    found = 0
    for each in many(state, units):
        guns = melee_strength.weapons_used(state, each)
        if named is not None:
            guns = tuple(gun.id for gun in weapons_of(state, each) if gun.id in named)
        found += melee_strength.strength(state, each, guns)
    return found


def _melee(state: State, attackers: Any, defenders: Any) -> melee_strength.MeleeAttack:
    striking = many(state, attackers)
    used = {each.id: melee_strength.weapons_used(state, each) for each in (*striking, *many(state, defenders))}
    return melee_strength.attack_of(
        state, [each.id for each in striking], [each.id for each in many(state, defenders)], used
    )


def _odds(state: State, attackers: Any, defenders: Any) -> str:
    """The odds of units against others, or of so much firepower against so much."""
    if isinstance(attackers, int) and isinstance(defenders, int):
        rows = [row for row in tables_of(state).melee if attackers * row.defence >= defenders * row.attack]
        return max(rows, key=lambda row: row.column, default=tables_of(state).melee[0]).name
    return _melee(state, attackers, defenders).odds


def _kill_number(state: State, attackers: Any = (), defenders: Any = (), odds: str = "") -> int:
    """The number that kills at these odds, or of these attackers (or their firepower) against these defenders."""
    if isinstance(attackers, int) and isinstance(defenders, int):
        odds = _odds(state, attackers, defenders)
    if odds:
        found = [row for row in tables_of(state).melee if row.name == str(odds).replace(":", "-")]
        if not found:
            unknown("the odds", odds, [row.name for row in tables_of(state).melee])
        return found[0].kill
    return _melee(state, attackers, defenders).needed


# The book


def _parse(state: State, text: str) -> list[Any]:
    """A dash string: firepower, range, movement, morale, morale when Shaken ("unset" where none is printed), marks."""
    found = designation(text)
    if found is None:
        raise CaseFault(f"{text!r} is no dash string, such as 2-5-4-6", at=text)
    made: list[Any] = [found.firepower, found.range, found.movement]
    made += ["unset"] if found.morale is None else [found.morale, found.shaken_morale]
    made += [f"melee +{found.melee_bonus}"] if found.melee_bonus else []
    return [*made, *(word.replace("_", " ") for word in found.traits)]


def _reduces(state: State, units: Any, die: int = 0) -> list[str]:
    """What casualties make of a squad: for an odd die, and for an even one where that differs; or for this die."""
    row = counter_of(state, one(state, units))
    table = tables_of(state).book.table("counters", CounterRow)
    keys = [key for key in (row.reduces, row.reduces_even) if key]
    keys = keys[1 - die % 2 :][:1] if die and len(keys) > 1 else keys
    return [f"{table[key].firepower}-{table[key].range}-{table[key].movement}" for key in keys]


def _table(state: State, table: str, row: str, column: str) -> Any:
    """Any cell of the book."""
    return tables_of(state).book.origin(table, row, column).value


TABLE_VALUES: Final[Mapping[str, Callable[..., Any]]] = {
    "kill number": _kill_number,
    "melee firepower": _melee_firepower,
    "odds": _odds,
    "parse": _parse,
    "reduces": _reduces,
    "table": _table,
}
