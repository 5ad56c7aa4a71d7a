"""Rulings run again from the ledger: up to where they wait, or with the same dice from their start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from umpire.kernel.dice import RecordedDice, Source
from umpire.kernel.ledger import Begun, Drawn, Ended, Entry, Thrown, fold
from umpire.kernel.registry import RulesPackage
from umpire.kernel.running.engine import Run
from umpire.kernel.running.positions import Open, Position, Sources
from umpire.kernel.states import State

S = TypeVar("S", bound=State)


def position_of(package: RulesPackage[S, Any], before: S, entries: Sequence[Entry], sources: Sources) -> Position:
    """The position at the end of some entries that begin between two orders: folds the closed ones, and runs the open
    one again up to where it waits (after a restart, or a rewind into the middle of an order).

    A ruling cut in its middle goes on live here only as far as `Done` of `resume` would; the caller that wants the new
    entries calls `resume(…, (), …)`."""
    depth = 0
    for index, entry in enumerate(entries):
        if isinstance(entry, Ended):
            depth = index + 1
    state = fold(package, before, entries[:depth])
    rest = list(entries[depth:])
    while rest and not isinstance(rest[0], Begun):
        entry = rest.pop(0)
        state = fold(package, state, (entry,))
    if not rest:
        return Position(state=state)
    begun = rest[0]
    assert isinstance(begun, Begun)
    tape = tuple(rest[1:])
    again = Run(package, state, begun, tape, sources(begun))
    again.go()
    if again.steps or again.ended is not None:  # there is more to come than the ledger has: it waits to be resumed
        opened = Open(before=state, begun=begun, tape=tape)
        return Position(state=fold(package, state, tape), open=opened)
    opened = Open(before=state, begun=begun, tape=tape, waiting=again.waiting, fault=again.fault)
    return Position(state=again.state, open=opened)


def recorded(entries: Sequence[Entry], source: Source) -> RecordedDice:
    """The dice of a recorded order, to play it again from its start."""
    faces: dict[tuple[str, str, int], tuple[int, ...]] = {}
    taken: dict[tuple[str, str, int], str] = {}
    counts: dict[tuple[str, str], int] = {}
    for entry in entries:
        if isinstance(entry, Thrown):
            key = (entry.roll.purpose, entry.roll.subject)
            faces[(*key, counts.get(key, 0))] = entry.faces
        elif isinstance(entry, Drawn):
            key = (entry.draw.purpose, entry.draw.subject)
            taken[(*key, counts.get(key, 0))] = entry.taken
        else:
            continue
        counts[key] = counts.get(key, 0) + 1
    return RecordedDice(source=source, faces=faces, taken=taken)
