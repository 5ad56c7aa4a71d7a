"""The few small queries behind the event streams; each runs in one of the hub's threads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from umpire.battles.models import Device, Seat
from umpire.battles.selectors import news_for
from umpire.live.tickets import ticket_use

AT_ONCE = 400
"""Seats asked about in one query of the slow look."""


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
    used = ticket_use(ticket=ticket)
    return None if used is None else Opened(used.seat_id, used.device_id or "", used.number)


def news_after(seat_id: str, device_id: str, last: int) -> list[Item] | None:
    """The seat's news after a number, or None where its stream must close (seat or device revoked).

    The last one carries the tag of the view that it leads to."""
    seat = Seat.objects.filter(pk=seat_id, is_revoked=False).first()
    if seat is None or (device_id and Device.objects.filter(pk=device_id, is_revoked=True).exists()):
        return None
    if seat.news_count <= last:
        return []
    items = [
        Item(item["number"], item) for item in news_for(seat=seat, after=last) if item["number"] <= seat.news_count
    ]
    if items and items[-1].number == seat.news_count:
        items[-1] = Item(items[-1].number, {**items[-1].data, "etag": seat.tag})
    return items


def numbers_of(seats: Iterable[str], devices: Iterable[str]) -> tuple[dict[str, int], frozenset[str]]:
    """How far the news of these seats have come (a revoked seat is not in it), and which devices are revoked."""
    numbers: dict[str, int] = {}
    for some in _some(seats):
        numbers.update(Seat.objects.filter(pk__in=some, is_revoked=False).values_list("pk", "news_count"))
    revoked: set[str] = set()
    for some in _some(devices):
        revoked.update(Device.objects.filter(pk__in=some, is_revoked=True).values_list("pk", flat=True))
    return numbers, frozenset(revoked)


def _some(ids: Iterable[str]) -> Iterable[list[str]]:
    listed = [one for one in ids if one]
    return (listed[start : start + AT_ONCE] for start in range(0, len(listed), AT_ONCE))
