"""Ways of holding: rows of a game's book that say what whoever is held does, shows and suffers.

`Hold.how` is the key of a row. Of who is held by who is held every row on the way up counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from umpire.kernel.pieces.finding import DEEPEST, find
from umpire.kernel.pieces.piece import Piece, PiecesState

Shows = Literal["nothing", "that", "how_many", "looks"]
"""What is seen of who is held where his root is seen: nothing, that somebody is there, how many, or each."""
SHOWS: tuple[Shows, ...] = ("nothing", "that", "how_many", "looks")


class WayOfHolding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one piece holds another: a leader commanding a tank, a squad inside a truck, a machine gun in its hands.

    `sees`: looks out from where the root is. `acts`: takes orders of its own. `fires`: not, with its own arms, or with
    those of the holder too. `hit`: never; `with` the root, when that is attacked; or `itself`, aimed at alone.
    `stacks`: counts beside its holder for how many may be in a place. `motivates`: by whom its courage is asked.
    """

    name: str
    sees: bool = False
    acts: bool = False
    fires: Literal["no", "own", "all"] = "no"
    shown: Shows = "looks"
    hit: Literal["never", "with", "itself"] = "with"
    stacks: bool = False
    motivates: Literal["own", "holder", "none"] = "none"


Ways = Mapping[str, WayOfHolding]


def ways_up(ways: Ways, state: PiecesState, piece: Piece) -> Iterator[WayOfHolding]:
    """The rows by which a piece is held, its holder is held, and so on. Raises KeyError for a way that is no row."""
    for _ in range(DEEPEST):
        if piece.hold is None:
            return
        yield ways[piece.hold.how]
        piece = find(state, piece.hold.by)
    raise ValueError(f"{piece.id} is held in a circle")


def sees(ways: Ways, state: PiecesState, piece: Piece) -> bool:
    """Whether a piece on the board looks around, held or not."""
    return all(way.sees for way in ways_up(ways, state, piece))


def acts(ways: Ways, state: PiecesState, piece: Piece) -> bool:
    """Whether a piece takes orders of its own."""
    return all(way.acts for way in ways_up(ways, state, piece))


def stacks(ways: Ways, state: PiecesState, piece: Piece) -> bool:
    """Whether a piece counts for how many may be in its place."""
    return all(way.stacks for way in ways_up(ways, state, piece))


def shows(ways: Ways, state: PiecesState, piece: Piece) -> Shows:
    """What is seen of a piece where its root is seen: the least that a row on the way up lets be seen."""
    return min((way.shown for way in ways_up(ways, state, piece)), key=SHOWS.index, default="looks")


def hit(ways: Ways, state: PiecesState, piece: Piece) -> Literal["never", "with", "itself"]:
    """How a piece comes to harm: as its own row says, but never where a holder's row says never."""
    rows = [way.hit for way in ways_up(ways, state, piece)]
    if "never" in rows:
        return "never"
    return rows[0] if rows else "itself"
