"""What a battle is between two requests, and what comes of an operation on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from umpire.kernel.dice import Source
from umpire.kernel.ledger import Asked, Begun, Drawn, Entry, Happened, Thrown
from umpire.kernel.rulings import Question, Roll


class Waiting(Struct, frozen=True, kw_only=True):
    """What a battle waits for: dice to be typed in, or answers. `offer`: the first taker ends it."""

    roll: Roll | None = None
    questions: Mapping[str, Question] = field(default_factory=dict)
    offer: bool = False


class Fault(Struct, frozen=True, kw_only=True):
    """A ruling that cannot go on: "diverged" (it yields something else than the ledger has), "other rules" (the same,
    but it was begun under another version of the rules) or "raised"."""

    how: str
    text: str


class Open(Struct, frozen=True, kw_only=True):
    """An order without its end: the state before it and its entries so far."""

    before: Any
    begun: Begun
    tape: tuple[Entry, ...] = ()
    waiting: Waiting | None = None
    fault: Fault | None = None


class Position(Struct, frozen=True, kw_only=True):
    """What a battle is between two requests."""

    state: Any
    open: Open | None = None


class Step(Struct, frozen=True):
    """One new entry with the states before and after it."""

    entry: Entry
    before: Any
    after: Any


class Done(Struct, frozen=True, kw_only=True):
    """What came of an operation: the steps to append, and the next position."""

    steps: tuple[Step, ...]
    position: Position

    @property
    def entries(self) -> list[Entry]:
        return [step.entry for step in self.steps]


Sources = Callable[[Begun], Source]


def named(entry: Entry) -> str:
    """An entry as a report of what differs calls it."""
    match entry:
        case Happened(event=event):
            return f"the event {type(event).__name__}"
        case Thrown(roll=roll):
            return f"a roll for {roll.purpose} {roll.subject}".strip()
        case Drawn(draw=draw):
            return f"a draw for {draw.purpose}"
        case Asked(questions=questions):
            return f"a question to {', '.join(questions)}"
        case _:
            return f"the entry {type(entry).__name__}"
