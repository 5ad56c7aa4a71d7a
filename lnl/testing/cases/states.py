"""How a piece is, in the words of case files: what the lines of `then` say of units and weapons. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from lnl.book.designations import designated, designation
from lnl.rules.hidden.spotting import is_unit_spotted
from lnl.rules.men.leaders import leadership
from lnl.rules.men.morale import morale_of
from lnl.rules.movement.movement import allowance
from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, has_unit, has_weapon, is_open, melee_at, unit, weapon, works
from lnl.state.setting import setting_of, tables_of
from lnl.testing.cases.counters import KIND_WORDS
from lnl.testing.cases.ground import LEVELS
from lnl.testing.cases.marks import NOTHING, marker_word
from lnl.testing.cases.names import group, names_of, piece, place
from lnl.testing.cases.words import plain
from lnl.words.naming import place_words
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

Words = Mapping[str, Callable[[State, Unit], bool]]


def is_so(state: State, text: str) -> str:
    """`squad at E6, shaken`; of several, `a, b and c shaken`; of all that a name with numbers means, `sq shaken`."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    names: list[str] = []
    while parts:
        more, what = _heads(state, parts[0])
        names += more
        parts[0] = what
        if what:
            break
        parts.pop(0)
    if not parts:
        raise CaseFault(f"{text!r} says nothing of {', '.join(names)}", at=text)
    for name in names:
        for word in parts:
            if instead := _holds_of(state, name, word):
                return instead
    return ""


def _holds_of(state: State, name: str, word: str) -> str:
    """What a phrase says of a piece, of all its parts where it is none as a whole: "fired and ops complete"."""
    first, joined, rest = word.partition(" and ")
    if not joined:
        return state_of(state, name, word)
    try:
        return state_of(state, name, word)
    except CaseFault:
        return state_of(state, name, first) or _holds_of(state, name, rest)


def _heads(state: State, text: str) -> tuple[list[str], str]:
    """The names at the head of a phrase, with "and" between them, and what is said of them ("" for nothing yet)."""
    name = _head(state, re.sub(r":(?= |$)", "", text, count=1))
    what = text[len(name) :].removeprefix(":").strip()
    found = group(state, name) if name not in names_of(state) and piece(state, name) is None else [name]
    if what.startswith("and "):
        more, what = _heads(state, what.removeprefix("and ").removeprefix("the "))
        found += more
    return found, what


def _head(state: State, text: str) -> str:
    """The name at the beginning of a phrase: the longest that is one."""
    words = text.split()
    for size in range(min(4, len(words)), 0, -1):
        name = " ".join(words[:size])
        if name in names_of(state) or piece(state, name) is not None or group(state, name):
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
    "activated": lambda state, each: bool(each.moved or each.fired or each.ops_complete),
    "crawling": lambda state, each: each.moved == "low_crawl",
    "fire": lambda state, each: each.fired,
    "operations complete": lambda state, each: each.ops_complete,
    "stealth move": lambda state, each: each.moved == "stealth",
    "unshaken": lambda state, each: not each.is_shaken,
    "unwounded": lambda state, each: not each.is_wounded,
    "no effect": lambda state, each: not (each.is_shaken or each.is_wounded),
    "unharmed": lambda state, each: not (each.is_shaken or each.is_wounded),
    "unmarked": lambda state, each: not (each.moved or each.fired or each.ops_complete),
    "not activated": lambda state, each: not (each.moved or each.fired or each.ops_complete),
    "in melee": lambda state, each: melee_at(state, each.at) is not None,
    "melee": lambda state, each: melee_at(state, each.at) is not None,
    "locked in melee": lambda state, each: melee_at(state, each.at) is not None,
    "melee fought": lambda state, each: (found := melee_at(state, each.at)) is not None and found.fought,
    "melee round fought": lambda state, each: (found := melee_at(state, each.at)) is not None and found.fought,
    "melee not fought": lambda state, each: (found := melee_at(state, each.at)) is not None and not found.fought,
    "hidden": lambda state, each: not is_open(state, each.id),
    "concealed": lambda state, each: not is_open(state, each.id),
    "open": lambda state, each: is_open(state, each.id),
    "visible": lambda state, each: is_open(state, each.id),
    "unspotted": lambda state, each: not _is_spotted(state, each),
    "on the map": lambda state, each: each.is_placed,
    "off the map": lambda state, each: not each.is_placed,
    "off map": lambda state, each: not each.is_placed,
    "tried to rally": lambda state, each: "rally" in each.attempts,
    "failed to rally": lambda state, each: "rally" in each.attempts and each.is_shaken,
    "called": lambda state, each: each.has_called,
    "has called": lambda state, each: each.has_called,
    "reduced": lambda state, each: counter_of(state, each).kind == "half_squad",
    "casualties": lambda state, each: counter_of(state, each).kind == "half_squad",
    "spotted": lambda state, each: _is_spotted(state, each),
    **{word: lambda state, each: True for word in NOTHING},
}


def _is_spotted(state: State, each: Unit) -> bool:
    others = (name for name, command in setting_of(state).commands.items() if command.side != each.side)
    return any(is_unit_spotted(state, name, each.id) for name in others)


AT: Final = re.compile(
    r"(?:at|in|stays in|stays at|still at|still in|reaches|enters|stops in|stands in|back in) "
    r"(\d*[A-Z]{1,2}\d{1,2}(?:/[A-Za-z]+)?)\b ?(.*)"
)
"""Where a piece is, and what is said beside."""
THERE: Final = (
    "there",
    "still there",
    "alive",
    "kept",
    "stays",
    "remains",
    "survives",
    "left",
    "present",
    "stays there",
)


def state_of(state: State, name: str, what: str) -> str:
    """Nothing if a piece is what the words say, else what is so instead. Raises CaseFault for unknown words."""
    found = piece(state, name)
    text = re.sub(r"^(?:(?:is|was|are|were|has been|still) )+", "", what)
    if plain(text) in THERE or plain(text) in ("not gone", "not eliminated", "not removed"):
        return "" if found is not None else f"{name} is gone"
    if found is None:
        return f"{name} is gone" if name in names_of(state) else unknown("the piece", name, names_of(state))
    wanted = not text.startswith(("not ", "no ", "has not ", "has no "))
    bare = text if wanted else re.sub(r"^has no ", "has ", re.sub(r"^(?:has )?not |^no ", "", text))
    if (where := AT.fullmatch(bare)) is not None:
        name_of_place, rest = _place_and_rest(where[1], where[2])
        instead = _is_at(state, name, found, name_of_place, wanted)
        return instead or (state_of(state, name, rest) if rest else "")
    if has_unit(state, found):
        if plain(text) in UNIT_WORDS:
            bare, wanted = text, True
        return _unit_is(state, unit(state, found), name, bare, wanted)
    if has_weapon(state, found):
        return _weapon_is(state, found, name, bare, wanted)
    return unknown("the word", what, ("at E5", "gone"))


def _place_and_rest(name: str, left: str) -> tuple[str, str]:
    """A place with its level, and what follows: "E5", "upstairs under a Move marker"."""
    for level in sorted(LEVELS, key=len, reverse=True):
        if len(level) > 1 and re.match(rf"{level}\b", left, re.IGNORECASE):
            name, left = f"{name} {level}", left[len(level) :].strip()
            break
    return name, left.removeprefix("and ")


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
    word = word if word in UNIT_WORDS else marker_word(text)
    if word in UNIT_WORDS:
        is_so = UNIT_WORDS[word](state, each)
        return "" if is_so == wanted else f"{name} is {'not ' if wanted else ''}{word} ({_shown(state, each)})"
    row = counter_of(state, each)
    if found := re.fullmatch(r"(?:has|bears|with|under) an? (.+) marker", plain(text)):
        return _unit_is(state, each, name, found[1], wanted)
    if re.fullmatch(r"(?:has |bears |under )?(?:no |any )?markers?", text):
        return _unit_is(state, each, name, "unmarked", "no " in text or not wanted)
    if (instead := _number_is(state, each, name, word, wanted)) is not None:
        return instead
    if found := re.fullmatch(r"(?:has |with |holds |keeps |carries |possesses |(?=skill |trait ))(.+)", text):
        return _has(state, each, name, found[1], wanted)
    said = re.sub(r"^(?:(?:an?|now|reduced to|reduced|becomes) )+", "", text)
    kind, _, numbers = said.rpartition(" ")
    if (dash := designation(numbers)) is not None and (not kind or plain(kind) in KIND_WORDS):
        is_so = dash.fits(row) and (not kind or row.kind == KIND_WORDS[plain(kind)])
        return "" if is_so == wanted else f"{name} is a {row.kind.replace('_', '-')} {designated(row)}"
    if plain(said) in KIND_WORDS:
        return "" if (row.kind == KIND_WORDS[plain(said)]) == wanted else f"{name} is a {row.kind.replace('_', '-')}"
    if text in tables_of(state).book.tables["counters"]:
        return "" if (each.counter == text) == wanted else f"{name} is {each.counter}"
    if has_weapon(state, piece(state, text, [each.id]) or ""):
        return _has(state, each, name, text, wanted)
    known = (*UNIT_WORDS, *KIND_WORDS, "at E5", "spent 2", "facing 2", "has mg42", "morale 5", "1-4-4-6")
    return unknown("the word", text, known)


def _number_is(state: State, each: Unit, name: str, word: str, wanted: bool) -> str | None:
    """Words with a number: "spent 2", "2 MP left", "facing 3", "morale 5", "LM 1"; None for others."""
    points = r"(?: mps?| points?| movement points?)?"
    row = counter_of(state, each)
    values: tuple[tuple[str, str, Callable[[], int]], ...] = (
        (rf"(?:has )?spent (\d+){points}|(\d+){points} spent", "has spent {}", lambda: each.spent),
        (rf"(?:has )?(\d+){points} left", "has {} left", lambda: allowance(state, each)[0] - each.spent),
        (r"(?:facing|faces) (\d)", "faces {}", lambda: each.facing),
        (r"(?:has )?morale (\d+)", "has morale {}", lambda: morale_of(state, each)[0]),
        (r"(?:has )?(?:lm|leadership) ?(\d+)", "has leadership {}", lambda: leadership(state, each)),
        (r"(?:has )?(?:fp|firepower) ?(\d+)", "has firepower {}", lambda: row.firepower),
        (r"(?:has )?(?:mf|movement) ?(\d+)", "has movement {}", lambda: row.movement),
        (r"(?:has )?range (\d+)", "has range {}", lambda: row.range),
    )
    for pattern, words, value in values:
        if found := re.fullmatch(pattern, word):
            number = int(next(each for each in found.groups() if each))
            return "" if (value() == number) == wanted else f"{name} {words.format(value())}"
    return None


def _has(state: State, each: Unit, name: str, what: str, wanted: bool) -> str:
    if what in ("nothing", "no weapon", "no weapons"):
        return "" if (not each.weapons) == wanted else f"{name} has {', '.join(each.weapons)}"
    if what in ("weapon", "weapons", "a weapon"):
        return "" if bool(each.weapons) == wanted else f"{name} has {', '.join(each.weapons) or 'nothing'}"
    if found := re.fullmatch(r"(two|both|2|three|3)(?: x)? (\w+?)s?", plain(what)):
        same = [gun for gun in each.weapons if found[2] in weapon(state, gun).counter.split("_")]
        is_so = len(same) == (3 if found[1] in ("three", "3") else 2)
        return "" if is_so == wanted else f"{name} has {', '.join(each.weapons) or 'nothing'}"
    word = plain(what).removeprefix("skill ").replace(" ", "_")
    is_owned = word in each.skills or what.removeprefix("trait ") in each.traits
    found_gun = piece(state, what, [each.id])
    if (
        found_gun is None
        and not is_owned
        and not word.startswith("case")
        and word not in tables_of(state).book.tables["skills"]
    ):
        if not any(word in key for key in tables_of(state).book.tables["weapons"]):
            unknown("the weapon or skill", what, (*each.weapons, *tables_of(state).book.tables["weapons"]))
    is_so = is_owned or found_gun in each.weapons
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
