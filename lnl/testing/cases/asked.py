"""What a case file may ask of Lock 'n Load: `ask = { value = "line of sight", from = "E3", to = "G2" }`.
`docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, Final

from lnl.package import LockNLoad
from lnl.state.battle import Believed, State
from lnl.testing.cases.figures import FIGURES
from lnl.testing.cases.ground import is_hex
from lnl.testing.cases.orders import order
from lnl.testing.cases.tables import TABLE_VALUES
from lnl.testing.cases.told import STANDING, told_now
from lnl.testing.cases.words import plain
from umpire.kernel.codec import codec_of
from umpire.kernel.states import Seat, slice_of
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

VALUES: Final[Mapping[str, Callable[..., Any]]] = {**FIGURES, **TABLE_VALUES}
SYNONYMS: Final[Mapping[str, str]] = {
    "los": "line of sight",
    "sight": "line of sight",
    "line": "line of sight",
    "distance": "range",
    "degrading hexes": "degrading",
    "degrade": "degrading",
    "intervening": "obstacles",
    "obstacle height": "obstacle level",
    "elevation": "level",
    "fp": "firepower",
    "attack firepower": "firepower",
    "tm": "target modifier",
    "terrain modifier": "target modifier",
    "movement cost": "cost",
    "mp": "cost",
    "points": "cost",
    "movement allowance": "allowance",
    "movement": "allowance",
    "mf": "allowance",
    "stack": "stacking",
    "stacks": "stacking",
    "counts for": "counts",
    "legal": "check",
    "order": "check",
    "allowed": "check",
    "accepted": "check",
    "spotted status": "spotted",
    "is spotted": "spotted",
    "spotting roll": "spotting",
    "spotting number": "spotting",
    "needed to spot": "spotting",
    "spot": "spotting",
    "melee fp": "melee firepower",
    "melee kill": "kill number",
    "kill": "kill number",
    "needed": "kill number",
    "melee table": "kill number",
    "melee odds": "odds",
    "dc": "damage",
    "damage check": "damage",
    "damage result": "damage",
    "activatable": "activates",
    "may activate": "activates",
    "units activated": "activates",
    "activation": "activates",
    "designation": "parse",
    "counter": "parse",
    "dash string": "parse",
    "squad designation": "parse",
    "reachable": "reach",
    "cell": "table",
    "reduction": "reduces",
    "casualties": "reduces",
    "lm": "leadership",
    "leadership modifier": "leadership",
    "smoke capability": "smoke",
    "smoke number": "smoke",
    "is adjacent": "adjacent",
}
"""Values by other words."""
_HERE: Final = ("at", "hex", "in", "of", "place", "unit", "units", "piece", "where")
OTHER_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "origin": ("from", "of", "a", "leader", "firer", "viewer", "spotter", *_HERE),
    "to": ("b", "target", "against", "into", *_HERE),
    "place": (*_HERE, "a", "target", "to"),
    "target": ("to", "against", *_HERE, "defender"),
    "units": ("unit", "of", "who", "piece", "stack", "leader", "medic", "spotter", "by", "from", "firers", "attackers"),
    "weapons": ("weapon", "with"),
    "holding": ("hold",),
    "by": ("side", "seat", "for", "command"),
    "attackers": ("attacker", "attack", "units", "by"),
    "defenders": ("defender", "defence", "against", "target", "targets"),
    "text": ("of", "string", "unit", "counter", "designation", "dash_string"),
    "total": ("totals", "roll", "result"),
    "odds": ("at", "column"),
    "path": ("hexes", "way", "along"),
    "double_time": ("dt", "hurried"),
    "die": ("dice", "face"),
}
"""What `ask` may call the other entries of a value: the first that the value has."""
TWO_ENDS: Final = ("between", "hexes", "from_to", "places", "path", "units")
"""Entries that may name both ends of a line in a list."""


def asked(state: State, ask: Mapping[str, Any], seats: Mapping[str, Seat], package: LockNLoad) -> Any:
    """The value of an `ask`. Raises CaseFault for one that is not known, or asked for with other words."""
    name, given = _named(ask)
    if name == "check":
        return _check(state, given, seats, package)
    if name not in VALUES:
        if name in STANDING:
            return told_now(state, name)
        unknown("the value", name or ", ".join(map(str, ask)), (*VALUES, *SYNONYMS, *STANDING, "check"))
    try:
        return VALUES[name](state, **_values(name, given))
    except TypeError as fault:
        if "argument" not in str(fault):
            raise
        raise CaseFault(f"the value {name!r} is asked for otherwise: {fault}", at=name) from fault


def _named(ask: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The value that is asked for, and its other entries: `{ value = "line of sight", from = "E3", to = "G2" }`, and
    also `{ line_of_sight = ["E3", "G2"] }`."""
    given = {plain(key): value for key, value in ask.items()}
    if "value" in given:
        word = plain(str(given.pop("value")))
        return SYNONYMS.get(word, word), given
    for key in list(given):
        word = SYNONYMS.get(key, key)
        if word in VALUES or word == "check":
            value = given.pop(key)
            if isinstance(value, Mapping):
                return word, {**given, **{plain(each): what for each, what in value.items()}}
            return word, given if value is True else {**given, "": value}
    return "", given


def _values(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The entries by the names of the function's parameters. Raises CaseFault."""
    known = list(signature(VALUES[name]).parameters)[1:]
    values: dict[str, Any] = {}
    for key, value in given.items():
        word = key.replace(" ", "_")
        if {"origin", "to"} <= set(known) and word not in known and word in ("", *TWO_ENDS):
            if (
                not word
                and isinstance(value, str)
                and is_hex(value.split()[0])
                and " " not in value
                and "-" not in value
            ):
                values["origin"] = value
                continue
            ends = value if isinstance(value, list) else re.split(r"\s*(?:-|\bto\b|,|\s)\s*(?=\d*[A-Z])", str(value))
            if len(ends) != 2:
                raise CaseFault(f"{value!r} is not two places, such as E3 and G2", at=str(value))
            values |= {"origin": ends[0], "to": ends[1]}
            continue
        if not word:
            values[known[0]] = value
            continue
        found = [word] if word in known else [each for each in known if word in OTHER_WORDS.get(each, ())]
        found.sort(key=lambda each: (each != "place", word not in known and OTHER_WORDS[each].index(word)))
        free = [each for each in found if each not in values and each not in given]
        if not found:
            words = (each for entry in known for each in (entry, *OTHER_WORDS.get(entry, ())))
            unknown(f"of the value {name!r} the word", key, words)
        values[word if word in known else (free or found)[0]] = value
    return values


PARSED: Final = ("firepower", "range", "movement", "morale", "shaken morale")
"""What the numbers of a dash string are."""


def agrees(value: Any, wanted: Any) -> bool:
    """Whether a value is what a case says: in small letters, lists in any order, with words for lines of sight."""
    if isinstance(wanted, Mapping) and isinstance(value, list):
        named = dict(zip(PARSED, value, strict=False)) | {_simple(mark): True for mark in value[len(PARSED) :]}
        return all(agrees(named.get(plain(key), False), each) for key, each in wanted.items())
    if isinstance(value, list) or isinstance(wanted, list):
        mine = value if isinstance(value, list) else [value]
        theirs = wanted if isinstance(wanted, list) else [wanted]
        return sorted(_simple(each) for each in mine) == sorted(_simple(each) for each in theirs)
    if isinstance(value, bool) or isinstance(wanted, bool):
        return bool(_truth(value) == _truth(wanted))
    one: str = _simple(value)
    other: str = _simple(wanted)
    if _OTHERS.get(other, other) == _OTHERS.get(one, one):
        return True
    if other in ("not blocked", "unblocked", "open"):
        return one.startswith(("clear", "degraded "))
    if other in ("degraded", "degrading"):
        return one.startswith("degraded ")
    if other in ("spotted", "adjacent") or one in ("true", "false"):
        return bool(_truth(one) == (False if other.startswith("not ") else _truth(other)))
    if found := re.fullmatch(r"(?:not blocked )?degrad(?:e[ds]?|ing)? (?:by )?(\d)(?: hex(?:es)?)?", other):
        return one == (f"degraded {found[1]}" if found[1] != "0" else "clear")
    return False


def _simple(value: Any) -> str:
    return plain(re.sub(r"(?<=\d):(?=\d)", "-", str(value)).replace(",", " "))


def _truth(value: Any) -> Any:
    word = _simple(value)
    if word.startswith("degraded "):
        return True
    return {
        **dict.fromkeys(("yes", "true", "accepted", "ok", "legal", "clear", "spotted", "adjacent"), True),
        **dict.fromkeys(("no", "false", "refused", "rejected", "illegal", "blocked", "impossible"), False),
    }.get(word, word)


_OTHERS: Final[Mapping[str, str]] = {
    "rejected": "refused",
    "reject": "refused",
    "illegal": "refused",
    "not allowed": "refused",
    "not legal": "refused",
    "no": "refused",
    "false": "refused",
    "ok": "accepted",
    "legal": "accepted",
    "allowed": "accepted",
    "yes": "accepted",
    "true": "accepted",
    "no effect": "none",
    "nothing": "none",
    "prohibited": "impossible",
    "impassable": "impossible",
    "not possible": "impossible",
    "clear 0": "clear",
    "casualty": "casualties",
    "reduced": "casualties",
}


# Orders


def _check(state: State, given: Mapping[str, Any], seats: Mapping[str, Seat], package: LockNLoad) -> str:
    """Whether an order would be accepted; the rule by which it would be refused stands behind "refused"."""
    order_given = given.get("order", given.get("", given))
    made = dict(order_given) if isinstance(order_given, Mapping) else dict(given)
    name = str(made.pop("seat", given.get("seat", "")))
    by_rule = made.pop("rule", given.get("rule", False))
    if name not in seats:
        unknown("the seat", name, seats)
    seat = seats[name]
    typed = codec_of(package).order(order(state, seat, made))
    found = package.check(_believed(state, seat.commands, package), seat, typed)
    return f"refused by {found[0].rule}" if found and by_rule else "refused" if found else "accepted"


def _believed(state: State, commands: Sequence[str], package: LockNLoad | None = None) -> Believed:
    made: Believed = (package or LockNLoad()).believed(slice_of(state, tuple(commands)))
    return made
