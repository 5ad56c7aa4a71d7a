"""What follows in a case file: the lines of `then`. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lnl.board.hexes import Place
from lnl.happening.turn import Happened
from lnl.knowledge.sighting import locations
from lnl.package import PACKAGE
from lnl.rules.hidden.spotting import is_spotted, is_unit_spotted, visible_places
from lnl.state.battle import State, Unit, hex_key
from lnl.state.finding import commands_of, has_unit, has_weapon, is_open, melee_at, unit, units, weapon, works
from lnl.state.setting import setting_of
from lnl.testing.cases.ground import is_hex
from lnl.testing.cases.names import group, names_of, piece, place
from lnl.testing.cases.states import is_so
from lnl.testing.cases.told import STANDING, is_told, told
from lnl.testing.cases.words import plain
from lnl.words.naming import place_words
from umpire.kernel import ledger
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Entry
from umpire.testing.cases.words import texts_told, unknown

# Lines of `then`


def holds(before: State, state: State, entries: Sequence[Entry], line: str) -> str:
    """Nothing if a line of `then` holds, else what is so instead. Raises CaseFault for words that are not known."""
    text = " ".join(line.split())
    if found := re.fullmatch(r"points (\S+) = (-?\d+)|(\S+) has (-?\d+) points?", text):
        return _points(state, found[1] or found[3], int(found[2] or found[4]))
    if text.count(" = ") > 1 and ", " in text:
        return next((wrong for part in text.split(", ") if (wrong := holds(before, state, entries, part))), "")
    if (found := re.fullmatch(r"(?:the )?([\w ]+?) (?:is|was) (-?\d+)", text)) and is_told(plain(found[1])):
        return told(state, entries, plain(found[1]), found[2])
    if found := re.fullmatch(r"([\w ]+?) = (.+)", text) or re.fullmatch(rf"({'|'.join(STANDING)}) is (.+)", text):
        return told(state, entries, plain(found[1]), found[2])
    if found := re.fullmatch(r"(\S+) (does not see|cannot see|no longer sees|sees|can see) (.+?)(?: at (.+))?", text):
        return _sees_all(state, found[1], found[2] in ("sees", "can see"), found[3], found[4])
    if found := re.fullmatch(r"(\S+) (?:is |was )?(not )?told (.+)", text):
        return _said(state, entries, found[1], not found[2], found[3])
    if found := re.fullmatch(r"nothing (?:rolled|thrown)|no (?:dice|die|rolls?)", text):
        return told(state, entries, "rolls", "0")
    if re.fullmatch(r"(?:nobody|no one) (?:is |was )?(?:asked|offered anything)|no (?:questions?|offers?)", text):
        return told(state, entries, "questions", "0")
    if found := re.fullmatch(
        r"no (hero|\w+ hero)(?: at \S+| appears| arises| stands up| (?:is |was )?(?:made|created))?", text
    ):
        return "" if piece(state, found[1]) is None else "a hero has stood up"
    if plain(text) in ("no melee", "no melee marker"):
        return "" if not state.public.melees else "a melee goes on"
    if plain(text) in ("nothing changes", "nothing changed", "unchanged", "no change"):
        return "" if before == state else "something has changed"
    if (instead := _of_place(state, text)) is not None:
        return instead
    lost = r"gone|eliminated|removed|dead|killed|lost|surrendered|no more"
    if found := re.fullmatch(rf"(.+?)(?<! not) (?:(?:is|are|both) )*(?:{lost})", text):
        return _gone(state, before, found[1])
    return is_so(state, text)


def _gone(state: State, before: State, listed: str) -> str:
    for each in re.split(r", | and ", listed):
        names = [name for name in group(before, each) if each not in names_of(state)] or [each]
        for name in names:
            if name not in names_of(state) and piece(before, name) is None:
                if name.split()[-1] == "hero":
                    continue
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


def _sees_all(state: State, who: str, wanted: bool, listed: str, at: str | None) -> str:
    """Whether a side sees each of these, or anything."""
    if listed in ("nothing", "nobody", "anything", "anybody"):
        expected = wanted and listed.startswith("any")
        for command in _commands(state, who):
            side = setting_of(state).commands[command].side
            there = (each.id for each in units(state) if each.side != side and each.is_placed)
            seen = [each for each in there if _seen_at(state, command, each)]
            if bool(seen) != expected:
                return f"{command} sees {', '.join(seen) or 'nothing'}"
        return ""
    names = [name.strip() for name in re.split(r", | and | or ", listed)]
    return next((instead for name in names if (instead := _sees(state, who, wanted, name, at))), "")


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
        at = unit(state, found).at
        is_dark = state.public.hour == "night" and at not in visible_places(state, command)
        return at if is_unit_spotted(state, command, found) and not is_dark else None
    if has_weapon(state, found):
        return weapon(state, found).at
    return next((*each.at, 0) for each in works(state) if each.id == found)


def _said(state: State, entries: Sequence[Entry], who: str, wanted: bool, what: str) -> str:
    """What everybody reads of events, and what a command is told."""
    for command in _commands(state, who):
        side = setting_of(state).commands[command].side
        said = texts_told(entries, command)
        said += [
            entry.event.text
            for entry in entries
            if isinstance(entry, ledger.Happened)
            and isinstance(entry.event, Happened)
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
    if (
        found := re.fullmatch(r"(?:nobody|no one|nothing) (?:is )?(?:at|in) (.+)|(\S+) (?:is )?empty", text)
    ) is not None:
        name = found[1] or found[2]
        if is_hex(name.split()[0].partition("/")[0]):
            there = [each.id for each in units(state) if each.is_placed and each.at == place(state, name)]
            return f"{', '.join(there)} at {name}" if there else ""
    text = re.sub(r" unspotted$", " not spotted", text)
    text = re.sub(
        r" has an? (?=melee|spotted)|(?<=melee|otted) marker$", lambda part: " " if "has" in part[0] else "", text
    )
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
