"""The umpire's hand, and who comes in."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fireforce.happening.register import happens
from fireforce.state.battle import AnyPiece, Card, Counter, Figure, Squad, State, Team
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import BATTLE, Altered, as_field
from umpire.kernel.parts import with_public
from umpire.kernel.pieces.changing import add, put_at, take, with_piece, with_pieces
from umpire.kernel.pieces.finding import find, has, maps_of, of_kind
from umpire.kernel.pieces.piece import PUBLIC
from umpire.kernel.values.maps import ordered


@happens(Altered, public="where_open")
def _altered(state: State, event: Altered) -> State:
    name = event.field
    if event.piece == BATTLE:
        return with_public(state, **{name: as_field(type(state.public), name, event.value)})
    old = find(state, event.piece)
    if isinstance(old, Squad) and name == "dropped":
        levels = as_field(Team, name, event.value)
        teams = ordered({key: replace(team, dropped=levels) for key, team in old.teams.items()})
        return with_piece(state, old.id, teams=teams)
    value = as_field(type(old), name, event.value)
    return put_at(state, old.id, value) if name == "at" else with_piece(state, old.id, **{name: value})


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """New figures with their squad, in the part of their command or, for an open one, in public."""

    figures: tuple[Figure, ...]
    squads: tuple[Squad, ...] = ()
    is_open: bool = False


@happens(Added, public=lambda before, event: event.is_open)
def _added(state: State, event: Added) -> State:
    for each in (*event.squads, *event.figures):
        state = add(state, each, PUBLIC if event.is_open else None)
    return state


class ReserveAdded(Event, frozen=True, kw_only=True, tag="reserve_added"):
    """A squad and its men wait off the table now, or wait otherwise; `was_to_arrive`: the turn in which it was to come
    in."""

    squad: Squad
    figures: tuple[Figure, ...]
    was_to_arrive: int = 0


@happens(ReserveAdded, public="never")
def _reserve_added(state: State, event: ReserveAdded) -> State:
    """They wait in the part of their command alone, whether they stood on the table or not."""
    return _in_place_of_others(state, (event.squad, *event.figures), None)


class Arrived(Event, frozen=True, kw_only=True, tag="arrived"):
    """A squad that waited off the table comes in with its men, open where its command is; with cards on the table a
    hidden one under `card`. `fireforce turn-sequence`"""

    squad: Squad
    figures: tuple[Figure, ...]
    card: Card | None = None
    is_open: bool = False


@happens(Arrived, public=lambda before, event: event.is_open)
def _arrived(state: State, event: Arrived) -> State:
    state = _in_place_of_others(state, (event.squad, *event.figures), PUBLIC if event.is_open else None)
    return state if event.card is None else add(state, event.card)


def _in_place_of_others(state: State, new: tuple[Squad | Figure, ...], where: str | None) -> State:
    """New pieces in the place of those of their ids, in another part as may be."""
    for each in new:
        if has(state, each.id):
            state = take(state, each.id)
    for each in new:
        state = add(state, each, where)
    return state


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    """A piece is taken out of the battle as if it had never been, with the men of a squad that waits. `what` it was
    called."""

    piece: str
    what: str = ""


@happens(Removed, public="where_open")
def _removed(state: State, event: Removed) -> State:
    gone = find(state, event.piece)
    waiting = [man.id for man in of_kind(state, Figure) if man.is_off and man.squad == gone.id]
    for piece in (gone.id, *waiting):
        state = take(state, piece)
    return with_pieces(state, _forgetting(state, gone.id))


def _forgetting(state: State, piece: str) -> Iterator[AnyPiece]:
    """What spoke of a piece and speaks of it no more."""
    for _, pieces in maps_of(state):
        for each in pieces.values():
            match each:
                case Squad(members=members) if piece in members:
                    teams = {key: replace(team, members=_but(team.members, piece)) for key, team in each.teams.items()}
                    yield replace(each, members=_but(members, piece), teams=teams)
                case Counter(figures=men) if piece in men:
                    yield replace(each, figures=_but(men, piece))
                case Card(squad=unit) if unit == piece:
                    yield replace(each, squad="")


def _but(ids: tuple[str, ...], piece: str) -> tuple[str, ...]:
    return tuple(each for each in ids if each != piece)
