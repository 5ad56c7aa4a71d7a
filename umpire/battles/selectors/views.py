"""What a seat sees and may do, from its slice alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from umpire.battles.models import Battle, Seat
from umpire.kernel.forms import Form
from umpire.kernel.registry import Preview, View


def view_for(*, battle: Battle, seat: Seat) -> tuple[View, int, str]:
    """The seat's view (the truth for an umpire), the number of its last news, and its ETag."""
    raise NotImplementedError


def truth_for(*, battle: Battle) -> View:
    """The umpire's view."""
    raise NotImplementedError


def options_for(
    *, battle: Battle, seat: Seat, unit: str | None = None, acting_for: str | None = None
) -> tuple[Sequence[Form], tuple[str, ...]]:
    """The forms for a piece; without one, the forms that need none, and the pieces that may be ordered about."""
    raise NotImplementedError


def preview_for(*, battle: Battle, seat: Seat, order: Mapping[str, Any], acting_for: str | None = None) -> Preview:
    """What an order would cost and reach. Raises BadInput."""
    raise NotImplementedError


def odds_for(*, battle: Battle, seat: Seat, order: Mapping[str, Any], acting_for: str | None = None) -> dict[str, Any]:
    """`{"fates": [{"piece", "what", "chance"}], "exact", "branches", "assumes", "refusals"}`. Raises BadInput."""
    raise NotImplementedError


def scene_for(*, battle: Battle, seat: Seat) -> dict[str, Any]:
    """What does not change: map, tables to show; with `digest`."""
    raise NotImplementedError
