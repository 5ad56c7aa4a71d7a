"""Plans, signals and standing orders."""

from __future__ import annotations

from msgspec.structs import replace

from fireforce.happening.register import happens, its_command
from fireforce.state.battle import Plan, Standing, State
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part, with_plan, without_plan
from umpire.kernel.values.maps import put


class PlanGiven(Event, frozen=True, kw_only=True, tag="plan_given"):
    """A force has a plan, in the place of the one it had from the same hand."""

    plan: Plan


@happens(PlanGiven, public="never")
def _plan_given(state: State, event: PlanGiven) -> State:
    return with_plan(without_plan(state, event.plan.force), event.plan)


class PlanCarried(Event, frozen=True, kw_only=True, tag="plan_carried"):
    """One quantum of a plan is carried out: the plan as it stands now."""

    plan: Plan


@happens(PlanCarried, public="never")
def _plan_carried(state: State, event: PlanCarried) -> State:
    return with_plan(state, event.plan)


class PlanChanged(Event, frozen=True, kw_only=True, tag="plan_changed"):
    """A plan goes on otherwise (held, in contact, signalled, edited)."""

    plan: Plan
    why: str = ""


@happens(PlanChanged, public="never")
def _plan_changed(state: State, event: PlanChanged) -> State:
    return with_plan(state, event.plan)


class PlanDropped(Event, frozen=True, kw_only=True, tag="plan_cancelled"):
    """A force has no plan any more."""

    force: str


@happens(PlanDropped, public="never")
def _plan_cancelled(state: State, event: PlanDropped) -> State:
    return without_plan(state, event.force)


class SignalGiven(Event, frozen=True, kw_only=True, tag="signal_given"):
    """A command has given an audible signal; its plans go on accordingly by `PlanChanged`."""

    command: str
    signal: str


@happens(SignalGiven, public="never", told=its_command)
def _signal_given(state: State, event: SignalGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, signals=(*part.signals, event.signal)))


class StandingOrdersGiven(Event, frozen=True, kw_only=True, tag="standing_orders_given"):
    """Standing orders for a squad, or under "" for all of a command."""

    command: str
    force: str
    standing: Standing


@happens(StandingOrdersGiven, public="never", told=its_command)
def _standing_orders_given(state: State, event: StandingOrdersGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, standing=put(part.standing, event.force, event.standing)))


class PlansOnlySet(Event, frozen=True, kw_only=True, tag="plans_only_set"):
    """Whether a command is moved by plans alone, its phases passing by themselves."""

    command: str
    has_plans_only: bool


@happens(PlansOnlySet, public="never", told=its_command)
def _plans_only_set(state: State, event: PlansOnlySet) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, has_plans_only=event.has_plans_only))
