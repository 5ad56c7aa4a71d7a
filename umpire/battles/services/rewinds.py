"""The umpire takes the battle back."""

from __future__ import annotations

from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Seat


def battle_rewind(
    *, battle: Battle, by: Seat, depth: int, dice: str = "keep", reason: str = "", once: Once | None = None
) -> Battle:
    """A new line from the first `depth` entries; nothing is deleted. `dice`: "keep" or "fresh".

    What follows by itself there follows; an order cut in its middle waits for `open_order_resolve(do="go_on")` unless
    it is cut at a question. Raises NotYours, BadInput, Refused (no cut there).
    """
    raise NotImplementedError
