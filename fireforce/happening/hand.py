"""The umpire's hand, and who comes in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from fireforce.happening.changing import with_part, with_public
from fireforce.happening.register import happens
from fireforce.state.battle import Card, CommandPart, Counter, Figure, Public, Reserve, Squad, State, Team
from fireforce.state.finding import part_of
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import BATTLE, Altered, as_field
from umpire.kernel.values.maps import drop, ordered, put


@happens(Altered, public="where_open")
def _altered(state: State, event: Altered) -> State:
    if event.piece == BATTLE:
        return with_public(state, **{event.field: as_field(type(state.public), event.field, event.value)})
    where = part_of(state, event.piece)
    holder: Any = state.public if where == "public" else state.commands[where]
    for kind in KINDS:
        pieces = getattr(holder, kind, {})
        if event.piece in pieces:
            old = pieces[event.piece]
            changed = replace(holder, **{kind: put(pieces, event.piece, _with_field(old, event.field, event.value))})
            return replace(state, public=changed) if where == "public" else with_part(state, where, changed)
    raise KeyError(event.piece)


def _with_field(old: Any, name: str, value: Any) -> Any:
    if isinstance(old, Squad) and name == "dropped":
        levels = as_field(Team, name, value)
        return replace(old, teams=ordered({key: replace(team, dropped=levels) for key, team in old.teams.items()}))
    return replace(old, **{name: as_field(type(old), name, value)})


H = TypeVar("H", Public, CommandPart)
P = TypeVar("P")
KINDS = ("figures", "squads", "cards", "counters", "reserves")


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """New figures with their squad, in the part of their command or, for an open one, in public."""

    figures: tuple[Figure, ...]
    squads: tuple[Squad, ...] = ()
    is_open: bool = False


@happens(Added, public=lambda before, event: event.is_open)
def _added(state: State, event: Added) -> State:
    for unit in event.squads:
        if event.is_open:
            state = with_public(state, squads=put(state.public.squads, unit.id, unit))
        else:
            part = state.commands[unit.command]
            state = with_part(state, unit.command, replace(part, squads=put(part.squads, unit.id, unit)))
    for man in event.figures:
        if event.is_open:
            state = with_public(state, figures=put(state.public.figures, man.id, man))
        else:
            part = state.commands[man.command]
            state = with_part(state, man.command, replace(part, figures=put(part.figures, man.id, man)))
    return state


class ReserveAdded(Event, frozen=True, kw_only=True, tag="reserve_added"):
    """A squad waits off the table now, or waits otherwise; `was_to_arrive`: the turn in which it was to come in."""

    reserve: Reserve
    was_to_arrive: int = 0


@happens(ReserveAdded, public="never")
def _reserve_added(state: State, event: ReserveAdded) -> State:
    """Its squad and men wait there alone, whether they stood on the table or not."""
    new = event.reserve
    gone = {new.id, *(man.id for man in new.figures)}
    state = with_public(state, figures=_less(state.public.figures, gone), squads=_less(state.public.squads, gone))
    part = state.commands[new.command]
    return with_part(
        state,
        new.command,
        replace(
            part,
            figures=_less(part.figures, gone),
            squads=_less(part.squads, gone),
            reserves=put(part.reserves, new.id, new),
        ),
    )


def _less(pieces: Mapping[str, P], gone: set[str]) -> Mapping[str, P]:
    return {key: piece for key, piece in pieces.items() if key not in gone} if gone & pieces.keys() else pieces


class Arrived(Event, frozen=True, kw_only=True, tag="arrived"):
    """A squad that waited off the table comes in with its men, open where its command is; with cards on the table a
    hidden one under `card`. `fireforce turn-sequence`"""

    reserve: str
    squad: Squad
    figures: tuple[Figure, ...]
    card: Card | None = None
    is_open: bool = False


@happens(Arrived, public=lambda before, event: event.is_open)
def _arrived(state: State, event: Arrived) -> State:
    part = state.commands[event.squad.command]
    part = replace(part, reserves=drop(part.reserves, event.reserve))
    if event.card is not None:
        part = replace(part, cards=put(part.cards, event.card.id, event.card))
    state = with_part(state, event.squad.command, part)
    return _added(state, Added(figures=event.figures, squads=(event.squad,), is_open=event.is_open))


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    """A piece is taken out of the battle as if it had never been. `what` it was called."""

    piece: str
    what: str = ""


@happens(Removed, public="where_open")
def _removed(state: State, event: Removed) -> State:
    part_of(state, event.piece)
    state = replace(state, public=_without(state.public, event.piece))
    for name, part in state.commands.items():
        state = with_part(state, name, _without(part, event.piece))
    return state


def _without(holder: H, piece: str) -> H:
    """A part of the state in which nothing speaks of a piece."""
    changes: dict[str, Any] = {}
    for kind in KINDS:
        pieces = getattr(holder, kind, {})
        if pieces:
            changes[kind] = {key: _forgetting(each, piece) for key, each in pieces.items() if key != piece}
    return replace(holder, **changes)


def _forgetting(each: Any, piece: str) -> Any:
    if isinstance(each, Squad) and piece in each.members:
        teams = {name: replace(team, members=_but(team.members, piece)) for name, team in each.teams.items()}
        return replace(each, members=_but(each.members, piece), teams=teams)
    if isinstance(each, Counter) and piece in each.figures:
        return replace(each, figures=_but(each.figures, piece))
    if isinstance(each, Card) and each.squad == piece:
        return replace(each, squad="")
    return each


def _but(ids: tuple[str, ...], piece: str) -> tuple[str, ...]:
    return tuple(each for each in ids if each != piece)
