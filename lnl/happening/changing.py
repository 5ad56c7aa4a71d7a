"""The next state, for appliers alone: parts, losses, plans, and what the kernel's changes of pieces have not.

A piece that is not there raises KeyError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.state.battle import AnyPiece, Loss, State, Unit
from lnl.state.finding import unit
from umpire.kernel.parts import with_part, with_public
from umpire.kernel.pieces.changing import put_at, release, take, with_piece
from umpire.kernel.pieces.finding import find, held, part_of
from umpire.kernel.pieces.piece import NOBODY, PUBLIC


def placed(state: State, piece: str, at: Place | None = None, **changes: Any) -> State:
    """A piece in another place with all that it holds, and some fields of it changed."""
    if at is None:
        return with_piece(state, piece, **changes)
    return put_at(state, piece, at, **changes)


def dropped(state: State, weapon: str, at: Place) -> State:
    """A weapon lies in a place: open as it was, or nobody's."""
    if find(state, weapon).hold is None:
        return put_at(state, weapon, at)
    return release(state, weapon, at, to=PUBLIC if part_of(state, weapon) == PUBLIC else NOBODY, is_off=False)


def left_behind(state: State, piece: str) -> State:
    """A unit less; what it possessed lies where it was."""
    gone = unit(state, piece)
    for each in held(state, piece):
        state = dropped(state, each.id, gone.at)
    return take(state, piece)


def with_loss(state: State, loss: Loss, *, was_open: bool) -> State:
    """A loss more, among what everybody knows or what its command does."""
    if was_open:
        return with_public(state, losses=(*state.public.losses, loss))
    part = state.commands[loss.command]
    return with_part(state, loss.command, replace(part, losses=(*part.losses, loss)))


def cleared(pieces: Mapping[str, AnyPiece]) -> Mapping[str, AnyPiece]:
    """Pieces without the markers that the Administrative Phase removes."""
    return {key: _bare(each) if isinstance(each, Unit) else each for key, each in pieces.items()}


def _bare(each: Unit) -> Unit:
    if each.moved or each.fired or each.ops_complete or each.is_moving or each.spent or each.has_called:
        return replace(each, moved="", fired=False, ops_complete=False, is_moving=False, spent=0, has_called=False)
    return each
