"""Private orders that are taken while another ruling waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from umpire.kernel.dice import Source
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.ledger import Corrected, Entry, Happened, applied
from umpire.kernel.registry import RulesPackage
from umpire.kernel.rulings import Tell
from umpire.kernel.running.operations import correct
from umpire.kernel.running.positions import Done, Position
from umpire.kernel.states import Seat, State

S = TypeVar("S", bound=State)

ASIDE = "given while another ruling waited"
"""The reason under which a private order stands in the ledger, at the question of the ruling that waits."""


def take_aside(package: RulesPackage[S, Any], position: Position, seat: Seat, order: Any, source: Source) -> Done:
    """Takes a private order (`RulesPackage.is_private`) while another ruling waits. Raises TypeError where its ruling
    does more than tell events."""
    events: list[Event] = []
    state: S = position.state
    ruling = package.resolve(state, seat, order)
    try:
        step = next(ruling)
        while isinstance(step, Tell):
            events.append(step.event)
            state = applied(package, state, step.event)
            step = ruling.send(state)
        raise TypeError(f"a private order does more than tell events: {step!r}")
    except StopIteration:
        return correct(package, position, events, seat.name, ASIDE, source)
    finally:
        ruling.close()


def told_aside(entries: Sequence[Entry]) -> list[bool]:
    """Which entries of a ruling that is paused in hiding are private orders that seats were told of meanwhile, with
    what was noticed of them."""
    found, is_told = [], False
    for entry in entries:
        if isinstance(entry, Corrected):
            is_told = entry.reason == ASIDE
        elif not (isinstance(entry, Happened) and isinstance(entry.event, KnowledgeEvent)):
            is_told = False
        found.append(is_told)
    return found
