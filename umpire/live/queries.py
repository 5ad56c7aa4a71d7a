"""The few small queries behind the event streams; each runs in one of the hub's threads."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.utils import timezone
from msgspec import Struct

from umpire.battles.models import Device, Seat
from umpire.battles.selectors import news_for
from umpire.kernel.codec import encode
from umpire.live.grants import Grant, chunks, ended
from umpire.live.tickets import ticket_use

MOST_NEWS = 200
"""News of a seat read in one go."""

WAKE = b"event: wake\ndata: {}\n\n"


class Opened(Struct, frozen=True):
    """By what right a stream was opened; `number` is the last news the seat had when it got the ticket."""

    grant: Grant
    number: int


class Item(Struct, frozen=True):
    """One piece of a seat's news, as it is sent."""

    number: int
    event: bytes


class Told(Struct, frozen=True):
    """What is new for a seat, and which grants are over; `has_more` says that there is more than was read."""

    items: tuple[Item, ...] = ()
    ended: frozenset[Grant] = frozenset()
    has_more: bool = False


def note_online(grants: Collection[Grant]) -> None:
    """Keeps that the devices of these streams are there."""
    for chunk in chunks(grant.device for grant in grants):
        Device.objects.filter(pk__in=chunk).update(last_seen=timezone.now())


def redeem(ticket: str) -> Opened | None:
    """Uses up a ticket. None for one that is unknown, used, too old, or of a right that is over."""
    used = ticket_use(ticket=ticket)
    return None if used is None else Opened(*used)


def news_of(asked: Mapping[str, tuple[int, set[Grant]]]) -> dict[str, Told]:
    """What is new for each of some seats (by id: after which number, for which grants)."""
    over = ended({grant for _, grants in asked.values() for grant in grants})
    # What has become new since is read after asking who may still read it.
    seats = Seat.objects.defer("last_view").in_bulk(list(asked))
    return {
        seat: _told(seats[seat], last, over & grants) if grants - over else Told(ended=frozenset(grants))
        for seat, (last, grants) in asked.items()
    }


def _told(seat: Seat, last: int, over: frozenset[Grant]) -> Told:
    found = news_for(seat=seat, after=last, limit=MOST_NEWS) if seat.news_count > last else []
    items = []
    for one in found:
        if one["number"] == seat.news_count:
            one = {**one, "etag": seat.tag}
        if one["number"] <= seat.news_count:
            items.append(Item(one["number"], b"event: news\nid: %d\ndata: %s\n\n" % (one["number"], encode(one))))
    has_more = bool(items) and items[-1].number < seat.news_count
    return Told(items=tuple(items), ended=over, has_more=has_more)


def numbers_of(grants: Collection[Grant]) -> tuple[dict[str, int], frozenset[Grant]]:
    """How far the news of the seats of these grants have come, and which grants are over."""
    over = ended(grants)
    numbers: dict[str, int] = {}
    for chunk in chunks(grant.seat for grant in grants if grant not in over):
        numbers.update(Seat.objects.filter(pk__in=chunk).values_list("pk", "news_count"))
    return numbers, over
