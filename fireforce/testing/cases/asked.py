"""What a case file may ask of FireForce: `ask = { value = "fire points", base = 6, halved = ["soft cover"] }`.
`docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Final, get_args

from fireforce.book.kinds import Save
from fireforce.book.rows import Hour, Manner, Mode, MoveGoing, Quality, Side
from fireforce.package import PACKAGE
from fireforce.state.battle import State
from fireforce.testing.cases import figures as case_figures
from fireforce.testing.cases import measures as case_measures
from fireforce.testing.cases.marks import OTHERS as MARKS
from fireforce.testing.cases.marks import results
from fireforce.testing.cases.orders import KINDS, order
from fireforce.testing.cases.words import plain
from umpire.kernel.book.book import UnknownKey
from umpire.kernel.codec import codec_of
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.settings import BadInput
from umpire.kernel.states import Seat, slice_of
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

VALUES: Final = {**case_figures.VALUES, **case_measures.VALUES}
SYNONYMS: Final[Mapping[str, str]] = {
    "fp": "fire points",
    "points of fire": "fire points",
    "criticals": "potential criticals",
    "potential critical hits": "potential criticals",
    "critical": "critical number",
    "saving throw": "save",
    "motivation": "motivation result",
    "result": "motivation result",
    "movement": "move",
    "distance": "range",
    "los": "line of sight",
    "sight": "line of sight",
    "vp": "victory points",
    "setup": "set up",
    "cell": "table",
    "legal": "check",
    "order": "check",
    "close combat result": "close combat",
    "gone to": "counts as",
    "quality": "counts as",
    "mn": "motivation number",
    "motivation modifiers": "motivation modifier",
    "save needed": "save number",
    "needed": "save number",
    "save modifiers": "save modifier",
    "weapon range": "range",
    "hearing distance": "hearing",
    "spotting distance": "spotting",
}
"""Values by other words."""
OTHER_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "from": ("of", "figures", "against"),
    "a": ("of",),
    "b": ("to",),
    "at": ("place", "to"),
    "figure": ("of", "figures"),
    "unit": ("figure",),
    "shooters": ("figures",),
    "points": ("fire_points",),
    "fp": ("fire_points",),
    "double": ("doubled",),
    "halve": ("halved",),
    "target": ("to", "figure"),
    "against": ("enemy",),
    "scorer": ("side",),
    "noise": ("what",),
    "kind": ("what", "target"),
    "time": ("hour",),
    "dice": ("die",),
    "roll": ("die",),
    "d20": ("die",),
    "d10": ("die",),
    "d6": ("die",),
    "ground": ("place",),
}
"""What `ask` may call its other entries, where the value has no entry of that name."""
WORDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "side": get_args(Side),
    "enemy": get_args(Side),
    "quality": (*get_args(Quality), "sniper"),
    "hour": get_args(Hour),
    "manner": get_args(Manner),
    "going": get_args(MoveGoing),
    "mode": get_args(Mode),
    "place": (*get_args(Save), "prepared"),
}
"""What the words of an `ask` may be."""
LIKE: Final[Mapping[str, Mapping[str, str]]] = {
    "manner": {"run": "running", "walk": "tactical"},
    "going": {"good going": "good", "bad going": "bad", "on a road": "road"},
    "mode": {"card": "cards", "umpire": "map", "umpire map": "map"},
    "place": {
        "soft cover": "soft",
        "village": "soft",
        "paddy": "soft",
        "hard cover": "jungle",
        "hard": "jungle",
        "forest": "jungle",
        "ambush": "prepared",
        "prepared ambush": "prepared",
        "prepared position": "prepared",
        "the open": "open",
    },
}
"""Words for them."""


def asked(state: State, ask: Mapping[str, Any], source: ScriptedDice, seats: Mapping[str, Seat]) -> Any:
    """The value of an `ask`. Raises CaseFault for one that is not known, or asked for with other words."""
    given = dict(ask)
    said = str(given.pop("value", ""))
    name = SYNONYMS.get(plain(said), plain(said))
    if name == "check":
        return _check(state, given, seats)
    key = name.replace(" ", "_")
    if key not in VALUES:
        unknown("the value", said, (*VALUES, *SYNONYMS, "check"))
    values = _values(VALUES[key], said, given)
    try:
        return VALUES[key](state, source, **values)
    except (TypeError, ValueError) as fault:
        raise CaseFault(f"the value {said!r} is asked for otherwise: {fault}", at=said) from fault
    except UnknownKey as fault:
        raise CaseFault(str(fault), at=said) from fault


def _values(function: Callable[..., Any], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of an `ask` by the names that its value has for them."""
    known = list(signature(function).parameters)[2:]
    values: dict[str, Any] = {}
    for key, value in given.items():
        words = plain(key).replace(" ", "_")
        others = [each for each in OTHER_WORDS.get(plain(key), ()) if each not in given]
        word = next((each for each in (words, *others) if each in known), "")
        if not word:
            unknown(f"of the value {name!r} the word", key, known)
        if word in WORDS_OF and value:
            text = plain(value)
            value = LIKE.get(word, {}).get(text, text)
            if value not in WORDS_OF[word]:
                unknown(f"the {word}", text, WORDS_OF[word])
        values[word] = value
    return values


def _check(state: State, given: Mapping[str, Any], seats: Mapping[str, Seat]) -> str:
    """Whether an order would be accepted: "accepted" or "refused"."""
    made = dict(given.get("order", given))
    name = str(made.pop("seat", given.get("seat", "")))
    if name not in seats:
        unknown("the seat", name, seats)
    seat = seats[name]
    ordered = order(state, seat, made)
    if ordered["verb"] not in KINDS:
        unknown("the verb", str(made.get("verb", "")), KINDS)
    try:
        typed = codec_of(PACKAGE).order(ordered)
    except (ValueError, BadInput) as fault:
        raise CaseFault(f"the order cannot be read: {fault}", at=str(made.get("verb", ""))) from fault
    believed = PACKAGE.believed(slice_of(state, seat.commands))
    return "refused" if list(PACKAGE.check(believed, seat, typed)) else "accepted"


# Whether a value is what the case says

SAME: Final[Mapping[str, str]] = {
    "rejected": "refused",
    "reject": "refused",
    "illegal": "refused",
    "not allowed": "refused",
    "false": "refused",
    "no": "refused",
    "ok": "accepted",
    "legal": "accepted",
    "allowed": "accepted",
    "true": "accepted",
    "yes": "accepted",
    "not blocked": "clear",
    "no line of sight": "blocked",
    "saves": "saved",
    "pinned": "saved",
    "pass": "saved",
    "fail": "casualty",
    "killed": "casualty",
    "los": "sight",
    "line of sight": "sight",
    "off": "never",
}


def agrees(value: Any, wanted: Any) -> bool:
    """Whether a value is what `is` says: words in any letters, results of motivation by name or key."""
    if isinstance(value, list | tuple) and isinstance(wanted, list | tuple):
        return len(value) == len(wanted) and all(agrees(a, b) for a, b in zip(value, wanted, strict=True))
    if isinstance(wanted, bool) and value in ("clear", "blocked"):
        return bool((value == "clear") == wanted)
    if isinstance(value, int | float) and isinstance(wanted, int | float) and not isinstance(value, bool):
        return value == wanted
    return _simple(value) == _simple(wanted)


def _simple(value: Any) -> str:
    text = re.sub(r"^(\d+)\+$", r"\1", plain(value))  # a number to be equalled or exceeded: 7+
    text = text if text in results() else MARKS.get(text, text)
    text = results().get(text, text)
    return SAME.get(text, text)
