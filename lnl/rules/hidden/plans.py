"""Plans of hidden units: once in each Operations Phase they go on along their legs by themselves, halt, or hold
where they have come upon the enemy.

The umpire gives plans by his own hand, a player by `GivePlan`. A plan is carried on as a move is made, with all that
meets movers on their way. `core 4.0`, `core 6.0`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from msgspec.structs import replace

from lnl.board.hexes import Hex, Place, distance, neighbours
from lnl.happening.plans import PlanCarried, PlanDropped, PlanGiven, SignalGiven
from lnl.happening.rulings import tell
from lnl.happening.turn import Ended
from lnl.knowledge.sighting import reaches_at_night
from lnl.orders.checks import command_of, off_map
from lnl.orders.dispatch import handles
from lnl.orders.orders import CancelPlan, GivePlan, Signal
from lnl.rules.hidden.planning_slots import LEGS, SIGNAL_LENGTH, STEPS, plan_slots
from lnl.rules.movement.going import cost_of
from lnl.rules.movement.marching import march
from lnl.rules.movement.special_movement import cannot_go
from lnl.state.battle import Believed, Leg, Plan, State, Unit
from lnl.state.finding import (
    has_ended,
    has_unit,
    is_locked,
    is_open,
    is_open_command,
    perceived_enemies,
    plan_of,
    plans,
    sees,
    unit,
    units_of,
)
from lnl.state.setting import ground_of
from umpire.kernel.forms import Form, TextSlot
from umpire.kernel.registry import Route
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 4.0"
DOES = ("go", "hold")
"""What may begin on a signal."""


# Carrying


def due(state: State) -> tuple[str, ...]:
    """The forces whose plans are to be carried on in this Operations Phase, in their fixed order, and after them the
    commands moved by plans alone: that they are done is told whether they have plans or not. `core 4.0`"""
    return tuple(_due(state))


def _due(state: State) -> Iterator[str]:
    public = state.public
    if public.result is not None or public.phase != "operations":
        return
    for force, plan in plans(state).items():
        if plan.carried != public.turn and _can_be_carried(state, plan):
            yield force
    for name, part in state.commands.items():
        if part.has_plans_only and not has_ended(state, name):
            yield name


def _can_be_carried(state: State, plan: Plan) -> bool:
    if plan.is_held or plan.status not in ("running", "in_contact") or not has_unit(state, plan.force):
        return False
    return not is_open(state, plan.force) and unit(state, plan.force).is_placed


def carry(state: State, force: str) -> Ruling[State]:
    """One quantum of a plan: a march along its leg as far as the points of a turn reach (a low crawl of one hex), or a
    turn of a halt. Who may not move so stops. `core 6.3`"""
    if force not in _due(state):
        return state
    if force in state.commands:
        return (yield from tell(Ended(command=force, is_open=is_open_command(state, force))))
    plan = plan_of(state, force)
    assert plan is not None
    each = unit(state, force)
    if is_in_contact(state, each) and plan.on_contact == "hold":
        return (yield from _carried(state, replace(plan, status="in_contact")))
    if is_locked(state, each) or each.moved or each.fired or each.ops_complete:
        return (yield from _carried(state, plan))
    plan = _at(replace(plan, status="running"), plan.leg, plan.along)
    if plan.status == "done":
        return (yield from _carried(state, plan))
    leg = plan.legs[plan.leg]
    if leg.pace == "halt":
        return (yield from _carried(state, _at(plan, plan.leg, plan.along + 1)))
    if (no := next(cannot_go(state, (each,), leg.pace), None)) is not None:
        return (yield from _carried(state, replace(plan, status="stopped", note=no.reason)))
    path = leg.path[plan.along : plan.along + 1] if leg.pace == "low_crawl" else leg.path[plan.along :]
    state = yield from march(state, (force,), path, manner=leg.pace)
    now = plan_of(state, force)
    if now is None or not has_unit(state, force):
        return state
    return (yield from _carried(state, _walked(plan, path, each.at, unit(state, force).at)))


def _carried(state: State, plan: Plan) -> Ruling[State]:
    """The plan as it stands after this quantum, if it is still the force's."""
    if plan_of(state, plan.force) is None:
        return state
    return (yield from tell(PlanCarried(plan=replace(plan, carried=state.public.turn, step=plan.step + 1))))


def is_in_contact(state: State, each: Unit) -> bool:
    """Whether a unit is Shaken, in Melee, or sees an enemy whom its command has before its eyes: by night within two
    hexes, in light, or who has fired. `core 20.0`"""
    if each.is_shaken or is_locked(state, each):
        return True
    return any(
        (foe.fired or reaches_at_night(state, each.at, foe.at)) and sees(state, each.at, foe.at)
        for foe in perceived_enemies(state, each.command)
    )


def _walked(plan: Plan, path: Sequence[Place], start: Place, at: Place) -> Plan:
    """The plan after its force has come this far of what lay ahead; one that cannot go on is stopped."""
    if at in path:
        return _at(plan, plan.leg, plan.along + path.index(at) + 1)
    if at == start:
        return replace(plan, status="stopped", note=plan.note or "its way is barred")
    return replace(plan, status="stopped", note=plan.note or "it has left its way")


def _at(plan: Plan, leg: int, along: int) -> Plan:
    """A plan at this point of this leg, or at the next leg where it is over; without more legs it is done."""
    while leg < len(plan.legs):
        length = plan.legs[leg].turns if plan.legs[leg].pace == "halt" else len(plan.legs[leg].path)
        if along < length:
            return replace(plan, leg=leg, along=along)
        leg, along = leg + 1, 0
    return replace(plan, leg=leg, along=0, status="done")


# Giving plans


def check_give_plan(believed: Believed, seat: Seat, order: GivePlan) -> Iterable[Refusal]:
    """A plan is for a hidden unit of one's own; its legs lead from place to adjacent place. `core 4.0`"""
    if found := list(_own_force(believed, seat, order.force)):
        return found
    return list(off_course(believed, order.force, order.legs)) or list(_signals(order))


def off_course(state: State, force: str, legs: Sequence[Leg]) -> Iterator[Refusal]:
    """Why the legs of a plan cannot be followed by its force from where it is. `core 4.0`"""
    if len(legs) > LEGS or any(len(leg.path) > STEPS for leg in legs):
        yield Refusal(f"A plan has {LEGS} legs at most, a leg {STEPS} places.", RULE, "legs")
        return
    at = unit(state, force).at
    for leg in legs:
        if leg.pace == "halt" and (leg.path or leg.turns < 1):
            yield Refusal("A halt lasts a turn or more and has no path.", RULE, "legs")
        elif leg.pace != "halt":
            if not leg.path:
                yield Refusal("A leg leads somewhere; to wait, give a halt.", RULE, "legs")
            if (no := next(cannot_go(state, (unit(state, force),), leg.pace), None)) is not None:
                yield Refusal(no.reason, no.rule, "legs")
        if found := list(off_map(state, leg.path, "legs", RULE)):
            yield from found
            return
        for to in leg.path:
            if not is_step(at, to):
                yield Refusal("A leg goes from a place to an adjacent one.", RULE, "legs")
                return
            at = to


def _signals(order: GivePlan) -> Iterable[Refusal]:
    if wrong := [does for does in order.on_signal.values() if does not in DOES]:
        return [Refusal(f"{wrong[0]!r} is nothing to do on a signal; there are: {', '.join(DOES)}.", RULE, "on_signal")]
    if any(not name.strip() or len(name) > SIGNAL_LENGTH for name in order.on_signal):
        return [Refusal(f"A signal has 1 to {SIGNAL_LENGTH} letters.", RULE, "on_signal")]
    return []


def is_step(at: Place, to: Place) -> bool:
    """Whether a place is next to another: in an adjacent hex, or above or below in the same."""
    apart = distance((at[0], at[1]), (to[0], to[1]))
    return apart == 1 or (apart == 0 and abs(at[2] - to[2]) == 1)


def _own_force(believed: Believed, seat: Seat, force: str) -> Iterator[Refusal]:
    if command_of(believed, force) not in seat.commands:
        yield Refusal(f"There is no piece {force!r} of yours.", RULE, "force")
    elif not has_unit(believed, force):
        yield Refusal("A plan is for a unit.", RULE, "force")
    elif is_open(believed, force):
        yield Refusal("An open unit is moved by its orders.", RULE, "force")


def give_plan(state: State, seat: Seat, order: GivePlan) -> Ruling[State]:
    """The force follows this plan from its next Operations Phase on; one given in that phase is carried on in it."""
    plan = Plan(
        force=order.force,
        command=unit(state, order.force).command,
        by="command",
        legs=order.legs,
        is_held=order.is_held,
        on_contact=order.on_contact,
        on_signal=dict(sorted(order.on_signal.items())),
    )
    return (yield from tell(PlanGiven(plan=plan)))


def check_cancel_plan(believed: Believed, seat: Seat, order: CancelPlan) -> Iterable[Refusal]:
    """One cancels what one has given."""
    if found := list(_own_force(believed, seat, order.force)):
        return found
    if order.force not in believed.commands[unit(believed, order.force).command].plans:
        return [Refusal("This force follows no plan of yours.", RULE, "force")]
    return []


def cancel_plan(state: State, seat: Seat, order: CancelPlan) -> Ruling[State]:
    """It follows no plan any more."""
    return (yield from tell(PlanDropped(force=order.force))) if order.force in plans(state) else state


def check_signal(believed: Believed, seat: Seat, order: Signal) -> Iterable[Refusal]:
    """A signal is given to one's own command."""
    if order.command not in seat.commands:
        return [Refusal(f"{order.command!r} is no command of yours.", RULE, "command")]
    if not order.signal.strip() or len(order.signal) > SIGNAL_LENGTH:
        return [Refusal(f"A signal has 1 to {SIGNAL_LENGTH} letters.", RULE, "signal")]
    return []


def signal(state: State, seat: Seat, order: Signal) -> Ruling[State]:
    """The plans of the command that wait for the signal go on accordingly."""
    state = yield from tell(SignalGiven(command=order.command, signal=order.signal))
    for plan in plans(state).values():
        if plan.command == order.command and order.signal in plan.on_signal:
            is_held = plan.on_signal[order.signal] == "hold"
            state = yield from tell(PlanGiven(plan=replace(plan, is_held=is_held)))
    return state


# A concealed way, for the umpire's plans


def propose_route(state: State, force: str, goal: Place, weight: int) -> Route | None:
    """A way on the ground that costs little and is little seen by the enemies whom the force's command has before its
    eyes: for each of them who sees a hex it counts `weight` hundredths of a movement point more. None where there is
    none. Raises KeyError for no such force."""
    each = unit(state, force)
    foes = sorted({foe.at for foe in perceived_enemies(state, each.command)})
    seen_by: dict[Hex, int] = {}
    best: dict[Hex, int] = {each.at[:2]: 0}
    came: dict[Hex, Hex] = {}
    todo: list[tuple[int, Hex]] = [(0, each.at[:2])]
    while todo:
        spent, at = heappop(todo)
        if at == goal[:2]:
            return _route(each, at, came, seen_by, goal)
        if spent > best[at]:
            continue
        for to in neighbours(at):
            if ground_of(state).at(to) is None:
                continue
            cost, _ = cost_of(state, each, (*at, 0), (*to, 0))
            if cost is None:
                continue
            if to not in seen_by:
                seen_by[to] = sum(sees(state, foe, (*to, 0)) for foe in foes)
            total = spent + 100 * cost + weight * seen_by[to]
            if total < best.get(to, total + 1):
                best[to], came[to] = total, at
                heappush(todo, (total, to))
    return None


def _route(each: Unit, at: Hex, came: dict[Hex, Hex], seen_by: dict[Hex, int], goal: Place) -> Route:
    path = [at]
    while path[-1] in came:
        path.append(came[path[-1]])
    places = [(*one, 0) for one in reversed(path[:-1])]
    if goal[2]:
        places.append(goal)
    seen = sum(seen_by.get(one, 0) > 0 for one in path[:-1])
    return Route(path=tuple(places), note=f"{len(places)} steps; {seen} of them in sight of known enemies")


# Forms


def plan_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a hidden unit a plan to be drawn; without legs it stays where it is."""
    if subject is not None and not any(_own_force(believed, seat, subject)):
        yield Form(
            verb="GivePlan",
            label="Give a plan",
            subject=(subject,),
            fixed={"force": subject},
            slots=plan_slots(believed, unit(believed, subject)),
            rule=RULE,
        )


def cancel_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a force with a plan of its player's."""
    if subject is not None and not any(check_cancel_plan(believed, seat, CancelPlan(force=subject))):
        yield Form(verb="CancelPlan", label="Cancel its plan", subject=(subject,), fixed={"force": subject}, rule=RULE)


def signal_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a command with hidden units the signals that its plans wait for, and any other."""
    if subject is not None:
        return
    for command in seat.commands:
        if not any(units_of(believed.commands[command])):
            continue
        known = {word for plan in believed.commands[command].plans.values() for word in plan.on_signal}
        for word in sorted(known):
            yield Form(verb="Signal", label=f"Signal: {word}", fixed={"command": command, "signal": word}, rule=RULE)
        slot = TextSlot(name="signal", label="Which", most=SIGNAL_LENGTH)
        yield Form(verb="Signal", label="Give a signal", fixed={"command": command}, slots=(slot,), rule=RULE)


handles(GivePlan, check=check_give_plan, resolve=give_plan, options=plan_forms, rule=RULE, role="aside")
handles(CancelPlan, check=check_cancel_plan, resolve=cancel_plan, options=cancel_forms, rule=RULE, role="aside")
handles(Signal, check=check_signal, resolve=signal, options=signal_forms, rule=RULE, role="aside")
