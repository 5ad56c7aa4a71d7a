"""Workings and odds of a case file: what rolls, movement and melee consist of, in words that a case may use.
`docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from lnl.book.designations import designated
from lnl.happening.fire import Fired
from lnl.happening.melee import MeleeFought
from lnl.happening.movement import Entered, Started
from lnl.state.battle import State
from lnl.state.finding import counter_of, has_unit, unit, units, weapon_row, weapons
from lnl.state.setting import tables_of
from lnl.testing.cases import answers as case_answers
from lnl.testing.cases.ground import is_hex
from lnl.testing.cases.names import names_of
from lnl.testing.cases.words import plain
from lnl.words.naming import place_words
from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Corrected, Entry, Happened, Thrown
from umpire.kernel.odds import Odds
from umpire.kernel.states import Seat
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown


def events_of(entries: Iterable[Entry]) -> Iterator[Any]:
    """The events among some entries."""
    return (entry.event for entry in entries if isinstance(entry, Happened | Corrected))


# Workings


class Part(Struct, frozen=True):
    """One line of a working: what, how much, by which rule."""

    reason: str
    value: int
    rule: str = ""


def worked(before: State, state: State, entries: Sequence[Entry], purpose: str, wanted: Sequence[str]) -> str:
    """Nothing if the working of a roll (or of `cost`, or of `melee`) is what the lines say, with the sign of a value or
    without, with names for what the modifiers call a leader, a counter or terrain, and with the rule behind each where
    a line names one."""
    made, free = _made(before, state, entries, purpose)
    left = list(made)
    for line in _merged(before, made, wanted, entries):
        text, rule = _cited(" ".join(line.split()))
        if _reduced(text) in [_reduced(each) for each in free] or re.fullmatch(r".*[+-]?\b0", text):
            continue
        match = next((each for each in left if _fits(before, state, text, each)), None)
        if match is None:
            return f"{[*(_line(each) for each in made), *free]}, without {text!r}"
        if rule and rule.split(".")[0] != match.rule.split(".")[0]:
            return f"{_line(match)!r} by {match.rule}, not by {rule}"
        left.remove(match)
    left = [part for part in left if part.reason not in IMPLIED]
    return f"{[_line(each) for each in made]}, also {_line(left[0])!r}" if left else ""


IMPLIED: Final = ("wounded",)
"""Modifiers that need not be named: the book has them as another morale."""


def _cited(line: str) -> tuple[str, str]:
    """A line without the rule that it names, and the rule: "moving target +1 (core 5.3)"."""
    found = re.search(r"[,(\[]?\s*(?:by )?\b((?:core|hid|hotm|hona) [\d.]+)\b[)\]]?:?", line)
    return (f"{line[: found.start()]} {line[found.end() :]}".strip(), found[1]) if found else (line, "")


def _merged(before: State, made: Sequence[Part], wanted: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """The lines with those together that name each supporting unit by itself, by its name or by half its firepower."""
    whole = next((part for part in made if re.fullmatch(r"(?:\d+ )?supporting units?", part.reason)), None)
    lead = next((part for part in made if part.reason == "lead unit"), None)
    firing = _firing(before, entries)
    support: list[Fraction] = []
    rest: list[str] = []
    is_led = False
    for line in wanted:
        text, _ = _cited(" ".join(line.split()))
        found = re.fullmatch(r"(.+?) ?([+-]?\d+(?:\.\d+|/\d+)?)", text)
        said = _reduced(found[1]) if found is not None else ""
        value = Fraction(found[2]) if found is not None else Fraction(0)
        if lead is not None and not is_led and said in firing and value == lead.value:
            is_led = True
            rest.append(f"lead unit {lead.value:+d}")
        elif whole is not None and (said in _SUPPORT or (said in firing and (is_led or said != "squad"))):
            support.append(value)
        else:
            is_led = is_led or said.startswith("lead")
            rest.append(line)
    if whole is None or not support:
        return rest
    return [*rest, f"{whole.reason} {-(-sum(support) // 1):+d}"]


def _firing(before: State, entries: Sequence[Entry]) -> set[str]:
    """What those who fire may be called: their names and their dash strings."""
    names: set[str] = set()
    for event in events_of(entries):
        if isinstance(event, Fired) and event.how != "aid":
            for each in (unit(before, piece) for piece in event.units if has_unit(before, piece)):
                dash = designated(counter_of(before, each))
                names |= {_reduced(each.id), _reduced(dash), _reduced(dash.rpartition("-")[0])}
    return names


_SUPPORT: Final = ("supporting unit", "supporting", "support", "supporting squad", "supporting half squad", "half")


def _made(before: State, state: State, entries: Sequence[Entry], purpose: str) -> tuple[list[Part], list[str]]:
    """The parts that all must be named, and others that may be."""
    if plain(purpose) in ("cost", "costs", "movement", "movement cost"):
        return _costs(before, entries), []
    rolls = [entry for entry in entries if isinstance(entry, Thrown)]
    thrown = [entry for entry in rolls if plain(purpose) == entry.roll.purpose]
    thrown = thrown or [entry for entry in rolls if case_answers.is_roll(purpose, entry.roll)]
    thrown = thrown or [entry for entry in rolls if entry.roll.purpose.endswith(plain(purpose))]
    if not thrown:
        known = [name for entry in rolls for name in (entry.roll.purpose, f"{entry.roll.purpose} {entry.roll.subject}")]
        raise CaseFault(f"nothing was worked out for {purpose!r}", at=purpose, known=(*known, "cost"))
    roll = thrown[0].roll
    made = [Part(modifier.reason, modifier.value, modifier.rule) for modifier in roll.modifiers if modifier.value]
    free: list[str] = []
    if roll.purpose == "melee":
        fought = [event for event in events_of(entries) if isinstance(event, MeleeFought)]
        for event in [each for each in fought if each.command == roll.by] if purpose != "melee" else fought:
            for needs in ("needs", "kill", "kills", "kill number", "kills on", "kill needs"):
                free += [f"{event.odds} {needs} {event.needed}", f"{needs} {event.needed}"]
            free += [event.odds, f"odds {event.odds}"]
    return made, free


def _costs(before: State, entries: Sequence[Entry]) -> list[Part]:
    spent: dict[str, int] = {}
    found: list[Part] = []
    for event in events_of(entries):
        if isinstance(event, Started):
            spent = {}
        if isinstance(event, Entered):
            costs = [points - spent.get(each, 0) for each, points in event.spent.items()]
            spent = dict(event.spent)
            found.append(Part(place_words(before, event.at), max(costs, default=0)))
    if not found:
        raise CaseFault("nothing was worked out for 'cost': nobody entered a hex", at="cost")
    return found


def _line(part: Part) -> str:
    return f"{part.reason} {part.value:+d}"


SAME: Final[tuple[tuple[str, ...], ...]] = (
    ("moving target", "moving", "target moving", "mover", "moved", "moving or moved target", "move"),
    ("adjacent target", "adjacent", "adjacency"),
    (
        "degrading terrain on the way",
        "degraded",
        "degradation",
        "degrading",
        "degrading hex",
        "degrading hexes",
        "degrading terrain",
    ),
    ("fire out of smoke", "out of smoke", "from smoke", "firing out of smoke"),
    ("by night beyond two hexes", "night"),
    ("Assault Move", "assault", "am", "assault moved"),
    ("Ops Complete", "oc"),
    ("stealth movement", "stealth"),
    ("the attack over the defence", "difference", "diff", "attack over defence"),
    (
        "lead unit",
        "lead",
        "lead squad",
        "leading unit",
        "squad",
        "inherent firepower",
        "inherent",
        "firepower",
        "fp",
        "base firepower",
        "ifp",
        "hero",
        "mortar",
    ),
    ("supporting unit", "supporting", "support", "supporting units", "supporting squads", "supporting squad"),
    ("1 without firepower attacking", "zero firepower", "zero fp", "without firepower", "no firepower"),
    (
        "1 without firepower defending",
        "zero firepower",
        "zero fp",
        "without firepower",
        "zero firepower defender",
        "zero firepower defending",
    ),
    ("sniper in hiding", "sniper", "sniper doubled", "doubled"),
    ("fire for effect", "ffe", "barrage"),
)
"""What a case may call the modifiers of rolls."""


def _fits(before: State, state: State, text: str, part: Part) -> bool:
    text = re.sub(r"^([+-]\d+)(?: for| from)? (.+)$", r"\2 \1", text)
    found = re.fullmatch(r"(.+?)(?: of|:| =)? ?([+-]?\d+)(?i: mps?| points?)?", text)
    if found is None or int(found[2]) != part.value:
        return False
    said, reason = _reduced(found[1]), re.sub(r"^\d+ supporting units$", "supporting unit", _reduced(part.reason))
    reason = re.sub(r"^\d+ (?=without firepower)", "1 ", reason)
    bare = _reduced(re.sub(r"\(.*\)| between$", "", part.reason))
    if said in (reason, _reduced(part.reason), bare):
        return True
    if any(
        {reason, bare} & names and said in names for names in ({_reduced(each) for each in group} for group in SAME)
    ):
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
                found |= {"leadership", "lm", "leader", "led", "leadership modifier", _reduced(f"leader {each.id}")}
    if reason == "leadership":
        found |= {"lm", "leader", *(_reduced(each.id) for each in units(state) if counter_of(state, each).leadership)}
    for gun in weapons(state):
        name = _reduced(weapon_row(state, gun).name)
        if reason in (name, f"{name} captured", f"{name} fired by one man"):
            found |= {
                name,
                _reduced(gun.id),
                _reduced(gun.counter),
                _reduced(gun.counter.removeprefix(f"{weapon_row(state, gun).nation}_")),
                "mg",
                "machine gun",
                "weapon",
                "support weapon",
                "sw",
            }
            found |= {f"captured {name}"} if reason.endswith("captured") else set()
    if reason.startswith("in "):
        found |= {"cover", "in cover", "terrain", reason.removeprefix("in "), re.sub(r"^in (?:an? |the )?", "", reason)}
    terrain = tables_of(state).ground.terrain
    found |= {_reduced(key) for key, row in terrain.items() if _reduced(row.name) == reason}
    if any(_reduced(row.name) == reason for row in terrain.values()):
        found |= {"terrain", "tm", "target modifier", "terrain modifier"}
    return found


def _reduced(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9]+", " ", text.lower()).split())


# Odds

GONE: Final = ("eliminated", "surrendered", "removed", "exited")
OF_UNITS: Final = ("shaken", "casualties", "reduced", "wounded", "healed", "rallied", "hero", *GONE, "gone", "unharmed")
OTHER_FATES: Final = ("jammed", "spotted", "smoke", "lit")
UNHARMED: Final = ("unharmed", "no effect", "good order", "nothing", "safe", "unhurt")


def known_fate(state: State, words: str) -> None:
    """Raises CaseFault unless these words are what odds could speak of: "gun shaken", "E5 spotted"."""
    fates = (*OF_UNITS, *OTHER_FATES, *UNHARMED)
    what = next((each for each in sorted(fates, key=len, reverse=True) if words.endswith(f" {each}")), "")
    name = words[: -len(what) - 1] if what else words.rpartition(" ")[0]
    if not what:
        unknown("of odds the word", words.rpartition(" ")[2], fates)
    if name not in names_of(state) and not is_hex(name.split()[0].partition("/")[0]):
        unknown("the piece", name, names_of(state))


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
    for name in sorted({name.rpartition(" ")[0] for name in found} & names_of(state)):
        harm = [found.get(f"{name} {what}", Fraction(0)) for what in ("shaken", "casualties", "wounded", "gone")]
        for word in UNHARMED:
            found.setdefault(f"{name} {word}", Fraction(1) - sum(harm, Fraction(0)))
    return found


def _add(found: dict[str, Fraction], words: str, chance: Fraction) -> None:
    found[words] = found.get(words, Fraction(0)) + chance
