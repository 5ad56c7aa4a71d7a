"""The course of a battle: set-up, turns, phases, points, control, events of the scenario, its end."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import field
from msgspec.structs import replace

from lnl.board.hexes import Hex, Place
from lnl.happening.changing import cleared, placed
from lnl.happening.register import happens, its_command, nobody, noted, says
from lnl.state.battle import Phase, Result, Score, State, hex_key
from lnl.state.finding import side_of, units
from lnl.state.setting import turns_of
from lnl.words.line import line, note
from lnl.words.naming import PHASE_NAMES, command_name, name_of, place_words, side_name
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part, with_public
from umpire.kernel.pieces.changing import with_pieces
from umpire.kernel.registry import LogLine
from umpire.kernel.values.maps import drop, put


class BattleBegan(Event, frozen=True, kw_only=True, tag="battle_began"):
    """The battle is set up for play; `phase` is set_up where players do it."""

    phase: Phase


@happens(BattleBegan, public="where_open")
def _battle_began(state: State, event: BattleBegan) -> State:
    return with_public(state, phase=event.phase, turn=0)


@says(BattleBegan)
def _battle_began_words(state: State, event: BattleBegan) -> LogLine:
    return line("The battle begins.", "turn", "core 2.0")


class SetUp(Event, frozen=True, kw_only=True, tag="set_up"):
    """A unit was set up at a place."""

    unit: str
    at: Place
    facing: int = 0


@happens(SetUp, public="where_open")
def _set_up(state: State, event: SetUp) -> State:
    return placed(state, event.unit, at=event.at, facing=event.facing)


@says(SetUp)
def _set_up_words(state: State, event: SetUp) -> LogLine:
    text = f"{name_of(state, event.unit)} sets up at {place_words(state, event.at)}."
    return line(text, "set_up", "core 1.3", (event.unit,), (event.at,))


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """A command is done with set-up or with its rallying; `is_open`: everybody may know that it is."""

    command: str
    is_open: bool = True


@happens(Ended, public=lambda before, event: event.is_open, told=its_command)
def _ended(state: State, event: Ended) -> State:
    if event.is_open:
        return with_public(state, ended=(*state.public.ended, event.command))
    return with_part(state, event.command, replace(state.commands[event.command], has_ended=True))


@says(Ended)
def _ended_words(state: State, event: Ended) -> LogLine:
    return line(f"{command_name(state, event.command)} is done.", "phase")


class TurnBegan(Event, frozen=True, kw_only=True, tag="turn_began"):
    """The turn marker is advanced. `core 9.0`"""

    turn: int


@happens(TurnBegan, public="where_open")
def _turn_began(state: State, event: TurnBegan) -> State:
    melees = {key: replace(each, fought=False) for key, each in state.public.melees.items()}
    return with_public(state, turn=event.turn, melees=melees)


@says(TurnBegan)
def _turn_began_words(state: State, event: TurnBegan) -> LogLine:
    return line(f"Turn {event.turn} of {turns_of(state)}.", "turn", "core 2.0")


class PhaseBegan(Event, frozen=True, kw_only=True, tag="phase_began"):
    """A phase begins; `active` is whose rally or impulse comes first. No command has ended it, nobody has passed,
    and no impulse goes on."""

    phase: Phase
    active: str = ""


@happens(PhaseBegan, public="where_open")
def _phase_began(state: State, event: PhaseBegan) -> State:
    for name, part in state.commands.items():
        if part.has_ended or part.impulse is not None:
            state = with_part(state, name, replace(part, has_ended=False, impulse=None))
    return with_public(state, phase=event.phase, active=event.active, ended=(), passes=0, impulses=0, impulse=None)


@says(PhaseBegan)
def _phase_began_words(state: State, event: PhaseBegan) -> LogLine:
    return line(f"{PHASE_NAMES[event.phase]}.", "phase", "core 2.0")


class InitiativeWon(Event, frozen=True, kw_only=True, tag="initiative_won"):
    """A side has the initiative this turn. `core 3.0`"""

    side: str


@happens(InitiativeWon, public="where_open")
def _initiative_won(state: State, event: InitiativeWon) -> State:
    return with_public(state, held=event.side)


@says(InitiativeWon)
def _initiative_won_words(state: State, event: InitiativeWon) -> LogLine:
    return line(f"The initiative: {side_name(state, event.side)}.", "turn", "core 3.0")


class RallyPassedOn(Event, frozen=True, kw_only=True, tag="rally_passed_on"):
    """The side with the initiative is done rallying; now it is this one's turn. `core 3.0`"""

    side: str


@happens(RallyPassedOn, public="where_open")
def _rally_passed_on(state: State, event: RallyPassedOn) -> State:
    return with_public(state, active=event.side)


@says(RallyPassedOn)
def _rally_passed_on_words(state: State, event: RallyPassedOn) -> LogLine:
    return line(f"{side_name(state, event.side)} rallies.", "phase", "core 3.0")


class MarkersRemoved(Event, frozen=True, kw_only=True, tag="markers_removed"):
    """The Administrative Phase takes off all Move, Assault Move, Stealth, Low Crawl, Fired, Ops Complete and Spotted
    markers, star shells and barrages. `smoke` is what is left of it. `core 9.0`"""

    smoke: Mapping[str, int] = field(default_factory=dict)


@happens(MarkersRemoved, public="where_open")
def _markers_removed(state: State, event: MarkersRemoved) -> State:
    state = with_public(
        state,
        pieces=cleared(state.public.pieces),
        spotted=(),
        star_shells=(),
        barrages=(),
        smoke=event.smoke,
    )
    for name, part in state.commands.items():
        state = with_part(state, name, replace(part, pieces=cleared(part.pieces), spotted=()))
    return state


@says(MarkersRemoved)
def _markers_removed_words(state: State, event: MarkersRemoved) -> LogLine:
    return line("Markers come off.", "phase", "core 9.0")


class RallyMarksRemoved(Event, frozen=True, kw_only=True, tag="rally_marks_removed"):
    """A Rally Phase is over: what was tried in it no longer counts."""


@happens(RallyMarksRemoved, public="never")
def _rally_marks_removed(state: State, event: RallyMarksRemoved) -> State:
    tried = [each for each in units(state) if each.attempts]
    return with_pieces(state, [replace(each, attempts=()) for each in tried])


@noted(RallyMarksRemoved)
def _rally_marks_removed_noted(state: State, event: RallyMarksRemoved) -> LogLine:
    return note("What was tried in the Rally Phase no longer counts.")


class PointsScored(Event, frozen=True, kw_only=True, tag="points_scored"):
    """A side has points; `known`: everybody sees it."""

    score: Score
    known: bool = True


@happens(PointsScored, public=lambda before, event: event.known, told=nobody)
def _points_scored(state: State, event: PointsScored) -> State:
    if event.known:
        return with_public(state, scores=(*state.public.scores, event.score))
    return replace(state, umpire=replace(state.umpire, scores=(*state.umpire.scores, event.score)))


@says(PointsScored)
def _points_scored_words(state: State, event: PointsScored) -> LogLine:
    score = event.score
    text = f"{side_name(state, score.side)}: {score.points:+d} points, {score.reason}."
    return line(text, "points", score.rule)


class ControlChanged(Event, frozen=True, kw_only=True, tag="control_changed"):
    """A hex is controlled by a side now; `known`: everybody sees it."""

    at: Hex
    side: str
    known: bool = True


def _is_seen_to_change(before: State, event: ControlChanged) -> bool:
    """To whom everybody thinks that it belongs it comes back from a hidden enemy: that is not told."""
    return event.known and before.public.control.get(hex_key(event.at)) != event.side


@happens(ControlChanged, public=_is_seen_to_change, told=nobody)
def _control_changed(state: State, event: ControlChanged) -> State:
    key = hex_key(event.at)
    if event.known:
        if key in state.umpire.control:
            state = replace(state, umpire=replace(state.umpire, control=drop(state.umpire.control, key)))
        return with_public(state, control=put(state.public.control, key, event.side))
    return replace(state, umpire=replace(state.umpire, control=put(state.umpire.control, key, event.side)))


@says(ControlChanged)
def _control_changed_words(state: State, event: ControlChanged) -> LogLine:
    text = f"{side_name(state, event.side)} controls {place_words(state, event.at)}."
    return line(text, "points", at=(event.at,))


class Happened(Event, frozen=True, kw_only=True, tag="lnl_happened"):
    """An event of the scenario has happened. `text`: what everybody (or `side`) reads. `core 1.7`"""

    key: str
    marker: str = ""
    side: str = ""
    text: str = ""


def _whose_it_is(before: State, event: Happened, after: State) -> Collection[str]:
    return {name for name in after.commands if event.text and event.side and side_of(after, name) == event.side}


@happens(Happened, public=lambda before, event: not event.side and bool(event.text), told=_whose_it_is)
def _happened(state: State, event: Happened) -> State:
    if event.marker:
        return with_public(state, happened=tuple(sorted({*state.public.happened, event.marker})))
    return replace(state, umpire=replace(state.umpire, happened=tuple(sorted({*state.umpire.happened, event.key}))))


@says(Happened)
def _happened_words(state: State, event: Happened) -> LogLine | None:
    return line(event.text, "event", "core 1.7") if event.text else None


@noted(Happened)
def _happened_noted(state: State, event: Happened) -> LogLine:
    return note(f"An event of the scenario has happened: {event.key}.")


class BattleEnded(Event, frozen=True, kw_only=True, tag="battle_ended"):
    """The battle is over."""

    result: Result


@happens(BattleEnded, public="where_open")
def _battle_ended(state: State, event: BattleEnded) -> State:
    return with_public(state, result=event.result)


@says(BattleEnded)
def _battle_ended_words(state: State, event: BattleEnded) -> LogLine:
    result = event.result
    points = ", ".join(f"{side_name(state, side)} {total}" for side, total in result.points.items())
    winner = f"{side_name(state, result.winner)} has won" if result.winner else "a draw"
    return line(f"{result.why} The battle is over: {winner}{f' ({points})' if points else ''}.", "end")
