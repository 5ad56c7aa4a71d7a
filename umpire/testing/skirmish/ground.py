"""Where a unit of Skirmish can be, and whom its command has before it and by which name."""

from __future__ import annotations

from umpire.kernel.events import alias_of, subject_of
from umpire.testing.skirmish.state import (
    SOMEBODY,
    STACK,
    Believed,
    State,
    Unit,
    at_hex,
    is_open,
    lane_of,
    units,
)


def bar(state: State, unit: Unit, at: int) -> str:
    """Why a unit cannot enter the next hex; empty if it can. Asked of belief by `check`, of the truth by `move`.

    One does not enter a hex that holds an enemy, another command's unit or as many units as it can.

    skirmish move
    """
    if 0 <= at < lane_of(state).length and abs(at - unit.hex) != 1:
        return "it is not the next hex"
    return crowded(state, unit, at)


def crowded(state: State, unit: Unit, at: int) -> str:
    """Why a unit cannot be in a hex, from wherever it comes; empty if it can.

    skirmish move
    """
    if not 0 <= at < lane_of(state).length:
        return "the lane ends there"
    others = [other for other in at_hex(state, at) if other.id != unit.id]
    if any(other.side != unit.side for other in others):
        return "the enemy is there"
    if any(other.command != unit.command for other in others):
        return "another command's unit is there"
    return "the hex is full" if len(others) >= STACK else ""


def knows(state: State, command: str, unit: Unit) -> bool:
    """Whether a command has a unit before it: its own, an open one, or one that it has in sight. Never geometry: what
    troops do not see must not count for them.

    skirmish sight
    """
    if unit.command == command or is_open(state, unit.id) or command == SOMEBODY:
        return True
    contacts = state.commands[command].contacts
    alias = unit.id if isinstance(state, Believed) else alias_of(state, command, unit.id)
    contact = contacts.get(alias or "")
    return contact is not None and contact.status == "in_sight"


def name_of(state: State, command: str, unit: Unit) -> str | None:
    """What a command calls a unit that it has before it, or None."""
    if isinstance(state, Believed) or unit.command == command or is_open(state, unit.id):
        return unit.id
    return alias_of(state, command, unit.id)


def meant(state: State, command: str, name: str) -> str | None:
    """What a name in an order of a command stands for: its own unit, an open one, or whom it has in sight under an
    alias. None for what is gone. In a belief names are what they are."""
    there = units(state).get(name)
    if there is not None and (isinstance(state, Believed) or there.command == command or is_open(state, name)):
        return name
    return subject_of(state, command, name)
