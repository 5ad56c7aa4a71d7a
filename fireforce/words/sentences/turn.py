"""How it reads: turns, phases, weather, points and the end."""

from __future__ import annotations

from fireforce.happening.register import says
from fireforce.happening.turn import (
    BattleBegan,
    BattleEnded,
    PhaseBegan,
    PhaseEnded,
    PlayerTurnBegan,
    PointsScored,
    WeatherChanged,
)
from fireforce.orders.checks import PHASE_NAMES
from fireforce.state.battle import State
from fireforce.state.setting import turns_of
from fireforce.words.naming import command_name, side_name
from umpire.kernel.registry import LogLine


@says(BattleBegan)
def _battle_began(state: State, event: BattleBegan) -> LogLine:
    return LogLine(
        text=f"The battle begins; {side_name(state, event.order[0])} goes first.",
        kind="turn",
        rule="fireforce turn-sequence",
    )


@says(PlayerTurnBegan)
def _player_turn_began(state: State, event: PlayerTurnBegan) -> LogLine:
    turns = turns_of(state)
    return LogLine(text=f"Turn {event.turn} of {turns}: {side_name(state, event.side)}.", kind="turn")


@says(PhaseBegan)
def _phase_began(state: State, event: PhaseBegan) -> LogLine:
    return LogLine(text=f"{side_name(state, event.side)}: {PHASE_NAMES[event.phase]}.", kind="phase")


@says(PhaseEnded)
def _phase_ended(state: State, event: PhaseEnded) -> LogLine:
    return LogLine(text=f"{command_name(state, event.command)} ends the phase.", kind="phase")


@says(WeatherChanged)
def _weather_changed(state: State, event: WeatherChanged) -> LogLine:
    return LogLine(text=f"It is {event.hour}, the weather is {event.weather}.", kind="weather")


@says(PointsScored)
def _points_scored(state: State, event: PointsScored) -> LogLine:
    score = event.score
    return LogLine(
        text=f"{side_name(state, score.side)}: {score.points * score.times:+d} points, {score.reason or score.deed}.",
        kind="points",
        rule=score.rule,
    )


@says(BattleEnded)
def _battle_ended(state: State, event: BattleEnded) -> LogLine:
    result = event.result
    points = ", ".join(f"{side_name(state, side)} {total}" for side, total in result.points.items())
    winner = f"{side_name(state, result.winner)} has won" if result.winner else "a draw"
    return LogLine(text=f"{result.why} The battle is over: {winner} ({points}).", kind="end")
