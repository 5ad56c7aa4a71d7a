"""The orders of movement: what is checked before, and how they are carried out. `core 6.0`, `core 1.6.3`"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lnl.board.hexes import SPINES, Place, spines_turned
from lnl.happening.movement import Faced, Started, Stopped
from lnl.happening.rulings import tell
from lnl.orders.orders import AssaultMove, Face, LowCrawl, Move, StealthMove
from lnl.rules.fire import opportunity_fire
from lnl.rules.movement.going import RULE
from lnl.rules.movement.marching import march
from lnl.rules.movement.movement import made, refusal
from lnl.rules.movement.special_movement import not_going
from lnl.rules.turn.operations_phase import acted, another_has_it, began, may_act
from lnl.state.battle import Believed, Manner, State, Unit
from lnl.state.finding import counter_of, enemies_at, present, unit
from lnl.state.setting import tables_of
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

Marching = Move | AssaultMove | LowCrawl | StealthMove


def manner_of(order: Marching) -> Manner:
    if isinstance(order, AssaultMove):
        return "assault"
    if isinstance(order, LowCrawl):
        return "low_crawl"
    return "stealth" if isinstance(order, StealthMove) else "move"


def is_double_time(order: Marching) -> bool:
    return isinstance(order, Move | AssaultMove) and order.double_time


def check_march(believed: Believed, seat: Seat, order: Marching) -> Iterable[Refusal]:
    """Units of one place move together along a path that each of them can pay for. `core 6.0`"""
    if found := list(may_act(believed, seat, order.units)):
        return found
    stack = [unit(believed, each) for each in order.units]
    manner, hurried = manner_of(order), is_double_time(order)
    if found := list(not_going(believed, seat, stack, manner, double_time=hurried)):
        return found
    if not order.path:
        return [Refusal("The path leads nowhere.", RULE, "path")]
    if manner == "low_crawl" and len(order.path) > 1:
        return [Refusal("A low crawl is one hex, or one level.", "core 6.3", "path")]
    if (no := _not_along(believed, stack, order.path, manner, hurried)) is not None:
        return [no]
    facing = order.facing if isinstance(order, Move | AssaultMove) else 0
    return [] if facing in (0, *SPINES) else [Refusal("Spines are 1 to 6.", "core 1.6.3", "facing")]


def _not_along(
    believed: Believed, stack: Sequence[Unit], path: Sequence[Place], manner: Manner, double_time: bool
) -> Refusal | None:
    at, spent = stack[0].at, {each.id: 0 for each in stack}
    for number, to in enumerate(path):
        if number and enemies_at(believed, at, stack[0].side):
            return Refusal("Who enters a place with enemies stops there and fights.", RULE, "path")
        step = made(believed, stack, at, to, manner=manner, double_time=double_time, spent=spent, entered=path[:number])
        if step.why:
            return refusal(step)
        at, spent = to, dict(step.spent)
    return None


# Carrying it out


def resolve_march(state: State, seat: Seat, order: Marching) -> Ruling[State]:
    """They go, as far as the truth lets them. `core 6.0`"""
    stack = present(state, order.units)
    if not stack or another_has_it(state, seat, stack[0].command):
        return state
    first, ids = stack[0], tuple(each.id for each in stack)
    state = yield from began(state, seat, (first.at,), first.command)
    state = yield from acted(state, first.command, ids, moved_from=first.at)
    facing = order.facing if isinstance(order, Move | AssaultMove) else 0
    return (yield from march(state, ids, order.path, manner_of(order), is_double_time(order), facing))


# Turning a weapon team


def check_face(believed: Believed, seat: Seat, order: Face) -> Iterable[Refusal]:
    """A weapon team with a facing turns within its hex, a movement point for two spines, instead of firing.
    `core 1.6.3`"""
    if found := list(may_act(believed, seat, (order.unit,))):
        return found
    each = unit(believed, order.unit)
    row = counter_of(believed, each)
    if not row.facing or order.facing not in SPINES or order.facing == each.facing:
        return [Refusal("It does not turn that way.", "core 1.6.3", "facing")]
    if _turning(believed, each, order.facing) > row.movement:
        return [Refusal("That takes more movement points than it has.", "core 1.6.3", "facing")]
    return []


def _turning(state: State, each: Unit, facing: int) -> int:
    return -(-spines_turned(each.facing or facing, facing) // tables_of(state).number("pivot_sides"))


def resolve_face(state: State, seat: Seat, order: Face) -> Ruling[State]:
    """It turns and bears a Move marker; enemies may fire at it. `core 1.6.3`, `core 5.3`"""
    stack = present(state, (order.unit,))
    if not stack or another_has_it(state, seat, stack[0].command):
        return state
    each = stack[0]
    state = yield from began(state, seat, (each.at,), each.command)
    state = yield from acted(state, each.command, (each.id,))
    state = yield from tell(Started(units=(each.id,), manner="move"))
    state = yield from tell(Faced(unit=each.id, facing=order.facing))
    state = yield from opportunity_fire.window(state, (each.id,), _turning(state, each, order.facing))
    if any(turned.is_moving for turned in present(state, (each.id,))):
        state = yield from tell(Stopped(units=(each.id,)))
    return state
