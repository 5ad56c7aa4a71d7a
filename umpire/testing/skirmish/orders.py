"""What may be ordered in Skirmish: forms for what is possible, refusals for what is not, both from a believed state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from umpire.kernel.forms import ChoiceSlot, Form, NumberSlot, PathSlot, PointSlot
from umpire.kernel.rulings import Choice
from umpire.kernel.states import Place, Seat
from umpire.kernel.values.maps import ordered
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.skirmish.ground import bar, crowded
from umpire.testing.skirmish.riding import Board, GetOff, can_board
from umpire.testing.skirmish.rules import (
    Assault,
    EndTurn,
    Fire,
    GivePlan,
    Move,
    StandingOrders,
)
from umpire.testing.skirmish.state import ALLOWANCE, RANGE, WAYS, Believed, Unit, is_open, lane_of, place, roots, units

WHEN_TO_FIRE = {
    "ask": "ask each time (hidden units hold their fire)",
    "hold": "hold fire",
    "near": "fire at what comes next to us",
    "any": "fire at whatever comes in range",
}


def why_not_now(believed: Believed, command: str) -> str:
    """Why a command may not order its units about now; empty if it may.

    skirmish turn
    """
    if believed.public.is_over:
        return "The battle is over."
    if lane_of(believed).commands[command] != believed.public.side:
        return "It is the other side's turn."
    return "Your turn is ended." if command in believed.public.done else ""


def may_act(believed: Believed, unit: Unit) -> bool:
    return not why_not_now(believed, unit.command) and (unit.spent < ALLOWANCE or not unit.fired)


# Forms


def command_forms(believed: Believed, command: str) -> Iterable[Form]:
    """What a command may order that is about no unit."""
    if believed.public.is_over:
        return
    if not why_not_now(believed, command):
        yield Form(verb="end_turn", label="End the turn", role="ends", fixed={"command": command}, rule="skirmish turn")
    choices = tuple(Choice(id=key, label=label) for key, label in WHEN_TO_FIRE.items())
    yield Form(
        verb="standing_orders",
        label="Standing orders",
        fixed={"command": command},
        slots=(ChoiceSlot(name="fire", label="Opportunity fire", choices=choices),),
        rule="skirmish opportunity-fire",
        role="aside",
    )


def unit_forms(believed: Believed, unit: Unit) -> Iterable[Form]:
    """What a unit may be ordered to do."""
    if believed.public.is_over:
        return
    fixed, subject = {"unit": unit.id}, (unit.id,)
    if unit.hold is not None:
        if hexes := _ways_off(believed, unit):
            at = PointSlot(name="at", label="Hex", places=hexes)
            yield Form(
                verb="get_off",
                label="Get off",
                subject=subject,
                fixed=fixed,
                slots=(at,),
                rule="skirmish wagon",
                odds=True,
            )
        return
    if not is_open(believed, unit.id):
        goal = NumberSlot(name="goal", label="To hex", low=0, high=lane_of(believed).length - 1)
        then = (Choice(id="halt", label="halt"), Choice(id="ask", label="ask"))
        contact = ChoiceSlot(name="on_contact", label="On contact", choices=then)
        yield Form(verb="give_plan", label="Plan", subject=subject, fixed=fixed, slots=(goal, contact))
    if why_not_now(believed, unit.command):
        return
    steps, most = _steps(believed, unit), ALLOWANCE - unit.spent
    if most > 0 and steps[_key(unit.hex)]:
        path = PathSlot(name="path", label="Path", start=unit.at, steps=steps, most=most, unit="hexes")
        yield Form(
            verb="move", label="Move", subject=subject, fixed=fixed, slots=(path,), rule="skirmish move", odds=True
        )
    if most > 0 and (wagons := _wagons(believed, unit)):
        wagon = ChoiceSlot(name="wagon", label="Wagon", choices=tuple(wagons))
        ways = tuple(Choice(id=key, label=way.name) for key, way in WAYS.items())
        how = ChoiceSlot(name="how", label="Where", choices=ways)
        yield Form(verb="board", label="Board", subject=subject, fixed=fixed, slots=(wagon, how), rule="skirmish wagon")
    if unit.fired:
        return
    if targets := _targets(believed, unit):
        target = ChoiceSlot(name="target", label="Target", choices=tuple(targets))
        yield Form(
            verb="fire", label="Fire", subject=subject, fixed=fixed, slots=(target,), rule="skirmish fire", odds=True
        )
    if hexes := _assaults(believed, unit):
        at = PointSlot(name="at", label="Hex", places=hexes)
        yield Form(
            verb="assault", label="Assault", subject=subject, fixed=fixed, slots=(at,), rule="skirmish melee", odds=True
        )


def _key(at: int) -> str:
    return f"{at},0"


def _steps(believed: Believed, unit: Unit) -> Mapping[str, tuple[Place, ...]]:
    """From each hex of the lane the next ones that a unit may enter as far as its command knows."""
    steps = {}
    for at in range(lane_of(believed).length):
        there = replace(unit, at=place(at))
        steps[_key(at)] = tuple(place(to) for to in (at - 1, at + 1) if not bar(believed, there, to))
    return ordered(steps)


def _ways_off(believed: Believed, unit: Unit) -> tuple[Place, ...]:
    """Where a unit may get off a wagon now, as far as its command knows."""
    if unit.hold is None or unit.hold.by not in roots(believed) or why_not_now(believed, unit.command):
        return ()
    home = replace(unit, command=unit.home or unit.command)
    return tuple(place(at) for at in (unit.hex - 1, unit.hex, unit.hex + 1) if not crowded(believed, home, at))


def _wagons(believed: Believed, unit: Unit) -> list[Choice]:
    """The wagons that take a unit aboard, as far as its command knows."""
    return [
        Choice(id=wagon.id, label=wagon.name, pieces=(wagon.id,), at=wagon.at)
        for wagon in roots(believed).values()
        if can_board(believed, unit, wagon)
    ]


def _targets(believed: Believed, unit: Unit) -> list[Choice]:
    return [
        Choice(id=other.id, label=other.name, pieces=(other.id,), at=other.at)
        for other in roots(believed).values()
        if other.side != unit.side and abs(other.hex - unit.hex) <= RANGE
    ]


def _assaults(believed: Believed, unit: Unit) -> tuple[Place, ...]:
    near = {other.hex for other in roots(believed).values() if other.side != unit.side}
    return tuple(place(at) for at in sorted(near) if abs(at - unit.hex) == 1)


# Refusals


def refusals(believed: Believed, seat: Seat, order: Any) -> Iterable[Refusal]:
    """Why an order is not accepted."""
    if believed.public.is_over:
        yield Refusal(reason="The battle is over.", rule="skirmish turn")
        return
    if isinstance(order, EndTurn | StandingOrders):
        if order.command not in seat.commands:
            yield Refusal(reason="That is not a command of yours.", rule="skirmish turn", field="command")
        elif isinstance(order, EndTurn) and (why := why_not_now(believed, order.command)):
            yield Refusal(reason=why, rule="skirmish turn", field="command")
        return
    unit = units(believed).get(order.unit)
    if unit is None or unit.command not in seat.commands:
        yield Refusal(reason="That is not a unit of yours.", rule="skirmish turn", field="unit")
    elif isinstance(order, GetOff):
        if why := why_not_now(believed, unit.command):
            yield Refusal(reason=why, rule="skirmish turn")
        elif order.at not in _ways_off(believed, unit):
            yield Refusal(reason="The unit cannot get off there.", rule="skirmish wagon", field="at")
    elif unit.hold is not None:
        yield Refusal(reason="The unit is aboard a wagon.", rule="skirmish wagon", field="unit")
    elif isinstance(order, GivePlan):
        if is_open(believed, unit.id):
            yield Refusal(reason="Only hidden units have plans.", rule="skirmish plan", field="unit")
        elif not 0 <= order.goal < lane_of(believed).length:
            yield Refusal(reason="The goal is off the lane.", rule="skirmish plan", field="goal")
    elif why := why_not_now(believed, unit.command):
        yield Refusal(reason=why, rule="skirmish turn")
    elif isinstance(order, Move):
        yield from _path_refusals(believed, unit, order.path)
    elif isinstance(order, Board):
        if unit.spent >= ALLOWANCE or order.wagon not in [choice.id for choice in _wagons(believed, unit)]:
            yield Refusal(reason="No such wagon takes it aboard.", rule="skirmish wagon", field="wagon")
        elif order.how not in WAYS:
            ways = ", ".join(WAYS)
            yield Refusal(reason=f"That is no way to ride: there are {ways}.", rule="skirmish wagon", field="how")
    elif unit.fired:
        yield Refusal(reason="The unit has fired or fought in this turn.", rule="skirmish fire", field="unit")
    elif isinstance(order, Fire):
        if order.target not in [choice.id for choice in _targets(believed, unit)]:
            yield Refusal(reason="No such target is in range.", rule="skirmish fire", field="target")
    elif isinstance(order, Assault) and order.at not in _assaults(believed, unit):
        yield Refusal(reason="No enemy is known to be there, in the next hex.", rule="skirmish melee", field="at")


def _path_refusals(believed: Believed, unit: Unit, path: tuple[Place, ...]) -> Iterable[Refusal]:
    left = max(0, ALLOWANCE - unit.spent)
    if not 1 <= len(path) <= left:
        reason = f"The path has {len(path)} hexes, and the unit may enter {left}."
        yield Refusal(reason=reason, rule="skirmish move", field="path")
        return
    for index, step in enumerate(path):
        why = bar(believed, unit, step[0]) if step[1:] == (0,) else "a hex is a pair of its number and 0"
        if why:
            yield Refusal(reason=f"Step {index + 1}: {why}.", rule="skirmish move", field=f"path.{index}")
            return
        unit = replace(unit, at=place(step[0]))
