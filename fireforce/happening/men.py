"""What squads and their teams roll, how they part and join; who is out of the battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from fireforce.happening.changing import with_team
from fireforce.happening.register import happens
from fireforce.state.battle import Believed, State, Team
from fireforce.state.finding import squad
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import with_piece
from umpire.kernel.values.maps import ordered

E = TypeVar("E", bound=Event)


class Loss(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A squad's casualties so far, told with the event that adds to them."""

    squad: str
    casualties: int


class MotivationRolled(Event, frozen=True, kw_only=True, tag="motivation_rolled"):
    """A team's result, a row of the motivation table, and the levels by which its quality is now lowered. It is under
    fire no more: the next roll asks for fire since this one. `is_gamble`: the second roll of a gamble."""

    squad: str
    team: str
    result: str
    score: int
    dropped: int
    is_gamble: bool = False


@happens(MotivationRolled, public="where_open")
def _motivation_rolled(state: State, event: MotivationRolled) -> State:
    team = squad(state, event.squad).teams[event.team]
    return with_team(
        state,
        event.squad,
        event.team,
        result=event.result,
        score=event.score,
        is_under_fire=False,
        was_under_fire=team.is_under_fire or (event.is_gamble and team.was_under_fire),
        dropped=event.dropped,
        was_dropped=team.was_dropped if event.is_gamble else team.dropped,
    )


class GambleUsed(Event, frozen=True, kw_only=True, tag="gamble_used"):
    """A leader has used his one desperate gamble."""

    figure: str


@happens(GambleUsed, public="where_open")
def _gamble_used(state: State, event: GambleUsed) -> State:
    return with_piece(state, event.figure, has_gambled=True)


class Regrouped(Event, frozen=True, kw_only=True, tag="regrouped"):
    """A squad has split, formed a gun group, dropped men off or joined again: its teams are now these."""

    squad: str
    teams: Mapping[str, Team]
    how: Literal["split", "joined", "gun_group", "dropped_off"] = "split"


@happens(Regrouped, public="where_open")
def _regrouped(state: State, event: Regrouped) -> State:
    return with_piece(state, event.squad, teams=ordered(event.teams))


class PlatoonControlChanged(Event, frozen=True, kw_only=True, tag="platoon_control_changed"):
    """A squad acts under the platoon commander's control, or independently."""

    squad: str
    is_under_platoon_control: bool


@happens(PlatoonControlChanged, public="where_open")
def _platoon_control_changed(state: State, event: PlatoonControlChanged) -> State:
    return with_piece(state, event.squad, is_under_platoon_control=event.is_under_platoon_control)


class BecameCasualty(Event, frozen=True, kw_only=True, tag="became_casualty"):
    """A figure is out of the battle. `by` is the side that did it, "" for an accident."""

    figure: str
    loss: Loss | None = None
    by: str = ""
    cause: str = "fire"


def _out(state: State, piece: str, loss: Loss | None, **changes: Any) -> State:
    """A man is out of the battle, and his squad has lost one more."""
    state = with_piece(
        state, piece, pinned="", pinned_until=0, searching="", destroying="", must_withdraw=False, **changes
    )
    return _lost(state, loss)


def _lost(state: State, loss: Loss | None) -> State:
    if loss is None:
        return state
    return with_piece(state, loss.squad, casualties=loss.casualties)


def _without_loss(event: E, believed: Believed, sees_all: bool) -> E:
    """A man falls, but of which squad, and how many it has lost, enemies cannot tell."""
    return replace(event, loss=None)


@happens(BecameCasualty, public="where_open", perceived=_without_loss)
def _became_casualty(state: State, event: BecameCasualty) -> State:
    return _out(state, event.figure, event.loss, status="casualty")


class Captured(Event, frozen=True, kw_only=True, tag="captured"):
    """A figure is taken prisoner by a command."""

    figure: str
    by: str
    loss: Loss | None = None


@happens(Captured, public="where_open", perceived=_without_loss)
def _captured(state: State, event: Captured) -> State:
    return _out(state, event.figure, event.loss, status="captured", captured_by=event.by)


class Returned(Event, frozen=True, kw_only=True, tag="returned"):
    """A casualty or prisoner is fit again (by the umpire's hand)."""

    figure: str
    loss: Loss | None = None


@happens(Returned, public="where_open")
def _returned(state: State, event: Returned) -> State:
    return _lost(with_piece(state, event.figure, status="fit", captured_by=""), event.loss)
