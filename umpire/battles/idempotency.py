"""One effect and one answer for each idempotency key: the reply is kept by the transaction that has the effect.

A view hands a service a `Once`; the service calls `keep` as the last statement of its transaction. Of two requests with
the same key one gets `Repeated`, its whole transaction undone, and gives the other's reply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from umpire.battles.errors import Mismatch, Repeated
from umpire.battles.models import Battle, Order, Reply
from umpire.battles.sql import Prepared, insert

AT_ONCE = 1000
"""Replies that one pruning removes at most, so that nobody waits for it."""


@dataclass(frozen=True)
class Rendered:
    """An answer as it goes out."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Once:
    """An acting request: who (`seat:ID` or `user:ID`), under which key, what, and how the service's result is rendered.

    `render` is called within the transaction with what the service returns; it must not be slow, and may be called
    again if the transaction is tried again.
    """

    actor: str
    key: str
    method: str
    path: str
    body_hash: str
    render: Callable[[Any], Rendered]


_replies = Prepared(lambda actor, key: Reply.objects.filter(actor=actor, key=key), str, str)


def reply_for(once: Once) -> Reply | None:
    """The reply kept for this key. Raises Mismatch where the key belongs to another request."""
    reply = _replies.first(once.actor, once.key)
    if reply is None:
        return None
    if (reply.method, reply.path, reply.body_hash) != (once.method, once.path, once.body_hash):
        raise Mismatch
    return reply


def keep(once: Once | None, result: Any, battle: Battle | None = None, place: tuple[int, int] | None = None) -> None:
    """Keeps the reply; the last statement of a service's transaction. Raises Repeated where another was quicker.

    `place` is where in the ledger (line, depth) the effect stands: a rewind before it takes the reply back.
    """
    if once is None:
        return
    line, depth = place if place else (None, None)
    rendered = once.render(result)
    try:
        reply = Reply(
            actor=once.actor,
            key=once.key,
            method=once.method,
            path=once.path,
            body_hash=once.body_hash,
            status=rendered.status,
            headers=dict(rendered.headers),
            body=rendered.body,
            battle=battle,
            order=result if isinstance(result, Order) else None,
            line=line,
            depth=depth,
        )
        insert([reply])
    except IntegrityError:
        raise Repeated from None


def reply_keep(once: Once, rendered: Rendered) -> Reply:
    """Keeps an answer that had no effect (a refusal), so that the same key gives it again."""
    with transaction.atomic():
        reply, _ = Reply.objects.get_or_create(
            actor=once.actor,
            key=once.key,
            defaults={
                "method": once.method,
                "path": once.path,
                "body_hash": once.body_hash,
                "status": rendered.status,
                "headers": dict(rendered.headers),
                "body": rendered.body,
            },
        )
    return reply


def prune() -> int:
    """Removes replies that nobody sends for any more: those of battles finished `REPLIES_KEPT_DAYS` ago and, as old,
    refusals, which had no effect that could come about twice. Gives how many are gone."""
    limit = timezone.now() - timedelta(days=settings.REPLIES_KEPT_DAYS)
    old = Reply.objects.filter(Q(battle__finished_at__lt=limit) | Q(status__gte=400, at__lt=limit))
    gone, _ = Reply.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:AT_ONCE])).delete()
    return gone
