"""Leaving the board by an exit zone. What it is worth is the scenario's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lnl.happening.movement import Exited, Started
from lnl.happening.rulings import tell
from lnl.orders.dispatch import handles
from lnl.orders.orders import ExitBoard
from lnl.rules.movement.leaving import exit_zone, has_come
from lnl.rules.movement.movement import allowance
from lnl.rules.turn.operations_phase import acted, another_has_it, began, may_act
from lnl.rules.works.claymores import unguarded
from lnl.rules.works.support_weapons import bars_moving
from lnl.state.battle import Believed, Loss, State, Unit
from lnl.state.belonging import is_mine
from lnl.state.finding import counter_of, has_unit, impulse_of, present, unit, units_at
from umpire.kernel.forms import ChoiceSlot, Form
from umpire.kernel.rulings import Choice, Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 6.0"


def check_exit(believed: Believed, seat: Seat, order: ExitBoard) -> Iterable[Refusal]:
    """Units of one place that is part of their side's exit zone: those that have not moved, or that have moved there in
    this impulse and have a point left (L16). `core 6.0`"""
    found = list(may_act(believed, seat, [each for each in order.units if not _has_come(believed, seat, each)]))
    if found and (len(order.units) == 0 or not all(_has_come(believed, seat, each) for each in order.units)):
        yield from found
        return
    stack = [unit(believed, each) for each in order.units]
    if len({(each.at, each.side) for each in stack}) > 1 or len(set(order.units)) != len(order.units):
        yield Refusal("They are not in one place.", RULE, "units")
        return
    impulse = impulse_of(believed, seat.commands)
    if impulse is not None and stack[0].at in impulse.moved_from and not all(each.moved for each in stack):
        yield Refusal("Units have moved from there in this impulse: all go together.", "core 4.0", "units")
    if not exit_zone(believed, stack[0]):
        yield Refusal("This is no hex by which your side leaves the board.", RULE, "units")
    for each in stack:
        if bars_moving(believed, each) is not None:
            yield Refusal("A weapon on its tripod cannot be moved.", "core 1.6.1.01", "units")
        if allowance(believed, each, stack=stack)[0] <= each.spent:
            yield Refusal(f"{counter_of(believed, each).name} has no movement point left.", RULE, "units")


def _has_come(state: State, seat: Seat, piece: str) -> bool:
    if not has_unit(state, piece) or not is_mine(seat, unit(state, piece)):
        return False
    return has_come(state, unit(state, piece), impulse_of(state, seat.commands))


def exit_board(state: State, seat: Seat, order: ExitBoard) -> Ruling[State]:
    """They are gone with what they possess, and count as having left. `core 6.0`"""
    stack = present(state, order.units)
    if not stack or another_has_it(state, seat, stack[0].command):
        return state
    first = stack[0]
    state = yield from began(state, seat, (first.at,), first.command)
    starting = tuple(each.id for each in present(state, order.units) if not each.moved)
    noted = {"moved_from": first.at} if starting else {}
    state = yield from acted(state, first.command, [each.id for each in stack], **noted)
    if starting:
        state = yield from tell(Started(units=starting, manner="move"))
    losses = tuple(_loss(state, each) for each in present(state, order.units))
    state = yield from tell(Exited(losses=losses))
    return (yield from unguarded(state))


def _loss(state: State, each: Unit) -> Loss:
    return Loss(
        unit=each.id,
        side=each.side,
        command=each.command,
        counter=each.counter,
        turn=state.public.turn,
        how="exited",
        by=exit_zone(state, each),
    )


def exit_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterator[Form]:
    """For a unit in an exit zone: those in its place who may leave with it."""
    if subject is None or not has_unit(believed, subject):
        return
    each = unit(believed, subject)
    if not is_mine(seat, each) or not exit_zone(believed, each):
        return
    able = [
        other
        for other in _first(each, units_at(believed, each.at, each.side))
        if not any(check_exit(believed, seat, ExitBoard(units=(other.id,))))
    ]
    if able and able[0].id == subject:
        choices = tuple(
            Choice(id=other.id, label=counter_of(believed, other).name, pieces=(other.id,)) for other in able
        )
        slot = ChoiceSlot(name="units", label="Who", choices=choices, many=True, most=len(choices))
        yield Form(verb="ExitBoard", label="Leave the board", subject=(subject,), slots=(slot,), rule=RULE)


def _first(each: Unit, there: Sequence[Unit]) -> tuple[Unit, ...]:
    return (each, *(other for other in there if other.id != each.id))


handles(ExitBoard, check=check_exit, resolve=exit_board, options=exit_forms, phases=("operations",), rule=RULE)
