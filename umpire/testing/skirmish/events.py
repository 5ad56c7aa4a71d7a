"""What happens in Skirmish: each event with what it makes of a state, which holds no rule and reads no table, and with
who may read it."""

from __future__ import annotations

from msgspec.structs import replace

from umpire.kernel.events import Event
from umpire.kernel.happenings import Happenings
from umpire.kernel.pieces.changing import opened, put_at, take, with_piece, with_pieces
from umpire.kernel.pieces.events import Boarded, Lent, PutDown, boarded, lent, put_down
from umpire.kernel.pieces.finding import of_kind
from umpire.kernel.values.maps import change, put
from umpire.testing.skirmish.state import ALLOWANCE, Plan, State, Unit, WhenToFire, hidden_ids, place, unit_of

happening: Happenings[State] = Happenings(hidden_ids)
happens = happening.happens


class UnitEvent(Event, frozen=True, kw_only=True):
    """Something that happened to one unit."""

    unit: str


class Entered(UnitEvent, frozen=True, kw_only=True, tag="entered"):
    at: int
    spent: int


@happens(Entered, public="where_open")
def _entered(state: State, event: Entered) -> State:
    return put_at(state, event.unit, place(event.at), spent=event.spent)


class Stopped(UnitEvent, frozen=True, kw_only=True, tag="stopped"):
    """The unit did not enter `at`, and why."""

    at: int
    why: str


@happens(Stopped, public="where_open")
def _stopped(state: State, event: Stopped) -> State:
    unit_of(state, event.unit)
    return state


class Met(UnitEvent, frozen=True, kw_only=True, tag="met"):
    """The unit met what waited at this hex; its move is over."""

    at: int
    text: str
    spent: int = ALLOWANCE


@happens(Met, public="where_open")
def _met(state: State, event: Met) -> State:
    state = with_piece(state, event.unit, spent=event.spent)
    left = tuple(each for each in state.umpire.events if each != event.at)
    return replace(state, umpire=replace(state.umpire, events=left))


class Revealed(UnitEvent, frozen=True, kw_only=True, tag="revealed"):
    """A hidden unit of an open battle stands on the table from now on."""


@happens(Revealed, public="always")
def _revealed(state: State, event: Revealed) -> State:
    return opened(state, [event.unit])


class Fired(UnitEvent, frozen=True, kw_only=True, tag="fired"):
    at: int
    result: str


@happens(Fired, public="where_open")
def _fired(state: State, event: Fired) -> State:
    return with_piece(state, event.unit, fired=True)


class Fought(UnitEvent, frozen=True, kw_only=True, tag="fought"):
    at: int
    result: str


@happens(Fought, public="where_open")
def _fought(state: State, event: Fought) -> State:
    return with_piece(state, event.unit, fired=True)


class Rose(UnitEvent, frozen=True, kw_only=True, tag="rose"):
    """A hero rose in this unit."""

    hero: str


@happens(Rose, public="where_open")
def _rose(state: State, event: Rose) -> State:
    return with_piece(state, event.unit, hero=event.hero)


class Hit(UnitEvent, frozen=True, kw_only=True, tag="hit"):
    steps: int


@happens(Hit, public="where_open")
def _hit(state: State, event: Hit) -> State:
    return with_piece(state, event.unit, steps=event.steps)


class Fell(UnitEvent, frozen=True, kw_only=True, tag="fell"):
    """The unit is out of the battle, and its plan with it; whom it carried stands where it was."""


@happens(Fell, public="where_open")
def _fell(state: State, event: Fell) -> State:
    return _without_plan(take(state, event.unit, load="down"), event.unit)


class Placed(UnitEvent, frozen=True, kw_only=True, tag="placed"):
    at: int


@happens(Placed, public="where_open")
def _placed(state: State, event: Placed) -> State:
    return put_at(state, event.unit, place(event.at))


@happens(Boarded, public="where_open")
def _boarded(state: State, event: Boarded) -> State:
    return boarded(state, event)


@happens(Lent, public="where_open")
def _lent(state: State, event: Lent) -> State:
    return lent(state, event)


@happens(PutDown, public="where_open")
def _put_down(state: State, event: PutDown) -> State:
    """Who got out goes no farther in this turn, and may be shot at as whoever enters a hex."""
    state = put_down(state, event)
    out = (unit_of(state, each) for each in event.pieces)
    return with_pieces(state, [replace(unit, spent=ALLOWANCE, exposed=event.out_of) for unit in out])


class WindowClosed(Event, frozen=True, kw_only=True, tag="window_closed"):
    """Nobody fires any more at those who got out of a wagon on its journey."""

    lead: str


@happens(WindowClosed, public="never")
def _window_closed(state: State, event: WindowClosed) -> State:
    out = [unit for unit in of_kind(state, Unit) if unit.exposed == event.lead]
    return with_pieces(state, [replace(unit, exposed="") for unit in out])


class PlanGiven(UnitEvent, frozen=True, kw_only=True, tag="plan_given"):
    plan: Plan


@happens(PlanGiven, public="never")
def _plan_given(state: State, event: PlanGiven) -> State:
    return replace(state, umpire=replace(state.umpire, plans=put(state.umpire.plans, event.unit, event.plan)))


class PlanEnded(UnitEvent, frozen=True, kw_only=True, tag="plan_ended"):
    pass


@happens(PlanEnded, public="never")
def _plan_ended(state: State, event: PlanEnded) -> State:
    return _without_plan(state, event.unit)


class Carried(UnitEvent, frozen=True, kw_only=True, tag="carried"):
    """The unit's plan was carried on in this turn."""

    turn: int


@happens(Carried, public="never")
def _carried(state: State, event: Carried) -> State:
    plans = change(state.umpire.plans, event.unit, lambda plan: replace(plan, turn=event.turn))
    return replace(state, umpire=replace(state.umpire, plans=plans))


class StandingOrdersGiven(Event, frozen=True, kw_only=True, tag="standing_orders_given"):
    command: str
    fire: WhenToFire


@happens(StandingOrdersGiven, public="never")
def _standing_orders_given(state: State, event: StandingOrdersGiven) -> State:
    return replace(state, commands=change(state.commands, event.command, lambda part: replace(part, fire=event.fire)))


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn_ended"):
    command: str


@happens(TurnEnded, public="always")
def _turn_ended(state: State, event: TurnEnded) -> State:
    return replace(state, public=replace(state.public, done=tuple(sorted({*state.public.done, event.command}))))


class TurnBegun(Event, frozen=True, kw_only=True, tag="turn_begun"):
    """Another side's turn: nobody has ended it, moved or fired."""

    turn: int
    side: str


@happens(TurnBegun, public="always")
def _turn_begun(state: State, event: TurnBegun) -> State:
    state = with_pieces(state, [replace(unit, spent=0, fired=False, exposed="") for unit in of_kind(state, Unit)])
    return replace(state, public=replace(state.public, turn=event.turn, side=event.side, done=()))


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    winner: str


@happens(Finished, public="always")
def _finished(state: State, event: Finished) -> State:
    return replace(state, public=replace(state.public, is_over=True, winner=event.winner))


def _without_plan(state: State, unit: str) -> State:
    plans = {name: plan for name, plan in state.umpire.plans.items() if name != unit}
    return replace(state, umpire=replace(state.umpire, plans=plans))
