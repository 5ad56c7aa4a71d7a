"""What pieces are and what a step has come to, in the words of case files of Lock 'n Load, where no field says it.
`docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from lnl.book.designations import designation
from lnl.happening.fire import Fired
from lnl.happening.melee import MeleeFought
from lnl.happening.movement import Stopped
from lnl.happening.turn import Happened
from lnl.rules.hidden.spotting import is_unit_spotted
from lnl.rules.men.leaders import leadership
from lnl.rules.men.morale import morale_of
from lnl.state.battle import State, Unit, Weapon
from lnl.state.finding import carried, counter_of, is_open, melee_at, weapon
from lnl.state.setting import setting_of, tables_of
from lnl.testing.cases.counters import KINDS
from umpire.kernel.ledger import Asked, Entry, Thrown
from umpire.testing.cases.language import Fact, events_of, last, rolled
from umpire.testing.cases.words import plain, unknown

# What pieces are


def _is_spotted(state: State, each: Unit) -> bool:
    others = (name for name, command in setting_of(state).commands.items() if command.side != each.side)
    return any(is_unit_spotted(state, name, each.id) for name in others)


def _has(state: State, each: Unit, what: str) -> bool:
    """Whether a unit has a weapon (`two mg34`), or a skill."""
    guns = carried(state, each)
    if what in ("nothing", "weapon"):
        return bool(guns) != (what == "nothing")
    times, _, word = what.partition(" ") if what.startswith("two ") else ("", "", what)
    held = [gun for gun in guns if is_called(state, gun, word) or gun == what]
    book = tables_of(state).book.tables
    known = (*book["weapons"], *book["skills"], *guns)
    if not held and not any(word.replace(" ", "_") in key.lower() for key in known):
        unknown("the weapon or skill", what, known)
    return len(held) == 2 if times else bool(held) or word.replace(" ", "_") in each.skills


def is_called(state: State, gun: str, word: str) -> bool:
    """Whether a weapon is called so: by its counter, with its nation or without."""
    counter, key = weapon(state, gun).counter, plain(word).replace(" ", "_").replace("_mm", "mm")
    return counter == key or counter.endswith(f"_{key}") or counter.startswith(f"case_{key}_")


def _is_counter(state: State, each: Unit, kind: str | None, numbers: str | None) -> bool:
    row = counter_of(state, each)
    dash = designation(numbers) if numbers else None
    return (not kind or row.kind == KINDS[kind]) and (dash is None or dash.fits(row))


def _melee(state: State, each: Unit) -> Any:
    return melee_at(state, each.at)


# What a step has come to


def _total(purpose: str, *, faces: bool = True) -> Fact:
    def function(state: State, entries: Sequence[Entry]) -> int | None:
        found = [each for each in entries if isinstance(each, Thrown) and each.roll.purpose.endswith(purpose)]
        if not found:
            return None
        return rolled(found[-1]) if faces else sum(modifier.value for modifier in found[-1].roll.modifiers)

    return function


def _difference(state: State, entries: Sequence[Entry]) -> int | None:
    attack, defence = _total("attack")(state, entries), _total("defence")(state, entries)
    return None if attack is None or defence is None else attack - defence


def _offers(state: State, entries: Sequence[Entry]) -> int:
    asked = [entry.questions.values() for entry in entries if isinstance(entry, Asked)]
    return sum(any(each.kind == "opportunity_fire" for each in questions) for questions in asked)


def _each_attack(name: str) -> Fact:
    """Of the melee attacks of a step: both sides strike, and one of their attacks must be so."""
    return lambda state, entries: [getattr(event, name) for event in events_of(entries, MeleeFought)] or None


def _impulse(state: State, entries: Sequence[Entry]) -> str:
    going = [state.public.impulse, *(part.impulse for part in state.commands.values())]
    return next((each.command for each in going if each is not None and each.places), "none")


def _happened(state: State, entries: Sequence[Entry]) -> str:
    return ", ".join(dict.fromkeys(event.key for event in events_of(entries, Happened))) or "nothing"


PATTERNS: Final[Mapping[type[Any], Mapping[str, Callable[..., Any]]]] = {
    Unit: {
        "unmarked": lambda state, each: not (each.moved or each.fired or each.ops_complete),
        "moved": lambda state, each: each.moved == "move",
        "failed to rally": lambda state, each: "rally" in each.attempts and each.is_shaken,
        "in melee|melee": lambda state, each: _melee(state, each) is not None,
        "melee fought": lambda state, each: (found := _melee(state, each)) is not None and found.fought,
        "melee not fought": lambda state, each: (found := _melee(state, each)) is not None and not found.fought,
        "concealed|hidden": lambda state, each: not is_open(state, each.id),
        "open": lambda state, each: is_open(state, each.id),
        "spotted": _is_spotted,
        "off map": lambda state, each: not each.is_placed,
        "reduced": lambda state, each: counter_of(state, each).kind == "half_squad",
        r"morale (\d+)": lambda state, each, number: morale_of(state, each)[0] == int(number),
        r"lm ?(\d+)": lambda state, each, number: leadership(state, each) == int(number),
        "has (?!called)(.+)": _has,
        rf"({'|'.join(KINDS)})?(?(1) ?)(\d[\dm/-]*-\S+)?": _is_counter,
    },
    Weapon: {"with (.+)": lambda state, gun, name: gun.owner.lower() == name},
}
FACTS: Final[Mapping[str, Fact]] = {
    "attack": _total("attack"),
    "defence": _total("defence"),
    "difference": _difference,
    "firepower": _total("attack", faces=False),
    "damage check": _total("damage check"),
    "happened": _happened,
    "impulse": _impulse,
    "initiative": lambda state, entries: state.public.held or "none",
    "needed": _each_attack("needed"),
    "odds": _each_attack("odds"),
    "offers": _offers,
    "opportunity fires": lambda state, entries: sum(each.how == "opportunity" for each in events_of(entries, Fired)),
    "stopped": last(Stopped, "why"),
}
