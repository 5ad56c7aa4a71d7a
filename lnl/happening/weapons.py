"""Support weapons: in whose hands they are, and how they stand."""

from __future__ import annotations

from lnl.board.hexes import Place
from lnl.happening.changing import (
    dropped,
)
from lnl.happening.register import happens, says
from lnl.state.battle import POSSESSED, State
from lnl.words.line import line
from lnl.words.naming import name_of, place_words
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import hold, take, with_piece
from umpire.kernel.registry import LogLine


class WeaponTaken(Event, frozen=True, kw_only=True, tag="weapon_taken"):
    """A unit possesses a weapon now (picked up, handed over, captured). `core 1.6.1`, `core 3.0`"""

    weapon: str
    unit: str


@happens(WeaponTaken, public="where_open")
def _weapon_taken(state: State, event: WeaponTaken) -> State:
    return hold(state, event.weapon, event.unit, POSSESSED)


@says(WeaponTaken)
def _weapon_taken_words(state: State, event: WeaponTaken) -> LogLine:
    text = f"{name_of(state, event.unit)} takes {name_of(state, event.weapon)}."
    return line(text, "weapon", "core 1.6.1", (event.unit,))


class WeaponDropped(Event, frozen=True, kw_only=True, tag="weapon_dropped"):
    """A weapon lies in a place; the umpire has put it there from `start`. `core 1.6.1`"""

    weapon: str
    at: Place
    start: Place | None = None


@happens(WeaponDropped, public="where_open")
def _weapon_dropped(state: State, event: WeaponDropped) -> State:
    return dropped(state, event.weapon, event.at)


@says(WeaponDropped)
def _weapon_dropped_words(state: State, event: WeaponDropped) -> LogLine:
    where = place_words(state, event.at)
    if event.start is not None:
        text = f"The umpire moves {name_of(state, event.weapon)} from {place_words(state, event.start)} to {where}."
        return line(text, "umpire", "", (), (event.at,))
    return line(f"{name_of(state, event.weapon)} lies at {where}.", "weapon", "core 1.6.1", (), (event.at,))


class WeaponFlipped(Event, frozen=True, kw_only=True, tag="weapon_flipped"):
    """A weapon shows its set-up side, or its other one. `core 1.6.1.01`"""

    weapon: str
    is_set_up: bool


@happens(WeaponFlipped, public="where_open")
def _weapon_flipped(state: State, event: WeaponFlipped) -> State:
    return with_piece(state, event.weapon, is_set_up=event.is_set_up)


@says(WeaponFlipped)
def _weapon_flipped_words(state: State, event: WeaponFlipped) -> LogLine:
    what = "is set up" if event.is_set_up else "is made ready to move"
    return line(f"{name_of(state, event.weapon)} {what}.", "weapon", "core 1.6.1.01")


class WeaponJammed(Event, frozen=True, kw_only=True, tag="weapon_jammed"):
    """A weapon is jammed, or no longer. `core 1.6.1.1`"""

    weapon: str
    is_jammed: bool = True


@happens(WeaponJammed, public="where_open")
def _weapon_jammed(state: State, event: WeaponJammed) -> State:
    return with_piece(state, event.weapon, is_jammed=event.is_jammed)


@says(WeaponJammed)
def _weapon_jammed_words(state: State, event: WeaponJammed) -> LogLine:
    what = "jams" if event.is_jammed else "is cleared"
    return line(f"{name_of(state, event.weapon)} {what}.", "weapon", "core 1.6.1.1")


class WeaponRemoved(Event, frozen=True, kw_only=True, tag="weapon_removed"):
    """A weapon is used up, or gone. `core 1.6.2`"""

    weapon: str


@happens(WeaponRemoved, public="where_open")
def _weapon_removed(state: State, event: WeaponRemoved) -> State:
    return take(state, event.weapon)


@says(WeaponRemoved)
def _weapon_removed_words(state: State, event: WeaponRemoved) -> LogLine:
    return line("A weapon is used up.", "weapon", "core 1.6.2")
