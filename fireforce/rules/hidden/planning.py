"""The orders about plans: giving and cancelling them, signals, standing orders, a command moved by plans alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import to_builtins
from msgspec.structs import replace

from fireforce.happening.plans import (
    PlanChanged,
    PlanDropped,
    PlanGiven,
    PlansOnlySet,
    SignalGiven,
    StandingOrdersGiven,
)
from fireforce.happening.rulings import tell
from fireforce.orders.checks import command_of, off_table
from fireforce.orders.dispatch import handles
from fireforce.orders.orders import CancelPlan, GivePlan, GiveStandingOrders, SetPlansOnly, Signal
from fireforce.rules.hidden.planning_slots import (
    LEGS,
    ON_SIGNAL,
    RANGE,
    SIGNAL_LENGTH,
    on_contact,
    plan_slots,
    start_of,
    withdraw_to,
    within,
)
from fireforce.rules.hidden.plans import RULE
from fireforce.rules.movement.legs import withdrawing
from fireforce.state.battle import (
    Believed,
    Leg,
    Plan,
    Standing,
    State,
)
from fireforce.state.finding import (
    cards,
    has_squad,
    members_of,
    plans,
    side_of,
    squad,
    squads,
)
from fireforce.state.setting import setting_of
from fireforce.words.naming import command_name
from umpire.kernel.forms import Form, TextSlot
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

SIGNALS = "fireforce communications"


# Giving plans


def check_give_plan(believed: Believed, seat: Seat, order: GivePlan) -> Iterable[Refusal]:
    """A plan is for a squad or a card of a hidden command of one's own. `fireforce umpire`"""
    if found := list(_own_force(believed, seat, order.force)):
        return found
    if found := list(off_course(believed, order.legs)):
        return found
    if order.withdraw_to is not None and (found := list(off_table(believed, [order.withdraw_to], "withdraw_to"))):
        return found
    if not 0 < order.fire_range <= RANGE:
        return [Refusal(f"Fire is opened within 1 to {RANGE} hundredths of an inch.", RULE, "fire_range")]
    if wrong := [does for does in order.on_signal.values() if does not in ON_SIGNAL]:
        there = ", ".join(ON_SIGNAL)
        return [Refusal(f"{wrong[0]!r} is nothing to do on a signal; there are: {there}.", RULE, "on_signal")]
    if any(not name.strip() or len(name) > SIGNAL_LENGTH for name in order.on_signal):
        return [Refusal(f"A signal has 1 to {SIGNAL_LENGTH} letters.", RULE, "on_signal")]
    return []


def off_course(state: State, legs: Sequence[Leg]) -> Iterator[Refusal]:
    """Why nobody can follow these legs."""
    if len(legs) > LEGS:
        yield Refusal(f"A plan has {LEGS} legs at most.", RULE, "legs")
        return
    for leg in legs:
        if leg.pace == "halt" and (leg.path or leg.turns < 1):
            yield Refusal("A halt lasts a turn or more and has no path.", RULE, "legs")
        if leg.pace != "halt" and not leg.path:
            yield Refusal("A leg leads somewhere; to wait, give a halt.", RULE, "legs")
    yield from off_table(state, [place for leg in legs for place in leg.path], "legs")


def _own_force(believed: Believed, seat: Seat, force: str) -> Iterator[Refusal]:
    owner = command_of(believed, force)
    if owner is None or owner not in seat.commands:
        yield Refusal(f"There is no piece {force!r} of yours.", RULE, "force")
    elif not has_squad(believed, force) and not any(each.id == force for each in cards(believed)):
        yield Refusal("A plan is for a squad or a card.", RULE, "force")
    elif setting_of(believed).commands[owner].is_open:
        yield Refusal("An open force is moved by its orders.", RULE, "force")


def _command(state: State, force: str) -> str:
    if has_squad(state, force):
        return squad(state, force).command
    return next(each.command for each in cards(state) if each.id == force)


def give_plan(state: State, seat: Seat, order: GivePlan) -> Ruling[State]:
    """The force follows this plan from its next movement on. `fireforce umpire`"""
    plan = Plan(
        force=order.force,
        command=_command(state, order.force),
        by="command",
        legs=order.legs,
        is_held=order.is_held,
        on_contact=order.on_contact,
        on_signal=dict(sorted(order.on_signal.items())),
        withdraw_to=order.withdraw_to,
        fire=order.fire,
        fire_range=order.fire_range,
        targets=order.targets,
        note=order.note,
    )
    return (yield from tell(PlanGiven(plan=plan)))


def check_cancel_plan(believed: Believed, seat: Seat, order: CancelPlan) -> Iterable[Refusal]:
    """One cancels what one has given. `fireforce umpire`"""
    if found := list(_own_force(believed, seat, order.force)):
        return found
    if order.force not in believed.commands[_command(believed, order.force)].plans:
        return [Refusal("This force follows no plan of yours.", RULE, "force")]
    return []


def cancel_plan(state: State, seat: Seat, order: CancelPlan) -> Ruling[State]:
    """It follows no plan any more. `fireforce umpire`"""
    if order.force in plans(state):
        state = yield from tell(PlanDropped(force=order.force))
    return state


# Signals


def check_signal(believed: Believed, seat: Seat, order: Signal) -> Iterable[Refusal]:
    """Indigenous troops have signals agreed beforehand that can be heard. `fireforce communications`"""
    if order.command not in seat.commands:
        return [Refusal(f"{order.command!r} is no command of yours.", SIGNALS, "command")]
    if setting_of(believed).sides[side_of(believed, order.command)].kind != "indigenous":
        return [Refusal("Audible signals are for indigenous troops.", SIGNALS, "command")]
    if not order.signal.strip() or len(order.signal) > SIGNAL_LENGTH:
        return [Refusal(f"A signal has 1 to {SIGNAL_LENGTH} letters.", SIGNALS, "signal")]
    return []


def signal(state: State, seat: Seat, order: Signal) -> Ruling[State]:
    """The plans of the command that wait for the signal go on accordingly. `fireforce communications`"""
    return (yield from give_signal(state, order.command, order.signal))


def give_signal(state: State, command: str, word: str) -> Ruling[State]:
    """A signal is given and acted on. `fireforce communications`"""
    state = yield from tell(SignalGiven(command=command, signal=word))
    for plan in plans(state).values():
        if plan.command == command and word in plan.on_signal:
            changed = signalled(plan, plan.on_signal[word])
            state = yield from tell(PlanChanged(plan=changed, why=f"signal {word}"))
    return state


def signalled(plan: Plan, does: str) -> Plan:
    """A plan as it goes on after a signal."""
    if does == "hold":
        return replace(plan, is_held=True)
    if does == "withdraw" and plan.withdraw_to is not None:
        return withdrawing(plan, (plan.withdraw_to,))
    if does == "withdraw":
        return replace(plan, is_held=False, on_contact="withdraw", status="running")
    return replace(plan, is_held=False, status="running")


# Standing orders


def check_standing_orders(believed: Believed, seat: Seat, order: GiveStandingOrders) -> Iterable[Refusal]:
    """Standing orders are for a squad of the command, or for all of it."""
    if order.command not in seat.commands:
        return [Refusal(f"{order.command!r} is no command of yours.", RULE, "command")]
    if order.force and not (has_squad(believed, order.force) and squad(believed, order.force).command == order.command):
        return [Refusal(f"{order.force!r} is no squad of this command.", RULE, "force")]
    if not 0 < order.standing.fire_range <= RANGE:
        return [Refusal(f"Fire is opened within 1 to {RANGE} hundredths of an inch.", RULE, "standing.fire_range")]
    return []


def give_standing_orders(state: State, seat: Seat, order: GiveStandingOrders) -> Ruling[State]:
    """They answer when nobody is asked."""
    given = StandingOrdersGiven(command=order.command, force=order.force, standing=order.standing)
    return (yield from tell(given))


def check_plans_only(believed: Believed, seat: Seat, order: SetPlansOnly) -> Iterable[Refusal]:
    """A hidden command may be left to its plans. `fireforce umpire`"""
    if order.command not in seat.commands or setting_of(believed).commands[order.command].is_open:
        return [Refusal("Only a hidden command of your own is moved by plans.", RULE, "command")]
    if believed.commands[order.command].has_plans_only == order.plans_only:
        return [Refusal("So it is already.", RULE, "plans_only")]
    return []


def set_plans_only(state: State, seat: Seat, order: SetPlansOnly) -> Ruling[State]:
    """Its phases pass by themselves when its plans are carried out, or wait for it again. `fireforce umpire`"""
    return (yield from tell(PlansOnlySet(command=order.command, has_plans_only=order.plans_only)))


# Forms


def plan_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a hidden force a plan to draw, leg by leg; for a squad an ambush where it lies; a halt."""
    if subject is None or any(_own_force(believed, seat, subject)):
        return
    fixed = {"force": subject}
    if (start := start_of(believed, subject)) is not None:
        slots = plan_slots(believed, start)
        yield Form(
            verb="GivePlan",
            label="Draw a plan",
            subject=(subject,),
            fixed=fixed,
            slots=(*slots, on_contact()),
            rule=RULE,
        )
        yield Form(
            verb="GivePlan",
            label="Draw a plan that withdraws on contact",
            subject=(subject,),
            fixed={**fixed, "on_contact": "withdraw"},
            slots=(*slots, withdraw_to(believed)),
            rule=RULE,
        )
    if has_squad(believed, subject) and members_of(believed, squad(believed, subject)):
        yield Form(
            verb="GivePlan",
            label="Lie in ambush here",
            subject=(subject,),
            fixed={**fixed, "on_contact": "ambush", "fire": "within_range"},
            slots=(within(),),
            rule=RULE,
        )
    yield Form(
        verb="GivePlan",
        label="Stay here, by plan",
        subject=(subject,),
        fixed={**fixed, "on_contact": "hold", "fire": "hold"},
        rule=RULE,
    )


def cancel_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """For a force with a plan of its player's."""
    if subject is not None and not any(check_cancel_plan(believed, seat, CancelPlan(force=subject))):
        yield Form(verb="CancelPlan", label="Cancel its plan", subject=(subject,), fixed={"force": subject}, rule=RULE)


def signal_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """The signals that one's own plans wait for, and any other."""
    if subject is not None:
        return
    for command in seat.commands:
        if setting_of(believed).sides[side_of(believed, command)].kind != "indigenous":
            continue
        known = {word for plan in believed.commands[command].plans.values() for word in plan.on_signal}
        for word in sorted(known):
            yield Form(verb="Signal", label=f"Signal: {word}", fixed={"command": command, "signal": word}, rule=SIGNALS)
        yield Form(
            verb="Signal",
            label="Give a signal",
            fixed={"command": command},
            slots=(TextSlot(name="signal", label="Which", most=SIGNAL_LENGTH),),
            rule=SIGNALS,
        )


def standing_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Hold fire or fire freely, for a command or one of its squads."""
    if subject is None:
        forces = [(command, "", f"{command_name(believed, command)}: ") for command in seat.commands]
    else:
        forces = [(unit.command, unit.id, "") for unit in squads(believed) if unit.id == subject]
    for command, force, who in forces:
        if command not in seat.commands:
            continue
        now = believed.commands[command].standing.get(force, Standing())
        for fire, label in (("hold", "hold fire"), ("free", "fire freely")):
            if now.fire != fire:
                yield Form(
                    verb="GiveStandingOrders",
                    label=f"{who}{label} when nobody is asked".capitalize() if not who else f"{who}{label}",
                    subject=(force,) if force else (),
                    fixed={
                        "command": command,
                        "force": force,
                        "standing": to_builtins(replace(now, fire="free" if fire == "free" else "hold")),
                    },
                )


def plans_only_forms(believed: Believed, seat: Seat, subject: str | None) -> Iterable[Form]:
    """Leaving a hidden command to its plans, or taking it in hand."""
    if subject is not None:
        return
    for command in seat.commands:
        if not setting_of(believed).commands[command].is_open:
            wanted = not believed.commands[command].has_plans_only
            yield Form(
                verb="SetPlansOnly",
                label="Leave it to its plans" if wanted else "Take it in hand",
                fixed={"command": command, "plans_only": wanted},
                rule=RULE,
            )


handles(GivePlan, check=check_give_plan, resolve=give_plan, options=plan_forms, rule=RULE, role="aside")
handles(CancelPlan, check=check_cancel_plan, resolve=cancel_plan, options=cancel_forms, rule=RULE, role="aside")
handles(Signal, check=check_signal, resolve=signal, options=signal_forms, rule=SIGNALS, role="aside")
handles(
    GiveStandingOrders,
    check=check_standing_orders,
    resolve=give_standing_orders,
    options=standing_forms,
    rule=RULE,
    role="aside",
)
handles(SetPlansOnly, check=check_plans_only, resolve=set_plans_only, options=plans_only_forms, rule=RULE, role="aside")
