"""A game that has nothing but pieces: men who hold weapons, and carts that hold men."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from umpire.kernel import states
from umpire.kernel.pieces.piece import PUBLIC, Hold, Piece
from umpire.kernel.values.maps import ordered

At = tuple[int, int]
A, B, C = (1, 1), (2, 1), (3, 1)


class Man(Piece, frozen=True, kw_only=True, tag="man"):
    at: At
    spent: int = 0


class Cart(Man, frozen=True, kw_only=True, tag="cart"):
    pass


class Gun(Piece, frozen=True, kw_only=True, tag="gun"):
    at: At


class Squad(Piece, frozen=True, kw_only=True, tag="squad"):
    """Nowhere: its men stand somewhere."""


AnyPiece = Man | Cart | Gun | Squad


class Public(states.Public, frozen=True, kw_only=True):
    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)


class Part(states.CommandPart, frozen=True, kw_only=True):
    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)


class Umpire(states.UmpirePart, frozen=True, kw_only=True):
    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)


class State(states.State, frozen=True, kw_only=True):
    public: Public
    commands: Mapping[str, Part]
    umpire: Umpire


class Believed(State, states.Belief, frozen=True, kw_only=True):
    pass


class Row(Struct, frozen=True):
    """A piece in the shortest words: "blue" or "red" leads it."""

    id: str
    kind: type[Man] | type[Gun] = Man
    at: At = A
    command: str = "blue"
    by: str = ""
    how: str = "in"
    n: int = 1
    is_off: bool = False


def piece(row: Row) -> AnyPiece:
    hold = Hold(by=row.by, how=row.how, n=row.n) if row.by else None
    return row.kind(id=row.id, command=row.command, side=row.command, at=row.at, hold=hold, is_off=row.is_off)


def table(public: tuple[Row, ...] = (), hidden: tuple[Row, ...] = (), nobody: tuple[Row, ...] = ()) -> State:
    """A state of two commands, blue and red."""
    found = {row.id: piece(row) for row in hidden}
    commands = {
        name: Part(pieces=ordered({key: each for key, each in found.items() if each.command == name}))
        for name in ("blue", "red")
    }
    return State(
        public=Public(setting=PUBLIC, pieces=ordered({row.id: piece(row) for row in public})),
        commands=commands,
        umpire=Umpire(pieces=ordered({row.id: piece(row) for row in nobody})),
    )
