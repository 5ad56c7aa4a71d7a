"""What a case file may ask of Lock 'n Load: `ask = { value = "line of sight", from = "E3", to = "G2" }`.
`docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any, Final

from lnl.case_figures import VALUES
from lnl.case_orders import VERBS, order
from lnl.case_words import plain, unknown
from lnl.package import LockNLoad
from lnl.state import Believed, State
from umpire.kernel.cases import CaseFault
from umpire.kernel.codec import codec_of
from umpire.kernel.states import Seat, slice_of

SYNONYMS: Final[Mapping[str, str]] = {
    "los": "line of sight",
    "sight": "line of sight",
    "distance": "range",
    "degrading hexes": "degrading",
    "degrade": "degrading",
    "obstacle height": "obstacle level",
    "fp": "firepower",
    "attack firepower": "firepower",
    "tm": "target modifier",
    "terrain modifier": "target modifier",
    "movement cost": "cost",
    "mp": "cost",
    "movement allowance": "allowance",
    "mf": "allowance",
    "stack": "stacking",
    "legal": "check",
    "order": "check",
    "spotted status": "spotted",
    "is spotted": "spotted",
    "spotting roll": "spotting",
    "needed to spot": "spotting",
    "melee fp": "melee firepower",
    "melee kill": "kill number",
    "melee odds": "odds",
    "dc": "damage",
    "damage check": "damage",
    "damage result": "damage",
    "activatable": "activates",
    "units activated": "activates",
    "designation": "parse",
    "counter": "parse",
    "dash string": "parse",
    "reachable": "reach",
    "cell": "table",
}
"""Values by other words."""
OTHER_WORDS: Final[Mapping[str, str]] = {
    "from": "origin",
    "of": "origin",
    "a": "origin",
    "b": "to",
    "at": "place",
    "hex": "place",
    "unit": "units",
    "weapon": "weapons",
    "side": "by",
    "seat": "by",
    "attacker": "attackers",
    "defender": "defenders",
    "against": "defenders",
}
"""What `ask` may call its other entries."""


def asked(state: State, ask: Mapping[str, Any], seats: Mapping[str, Seat], package: LockNLoad) -> Any:
    """The value of an `ask`. Raises CaseFault for one that is not known, or asked for with other words."""
    given = {plain(key): value for key, value in ask.items()}
    name = plain(str(given.pop("value", "")))
    name = SYNONYMS.get(name, name)
    if name == "check":
        return _check(state, given, seats, package)
    if name not in VALUES:
        unknown("the value", name, (*VALUES, *SYNONYMS, "check"))
    known = list(signature(VALUES[name]).parameters)[1:]
    values: dict[str, Any] = {}
    for key, value in given.items():
        other = key.replace(" ", "_")
        word = other if other in known else OTHER_WORDS.get(other, other)
        if word not in known:
            unknown(f"of the value {name!r} the word", key, (*known, *OTHER_WORDS))
        values[word] = value
    try:
        return VALUES[name](state, **values)
    except TypeError as fault:
        raise CaseFault(f"the value {name!r} is asked for otherwise: {fault}", at=name) from fault


def agrees(value: Any, wanted: Any) -> bool:
    """Whether a value is what a case says: in small letters, lists in any order, with words for lines of sight."""
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
    if found := re.fullmatch(r"(?:not blocked )?degrade[ds]? (?:by )?(\d)(?: hex(?:es)?)?", other):
        return one == (f"degraded {found[1]}" if found[1] != "0" else "clear")
    return False


def _simple(value: Any) -> str:
    return plain(str(value).replace(",", " "))


def _truth(value: Any) -> Any:
    return {"yes": True, "true": True, "no": False, "false": False}.get(_simple(value), _simple(value))


_OTHERS: Final[Mapping[str, str]] = {
    "rejected": "refused",
    "reject": "refused",
    "illegal": "refused",
    "not allowed": "refused",
    "no": "refused",
    "false": "refused",
    "ok": "accepted",
    "legal": "accepted",
    "allowed": "accepted",
    "yes": "accepted",
    "true": "accepted",
    "none": "none",
    "no effect": "none",
    "prohibited": "impossible",
    "impassable": "impossible",
    "clear 0": "clear",
}


# Orders


def _check(state: State, given: Mapping[str, Any], seats: Mapping[str, Seat], package: LockNLoad) -> str:
    """Whether an order would be accepted; the rule by which it would be refused stands behind "refused"."""
    made = dict(given.get("order", given))
    name = str(made.pop("seat", given.get("seat", "")))
    if name not in seats:
        unknown("the seat", name, seats)
    seat = seats[name]
    if VERBS.get(plain(str(made.get("verb", "")))) is None:
        unknown("the verb", str(made.get("verb", "")), VERBS)
    typed = codec_of(package).order(order(state, seat, made))
    found = package.check(_believed(state, seat.commands, package), seat, typed)
    return f"refused by {found[0].rule}" if found and "rule" in given else "refused" if found else "accepted"


def _believed(state: State, commands: Sequence[str], package: LockNLoad | None = None) -> Believed:
    made: Believed = (package or LockNLoad()).believed(slice_of(state, tuple(commands)))
    return made
