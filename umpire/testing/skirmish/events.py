"""What happens in Skirmish, and what it makes of a state: `apply` holds no rule and reads no table."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from umpire.kernel.events import Event
from umpire.kernel.values.maps import change, drop, put
from umpire.testing.skirmish.state import ALLOWANCE, Plan, State, Unit, WhenToFire, is_open, unit_of


class UnitEvent(Event, frozen=True, kw_only=True):
    """Something that happened to one unit."""

    unit: str


class Entered(UnitEvent, frozen=True, kw_only=True, tag="entered"):
    at: int
    spent: int


class Stopped(UnitEvent, frozen=True, kw_only=True, tag="stopped"):
    """The unit did not enter `at`, and why."""

    at: int
    why: str


class Met(UnitEvent, frozen=True, kw_only=True, tag="met"):
    """The unit met what waited at this hex; its move is over."""

    at: int
    text: str
    spent: int = ALLOWANCE


class Revealed(UnitEvent, frozen=True, kw_only=True, tag="revealed"):
    """A hidden unit of an open battle stands on the table from now on."""


class Fired(UnitEvent, frozen=True, kw_only=True, tag="fired"):
    at: int
    result: str


class Fought(UnitEvent, frozen=True, kw_only=True, tag="fought"):
    at: int
    result: str


class Rose(UnitEvent, frozen=True, kw_only=True, tag="rose"):
    """A hero rose in this unit."""

    hero: str


class Hit(UnitEvent, frozen=True, kw_only=True, tag="hit"):
    steps: int


class Fell(UnitEvent, frozen=True, kw_only=True, tag="fell"):
    """The unit is out of the battle, and its plan with it."""


class Placed(UnitEvent, frozen=True, kw_only=True, tag="placed"):
    at: int


class PlanGiven(UnitEvent, frozen=True, kw_only=True, tag="plan_given"):
    plan: Plan


class PlanEnded(UnitEvent, frozen=True, kw_only=True, tag="plan_ended"):
    pass


class Carried(UnitEvent, frozen=True, kw_only=True, tag="carried"):
    """The unit's plan was carried on in this turn."""

    turn: int


class StandingOrdersGiven(Event, frozen=True, kw_only=True, tag="standing_orders_given"):
    command: str
    fire: WhenToFire


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn_ended"):
    command: str


class TurnBegun(Event, frozen=True, kw_only=True, tag="turn_begun"):
    """Another side's turn: nobody has ended it, moved or fired."""

    turn: int
    side: str


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    winner: str


UnitEvents = Entered | Stopped | Met | Revealed | Fired | Fought | Rose | Hit | Fell | Placed
Events = UnitEvents | PlanGiven | PlanEnded | Carried | StandingOrdersGiven | TurnEnded | TurnBegun | Finished


def apply(state: State, event: Event) -> State:
    match event:
        case Entered(unit=unit, at=at, spent=spent):
            return _with(state, replace(unit_of(state, unit), at=at, spent=spent))
        case Placed(unit=unit, at=at):
            return _with(state, replace(unit_of(state, unit), at=at))
        case Stopped(unit=unit):
            return _with(state, unit_of(state, unit))
        case Met(unit=unit, at=at, spent=spent):
            state = _with(state, replace(unit_of(state, unit), spent=spent))
            left = tuple(each for each in state.umpire.events if each != at)
            return replace(state, umpire=replace(state.umpire, events=left))
        case Fired(unit=unit) | Fought(unit=unit):
            return _with(state, replace(unit_of(state, unit), fired=True))
        case Rose(unit=unit, hero=hero):
            return _with(state, replace(unit_of(state, unit), hero=hero))
        case Hit(unit=unit, steps=steps):
            return _with(state, replace(unit_of(state, unit), steps=steps))
        case Fell(unit=unit):
            return _without_plan(_without(state, unit), unit)
        case Revealed(unit=unit):
            shown = unit_of(state, unit)
            state = _without(state, unit)
            return replace(state, public=replace(state.public, units=put(state.public.units, unit, shown)))
        case PlanGiven(unit=unit, plan=plan):
            return replace(state, umpire=replace(state.umpire, plans=put(state.umpire.plans, unit, plan)))
        case PlanEnded(unit=unit):
            return _without_plan(state, unit)
        case Carried(unit=unit, turn=turn):
            plans = change(state.umpire.plans, unit, lambda plan: replace(plan, turn=turn))
            return replace(state, umpire=replace(state.umpire, plans=plans))
        case StandingOrdersGiven(command=command, fire=fire):
            return replace(state, commands=change(state.commands, command, lambda part: replace(part, fire=fire)))
        case TurnEnded(command=command):
            return replace(state, public=replace(state.public, done=tuple(sorted({*state.public.done, command}))))
        case TurnBegun(turn=turn, side=side):
            commands = {name: replace(part, units=_fresh(part.units)) for name, part in state.commands.items()}
            public = replace(state.public, turn=turn, side=side, done=(), units=_fresh(state.public.units))
            return replace(state, public=public, commands=commands)
        case Finished(winner=winner):
            return replace(state, public=replace(state.public, is_over=True, winner=winner))
        case _:
            raise TypeError(f"Skirmish has no event {type(event).__name__}")


def _with(state: State, unit: Unit) -> State:
    if is_open(state, unit.id):
        return replace(state, public=replace(state.public, units=put(state.public.units, unit.id, unit)))
    part = state.commands[unit.command]
    return replace(
        state, commands=put(state.commands, unit.command, replace(part, units=put(part.units, unit.id, unit)))
    )


def _without(state: State, unit: str) -> State:
    if is_open(state, unit):
        return replace(state, public=replace(state.public, units=drop(state.public.units, unit)))
    command = unit_of(state, unit).command
    part = state.commands[command]
    return replace(state, commands=put(state.commands, command, replace(part, units=drop(part.units, unit))))


def _without_plan(state: State, unit: str) -> State:
    plans = {name: plan for name, plan in state.umpire.plans.items() if name != unit}
    return replace(state, umpire=replace(state.umpire, plans=plans))


def _fresh(items: Mapping[str, Unit]) -> Mapping[str, Unit]:
    return {name: replace(unit, spent=0, fired=False) for name, unit in items.items()}
