"""A battle begins and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Seat


def battle_create(
    *,
    owner: Any,
    system: str,
    scenario: str,
    title: str = "",
    options: Mapping[str, Any] | None = None,
    layers: Sequence[tuple[str, str]] = (),
    is_demo: bool = False,
    once: Once | None = None,
) -> tuple[Battle, list[tuple[Seat, str]]]:
    """A battle of a bundled scenario with a seat for each command and one for the umpire, each with its code.

    The server's own options are `dice` ("server", or "typed" for dice thrown at the table) and `release` (True: orders
    wait for the umpire); all others are the scenario's. The codes are shown this once. Raises BadInput.
    """
    raise NotImplementedError


def battle_finish(*, battle: Battle, by: Seat, is_opened: bool, once: Once | None = None) -> Battle:
    """Ends the battle; with `is_opened` ledger and dice secret can be read by all its seats. Raises NotYours, Refused."""
    raise NotImplementedError
