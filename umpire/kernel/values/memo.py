"""What is worked out of the few things asked about last, and remembered while they are the same objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")

KEPT = 4


class Memo(Generic[K, T]):
    """`of(thing)` is `make(thing)`, made once for as long as few other things are asked about. Things are states or
    parts of them, which never change; they are told apart as objects, so that nothing is compared or hashed."""

    def __init__(self, make: Callable[[K], T], kept: int = KEPT) -> None:
        self._make, self._most = make, kept
        # By the object's identity, which is its own for as long as it is kept here; the oldest goes first. Replaced as
        # a whole, never changed: threads may ask at the same time.
        self._kept: dict[int, tuple[K, T]] = {}

    def of(self, thing: K) -> T:
        """What is worked out of this thing."""
        known = self._kept.get(id(thing))
        if known is not None:
            return known[1]
        made = self._make(thing)
        kept = {**self._kept, id(thing): (thing, made)}
        while len(kept) > self._most:
            del kept[next(iter(kept))]
        self._kept = kept
        return made
