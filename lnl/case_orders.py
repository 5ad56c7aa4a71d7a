"""Orders, answers and dice of a case file as the API has them: names for pieces, places by name. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from msgspec import to_builtins

from lnl import orders
from lnl.board.ground import place_named
from lnl.board.hexes import Place
from lnl.case_ground import LEVEL_NAMES, is_hex, split_place
from lnl.case_pieces import standing
from lnl.case_words import plain, unknown
from lnl.finding import counter_of, has_unit, has_weapon, impulse_of, unit, units, weapon, weapons, works
from lnl.setting import ground_of, secrets_of, setting_of
from lnl.state import State
from umpire.kernel.cases import CaseFault
from umpire.kernel.events import alias_of
from umpire.kernel.states import Seat

VERBS: Final[Mapping[str, str]] = {
    **{
        re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower(): kind.__name__
        for kind in (*get_args(orders.Orders), *get_args(orders.Corrections))
    },
    "crawl": "LowCrawl",
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
FIELDS: Final[Mapping[str, str]] = {"weapon": "weapons", "unit": "units", "hold": "holding", "hex": "at", "place": "at"}
HEXES: Final = ("LaySmoke", "FireStarShell")
"""Verbs whose `at` is a hex."""


# Names and places


def names_of(state: State) -> set[str]:
    """Everything that has been called something in this battle, what is gone too."""
    setting, secret = setting_of(state), secrets_of(state)
    forces = (*setting.forces, *secret.forces, *setting.works, *secret.works, *setting.weapons, *secret.weapons)
    there = (each.id for pieces in (units(state), weapons(state), works(state)) for each in pieces)
    return {*forces, *there}


def piece(state: State, name: str, among: Iterable[str] = ()) -> str | None:
    """The true id of what a case calls so: by its name, `squad's mg42`, a weapon of one of `among`, or the one piece of
    a kind that has come into play (`hero`)."""
    text = " ".join(name.split())
    if has_unit(state, text) or has_weapon(state, text) or any(each.id == text for each in works(state)):
        return text
    owner, _, gun = text.replace("'s ", " ").replace(".", " ").partition(" ")
    if gun and has_unit(state, owner):
        found = [held for held in unit(state, owner).weapons if _is_called(state, held, gun)]
        if found:
            return found[0]
    held = [gun for each in among if has_unit(state, each) for gun in unit(state, each).weapons]
    mine = [gun for gun in held if _is_called(state, gun, text)]
    if len(mine) == 1 or (mine and among):
        return mine[0]
    called = [each.id for each in weapons(state) if _is_called(state, each.id, text)]
    if len(called) == 1:
        return called[0]
    setting, secret = setting_of(state), secrets_of(state)
    given = {*setting.forces, *secret.forces}
    if text in given:
        return None
    words = text.split()
    born = [
        each.id
        for each in units(state)
        if each.id not in given
        and counter_of(state, each).kind.replace("_", " ") == words[-1]
        and (len(words) == 1 or each.side == words[0])
    ]
    return born[0] if len(born) == 1 else None


def _is_called(state: State, gun: str, word: str) -> bool:
    if not has_weapon(state, gun):
        return False
    counter = weapon(state, gun).counter
    key = re.sub(r"(\d)_mm\b", r"\1mm", plain(word).replace(" ", "_")).replace("_mm_", "mm_")
    return (
        counter == key or counter.endswith(f"_{key}") or counter.startswith(f"case_{key}_") or gun.endswith(f" {word}")
    )


def the_piece(state: State, name: str, among: Iterable[str] = ()) -> str:
    """As `piece`; raises CaseFault for what is not there."""
    found = piece(state, name, among)
    if found is None:
        if name in names_of(state):
            raise CaseFault(f"{name} is no more", at=name)
        unknown("the piece", name, names_of(state))
    return found


def place(state: State, text: str) -> Place:
    """A place by name. Raises CaseFault."""
    name, level = split_place(text)
    try:
        return place_named(ground_of(state), name + LEVEL_NAMES[level])
    except KeyError:
        pass
    try:
        return place_named(ground_of(state), _bare(state, name) + LEVEL_NAMES[level])
    except KeyError:
        raise CaseFault(f"there is no place {text!r} on the map", at=text) from None


def _bare(state: State, name: str) -> str:
    """The name of a hex with the number of the one board that there is."""
    numbers = {found[0] for each in ground_of(state).names if (found := re.match(r"\d+", each))}
    return f"{next(iter(numbers))}{name}" if len(numbers) == 1 and name[0].isalpha() else name


# Orders


def verb_named(given: Mapping[str, Any]) -> str:
    """The verb of an order, in words or as the API has it."""
    word = str(given.get("verb", ""))
    return VERBS.get(plain(word), word)


def order(state: State, seat: Seat, given: Mapping[str, Any]) -> dict[str, Any]:
    """An order as the API takes it. Raises CaseFault."""
    made = dict(given)
    verb = verb_named(made)
    if verb == "Pass" and seat.role != "umpire":
        impulse = impulse_of(state, seat.commands)
        if impulse is not None and impulse.places and impulse.command in seat.commands:
            verb = "EndImpulse"
    kind = next(
        (each for each in (*get_args(orders.Orders), *get_args(orders.Corrections)) if each.__name__ == verb), None
    )
    fields = kind.__struct_fields__ if kind is not None else ()
    renamed = {_field(key, fields): value for key, value in made.items() if key != "verb"}
    if "units" in fields and isinstance(renamed.get("units"), str):
        renamed["units"] = [renamed["units"]]
    among = [str(each) for key in ("units", "unit") for each in _many(renamed.get(key, ()))]
    at = _standing_at(state, among)
    found = {key: _value(state, seat, verb, key, value, among, at) for key, value in renamed.items()}
    if "weapons" in fields and "units" in found:
        guns = [each for each in found["units"] if has_weapon(state, each)]
        found["units"] = [each for each in found["units"] if each not in guns]
        if guns:
            found["weapons"] = [*found.get("weapons", ()), *guns]
    return {"verb": verb, **found}


def _field(key: str, fields: Sequence[str]) -> str:
    other = FIELDS.get(key, "")
    if key not in fields and other in fields:
        return other
    single = key.removesuffix("s")
    return single if key not in fields and single in fields else key


def _many(value: Any) -> Sequence[Any]:
    return [value] if isinstance(value, str) else list(value)


def _standing_at(state: State, names: Sequence[str]) -> Place | None:
    found = [each for name in names if (each := piece(state, name)) is not None and has_unit(state, each)]
    return unit(state, found[0]).at if found else None


def _value(state: State, seat: Seat, verb: str, key: str, value: Any, among: Sequence[str], at: Place | None) -> Any:
    if key == "path":
        return path(state, value, at)
    if key in ("places",):
        return [_target(state, seat, each) for each in _many(value)]
    if key in ("at", "target") and verb != "UseSkill" and isinstance(value, str):
        found = _target(state, seat, value)
        return found[:2] if verb in HEXES else found
    if key == "standing" and isinstance(value, str):
        return to_builtins(standing([f"x: {value}"])["x"])
    if key == "legs":
        return [{**leg, "path": path(state, leg["path"], at)} if "path" in leg else leg for leg in value]
    if key in (
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
    ):
        return value
    if key in ("skill", "signal", "note", "on_contact"):
        return value
    if isinstance(value, str):
        return _name(state, seat, value, among)
    if isinstance(value, list):
        return [_name(state, seat, each, among) if isinstance(each, str) else each for each in value]
    return value


def path(state: State, value: Any, at: Place | None) -> list[Place]:
    """Places of a path: a list, or names with blanks or commas between them; `up` and `down` are stairs."""
    if isinstance(value, str):
        value = [each.strip() for each in re.split(r",| - |>", value)] if re.search(r"[,>]", value) else _split(value)
    found: list[Place] = []
    for each in value:
        here = found[-1] if found else at
        word = plain(str(each))
        if word in ("up", "upstairs", "down", "downstairs") and here is not None:
            found.append((here[0], here[1], 1 if word.startswith("up") else 0))
        else:
            found.append(place(state, str(each)))
    return found


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
