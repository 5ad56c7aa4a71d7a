"""The orders of Skirmish and their rulings. Each says its rule in words, then names its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from umpire.kernel.events import Event, alias_of
from umpire.kernel.registry import Order
from umpire.kernel.rulings import Choice, Overtaken, Question, Ruling, ask, draw, offer, roll
from umpire.kernel.rulings import tell as kernel_tell
from umpire.kernel.settings import half
from umpire.kernel.states import Place
from umpire.kernel.values.modifiers import Modifier, total
from umpire.testing.skirmish.events import (
    Carried,
    Entered,
    Fell,
    Finished,
    Fired,
    Fought,
    Hit,
    Met,
    PlanEnded,
    PlanGiven,
    Revealed,
    Rose,
    Stopped,
    TurnBegun,
)
from umpire.testing.skirmish.state import (
    ALLOWANCE,
    HEROES,
    RANGE,
    SOMEBODY,
    STACK,
    Believed,
    Plan,
    Secrets,
    State,
    Unit,
    WhenToFire,
    at_hex,
    is_open,
    lane_of,
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


Orders = Move | Fire | Assault | EndTurn | StandingOrders | GivePlan


def bar(state: State, unit: Unit, at: int) -> str:
    """Why a unit cannot enter the next hex; empty if it can. Asked of belief by `check`, of the truth by `move`.

    One does not enter a hex that holds an enemy, another command's unit or as many units as it can.

    skirmish move
    """
    if not 0 <= at < lane_of(state).length:
        return "the lane ends there"
    if abs(at - unit.hex) != 1:
        return "it is not the next hex"
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


def may_fire(state: State, mover: Unit) -> Mapping[str, list[Unit]]:
    """Who may fire at a unit that has entered a hex, by command: enemies in range who know of it and have not fired.

    skirmish opportunity-fire
    """
    firers: dict[str, list[Unit]] = {}
    for unit in units(state).values():
        if unit.side != mover.side and not unit.fired and abs(unit.hex - mover.hex) <= RANGE:
            if knows(state, unit.command, mover):
                firers.setdefault(unit.command, []).append(unit)
    return firers


def fire_modifiers(state: State, unit: Unit, at: int) -> list[Modifier]:
    """What helps and hinders a shot at a hex: all of it known to the firer's command.

    skirmish fire
    """
    found = []
    if abs(unit.hex - at) <= 1:
        found.append(Modifier(1, "the target is near", "skirmish fire"))
    if at in lane_of(state).woods:
        found.append(Modifier(-1, "the target is in woods", "skirmish fire"))
    if unit.hero:
        found.append(Modifier(1, "a hero", "skirmish hero"))
    if any(other.id != unit.id and other.command == unit.command for other in at_hex(state, unit.hex)):
        found.append(Modifier(1, "another unit of the command in the hex", "skirmish fire"))
    return found


def tell(event: Event) -> Ruling[State]:
    return kernel_tell(event)


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
    while firers := may_fire(state, unit_of(state, unit)):
        state, command, taken = yield from offer(_opportunities(state, unit, firers))
        if command is None:
            return state
        if unit not in units(state):
            raise Overtaken("the unit that moved is not there any more")
        mover = unit_of(state, unit)
        if any(firer.id == taken[0] for firer in may_fire(state, mover).get(command, [])):
            state = yield from shoot(state, taken[0], mover.hex, "opportunity fire")
        if unit not in units(state):
            return state
    return state


def _opportunities(state: State, unit: str, firers: Mapping[str, list[Unit]]) -> Mapping[str, Question]:
    """A question to a command all of whose firers are hidden would tell the mover that somebody is there: it is of the
    kind `ambush`, which standing orders answer always."""
    questions = {}
    for command, mine in firers.items():
        alias = unit if isinstance(state, Believed) or is_open(state, unit) else alias_of(state, command, unit)
        questions[command] = Question(
            kind="opportunity_fire" if any(is_open(state, firer.id) for firer in mine) else "ambush",
            prompt=f"An enemy has entered hex {unit_of(state, unit).hex}. Who fires?",
            choices=tuple(Choice(id=firer.id, label=firer.name, pieces=(firer.id,), at=firer.at) for firer in mine),
            about=(alias,) if alias else (),
            least=0,
            rule="skirmish opportunity-fire",
        )
    return questions


def standing_answer(believed: Believed, question: Question) -> tuple[str, ...] | None:
    """What the standing orders of a command answer to who may fire; hidden units that are to ask hold their fire.

    skirmish opportunity-fire
    """
    known = units(believed)
    match believed.commands[known[question.choices[0].id].command].fire:
        case "any":
            return (question.choices[0].id,)
        case "near":
            moved = [known[alias].hex for alias in question.about if alias in known]
            near = [c.id for c in question.choices if any(abs(known[c.id].hex - at) <= 1 for at in moved)]
            return tuple(near[:1])
        case "ask" if question.kind == "opportunity_fire":
            return None
        case _:
            return ()


def show(state: State, unit: str) -> Ruling[State]:
    """In an open battle a unit that moves, fires or fights is hidden no longer.

    skirmish reserve
    """
    if not lane_of(state).blind and not is_open(state, unit):
        state = yield from tell(Revealed(unit=unit))
    return state


def fire(state: State, order: Fire) -> Ruling[State]:
    """A unit fires at the hex where its command sees the target; a contact may be a lie, and the shot then wasted.

    skirmish fire
    """
    state = yield from show(state, order.unit)
    if is_open(state, order.target):
        return (yield from shoot(state, order.unit, unit_of(state, order.target).hex, "fire"))
    contact = state.commands[unit_of(state, order.unit).command].contacts[order.target]
    return (yield from shoot(state, order.unit, contact.at[0], "fire"))


def shoot(state: State, unit: str, at: int, purpose: str) -> Ruling[State]:
    """One die, 5 or more with all modifiers hits; a natural 6 always does, and makes a hero.

    skirmish fire, skirmish hero
    """
    state = yield from show(state, unit)
    firer = unit_of(state, unit)
    modifiers = fire_modifiers(state, firer, at)
    needed = min(6, max(2, 5 - total(modifiers)))
    bands = [(1, needed - 1, "miss"), (needed, 5, "hit"), (6, 6, "hero")]
    rolled = yield from roll(
        "1d6",
        purpose,
        subject=unit,
        by=firer.command,
        bands=[band for band in bands if band[0] <= band[1]],
        modifiers=modifiers,
        rule="skirmish fire",
    )
    state = yield from tell(Fired(unit=unit, at=at, result=rolled.result))
    if rolled.result == "miss":
        return state
    if rolled.result == "hero":
        hero = yield from draw(HEROES, "hero", subject=unit, by=firer.command, rule="skirmish hero", aside=True)
        state = yield from tell(Rose(unit=unit, hero=hero))
    return (yield from take_hit(state, firer, at))


def take_hit(state: State, firer: Unit, at: int) -> Ruling[State]:
    """A hit costs a step; where the firer sees several units in the hex, their command says whose. What he does not see
    is not hit: the question would tell him of it.

    skirmish fire
    """
    targets = [unit for unit in at_hex(state, at) if unit.side != firer.side and knows(state, firer.command, unit)]
    if not targets:
        return state
    victim = targets[0].id
    if len(targets) > 1:
        weakest = min(targets, key=lambda unit: (unit.steps, unit.id))
        question = Question(
            kind="hit",
            prompt="Which unit takes the hit?",
            choices=tuple(Choice(id=unit.id, label=unit.name, pieces=(unit.id,)) for unit in targets),
            default=(weakest.id,),
            rule="skirmish fire",
        )
        state, taken = yield from ask(targets[0].command, question)
        victim = taken[0]
    if victim not in units(state):
        raise Overtaken("the unit that was hit is not there any more")
    steps = unit_of(state, victim).steps - 1
    return (yield from tell(Hit(unit=victim, steps=steps) if steps else Fell(unit=victim)))


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
        state = yield from tell(Fell(unit=loser))
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
    enemies = (other for other in units(state).values() if other.side != unit.side)
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
