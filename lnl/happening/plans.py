"""Plans of hidden forces, signals, and standing orders."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from lnl.happening.register import happens, its_command, noted, says
from lnl.state.battle import Plan, Standing, State
from lnl.words.line import line, note
from lnl.words.naming import command_name, name_of
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part, with_plan, without_plan
from umpire.kernel.registry import LogLine
from umpire.kernel.values.maps import put


class StandingOrdersGiven(Event, frozen=True, kw_only=True, tag="standing_orders_given"):
    """What answers for a unit, or under "" for the whole command."""

    command: str
    unit: str = ""
    standing: Standing


@happens(StandingOrdersGiven, public="never", told=its_command)
def _standing_orders_given(state: State, event: StandingOrdersGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, standing=put(part.standing, event.unit, event.standing)))


@says(StandingOrdersGiven)
def _standing_orders_given_words(state: State, event: StandingOrdersGiven) -> LogLine:
    who = name_of(state, event.unit) if event.unit else command_name(state, event.command)
    return line(f"Standing orders for {who}.", "plan", "core 5.3", (event.unit,) if event.unit else ())


class PlanGiven(Event, frozen=True, kw_only=True, tag="plan_given"):
    """A force has this plan now."""

    plan: Plan


def _its_giver(before: State, event: PlanGiven | PlanCarried, after: State) -> Collection[str]:
    return {event.plan.command} if event.plan.by == "command" else ()


@happens(PlanGiven, public="never", told=_its_giver)
def _plan_given(state: State, event: PlanGiven) -> State:
    return with_plan(without_plan(state, event.plan.force), event.plan)


@says(PlanGiven)
def _plan_given_words(state: State, event: PlanGiven) -> LogLine:
    return line(f"{name_of(state, event.plan.force)} has a plan.", "plan", "", (event.plan.force,))


class PlanCarried(Event, frozen=True, kw_only=True, tag="plan_carried"):
    """A quantum of a plan is done: it stands thus."""

    plan: Plan


@happens(PlanCarried, public="never", told=_its_giver)
def _plan_carried(state: State, event: PlanCarried) -> State:
    return with_plan(state, event.plan)


@noted(PlanCarried)
def _plan_carried_noted(state: State, event: PlanCarried) -> LogLine:
    plan = event.plan
    return note(f"The plan of {name_of(state, plan.force)} is {plan.status.replace('_', ' ')}, step {plan.step}.")


class PlanDropped(Event, frozen=True, kw_only=True, tag="plan_dropped"):
    """A force has no plan any more."""

    force: str


def _who_gave_it(before: State, event: PlanDropped, after: State) -> Collection[str]:
    return {name for name, part in before.commands.items() if event.force in part.plans}


@happens(PlanDropped, public="never", told=_who_gave_it)
def _plan_dropped(state: State, event: PlanDropped) -> State:
    return without_plan(state, event.force)


@says(PlanDropped)
def _plan_dropped_words(state: State, event: PlanDropped) -> LogLine:
    return line(f"{name_of(state, event.force)} has no plan any more.", "plan", "", (event.force,))


class SignalGiven(Event, frozen=True, kw_only=True, tag="signal_given"):
    """A command gives a signal to its forces with plans."""

    command: str
    signal: str


@happens(SignalGiven, public="never", told=its_command)
def _signal_given(state: State, event: SignalGiven) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, signals=(*part.signals, event.signal)))


@says(SignalGiven)
def _signal_given_words(state: State, event: SignalGiven) -> LogLine:
    return line(f"{command_name(state, event.command)} signals {event.signal!r}.", "signal")


class PlansOnlySet(Event, frozen=True, kw_only=True, tag="plans_only_set"):
    """A command is moved by plans alone, or played again."""

    command: str
    plans_only: bool


@happens(PlansOnlySet, public="never", told=its_command)
def _plans_only_set(state: State, event: PlansOnlySet) -> State:
    part = state.commands[event.command]
    return with_part(state, event.command, replace(part, has_plans_only=event.plans_only))


@noted(PlansOnlySet)
def _plans_only_set_noted(state: State, event: PlansOnlySet) -> LogLine:
    how = "moved by plans alone" if event.plans_only else "played again"
    return note(f"{command_name(state, event.command)} is {how}.")
