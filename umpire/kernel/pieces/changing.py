"""The next state, piece by piece: for appliers alone. Nothing else writes where a held piece is, or who holds it.

After each of these, and so after any number of them: a piece stands in one part; whoever is held stands in the part of
his holder, has his command, is where he is and has a number of his own there; nobody holds himself. Raises KeyError for
a piece that is not there, ValueError for what would break this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar, cast

from msgspec.structs import replace

from umpire.kernel.pieces.finding import find, has, part_of, root
from umpire.kernel.pieces.piece import NOBODY, PUBLIC, Hold, Piece, PiecesState
from umpire.kernel.states import Place
from umpire.kernel.values.maps import ordered, put

S = TypeVar("S", bound=PiecesState)


def with_pieces(state: S, changed: Iterable[Piece]) -> S:
    """These pieces in the place of those of their ids, each where it stands. Where they are and who holds them is as it
    was: that is for the functions below."""
    parts: dict[str, dict[str, Piece]] = {}
    for each in changed:
        where = part_of(state, each.id)
        parts.setdefault(where, {})[each.id] = _where_it_was(_pieces(state, where)[each.id], each)
    for name, found in parts.items():
        state = _with(state, name, {**_pieces(state, name), **found})
    return state


def with_piece(state: S, piece: str, **changes: Any) -> S:
    """Some fields of a piece changed, where it stands."""
    where = part_of(state, piece)
    pieces = _pieces(state, where)
    before = pieces[piece]
    return _with(state, where, {**pieces, piece: _where_it_was(before, replace(before, **changes))})


def _where_it_was(before: Piece, after: Piece) -> Piece:
    if after.at != before.at or after.hold != before.hold:
        raise ValueError(f"{after.id} is moved by put_at, and held by hold and release")
    if after.command != before.command:
        raise ValueError(f"{after.id} gets another command by lend, or by being held")
    return after


def put_at(state: S, piece: str, at: Place, **changes: Any) -> S:
    """A piece that nobody holds is in another place, with all that it holds; `changes` are to other fields of its
    own."""
    where = part_of(state, piece)
    pieces = dict(_pieces(state, where))
    top = pieces[piece]
    if top.hold is not None:
        raise ValueError(f"{piece} is held, and is where its holder is")
    for each in _tree(pieces, piece):
        if each != piece:
            pieces[each] = replace(pieces[each], at=at)
    pieces[piece] = replace(top, at=at, **_own(changes))
    return _with(state, where, pieces)


def hold(state: S, piece: str, by: str, how: str, **changes: Any) -> S:
    """A piece, with all that it holds, comes to a holder: into his part and under his command, as the last of those
    whom he holds; `changes` are to other fields of its own."""
    holder = find(state, by)
    state, load = _taken(state, piece)
    if by in load:
        raise ValueError(f"{piece} cannot be held by {by}, whom it holds")
    where = part_of(state, by)
    at, number = root(state, by).at, 1 + _last(_pieces(state, where), by)
    load = {key: replace(_returned(each, holder.command), at=at) for key, each in load.items()}
    load[piece] = replace(load[piece], is_off=False, hold=Hold(by=by, how=how, n=number), **_own(changes))
    return _added(state, where, load)


def release(state: S, piece: str, at: Place = (), *, to: str | None = None, is_kept: bool = False, **changes: Any) -> S:
    """A held piece, with all that it holds, stands by itself: at a place, or where its holders were.

    It goes to the part `to`; without one it stays in its part, and who was lent gets home: into his own command's,
    unless he `is_kept` (a prisoner); in a belief that has not that part he stays in his. `changes` are to other fields
    of its own.
    """
    top, where = root(state, piece), part_of(state, piece)
    if find(state, piece).hold is None:
        raise ValueError(f"{piece} is held by nobody")
    state, load = _taken(state, piece)
    load = {key: replace(each, at=at or top.at) for key, each in load.items()}
    load[piece] = replace(load[piece], hold=None, **{"is_off": top.is_off, **_own(changes)})
    home = load[piece].home
    if home and not is_kept:
        load = {key: _returned(each, home) for key, each in load.items()}
        where = home if where != PUBLIC and home in state.commands else where
    return _added(state, where if to is None else to, load)


def lend(state: S, piece: str, to: str) -> S:
    """A piece that nobody holds, with all that it holds, under another command, which is its `home` until it gets
    back."""
    if find(state, piece).hold is not None:
        raise ValueError(f"{piece} is held, and is led by whoever leads its holder")
    where = part_of(state, piece)
    state, load = _taken(state, piece)
    load = {key: _lent(each, to) for key, each in load.items()}
    return _added(state, where if where == PUBLIC else to, load)


def add(state: S, new: Piece, where: str | None = None) -> S:
    """A piece more: in a part ("public", a command's, "" the umpire's), without one in its command's; one that is held
    with its holder, as the last of those whom he holds."""
    if has(state, new.id):
        raise ValueError(f"{new.id} is there already")
    if new.hold is None:
        return _added(state, new.command if where is None else where, {new.id: new})
    held = new.hold
    return hold(_added(state, NOBODY, {new.id: replace(new, hold=None)}), new.id, held.by, held.how)


def take(state: S, piece: str, *, load: Literal["too", "down"] = "too") -> S:
    """A piece less. What it holds goes with it, or is put down where it is."""
    if load == "down":
        there = [each for each in _pieces(state, part_of(state, piece)).values() if each.hold and each.hold.by == piece]
        for each in there:
            state = release(state, each.id)
    return _taken(state, piece)[0]


def opened(state: S, pieces: Iterable[str]) -> S:
    """These pieces, their holders and all that is held with them among what everybody sees."""
    return _parted(state, pieces, PUBLIC)


def closed(state: S, pieces: Iterable[str]) -> S:
    """The same back in the part of their commands, or in the umpire's where they have none."""
    return _parted(state, pieces, None)


def _parted(state: S, pieces: Iterable[str], to: str | None) -> S:
    for piece in pieces:
        top = root(state, piece)
        where = top.command if to is None else to
        if part_of(state, top.id) != where:
            state, load = _taken(state, top.id)
            state = _added(state, where, load)
    return state


def _own(changes: dict[str, Any]) -> dict[str, Any]:
    """Changes to fields that say nothing of where a piece is and whose."""
    if others := changes.keys() & {"id", "at", "hold", "command", "home"}:
        raise ValueError(f"{', '.join(sorted(others))} cannot be set beside the rest")
    return changes


def _returned(each: Piece, to: str) -> Piece:
    """A piece under another command; at home it is lent no more."""
    return replace(each, command=to, home="" if each.home == to else each.home)


def _lent(each: Piece, to: str) -> Piece:
    """A piece under another command than its own, which it remembers."""
    home = each.home or each.command
    return replace(each, command=to, home="" if home == to else home)


def _tree(pieces: Mapping[str, Piece], top: str) -> dict[str, None]:
    """The ids of a piece and of all that it holds, at any depth."""
    found = {top: None}
    held = [each for each in pieces.values() if each.hold is not None]
    while more := [each.id for each in held if each.hold and each.hold.by in found and each.id not in found]:
        found.update(dict.fromkeys(more))
    return found


def _last(pieces: Mapping[str, Piece], by: str) -> int:
    """The highest number among those whom a piece holds, 0 for none."""
    return max((each.hold.n for each in pieces.values() if each.hold is not None and each.hold.by == by), default=0)


def _taken(state: S, piece: str) -> tuple[S, dict[str, Piece]]:
    """A state without a piece and all that it holds, and those."""
    where = part_of(state, piece)
    pieces = _pieces(state, where)
    load = {key: pieces[key] for key in _tree(pieces, piece)}
    rest = {key: each for key, each in pieces.items() if key not in load}
    if (gone := pieces[piece].hold) is not None:
        rest.update((key, _moved_up(each, gone)) for key, each in pieces.items() if key in rest)
    return _with(state, where, rest), load


def _moved_up(each: Piece, gone: Hold) -> Piece:
    """A piece when another one has left: who came to the same holder later is one nearer to the first."""
    own = each.hold
    if own is None or own.by != gone.by or own.n < gone.n:
        return each
    return replace(each, hold=replace(own, n=own.n - 1))


def _added(state: S, where: str, load: Mapping[str, Piece]) -> S:
    return _with(state, where, ordered({**_pieces(state, where), **load}))


def _pieces(state: PiecesState, where: str) -> Mapping[str, Piece]:
    if where == PUBLIC:
        return state.public.pieces
    return state.commands[where].pieces if where else state.umpire.pieces


def _with(state: S, where: str, pieces: Mapping[str, Piece]) -> S:
    whole = cast(Any, state)
    if where == PUBLIC:
        return cast(S, replace(whole, public=replace(whole.public, pieces=pieces)))
    if not where:
        return cast(S, replace(whole, umpire=replace(whole.umpire, pieces=pieces)))
    part = replace(whole.commands[where], pieces=pieces)
    return cast(S, replace(whole, commands=put(whole.commands, where, part)))
