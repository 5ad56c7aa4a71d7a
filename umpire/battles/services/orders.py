"""The life of an order: given, held where it must wait, taken, waiting at a question, done or ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Order, Seat


def order_give(
    *,
    battle: Battle,
    seat: Seat,
    order: Mapping[str, Any],
    tag: str | None,
    acting_for: str | None = None,
    once: Once | None = None,
) -> Order:
    """Gives an order. Its `told` is "given" (whatever it waits for), "done" or "ended".

    `tag` is the seat's ETag that it was decided on; None skips the comparison. An umpire acts for the seat or command
    named by `acting_for`. Raises NotYours, BadInput (with the field), Refused, Stale.
    """
    raise NotImplementedError


def order_withdraw(*, order: Order, seat: Seat, once: Once | None = None) -> Order:
    """Withdraws an order that has not been taken. Raises NotYours, Refused."""
    raise NotImplementedError


def orders_release(*, battle: Battle, by: Seat, order: Order | None = None, once: Once | None = None) -> int:
    """The umpire releases a sealed order, or all of them: how many. They are then taken in the order given."""
    raise NotImplementedError


def orders_take(*, battle_id: str) -> int:
    """Takes held orders in their order, as far as the battle waits for nothing: how many were taken or refused."""
    raise NotImplementedError
