"""Tickets: got over REST, good once and for a minute, kept hashed. A query may stand in a log; a token must not."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from umpire.battles.models import Device, Seat
from umpire.live.models import Ticket

GOOD_FOR = timedelta(minutes=1)


def hash_of(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()


def ticket_issue(*, seat: Seat, device: Device | None) -> tuple[str, datetime]:
    """A ticket for one stream of this seat, and until when it is good. Those too old go."""
    ticket, now = secrets.token_urlsafe(24), timezone.now()
    with transaction.atomic():
        Ticket.objects.filter(expires__lt=now).delete()
        number = Seat.objects.values_list("news_count", flat=True).get(pk=seat.pk)
        made = Ticket.objects.create(
            hash=hash_of(ticket), seat=seat, device=device, number=number, expires=now + GOOD_FOR
        )
    return ticket, made.expires


def ticket_use(*, ticket: str) -> Ticket | None:
    """Uses a ticket up. None for one that is unknown, used already, too old, or of a seat or device revoked since."""
    found = Ticket.objects.select_related("seat", "device").filter(hash=hash_of(ticket)).first()
    if found is None or not Ticket.objects.filter(hash=found.hash).delete()[0]:
        return None
    is_revoked = found.seat.is_revoked or (found.device is not None and found.device.is_revoked)
    return None if is_revoked or found.expires < timezone.now() else found
