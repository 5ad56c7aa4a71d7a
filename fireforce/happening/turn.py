"""Turns, phases, weather, points and the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from fireforce.happening.register import happening, happens, its_command
from fireforce.state.battle import AnyPiece, Card, Counter, Phase, Result, Score, State, Team
from fireforce.state.finding import cards, counters, figures, squads
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part, with_public
from umpire.kernel.pieces.changing import with_pieces


class BattleBegan(Event, frozen=True, kw_only=True, tag="battle_began"):
    """The sides in their order of play."""

    order: tuple[str, ...]


@happens(BattleBegan, public="where_open")
def _battle_began(state: State, event: BattleBegan) -> State:
    return with_public(state, order=event.order)


class PlayerTurnBegan(Event, frozen=True, kw_only=True, tag="player_turn_began"):
    """A side's player turn begins with its first phase. What its figures, teams, cards and counters did in their last
    one is over: nobody has moved, fired or rolled yet."""

    turn: int
    player_turn: int
    side: str
    phase: Phase


@happens(PlayerTurnBegan, public="where_open")
def _player_turn_began(state: State, event: PlayerTurnBegan) -> State:
    state = with_pieces(state, _fresh(state, event.side))
    for name, part in state.commands.items():
        state = with_part(state, name, replace(part, has_ended=False))
    return with_public(
        state, turn=event.turn, player_turn=event.player_turn, active=event.side, phase=event.phase, ended=()
    )


def _fresh(state: State, side: str) -> Iterator[AnyPiece]:
    """A side's men and teams have done nothing yet, nor has any card or counter."""
    for man in figures(state):
        if man.side == side:
            yield replace(man, moved="", distance=0, fired="", searching="", destroying="", in_combat=False)
    for unit in squads(state):
        if unit.side == side:
            yield replace(unit, teams={name: _rested(team) for name, team in unit.teams.items()})
    laid: tuple[Card | Counter, ...] = (*cards(state), *counters(state))
    for each in laid:
        if each.has_moved:
            yield replace(each, has_moved=False)


def _rested(team: Team) -> Team:
    return replace(team, result="", score=0, has_moved=False, dropped=team.lowered, rolled=())


class PhaseBegan(Event, frozen=True, kw_only=True, tag="phase_began"):
    """The next phase of a player turn. No command has ended it yet."""

    side: str
    phase: Phase


@happens(PhaseBegan, public="where_open")
def _phase_began(state: State, event: PhaseBegan) -> State:
    for name, part in state.commands.items():
        if part.has_ended:
            state = with_part(state, name, replace(part, has_ended=False))
    return with_public(state, active=event.side, phase=event.phase, ended=())


class PhaseEnded(Event, frozen=True, kw_only=True, tag="phase_ended"):
    """A command is done with the phase; `is_open`: everybody may know that it is."""

    command: str
    is_open: bool = True


@happens(PhaseEnded, public=lambda before, event: event.is_open, told=its_command)
def _phase_ended(state: State, event: PhaseEnded) -> State:
    if event.is_open:
        return with_public(state, ended=tuple(sorted({*state.public.ended, event.command})))
    return with_part(state, event.command, replace(state.commands[event.command], has_ended=True))


class WeatherChanged(Event, frozen=True, kw_only=True, tag="weather_changed"):
    """Weather, hour and wind (tenths of a degree, where it blows from) are now these."""

    hour: Literal["day", "night"]
    weather: Literal["clear", "rain"]
    wind: int = 0


@happens(WeatherChanged, public="where_open")
def _weather_changed(state: State, event: WeatherChanged) -> State:
    return with_public(state, hour=event.hour, weather=event.weather, wind=event.wind)


class PointsScored(Event, frozen=True, kw_only=True, tag="points_scored"):
    """A side has done something that scores. `known`: everybody sees it."""

    score: Score
    known: bool = True


def _is_known(before: State, event: PointsScored) -> bool:
    return event.known and not happening.named_hidden(before, event)


@happens(PointsScored, public=_is_known)
def _points_scored(state: State, event: PointsScored) -> State:
    if event.known:
        return with_public(state, scores=(*state.public.scores, event.score))
    return replace(state, umpire=replace(state.umpire, scores=(*state.umpire.scores, event.score)))


class BattleEnded(Event, frozen=True, kw_only=True, tag="battle_ended"):
    """The battle is over."""

    result: Result


@happens(BattleEnded, public="where_open")
def _battle_ended(state: State, event: BattleEnded) -> State:
    return with_public(state, result=event.result)
