"""The course of a battle in sentences: turns, phases, impulses, points, events of the scenario, plans, the umpire."""

from __future__ import annotations

from lnl.happening import events
from lnl.orders.checks import PHASE_NAMES
from lnl.orders.dispatch import describes, hand
from lnl.state.battle import State
from lnl.state.setting import setting_of, turns_of
from lnl.words.naming import command_name, name_of, names_of, place_words, side_name, unit_name
from lnl.words.sentences.line import line
from umpire.kernel.hand.corrections import BATTLE
from umpire.kernel.registry import LogLine

# The battle, its turns and impulses


@describes(events.BattleBegan)
def _battle_began(event: events.BattleBegan, state: State) -> LogLine:
    return line("The battle begins.", "turn", "core 2.0")


@describes(events.SetUp)
def _set_up(event: events.SetUp, state: State) -> LogLine:
    text = f"{name_of(state, event.unit)} sets up at {place_words(state, event.at)}."
    return line(text, "set_up", "core 1.3", (event.unit,), (event.at,))


@describes(events.Ended)
def _ended(event: events.Ended, state: State) -> LogLine:
    return line(f"{command_name(state, event.command)} is done.", "phase")


@describes(events.TurnBegan)
def _turn_began(event: events.TurnBegan, state: State) -> LogLine:
    return line(f"Turn {event.turn} of {turns_of(state)}.", "turn", "core 2.0")


@describes(events.PhaseBegan)
def _phase_began(event: events.PhaseBegan, state: State) -> LogLine:
    return line(f"{PHASE_NAMES[event.phase]}.", "phase", "core 2.0")


@describes(events.InitiativeWon)
def _initiative_won(event: events.InitiativeWon, state: State) -> LogLine:
    return line(f"The initiative: {side_name(state, event.side)}.", "turn", "core 3.0")


@describes(events.RallyPassedOn)
def _rally_passed_on(event: events.RallyPassedOn, state: State) -> LogLine:
    return line(f"{side_name(state, event.side)} rallies.", "phase", "core 3.0")


@describes(events.ImpulseBegan)
def _impulse_began(event: events.ImpulseBegan, state: State) -> LogLine | None:
    places = event.impulse.places
    if not places:
        return None
    named = ", ".join(place_words(state, place) for place in places)
    return line(f"{command_name(state, event.impulse.command)} activates {named}.", "impulse", "core 4.0", at=places)


@describes(events.ImpulseEnded)
def _impulse_ended(event: events.ImpulseEnded, state: State) -> LogLine:
    what = "passes" if event.passes else "has ended its impulse"
    setting = setting_of(state)
    is_blind = setting.options.play == "blind"  # that troops of one more command are about is nobody's to know
    who = side_name(state, setting.commands[event.command].side) if is_blind else command_name(state, event.command)
    return line(f"{who} {what}.", "impulse", "core 4.0")


@describes(events.MarkersRemoved)
def _markers_removed(event: events.MarkersRemoved, state: State) -> LogLine:
    return line("Markers come off.", "phase", "core 9.0")


@describes(events.PointsScored)
def _points_scored(event: events.PointsScored, state: State) -> LogLine:
    score = event.score
    text = f"{side_name(state, score.side)}: {score.points:+d} points, {score.reason}."
    return line(text, "points", score.rule)


@describes(events.ControlChanged)
def _control_changed(event: events.ControlChanged, state: State) -> LogLine:
    text = f"{side_name(state, event.side)} controls {place_words(state, event.at)}."
    return line(text, "points", at=(event.at,))


@describes(events.BattleEnded)
def _battle_ended(event: events.BattleEnded, state: State) -> LogLine:
    result = event.result
    points = ", ".join(f"{side_name(state, side)} {total}" for side, total in result.points.items())
    winner = f"{side_name(state, result.winner)} has won" if result.winner else "a draw"
    return line(f"{result.why} The battle is over: {winner}{f' ({points})' if points else ''}.", "end")


# Events of the scenario, plans, standing orders, the umpire


@describes(events.Happened)
def _happened(event: events.Happened, state: State) -> LogLine | None:
    return line(event.text, "event", "core 1.7") if event.text else None


@describes(events.StandingOrdersGiven)
def _standing_orders_given(event: events.StandingOrdersGiven, state: State) -> LogLine:
    who = name_of(state, event.unit) if event.unit else command_name(state, event.command)
    return line(f"Standing orders for {who}.", "plan", "core 5.3", (event.unit,) if event.unit else ())


@describes(events.PlanGiven)
def _plan_given(event: events.PlanGiven, state: State) -> LogLine:
    return line(f"{name_of(state, event.plan.force)} has a plan.", "plan", "", (event.plan.force,))


@describes(events.PlanDropped)
def _plan_dropped(event: events.PlanDropped, state: State) -> LogLine:
    return line(f"{name_of(state, event.force)} has no plan any more.", "plan", "", (event.force,))


@describes(events.SignalGiven)
def _signal_given(event: events.SignalGiven, state: State) -> LogLine:
    return line(f"{command_name(state, event.command)} signals {event.signal!r}.", "signal")


@describes(events.Altered)
def _altered(event: events.Altered, state: State) -> LogLine:
    what = "the battle" if event.piece == BATTLE else name_of(state, event.piece)
    return line(hand.altered(state, event, what), "umpire", "", () if event.piece == BATTLE else (event.piece,))


@describes(events.Added)
def _added(event: events.Added, state: State) -> LogLine | None:
    new = event.unit
    if new is None:
        return None
    where = place_words(state, new.at) if new.is_placed else f"off the board, coming in turn {new.arrives}"
    at = (new.at,) if new.is_placed else ()
    return line(f"The umpire adds {unit_name(state, new)}: {where}.", "umpire", "", (new.id,), at)


@describes(events.Concealed)
def _concealed(event: events.Concealed, state: State) -> LogLine:
    return line(f"The umpire hides {names_of(state, event.units)}.", "umpire", "", event.units)


@describes(events.Removed)
def _removed(event: events.Removed, state: State) -> LogLine:
    return line(f"The umpire takes {event.what or 'a piece'} out of the battle.", "umpire")
