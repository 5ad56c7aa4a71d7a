"""The kernel's words with which a ruling is written, with Lock 'n Load's State as the type."""

from __future__ import annotations

from collections.abc import Mapping

from lnl.state.battle import State
from umpire.kernel import rulings
from umpire.kernel.events import Event
from umpire.kernel.rulings import Question, Rolled, Ruling


def fallen(made: Rolled, state: State) -> State:
    """The state in which dice fell: an override may have come while they were waited for."""
    return state if made.state is None else made.state


def tell(event: Event) -> Ruling[State]:
    """Let an event happen. Gives the state after it."""
    state: State = yield from rulings.tell(event)
    return state


def ask(command: str, question: Question) -> Ruling[tuple[State, tuple[str, ...]]]:
    """Put a decision to one command. Gives the state (an override may have come meanwhile) and the choices taken."""
    return (yield from rulings.ask(command, question))


def offer(questions: Mapping[str, Question]) -> Ruling[tuple[State, str | None, tuple[str, ...]]]:
    """Put a decision to several commands. Gives the state, the command that took it (None: all declined), its
    choices."""
    return (yield from rulings.offer(questions))
