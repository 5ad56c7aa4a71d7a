"""The next state where pieces are not all that changes, or men are many; for pieces `umpire.kernel.pieces.changing`.
Raises KeyError for a piece that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from fireforce.state.battle import Place, State
from fireforce.state.finding import figure, squad
from umpire.kernel.pieces.changing import put_at, with_piece, with_pieces
from umpire.kernel.values.maps import put


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
