"""The lines of a case file that set a FireForce battle up: pieces, ground, standing orders. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final, NoReturn, get_args

from msgspec import Struct, convert
from msgspec.structs import replace

from fireforce.rows import Quality
from fireforce.state import Card, CardKind, Counter, Figure, Place, Role, Squad, Standing, Stores, Team
from fireforce.table.kinds import Kinds
from fireforce.tables import core_book
from umpire.kernel.cases import CaseFault

PLACE: Final = re.compile(r"^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$")
APART: Final = 100
"""Between the middles of men whom one line names (`r*4`)."""
AROUND: Final = 100
"""How far the ground that a marker puts under men reaches beyond them."""

TEAMS: Final = ("whole", "first", "second", "gun")
QUALITIES: Final = get_args(Quality)
ROLES: Final[Mapping[str, Role]] = {
    **{role.replace("_", " "): role for role in get_args(Role)},
    "squad leader": "leader",
    "assistant leader": "assistant",
}
CARDS: Final[Mapping[str, CardKind]] = {kind.replace("_", " "): kind for kind in get_args(CardKind)}
GROUND: Final = {"the open": "", "soft cover": "scrub", "hard cover": "rocks", "a building": "building"}
"""Words of the marker `in …` that are no kind of ground."""
TRAITS: Final = {
    "fierce": "fierce",
    "local": "local",
    "mounted": "mounted",
    "night vision": "night vision",
    "special forces": "special_forces",
}
STORES: Final = ("arms", "food", "heavy")


class Piece(Struct, kw_only=True):
    """What the lines say of one figure, card or counter, before a battle is made of it."""

    line: str
    side: str
    command: str
    name: str
    at: Place
    kind: str = "figure"
    quality: Quality = "trained"
    weapons: tuple[str, ...] = ()
    squad: str = ""
    team: str = ""
    ground: str = ""
    man: dict[str, Any] = {}
    unit: dict[str, Any] = {}
    group: dict[str, Any] = {}
    card: dict[str, Any] = {}
    stores: dict[str, int] = {}
    of: tuple[str, ...] = ()
    is_hidden: bool | None = None
    pinned: str = ""


def place(text: str) -> Place | None:
    """A place of a line, in inches, as the table has it; None for what is no place."""
    found = PLACE.match(text)
    return (length(found[1]), length(found[2])) if found else None


def length(inches: Any) -> int:
    """Inches as hundredths. Raises CaseFault."""
    try:
        return int(Fraction(str(inches)) * 100)
    except ValueError:
        raise CaseFault(f"{inches!r} is no length in inches", at=str(inches)) from None


def unknown(what: str, word: str, known: Iterable[str]) -> NoReturn:
    """Raises the fault of a word that the vocabulary lacks, with the nearest that it has."""
    nearest = get_close_matches(word, list(known), 1, 0.0)
    raise CaseFault(f"{what} {word!r} is not known" + (f"; did you mean {nearest[0]!r}?" if nearest else ""), at=word)


def lines_of(text: Any) -> list[str]:
    """The lines of a text or list, without comments and blank ones."""
    lines = text.splitlines() if isinstance(text, str) else list(text)
    return [line for each in lines if (line := " ".join(each.partition("#")[0].split()))]


# Pieces


def pieces(lines: Sequence[str], weapons: Iterable[str], kinds: Kinds) -> list[Piece]:
    """The pieces of the lines, `r*4` as four. Raises CaseFault with the word that is not known."""
    known = tuple(weapons)
    found: list[Piece] = []
    for line in lines:
        found.extend(_line(line, known, kinds))
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise CaseFault(f"two pieces are called {name!r}", at=name)
    return found


def _line(line: str, weapons: Sequence[str], kinds: Kinds) -> list[Piece]:
    words = line.split()
    index = next((index for index, word in enumerate(words) if place(word.rstrip(",")) is not None), None)
    if index is None or index < 2:
        raise CaseFault(f"{line!r} is not: side, name, what it is, place in inches (12,10), markers", at=line)
    side, _, command = words[0].partition("/")
    name, _, count = words[1].partition("*")
    at = place(words[index].rstrip(","))
    assert at is not None
    if count and not count.isdigit():
        raise CaseFault(f"{words[1]!r} is not a name and a number, such as r*4", at=words[1])
    first = Piece(line=line, side=side, command=command or side, name=name, at=at)
    _what(first, words[2:index], weapons)
    for marker in " ".join(words[index + 1 :]).split(", "):
        if marker:
            mark(first, marker, kinds)
    if not count:
        return [first]
    return [
        replace(first, name=f"{name}{number + 1}", at=(at[0], at[1] + number * APART)) for number in range(int(count))
    ]


def _what(piece: Piece, words: Sequence[str], weapons: Sequence[str]) -> None:
    if words and words[0] == "card":
        piece.kind, kind = "card", " ".join(words[1:])
        if kind not in CARDS:
            unknown("the card", kind, CARDS)
        piece.card = {"kind": CARDS[kind]}
        return
    if words and words[0] == "counter":
        piece.kind = "counter"
        return
    for word in words:
        if word in QUALITIES:
            piece.quality = convert(word, Quality)
        elif word in weapons:
            piece.weapons = (*piece.weapons, word)
        elif word == "civilian":
            piece.man = {**piece.man, "role": "civilian"}
        elif word == "unarmed":
            piece.man = {**piece.man, "unarmed": True}
        else:
            unknown("the word", word, (*QUALITIES, *weapons, "civilian", "unarmed", "card", "counter"))


def mark(piece: Piece, marker: str, kinds: Kinds) -> None:
    """Puts one marker on a piece. Raises CaseFault for a marker that is not known."""
    if marker in _MARKERS:
        _MARKERS[marker](piece, "")
        return
    if marker in ROLES:
        piece.man = {**piece.man, "role": ROLES[marker]}
        return
    if marker in TRAITS:
        piece.man = {**piece.man, "traits": tuple(sorted({*piece.man.get("traits", ()), TRAITS[marker]}))}
        return
    if marker.startswith("in "):
        word = marker.removeprefix("in ")
        if word not in GROUND and word not in kinds.grounds:
            unknown("the ground", word, (*GROUND, *kinds.grounds))
        piece.ground = GROUND.get(word, word)
        return
    for words, function in _WITH_VALUE.items():
        if marker.startswith(f"{words} "):
            function(piece, marker.removeprefix(f"{words} "))
            return
    unknown("the marker", marker, (*_MARKERS, *ROLES, *TRAITS, *_WITH_VALUE, "in the open"))


def _man(**values: Any) -> Callable[[Piece, str], None]:
    def function(piece: Piece, _: str) -> None:
        piece.man = {**piece.man, **values}

    return function


def _unit(**values: Any) -> Callable[[Piece, str], None]:
    def function(piece: Piece, _: str) -> None:
        piece.unit = {**piece.unit, **values}

    return function


def _group(**values: Any) -> Callable[[Piece, str], None]:
    def function(piece: Piece, _: str) -> None:
        piece.group = {**piece.group, **values}

    return function


def _set(**values: Any) -> Callable[[Piece, str], None]:
    def function(piece: Piece, _: str) -> None:
        for name, value in values.items():
            setattr(piece, name, value)

    return function


def _card(**values: Any) -> Callable[[Piece, str], None]:
    def function(piece: Piece, _: str) -> None:
        piece.card = {**piece.card, **values}

    return function


_MARKERS: Final[Mapping[str, Callable[[Piece, str], None]]] = {
    "pinned": _set(pinned="fire"),
    "pinned by a blast": _set(pinned="he"),
    "under fire": _group(is_under_fire=True),
    "moved": _man(moved="tactical", distance=APART),
    "running": _man(moved="running", distance=APART),
    "fired": _man(fired="aimed"),
    "held fire": _man(fired="held"),
    "searching": _man(searching="somewhere"),
    "casualty": _man(status="casualty"),
    "body armour": _man(body_armour=True),
    "must withdraw": _man(must_withdraw=True),
    "prepared": _man(is_prepared=True),
    "has fired from ambush": _man(has_fired_from_ambush=True),
    "has gambled": _man(has_gambled=True),
    "hidden": _set(is_hidden=True),
    "on the table": _set(is_hidden=False),
    "flakey": _unit(is_flakey=True),
    "special motivation": _unit(has_special_motivation=True),
    "may not split": _unit(may_split=False),
    "may form a gun group": _unit(may_form_gun_group=True),
    "acting independently": _unit(is_under_platoon_control=False),
    "face up": _card(is_face_up=True),
    "dummy": _set(of=()),
}


def _squad(piece: Piece, value: str) -> None:
    piece.squad = f"squad {value}"


def _team(piece: Piece, value: str) -> None:
    if value not in TEAMS and not re.fullmatch(r"dropped \d+", value):
        unknown("the team", value, (*TEAMS, "dropped 1"))
    piece.team = value


def _rating(piece: Piece, value: str) -> None:
    piece.man = {**piece.man, "motivation_rating": whole(value)}


def _of_unit(field: str) -> Callable[[Piece, str], None]:
    def function(piece: Piece, value: str) -> None:
        piece.unit = {**piece.unit, field: whole(value)}

    return function


def _of_group(field: str) -> Callable[[Piece, str], None]:
    def function(piece: Piece, value: str) -> None:
        piece.group = {**piece.group, field: whole(value)}

    return function


def _result(piece: Piece, value: str) -> None:
    key = value.lower().replace(" ", "_")
    results = core_book().tables["motivation_results"]
    if key not in results:
        unknown("the result", value, results)
    piece.group = {**piece.group, "result": key}


def _stores(kind: str) -> Callable[[Piece, str], None]:
    def function(piece: Piece, value: str) -> None:
        piece.stores = {**piece.stores, kind: whole(value)}

    return function


def _carrying(piece: Piece, value: str) -> None:
    kind, _, number = value.partition(" ")
    if kind not in STORES:
        unknown("the stores", kind, STORES)
    piece.stores = {**piece.stores, kind: whole(number or "1")}


def _of(piece: Piece, value: str) -> None:
    piece.of = tuple(value.replace(" and ", " ").split())


def _over(piece: Piece, value: str) -> None:
    piece.squad = value


def _searched(piece: Piece, value: str) -> None:
    piece.card = {**piece.card, "searched_by": (value,)}


def whole(text: Any) -> int:
    """A whole number of a line. Raises CaseFault."""
    try:
        return int(text)
    except ValueError:
        raise CaseFault(f"{text!r} is no whole number", at=str(text)) from None


_WITH_VALUE: Final[Mapping[str, Callable[[Piece, str], None]]] = {
    "squad": _squad,
    "team": _team,
    "MR": _rating,
    "casualties": _of_unit("casualties"),
    "dropped": _of_group("dropped"),
    "result": _result,
    "carrying": _carrying,
    "of": _of,
    "over": _over,
    "searched by": _searched,
    **{kind: _stores(kind) for kind in STORES},
}


def marked(found: Sequence[Piece], line: str, kinds: Kinds) -> bool:
    """Lays a further line (`r1 pinned`, `squad 9 casualties 2, flakey`) over pieces that are there; False where it
    names none of them."""
    name, _, markers = line.partition(" ")
    if name == "squad":
        number, _, markers = markers.partition(" ")
        name = f"squad {number}"
    named = [piece for piece in found if name in (piece.name, piece.squad)]
    for piece in named:
        for text in markers.split(", "):
            if text.startswith("at "):
                at = place(text.removeprefix("at "))
                if at is None:
                    raise CaseFault(f"{text!r} is no place in inches, such as at 10,10", at=text)
                piece.at = at
            else:
                mark(piece, text, kinds)
    return bool(named)


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
            teams[key] = replace(old, members=(*old.members, piece.name), **piece.group)
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


_TEAMS: Final[Mapping[str, Any]] = {
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


# Ground


def ground_under(found: Sequence[Piece]) -> list[dict[str, Any]]:
    """The areas that markers (`in jungle`) put under the men of one line."""
    areas: list[dict[str, Any]] = []
    for line in dict.fromkeys(piece.line for piece in found if piece.ground):
        mine = [piece for piece in found if piece.line == line and piece.ground]
        xs, ys = [piece.at[0] for piece in mine], [piece.at[1] for piece in mine]
        x0, x1, y0, y1 = min(xs) - AROUND, max(xs) + AROUND, min(ys) - AROUND, max(ys) + AROUND
        ring = [[x / 100, y / 100] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        areas.append({"key": f"under {mine[0].name}", "name": mine[0].ground, "kind": mine[0].ground, "polygon": ring})
    return areas


def terrain(lines: Sequence[str], kinds: Kinds) -> dict[str, list[dict[str, Any]]]:
    """The ground of lines such as `jungle 30,5 to 40,15` (a rectangle between two corners, or a ring of more), `wall
    25,0 to 25,20`, `road 0,20 to 40,20 width 2`, `hill 10,10 to 20,20 height 2`; a name may follow `called`."""
    found: dict[str, list[dict[str, Any]]] = {"terrain": [], "road": [], "building": [], "line": []}
    for number, line in enumerate(lines, 1):
        body, _, name = line.partition(" called ")
        words = body.replace(" to ", " ").split()
        start = next((index for index, word in enumerate(words) if place(word) is not None), None)
        if start is None:
            raise CaseFault(f"{line!r} is not: kind of ground, places with `to` between them", at=line)
        kind = "_".join(words[:start])
        if kind not in (*kinds.grounds, *kinds.barriers, "road"):
            unknown("the ground", kind, (*kinds.grounds, *kinds.barriers, "road"))
        places = [each for word in words[start:] if (each := place(word)) is not None]
        rest = words[start + len(places) :]
        values = {key: float(value) for key, value in zip(rest[::2], rest[1::2], strict=False)}
        for key in values:
            if key not in ("height", "width", "storeys"):
                unknown("the word", key, ("height", "width", "storeys", "called"))
        points = [[x / 100, y / 100] for x, y in places]
        piece: dict[str, Any] = {"key": f"{kind} {number}", "name": name or kind.replace("_", " "), **values}
        if kind == "road" or kind in kinds.barriers:
            found["road" if kind == "road" else "line"].append({**piece, "line": points, **_kind(kind)})
            continue
        if len(points) == 2:
            (x0, y0), (x1, y1) = points
            points = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        if kind == "building":
            found["building"].append({**piece, "polygon": points, "storeys": int(values.get("storeys", 1))})
        else:
            found["terrain"].append({**piece, "polygon": points, "kind": kind})
    return found


def _kind(kind: str) -> dict[str, str]:
    return {} if kind == "road" else {"kind": kind}


# Standing orders


def standing(lines: Sequence[str]) -> dict[str, Standing]:
    """`guerrilla: losses in order, criticals forgo`, `squad 9: fire free, range 10`: by command or squad."""
    found: dict[str, Standing] = {}
    for line in lines:
        who, colon, orders = line.partition(":")
        if not colon:
            raise CaseFault(f"{line!r} is not: who, a colon, standing orders", at=line)
        values: dict[str, Any] = {}
        for each in orders.split(","):
            key, _, value = each.strip().partition(" ")
            if key == "range":
                values["fire_range"] = length(value)
            elif key in ("fire", "criticals", "losses"):
                values[key] = value.replace(" ", "_")
            else:
                unknown("the standing order", key, ("fire", "range", "criticals", "losses"))
        try:
            found[who.strip()] = convert(values, Standing)
        except Exception as fault:
            raise CaseFault(f"{line!r}: {fault}", at=line) from None
    return found
