"""Parts of a state of any game: the next state with one of them changed (for appliers alone), and what a command has in
its part besides pieces: its contacts, and the plans that somebody has given its forces.

Both kinds of plan, a player's in his command's part and the umpire's in his, stand in a map `plans` by force; a plan
has `force`, `command` and `by`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from umpire.kernel.states import CommandPart, Contact, State
from umpire.kernel.values.maps import drop, put

S = TypeVar("S", bound=State)


def with_public(state: S, **changes: Any) -> S:
    return replace(state, public=replace(state.public, **changes))


def with_part(state: S, name: str, part: CommandPart) -> S:
    return replace(state, commands=put(state.commands, name, part))


def with_plan(state: S, plan: Any) -> S:
    """A plan where those of its giver stand."""
    part: Any = state.umpire if plan.by == "umpire" else state.commands[plan.command]
    part = replace(part, plans=put(part.plans, plan.force, plan))
    return replace(state, umpire=part) if plan.by == "umpire" else with_part(state, plan.command, part)


def without_plan(state: S, force: str) -> S:
    """A force that follows no plan: neither its player's nor the umpire's."""
    part: Any
    for name, part in state.commands.items():
        if force in part.plans:
            state = with_part(state, name, replace(part, plans=drop(part.plans, force)))
    umpire: Any = state.umpire
    if force in umpire.plans:
        state = replace(state, umpire=replace(umpire, plans=drop(umpire.plans, force)))
    return state


def contact(state: State, commands: Iterable[str], alias: str) -> Contact | None:
    """The contact of this alias among those of the commands."""
    for command in commands:
        found = state.commands[command].contacts.get(alias)
        if found is not None:
            return found
    return None
