"""What is remembered, in one of three ways, each use with its reason:

* `functools.lru_cache` where a function of plain values is asked for the same ones again and again;
* `Memo` where something is worked out of a state or a belief, which is asked about many times and then never again;
* `Recent` where what is remembered is named by a key but made of more than the key, or is put there by whoever has it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
H = TypeVar("H", bound=Hashable)
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


class Recent(Generic[H, T]):
    """Values by key, of which the few asked about last are kept. Threads may ask at the same time; a value may then be
    made twice, and one of the two stays."""

    def __init__(self, kept: int) -> None:
        self._most = kept
        self._kept: OrderedDict[H, T] = OrderedDict()
        self._lock = Lock()

    def of(self, key: H, make: Callable[[], T]) -> T:
        """The value of a key, made where it is not there."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        return self.put(key, make())

    def clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._kept.clear()

    def put(self, key: H, value: T) -> T:
        """Keeps the value of a key, and drops the one asked about longest ago where there are too many."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return value
