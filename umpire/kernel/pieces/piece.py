"""A piece, who holds it, and the shape of a state that has pieces.

Each part of a state has one map `pieces` of the game's own union of subclasses of `Piece`, told apart by their tags:
what is open stands in `public`, the rest in the part of its command, and what is nobody's in the umpire's. Who is held
stands in the part of whoever holds him, has his command and is where he is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Protocol

from msgspec import Struct

from umpire.kernel.hand.fields import Fixed
from umpire.kernel.states import Place

PUBLIC, NOBODY = "public", ""
"""The names of the parts of a state that are no command's: what all see, and what only the umpire knows."""

Remains = Fixed("A piece that changes sides is removed and added.")
ByHolding = Fixed("Who holds it is changed by boarding and putting down.")


class Hold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who holds a piece, and how (a key of the game's ways of holding, `umpire.kernel.pieces.ways`). `n` is its number
    with this holder, in the order in which they came, from 1."""

    by: str
    how: str
    n: int = 0


class Piece(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="piece", tag="piece"
):
    """What all kinds of pieces share; a kind is a subclass with a tag of its own, which may narrow `at`.

    `at` is where it is, of who is held where the root of his holders is; () is nowhere (a squad of single figures).
    `is_off`: not on the board (a reserve, or gone from it). `home` is the command whose it is while another one has it.
    """

    id: Annotated[str, Remains]
    command: Annotated[str, Remains]
    side: Annotated[str, Remains]
    at: Place = ()
    is_off: bool = False
    hold: Annotated[Hold | None, ByHolding] = None
    home: Annotated[str, Remains] = ""

    @property
    def stands(self) -> bool:
        """Whether it is on the board by itself, held by nobody."""
        return self.hold is None and not self.is_off and self.at != ()


class PiecesPart(Protocol):
    """A part of a state that has pieces, by id in key order."""

    @property
    def pieces(self) -> Mapping[str, Piece]: ...


class PiecesState(Protocol):
    """A state, or a belief, whose parts have pieces."""

    @property
    def public(self) -> PiecesPart: ...

    @property
    def commands(self) -> Mapping[str, PiecesPart]: ...

    @property
    def umpire(self) -> PiecesPart: ...
