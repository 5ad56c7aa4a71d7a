"""Random orders from forms, for play at random: points and paths of the table, which the kernel cannot sample."""

from __future__ import annotations

from random import Random
from typing import Any

from fireforce.state.battle import Place
from umpire.kernel import forms
from umpire.kernel.forms import Form, ListSlot, PathSlot, PointSlot


def sample(form: Form, random: Random) -> dict[str, Any]:
    """Values for all slots of a form. A place is drawn between two corners of a region, or the start and a corner."""
    return forms.order_of(form, {slot.name: sample_slot(slot, random) for slot in form.slots})


def sample_slot(slot: forms.Slot, random: Random) -> Any:
    """A random value for a slot."""
    if isinstance(slot, PointSlot) and not slot.places and slot.region:
        corners = [_place(corner) for ring in slot.region for corner in ring]
        return list(_between(random.choice(corners), random.choice(corners), random.random()))
    if isinstance(slot, PathSlot) and not slot.steps:
        corners = [_place(corner) for ring in slot.region for corner in ring]
        if not corners:
            return []
        return [list(_between(_place(slot.start), random.choice(corners), random.random() * 0.9))]
    if isinstance(slot, ListSlot):
        return forms.sample_list(slot, random, sample_slot)
    return forms.sample(slot, random)


def _place(corner: tuple[int, ...]) -> Place:
    return (corner[0], corner[1])


def _between(a: Place, b: Place, share: float) -> Place:
    return (int(a[0] + (b[0] - a[0]) * share), int(a[1] + (b[1] - a[1]) * share))
