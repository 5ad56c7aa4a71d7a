"""The umpire's hand: corrections, and what becomes of an order that cannot go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Seat


def battle_correct(
    *, battle: Battle, by: Seat, correction: Mapping[str, Any], reason: str, once: Once | None = None
) -> Battle:
    """The umpire changes something by hand, also while a ruling waits. Raises NotYours, BadInput, Refused."""
    raise NotImplementedError


def open_order_resolve(*, battle: Battle, by: Seat, do: str, reason: str = "", once: Once | None = None) -> Battle:
    """What becomes of the open order: "stop" (what it told stands), "take_back", "again" (from its start, with the same
    dice) or "go_on" (after a rewind into its middle). Raises NotYours, BadInput, Refused (nothing is open)."""
    raise NotImplementedError
