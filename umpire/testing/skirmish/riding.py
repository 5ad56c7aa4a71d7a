"""Wagons of Skirmish: getting on and off."""

from __future__ import annotations

from msgspec.structs import replace

from umpire.kernel.pieces.events import Boarded, Lent, PutDown
from umpire.kernel.registry import Order
from umpire.kernel.rulings import Overtaken, Ruling
from umpire.kernel.states import Place
from umpire.testing.skirmish.events import (
    PlanEnded,
    Stopped,
)
from umpire.testing.skirmish.firing import closed, show, tell, window
from umpire.testing.skirmish.ground import crowded, meant
from umpire.testing.skirmish.state import (
    State,
    Unit,
    Wagon,
    has_room,
    place,
    unit_of,
    units,
)


class Board(Order, frozen=True, kw_only=True, tag="board"):
    """Get on a wagon of the side that is in the unit's hex or the next."""

    unit: str
    wagon: str
    how: str


class GetOff(Order, frozen=True, kw_only=True, tag="get_off"):
    """Get off the wagon, in its hex or the next."""

    unit: str
    at: Place


def board(state: State, order: Board) -> Ruling[State]:
    """A unit gets on a wagon of its side in its hex or the next, if there is room. With another command's it is lent to
    that until it gets off; in an open battle a hidden wagon is hidden no longer.

    skirmish wagon
    """
    state = yield from show(state, order.unit)
    unit = unit_of(state, order.unit)
    wagon = units(state).get(meant(state, unit.command, order.wagon) or "")
    if wagon is None or not can_board(state, unit, wagon):
        why = "no wagon with room is there"
        return (yield from tell(Stopped(unit=unit.id, at=unit.hex if wagon is None else wagon.hex, why=why)))
    state = yield from show(state, wagon.id)
    if unit.id in state.umpire.plans:
        state = yield from tell(PlanEnded(unit=unit.id))
    if wagon.command != unit.command:
        state = yield from tell(Lent(pieces=(unit.id,), to=wagon.command))
    return (yield from tell(Boarded(pieces=(unit.id,), by=wagon.id, how=order.how)))


def can_board(state: State, unit: Unit, wagon: Unit) -> bool:
    """Whether a wagon takes a unit aboard: one of its side with room, in the same hex or the next.

    skirmish wagon
    """
    is_carrier = isinstance(wagon, Wagon) and not isinstance(unit, Wagon) and wagon.stands
    return is_carrier and wagon.side == unit.side and abs(wagon.hex - unit.hex) <= 1 and has_room(state, wagon)


def get_off(state: State, order: GetOff) -> Ruling[State]:
    """A unit gets off in the hex of its wagon or the next, if the truth has room for it, and may be fired at there.

    skirmish wagon, skirmish opportunity-fire
    """
    state = yield from show(state, order.unit)
    unit, at = unit_of(state, order.unit), order.at[0]
    if unit.hold is None:
        raise Overtaken("it is aboard no more")
    # Who was lent is at home again there.
    if why := crowded(state, replace(unit, command=unit.home or unit.command), at):
        return (yield from tell(Stopped(unit=unit.id, at=at, why=why)))
    wagon = unit.hold.by
    state = yield from tell(PutDown(pieces=(unit.id,), places=(place(at),), out_of=wagon, why="got off"))
    state = yield from window(state, unit.id)
    return (yield from closed(state, wagon))
