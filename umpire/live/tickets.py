"""Tickets: got over REST, good once and for a minute, kept hashed. A query may stand in a log; a token must not."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from umpire.battles.models import Seat
from umpire.live.grants import Grant, ended
from umpire.live.models import Ticket

GOOD_FOR = timedelta(minutes=1)


def hash_of(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()


def ticket_issue(*, grant: Grant) -> tuple[str, datetime]:
    """A ticket for one stream of this grant's seat, and until when it is good. Those too old go."""
    ticket, now = secrets.token_urlsafe(24), timezone.now()
    with transaction.atomic():
        Ticket.objects.filter(expires__lt=now).delete()
        number = Seat.objects.values_list("news_count", flat=True).get(pk=grant.seat)
        made = Ticket.objects.create(
            hash=hash_of(ticket),
            seat_id=grant.seat,
            device_id=grant.device or None,
            user_id=grant.user,
            session=grant.session,
            proof=grant.proof,
            number=number,
            expires=now + GOOD_FOR,
        )
    return ticket, made.expires


def ticket_use(*, ticket: str) -> tuple[Grant, int] | None:
    """Uses a ticket up: its grant, and the last news its seat had then. None for one that is unknown, used already, too
    old, or whose grant is over."""
    found = Ticket.objects.filter(hash=hash_of(ticket)).first()
    if found is None or not Ticket.objects.filter(hash=found.hash).delete()[0]:
        return None
    grant = Grant(
        seat=found.seat_id, device=found.device_id or "", user=found.user_id, session=found.session, proof=found.proof
    )
    return None if found.expires < timezone.now() or ended({grant}) else (grant, found.number)
