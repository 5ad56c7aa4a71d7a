"""What is noticed of a cause, until nothing more is to be noticed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from umpire.kernel.dice import Source
from umpire.kernel.events import KnowledgeEvent, Sighted, needs_alias
from umpire.kernel.ledger import Happened, applied
from umpire.kernel.registry import RulesPackage
from umpire.kernel.running.positions import Step
from umpire.kernel.states import State

S = TypeVar("S", bound=State)

LOOKS = 100
"""So many looks after one event bring what is known to rest, or the package is at fault."""


def noticed(package: RulesPackage[S, Any], before: S, cause: Any, after: S, source: Source) -> list[Step]:
    """The knowledge events of one cause as steps, with their aliases drawn, and what follows from them: whoever knows
    something new is looked around for again, until there is nothing more to be noticed."""
    return to_rest(package, package.notice(before, cause, after), after, source)


def to_rest(package: RulesPackage[S, Any], found: Iterable[KnowledgeEvent], after: S, source: Source) -> list[Step]:
    """These knowledge events as steps, and what is seen by whoever knows something new by them."""
    steps: list[Step] = []
    state = after
    for _ in range(LOOKS):
        earlier = state
        for each in found:
            event: KnowledgeEvent = with_alias(each, state, source)
            following = applied(package, state, event)
            steps.append(Step(Happened(event=event), state, following))
            state = following
        if state is earlier:
            return steps
        found = tuple(package.look(earlier, state))
    raise RuntimeError(f"{package.system}: after {LOOKS} looks there is still something to be noticed")


def with_alias(event: Any, state: State, source: Source) -> Any:
    """The event with an alias drawn where it lacks one. The umpire's lies have theirs from here too: nothing tells them
    from sightings."""
    if not needs_alias(event):
        return event
    subject = event.subject if isinstance(event, Sighted) else ""
    alias = source.alias(event.command, state.umpire.sightings.get(event.command, 0), subject)
    return replace(event, contact=replace(event.contact, alias=alias))
