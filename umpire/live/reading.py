"""The few small queries behind the event streams; each runs in one of the hub's threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from umpire.battles.models import Device, Seat
from umpire.battles.selectors import news_for
from umpire.kernel.codec import encode
from umpire.live.tickets import ticket_use

MOST_NEWS = 200
"""News of a seat read in one go."""
MOST_IDS = 400
"""Ids in one query."""

WAKE = b"event: wake\ndata: {}\n\n"


class Opened(Struct, frozen=True):
    """Who opened a stream with a ticket; `number` is the last news the seat had when it got the ticket."""

    seat: str
    device: str
    number: int


class Item(Struct, frozen=True):
    """One piece of a seat's news, as it is sent."""

    number: int
    event: bytes


class Told(Struct, frozen=True):
    """What is new for a seat; `has_more` says that there is more than was read. A revoked seat is not there."""

    is_there: bool
    items: tuple[Item, ...] = ()
    revoked: frozenset[str] = frozenset()
    has_more: bool = False


def redeem(ticket: str) -> Opened | None:
    """Uses up a ticket. None for one that is unknown, used, too old, or of a device that was revoked."""
    used = ticket_use(ticket=ticket)
    return None if used is None else Opened(used.seat_id, used.device_id or "", used.number)


def news_of(asked: Mapping[str, tuple[int, set[str]]]) -> dict[str, Told]:
    """What is new for each of some seats (by id: after which number, for which devices)."""
    seats = {seat.pk: seat for seat in Seat.objects.filter(pk__in=list(asked), is_revoked=False)}
    revoked = revoked_of({device for _, devices in asked.values() for device in devices})
    return {
        seat: _told(seats[seat], last, revoked & devices) if seat in seats else Told(is_there=False)
        for seat, (last, devices) in asked.items()
    }


def _told(seat: Seat, last: int, revoked: frozenset[str]) -> Told:
    found = news_for(seat=seat, after=last, limit=MOST_NEWS) if seat.news_count > last else []
    items = []
    for one in found:
        if one["number"] == seat.news_count:
            one = {**one, "etag": seat.tag}
        if one["number"] <= seat.news_count:
            items.append(Item(one["number"], b"event: news\nid: %d\ndata: %s\n\n" % (one["number"], encode(one))))
    has_more = bool(items) and items[-1].number < seat.news_count
    return Told(is_there=True, items=tuple(items), revoked=revoked, has_more=has_more)


def numbers_of(seats: Iterable[str], devices: Iterable[str]) -> tuple[dict[str, int], frozenset[str]]:
    """How far the news of these seats have come (a revoked seat is not in it), and which devices are revoked."""
    numbers: dict[str, int] = {}
    for some in _some(seats):
        numbers.update(Seat.objects.filter(pk__in=some, is_revoked=False).values_list("pk", "news_count"))
    return numbers, revoked_of(devices)


def revoked_of(devices: Iterable[str]) -> frozenset[str]:
    """Which of these devices are revoked."""
    found: set[str] = set()
    for some in _some(devices):
        found.update(Device.objects.filter(pk__in=some, is_revoked=True).values_list("pk", flat=True))
    return frozenset(found)


def _some(ids: Iterable[str]) -> Iterable[list[str]]:
    listed = [one for one in ids if one]
    return (listed[start : start + MOST_IDS] for start in range(0, len(listed), MOST_IDS))
