"""What things are called: units, weapons, works, contacts, places, sides; of an enemy what his counter shows."""

from __future__ import annotations

from collections.abc import Iterable

from lnl.board.ground import place_name
from lnl.board.hexes import Hex, Place
from lnl.state.battle import Phase, State, Unit
from lnl.state.finding import has_unit, has_weapon, unit, weapon, work
from lnl.state.setting import ground_of, setting_of, tables_of
from umpire.kernel.states import Contact

WORK_NAMES = {
    "foxhole": "Foxhole",
    "trench": "Trench",
    "bunker": "Bunker",
    "wire": "Wire",
    "mines": "Mines",
    "claymore": "Claymore",
}
PHASE_NAMES: dict[Phase, str] = {
    "set_up": "Set-up",
    "rally": "Rally Phase",
    "operations": "Operations Phase",
    "administrative": "Administrative Phase",
}
UNKNOWN = "something"


def name_of(state: State, piece: str) -> str:
    """What a piece is called, by its id or by the alias of a contact; of one that is gone nothing is known."""
    if has_unit(state, piece):
        return unit_name(state, unit(state, piece))
    if has_weapon(state, piece):
        return counter_name(state, weapon(state, piece).counter)
    try:
        return WORK_NAMES[work(state, piece).kind]
    except KeyError:
        pass
    known = (part.contacts[piece] for part in state.commands.values() if piece in part.contacts)
    found = next(known, None)
    return contact_name(state, found) if found is not None else UNKNOWN


def names_of(state: State, pieces: Iterable[str]) -> str:
    """The names of some pieces, like ones counted: "3 × Rifle squad, Lt. Hale"."""
    counted: dict[str, int] = {}
    for piece in pieces:
        name = name_of(state, piece)
        counted[name] = counted.get(name, 0) + 1
    return ", ".join(name if times == 1 else f"{times} × {name}" for name, times in counted.items())


def unit_name(state: State, each: Unit) -> str:
    """A unit's own name, or its counter's."""
    return each.name or counter_name(state, each.counter)


def counter_name(state: State, counter: str) -> str:
    """The name of a counter or a weapon of the book."""
    tables = tables_of(state).book.tables
    for table in ("counters", "weapons"):
        if counter in tables.get(table, {}):
            return str(tables[table][counter]["name"].value)
    return counter or UNKNOWN


def contact_name(state: State, contact: Contact) -> str:
    """What a contact is called."""
    looks = contact.looks
    if contact.kind in ("unit", "weapon"):
        return counter_name(state, str(looks.get("counter", "")))
    if contact.kind == "work":
        return WORK_NAMES.get(str(looks.get("work", "")), UNKNOWN)
    return str(looks.get("label", contact.kind))


def place_words(state: State, place: Place | Hex | tuple[int, ...]) -> str:
    """As a place is called on the map; in numbers where it lies off it."""
    column, row = place[0], place[1]
    try:
        return place_name(ground_of(state), (column, row, place[2] if len(place) > 2 else 0))
    except KeyError:
        return f"({', '.join(map(str, place))})"


def command_name(state: State, command: str) -> str:
    found = setting_of(state).commands.get(command)
    return found.name if found else command


def side_name(state: State, side: str) -> str:
    found = setting_of(state).sides.get(side)
    return found.name if found else side
