"""The register of the events of a battle: each subject's module registers its own, and `fireforce.words` their lines.

An event names pieces by their true ids, each in a field of its own (`figure`, `figures`, `squad`, `card`, `target`,
...), never inside a sentence: whether everybody may read it is decided by the hidden ids in it. What commands come to
know of an event that names hidden pieces is written by `fireforce.knowledge.notice`.
"""

from __future__ import annotations

from typing import Any

from fireforce.state.battle import State
from umpire.kernel.events import Event
from umpire.kernel.happenings import Happenings


def hidden_ids(state: State) -> set[str]:
    """The ids of all that is hidden."""
    return set().union(*(part.pieces for part in state.commands.values()))


happening: Happenings[State] = Happenings(hidden_ids)
happens, says, noted = happening.happens, happening.says, happening.noted
apply, publishes = happening.apply, happening.publishes


def its_command(before: State, event: Any, after: State) -> tuple[str, ...]:
    """The command that an event is about is told of it where it is not public."""
    return (event.command,)


def unchanged(state: State, event: Event) -> State:
    """It is told for what commands learn of it, and changes nothing."""
    return state
