"""Options as forms: enough for a client to draw buttons and highlights without knowing a rule, and for a random player.

A form's order is `{"verb": form.verb, **form.fixed, slot.name: value, ...}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from umpire.kernel.rulings import Choice
from umpire.kernel.states import Place


class ChoiceSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="choice", tag_field="slot"):
    """One id (`most` = 1, value a string) or a list of different ids (`many`).

    `usual` is filled in first; where `starts_full` all are, and some may be taken out, but for those that `must` stay.
    Where `of_places` the value is where the choices are (`at`) instead of their ids."""

    name: str
    label: str
    choices: tuple[Choice, ...]
    many: bool = False
    least: int = 1
    most: int = 1
    usual: str = ""
    starts_full: bool = False
    must: tuple[str, ...] = ()
    of_places: bool = False


class NumberSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="number", tag_field="slot"):
    """A whole number from `low` to `high`. `usual` is filled in first."""

    name: str
    label: str
    low: int
    high: int
    unit: str = ""
    usual: int | None = None


class PointSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="point", tag_field="slot"):
    """A place inside `region` (a closed ring, or several), or one of `places` where only these will do."""

    name: str
    label: str
    region: tuple[tuple[Place, ...], ...] = ()
    places: tuple[Place, ...] = ()


class PathSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="path", tag_field="slot"):
    """A path from `start`: a list of places without the start. `region` is what can be reached, for drawing; `steps`
    maps a hex game's "column,row" to its neighbours with costs; `preview` says that the cost of a path can be asked."""

    name: str
    label: str
    start: Place
    region: tuple[tuple[Place, ...], ...] = ()
    steps: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    most: int = 0
    unit: str = ""
    preview: bool = True


class TextSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="text", tag_field="slot"):
    """Words: `least` to `most` letters."""

    name: str
    label: str
    least: int = 1
    most: int = 500


class FlagSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="flag", tag_field="slot"):
    """Yes or no. `usual` is filled in first."""

    name: str
    label: str
    usual: bool = False


class Part(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A kind of entry of a list: `{**fixed, slot.name: value, ...}`, a form within a form."""

    label: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()


class ListSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="list", tag_field="slot"):
    """A list of `least` to `most` entries, each of one of the `parts`: the legs of a plan.

    Where `by` names a slot, the value is an object instead: from what each entry has in that slot (an id or a text, no
    two alike) to what it has in its other one: a path for each man. With `goes_on` the path of an entry begins where
    that of the one before ends.
    """

    name: str
    label: str
    parts: tuple[Part, ...]
    least: int = 0
    most: int = 1
    by: str = ""
    goes_on: bool = False


Slot = ChoiceSlot | NumberSlot | PointSlot | PathSlot | TextSlot | FlagSlot | ListSlot


Role = Literal["", "aside", "ends", "value", "harm"]


class Form(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that may be ordered now. `subject` are the pieces it is about; `odds` says that odds can be asked.

    `role` says where it belongs on a screen: an order; organising that stands behind the orders ("aside"); what ends a
    phase or a turn ("ends"); and, of the umpire's hand, a value to set, which is now as `note` says ("value"), or what
    takes a piece out of the battle ("harm"). `more` are slots that may be left alone: each sets anew what is fixed
    under its name, one called "standing.within" a value inside of it.
    """

    verb: str
    label: str
    subject: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()
    note: str = ""
    rule: str = ""
    odds: bool = False
    role: Role = ""
    more: tuple[Slot, ...] = ()


def order_of(form: Form, values: Mapping[str, Any]) -> dict[str, Any]:
    """The order that a form becomes with these slot values."""
    order: dict[str, Any] = {"verb": form.verb, **form.fixed}
    for name, value in values.items():
        outer, _, inner = name.partition(".")
        order[outer] = {**order.get(outer, {}), inner: value} if inner else value
    return order


def entries_of(slot: ListSlot, value: Any) -> list[dict[str, Any]]:
    """The entries of a list slot's value, also where it is an object. An entry then is of the part that has its two."""
    if not slot.by:
        return [dict(entry) for entry in value]
    other = {inner.name for part in slot.parts for inner in part.slots} - {slot.by}
    return [{slot.by: key, name: held} for key, held in value.items() for name in other]


def value_of(slot: ListSlot, entries: list[dict[str, Any]]) -> Any:
    """The value of a list slot with these entries."""
    if not slot.by:
        return entries
    return {entry[slot.by]: held for entry in entries for name, held in entry.items() if name != slot.by}


def sample_list(slot: ListSlot, random: Random, sampled: Callable[[Slot, Random], Any]) -> Any:
    """Some random entries of a list; `sampled` gives the values of their slots."""
    entries: list[dict[str, Any]] = []
    end: Place | None = None
    for _ in range(random.randint(slot.least, max(slot.least, min(slot.most, 3)))):
        part = random.choice(slot.parts)
        entry = dict(part.fixed)
        for inner in part.slots:
            if isinstance(inner, PathSlot) and slot.goes_on and end is not None:
                inner = replace(inner, start=end)
            entry[inner.name] = sampled(inner, random)
            if isinstance(inner, PathSlot):
                if not entry[inner.name] and len(entries) >= slot.least:  # a dead end
                    return value_of(slot, entries)
                end = tuple(entry[inner.name][-1]) if entry[inner.name] else end
        entries.append(entry)
    return value_of(slot, entries)


def sample(slot: Slot, random: Random) -> Any:
    """A random value for a slot. Points and paths of inch tables are sampled by the package, which knows its ground."""
    match slot:
        case FlagSlot():
            return random.random() < 0.5
        case ListSlot():
            return sample_list(slot, random, sample)
        case ChoiceSlot(choices=choices, many=many, least=least, most=most):
            ids = [choice.id for choice in choices]
            if not many:
                return random.choice(ids)
            return random.sample(ids, random.randint(least, min(most, len(ids))))
        case NumberSlot(low=low, high=high):
            return random.randint(low, high)
        case PointSlot(places=places) if places:
            return list(random.choice(places))
        case PathSlot(steps=steps, start=start, most=most) if steps:
            path: list[list[int]] = []
            at = start
            for _ in range(random.randint(1, max(1, most))):
                nearby = steps.get(",".join(map(str, at)), ())
                if not nearby:
                    break
                at = random.choice(nearby)
                path.append(list(at))
            return path
        case TextSlot():
            return random.choice(("as ordered", "hold here", "report"))
        case _:
            raise ValueError(f"slot {slot.name!r} needs the package's own sampler")
