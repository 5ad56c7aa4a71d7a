"""What things are called: figures, squads, cards, contacts, weapons, commands, sides and places; of an enemy what his
model shows."""

from __future__ import annotations

from fireforce.state.battle import Figure, State
from fireforce.state.finding import card, counter, figure, has_figure, squad
from fireforce.state.setting import setting_of
from fireforce.table.hearing import octant
from umpire.kernel.states import Contact

ROLE_NAMES = {
    "platoon_commander": "Platoon commander",
    "platoon_sergeant": "Platoon sergeant",
    "leader": "Leader",
    "assistant": "Assistant leader",
    "gunner": "Gunner",
    "rifleman": "Rifleman",
    "civilian": "Villager",
}


CARD_NAMES = {
    "troops": "Troops",
    "cache": "Cache",
    "booby_trap": "Booby trap",
    "dummy": "Dummy",
    "peasants": "Peasants",
}


def name_of(state: State, piece: str) -> str:
    """What a piece is called: for an enemy in sight what his model shows."""
    if has_figure(state, piece):
        return figure_name(state, figure(state, piece))
    try:
        return squad(state, piece).name
    except KeyError:
        pass
    try:
        return f"{CARD_NAMES[card(state, piece).kind]} card"
    except KeyError:
        pass
    try:
        return "counter" if counter(state, piece) else ""
    except KeyError:
        pass
    for part in state.commands.values():
        if piece in part.contacts:
            return contact_name(state, part.contacts[piece])
    return piece


def names_of(state: State, pieces: tuple[str, ...]) -> str:
    """The names of some pieces, like ones counted and each squad named once: "Gunner, 3 × Rifleman (1 Section)"."""
    if len(pieces) == 1:
        return name_of(state, pieces[0])
    squads: dict[str, dict[str, int]] = {}
    for piece in pieces:
        name, unit = _name_and_squad(state, figure(state, piece)) if has_figure(state, piece) else ("", "")
        counted = squads.setdefault(unit, {})
        name = name or name_of(state, piece)
        counted[name] = counted.get(name, 0) + 1
    parts = []
    for unit, counted in squads.items():
        names = ", ".join(name if times == 1 else f"{times} × {name}" for name, times in counted.items())
        parts.append(f"{names} ({unit})" if unit else names)
    return "; ".join(parts)


def figure_name(state: State, man: Figure) -> str:
    """A figure's own name, or his role; with his squad's where the state knows it."""
    name, unit = _name_and_squad(state, man)
    return f"{name}, {unit}" if unit else name


def _name_and_squad(state: State, man: Figure) -> tuple[str, str]:
    if not man.command:
        return (f"enemy with {weapon_name(state, man.weapons[0])}" if man.weapons else "civilian"), ""
    name = man.name or ROLE_NAMES[man.role]
    try:
        return name, squad(state, man.squad).name if man.squad else ""
    except KeyError:
        return name, ""


def contact_name(state: State, contact: Contact) -> str:
    """What a contact is called."""
    looks = contact.looks
    if contact.kind == "figure":
        if looks.get("civilian"):
            return "civilian"
        return f"enemy with {looks['weapon']}" if looks.get("weapon") else "enemy"
    if contact.kind == "card":
        return f"{CARD_NAMES[str(looks['card'])]} card" if "card" in looks else "face-down card"
    if contact.kind == "noise":
        return f"noise: {looks.get('noise', 'something')}"
    return str(looks.get("label", contact.kind))


def weapon_name(state: State, key: str) -> str:
    """The name of a weapon of the book."""
    return str(setting_of(state).book.tables["weapons"][key]["name"].value)


def command_name(state: State, command: str) -> str:
    found = setting_of(state).commands.get(command)
    return found.name if found else command


def side_name(state: State, side: str) -> str:
    found = setting_of(state).sides.get(side)
    return found.name if found else side


def direction(origin: tuple[int, int], to: tuple[int, int]) -> str:
    """Where something lies from somewhere, in words."""
    return octant(origin, to) or "here"


def inches(at: tuple[int, ...]) -> str:
    """A place in inches from the lower left corner."""
    return ", ".join(f"{value / 100:g}" for value in at)
