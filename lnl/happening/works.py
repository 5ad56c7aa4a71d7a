"""Works: fortifications, mines and claymores that are laid and go."""

from __future__ import annotations

from lnl.happening.register import happening, happens, says
from lnl.state.battle import State, Work
from lnl.words.line import line
from lnl.words.naming import name_of, place_words
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import add, take
from umpire.kernel.pieces.piece import PUBLIC
from umpire.kernel.registry import LogLine


class WorkPlaced(Event, frozen=True, kw_only=True, tag="work_placed"):
    """A work stands in a hex; `is_open`: everybody sees it. `core 21.0`"""

    work: Work
    is_open: bool = True
    weapon: str = ""


def _is_open(before: State, event: WorkPlaced) -> bool:
    return event.is_open and not happening.named_hidden(before, event)


@happens(WorkPlaced, public=_is_open)
def _work_placed(state: State, event: WorkPlaced) -> State:
    if event.weapon:
        state = take(state, event.weapon)
    return add(state, event.work, PUBLIC if event.is_open else None)


@says(WorkPlaced)
def _work_placed_words(state: State, event: WorkPlaced) -> LogLine:
    work = event.work
    text = f"{name_of(state, work.id)} at {place_words(state, work.at)}."
    return line(text, "work", "core 21.0", (work.id,), (work.at,))


class WorkRemoved(Event, frozen=True, kw_only=True, tag="work_removed"):
    """A work is gone. `core 21.5`"""

    work: str


@happens(WorkRemoved, public="where_open")
def _work_removed(state: State, event: WorkRemoved) -> State:
    return take(state, event.work)


@says(WorkRemoved)
def _work_removed_words(state: State, event: WorkRemoved) -> LogLine:
    return line("A work is gone.", "work", "core 21.0")
