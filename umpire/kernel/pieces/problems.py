"""What no state with pieces can be, in words: for the umpire's hand, and for tests of whatever writes pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from umpire.kernel.pieces.finding import maps_of
from umpire.kernel.pieces.piece import NOBODY, PUBLIC, Piece, PiecesState

MOST_DEEP = 4
"""Pieces that may be held one by the other: a weapon by a man in a cart on a ship."""


def problems(state: PiecesState) -> Iterator[str]:
    """Every broken invariant of the pieces: one in two parts or another command's, who is held by nobody there, in a
    circle, too deep, elsewhere than his holder, or under the number of another."""
    parts: dict[str, str] = {}
    pieces: dict[str, Piece] = {}
    for name, there in maps_of(state):
        for key, each in there.items():
            if key != each.id:
                yield f"{each.id} stands under the name {key}"
            if key in parts:
                yield f"{key} stands in {_part(parts[key])} and in {_part(name)}"
            if name not in (PUBLIC, NOBODY, each.command):
                yield f"{key} of {each.command} stands in {_part(name)}"
            parts[key], pieces[key] = name, each
    for key, each in pieces.items():
        if each.hold is not None:
            yield from _held(parts, pieces, key, each)
    numbers = Counter((each.hold.by, each.hold.n) for each in pieces.values() if each.hold is not None)
    for (by, n), count in numbers.items():
        if count > 1:
            yield f"{by} holds {count} pieces under the number {n}"


def _held(parts: Mapping[str, str], pieces: Mapping[str, Piece], key: str, each: Piece) -> Iterator[str]:
    assert each.hold is not None
    by = each.hold.by
    holder = pieces.get(by)
    if holder is None:
        yield f"{key} is held by {by}, which is not there"
        return
    if parts[by] != parts[key]:
        yield f"{key} in {_part(parts[key])} is held by {by} in {_part(parts[by])}"
    if holder.command != each.command:
        yield f"{key} of {each.command} is held by {by} of {holder.command}"
    if each.at != holder.at:
        yield f"{key} is at {_place(each)} and its holder {by} at {_place(holder)}"
    depth, seen = 1, {key}
    while holder.hold is not None and holder.hold.by in pieces:
        if holder.id in seen:
            yield f"{key} is held in a circle"
            return
        seen.add(holder.id)
        holder = pieces[holder.hold.by]
        depth += 1
    if depth > MOST_DEEP:
        yield f"{key} is held {depth} deep: at most {MOST_DEEP}"


def _part(name: str) -> str:
    return "the public part" if name == PUBLIC else f"the part of {name}" if name else "the umpire's part"


def _place(each: Piece) -> str:
    return ", ".join(map(str, each.at)) or "no place"
