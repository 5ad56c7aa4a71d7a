"""Workings and odds of a case file: what rolls, movement and melee consist of, in words that a case may use.
`docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from lnl import events
from lnl.case_names import names_of
from lnl.case_words import plain
from lnl.finding import counter_of, units, weapon_row, weapons
from lnl.naming import place_words
from lnl.setting import tables_of
from lnl.state import State
from umpire.kernel.cases import CaseFault
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Corrected, Entry, Happened, Thrown
from umpire.kernel.odds import Odds
from umpire.kernel.states import Seat


def events_of(entries: Iterable[Entry]) -> Iterator[Any]:
    """The events among some entries."""
    return (entry.event for entry in entries if isinstance(entry, Happened | Corrected))


# Workings


def worked(before: State, state: State, entries: Sequence[Entry], purpose: str, wanted: Sequence[str]) -> str:
    """Nothing if the working of a roll (or of `cost`, or of `melee`) is what the lines say, with the sign of a value or
    without, and with names for what the modifiers call a leader, a counter or terrain."""
    made, free = _made(before, state, entries, plain(purpose))
    left = list(made)
    for line in wanted:
        text = " ".join(line.split())
        if _reduced(text) in [_reduced(each) for each in free]:
            continue
        match = next((each for each in left if _fits(before, state, text, each)), None)
        if match is None:
            return f"{[*(_line(each) for each in made), *free]}, without {text!r}"
        left.remove(match)
    return f"{[_line(each) for each in made]}, also {_line(left[0])!r}" if left else ""


def _made(
    before: State, state: State, entries: Sequence[Entry], purpose: str
) -> tuple[list[tuple[str, int]], list[str]]:
    """The parts that all must be named, and others that may be."""
    if purpose == "cost":
        return _costs(before, entries), []
    rolls = [entry for entry in entries if isinstance(entry, Thrown)]
    thrown = [entry for entry in rolls if purpose in (entry.roll.purpose, f"{entry.roll.purpose} {entry.roll.subject}")]
    thrown = thrown or [entry for entry in rolls if entry.roll.purpose.endswith(purpose)]
    if not thrown:
        known = [name for entry in rolls for name in (entry.roll.purpose, f"{entry.roll.purpose} {entry.roll.subject}")]
        raise CaseFault(f"nothing was worked out for {purpose!r}", at=purpose, known=(*known, "cost"))
    made = [(modifier.reason, modifier.value) for modifier in thrown[0].roll.modifiers if modifier.value]
    free: list[str] = []
    if purpose.startswith("melee"):
        for event in events_of(entries):
            if isinstance(event, events.MeleeFought):
                free += [f"{event.odds} needs {event.needed}", f"needs {event.needed}", event.odds]
    return made, free


def _costs(before: State, entries: Sequence[Entry]) -> list[tuple[str, int]]:
    spent: dict[str, int] = {}
    found: list[tuple[str, int]] = []
    for event in events_of(entries):
        if isinstance(event, events.Started):
            spent = {}
        if isinstance(event, events.Entered):
            costs = [points - spent.get(each, 0) for each, points in event.spent.items()]
            spent = dict(event.spent)
            found.append((place_words(before, event.at), max(costs, default=0)))
    if not found:
        raise CaseFault("nothing was worked out for 'cost': nobody entered a hex", at="cost")
    return found


def _line(part: tuple[str, int]) -> str:
    return f"{part[0]} {part[1]:+d}"


SAME: Final[tuple[tuple[str, ...], ...]] = (
    ("moving target", "moving", "target moving", "mover", "moved", "moving or moved target", "move"),
    ("adjacent target", "adjacent", "adjacency"),
    ("degrading terrain on the way", "degrading", "degrading hex", "degrading hexes", "degrading terrain"),
    ("fire out of smoke", "out of smoke", "from smoke", "firing out of smoke"),
    ("by night beyond two hexes", "night"),
    ("Assault Move", "assault", "am", "assault moved"),
    ("Ops Complete", "oc"),
    ("stealth movement", "stealth"),
    ("the attack over the defence", "difference", "diff", "attack over defence"),
    ("lead unit", "lead", "lead squad", "leading unit", "squad", "inherent firepower", "ifp", "hero"),
    ("supporting unit", "supporting", "support", "supporting units", "supporting squads", "supporting squad"),
    ("1 without firepower attacking", "zero firepower", "zero fp", "without firepower", "no firepower"),
    ("1 without firepower defending", "zero firepower", "zero fp", "without firepower", "zero firepower defender"),
    ("sniper in hiding", "sniper", "sniper doubled", "doubled"),
    ("fire for effect", "ffe", "barrage"),
)
"""What a case may call the modifiers of rolls."""


def _fits(before: State, state: State, text: str, part: tuple[str, int]) -> bool:
    found = re.fullmatch(r"(.+?) ?([+-]?\d+)", text)
    if found is None or int(found[2]) != part[1]:
        return False
    said, reason = _reduced(found[1]), re.sub(r"^\d+ supporting units$", "supporting unit", _reduced(part[0]))
    reason = re.sub(r"^\d+ (?=without firepower)", "1 ", reason)
    if said in (reason, _reduced(part[0])) or said == _reduced(re.sub(r"\(.*\)", "", part[0])):
        return True
    if any(reason in names and said in names for names in ([_reduced(each) for each in group] for group in SAME)):
        return True
    return said in _other_names(before, reason) or said in _other_names(state, reason)


def _other_names(state: State, reason: str) -> set[str]:
    """What else a case may call the one whose counter a modifier names: his own name, his kind, `leadership`."""
    found: set[str] = set()
    for each in units(state):
        row = counter_of(state, each)
        if reason in (_reduced(row.name), _reduced(f"led by {each.name or row.name}"), _reduced(each.name)):
            found |= {_reduced(each.id), _reduced(row.kind)}
            if row.leadership:
                found |= {"leadership", "lm", "leader", "led"}
    if reason == "leadership":
        found |= {"lm", "leader", *(_reduced(each.id) for each in units(state) if counter_of(state, each).leadership)}
    for gun in weapons(state):
        name = _reduced(weapon_row(state, gun).name)
        if reason in (name, f"{name} captured", f"{name} fired by one man"):
            found |= {name, _reduced(gun.id), _reduced(gun.counter)}
    if reason.startswith("in "):
        found |= {"cover", "in cover", "terrain", reason.removeprefix("in ")}
    terrain = tables_of(state).ground.terrain
    found |= {_reduced(key) for key, row in terrain.items() if _reduced(row.name) == reason}
    if any(_reduced(row.name) == reason for row in terrain.values()):
        found |= {"terrain", "tm"}
    return found


def _reduced(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9]+", " ", text.lower()).split())


# Odds

GONE: Final = ("eliminated", "surrendered", "removed", "exited")


def chances(state: State, seat: Seat, odds: Odds) -> dict[str, Fraction]:
    """Chances by the names of the case and of places; `gone` for all ways of being lost."""
    names: dict[str, str] = {}
    for command in seat.commands:
        for subject in names_of(state):
            if alias := alias_of(state, command, subject):
                names[alias] = subject
    found: dict[str, Fraction] = {}
    for fate, chance in odds.fates.items():
        name = names.get(fate.piece, fate.piece)
        if re.fullmatch(r"\d+,\d+(,-?\d+)?", name):
            parts = [int(each) for each in name.split(",")]
            name = place_words(state, tuple(parts))
        _add(found, f"{name} {fate.what.replace('_', ' ')}", chance)
        if fate.what in GONE:
            _add(found, f"{name} gone", chance)
            if fate.what != "eliminated":
                _add(found, f"{name} eliminated", chance)
        if fate.what == "casualties":
            _add(found, f"{name} reduced", chance)
    return found


def _add(found: dict[str, Fraction], words: str, chance: Fraction) -> None:
    found[words] = found.get(words, Fraction(0)) + chance
