"""The few small queries behind the event streams; each runs in one of the hub's threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct


class Opened(Struct, frozen=True):
    """Who opened a stream with a ticket; `number` is the last news the seat had when it got the ticket."""

    seat: str
    device: str
    number: int


class Item(Struct, frozen=True):
    """One piece of a seat's news, as it is sent."""

    number: int
    data: Any


def redeem(ticket: str) -> Opened | None:
    """Uses up a ticket. None for one that is unknown, used, too old, or of a device that was revoked."""
    return None


def news_after(seat: str, device: str, last: int) -> list[Item] | None:
    """The seat's news after a number, or None where its stream must close (seat or device revoked)."""
    return None


def numbers_of(seats: Sequence[str]) -> dict[str, int]:
    """How far the news of these seats have come; a revoked seat is not in it."""
    return {}
