"""What is worked out of the few things asked about last, and remembered while they are the same objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")

KEPT = 4


class Memo(Generic[K, T]):
    """`of(thing)` is `make(thing)`, made once for as long as few other things are asked about. Things are states or
    beliefs, which never change; they are told apart as objects, so that nothing is compared or hashed."""

    def __init__(self, make: Callable[[K], T], kept: int = KEPT) -> None:
        self._make, self._most = make, kept
        # Replaced as a whole, never changed: threads may ask at the same time.
        self._kept: tuple[tuple[K, T], ...] = ()

    def of(self, thing: K) -> T:
        """What is worked out of this thing."""
        for known, found in self._kept:
            if known is thing:
                return found
        made = self._make(thing)
        self._kept = ((thing, made), *self._kept[: self._most - 1])
        return made
