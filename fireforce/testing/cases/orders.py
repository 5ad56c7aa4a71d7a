"""Orders of a case file as the API has them: verbs in words, names for pieces, inches. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from msgspec import convert
from msgspec.structs import fields as fields_of

from fireforce.package import PACKAGE
from fireforce.state.battle import (
    Standing,
    State,
)
from fireforce.state.finding import (
    figure,
    figures,
    has_figure,
    members_of,
    squads,
)
from fireforce.testing.cases.battle import PHASE_WORDS
from fireforce.testing.cases.words import bare, length, meaning, named_in, place, plain, the_place
from umpire.kernel.events import alias_of
from umpire.kernel.states import Seat
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

KINDS: Final[Mapping[str, type[Any]]] = {
    kind.__name__: kind for kind in (*get_args(PACKAGE.orders), *get_args(PACKAGE.corrections))
}
VERBS: Final[Mapping[str, str]] = {
    **{bare(name): name for name in KINDS},
    "roll": "Motivate",
    "gamble": "DesperateGamble",
    "advance": "Move",
    "run": "Move",
    "walk": "Move",
    "rollmotivation": "Motivate",
    "rollformotivation": "Motivate",
    "shoot": "Fire",
    "fight": "CloseCombat",
    "take": "TakeStores",
    "destroy": "DestroyStores",
    "drop": "DropStores",
    "gungroup": "FormGunGroup",
    "turnup": "TurnCard",
}
"""Verbs of orders and corrections, letters only, and by other words."""
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "men": ("figures",),
    "man": ("figure", "figures"),
    "shooters": ("figures",),
    "firers": ("figures",),
    "units": ("figures",),
    "unit": ("figure", "squad", "figures"),
    "squad": ("figures",),
    "to": ("path",),
    "place": ("at",),
    "at": ("target", "card"),
    "target": ("card",),
}
"""Fields of orders by other words, where the order has no field of that name."""
FIRES: Final[Mapping[str, bool]] = {
    "aimed": True,
    "aimed fire": True,
    "prophylactic": False,
    "prophylactic fire": False,
}
"""Words for how it is fired: aimed, or not."""
MANNERS: Final[Mapping[str, str]] = {
    "tactical": "tactical",
    "walk": "tactical",
    "walking": "tactical",
    "running": "running",
    "run": "running",
}


def verb_of(given: Mapping[str, Any]) -> str:
    """The verb of an order, whatever it is called."""
    word = str(given.get("verb", ""))
    return VERBS.get(bare(word), "Fire" if plain(word) in FIRES else word)


def order(state: State, seat: Seat, given: Mapping[str, Any]) -> dict[str, Any]:
    """An order as the API takes it: names of what belongs to others become what the seat calls them; inches become the
    package's integers. Raises CaseFault."""
    word, verb = str(given.get("verb", "")), verb_of(given)
    fields: Sequence[str] = KINDS[verb].__struct_fields__ if verb in KINDS else ()
    made: dict[str, Any] = {"verb": verb}
    if plain(word) in FIRES:
        made["aimed"] = FIRES[plain(word)]
    if verb == "Move" and bare(word) == "run":
        made["manner"] = "running"
    for key, value in given.items():
        if key == "prophylactic" and "aimed" in fields:
            made["aimed"] = not value
        elif key in ("mode", "fire") and "aimed" in fields and plain(value) in FIRES:
            made["aimed"] = FIRES[plain(value)]
        elif key != "verb":
            name = _field(key, fields)
            if fields and name not in fields:
                unknown(f"of the order {verb} the word", key, fields)
            made[name] = _value(state, seat, verb, name, value)
    return made


def _field(key: str, fields: Sequence[str]) -> str:
    if key in fields or not fields:
        return key
    for name in (*FIELDS.get(key, ()), f"{key}s", key.removesuffix("s")):
        if name in fields:
            return name
    return key


def _value(state: State, seat: Seat, verb: str, key: str, value: Any) -> Any:
    if key in ("at", "withdraw_to") and value is not None:
        return list(the_place(value))
    if key == "path":
        return path(value)
    if key == "paths":
        return {name: path(each) for name, each in value.items()}
    if key == "fire_range":
        return length(value)
    if key == "phase":
        return PHASE_WORDS.get(plain(value), value)
    if key == "manner":
        return MANNERS.get(plain(value), value)
    if key == "standing" and isinstance(value, str):
        return _standing(value, value)
    if key in ("legs", "standing", "plan"):
        return lengths(value)
    if key == "field" or (verb == "Change" and key == "value"):
        return value
    if key == "squad" and f"squad {value}" in {unit.id for unit in squads(state)}:
        return f"squad {value}"
    if key in ("figures", "second"):
        if not isinstance(value, list | str):
            raise CaseFault(f'{value!r} are no figures, such as ["r1", "r2"]', at=key)
        return [_name(state, seat, name) for word in named_in(value) for name in _men(state, word)]
    if isinstance(value, str):
        return _name(state, seat, value)
    if isinstance(value, list):
        return [_name(state, seat, each) if isinstance(each, str) else each for each in value]
    return value


def _men(state: State, word: str) -> list[str]:
    """Whom a name among figures means: a man, the fit ones of a line (`r*4`) or of a squad."""
    if has_figure(state, word):
        return [word]
    if found := meaning(word, [man.id for man in figures(state)]):
        return [name for name in found if figure(state, name).is_fit]
    unit = next((unit for unit in squads(state) if unit.id in (word, f"squad {word}")), None)
    return [word] if unit is None else [man.id for man in members_of(state, unit)]


def path(value: Any) -> list[list[int]]:
    """A path as a list of places, one place, or a text with `to` or blanks between them. Raises CaseFault."""
    if isinstance(value, str):
        value = value.replace(" to ", " ").split()
    if len(value) == 2 and all(isinstance(each, int | float) for each in value):
        value = [value]
    return [list(the_place(each)) for each in value]


def lengths(value: Any) -> Any:
    """Places and lengths of plans and standing orders in hundredths."""
    if isinstance(value, Mapping):
        return {
            key: length(inner)
            if key == "fire_range"
            else list(the_place(inner))
            if key == "withdraw_to" and inner is not None
            else path(inner)
            if key == "path"
            else lengths(inner)
            for key, inner in value.items()
        }
    return [lengths(each) for each in value] if isinstance(value, list) else value


def _name(state: State, seat: Seat, name: str) -> str:
    """What the seat calls a piece: by its alias where it is another's and hidden."""
    if seat.role == "umpire":
        return name
    return next((alias for each in seat.commands if (alias := alias_of(state, each, name))), name)


# Standing orders

SAYS: Final[Mapping[str, tuple[str, ...]]] = {
    field.name: get_args(field.type) for field in fields_of(Standing) if get_args(field.type)
}
"""What may be said of fire, criticals and losses."""


def standing(lines: Sequence[str]) -> dict[str, Standing]:
    """`guerrilla: losses in order, criticals forgo`, `squad 9: fire free, range 10`: by command or squad."""
    found: dict[str, Standing] = {}
    for line in lines:
        who, colon, said = line.partition(":")
        if not colon:
            raise CaseFault(f"{line!r} is not: who, a colon, standing orders", at=line)
        try:
            found[who.strip()] = convert(_standing(said, line), Standing)
        except CaseFault:
            raise
        except Exception as fault:
            raise CaseFault(f"{line!r}: {fault}", at=line) from None
    return found


def _standing(said: str, line: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for each in said.split(","):
        text = plain(each)
        if found := re.fullmatch(r"(?:fire )?(?:with)?in(?: range)? (\S+)", text):
            values |= {"fire": "free", "fire_range": length(found[1])}
            continue
        key, _, value = text.partition(" ")
        key = {"critical": "criticals", "loss": "losses", "hold": "fire", "ask": "ask"}.get(key, key)
        if key == "range":
            values["fire_range"] = length(value)
        elif key in SAYS:
            values[key] = (value or "hold").replace(" ", "_")
            if values[key] not in SAYS[key]:
                unknown(f"the order to {key}", value, [each.replace("_", " ") for each in SAYS[key]])
        elif key == "ask":
            values |= {"criticals": "ask", "losses": "ask"}
        else:
            unknown("the standing order", key, (*SAYS, "range"))
    return values


def is_place(value: Any) -> bool:
    """Whether a value of an `ask` is a place and no name."""
    return isinstance(value, list) or (isinstance(value, str) and place(value) is not None)
