"""What happens to pieces that are held: they board, are put down, and are lent. A game takes these events into its
union; ledgers of all games have them under the same tags."""

from __future__ import annotations

from typing import TypeVar

from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import hold, lend, opened, release
from umpire.kernel.pieces.finding import part_of, root
from umpire.kernel.pieces.piece import PUBLIC, PiecesState
from umpire.kernel.states import Place

S = TypeVar("S", bound=PiecesState)


class Boarded(Event, frozen=True, kw_only=True, tag="boarded"):
    """Pieces, in this order, are held by `by` now, in this way, with all that they hold."""

    pieces: tuple[str, ...]
    by: str
    how: str


class PutDown(Event, frozen=True, kw_only=True, tag="put_down"):
    """Held pieces stand by themselves now, each with all that it holds: `places` has one for each. They come out of the
    piece `out_of`. Those that were lent get home, but for the `kept` (prisoners)."""

    pieces: tuple[str, ...]
    places: tuple[Place, ...]
    out_of: str = ""
    why: str = ""
    kept: tuple[str, ...] = ()


class Lent(Event, frozen=True, kw_only=True, tag="lent"):
    """Pieces, with all that they hold, are under the command `to` now; whose they are is remembered as their home."""

    pieces: tuple[str, ...]
    to: str


def boarded(state: S, event: Boarded) -> S:
    """Open pieces that board a hidden holder make it open, with its own holders; hidden ones on an open holder are
    open."""
    for piece in event.pieces:
        if part_of(state, piece) == PUBLIC != part_of(state, event.by):
            state = opened(state, [root(state, event.by).id])
        state = hold(state, piece, event.by, event.how)
    return state


def put_down(state: S, event: PutDown) -> S:
    for piece, at in zip(event.pieces, event.places, strict=True):
        state = release(state, piece, at, is_kept=piece in event.kept)
    return state


def lent(state: S, event: Lent) -> S:
    for piece in event.pieces:
        state = lend(state, piece, event.to)
    return state
