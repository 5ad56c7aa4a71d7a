"""Options as forms: enough for a client to draw buttons and highlights without knowing a rule, and for a random player.

A form's order is `{"verb": form.verb, **form.fixed, slot.name: value, ...}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec import Struct, field

from umpire.kernel.rulings import Choice
from umpire.kernel.states import Place


class ChoiceSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="choice", tag_field="slot"):
    """One id (`most` = 1, value a string) or a list of different ids (`many`)."""

    name: str
    label: str
    choices: tuple[Choice, ...]
    many: bool = False
    least: int = 1
    most: int = 1


class NumberSlot(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="number", tag_field="slot"):
    """A whole number from `low` to `high`."""

    name: str
    label: str
    low: int
    high: int
    unit: str = ""


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
    """Words."""

    name: str
    label: str
    most: int = 500


Slot = ChoiceSlot | NumberSlot | PointSlot | PathSlot | TextSlot


class Form(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that may be ordered now. `subject` are the pieces it is about; `odds` says that odds can be asked."""

    verb: str
    label: str
    subject: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()
    note: str = ""
    rule: str = ""
    odds: bool = False


def order_of(form: Form, values: Mapping[str, Any]) -> dict[str, Any]:
    """The order that a form becomes with these slot values."""
    return {"verb": form.verb, **form.fixed, **values}


def sample(slot: Slot, random: Random) -> Any:
    """A random value for a slot. Points and paths of inch tables are sampled by the package, which knows its ground."""
    match slot:
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
