"""The next state, piece by piece. Raises KeyError for a piece that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from fireforce.state.battle import (
    Card,
    CommandPart,
    Counter,
    Figure,
    Place,
    Plan,
    Squad,
    State,
)
from fireforce.state.finding import (
    figure,
    part_of,
    squad,
)
from umpire.kernel.values.maps import drop, put


def with_figures(state: State, changed: Iterable[Figure]) -> State:
    """The state with these figures in the place of those of their ids, each where it stands. Raises KeyError."""
    public: dict[str, Figure] = {}
    parts: dict[str, dict[str, Figure]] = {}
    for man in changed:
        where = part_of(state, man.id)
        (public if where == "public" else parts.setdefault(where, {}))[man.id] = man
    if public:
        state = replace(state, public=replace(state.public, figures={**state.public.figures, **public}))
    for name, men in parts.items():
        part = state.commands[name]
        state = with_part(state, name, replace(part, figures={**part.figures, **men}))
    return state


def with_figure(state: State, piece: str, **changes: Any) -> State:
    """The state with some fields of a figure changed. Raises KeyError."""
    return with_figures(state, [replace(figure(state, piece), **changes)])


def with_men(state: State, ids: Iterable[str], **changes: Any) -> State:
    """The state with some fields of several figures changed. Raises KeyError."""
    return with_figures(state, [replace(figure(state, each), **changes) for each in ids])


def with_places(state: State, places: Mapping[str, Place]) -> State:
    """The state with figures in other places. Raises KeyError."""
    return with_figures(state, [replace(figure(state, each), at=at) for each, at in places.items()])


def with_squad(state: State, changed: Squad) -> State:
    """The state with this squad in the place of the one of its id. Raises KeyError."""
    where = part_of(state, changed.id)
    if where == "public":
        return replace(state, public=replace(state.public, squads=put(state.public.squads, changed.id, changed)))
    part = state.commands[where]
    return with_part(state, where, replace(part, squads=put(part.squads, changed.id, changed)))


def with_team(state: State, unit: str, name: str, **changes: Any) -> State:
    """The state with some fields of a team changed. Raises KeyError."""
    whole = squad(state, unit)
    return with_squad(state, replace(whole, teams=put(whole.teams, name, replace(whole.teams[name], **changes))))


def with_card(state: State, changed: Card) -> State:
    """The state with this card in the place of the one of its id. Raises KeyError."""
    where = part_of(state, changed.id)
    part = state.commands[where]
    return with_part(state, where, replace(part, cards=put(part.cards, changed.id, changed)))


def with_counter(state: State, changed: Counter) -> State:
    """The state with this counter, new or changed."""
    part = state.commands[changed.command]
    return with_part(state, changed.command, replace(part, counters=put(part.counters, changed.id, changed)))


def without_counter(state: State, piece: str) -> State:
    """The state without this counter. Raises KeyError."""
    where = part_of(state, piece)
    part = state.commands[where]
    return with_part(state, where, replace(part, counters=drop(part.counters, piece)))


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
