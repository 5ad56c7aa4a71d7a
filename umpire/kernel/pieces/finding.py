"""Finding pieces in a state: by id, by kind, by place, and by who holds them. On a belief as on the truth.

What finds by place finds roots only. Who goes through all of a kind decides for `standing` (on the board, held by
nobody) or `of_kind` (everybody, wherever he is). Pieces come in this order: the public ones, those of the commands by
command, those of nobody; in each part by id.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

from umpire.kernel.pieces.piece import NOBODY, PUBLIC, Piece, PiecesState
from umpire.kernel.states import Place
from umpire.kernel.values.memo import Memo

K = TypeVar("K", bound=Piece)

DEEPEST = 32
"""Holders above one another, after which it must be a circle."""


def maps_of(state: PiecesState) -> Iterator[tuple[str, Mapping[str, Piece]]]:
    """The name and the pieces of each part: "public", the commands, "" the umpire's."""
    yield PUBLIC, state.public.pieces
    for name, part in state.commands.items():
        yield name, part.pieces
    yield NOBODY, state.umpire.pieces


def _get(state: PiecesState, piece: str) -> Piece | None:
    found = state.public.pieces.get(piece)
    if found is not None:
        return found
    for part in state.commands.values():
        found = part.pieces.get(piece)
        if found is not None:
            return found
    return state.umpire.pieces.get(piece)


@overload
def find(state: PiecesState, piece: str) -> Piece: ...
@overload
def find(state: PiecesState, piece: str, kind: type[K]) -> K: ...
def find(state: PiecesState, piece: str, kind: type[Any] = Piece) -> Any:
    """The piece with this id. Raises KeyError where there is none of this kind."""
    found = state.public.pieces.get(piece)
    if found is None:
        found = _get(state, piece)
    if isinstance(found, kind):
        return found
    raise KeyError(piece)


def has(state: PiecesState, piece: str, kind: type[Piece] = Piece) -> bool:
    """Whether there is a piece of this kind with this id."""
    return isinstance(_get(state, piece), kind)


def part_of(state: PiecesState, piece: str) -> str:
    """Where a piece stands: "public", the name of a command, or "" for the umpire's part. Raises KeyError."""
    if piece in state.public.pieces:
        return PUBLIC
    for name, part in state.commands.items():
        if piece in part.pieces:
            return name
    if piece in state.umpire.pieces:
        return NOBODY
    raise KeyError(piece)


def root(state: PiecesState, piece: str) -> Piece:
    """Who holds a piece and is held by nobody: the piece itself where nobody holds it. Raises KeyError for a piece or
    a holder that is not there, ValueError where they hold each other in a circle."""
    found = find(state, piece)
    for _ in range(DEEPEST):
        if found.hold is None:
            return found
        found = find(state, found.hold.by)
    raise ValueError(f"{piece} is held in a circle")


class _Part:
    """What is asked of one part's pieces: who stands where, who is held by whom. Remembered as long as the map is the
    same object, so that an event in one part leaves those of the others as they are."""

    __slots__ = ("held", "kinds", "pieces", "places")

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        self.pieces = pieces
        self.places: defaultdict[Place, list[Piece]] = defaultdict(list)
        self.held: defaultdict[str, list[Piece]] = defaultdict(list)
        self.kinds: dict[type[Piece], tuple[Piece, ...]] = {}
        for each in pieces.values():
            if each.hold is not None:
                self.held[each.hold.by].append(each)
            elif not each.is_off:
                self.places[each.at].append(each)
        self.places.pop((), None)

    def of_kind(self, kind: type[Piece]) -> tuple[Piece, ...]:
        found = self.kinds.get(kind)
        if found is None:
            found = self.kinds[kind] = tuple([each for each in self.pieces.values() if isinstance(each, kind)])
        return found


class _Whole:
    """The same of all parts of a state together, put together when it is asked for."""

    __slots__ = ("by_place", "held", "kinds", "parts", "places", "standing")

    def __init__(self, state: PiecesState) -> None:
        self.parts = [_parts.of(pieces) for _, pieces in maps_of(state) if pieces]
        # By kind; what stands there is of the kind by which it is found, which no type can say.
        self.kinds: dict[type[Piece], Any] = {}
        self.standing: dict[type[Piece], Any] = {}
        self.places: dict[type[Piece], dict[Place, Any]] = {}
        self.by_place: dict[type[Piece], Any] = {}
        self.held: dict[str, tuple[Piece, ...]] = {}


_parts: Memo[Mapping[str, Piece], _Part] = Memo(_Part, kept=32)
_wholes: Memo[PiecesState, _Whole] = Memo(_Whole, kept=8)


def of_kind(state: PiecesState, kind: type[K]) -> tuple[K, ...]:
    """All pieces of a kind: on the board or off it, held or not."""
    kinds = _wholes.of(state).kinds
    if kind not in kinds:
        kinds[kind] = tuple([each for part in _wholes.of(state).parts for each in part.of_kind(kind)])
    found: tuple[K, ...] = kinds[kind]
    return found


def standing(state: PiecesState, kind: type[K]) -> tuple[K, ...]:
    """The pieces of a kind that are on the board and held by nobody."""
    kinds = _wholes.of(state).standing
    if kind not in kinds:
        kinds[kind] = tuple([each for each in of_kind(state, kind) if each.stands])
    found: tuple[K, ...] = kinds[kind]
    return found


def standing_at(state: PiecesState, place: Place, kind: type[K]) -> tuple[K, ...]:
    """The pieces of a kind that stand in just this place, by id whatever part they stand in."""
    whole = _wholes.of(state)
    found: tuple[K, ...]
    try:
        found = whole.places[kind][place]
    except KeyError:
        there = [each for part in whole.parts for each in part.places.get(place, ()) if isinstance(each, kind)]
        found = tuple(sorted(there, key=_id) if len(there) > 1 else there)
        whole.places.setdefault(kind, {})[place] = found
    return found


def by_place(state: PiecesState, kind: type[K]) -> Mapping[Place, Sequence[K]]:
    """The pieces of a kind that stand somewhere, by place; the same object for as long as the state is."""
    kinds = _wholes.of(state).by_place
    if kind not in kinds:
        places: dict[Place, list[K]] = {}
        for each in standing(state, kind):
            places.setdefault(each.at, []).append(each)
        kinds[kind] = {place: tuple(sorted(there, key=_id)) for place, there in places.items()}
    found: Mapping[Place, Sequence[K]] = kinds[kind]
    return found


@overload
def held(state: PiecesState, by: str, *, how: str = "", deep: bool = False) -> tuple[Piece, ...]: ...
@overload
def held(state: PiecesState, by: str, kind: type[K], *, how: str = "", deep: bool = False) -> tuple[K, ...]: ...
def held(state: PiecesState, by: str, kind: type[Any] = Piece, *, how: str = "", deep: bool = False) -> tuple[Any, ...]:
    """What a piece holds, in the order in which it came: of a kind, in one way (`how`), and with `deep` also what those
    hold in their turn, each after its holder. () for a piece that is not there."""
    whole = _wholes.of(state)
    found = whole.held.get(by)
    if found is None:
        there = [each for part in whole.parts for each in part.held.get(by, ())]
        found = whole.held[by] = tuple(sorted(there, key=_number) if len(there) > 1 else there)
    if not found:
        return ()
    if deep:
        found = tuple(_deep(state, found, DEEPEST))
    return tuple([each for each in found if isinstance(each, kind) and (not how or _how(each) == how)])


def _deep(state: PiecesState, among: Sequence[Piece], depth: int) -> Iterator[Piece]:
    if not depth:
        raise ValueError(f"{among[0].id} is held in a circle")
    for each in among:
        yield each
        yield from _deep(state, held(state, each.id), depth - 1)


def _id(each: Piece) -> str:
    return each.id


def _number(each: Piece) -> tuple[int, str]:
    return (each.hold.n if each.hold is not None else 0, each.id)


def _how(each: Piece) -> str:
    return each.hold.how if each.hold is not None else ""
