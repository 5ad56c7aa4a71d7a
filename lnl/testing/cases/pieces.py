"""The lines of a case file that say what stands on the map: units, weapons, works. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from lnl.state.battle import WorkKind
from lnl.testing.cases.counters import FLAGS, Rows
from lnl.testing.cases.ground import LEVELS, is_hex, split_place
from lnl.testing.cases.marks import (
    COLUMNS,
    COUNTS,
    COVER,
    HIDDEN,
    KNOWN,
    MARKS,
    NOT,
    NOTHING,
    NOWHERE,
    OPEN,
    PLACE_MARKS,
    marker_word,
)
from lnl.testing.cases.words import plain
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import lines_of, unknown, whole

__all__ = ["Piece", "in_cover", "lines_of", "mark", "marked", "pieces"]

WORKS: Final[Mapping[str, WorkKind]] = {
    **{kind: kind for kind in get_args(WorkKind)},
    "foxholes": "foxhole",
    "trenches": "trench",
    "mine": "mines",
    "minefield": "mines",
    "barbed wire": "wire",
}


class Gun(Struct, kw_only=True):
    """A support weapon of a line."""

    name: str
    counter: str
    is_packed: bool = False
    is_set_up: bool = False
    is_captured: bool = False
    is_jammed: bool = False
    named: str = ""


class Piece(Struct, kw_only=True):
    """What the lines say of one unit, weapon or work, before a battle is made of it."""

    line: str
    side: str
    command: str
    name: str
    at: str
    kind: str = "unit"
    words: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    counter: str = ""
    hidden: bool = False
    unit: dict[str, Any] = field(default_factory=dict)
    place: tuple[str, ...] = ()
    guns: tuple[Gun, ...] = ()
    skills: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    facing: int = 0
    strength: int = 1
    arrives: int | str = 0
    zone: str = ""
    cover: str = ""

    @property
    def is_placed(self) -> bool:
        return bool(self.at)


# Pieces


def pieces(lines: Sequence[str], rows: Rows) -> list[Piece]:
    """The pieces of the lines, `r*4` as four. Raises CaseFault with the word that is not known."""
    found = [piece for line in lines for piece in _line(line, rows)]
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise CaseFault(f"two pieces are called {name!r}", at=name)
    return found


def _line(line: str, rows: Rows) -> list[Piece]:
    try:
        return _read(line, rows)
    except CaseFault as fault:
        raise CaseFault(str(fault), at=line) from None


def _read(line: str, rows: Rows) -> list[Piece]:
    words = line.split()
    index = next(
        (n for n, word in enumerate(words) if n > 1 and (is_hex(word.strip(",").partition("/")[0]) or _nowhere(word))),
        None,
    )
    if index is None:
        raise CaseFault(f"{line!r} is not: side, name, what it is, place (E5), markers", at=line)
    side, _, command = words[0].partition("/")
    name, _, count = words[1].partition("*")
    if count and not count.isdigit():
        raise CaseFault(f"{words[1]!r} is not a name and a number, such as sq*3", at=words[1])
    at, rest = _place(words[index:])
    others, rest = _further_places(rest) if count else ([], rest)
    if others and len(others) != int(count) - 1:
        raise CaseFault(f"{count} are named, and {len(others) + 1} places", at=line)
    said = [word.strip(",") for word in re.sub(r"[()]", " ", " ".join(words[2:index])).split()]
    of_counters = {word for phrase in FLAGS for word in phrase.split() if phrase in plain(" ".join(said))}
    early = [word for word in said if marker_word(word) in MARKS or plain(word) in HIDDEN]
    early = [word for word in early if word.lower() not in of_counters]
    rest = [*early, *rest]
    told = tuple(word for word in said if word and word not in early)
    first = Piece(line=line, side=side, command=command or side, name=name, at=at, words=told)
    rows.nation(side)
    what = plain(" ".join(first.words)).removeprefix("deployed ") or plain(name)
    if what.split()[0] in WORKS or what in WORKS:
        first.kind = "work"
        first.counter = WORKS.get(what, WORKS.get(what.split()[0], "foxhole"))
        if not first.words:
            first.words = (name,)
        _work_words(first, what)
    for marker in rest:
        mark(first, marker, rows)
    if first.kind == "unit":
        if first.facing:
            first.columns = (*first.columns, "red", "arrow")
        _resolved(first, rows)
    if not count:
        return [first]
    places = [first.at, *others] if others else [first.at] * int(count)
    return [_numbered(first, name, number, place) for number, place in enumerate(places, 1)]


def _numbered(first: Piece, name: str, number: int, at: str) -> Piece:
    guns = tuple(replace(gun, named="") for gun in first.guns)
    return replace(first, name=f"{name}{number}", at=at, guns=guns, unit=dict(first.unit))


def _further_places(markers: Sequence[str]) -> tuple[list[str], list[str]]:
    """The places of all but the first of `sq*3 … E5 E6 F6`, at the head of the markers, and the markers."""
    found: list[str] = []
    left = list(markers)
    while left and is_hex(left[0].split()[0].partition("/")[0]):
        at, rest = _place(left.pop(0).split())
        found.append(at)
        left = [*rest, *left]
    return found, left


def _nowhere(word: str) -> bool:
    return word.strip(",") in NOWHERE


def _place(words: Sequence[str]) -> tuple[str, list[str]]:
    """The place at the head of these words, and the markers after it."""
    if _nowhere(words[0]):
        left = " ".join(words[1:])
        left = re.sub(r"^(?:the )?(?:map|board)\b", "", left)
        return "", [each.strip() for each in left.split(",") if each.strip()]
    text = " ".join(words)
    name = words[0].strip(",")
    left = text[len(words[0]) :].strip()
    is_done = words[0].endswith(",")
    for level in sorted(LEVELS, key=len, reverse=True):
        if not is_done and len(level) > 1 and re.match(rf"{level}\b", left, re.IGNORECASE):
            name, left = f"{name} {level}", left[len(level) :]
            break
    split_place(name)
    left = re.sub(r"(^|,) *\(([^()]*)\)", r"\1 \2", left)
    return name, [each.strip() for each in left.split(",") if each.strip()]


def _work_words(piece: Piece, what: str) -> None:
    if found := re.search(r"\bfacing (\d)", what):
        piece.facing = int(found[1])
    if found := re.search(r"(?:strength|fp) ?(\d)|(\d) ?fp", what):
        piece.strength = int(found[1] or found[2])


def _resolved(piece: Piece, rows: Rows) -> None:
    """Whether the words name a weapon that lies there, else the counter of a unit."""
    text = plain(" ".join(piece.words))
    is_team = "mortar" in text and "51" not in text
    is_loose = text.startswith(("loose ", "captured ")) or bool(
        piece.words and not is_team and rows.is_weapon(piece.side, text)
    )
    if is_loose and piece.words:
        words = [word for word in piece.words if word.lower() not in ("loose", "captured", "weapon")]
        piece.counter, _ = rows.weapon(piece.side, words)
        piece.kind = "weapon"
        piece.guns = (Gun(name=piece.name, counter=piece.counter, is_captured="captured" in text),)
        return
    piece.counter = rows.counter(piece.side, piece.name, (*piece.words, *piece.columns))


def mark(piece: Piece, marker: str, rows: Rows) -> None:
    """Puts one marker on a piece. Raises CaseFault for a marker that is not known."""
    word = marker_word(marker)
    if word in MARKS:
        piece.unit |= MARKS[word]
    elif (not_so := marker_word(re.sub(r"^(?:not|no) ", "", word))) != word and not_so in NOT:
        piece.unit |= NOT[not_so]
    elif word in NOTHING:
        return
    elif word in HIDDEN:
        piece.hidden = True
    elif word in OPEN:
        piece.hidden = False
    elif word in PLACE_MARKS:
        piece.place = (*piece.place, PLACE_MARKS[word]) if PLACE_MARKS[word] else ()
    elif found := COVER.fullmatch(word):
        piece.cover = found[1]
    elif found := re.fullmatch(r"on (?:top(?: of)?(?: the bunker)?|the bunker)", word):
        piece.at = piece.at.split()[0].partition("/")[0]
    elif found := re.fullmatch(r"(?:on |at )?(?:the )?((?:upper|ground)(?: floor| storey| level)?)", word):
        piece.at = f"{piece.at.split()[0].partition('/')[0]} {found[1]}"
    elif COLUMNS.match(marker):
        piece.columns = (*piece.columns, *marker.split())
    elif not _said_of_it(piece, marker, word):
        _gun_marker(piece, marker, rows)


def _said_of_it(piece: Piece, marker: str, word: str) -> bool:
    """Markers with a value: whether it was one."""
    if found := re.fullmatch(r"(?:has )?(?:skill card|skill|card) (.+)", word):
        piece.skills = (*piece.skills, found[1].replace(" ", "_"))
    elif found := re.fullmatch(r"trait (.+)", marker):
        piece.traits = (*piece.traits, found[1])
    elif found := re.fullmatch(r"(?:facing|faces) (\d)", word):
        piece.facing = int(found[1])
    elif found := re.fullmatch(r"(?:strength|fp) (\d+)", word):
        piece.strength = int(found[1])
    elif found := re.fullmatch(r"(?:has )?spent (\d+)(?: mps?| points?)?|(\d+)(?: mps?| points?)? spent", word):
        piece.unit |= {"spent": int(found[1] or found[2])}
    elif found := re.fullmatch(r"arrives(?: turn| in turn)? (\d+|never)", word):
        piece.arrives = found[1] if found[1] == "never" else int(found[1])
    elif found := re.fullmatch(r"zone (.+)", marker):
        piece.zone = found[1]
    elif found := re.fullmatch(r"(?:is )?(?:at|in) ([A-Z0-9].*)", marker):
        split_place(found[1])
        piece.at = found[1]
    else:
        return False
    return True


def _gun_marker(piece: Piece, marker: str, rows: Rows) -> None:
    if marker.lower() in ("has nothing", "has no weapon", "without weapons"):
        piece.guns = ()
    elif found := re.fullmatch(r"(?:has|with|and|carries|carrying|possesses|holds) (.+)", marker):
        for part in re.split(r" and | with |\+", found[1]):
            _gun(piece, part.strip(), rows)
    elif rows.is_weapon(piece.side, " ".join(each for each in marker.split() if each.lower() not in _GUN_WORDS)):
        _gun(piece, marker, rows)
    else:
        unknown("the marker", marker, KNOWN)


_GUN_WORDS: Final = (
    "captured",
    "packed",
    "dismantled",
    "assembled",
    "set",
    "up",
    "jammed",
    "bipod",
    "on",
    "its",
    "side",
    "loose",
    "tripod",
)
SET_UP: Final = ("set", "assembled", "tripod")
PACKED: Final = ("packed", "dismantled", "bipod")


def _gun(piece: Piece, text: str, rows: Rows) -> None:
    """A weapon that a unit has: "mg42", "two mg34", "captured mg42", "m1919a4 packed", "zb30 1-8", "mg42 called g"."""
    body, _, named = text.partition(" called ")
    body = re.sub(r"\b([2-4]) ?x ", r"\1 ", re.sub(r"[()×]", lambda found: "x" if found[0] == "×" else " ", body))
    words = body.split()
    times = 1
    if len(words) > 1 and (words[0].lower() in COUNTS or re.fullmatch(r"[1-4]x?", words[0])):
        times = COUNTS.get(words[0].lower()) or whole(words[0].rstrip("x"))
        words = words[1:]
    elif len(words) > 1 and re.fullmatch(r"x[1-4]", words[-1]):
        times, words = int(words[-1][1]), words[:-1]
    has = {word.lower() for word in words}
    rest = [word for word in words if word.lower() not in _GUN_WORDS]
    if "tripod" in has and rows.is_weapon(piece.side, " ".join((*rest, "tripod"))):
        rest.append("tripod")
    counter, word = rows.weapon(piece.side, [each[:-1] if times > 1 and each.endswith("s") else each for each in rest])
    made = Gun(
        name=word,
        counter=counter,
        is_packed=bool(has & set(PACKED)),
        is_set_up=bool(has & set(SET_UP)),
        is_captured="captured" in has,
        is_jammed="jammed" in has,
        named=named,
    )
    piece.guns = (*piece.guns, *(replace(made) for _ in range(times)))


def marked(found: list[Piece], line: str, rows: Rows, sides: Collection[str]) -> bool:
    """Lays a further line (`squad shaken, moved`, `gun at H6`, `gun gone`) over a piece, or adds the piece of one of
    the sides that it describes; False where it does neither."""
    name, _, markers = line.partition(" ")
    named = _called(found, name)
    for piece in named:
        if not markers:
            raise CaseFault(f"{line!r} says nothing of {name}", at=line)
        if markers in ("gone", "is gone", "absent"):
            found.remove(piece)
            continue
        before = piece.columns
        try:
            for text in markers.split(","):
                mark(piece, text.strip(), rows)
            if piece.columns != before:
                _resolved(piece, rows)
        except CaseFault as fault:
            raise CaseFault(str(fault), at=line) from None
    if not named and name.partition("/")[0] in sides and len(line.split()) > 2:
        new = _line(line, rows)
        taken = [piece.name for piece in new if _called(found, piece.name)]
        if taken:
            raise CaseFault(f"two pieces are called {taken[0]!r}", at=line)
        found.extend(new)
        return True
    return bool(named)


def _called(found: Sequence[Piece], name: str) -> list[Piece]:
    """The piece of this name, or those that the name with a number behind it means."""
    named = [piece for piece in found if piece.name == name]
    return named or [piece for piece in found if re.fullmatch(rf"{re.escape(name)}\d+", piece.name)]


def gun_names(found: Iterable[Piece]) -> dict[tuple[str, int], str]:
    """What each weapon of a unit is called: "mg42" where there is one, else "gun mg42", "gun mg42 2"."""
    guns = [(piece, number, gun) for piece in found if piece.kind == "unit" for number, gun in enumerate(piece.guns)]
    taken = [gun.named or gun.name for _, _, gun in guns] + [piece.name for piece in found]
    names: dict[tuple[str, int], str] = {}
    for piece, number, gun in guns:
        word = gun.named or gun.name
        if taken.count(word) > 1 and not gun.named:
            mine = [n for n, other in enumerate(piece.guns) if other.name == gun.name]
            word = f"{piece.name} {gun.name}" + (f" {mine.index(number) + 1}" if len(mine) > 1 else "")
        names[piece.name, number] = word
    return names


def in_cover(found: Sequence[Piece]) -> list[Piece]:
    """The foxholes and trenches that stand in no line of their own: those of units that are said to be in one."""
    there = {(piece.counter, piece.at.split()[0].partition("/")[0]) for piece in found if piece.kind == "work"}
    made: list[Piece] = []
    for piece in found:
        at = piece.at.split()[0].partition("/")[0] if piece.at else ""
        if piece.cover and at and (piece.cover, at) not in there:
            there.add((piece.cover, at))
            name = f"{piece.cover} {at}"
            work = Piece(line=piece.line, side=piece.side, command=piece.command, name=name, at=at, kind="work")
            made.append(replace(work, counter=piece.cover, hidden=piece.hidden))
    return made
