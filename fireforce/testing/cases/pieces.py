"""The lines of a case file that name pieces, and what further lines change of them. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from fireforce.book.kinds import Kinds
from fireforce.book.rows import Quality
from fireforce.book.tables import QUALITIES
from fireforce.state.battle import Card, Counter, Figure, Squad, Stores, Team
from fireforce.testing.cases.marks import APART, CARDS, ROLES, Piece, mark, weapons_by_name
from fireforce.testing.cases.words import bare, heads, meaning, parts_of, place, plain, the_place
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

Weapons = Mapping[str, str]
"""What weapons are called, letters and digits only, and their keys."""


def weapons_known(book: Mapping[str, Any]) -> Weapons:
    """The weapons of the shipped book and of a case's own rows."""
    own = {bare(key): key for key in book.get("weapons", {})}
    return {**dict(weapons_by_name()), **own}


def pieces(lines: Sequence[str], weapons: Weapons, kinds: Kinds) -> list[Piece]:
    """The pieces of the lines, `r*4` as four. Raises CaseFault with the word that is not known."""
    found: list[Piece] = []
    for line in lines:
        found.extend(piece_line(line, weapons, kinds))
    names = [piece.name for piece in found if piece.kind == "figure"]
    for piece in found:
        piece.of = tuple(name for word in piece.of for name in meaning(word, names) or [word])
    return found


def one_each(found: Sequence[Piece]) -> None:
    """Raises CaseFault where two pieces have one name."""
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise CaseFault(f"two pieces are called {name!r}", at=name)


def place_in(words: Sequence[str]) -> int | None:
    """Where among the words of a line the first place stands."""
    return next((index for index, word in enumerate(words) if place(word.rstrip(",")) is not None), None)


def piece_line(line: str, weapons: Weapons, kinds: Kinds) -> list[Piece]:
    """The pieces of one line. Raises CaseFault."""
    words = line.split()
    index = place_in(words)
    if index is None:  # a blank in the place: 12, 10
        words = re.sub(r"(\d), +(\d)", r"\1,\2", line, count=1).split()
        index = place_in(words)
    if index is None or index < 2:
        raise CaseFault(f"{line!r} is not: side, name, what it is, place in inches (12,10), markers", at=line)
    side, _, command = words[0].partition("/")
    name, _, count = words[1].partition("*")
    if run := re.fullmatch(r"([A-Za-z_]+)1(?:-|\.\.)\1?(\d+)", words[1]):
        name, count = run[1], run[2]
    at = the_place(words[index].rstrip(","))
    if count and not count.isdigit():
        raise CaseFault(f"{words[1]!r} is not a name and a number, such as r*4", at=words[1])
    first = Piece(line=line, side=side, command=command or side, name=name, at=at)
    what = [word.rstrip(",") for word in words[2:index]]
    _what(first, what[:-1] if what[-1:] == ["at"] else what, weapons, kinds)
    markers = " ".join(words[index + 1 :])
    is_list = first.kind == "counter" and markers.startswith("of ")
    for marker in [markers] if is_list else parts_of(markers):
        mark(first, marker, kinds)
    if not count:
        return [first]
    return [
        replace(first, name=f"{name}{number + 1}", at=(at[0], at[1] + number * APART)) for number in range(int(count))
    ]


def _what(piece: Piece, words: Sequence[str], weapons: Weapons, kinds: Kinds) -> None:
    """What a piece is: a card, a counter, or a man's quality, weapons and perhaps markers."""
    text = plain(" ".join(words))
    kind = " ".join(word for word in text.split() if word != "card")
    if "card" in text.split() or kind in CARDS:
        piece.kind = "card"
        if kind not in CARDS:
            unknown("the card", kind, CARDS)
        piece.card = {"kind": CARDS[kind]}
    elif text in ("counter", "dummy counter", "real counter"):
        piece.kind = "counter"
    else:
        _man(piece, list(words), weapons, kinds)


def _man(piece: Piece, words: list[str], weapons: Weapons, kinds: Kinds) -> None:
    while words:
        # The longest run of words that is known: `sniper rifle`, `squad leader`.
        for count in range(min(len(words), 4), 0, -1):
            if _is_known(piece, " ".join(words[:count]), weapons, kinds):
                del words[:count]
                break
        else:
            unknown("the word", words[0], (*QUALITIES, *weapons.values(), *ROLES, "unarmed", "card", "counter"))


def _is_known(piece: Piece, text: str, weapons: Weapons, kinds: Kinds) -> bool:
    if plain(text) in QUALITIES:
        piece.quality = convert(plain(text), Quality)
    elif bare(text) in weapons and bare(text):
        piece.weapons = (*piece.weapons, weapons[bare(text)])
    else:
        try:
            mark(piece, text, kinds)
        except CaseFault:
            return False
    return True


def is_marking(found: Sequence[Piece], line: str) -> bool:
    """Whether a further line names pieces or a squad that are there."""
    return bool(_split(found, line)[0])


def marked(found: Sequence[Piece], line: str, kinds: Kinds) -> None:
    """Lays a further line (`r1 pinned`, `squad 9 casualties 2, flakey`) over the pieces that it names."""
    named, markers = _split(found, line)
    for piece in named:
        for text in parts_of(markers):
            if text.startswith("at "):
                piece.at = the_place(text.removeprefix("at "))
            else:
                mark(piece, text, kinds)


def _split(found: Sequence[Piece], line: str) -> tuple[list[Piece], str]:
    """The pieces that a line names (`r1`, `squad 9`, `r1 and r2`), and its markers."""
    named, rest = heads(line, {name for piece in found for name in (piece.name, piece.squad) if name})
    return [piece for name in named for piece in found if name in (piece.name, piece.squad)], rest


# Made of them


def figure_of(piece: Piece, pinned_until: int, is_placed: bool) -> Figure:
    """The figure of a piece."""
    values = dict(piece.man)
    is_armed = not values.pop("unarmed", False) and values.get("role") != "civilian"
    return Figure(
        id=piece.name,
        command=piece.command,
        side=piece.side,
        squad=piece.squad,
        name=piece.name,
        quality=piece.quality,
        weapons=piece.weapons or (("assault_rifle",) if is_armed else ()),
        at=piece.at,
        pinned=piece.pinned if piece.pinned in ("fire", "he") else "",  # type: ignore[arg-type]
        pinned_until=pinned_until if piece.pinned else 0,
        is_placed=is_placed,
        carrying=Stores(**piece.stores),
        **values,
    )


def squads_of(found: Sequence[Piece], men: Mapping[str, Figure]) -> list[Squad]:
    """The squads that the pieces name, with their teams. Casualties are those that stand there, or as the lines say."""
    made: list[Squad] = []
    for name in dict.fromkeys(piece.squad for piece in found if piece.kind == "figure" and piece.squad):
        mine = [piece for piece in found if piece.squad == name and piece.kind == "figure"]
        if len({piece.command for piece in mine}) > 1:
            raise CaseFault(f"{name} has men of two commands", at=name)
        teams: dict[str, Team] = {}
        for piece in mine:
            key = piece.team or "whole"
            old = teams.get(key, Team(members=(), kind=_TEAMS.get(key.split()[0], "whole")))
            counts = {"dropped": levels(piece)} if piece.counts_as else {}
            teams[key] = replace(old, members=(*old.members, piece.name), **{**piece.group, **counts})
        values: dict[str, Any] = {"casualties": sum(not men[piece.name].is_fit for piece in mine)}
        for piece in mine:
            values.update(piece.unit)
        made.append(
            Squad(
                id=name,
                command=mine[0].command,
                side=mine[0].side,
                name=name,
                quality=mine[0].quality,
                members=tuple(piece.name for piece in mine),
                teams=dict(sorted(teams.items())),
                **values,
            )
        )
    return made


def levels(piece: Piece) -> int:
    """How many levels a piece has dropped that counts as another quality. Raises CaseFault for a better one."""
    lost = QUALITIES.index(convert(piece.counts_as, Quality)) - QUALITIES.index(piece.quality)
    if lost < 0:
        raise CaseFault(f"{piece.name} is {piece.quality} and cannot count as {piece.counts_as}", at=piece.counts_as)
    return lost


_TEAMS: Mapping[str, Any] = {
    "first": "fire_team",
    "second": "fire_team",
    "gun": "gun_group",
    "dropped": "dropped_off",
}


def card_of(piece: Piece, in_cards: bool) -> Card:
    """The card of a piece: on the table in card mode, in map mode only if the line says so."""
    is_up = bool(piece.card.get("is_face_up"))
    is_on_table = is_up or in_cards if piece.is_hidden is None else not piece.is_hidden
    return Card(
        id=piece.name,
        command=piece.command,
        at=piece.at,
        squad=piece.squad,
        stores=Stores(**piece.stores),
        is_on_table=is_on_table,
        **piece.card,
    )


def counter_of(piece: Piece) -> Counter:
    """The counter of a piece."""
    return Counter(id=piece.name, command=piece.command, at=piece.at, figures=piece.of)
