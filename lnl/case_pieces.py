"""The lines of a case file that say what stands on the map: units, weapons, works, standing orders. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from lnl.case_counters import Rows
from lnl.case_ground import LEVELS, is_hex, split_place
from lnl.case_words import lines_of, plain, unknown, whole
from lnl.state import Standing, WorkKind
from umpire.kernel.cases import CaseFault

__all__ = ["Piece", "lines_of", "mark", "marked", "pieces", "standing"]

WORKS: Final[Mapping[str, WorkKind]] = {
    **{kind: kind for kind in get_args(WorkKind)},
    "foxholes": "foxhole",
    "trenches": "trench",
    "mine": "mines",
    "minefield": "mines",
    "barbed wire": "wire",
}
NOWHERE: Final = ("off", "off-map", "offmap", "reserve", "nowhere")
"""Words in the place of a hex: not on the map."""
MARKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "good order": {"is_shaken": False},
    "go": {"is_shaken": False},
    "shaken": {"is_shaken": True},
    "wounded": {"is_wounded": True},
    "moved": {"moved": "move"},
    "move": {"moved": "move"},
    "has moved": {"moved": "move"},
    "assault moved": {"moved": "assault"},
    "assault move": {"moved": "assault"},
    "am": {"moved": "assault"},
    "crawled": {"moved": "low_crawl"},
    "low crawl": {"moved": "low_crawl"},
    "low crawled": {"moved": "low_crawl"},
    "stealth": {"moved": "stealth"},
    "stealth moved": {"moved": "stealth"},
    "moving": {"moved": "move", "is_moving": True},
    "fired": {"fired": True},
    "has fired": {"fired": True},
    "ops complete": {"ops_complete": True},
    "oc": {"ops_complete": True},
    "has called": {"has_called": True},
    "has tried to rally": {"attempts": ("rally",)},
    "failed to rally": {"attempts": ("rally",)},
    "off map": {"is_placed": False},
    "off the map": {"is_placed": False},
    "unmarked": {},
    "unspotted": {},
    "stationary": {},
    "standing": {},
    "idle": {},
}
"""What a marker sets on a unit."""
HIDDEN: Final = ("concealed", "hidden")
PLACE_MARKS: Final[Mapping[str, str]] = {
    "spotted": "spotted",
    "melee": "melee",
    "in melee": "melee",
    "locked in melee": "melee",
    "melee not fought": "melee",
    "melee fought": "melee fought",
    "melee round fought": "melee fought",
}
COLUMNS: Final = re.compile(
    r"^(?:morale|lm|mf|mp|fp|firepower|range|movement|leadership|reduces|troops?|self[- ]rally|sr|may assault move|"
    r"red box|may use stealth|yellow square|boxed range|black box|extended range|red arrow|arc|immobile|recoilless|"
    r"gun|melee bonus|minimum range)(?=\b|\d) ?",
    re.IGNORECASE,
)
"""Markers that say what the counter prints."""
COUNTS: Final[Mapping[str, int]] = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "his": 1, "its": 1}


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
    said = [word.strip(",") for word in words[2:index]]
    early = [word for word in said if plain(word) in MARKS or plain(word) in HIDDEN]
    rest = [*early, *rest]
    told = tuple(word for word in said if word and word not in early)
    first = Piece(line=line, side=side, command=command or side, name=name, at=at, words=told)
    rows.nation(side)
    what = plain(" ".join(first.words)) or plain(name)
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
    return [_numbered(first, name, number) for number in range(1, int(count) + 1)]


def _numbered(first: Piece, name: str, number: int) -> Piece:
    guns = tuple(replace(gun, named="") for gun in first.guns)
    return replace(first, name=f"{name}{number}", guns=guns, unit=dict(first.unit))


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
    return name, [each.strip() for each in left.split(",") if each.strip()]


def _work_words(piece: Piece, what: str) -> None:
    if found := re.search(r"\bfacing (\d)", what):
        piece.facing = int(found[1])
    if found := re.search(r"(?:strength|fp) ?(\d)|(\d) ?fp", what):
        piece.strength = int(found[1] or found[2])


def _resolved(piece: Piece, rows: Rows) -> None:
    """Whether the words name a weapon that lies there, else the counter of a unit."""
    text = plain(" ".join(piece.words))
    is_loose = text.startswith(("loose ", "captured ")) or bool(piece.words and rows.is_weapon(piece.side, text))
    if is_loose and piece.words:
        words = [word for word in piece.words if word.lower() not in ("loose", "captured", "weapon")]
        piece.counter, _ = rows.weapon(piece.side, words)
        piece.kind = "weapon"
        piece.guns = (Gun(name=piece.name, counter=piece.counter, is_captured="captured" in text),)
        return
    piece.counter = rows.counter(piece.side, piece.name, (*piece.words, *piece.columns))


def mark(piece: Piece, marker: str, rows: Rows) -> None:
    """Puts one marker on a piece. Raises CaseFault for a marker that is not known."""
    word = plain(marker)
    word = re.sub(r"^(?:is |under (?:a |an )?)|(?: markers?)$", "", word)
    if word in MARKS:
        piece.unit |= MARKS[word]
    elif word in HIDDEN:
        piece.hidden = True
    elif word in ("open", "visible", "not hidden"):
        piece.hidden = False
    elif word in PLACE_MARKS:
        piece.place = (*piece.place, PLACE_MARKS[word])
    elif COLUMNS.match(marker):
        piece.columns = (*piece.columns, *marker.split())
    elif found := re.fullmatch(r"(?:skill|card) (.+)", word):
        piece.skills = (*piece.skills, found[1].replace(" ", "_"))
    elif found := re.fullmatch(r"trait (.+)", marker):
        piece.traits = (*piece.traits, found[1])
    elif found := re.fullmatch(r"(?:facing|faces) (\d)", word):
        piece.facing = int(found[1])
    elif found := re.fullmatch(r"(?:strength|fp) (\d+)", word):
        piece.strength = int(found[1])
    elif found := re.fullmatch(r"(?:has )?spent (\d+)(?: mps?)?", word):
        piece.unit |= {"spent": int(found[1])}
    elif found := re.fullmatch(r"arrives(?: turn| in turn)? (\d+|never)", word):
        piece.arrives = found[1] if found[1] == "never" else int(found[1])
    elif found := re.fullmatch(r"zone (.+)", marker):
        piece.zone = found[1]
    elif found := re.fullmatch(r"at (.+)", marker):
        split_place(found[1])
        piece.at = found[1]
    elif found := re.fullmatch(r"(?:has|with|and|carries|carrying|possesses) (.+)", marker):
        for part in re.split(r" and | with ", found[1]):
            _gun(piece, part, rows)
    elif rows.is_weapon(piece.side, " ".join(each for each in marker.split() if each.lower() not in _GUN_WORDS)):
        _gun(piece, marker, rows)
    else:
        known = (*MARKS, *HIDDEN, *PLACE_MARKS, "facing 2", "spent 2", "skill assaulter", "has mg42", "morale 5", "LM1")
        unknown("the marker", marker, known)


_GUN_WORDS: Final = ("captured", "packed", "dismantled", "set", "up", "jammed", "bipod", "on", "loose", "tripod")


def _gun(piece: Piece, text: str, rows: Rows) -> None:
    """A weapon that a unit has: "mg42", "two mg34", "captured mg42", "m1919a4 packed", "zb30 1-8", "mg42 called g"."""
    body, _, named = text.partition(" called ")
    words = body.replace("×", " ").split()
    times = 1
    if len(words) > 1 and (words[0].lower() in COUNTS or re.fullmatch(r"[1-4]x?", words[0])):
        times = COUNTS.get(words[0].lower()) or whole(words[0].rstrip("x"))
        words = words[1:]
    rest = [word for word in words if word.lower() not in _GUN_WORDS]
    if "tripod" in [word.lower() for word in words]:
        rest.append("tripod")
    has = {word.lower() for word in words}
    counter, word = rows.weapon(piece.side, [each[:-1] if times > 1 and each.endswith("s") else each for each in rest])
    made = Gun(
        name=word,
        counter=counter,
        is_packed=bool(has & {"packed", "dismantled", "bipod"}),
        is_set_up={"set", "up"} <= has,
        is_captured="captured" in has,
        is_jammed="jammed" in has,
        named=named,
    )
    piece.guns = (*piece.guns, *(replace(made) for _ in range(times)))


def marked(found: Sequence[Piece], line: str, rows: Rows) -> bool:
    """Lays a further line (`squad shaken, moved`, `gun at H6`) over a piece; False where it names none."""
    name, _, markers = line.partition(" ")
    named = [piece for piece in found if piece.name == name or re.fullmatch(rf"{re.escape(name)}\d+", piece.name)]
    named = [piece for piece in named if piece.name == name] or named
    for piece in named:
        if not markers:
            raise CaseFault(f"{line!r} says nothing of {name}", at=line)
        before = piece.columns
        for text in markers.split(","):
            mark(piece, text.strip(), rows)
        if piece.columns != before:
            _resolved(piece, rows)
    return bool(named)


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


# Standing orders


def standing(lines: Sequence[str]) -> dict[str, Standing]:
    """`near: hold`, `gun: fire at movers`, `ge: fire within 4`, `us: ask`: by unit or command."""
    found: dict[str, Standing] = {}
    for line in lines:
        who, colon, orders = line.partition(":")
        if not colon:
            raise CaseFault(f"{line!r} is not: who, a colon, hold or fire", at=line)
        text = plain(orders)
        within = 99
        if near := re.search(r"(?:within|to|beyond|range) (\d+)(?: hex(?:es)?)?", text):
            within = int(near[1])
            is_hold_beyond = "beyond" in near[0]
            text = text.replace(near[0], " free " if is_hold_beyond else " ")
        words = text.replace(",", " ").split()
        if "free" in words or ("fire" in words and "hold" not in words):
            fire = "free"
        elif "hold" in words or "none" in words:
            fire = "hold"
        elif "ask" in words:
            fire = "ask"
        else:
            unknown("the standing order", orders.strip(), ("hold", "fire at movers", "fire within 4", "ask"))
        found[who.strip()] = Standing(fire=fire, within=within)  # type: ignore[arg-type]
    return found
