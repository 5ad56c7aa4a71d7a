"""Random orders from forms, for play at random."""

from __future__ import annotations

from random import Random
from typing import Any

from umpire.kernel import forms
from umpire.kernel.forms import Form

TRIES = 40


def sample(form: Form, random: Random) -> dict[str, Any]:
    """Values for all slots of a form: a hex game's slots list what will do."""
    return forms.order_of(form, {slot.name: forms.sample(slot, random) for slot in form.slots})
