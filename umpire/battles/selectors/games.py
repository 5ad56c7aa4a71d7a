"""Battles, seats and who is who."""

from __future__ import annotations

from typing import Any

from umpire.battles.models import Battle, Device, Message, Order, Reply, Seat


def actor_of_token(token: str) -> Device | None:
    """The device that holds this token, with its seat (and battle) or user; None if it is revoked or unknown."""
    raise NotImplementedError


def battles_for(*, user: Any = None, seat: Seat | None = None) -> list[Battle]:
    """The battles of an account (those it owns), or the one of a seat; newest first."""
    raise NotImplementedError


def battle_for(*, battle_id: str, user: Any = None, seat: Seat | None = None) -> Battle:
    """A battle as one of these may see it. Raises NotYours."""
    raise NotImplementedError


def seat_of(*, battle: Battle, user: Any) -> Seat:
    """The umpire's seat of the account that owns the battle. Raises NotYours."""
    raise NotImplementedError


def seats_for(*, battle: Battle) -> list[Seat]:
    """All seats, for the umpire; each with `.joined`, the devices that sit on it."""
    raise NotImplementedError


def orders_for(*, battle: Battle, seat: Seat) -> list[Order]:
    """A seat's own orders, oldest first; all orders for the umpire."""
    raise NotImplementedError


def messages_for(*, battle: Battle, seat: Seat) -> list[dict[str, Any]]:
    """What a seat has sent and what has reached it; for the umpire all, with route and state."""
    raise NotImplementedError


def is_taken_back(reply: Reply) -> bool:
    """Whether a rewind has taken back what this reply told of."""
    raise NotImplementedError


__all__ = ["Message"]
