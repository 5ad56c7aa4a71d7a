"""Markers of the lines of case files: who a piece is, how it is, what it has, where it stands. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, get_args

from msgspec import Struct

from fireforce.book.kinds import Kinds
from fireforce.book.rows import MotivationResult, Quality
from fireforce.book.tables import QUALITIES, core_book
from fireforce.state.battle import CardKind, Place, Role
from fireforce.testing.cases.words import bare, named_in, plain
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown, whole

APART: Final = 100
"""Between the middles of men whom one line names (`r*4`)."""

TEAMS: Final = ("whole", "first", "second", "gun")
ROLES: Final[Mapping[str, Role]] = {
    **{role.replace("_", " "): role for role in get_args(Role)},
    "squad leader": "leader",
    "sl": "leader",
    "assistant leader": "assistant",
    "assistant squad leader": "assistant",
    "asl": "assistant",
    "sergeant": "platoon_sergeant",
    "peasant": "civilian",
    "villager": "civilian",
}
CARDS: Final[Mapping[str, CardKind]] = {kind.replace("_", " "): kind for kind in get_args(CardKind)}
GROUND: Final = {
    "open": "",
    "good going": "",
    "cover": "scrub",
    "soft cover": "scrub",
    "hard cover": "rocks",
    "bad going": "rutted",
    "dense jungle": "jungle",
    "bua": "built_up",
    "built up area": "built_up",
    "paddy field": "paddy",
    "woods": "forest",
    "wood": "forest",
}
"""Words of the marker `in …` that are no kind of ground."""
TRAITS: Final = {
    "fierce": "fierce",
    "local": "local",
    "local vc": "local",
    "mounted": "mounted",
    "night vision": "night vision",
    "sniper": "sniper",
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
    counts_as: str = ""


def mark(piece: Piece, marker: str, kinds: Kinds) -> None:
    """Puts one marker on a piece. Raises CaseFault for a marker that is not known."""
    word = OTHERS.get(plain(marker), plain(marker))
    if _is_put(piece, word, marker, kinds):
        return
    unknown("the marker", marker, (*MARKERS, *ROLES, *TRAITS, *WITH_VALUE, *results(), "in the open"))


def _is_put(piece: Piece, word: str, marker: str, kinds: Kinds) -> bool:
    role, _, said = word.replace("(", "").replace(")", "").rpartition(" ")
    if word in MARKERS:
        MARKERS[word](piece, "")
    elif (role := role.removesuffix(" mr")) in ROLES and re.fullmatch(r"[+-]?\d+", said):
        piece.man = {**piece.man, "role": ROLES[role], "motivation_rating": int(said)}
    elif found := re.fullmatch(r"(?:has )?(\d+) casualt(?:y|ies)", word):
        _of_unit("casualties")(piece, found[1])
    elif word in ROLES:
        piece.man = {**piece.man, "role": ROLES[word]}
    elif word in TRAITS:
        piece.man = {**piece.man, "traits": tuple(sorted({*piece.man.get("traits", ()), TRAITS[word]}))}
    elif word in results():
        piece.group = {**piece.group, "result": results()[word]}
    elif word.startswith("in "):
        piece.ground = _ground(word.removeprefix("in "), kinds)
    elif found := re.fullmatch(r"(?:mr|rating|motivation rating) ?([+-]?\d+)", " ".join(marker.lower().split())):
        piece.man = {**piece.man, "motivation_rating": int(found[1])}
    elif found := re.fullmatch(r"(\w+) team|(gun) group|team (\w+) team", word):
        WITH_VALUE["team"](piece, next(each for each in found.groups() if each))
    else:
        # The longest first: `captured by regular` is not `captured`; names keep their letters.
        text = " ".join(marker.split())
        for words in sorted(WITH_VALUE, key=len, reverse=True):
            if word.startswith(f"{words} ") and len(text) > len(words):
                WITH_VALUE[words](piece, text[len(words) + 1 :])
                return True
        return False
    return True


def _ground(words: str, kinds: Kinds) -> str:
    text = re.sub(r"^(the|a|an) ", "", words)
    if text in GROUND:
        return GROUND[text]
    if (key := text.replace(" ", "_")) in kinds.grounds:
        return key
    return unknown("the ground", words, ("the open", *GROUND, *kinds.grounds))


def results() -> dict[str, str]:
    """The results of motivation by their keys and names."""
    table = core_book().table("motivation_results", MotivationResult)
    return {**{key: key for key in table}, **{row.name.lower(): key for key, row in table.items()}}


# Markers without a value


def _adds(part: str, **values: Any) -> Callable[[Piece, str], None]:
    """Puts values into what is said of the man, his squad, his team or the card."""

    def function(piece: Piece, _: str) -> None:
        setattr(piece, part, {**getattr(piece, part), **values})

    return function


def _set(**values: Any) -> Callable[[Piece, str], None]:
    def function(piece: Piece, _: str) -> None:
        for name, value in values.items():
            setattr(piece, name, value)

    return function


MARKERS: Final[Mapping[str, Callable[[Piece, str], None]]] = {
    "pinned": _set(pinned="fire"),
    "pinned by fire": _set(pinned="fire"),
    "pinned by a blast": _set(pinned="he"),
    "not pinned": _set(pinned=""),
    "under fire": _adds("group", is_under_fire=True),
    "not under fire": _adds("group", is_under_fire=False),
    "moved": _adds("man", moved="tactical", distance=APART),
    "running": _adds("man", moved="running", distance=APART),
    "not moved": _adds("man", moved="", distance=0),
    "fired": _adds("man", fired="aimed"),
    "not fired": _adds("man", fired=""),
    "held fire": _adds("man", fired="held"),
    "searching": _adds("man", searching="here"),
    "fit": _adds("man", status="fit"),
    "casualty": _adds("man", status="casualty"),
    "captured": _adds("man", status="captured"),
    "body armour": _adds("man", body_armour=True),
    "must withdraw": _adds("man", must_withdraw=True),
    "prepared": _adds("man", is_prepared=True),
    "not prepared": _adds("man", is_prepared=False),
    "unarmed": _adds("man", unarmed=True),
    "has fired from ambush": _adds("man", has_fired_from_ambush=True),
    "has gambled": _adds("man", has_gambled=True),
    "hidden": _set(is_hidden=True),
    "on the table": _set(is_hidden=False),
    "flakey": _adds("unit", is_flakey=True),
    "special motivation": _adds("unit", has_special_motivation=True),
    "may not split": _adds("unit", may_split=False),
    "may form a gun group": _adds("unit", may_form_gun_group=True),
    "acting independently": _adds("unit", is_under_platoon_control=False),
    "under platoon control": _adds("unit", is_under_platoon_control=True),
    "face up": _adds("card", is_face_up=True),
    "face down": _adds("card", is_face_up=False),
    "dummy": _set(of=()),
}
OTHERS: Final[Mapping[str, str]] = {
    "he pinned": "pinned by a blast",
    "pinned by he": "pinned by a blast",
    "unpinned": "not pinned",
    "dead": "casualty",
    "killed": "casualty",
    "a casualty": "casualty",
    "prisoner": "captured",
    "ran": "running",
    "has run": "running",
    "has moved": "moved",
    "moving": "moved",
    "tactical move": "moved",
    "stationary": "not moved",
    "standing": "not moved",
    "has fired": "fired",
    "body armor": "body armour",
    "withdraws": "must withdraw",
    "in ambush": "prepared",
    "in a prepared position": "prepared",
    "in prepared position": "prepared",
    "prepared position": "prepared",
    "ambush used": "has fired from ambush",
    "gamble used": "has gambled",
    "concealed": "hidden",
    "not hidden": "on the table",
    "placed": "on the table",
    "visible": "on the table",
    "no motivation needed": "special motivation",
    "fanatic": "special motivation",
    "fanatics": "special motivation",
    "may not be split": "may not split",
    "gun group allowed": "may form a gun group",
    "independent": "acting independently",
    "acts independently": "acting independently",
    "turned up": "face up",
}
"""Markers by other words."""


# Markers with a value


def _squad(piece: Piece, value: str) -> None:
    if " " in value:
        raise CaseFault(f"'squad {value}': a squad's name is one word, and commas stand between markers", at=value)
    piece.squad = f"squad {value}"


def _team(piece: Piece, value: str) -> None:
    if value not in TEAMS and not re.fullmatch(r"dropped \d+", value):
        unknown("the team", value, (*TEAMS, "dropped 1"))
    piece.team = value


def _of_unit(field: str) -> Callable[[Piece, str], None]:
    def function(piece: Piece, value: str) -> None:
        piece.unit = {**piece.unit, field: whole(value)}

    return function


def _of_group(field: str) -> Callable[[Piece, str], None]:
    def function(piece: Piece, value: str) -> None:
        piece.group = {**piece.group, field: whole(value)}

    return function


def _result(piece: Piece, value: str) -> None:
    found = results().get(plain(value))
    if found is None:
        unknown("the result", value, results())
    piece.group = {**piece.group, "result": found}


def _counts_as(piece: Piece, value: str) -> None:
    if plain(value) not in QUALITIES:
        unknown("the quality", value, QUALITIES)
    piece.counts_as = plain(value)


def _moved(piece: Piece, value: str) -> None:
    inches = whole(value.split()[0])
    piece.man = {**piece.man, "moved": piece.man.get("moved") or "tactical", "distance": 100 * inches}


def _captured_by(piece: Piece, value: str) -> None:
    piece.man = {**piece.man, "status": "captured", "captured_by": value}


def _stores(kind: str) -> Callable[[Piece, str], None]:
    def function(piece: Piece, value: str) -> None:
        piece.stores = {**piece.stores, kind: whole(value)}

    return function


def _carrying(piece: Piece, value: str) -> None:
    kind, number = load(value)
    piece.stores = {**piece.stores, kind: number}


def load(text: str) -> tuple[str, int]:
    """A load in words, `arms 1`, `1 arms` or `arms`. Raises CaseFault."""
    first, _, second = text.partition(" ")
    kind, number = (second, first) if first.isdigit() else (first, second or "1")
    if kind not in STORES:
        unknown("the stores", kind, STORES)
    return kind, whole(number)


def _of(piece: Piece, value: str) -> None:
    piece.of = tuple(named_in(value))


def _over(piece: Piece, value: str) -> None:
    piece.squad = value


def _searched(piece: Piece, value: str) -> None:
    piece.card = {**piece.card, "searched_by": (value,)}


WITH_VALUE: Final[Mapping[str, Callable[[Piece, str], None]]] = {
    "squad": _squad,
    "team": _team,
    "casualties": _of_unit("casualties"),
    "dropped": _of_group("dropped"),
    "result": _result,
    "counts as": _counts_as,
    "moved": _moved,
    "captured by": _captured_by,
    "carrying": _carrying,
    "of": _of,
    "over": _over,
    "searched by": _searched,
    **{kind: _stores(kind) for kind in STORES},
}


def weapons_by_name() -> Iterator[tuple[str, str]]:
    """The weapons of the shipped book: letters and digits of their keys and names, and the key."""
    for key, row in core_book().tables["weapons"].items():
        yield bare(str(row["name"].value)), key
        yield bare(key), key
    yield "boltaction", "bolt_rifle"
