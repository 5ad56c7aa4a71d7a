"""The pieces of a case of Lock 'n Load: units, weapons, works, from lines and markers. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from lnl.state.battle import Unit, Weapon, Work, WorkKind
from lnl.testing.cases.counters import COLUMN, Rows
from lnl.testing.cases.ground import place_at, split_place
from umpire.testing.cases.lines import heads, is_line, markers_of, one_each, read_line
from umpire.testing.cases.marks import Mark, Marks, Said, put, values_of, words_of
from umpire.testing.cases.words import CaseFault, plain, unknown

MARKS: Final[Mapping[type[Any], Marks]] = {
    Unit: {
        "good order": Mark("is_shaken", False),
        "moved": Mark("moved", "move"),
        "assault moved": Mark("moved", "assault"),
        "crawled": Mark("moved", "low_crawl"),
        "stealth moved": Mark("moved", "stealth"),
        "stopped": Mark("is_moving", False),
        "placed": Mark("is_off", False),
    },
    Weapon: {"packed": Mark("is_set_up", False), "dropped": Mark("owner", "")},
    Work: {},
}
"""Words for fields that are called otherwise than in the engine."""
UNMARKED: Final = {"moved": "", "is_moving": False, "fired": False, "ops_complete": False}
PLACE_MARKS: Final = {"spotted": "spotted", "melee": "melee", "melee not fought": "melee", "melee fought": "fought"}
"""What a marker says of a unit's place."""
COUNTS: Final = {"two": 2, "three": 3}
SHAPE: Final = "place (E5), markers"


class Gun(Struct, kw_only=True):
    """A support weapon of a line."""

    name: str
    counter: str
    words: frozenset[str] = frozenset()
    is_named: bool = False


class Piece(Struct, kw_only=True):
    """What the lines say of one unit, weapon or work, before a battle is made of it; `at` is "" off the map."""

    line: str
    side: str
    command: str
    name: str
    at: str
    what: str
    kind: Any = Unit
    counter: str = ""
    columns: str = ""
    hidden: bool = False
    said: Said = field(default_factory=dict)
    place: str = ""
    guns: tuple[Gun, ...] = ()
    cover: str = ""
    arrives: int | str = 0

    @property
    def hex(self) -> str:
        return split_place(self.at)[0] if self.at else ""

    @property
    def unit(self) -> dict[str, Any]:
        return self.said.setdefault(Unit, {})


class Reader:
    """Reads the lines of a case with the rows of its book."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.pieces: list[Piece] = []

    def add(self, text: str) -> None:
        """Adds the pieces of a line, `r*4` as four. Raises CaseFault with the word that is not known."""
        try:
            line = read_line(text, place_at, SHAPE)
            at = "" if line.places[0].startswith("off ") else line.places[0]
            what = line.what or line.names[0]
            first = Piece(line=text, side=line.side, command=line.command, name=line.names[0], at=at, what=what)
            self.rows.nation(line.side)
            self._kind(first)
            for marker in line.markers:
                self.mark(first, marker)
            self._resolve(first)
        except CaseFault as fault:
            raise CaseFault(str(fault), at=text) from None
        places = line.places if len(line.places) > 1 else [at] * len(line.names)
        for name, place in zip(line.names, places, strict=True):
            guns = tuple(replace(gun) for gun in first.guns)
            said = {kind: dict(values) for kind, values in first.said.items()}
            self.pieces.append(replace(first, name=name, at=place, guns=guns, said=said))
        one_each(piece.name for piece in self.pieces)

    def further(self, text: str, sides: Collection[str]) -> bool:
        """Marks or removes pieces that are there, or adds some; False for a line that does neither."""
        named, markers = heads(text, [piece.name for piece in self.pieces])
        if not named and text.split()[0].partition("/")[0] in sides and is_line(text, place_at):
            self.add(text)
            return True
        if named and not markers:
            raise CaseFault(f"{text!r} says nothing of {named[0]}", at=text)
        for piece in [piece for piece in self.pieces if piece.name in named]:
            if markers == "gone":
                self.pieces.remove(piece)
                continue
            before = piece.columns
            try:
                for marker in markers_of(markers):
                    self.mark(piece, marker)
                if piece.columns != before:
                    self._resolve(piece)
            except CaseFault as fault:
                raise CaseFault(str(fault), at=text) from None
        return bool(named)

    # What a piece is

    def _kind(self, piece: Piece) -> None:
        """A work by its first word, or a weapon that lies there by its name."""
        text = plain(piece.what)
        first, _, more = text.partition(" ")
        if first in get_args(WorkKind):
            piece.kind, piece.counter = Work, first
            for marker in filter(None, (more if not more.isdigit() else f"strength {more}",)):
                self.mark(piece, marker)
            return
        word = text.removeprefix("loose ").removeprefix("captured ").replace(" ", "_")
        if "mortar" not in text.split() and self.rows.weapon_key(self.rows.nation(piece.side), word):
            counter, _ = self.rows.weapon(piece.side, word)
            words = frozenset(text.split()) & {"captured"}
            piece.kind, piece.counter = Weapon, counter
            piece.guns = (Gun(name=piece.name, counter=counter, words=words),)

    def _resolve(self, piece: Piece) -> None:
        if piece.kind is Unit:
            facing = " red arrow" if piece.unit.get("facing") else ""
            piece.counter = self.rows.counter(piece.side, f"{piece.what} {piece.columns}{facing}".strip())

    # Markers

    def mark(self, piece: Piece, marker: str) -> None:
        """Puts one marker on a piece. Raises CaseFault for a marker that is not known."""
        word = plain(marker)
        head, _, value = " ".join(marker.split()).partition(" ")
        if word == "unmarked":
            piece.unit.update(UNMARKED)
        elif word == "moving":
            piece.unit.update(moved="move", is_moving=True)
        elif word == "failed to rally":
            piece.unit.update(attempts=("rally",))
        elif word in ("concealed", "hidden", "open"):
            piece.hidden = word != "open"
        elif word in PLACE_MARKS or word == "not spotted":
            piece.place = PLACE_MARKS.get(word, "")
        elif found := re.fullmatch(r"in an? (foxhole|trench)", word):
            piece.cover = found[1]
        elif word == "on top":
            piece.at = piece.hex
        elif head in ("skill", "trait"):
            values = piece.unit.setdefault(f"{head}s", ())
            piece.unit[f"{head}s"] = (*values, value.replace(" ", "_") if head == "skill" else value)
        elif word == "arrives never":
            piece.arrives = "never"
        elif COLUMN.match(f"{word} "):
            piece.columns = f"{piece.columns} {marker}"
        elif head == "at":
            split_place(value)
            piece.at = value
        elif word == "has nothing":
            piece.guns = ()
        elif head == "has" and word != "has called":
            for part in value.split(" and "):
                self._gun(piece, part)
        elif not put(piece.said, marker, {piece.kind: MARKS[piece.kind]}):
            known = (*MARKS[piece.kind], *words_of(piece.kind), *(f"{each} 2" for each in values_of(piece.kind)))
            more = ("concealed", "skill assaulter", "has mg42", "morale 5", "LM1", "in a foxhole", "unmarked")
            unknown("the marker", marker, (*known, *PLACE_MARKS, *more))

    def _gun(self, piece: Piece, text: str) -> None:
        """A weapon that a unit has: "mg42", "two mg34", "captured mg42", "m1919a4 packed", "zb30 1-8", "mg42 called
        g"."""
        body, _, named = text.partition(" called ")
        first, _, rest = body.partition(" ")
        times = COUNTS.get(first, 1)
        body = rest if times > 1 else body
        found = re.findall(r"\b(captured|packed|jammed|set up)\b", body)
        counter, word = self.rows.weapon(
            piece.side, " ".join(re.sub(r"\b(captured|packed|jammed|set up)\b", "", body).split())
        )
        gun = Gun(name=named or word, counter=counter, words=frozenset(found), is_named=bool(named))
        piece.guns = (*piece.guns, *(replace(gun) for _ in range(times)))


def gun_names(found: Iterable[Piece]) -> dict[str, tuple[Piece, Gun]]:
    """The weapons of units by what each is called: "mg42" where there is one, else "gun mg42", "gun mg42 2"."""
    found = [piece for piece in found if piece.kind is Unit]
    guns = [(piece, gun) for piece in found for gun in piece.guns]
    taken = [gun.name for _, gun in guns] + [piece.name for piece in found]
    named: dict[str, tuple[Piece, Gun]] = {}
    for piece, gun in guns:
        word = gun.name
        if taken.count(word) > 1 and not gun.is_named:
            mine = [each for each in piece.guns if each.name == gun.name]
            number = next(n for n, each in enumerate(mine, 1) if each is gun)
            word = f"{piece.name} {word}" + (f" {number}" if len(mine) > 1 else "")
        named[word] = (piece, gun)
    return named


def in_cover(found: Sequence[Piece]) -> list[Piece]:
    """The foxholes and trenches that stand in no line of their own: those of units that are said to be in one."""
    there = {(piece.counter, piece.hex) for piece in found if piece.kind is Work}
    made: dict[tuple[str, str], Piece] = {}
    for piece in found:
        key = piece.cover, piece.hex
        if all(key) and key not in there and key not in made:
            name = " ".join(key)
            work = replace(piece, name=name, at=piece.hex, kind=Work, counter=piece.cover, said={}, guns=(), place="")
            made[key] = work
    return list(made.values())
