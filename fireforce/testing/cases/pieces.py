"""The pieces of a case of FireForce: men with their squads and teams, cards, counters, from lines and markers.
`docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from fireforce.book.kinds import Kinds
from fireforce.book.rows import MotivationResult
from fireforce.book.tables import QUALITIES, core_book
from fireforce.state.battle import Card, CardKind, Counter, Figure, Place, Squad, Stores, Team
from umpire.testing.cases.lines import heads, is_line, markers_of, one_each, read_line
from umpire.testing.cases.marks import Mark, Marks, Said, put, words_of
from umpire.testing.cases.orders import length
from umpire.testing.cases.words import CaseFault, listed, plain, unknown

PLACE: Final = re.compile(r"\(?(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)\)?,?")
APART: Final = 100
"""Between the middles of men whom one line names (`r*4`)."""
MARKS: Final[Mapping[Any, Marks]] = {
    Figure: {
        "pinned": Mark("pinned", "fire", other=True),
        "pinned by fire": Mark("pinned", "fire"),
        "pinned by a blast": Mark("pinned", "he"),
        "moved": Mark("moved", "tactical", other=True),
        "fired": Mark("fired", "aimed"),
        "held fire": Mark("fired", "held"),
        "searching": Mark("searching", "here", other=True),
        "destroying": Mark("destroying", "here", other=True),
        **dict.fromkeys(("squad leader", "sl"), Mark("role", "leader")),
        "killed": Mark("status", "casualty"),
    },
    Squad: {
        "special motivation": Mark("has_special_motivation"),
        "may not split": Mark("may_split", False),
        "may form a gun group": Mark("may_form_gun_group"),
        "acting independently": Mark("is_under_platoon_control", False),
    },
    Team: {"moved": Mark("has_moved"), "rolled": Mark("result", other=True)},
    Card: {
        "moved": Mark("has_moved"),
        "face down": Mark("is_face_up", False),
        "searched": Mark("searched_by", other=True),
        "on the table": Mark("is_on_table"),
    },
    Counter: {"moved": Mark("has_moved")},
    Stores: {},
}
"""Words for fields that are called otherwise than in the engine."""
TRAITS: Final = {each: each for each in ("fierce", "local", "mounted", "night vision", "sniper")} | {
    "special forces": "special_forces"
}
COVER: Final = {"the open": "", "open": "", "soft cover": "scrub", "hard cover": "rocks"}
"""Words of the marker `in …` that are no kind of ground."""
TEAMS: Final[Mapping[str, Any]] = {"first": "fire_team", "second": "fire_team", "gun": "gun_group"}
CARDS: Final[Mapping[str, CardKind]] = {plain(kind): kind for kind in get_args(CardKind)}
SHAPE: Final = "place in inches (12,10), markers"


class Piece(Struct, kw_only=True):
    """What the lines say of one figure, card or counter, before a battle is made of it."""

    line: str
    side: str
    command: str
    name: str
    at: Place
    kind: Any = Figure
    said: Said = field(default_factory=dict)
    team: str = "whole"
    ground: str = ""
    of: tuple[str, ...] = ()
    counts_as: str = ""
    is_hidden: bool | None = None

    @property
    def squad(self) -> str:
        return str(self.said.get(self.kind, {}).get("squad", ""))

    @property
    def man(self) -> dict[str, Any]:
        return self.said.setdefault(Figure, {})


def place(text: Any) -> Place:
    """A place in inches, as the table has it. Raises CaseFault."""
    if isinstance(text, list | tuple) and len(text) == 2:
        return length(text[0]), length(text[1])
    if (found := PLACE.fullmatch(str(text).replace(", ", ","))) is None:
        raise CaseFault(f"{text!r} is no place in inches, such as 10,10", at=str(text))
    return length(found[1]), length(found[2])


def place_at(words: Sequence[str]) -> int:
    return int(PLACE.fullmatch(words[0]) is not None)


def bare(text: str) -> str:
    """The letters and digits of a name: "AK-47" is "ak47"."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


@cache
def weapons_named(own: tuple[str, ...] = ()) -> dict[str, str]:
    """The weapons of the shipped book, and others, by letters and digits of their keys and names."""
    rows = core_book().tables["weapons"]
    return {bare(word): key for key, row in rows.items() for word in (str(row["name"].value), key)} | {
        bare(key): key for key in own
    }


@cache
def results() -> dict[str, str]:
    """The results of motivation by their keys and names."""
    table = core_book().table("motivation_results", MotivationResult)
    return {**{key: key for key in table}, **{row.name.lower(): key for key, row in table.items()}}


class Reader:
    """Reads the lines of a case with its book and its kinds of ground."""

    def __init__(self, kinds: Kinds, weapons: tuple[str, ...]) -> None:
        self.kinds, self.weapons = kinds, weapons_named(weapons)
        self.pieces: list[Piece] = []

    def add(self, text: str) -> None:
        """Adds the pieces of a line, `r*4` as four. Raises CaseFault with the word that is not known."""
        line = read_line(text, place_at, SHAPE)
        x, y = place(line.places[0])
        for number, name in enumerate(line.names):
            at = place(line.places[number]) if len(line.places) > 1 else (x, y + number * APART)
            piece = Piece(line=text, side=line.side, command=line.command, name=name, at=at)
            self._what(piece, plain(line.what))
            markers = [", ".join(line.markers)] if piece.kind is Counter and line.markers else line.markers
            for marker in markers:
                self.mark(piece, marker)
            self.pieces.append(piece)

    def further(self, text: str) -> bool:
        """Marks pieces that are there, or adds some; False for a line that does neither."""
        names = [name for piece in self.pieces for name in (piece.name, piece.squad) if name]
        named, markers = heads(text, list(dict.fromkeys(names)))
        if not named and is_line(text, place_at) and not self.is_ground(text):
            self.add(text)
            return True
        if named and not markers:
            raise CaseFault(f"{text!r} says nothing of it, such as '{text} pinned'", at=text)
        for piece in [piece for name in named for piece in self.pieces if name in (piece.name, piece.squad)]:
            for marker in markers_of(markers):
                self.mark(piece, marker)
        return bool(named)

    def done(self) -> list[Piece]:
        """All pieces; the men of a counter by their names."""
        one_each(piece.name for piece in self.pieces)
        men = [piece.name for piece in self.pieces if piece.kind is Figure]
        for piece in self.pieces:
            piece.of = tuple(heads(f"{', '.join(piece.of)} .", men)[0]) if piece.of else ()
        return self.pieces

    def is_ground(self, text: str) -> bool:
        """Whether a line begins with a kind of ground."""
        words = text.partition(" called ")[0].split()
        start = next((index for index in range(len(words)) if place_at(words[index:])), 0)
        return self.ground_key(" ".join(words[:start])) in (*self.kinds.grounds, *self.kinds.barriers, "road")

    def ground_key(self, words: str) -> str:
        """The kind of ground that words name, by key or name."""
        named = {plain(row.name): key for key, row in self.kinds.grounds.items()}
        text = plain(words)
        return named.get(text, text.replace(" ", "_"))

    # What a piece is

    def _what(self, piece: Piece, text: str) -> None:
        kind = text.removeprefix("card").removesuffix("card").strip()
        if "card" in text.split() or kind in CARDS:
            piece.kind = Card
            if kind not in CARDS:
                unknown("the card", kind, CARDS)
            piece.said[Card] = {"kind": CARDS[kind]}
        elif text.endswith("counter"):
            piece.kind = Counter
        else:
            words = text.split()
            while words:
                # The longest run of words that is known: `sniper rifle`, `squad leader`.
                size = next((n for n in range(min(len(words), 4), 0, -1) if self._is_man(piece, words[:n])), 0)
                if not size:
                    unknown("the word", words[0], (*QUALITIES, *self.weapons.values(), *words_of(Figure), "card"))
                del words[:size]

    def _is_man(self, piece: Piece, words: Sequence[str]) -> bool:
        text = " ".join(words)
        if bare(text) in self.weapons:
            piece.man["weapons"] = (*piece.man.get("weapons", ()), self.weapons[bare(text)])
            return True
        return self._is_put(piece, text)

    def mark(self, piece: Piece, marker: str) -> None:
        """Puts one marker on a piece. Raises CaseFault for a marker that is not known."""
        if not self._is_put(piece, marker):
            words = [word for kind in (*MARKS, piece.kind) for word in (*MARKS.get(kind, ()), *words_of(kind))]
            more = ("in the open", "squad 9", "result good", "casualties 2", "team second", "MR +1", "unarmed")
            unknown("the marker", marker, (*words, *TRAITS, *results(), *more))

    def _is_put(self, piece: Piece, marker: str) -> bool:
        word, man = plain(marker), piece.man
        head, _, value = " ".join(marker.split()).partition(" ")
        if head == "at":
            piece.at = place(value)
        elif word in TRAITS:
            man["traits"] = tuple(sorted({*man.get("traits", ()), TRAITS[word]}))
        elif word in ("hidden", "on the table"):
            piece.is_hidden = word == "hidden"
            if piece.kind is Card:
                piece.said[Card]["is_on_table"] = not piece.is_hidden
        elif word == "unarmed":
            man["weapons"] = ()
        elif word.startswith("in "):
            piece.ground = self._ground(word.removeprefix("in "))
        elif found := re.fullmatch(r"(?:.+ )?mr ?([+-]?\d+)", word):
            man["motivation_rating"] = int(found[1])
        elif head in ("squad", "over") and word not in MARKS[Figure]:
            piece.said.setdefault(piece.kind, {})["squad"] = value if head == "over" else f"squad {value}"
            if " " in value.removeprefix("squad "):
                raise CaseFault(
                    f"'squad {value}': a squad's name is one word, and commas stand between markers", at=value
                )
        elif head == "team":
            if value not in ("whole", *TEAMS) and not re.fullmatch(r"dropped \d+", value):
                unknown("the team", value, ("whole", *TEAMS, "dropped 1"))
            piece.team = value
        elif word in results() or head == "result":
            key = results().get(word.removeprefix("result ")) or unknown("the result", value, results())
            piece.said.setdefault(Team, {})["result"] = key
        elif word.startswith("counts as "):
            piece.counts_as = word.removeprefix("counts as ")
            if piece.counts_as not in QUALITIES:
                unknown("the quality", piece.counts_as, QUALITIES)
        elif head == "of":
            piece.of = tuple(listed(value))
        elif found := re.fullmatch(r"carrying (\w+)(?: (\d+))?", word):
            return put(piece.said, f"{found[1]} {found[2] or 1}", {Stores: {}})
        elif word == "dummy":
            piece.of = ()
        else:
            of_man = {kind: MARKS[kind] for kind in (Figure, Squad, Team)}
            tables = of_man if piece.kind is Figure else {piece.kind: MARKS[piece.kind]}
            return put(piece.said, marker, {**tables, Stores: {}})
        return True

    def _ground(self, words: str) -> str:
        key = COVER.get(words, self.ground_key(re.sub(r"^(the|an?) ", "", words)))
        if key and key not in self.kinds.grounds:
            unknown("the ground", words, (*COVER, *map(plain, self.kinds.grounds)))
        return key


# Made of them


def figure_of(piece: Piece, pinned_until: int, is_placed: bool) -> Figure:
    """The figure of a piece."""
    values = dict(piece.man)
    weapons = values.pop("weapons", () if values.get("role") == "civilian" else ("assault_rifle",))
    if values.get("moved"):
        values.setdefault("distance", APART)
    return Figure(
        id=piece.name,
        command=piece.command,
        side=piece.side,
        name=piece.name,
        weapons=weapons,
        at=piece.at,
        pinned_until=values.pop("pinned_until", pinned_until) if values.get("pinned") else 0,
        is_placed=is_placed,
        carrying=Stores(**piece.said.get(Stores, {})),
        **values,
    )


def squads_of(found: Sequence[Piece], men: Mapping[str, Figure]) -> list[Squad]:
    """The squads that the pieces name, with their teams. Casualties are those that stand there, or as the lines say."""
    made: list[Squad] = []
    for name in dict.fromkeys(piece.squad for piece in found if piece.kind is Figure and piece.squad):
        mine = [piece for piece in found if piece.squad == name and piece.kind is Figure]
        if len({piece.command for piece in mine}) > 1:
            raise CaseFault(f"{name} has men of two commands", at=name)
        teams: dict[str, Team] = {}
        values: dict[str, Any] = {"casualties": sum(not men[piece.name].is_fit for piece in mine)}
        for piece in mine:
            kind = TEAMS.get(piece.team, "dropped_off" if piece.team.startswith("dropped") else "whole")
            old = teams.get(piece.team, Team(members=(), kind=kind))
            counts = {"dropped": _levels(men[piece.name], piece.counts_as)} if piece.counts_as else {}
            members = (*old.members, piece.name)
            teams[piece.team] = replace(old, members=members, **{**piece.said.get(Team, {}), **counts})
            values |= piece.said.get(Squad, {})
        values = {"quality": men[mine[0].name].quality, **values}
        members = tuple(piece.name for piece in mine)
        first = mine[0]
        squad = Squad(
            id=name, command=first.command, side=first.side, name=name, members=members, teams=teams, **values
        )
        made.append(replace(squad, teams=dict(sorted(teams.items()))))
    return made


def _levels(man: Figure, counts_as: str) -> int:
    """How many levels a man has dropped who counts as another quality. Raises CaseFault for a better one."""
    order = list(QUALITIES)
    lost = [str(each) for each in order].index(counts_as) - order.index(man.quality)
    if lost < 0:
        raise CaseFault(f"{man.id} is {man.quality} and cannot count as {counts_as}", at=counts_as)
    return lost


def card_of(piece: Piece, in_cards: bool) -> Card:
    """The card of a piece: on the table in card mode, in map mode only if the line says so."""
    values = {"is_on_table": in_cards or bool(piece.said[Card].get("is_face_up")), **piece.said[Card]}
    stores = Stores(**piece.said.get(Stores, {}))
    return Card(id=piece.name, command=piece.command, at=piece.at, stores=stores, **values)
