"""The pieces of one part by their kinds, and the part with others: for what proves by rewriting what is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from fireforce.state.battle import AnyPiece, CommandPart, Figure, Public, Squad, State
from umpire.kernel.pieces.changing import put_at, with_pieces
from umpire.kernel.pieces.finding import find
from umpire.kernel.values.maps import ordered

K = TypeVar("K", bound=AnyPiece)


def of(part: Public | CommandPart, kind: type[K]) -> dict[str, K]:
    """The pieces of a kind that do not wait off the table, by id."""
    return {key: each for key, each in part.pieces.items() if isinstance(each, kind) and not each.is_off}


def waiting(part: CommandPart) -> dict[str, Figure | Squad]:
    """The men and squads off the table, by id."""
    return {key: each for key, each in part.pieces.items() if isinstance(each, Figure | Squad) and each.is_off}


def having(part: CommandPart, *changed: Mapping[str, AnyPiece]) -> CommandPart:
    """The part with these pieces, new ones or in the place of those of their ids."""
    pieces = dict(part.pieces)
    for each in changed:
        pieces.update(each)
    return replace(part, pieces=ordered(pieces))


def lacking(part: CommandPart, gone: Iterable[str]) -> CommandPart:
    """The part without these pieces."""
    names = set(gone)
    return replace(part, pieces={key: each for key, each in part.pieces.items() if key not in names})


def having_figures(state: State, men: Iterable[Figure]) -> State:
    """The state with these figures in the place of those of their ids, in other places too."""
    for man in men:
        state = with_pieces(put_at(state, man.id, man.at), [man])
    return state


def having_figure(state: State, piece: str, **changes: Any) -> State:
    """The state with some fields of a figure changed, its place too."""
    return having_figures(state, [replace(find(state, piece, Figure), **changes)])
