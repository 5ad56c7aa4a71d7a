"""The orders of Skirmish and their rulings. Each says its rule in words, then names its key."""

from __future__ import annotations

from typing import Literal, cast

from umpire.kernel.registry import Order
from umpire.kernel.rulings import Choice, Question, Ruling, ask, roll
from umpire.kernel.settings import half
from umpire.kernel.states import Place
from umpire.kernel.values.modifiers import Modifier, total
from umpire.testing.skirmish.events import (
    Carried,
    Entered,
    Finished,
    Fought,
    Met,
    PlanEnded,
    PlanGiven,
    Stopped,
    TurnBegun,
)
from umpire.testing.skirmish.firing import closed, falls, shoot, show, tell, window
from umpire.testing.skirmish.ground import bar, knows
from umpire.testing.skirmish.riding import Board, GetOff
from umpire.testing.skirmish.state import (
    ALLOWANCE,
    RANGE,
    Plan,
    Secrets,
    State,
    WhenToFire,
    at_hex,
    is_open,
    lane_of,
    roots,
    unit_of,
    units,
)

TITLES = {
    "skirmish event": "What waits on the lane",
    "skirmish fire": "Fire",
    "skirmish hero": "Heroes",
    "skirmish melee": "Melee",
    "skirmish move": "Movement",
    "skirmish opportunity-fire": "Opportunity fire",
    "skirmish plan": "Plans of hidden units",
    "skirmish points": "Points",
    "skirmish reserve": "Hidden reserves",
    "skirmish sight": "Sight",
    "skirmish turn": "The turn",
    "skirmish wagon": "Wagons",
}


class Move(Order, frozen=True, kw_only=True, tag="move"):
    """Go along a path of hexes, each next to the one before."""

    unit: str
    path: tuple[Place, ...]


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """Fire at an open unit, or at a contact by its alias."""

    unit: str
    target: str


class Assault(Order, frozen=True, kw_only=True, tag="assault"):
    """Fight whoever is in the next hex."""

    unit: str
    at: Place


class EndTurn(Order, frozen=True, kw_only=True, tag="end_turn"):
    command: str


class StandingOrders(Order, frozen=True, kw_only=True, tag="standing_orders"):
    """Say beforehand when units of a command fire at what moves: never, next to them only, at all, or ask each time."""

    command: str
    fire: WhenToFire


class GivePlan(Order, frozen=True, kw_only=True, tag="give_plan"):
    """Send a hidden unit to a hex by itself, one hex a turn."""

    unit: str
    goal: int
    on_contact: Literal["halt", "ask"]


Orders = Move | Fire | Assault | Board | GetOff | EndTurn | StandingOrders | GivePlan


def move(state: State, order: Move) -> Ruling[State]:
    """A unit goes hex by hex, and stops where the truth bars its way.

    skirmish move
    """
    state = yield from show(state, order.unit)
    for step in order.path:
        if why := bar(state, unit_of(state, order.unit), step[0]):
            return (yield from tell(Stopped(unit=order.unit, at=step[0], why=why)))
        state = yield from enter(state, order.unit, step[0])
        if order.unit not in units(state) or unit_of(state, order.unit).spent >= ALLOWANCE:
            return state
    return state


def enter(state: State, unit: str, at: int) -> Ruling[State]:
    """One hex is entered: what waits there is met, and whoever may fire at the unit is asked, again after each shot.

    skirmish move, skirmish opportunity-fire, skirmish event
    """
    state = yield from tell(Entered(unit=unit, at=at, spent=unit_of(state, unit).spent + 1))
    if at in state.umpire.events:
        text = cast(Secrets, half(state.umpire.setting)).events[str(at)]
        state = yield from tell(Met(unit=unit, at=at, text=text))
    return (yield from window(state, unit))


def fire(state: State, order: Fire) -> Ruling[State]:
    """A unit fires at the hex where its command sees the target; a contact may be a lie, and the shot then wasted.

    skirmish fire
    """
    state = yield from show(state, order.unit)
    if is_open(state, order.target):
        return (yield from shoot(state, order.unit, unit_of(state, order.target).hex, "fire"))
    contact = state.commands[unit_of(state, order.unit).command].contacts[order.target]
    return (yield from shoot(state, order.unit, contact.at[0], "fire"))


def assault(state: State, order: Assault) -> Ruling[State]:
    """A melee, hand to hand: the attacker wins on 4 or more, the loser is out. Who wins goes in if the hex is free.

    skirmish melee
    """
    state = yield from show(state, order.unit)
    attacker, at = unit_of(state, order.unit), order.at[0]
    defenders = [unit for unit in at_hex(state, at) if unit.side != attacker.side]
    if defenders:
        modifiers = [Modifier(1, "a hero", "skirmish hero")] if attacker.hero else []
        if at in lane_of(state).woods:
            modifiers.append(Modifier(-1, "the enemy is in woods", "skirmish melee"))
        needed = 4 - total(modifiers)
        rolled = yield from roll(
            "1d6",
            "melee",
            subject=attacker.id,
            by=attacker.command,
            bands=[(1, needed - 1, "lost"), (needed, 6, "won")],
            modifiers=modifiers,
            rule="skirmish melee",
        )
        state = yield from tell(Fought(unit=attacker.id, at=at, result=rolled.result))
        loser = max(defenders, key=lambda unit: (unit.steps, unit.id)).id if rolled.result == "won" else attacker.id
        state = yield from falls(state, loser)
        state = yield from closed(state, loser)
        if rolled.result == "lost":
            return state
    if bar(state, unit_of(state, order.unit), at):
        return state
    return (yield from enter(state, order.unit, at))


def give_plan(state: State, order: GivePlan) -> Ruling[State]:
    """A plan that was carried on in this turn and is changed waits for the next.

    skirmish plan
    """
    before = state.umpire.plans.get(order.unit)
    plan = Plan(goal=order.goal, on_contact=order.on_contact, turn=before.turn if before else 0)
    return (yield from tell(PlanGiven(unit=order.unit, plan=plan)))


def carry(state: State, force: str) -> Ruling[State]:
    """One quantum of a plan: a hex towards the goal unless the way is lost (1 on a die that nobody sees), then what the
    plan says of contact.

    skirmish plan
    """
    plan, command = state.umpire.plans[force], unit_of(state, force).command
    if unit_of(state, force).hold is not None:
        return (yield from tell(PlanEnded(unit=force)))
    bands = [(1, 1, "lost"), (2, 6, "on")]
    way = yield from roll("1d6", "way", subject=force, by=command, bands=bands, rule="skirmish plan", secret=True)
    state = yield from tell(Carried(unit=force, turn=state.public.turn))
    unit = unit_of(state, force)
    if unit.hex == plan.goal:
        return (yield from tell(PlanEnded(unit=force)))
    at = unit.hex + (1 if plan.goal > unit.hex else -1)
    if way.result == "on" and unit.spent < ALLOWANCE and not bar(state, unit, at):
        state = yield from enter(state, force, at)
    if force not in units(state) or not sees_enemy(state, force):
        return state
    if plan.on_contact == "ask":
        go_on, halt = Choice(id="go_on", label="Go on"), Choice(id="halt", label="Halt")
        prompt = f"{unit_of(state, force).name} sees the enemy."
        question = Question(kind="plan", prompt=prompt, choices=(go_on, halt), default=("halt",), rule="skirmish plan")
        state, taken = yield from ask(unit.command, question)
        if taken == ("go_on",) or force not in state.umpire.plans:
            return state
    return (yield from tell(PlanEnded(unit=force)))


def sees_enemy(state: State, force: str) -> bool:
    unit = unit_of(state, force)
    enemies = (other for other in roots(state).values() if other.side != unit.side)
    return any(abs(other.hex - unit.hex) <= RANGE and knows(state, unit.command, other) for other in enemies)


def advance(state: State) -> Ruling[State]:
    """When both commands of a side have ended their turn the other side is up; the battle ends with its last turn, or
    when a side has nobody left.

    skirmish turn
    """
    lane, public = lane_of(state), state.public
    if public.is_over:
        return state
    standing = {side: sum(unit.side == side for unit in units(state).values()) for side in lane.sides}
    ready = {command for command, side in lane.commands.items() if side == public.side} <= set(public.done)
    following = lane.sides[(lane.sides.index(public.side) + 1) % len(lane.sides)]
    turn = public.turn + (following == lane.sides[0])
    if not all(standing.values()) or (ready and turn > lane.turns):
        most = max(standing.values())
        first = [side for side, count in standing.items() if count == most]
        return (yield from tell(Finished(winner=first[0] if len(first) == 1 else "")))
    if ready:
        state = yield from tell(TurnBegun(turn=turn, side=following))
    return state
