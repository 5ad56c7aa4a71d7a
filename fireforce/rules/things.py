"""What the umpire's fields may name: pieces, keys of the setting and the book, places. `umpire.kernel.hand`"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fireforce.book.rows import WeaponKind
from fireforce.orders.checks import off_table
from fireforce.orders.dispatch import hand
from fireforce.rules.hidden.planning_slots import ON_SIGNAL
from fireforce.state.battle import (
    Card,
    CardKind,
    Counter,
    Figure,
    Reserve,
    Squad,
    State,
    Stock,
)
from fireforce.state.finding import (
    cards,
    counters,
    figures,
    reserves,
    squads,
)
from fireforce.state.setting import setting_of
from fireforce.words.naming import name_of
from umpire.kernel.hand.corrections import PIECE, SIDE
from umpire.kernel.hand.fields import Key, Words

hand.pieces.update({Figure: "figure", Squad: "squad", Card: "card", Counter: "counter", Reserve: "reserve"})
hand.battle = ("hour", "turn", "turns", "weather", "wind")
_side = {"side": Annotated[str, Key(SIDE)]}
_label = {"label": Annotated[str, Words(60)]}
hand.looks.update(
    {
        "figure": {
            **_side,
            "weapon": WeaponKind,
            "moved": hand.hint(Figure, "moved"),
            "pinned": hand.hint(Figure, "pinned"),
            **dict.fromkeys(("gives_way", "civilian", "mounted"), bool),
        },
        "card": {**_side, "card": CardKind, "arms": Stock, "food": Stock, "heavy": Stock},
        "counter": _side,
        "noise": {"noise": Annotated[str, Words(60)], "bearing": Annotated[str, Words(20)]},
        "report": _label,
    }
)
hand.labels.update(
    {
        "turns": "Number of turns",
        "at": "Where",
        "arrives": "Comes in in turn (0: at once)",
        "waits": "Waits off the table until it is brought in",
        "is_placed": "On the table, where enemies see it",
        "known": "Everybody sees it",
    }
)


# What there is


@hand.finds
def find_piece(state: State, piece: str) -> Any:
    """A piece of any kind. Raises KeyError."""
    for found in (figures, squads, cards, counters, reserves):
        for each in found(state):
            if each.id == piece:
                return each
    raise KeyError(piece)


@hand.kind(PIECE)
def _pieces(state: State) -> Mapping[str, str]:
    found = (*figures(state), *squads(state), *cards(state), *counters(state))
    off = {each.id: each.squad.name for each in reserves(state)}
    return {each.id: name_of(state, each.id) for each in found} | off


@hand.kind("figure")
def _figures(state: State) -> Mapping[str, str]:
    return {man.id: name_of(state, man.id) for man in figures(state)}


@hand.kind("squad")
def _squads(state: State) -> Mapping[str, str]:
    return {each.id: each.name for each in squads(state)}


@hand.kind("card")
def _cards(state: State) -> Mapping[str, str]:
    return {each.id: name_of(state, each.id) for each in cards(state)}


@hand.kind("squad or card")
def _forces(state: State) -> Mapping[str, str]:
    return {**_squads(state), **_cards(state), **{each.id: each.squad.name for each in reserves(state)}}


@hand.kind("command")
def _commands(state: State) -> Mapping[str, str]:
    return {key: command.name for key, command in setting_of(state).commands.items()}


@hand.kind("side")
def _sides(state: State) -> Mapping[str, str]:
    return {key: side.name for key, side in setting_of(state).sides.items()}


@hand.kind("zone")
def _zones(state: State) -> Mapping[str, str]:
    return {key: zone.name for key, zone in setting_of(state).zones.items()}


@hand.kind("weapon")
def _weapons(state: State) -> Mapping[str, str]:
    rows = setting_of(state).book.tables.get("weapons", {})
    return {key: str(row["name"].value) for key, row in rows.items()}


@hand.kind("result of motivation")
def _results(state: State) -> Mapping[str, str]:
    rows = setting_of(state).book.tables.get("motivation_results", {})
    return {key: str(row["name"].value) for key, row in rows.items()}


@hand.kind("place")
def _no_place(state: State, at: tuple[int, ...]) -> str:
    if len(at) != 2:
        return f"{list(at)} is no place: x and y in hundredths of an inch."
    return next((wrong.reason for wrong in off_table(state, [(at[0], at[1])], "at")), "")


@hand.kind("card or place")
def _not_searched(state: State, what: str) -> str:
    parts = what.split(",")
    if len(parts) == 2 and all(part.isdecimal() and part.isascii() and len(part) < 7 for part in parts):
        return _no_place(state, (int(parts[0]), int(parts[1])))
    return "" if what in _cards(state) else f"{what[:40]!r} is neither a card nor a place, as in '1200,800'."


@hand.kind("thing to do on a signal")
def _does(state: State) -> Mapping[str, str]:
    return ON_SIGNAL
