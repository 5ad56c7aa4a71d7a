"""What follows in a case file: the lines of `then`. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from lnl import events
from lnl.board.hexes import Place
from lnl.case_counters import KIND_WORDS
from lnl.case_ground import is_hex
from lnl.case_orders import names_of, piece, place
from lnl.case_told import told
from lnl.case_words import plain, unknown
from lnl.designations import designated, designation
from lnl.finding import (
    commands_of,
    counter_of,
    has_unit,
    has_weapon,
    is_open,
    melee_at,
    unit,
    units,
    weapon,
    works,
)
from lnl.naming import place_words
from lnl.package import PACKAGE
from lnl.rules.morale import morale_of
from lnl.rules.spotting import is_spotted, is_unit_spotted
from lnl.setting import setting_of, tables_of
from lnl.sighting import locations
from lnl.state import State, Unit, hex_key
from umpire.kernel.cases import CaseFault
from umpire.kernel.events import Told, alias_of
from umpire.kernel.ledger import Corrected, Entry, Happened

Words = Mapping[str, Callable[[State, Unit], bool]]

# Lines of `then`


def holds(before: State, state: State, entries: Sequence[Entry], line: str) -> str:
    """Nothing if a line of `then` holds, else what is so instead. Raises CaseFault for words that are not known."""
    text = " ".join(line.split())
    if found := re.fullmatch(r"points (\S+) = (-?\d+)|(\S+) has (-?\d+) points?", text):
        return _points(state, found[1] or found[3], int(found[2] or found[4]))
    if found := re.fullmatch(r"([\w ]+?) = (.+)", text):
        return told(state, entries, plain(found[1]), found[2])
    if found := re.fullmatch(r"(\S+) (does not see|cannot see|no longer sees|sees) (.+?)(?: at (.+))?", text):
        return _sees(state, found[1], found[2] == "sees", found[3], found[4])
    if found := re.fullmatch(r"(\S+) (?:is |was )?(not )?told (.+)", text):
        return _said(state, entries, found[1], not found[2], found[3])
    if found := re.fullmatch(r"nothing (?:rolled|thrown)|no (?:dice|die|rolls)", text):
        return told(state, entries, "rolls", "0")
    if found := re.fullmatch(r"no (hero|\w+ hero)", text):
        return "" if piece(state, found[1]) is None else "a hero has stood up"
    if (instead := _of_place(state, text)) is not None:
        return instead
    if found := re.fullmatch(r"(.+?) (?:is |are )?(gone|eliminated|removed|dead|killed|no more)", text):
        return _gone(state, before, found[1])
    return _is_so(state, text)


def _gone(state: State, before: State, listed: str) -> str:
    for name in re.split(r", | and ", listed):
        if name not in names_of(state) and piece(before, name) is None:
            unknown("the piece", name, names_of(state))
        if piece(state, name) is not None:
            return f"{name} is still there"
    return ""


def _points(state: State, side: str, wanted: int) -> str:
    points = PACKAGE.outcome(state).points
    if side not in points:
        unknown("the side", side, points)
    return "" if points[side] == wanted else f"{side} has {points[side]} points"


def _commands(state: State, name: str) -> tuple[str, ...]:
    setting = setting_of(state)
    if name in setting.commands:
        return (name,)
    if name not in setting.sides:
        unknown("the side", name, (*setting.sides, *setting.commands))
    return commands_of(state, name)


def _sees(state: State, who: str, wanted: bool, name: str, at: str | None) -> str:
    """In a blind battle what it has in sight, in an open one what is open and spotted; a place: whether it is spotted.
    `core 10.1`"""
    is_place = is_hex(name.split()[0].partition("/")[0])
    for command in _commands(state, who):
        if is_place:
            if is_spotted(state, command, place(state, name)) != wanted:
                return f"{command} {'does not see' if wanted else 'sees'} {name}"
            continue
        if name in names_of(state) and piece(state, name) is None:
            return "" if not wanted else f"{name} is gone"
        seen = _seen_at(state, command, name)
        if (seen is not None) != wanted:
            return f"{command} {'does not see' if wanted else 'sees'} {name}"
        if at is not None and seen is not None and seen != place(state, at):
            return f"{command} sees {name} at {place_words(state, seen)}"
    return ""


def _seen_at(state: State, command: str, name: str) -> Place | None:
    found = piece(state, name)
    if found is None:
        unknown("the piece", name, names_of(state))
    alias = alias_of(state, command, found)
    contact = state.commands[command].contacts.get(alias) if alias else None
    if contact is not None:
        return (contact.at[0], contact.at[1], contact.at[2]) if contact.status == "in_sight" else None
    if not is_open(state, found):
        return None
    if has_unit(state, found):
        return unit(state, found).at if is_unit_spotted(state, command, found) else None
    if has_weapon(state, found):
        return weapon(state, found).at
    return next((*each.at, 0) for each in works(state) if each.id == found)


def _said(state: State, entries: Sequence[Entry], who: str, wanted: bool, what: str) -> str:
    """What everybody reads of events, and what a command is told."""
    for command in _commands(state, who):
        side = setting_of(state).commands[command].side
        said = [
            str(entry.event.report.values.get("text", entry.event.report.key))
            for entry in entries
            if isinstance(entry, Happened | Corrected)
            and isinstance(entry.event, Told)
            and entry.event.command == command
        ]
        said += [
            entry.event.text
            for entry in entries
            if isinstance(entry, Happened)
            and isinstance(entry.event, events.Happened)
            and entry.event.side in ("", side)
        ]
        words = what.strip("\"'").lower()
        is_so = bool(said) if words in ("something", "anything") else any(words in each.lower() for each in said)
        if is_so != wanted:
            return f"{command} is told: {' '.join(said) or 'nothing'}"
    return ""


def _of_place(state: State, text: str) -> str | None:
    """Lines about places: `smoke 2 at E5`, `no smoke at F5`, `melee at E5`, `E5 spotted`, `barrage at E5`; None for a
    line about something else."""
    found = re.fullmatch(
        r"(no )?(smoke ?[12]?|melee(?: marker)?|star shell|barrage|ffe|fire for effect|spotted(?: marker)?)"
        r"(?: is| lies)?(?: left)? (?:at|in|on|over) (.+)",
        text,
        re.IGNORECASE,
    )
    if found is not None:
        return _marker(state, found[2].lower(), found[3], not found[1])
    found = re.fullmatch(r"(\S+(?: upstairs| in the bunker)?) (is |has )?(not |no )?(spotted|smoke ?[12]?|melee)", text)
    if found is not None and is_hex(found[1].split()[0].partition("/")[0]):
        return _marker(state, found[4], found[1], not found[3])
    return None


def _marker(state: State, what: str, text: str, wanted: bool) -> str:
    public = state.public
    at = place(state, text)
    key = hex_key(at)
    kind, _, stage = what.replace("smoke1", "smoke 1").replace("smoke2", "smoke 2").partition(" ")
    if kind == "smoke":
        is_so = public.smoke.get(key) == int(stage) if stage else key in public.smoke
        now = f"smoke {public.smoke[key]}" if key in public.smoke else "no smoke"
    elif kind == "melee":
        is_so, now = melee_at(state, at) is not None, "a melee" if melee_at(state, at) else "no melee"
    elif kind == "star":
        is_so, now = at[:2] in public.star_shells, "star shells burn elsewhere"
    elif kind == "spotted":
        marks = {*public.spotted, *(each for part in state.commands.values() for each in part.spotted)}
        eyes = [name for name in state.commands if any(each.command != name for each in _there(state, at, name))]
        is_so = any(each in marks for each in locations(at)) or any(is_spotted(state, name, at) for name in eyes)
        now = "it is spotted" if is_so else "it is not spotted"
    else:
        is_so, now = (
            any(each.at == at[:2] for each in public.barrages),
            f"{len(public.barrages)} barrages lie elsewhere",
        )
    return "" if is_so == wanted else f"{text}: {now}"


def _there(state: State, at: Place, command: str) -> list[Unit]:
    side = setting_of(state).commands[command].side
    return [each for each in units(state) if each.is_placed and each.at in locations(at) and each.side != side]


# How pieces are


def _is_so(state: State, text: str) -> str:
    first, *rest = [part.strip() for part in text.split(",")]
    name = _head(state, first)
    what = first[len(name) :].strip()
    if not what:
        raise CaseFault(f"{text!r} says nothing of {name}", at=text)
    for word in (what, *rest):
        if instead := state_of(state, name, word):
            return instead
    return ""


def _head(state: State, text: str) -> str:
    """The name at the beginning of a line: the longest that is one."""
    words = text.split()
    for size in range(min(4, len(words) - 1), 0, -1):
        name = " ".join(words[:size])
        if name in names_of(state) or piece(state, name) is not None:
            return name
    return unknown(
        "the line", text, (*(f"{name} shaken" for name in names_of(state)), "SIDE sees NAME", "WORD = VALUE")
    )


UNIT_WORDS: Final[Words] = {
    "shaken": lambda state, each: each.is_shaken,
    "good order": lambda state, each: each.is_good_order,
    "go": lambda state, each: each.is_good_order,
    "rallied": lambda state, each: each.is_good_order,
    "wounded": lambda state, each: each.is_wounded,
    "healed": lambda state, each: not each.is_wounded,
    "moved": lambda state, each: each.moved == "move",
    "move": lambda state, each: each.moved == "move",
    "assault moved": lambda state, each: each.moved == "assault",
    "assault move": lambda state, each: each.moved == "assault",
    "am": lambda state, each: each.moved == "assault",
    "crawled": lambda state, each: each.moved == "low_crawl",
    "low crawl": lambda state, each: each.moved == "low_crawl",
    "low crawled": lambda state, each: each.moved == "low_crawl",
    "stealth": lambda state, each: each.moved == "stealth",
    "stealth moved": lambda state, each: each.moved == "stealth",
    "moving": lambda state, each: each.is_moving,
    "stopped": lambda state, each: not each.is_moving,
    "fired": lambda state, each: each.fired,
    "has fired": lambda state, each: each.fired,
    "ops complete": lambda state, each: each.ops_complete,
    "oc": lambda state, each: each.ops_complete,
    "unmarked": lambda state, each: not (each.moved or each.fired or each.ops_complete),
    "not activated": lambda state, each: not (each.moved or each.fired or each.ops_complete),
    "in melee": lambda state, each: melee_at(state, each.at) is not None,
    "melee": lambda state, each: melee_at(state, each.at) is not None,
    "locked in melee": lambda state, each: melee_at(state, each.at) is not None,
    "hidden": lambda state, each: not is_open(state, each.id),
    "concealed": lambda state, each: not is_open(state, each.id),
    "open": lambda state, each: is_open(state, each.id),
    "on the map": lambda state, each: each.is_placed,
    "off the map": lambda state, each: not each.is_placed,
    "has called": lambda state, each: each.has_called,
    "reduced": lambda state, each: counter_of(state, each).kind == "half_squad",
    "casualties": lambda state, each: counter_of(state, each).kind == "half_squad",
    "spotted": lambda state, each: any(
        is_unit_spotted(state, name, each.id)
        for name, command in setting_of(state).commands.items()
        if command.side != each.side
    ),
}


def state_of(state: State, name: str, what: str) -> str:
    """Nothing if a piece is what the words say, else what is so instead. Raises CaseFault for unknown words."""
    found = piece(state, name)
    if found is None:
        return f"{name} is gone" if name in names_of(state) else unknown("the piece", name, names_of(state))
    text = re.sub(r"^(?:is |was |under (?:a |an )?|still )|(?: markers?)$", "", what)
    wanted = not text.startswith(("not ", "no ")) or plain(text) in UNIT_WORDS
    text = text if plain(text) in UNIT_WORDS else text.removeprefix("not ").removeprefix("no ")
    if (where := re.fullmatch(r"(?:at|in|stays in|stays at|still at|reaches) (.+)", text)) and is_hex(
        where[1].split()[0].partition("/")[0]
    ):
        return _is_at(state, name, found, where[1], wanted)
    if has_unit(state, found):
        return _unit_is(state, unit(state, found), name, text, wanted)
    if has_weapon(state, found):
        return _weapon_is(state, found, name, text, wanted)
    return unknown("the word", what, ("at E5", "gone"))


def _is_at(state: State, name: str, found: str, text: str, wanted: bool) -> str:
    if has_unit(state, found):
        each = unit(state, found)
        if not each.is_placed:
            return "" if not wanted else f"{name} is not on the map"
        at = each.at
    elif has_weapon(state, found):
        at = weapon(state, found).at
    else:
        at = next((*each.at, 0) for each in works(state) if each.id == found)
    return "" if (at == place(state, text)) == wanted else f"{name} is at {place_words(state, at)}"


def _unit_is(state: State, each: Unit, name: str, text: str, wanted: bool) -> str:
    word = plain(text)
    if word in UNIT_WORDS:
        is_so = UNIT_WORDS[word](state, each)
        return "" if is_so == wanted else f"{name} is {'not ' if wanted else ''}{word} ({_shown(state, each)})"
    row = counter_of(state, each)
    if found := re.fullmatch(r"(?:has )?spent (\d+)(?: mps?| points?)?|(\d+)(?: mps?)? spent", word):
        wanted_points = int(found[1] or found[2])
        return "" if (each.spent == wanted_points) == wanted else f"{name} has spent {each.spent}"
    if found := re.fullmatch(r"facing (\d)", word):
        return "" if (each.facing == int(found[1])) == wanted else f"{name} faces {each.facing}"
    if found := re.fullmatch(r"(?:has |with |holds |keeps |carries )(.+)", text):
        return _has(state, each, name, found[1], wanted)
    if found := re.fullmatch(r"morale (\d+)", word):
        level = morale_of(state, each)[0]
        return "" if (level == int(found[1])) == wanted else f"{name} has morale {level}"
    if (dash := designation(text.removeprefix("a "))) is not None:
        return "" if dash.fits(row) == wanted else f"{name} is {designated(row)}"
    kind = KIND_WORDS.get(word.removeprefix("a "), "")
    if kind:
        return "" if (row.kind == kind) == wanted else f"{name} is a {row.kind.replace('_', '-')}"
    if text in tables_of(state).book.tables["counters"]:
        return "" if (each.counter == text) == wanted else f"{name} is {each.counter}"
    known = (*UNIT_WORDS, *KIND_WORDS, "at E5", "spent 2", "facing 2", "has mg42", "morale 5", "1-4-4-6")
    return unknown("the word", text, known)


def _has(state: State, each: Unit, name: str, what: str, wanted: bool) -> str:
    if what in ("nothing", "no weapon", "no weapons"):
        return "" if (not each.weapons) == wanted else f"{name} has {', '.join(each.weapons)}"
    if plain(what).removeprefix("skill ").replace(" ", "_") in each.skills:
        return "" if wanted else f"{name} has {what}"
    found = piece(state, what, [each.id])
    is_so = found in each.weapons
    return "" if is_so == wanted else f"{name} has {', '.join((*each.weapons, *each.skills)) or 'nothing'}"


def _shown(state: State, each: Unit) -> str:
    row = counter_of(state, each)
    words = ("shaken", "wounded", "moved", "assault moved", "crawled", "fired", "ops complete")
    return ", ".join([designated(row), *(word for word in words if UNIT_WORDS[word](state, each))])


def _weapon_is(state: State, gun: str, name: str, text: str, wanted: bool) -> str:
    each, word = weapon(state, gun), plain(text)
    if word in ("loose", "dropped", "on the ground", "unpossessed"):
        is_so = not each.owner
    elif word == "jammed":
        is_so = each.is_jammed
    elif word in ("set up", "packed", "dismantled"):
        is_so = each.is_set_up == (word == "set up")
    elif found := re.fullmatch(r"(?:with|held by|of|possessed by) (.+)", text):
        is_so = each.owner == piece(state, found[1])
    else:
        unknown("the word", text, ("at E5", "loose", "dropped", "jammed", "set up", "packed", "with NAME"))
    return "" if is_so == wanted else f"{name} is {'not ' if wanted else ''}{word}"
