"""Orders, answers and dice of a case file as the API has them: names for pieces, places by name. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from msgspec import to_builtins

from lnl.board.hexes import Place
from lnl.package import PACKAGE
from lnl.state.battle import State
from lnl.state.finding import counter_of, has_unit, has_weapon, impulse_of, unit, weapon
from lnl.state.setting import setting_of
from lnl.testing.cases.ground import is_hex
from lnl.testing.cases.names import group, names_of, piece, place, the_piece
from lnl.testing.cases.standing import standing
from lnl.testing.cases.words import plain
from umpire.kernel.events import alias_of
from umpire.kernel.states import Seat
from umpire.testing.cases.words import unknown

VERBS: Final[Mapping[str, str]] = {
    **{
        re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower(): kind.__name__
        for kind in (*get_args(PACKAGE.orders), *get_args(PACKAGE.corrections))
    },
    "crawl": "LowCrawl",
    "am": "AssaultMove",
    "double time": "Move",
    "dt": "Move",
    "walk": "Move",
    "enter": "Move",
    "shoot": "Fire",
    "direct fire": "Fire",
    "fire at": "Fire",
    "fire on": "Fire",
    "open fire": "Fire",
    "attack": "Fire",
    "end": "EndImpulse",
    "end rallying": "EndRally",
    "done": "EndRally",
    "turn": "Face",
    "pivot": "Face",
    "fod": "FightOrDie",
    "fight round": "FightMelee",
    "medic": "Heal",
    "tend": "Heal",
    "recombine": "Combine",
    "join": "Combine",
    "trade": "HandOver",
    "swap": "HandOver",
    "pass on": "HandOver",
    "give": "HandOver",
    "recover": "PickUp",
    "call fire": "FireMortar",
    "fire smoke": "LaySmoke",
    "smoke": "LaySmoke",
    "melee": "FightMelee",
    "fight": "FightMelee",
    "mortar": "FireMortar",
    "indirect fire": "FireMortar",
    "snipe": "PlaceSniper",
    "sniper": "PlaceSniper",
    "star shell": "FireStarShell",
    "exit": "ExitBoard",
    "skill": "UseSkill",
    "deploy": "DeployClaymore",
    "set up": "PlaceUnit",
    "stealth": "StealthMove",
    "assault": "AssaultMove",
    "standing orders": "GiveStandingOrders",
    "plan": "GivePlan",
}
"""Verbs of orders and corrections in words."""
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "unit": ("units", "medic", "force"),
    "units": ("unit",),
    "weapon": ("weapons",),
    "hold": ("holding",),
    "hex": ("at", "target", "places"),
    "hexes": ("places", "path"),
    "place": ("at", "target", "places"),
    "places": ("at",),
    "at": ("target", "places"),
    "target": ("at", "targets", "unit"),
    "targets": ("target",),
    "to": ("path", "target", "at", "unit"),
    "into": ("path", "at"),
    "from": ("places",),
    "firers": ("units",),
    "firer": ("units",),
    "movers": ("units",),
    "mover": ("units",),
    "spotter": ("unit",),
    "by": ("caller", "leader", "commissar", "medic"),
    "leader": ("by", "caller"),
    "with": ("weapons",),
    "patient": ("unit",),
    "sniper": ("unit",),
    "for": ("exchange",),
    "double time": ("double_time",),
    "dt": ("double_time",),
}
"""What fields of orders may be called otherwise: the first of these that the verb has."""
MANNERS: Final[Mapping[str, str]] = {
    "assault": "AssaultMove",
    "assault move": "AssaultMove",
    "low crawl": "LowCrawl",
    "crawl": "LowCrawl",
    "stealth": "StealthMove",
    "stealth move": "StealthMove",
}
HURRIED: Final = ("double time", "dt")
HEXES: Final = ("LaySmoke", "FireStarShell")
"""Verbs whose `at` is a hex."""


# Orders


def verb_named(given: Mapping[str, Any]) -> str:
    """The verb of an order, in words or as the API has it."""
    word = str(given.get("verb", ""))
    found = VERBS.get(plain(word)) or VERBS.get(plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word)), word)
    return MANNERS.get(plain(str(given.get("manner", given.get("how", "")))), found) if found == "Move" else found


def order(state: State, seat: Seat, given: Mapping[str, Any]) -> dict[str, Any]:
    """An order as the API takes it. Raises CaseFault."""
    made = dict(given)
    verb = verb_named(made)
    if verb == "Pass" and seat.role != "umpire":
        impulse = impulse_of(state, seat.commands)
        if impulse is not None and impulse.places and impulse.command in seat.commands:
            verb = "EndImpulse"
    among_all = get_args(PACKAGE.corrections if seat.role == "umpire" else PACKAGE.orders)
    kind = next((each for each in among_all if each.__name__ == verb), None)
    if kind is None:
        unknown("the verb", str(given.get("verb", "")), (*VERBS, *(each.__name__ for each in among_all)))
    fields = kind.__struct_fields__
    if plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(made.pop("verb", "")))) in HURRIED:
        made["double_time"] = True
    if made.pop("weapons_only", False):
        made["holding"] = made.get("units", [])
    if verb in MANNERS.values() or verb == "Move":
        made.pop("manner", None), made.pop("how", None)
    renamed: dict[str, Any] = {}
    for key, value in made.items():
        renamed[_field(key, (*fields, *renamed), verb)] = value
    if isinstance(renamed.get("units"), str):
        renamed["units"] = [renamed["units"]]
    if isinstance(renamed.get("units"), list):
        renamed["units"] = [name for each in renamed["units"] for name in _group(state, each)]
    among = [str(each) for key in ("units", "unit") for each in _many(renamed.get(key, ()))]
    at = _standing_at(state, among)
    found = {key: _value(state, seat, verb, key, value, among, at) for key, value in renamed.items()}
    if "weapons" in fields:
        _sort_out(state, found)
    return {"verb": verb, **found}


def _group(state: State, name: Any) -> list[Any]:
    found = group(state, name) if isinstance(name, str) and name not in names_of(state) else []
    return found or [name]


def _sort_out(state: State, found: dict[str, Any]) -> None:
    """Weapons that stand among the units go where they belong, with those whose they are; so does a leader who fires
    nothing and comes with others."""
    guns = [each for each in found.get("units", ()) if has_weapon(state, each)]
    named = [each for each in found.get("units", ()) if each not in guns]
    if guns:
        found["weapons"] = [*found.get("weapons", ()), *guns]
    if not named:
        owners = [weapon(state, each).owner for each in found.get("weapons", ()) if has_weapon(state, each)]
        named = list(dict.fromkeys(each for each in owners if each))
    if "leader" in found or "target" not in found or len(named) < 2:
        found["units"] = named
        return
    leads = [
        each
        for each in named
        if has_unit(state, each)
        and counter_of(state, unit(state, each)).kind in ("leader", "commissar")
        and not set(unit(state, each).weapons) & set(found.get("weapons", ()))
    ]
    if leads and len(leads) < len(named):
        found["leader"] = leads[0]
        named = [each for each in named if each != leads[0]]
    found["units"] = named


def _field(key: str, fields: Sequence[str], verb: str) -> str:
    """The field of a verb that a key means. Raises CaseFault."""
    if key in fields:
        return key
    word = plain(key)
    for other in (*FIELDS.get(word, ()), word.removesuffix("s"), word.replace(" ", "_")):
        if other in fields:
            return other
    return unknown(
        f"of {verb} the field", key, (*fields, *(each for each in FIELDS if set(FIELDS[each]) & set(fields)))
    )


def _many(value: Any) -> Sequence[Any]:
    return [value] if isinstance(value, str) else list(value)


def _standing_at(state: State, names: Sequence[str]) -> Place | None:
    found = [each for name in names if (each := piece(state, name)) is not None and has_unit(state, each)]
    return unit(state, found[0]).at if found else None


AS_SAID: Final = (
    "value",
    "text",
    "why",
    "reason",
    "field",
    "command",
    "side",
    "phase",
    "kind",
    "counter",
    "name",
    "active",
    "skill",
    "signal",
    "note",
    "on_contact",
)
"""Fields whose words are no names of pieces."""
LISTS: Final = ("weapons", "holding", "targets")
SINGLE: Final = (
    "unit",
    "by",
    "medic",
    "caller",
    "commissar",
    "mortar",
    "weapon",
    "exchange",
    "leader",
    "piece",
    "force",
)


def _value(state: State, seat: Seat, verb: str, key: str, value: Any, among: Sequence[str], at: Place | None) -> Any:
    if key == "path":
        return path(state, value, at)
    if key == "places":
        return [_target(state, seat, each) for each in _many(value)]
    if key in ("at", "target") and verb != "UseSkill":
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            places = {_target(state, seat, each) for each in value}
            value = places.pop() if len(places) == 1 else value
        found = _target(state, seat, value)
        return found[:2] if verb in HEXES else found
    if key == "standing" and isinstance(value, str):
        return to_builtins(standing([f"x: {value}"])["x"])
    if key == "legs":
        return [{**leg, "path": path(state, leg["path"], at)} if "path" in leg else leg for leg in value]
    if key in AS_SAID:
        return value
    if key == "leader" and value in (False, "nobody", "no"):
        return "none"
    if key in SINGLE and isinstance(value, list) and len(value) == 1:
        value = value[0]
    if key in LISTS and isinstance(value, str) and plain(value) in ("", "none", "no weapons"):
        return []
    if key in LISTS and isinstance(value, str):
        value = [each.strip() for each in re.split(r",| and ", value)]
    if isinstance(value, str):
        return _name(state, seat, value, among)
    if isinstance(value, list):
        return [_name(state, seat, each, among) if isinstance(each, str) else each for each in value]
    return value


def path(state: State, value: Any, at: Place | None) -> list[Place]:
    """Places of a path: a list, or names with blanks or commas between them; `up` and `down` are stairs. The place
    where it starts may stand at its head."""
    if isinstance(value, str):
        text = re.sub(r"(?<=\d) ?(?:-|to|>|then) ?(?=\d*[A-Z])", ", ", value)
        value = [each.strip() for each in text.split(",")] if "," in text else _split(text)
    found: list[Place] = []
    for each in value:
        here = found[-1] if found else at
        word = plain(str(each))
        if word in ("up", "upstairs", "down", "downstairs") and here is not None:
            found.append((here[0], here[1], 1 if word.startswith("up") else 0))
        else:
            found.append(place(state, str(each)))
    return found[1:] if len(found) > 1 and found[0] == at else found


def _split(text: str) -> list[str]:
    """ "E5 E6 upstairs F6" in parts, each a hex with its level."""
    parts: list[str] = []
    for word in text.split():
        if is_hex(word.partition("/")[0]) or not parts or plain(word) in ("up", "down"):
            parts.append(word)
        else:
            parts[-1] += f" {word}"
    return parts


def _target(state: State, seat: Seat, text: Any) -> Any:
    """A place, or the place where a piece stands (as the seat knows it)."""
    if not isinstance(text, str):
        return text
    if is_hex(text.split()[0].partition("/")[0]):
        return place(state, text)
    found = the_piece(state, text)
    for command in seat.commands:
        known = state.commands[command].contacts.get(alias_of(state, command, found) or "")
        if known is not None:
            return tuple(known.at)
    return unit(state, found).at if has_unit(state, found) else weapon(state, found).at


def _name(state: State, seat: Seat, name: str, among: Sequence[str] = ()) -> str:
    """What the seat calls a piece: by its alias where it is another's and hidden."""
    if name in ("", "none"):
        return name
    found = piece(state, name, among)
    if found is None:
        if name not in names_of(state) and name not in setting_of(state).commands:
            unknown("the piece", name, names_of(state))
        return name
    if seat.role == "umpire":
        return found
    return next((alias for each in seat.commands if (alias := alias_of(state, each, found))), found)
