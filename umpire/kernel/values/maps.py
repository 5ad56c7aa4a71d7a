"""Immutable maps in key order.

A state holds `Mapping`s kept in key order and never sets: a decoded state then iterates exactly as the live one did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

V = TypeVar("V")


def ordered(items: Mapping[str, V]) -> Mapping[str, V]:
    """The same map in key order."""
    return dict(sorted(items.items()))


def put(items: Mapping[str, V], key: str, value: V) -> Mapping[str, V]:
    """A copy with `key` set; a key that is there already keeps its place, so nothing is sorted again."""
    changed = {**items, key: value}
    return changed if key in items else dict(sorted(changed.items()))


def drop(items: Mapping[str, V], key: str) -> Mapping[str, V]:
    """A copy without `key`. Raises KeyError if it is not there: an event about a thing that is gone is a fault."""
    if key not in items:
        raise KeyError(key)
    return {k: v for k, v in items.items() if k != key}


def change(items: Mapping[str, V], key: str, function: Callable[[V], V]) -> Mapping[str, V]:
    """A copy in which the value at `key` went through `function`. Raises KeyError if it is not there."""
    return {**items, key: function(items[key])}


def is_ordered(items: Mapping[str, object]) -> bool:
    keys = list(items)
    return keys == sorted(keys)
