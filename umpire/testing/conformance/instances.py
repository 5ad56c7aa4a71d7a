"""Whether an order is an instance of a form: what "accepted is offered" compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import replace

from umpire.kernel.forms import (
    ChoiceSlot,
    FlagSlot,
    Form,
    ListSlot,
    NumberSlot,
    Part,
    PathSlot,
    PointSlot,
    Slot,
    TextSlot,
    entries_of,
)
from umpire.kernel.states import Place


def matches(form: Form, order: Mapping[str, Any]) -> bool:
    """Whether an order is an instance of a form, as far as a form says it (regions are the package's to judge)."""
    if order.get("verb") != form.verb:
        return False
    rest = {key: value for key, value in order.items() if key != "verb"}
    return _is_made_of(form.slots, form.fixed, rest)


def _is_made_of(slots: Sequence[Slot], fixed: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    names = {slot.name for slot in slots}
    rest = {key: value for key, value in values.items() if key not in names}
    if msgspec.to_builtins(rest) != msgspec.to_builtins(dict(fixed)):
        return False
    return all(slot.name in values and _fits(slot, values[slot.name]) for slot in slots)


def _fits(slot: Any, value: Any) -> bool:
    match slot:
        case ChoiceSlot(choices=choices, many=many, least=least, most=most):
            chosen = list(value) if many else [value]
            ids = {choice.id for choice in choices}
            is_enough = not many or least <= len(chosen) <= most
            return is_enough and set(chosen) <= ids and len(set(chosen)) == len(chosen)
        case NumberSlot(low=low, high=high):
            return bool(low <= value <= high)
        case PointSlot(places=places) if places:
            return tuple(value) in places
        case PathSlot(start=start, steps=steps, most=most) if steps:
            walk = [tuple(start), *(tuple(step) for step in value)]
            is_walk = all(to in steps.get(",".join(map(str, at)), ()) for at, to in pairwise(walk))
            return len(walk) > 1 and is_walk and (not most or len(value) <= most)
        case TextSlot(least=least, most=most):
            return bool(least <= len(value) <= most)
        case FlagSlot():
            return isinstance(value, bool)
        case ListSlot(least=least, most=most):
            entries = entries_of(slot, value)
            return least <= len(entries) <= most and _are_of_parts(slot, entries)
        case _:
            return True


def _are_of_parts(slot: ListSlot, entries: Sequence[Mapping[str, Any]]) -> bool:
    end: Place | None = None
    for entry in entries:
        parts = [_begun_at(part, end) if slot.goes_on and end is not None else part for part in slot.parts]
        part = next((part for part in parts if _is_made_of(part.slots, part.fixed, entry)), None)
        if part is None:
            return False
        for path in [entry[inner.name] for inner in part.slots if isinstance(inner, PathSlot)]:
            end = tuple(path[-1]) if path else end
    return True


def _begun_at(part: Part, start: Place) -> Part:
    slots = tuple(replace(inner, start=start) if isinstance(inner, PathSlot) else inner for inner in part.slots)
    return replace(part, slots=slots)
