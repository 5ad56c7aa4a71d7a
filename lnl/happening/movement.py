"""Movement: marches, facing, retreats, who comes onto the board and who leaves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.happening.changing import (
    placed,
    with_loss,
)
from lnl.happening.register import happens, noted, says
from lnl.state.battle import Believed, Loss, Manner, State
from lnl.state.finding import is_open, unit
from lnl.words.line import line, note
from lnl.words.naming import counter_name, name_of, names_of, place_words
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import take, with_piece, with_pieces
from umpire.kernel.registry import LogLine

MANNERS = {
    "move": "moves",
    "assault": "assault moves",
    "low_crawl": "crawls",
    "stealth": "moves stealthily",
}
STOPS = {
    "contact": "runs into the enemy",
    "shaken": "goes no farther",
    "wounded": "goes no farther",
    "melee": "is in melee",
    "wire": "is held up by wire",
    "stacking": "finds no room",
    "stays": "stays there",
}
E = TypeVar("E", bound=Event)


class Started(Event, frozen=True, kw_only=True, tag="started"):
    """Units begin to move: they bear the marker of their manner, and are moving. `core 6.0`"""

    units: tuple[str, ...]
    manner: Manner
    double_time: bool = False


@happens(Started, public="where_open", perceived=True)
def _started(state: State, event: Started) -> State:
    moved = [replace(unit(state, each), moved=event.manner, is_moving=True, spent=0) for each in event.units]
    return with_pieces(state, moved)


@says(Started)
def _started_words(state: State, event: Started) -> LogLine:
    double = " at double-time" if event.double_time else ""
    text = f"{names_of(state, event.units)} {MANNERS[event.manner]}{double}."
    return line(text, "move", "core 6.0", event.units)


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    """Moving units are now here; `spent`: the points of this move that each has spent. `core 6.0`"""

    units: tuple[str, ...]
    at: Place
    spent: Mapping[str, int]


def _as_seen_to_enter(event: E, belief: Believed, is_seen: bool) -> E | None:
    """No step into a place where an onlooker does not see who makes it."""
    return event if is_seen else None


@happens(Entered, public="where_open", perceived=_as_seen_to_enter)
def _entered(state: State, event: Entered) -> State:
    for each in event.units:
        state = placed(state, each, at=event.at, spent=event.spent.get(each, 0))
    return state


@says(Entered)
def _entered_words(state: State, event: Entered) -> LogLine:
    text = f"{names_of(state, event.units)}: into {place_words(state, event.at)}."
    return line(text, "move", "core 6.0", event.units, (event.at,))


class Stopped(Event, frozen=True, kw_only=True, tag="stopped"):
    """Units end their move: it is over as ordered ("done"), or something made them stop. `moved`: the marker that they
    bear from now on, "" for the one they have. `core 8.0`"""

    units: tuple[str, ...]
    why: str = "done"
    moved: Literal["", "move"] = ""


def _as_seen_to_stop(event: Stopped, belief: Believed, is_seen: bool) -> Stopped:
    """Not what somebody ran into."""
    return replace(event, why="") if event.why in ("contact", "wire", "stacking") else event


@happens(Stopped, public="where_open", perceived=_as_seen_to_stop)
def _stopped(state: State, event: Stopped) -> State:
    stopping = (unit(state, each) for each in event.units)
    return with_pieces(state, [replace(each, is_moving=False, moved=event.moved or each.moved) for each in stopping])


@says(Stopped)
def _stopped_words(state: State, event: Stopped) -> LogLine | None:
    if event.why == "done" or not event.units:
        return None
    return line(f"{names_of(state, event.units)} {STOPS.get(event.why, 'stops')}.", "move", "core 6.0", event.units)


@noted(Stopped)
def _stopped_noted(state: State, event: Stopped) -> LogLine:
    return note(f"The move is over: {names_of(state, event.units)}.")


class Faced(Event, frozen=True, kw_only=True, tag="faced"):
    """A unit faces this spine now. `core 1.6.3`"""

    unit: str
    facing: int


@happens(Faced, public="where_open")
def _faced(state: State, event: Faced) -> State:
    return with_piece(state, event.unit, facing=event.facing)


@says(Faced)
def _faced_words(state: State, event: Faced) -> LogLine:
    return line(f"{name_of(state, event.unit)} turns.", "move", "core 1.6.3", (event.unit,))


class Retreated(Event, frozen=True, kw_only=True, tag="retreated"):
    """A unit is forced back and bears a Move marker. `core 1.6.2`"""

    unit: str
    at: Place


@happens(Retreated, public="where_open", perceived=_as_seen_to_enter)
def _retreated(state: State, event: Retreated) -> State:
    return placed(state, event.unit, at=event.at, moved="move", is_moving=False)


@says(Retreated)
def _retreated_words(state: State, event: Retreated) -> LogLine:
    text = f"{name_of(state, event.unit)} falls back to {place_words(state, event.at)}."
    return line(text, "move", "core 1.6.2", (event.unit,), (event.at,))


class Arrived(Event, frozen=True, kw_only=True, tag="arrived"):
    """A unit comes onto the board; or the umpire puts it elsewhere from where it was (`start`)."""

    unit: str
    at: Place
    facing: int = 0
    start: Place | None = None


@happens(Arrived, public="where_open")
def _arrived(state: State, event: Arrived) -> State:
    return placed(state, event.unit, at=event.at, facing=event.facing, is_off=False)


@says(Arrived)
def _arrived_words(state: State, event: Arrived) -> LogLine:
    where = place_words(state, event.at)
    if event.start is not None:
        text = f"The umpire moves {name_of(state, event.unit)} from {place_words(state, event.start)} to {where}."
    else:
        text = f"{name_of(state, event.unit)} arrives at {where}."
    return line(text, "move", "", (event.unit,), (event.at,))


class Reinforced(Event, frozen=True, kw_only=True, tag="reinforced"):
    """Units come in in this turn. `core 1.7`"""

    units: tuple[str, ...]
    turn: int


@happens(Reinforced, public="where_open")
def _reinforced(state: State, event: Reinforced) -> State:
    return with_pieces(state, [replace(unit(state, each), arrives=event.turn) for each in event.units])


@says(Reinforced)
def _reinforced_words(state: State, event: Reinforced) -> LogLine:
    return line(f"Coming in turn {event.turn}: {names_of(state, event.units)}.", "move", "core 1.7", event.units)


class Exited(Event, frozen=True, kw_only=True, tag="exited"):
    """Units have left the board."""

    losses: tuple[Loss, ...]


@happens(Exited, public="where_open")
def _exited(state: State, event: Exited) -> State:
    for loss in event.losses:
        state = with_loss(take(state, loss.unit), loss, was_open=is_open(state, loss.unit))
    return state


@says(Exited)
def _exited_words(state: State, event: Exited) -> LogLine:
    gone = "; ".join(f"{counter_name(state, loss.counter)} has left the board" for loss in event.losses)
    return line(f"{gone}.", "move")
