"""What the umpire does by his own hand."""

from __future__ import annotations

from lnl.happening.changing import placed
from lnl.happening.register import happens, noted, says
from lnl.state.battle import Public, State, Unit, Weapon
from lnl.state.finding import piece_of
from lnl.words.line import line, note
from lnl.words.naming import counter_name, names_of, place_words, unit_name
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import BATTLE, Altered, as_field
from umpire.kernel.parts import with_public
from umpire.kernel.pieces.changing import add, closed, take
from umpire.kernel.pieces.piece import NOBODY, PUBLIC
from umpire.kernel.registry import LogLine


@happens(Altered, public="where_open")
def _altered(state: State, event: Altered) -> State:
    """The value is read as the field's own type, so that a field keeps its form whatever JSON made of it."""
    if event.piece == BATTLE:
        value = as_field(Public, event.field, event.value)
        return with_public(state, **{event.field: value})
    piece = piece_of(state, event.piece)
    value = as_field(type(piece), event.field, event.value)
    return placed(state, event.piece, **{event.field: value})


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """The umpire adds a piece; `is_open`: to what everybody sees."""

    unit: Unit | None = None
    weapon: Weapon | None = None
    is_open: bool = True


@happens(Added, public=lambda before, event: event.is_open)
def _added(state: State, event: Added) -> State:
    if event.unit is not None:
        state = add(state, event.unit, PUBLIC if event.is_open else None)
    if event.weapon is not None:
        state = add(state, event.weapon, PUBLIC if event.is_open else NOBODY)
    return state


@says(Added)
def _added_words(state: State, event: Added) -> LogLine | None:
    new = event.unit
    if new is None:
        return None
    where = place_words(state, new.at) if new.is_placed else f"off the board, coming in turn {new.arrives}"
    at = (new.at,) if new.is_placed else ()
    return line(f"The umpire adds {unit_name(state, new)}: {where}.", "umpire", "", (new.id,), at)


@noted(Added)
def _added_noted(state: State, event: Added) -> LogLine | None:
    gun = event.weapon
    return note(f"The umpire adds {counter_name(state, gun.counter)}.") if gun is not None else None


class Concealed(Event, frozen=True, kw_only=True, tag="concealed"):
    """The umpire hides open units again (with what they possess)."""

    units: tuple[str, ...]


@happens(Concealed, public="never")
def _concealed(state: State, event: Concealed) -> State:
    return closed(state, event.units)


@says(Concealed)
def _concealed_words(state: State, event: Concealed) -> LogLine:
    return line(f"The umpire hides {names_of(state, event.units)}.", "umpire", "", event.units)


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    """The umpire takes a piece out of the battle; nobody has lost it. `what` it was called."""

    piece: str
    what: str = ""


@happens(Removed, public="where_open")
def _removed(state: State, event: Removed) -> State:
    return take(state, event.piece)


@says(Removed)
def _removed_words(state: State, event: Removed) -> LogLine:
    return line(f"The umpire takes {event.what or 'a piece'} out of the battle.", "umpire")
