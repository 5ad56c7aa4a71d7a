"""The next state where pieces are not all that changes, or men are many; for pieces `umpire.kernel.pieces.changing`.
Raises KeyError for a piece that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from fireforce.state.battle import CommandPart, Place, Plan, State
from fireforce.state.finding import figure, squad
from umpire.kernel.pieces.changing import put_at, with_piece, with_pieces
from umpire.kernel.values.maps import drop, put


def with_men(state: State, ids: Iterable[str], **changes: Any) -> State:
    """The state with some fields of several figures changed."""
    return with_pieces(state, [replace(figure(state, each), **changes) for each in ids])


def with_places(state: State, places: Mapping[str, Place]) -> State:
    """The state with figures in other places."""
    for each, at in places.items():
        state = put_at(state, each, at)
    return state


def with_team(state: State, unit: str, name: str, **changes: Any) -> State:
    """The state with some fields of a team changed."""
    teams = squad(state, unit).teams
    return with_piece(state, unit, teams=put(teams, name, replace(teams[name], **changes)))


def with_part(state: State, name: str, part: CommandPart) -> State:
    return replace(state, commands=put(state.commands, name, part))


def with_public(state: State, **changes: Any) -> State:
    return replace(state, public=replace(state.public, **changes))


def with_plan(state: State, plan: Plan) -> State:
    """The state with this plan where plans of its giver stand."""
    if plan.by == "umpire":
        return replace(state, umpire=replace(state.umpire, plans=put(state.umpire.plans, plan.force, plan)))
    part = state.commands[plan.command]
    return with_part(state, plan.command, replace(part, plans=put(part.plans, plan.force, plan)))


def without_plan(state: State, force: str) -> State:
    """The state in which a force follows no plan: neither its player's nor the umpire's."""
    for name, part in state.commands.items():
        if force in part.plans:
            state = with_part(state, name, replace(part, plans=drop(part.plans, force)))
    if force in state.umpire.plans:
        state = replace(state, umpire=replace(state.umpire, plans=drop(state.umpire.plans, force)))
    return state
