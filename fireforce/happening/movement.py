"""Figures move, stop, and give way."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from fireforce.happening.changing import with_team
from fireforce.happening.register import happens, unchanged
from fireforce.state.battle import Place, State
from fireforce.state.finding import figure, squad
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import put_at, with_piece


class Moved(Event, frozen=True, kw_only=True, tag="moved"):
    """A figure has moved along `path` (the places after its start) and is at `at`; `distance` is what it has moved this
    turn in all. `why`: "" for its own move, "withdrawal", "close_combat", "booby_trap", "to_cover", "umpire": then it
    stood at `start`."""

    figure: str
    at: Place
    path: tuple[Place, ...] = ()
    manner: Literal["", "tactical", "running"] = "tactical"
    distance: int = 0
    why: str = ""
    start: Place | None = None
    party: int = 0


@happens(Moved, public="where_open")
def _moved(state: State, event: Moved) -> State:
    man = figure(state, event.figure)
    moved, distance = event.manner or man.moved, event.distance or man.distance
    return put_at(state, event.figure, event.at, moved=moved, distance=distance)


class Stopped(Event, frozen=True, kw_only=True, tag="stopped"):
    """A move ended before it was complete; `why` is a key ("contact", "impassable", "edge")."""

    figures: tuple[str, ...]
    why: str


happens(Stopped, public="where_open")(unchanged)


class TeamMoved(Event, frozen=True, kw_only=True, tag="team_moved"):
    """A team has used its move, or let it pass; `only_rolled`: those of it who rolled apart from the others."""

    squad: str
    team: str
    only_rolled: bool = False


@happens(TeamMoved, public="where_open")
def _team_moved(state: State, event: TeamMoved) -> State:
    team = squad(state, event.squad).teams[event.team]
    rolled = tuple(replace(each, has_moved=True) for each in team.rolled)
    return with_team(state, event.squad, event.team, has_moved=team.has_moved or not event.only_rolled, rolled=rolled)


class FireForgotten(Event, frozen=True, kw_only=True, tag="fire_forgotten"):
    """A team that rolls for nothing is under fire no more: its own move is over, as a roll would have ended it."""

    squad: str
    team: str


@happens(FireForgotten, public="never")
def _fire_forgotten(state: State, event: FireForgotten) -> State:
    return with_team(state, event.squad, event.team, is_under_fire=False, was_under_fire=False)


class MustWithdraw(Event, frozen=True, kw_only=True, tag="must_withdraw"):
    """A figure has lost a close combat and withdraws a full move in its next turn; or has done so."""

    figure: str
    must_withdraw: bool = True


@happens(MustWithdraw, public="where_open", perceived=True)
def _must_withdraw(state: State, event: MustWithdraw) -> State:
    return with_piece(state, event.figure, must_withdraw=event.must_withdraw)
