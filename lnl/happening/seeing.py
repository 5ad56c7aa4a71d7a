"""Being seen: spotting, Spotted markers, hidden pieces that come to light or are made known."""

from __future__ import annotations

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.happening.register import happens, its_command, nobody, noted, says
from lnl.state.battle import State
from lnl.state.finding import has_unit, spots_openly, unit
from lnl.words.line import line, note
from lnl.words.naming import name_of, names_of, place_words, side_name
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part, with_public
from umpire.kernel.pieces.changing import opened
from umpire.kernel.registry import LogLine


class Spotted(Event, frozen=True, kw_only=True, tag="spotted"):
    """A command has spotted a place by an attempt: it bears a Spotted marker. `core 10.1`"""

    command: str
    at: Place


@happens(Spotted, public=lambda before, event: spots_openly(before, event.command), told=its_command)
def _spotted(state: State, event: Spotted) -> State:
    part = state.commands[event.command]
    if not spots_openly(state, event.command):
        places = tuple(sorted({*part.spotted, event.at}))
        return with_part(state, event.command, replace(part, spotted=places))
    return with_public(state, spotted=tuple(sorted({*state.public.spotted, event.at})))


@says(Spotted)
def _spotted_words(state: State, event: Spotted) -> LogLine:
    text = f"{place_words(state, event.at)} is spotted."
    return LogLine(text=text, kind="spotting", rule="core 10.1", at=(event.at,))


class SpottingFailed(Event, frozen=True, kw_only=True, tag="spotting_failed"):
    """A unit has tried to spot a place in vain. `core 10.1`"""

    unit: str
    at: Place


@happens(SpottingFailed, public="where_open")
def _spotting_failed(state: State, event: SpottingFailed) -> State:
    return state


@says(SpottingFailed)
def _spotting_failed_words(state: State, event: SpottingFailed) -> LogLine:
    text = f"{name_of(state, event.unit)} looks at {place_words(state, event.at)} and spots nobody."
    return LogLine(text=text, kind="spotting", rule="core 10.1", pieces=(event.unit,), at=(event.at,))


class SpottedMarkerRemoved(Event, frozen=True, kw_only=True, tag="spotted_marker_removed"):
    """All units have left a place that was spotted; `command`: whose own marker it is ("" : everybody's).
    `core 10.1`"""

    at: Place
    command: str = ""


@happens(SpottedMarkerRemoved, public=lambda before, event: not event.command, told=its_command)
def _spotted_marker_removed(state: State, event: SpottedMarkerRemoved) -> State:
    if event.command:
        part = state.commands[event.command]
        places = tuple(each for each in part.spotted if each != event.at)
        return with_part(state, event.command, replace(part, spotted=places))
    return with_public(state, spotted=tuple(each for each in state.public.spotted if each != event.at))


@says(SpottedMarkerRemoved)
def _spotted_marker_removed_words(state: State, event: SpottedMarkerRemoved) -> LogLine:
    text = f"{place_words(state, event.at)} is no longer spotted: nobody is left there."
    return LogLine(text=text, kind="spotting", rule="core 10.1", at=(event.at,))


class Looked(Event, frozen=True, kw_only=True, tag="looked"):
    """Units on the move that opportunity fire has left in Good Order look around: now they spot what is adjacent.
    `core 6.0`"""

    units: tuple[str, ...]


@happens(Looked, public="never")
def _looked(state: State, event: Looked) -> State:
    return state


@noted(Looked)
def _looked_noted(state: State, event: Looked) -> LogLine:
    return note(f"Looking around: {names_of(state, event.units)}.")


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """Hidden pieces (units with what they possess, works) are open from now on."""

    pieces: tuple[str, ...]


@happens(Revealed, public="always")
def _revealed(state: State, event: Revealed) -> State:
    return opened(state, event.pieces)


@says(Revealed)
def _revealed_words(state: State, event: Revealed) -> LogLine:
    places = [unit(state, piece).at for piece in event.pieces if has_unit(state, piece)]
    where = f" at {place_words(state, places[0])}" if places else ""
    text = f"Comes to light{where}: {names_of(state, event.pieces)}."
    return line(text, "contact", "core 10.1", event.pieces, tuple(places[:1]))


class Disclosed(Event, frozen=True, kw_only=True, tag="disclosed"):
    """Hidden pieces are made known to the commands of one side, and stay hidden from all others (L230)."""

    pieces: tuple[str, ...]
    side: str


@happens(Disclosed, public="never", told=nobody)
def _disclosed(state: State, event: Disclosed) -> State:
    return state


@says(Disclosed)
def _disclosed_words(state: State, event: Disclosed) -> LogLine:
    text = f"{side_name(state, event.side)} is told of {names_of(state, event.pieces)}."
    return line(text, "contact", "core 1.7", event.pieces)
