"""How it reads: plans, signals and standing orders."""

from __future__ import annotations

from fireforce.happening.plans import (
    PlanCarried,
    PlanChanged,
    PlanDropped,
    PlanGiven,
    PlansOnlySet,
    SignalGiven,
    StandingOrdersGiven,
)
from fireforce.happening.register import noted, says
from fireforce.state.battle import State
from fireforce.state.finding import squad
from fireforce.words.naming import command_name, name_of
from umpire.kernel.registry import LogLine


@says(PlanGiven)
def _plan_given(state: State, event: PlanGiven) -> LogLine:
    text = f"{name_of(state, event.plan.force)} has a plan."
    return LogLine(text=text, kind="plan", pieces=(event.plan.force,))


@noted(PlanCarried)
def _plan_carried(state: State, event: PlanCarried) -> LogLine:
    plan = event.plan
    return LogLine(text=f"The plan of {name_of(state, plan.force)} is carried on, step {plan.step}.", kind="event")


@noted(PlanChanged)
def _plan_changed(state: State, event: PlanChanged) -> LogLine:
    plan, why = event.plan, event.why.replace("_", " ")
    text = f"The plan of {name_of(state, plan.force)} is now {plan.status.replace('_', ' ')}{why and f': {why}'}."
    return LogLine(text=text, kind="event")


@says(PlanDropped)
def _plan_cancelled(state: State, event: PlanDropped) -> LogLine:
    return LogLine(text="Its plan is cancelled.", kind="plan", rule="fireforce umpire", pieces=(event.force,))


@says(SignalGiven)
def _signal_given(state: State, event: SignalGiven) -> LogLine:
    return LogLine(text=f"{command_name(state, event.command)} signals {event.signal!r}.", kind="signal")


@says(StandingOrdersGiven)
def _standing_orders_given(state: State, event: StandingOrdersGiven) -> LogLine:
    fire = "fire freely" if event.standing.fire == "free" else "hold fire"
    who = squad(state, event.force).name if event.force else command_name(state, event.command)
    return LogLine(text=f"Standing orders of {who}: {fire}.", kind="plan")


@says(PlansOnlySet)
def _plans_only_set(state: State, event: PlansOnlySet) -> LogLine:
    how = "is moved by its plans" if event.has_plans_only else "is in hand again"
    return LogLine(text=f"{command_name(state, event.command)} {how}.", kind="plan", rule="fireforce umpire")
