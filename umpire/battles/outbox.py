"""Work for the worker. A row is struck out by the transaction that does its work; until then it is sent again."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from django.utils import timezone

from umpire.battles.models import Battle, Order, Outbox
from umpire.battles.paths import Path
from umpire.serving.background import BackgroundQueue

log = logging.getLogger(__name__)

CARRY = "umpire.carry"
TAKE = "umpire.take_orders"
AGAIN = timedelta(seconds=5)
AGAIN_AT_MOST = timedelta(minutes=1)


_queue = BackgroundQueue("broker")


def request(*, battle_id: str, path: Path, line: int, depth: int) -> None:
    """Asks for the plans that are due to be carried on, because of the place after `depth` entries of `line`.

    Within the transaction of the change that made them due. A request that stands, and whose cause is on the path,
    is enough; others are void. After the commit it is sent, by a thread of its own: nobody waits for the broker.
    """
    stands: Outbox | None = None
    for row in Outbox.objects.filter(battle_id=battle_id, task="carry", done=None):
        if path.reaches(row.line, row.depth):
            stands = row
        else:
            strike(row, "void")
    if stands is None:
        stands, is_new = Outbox.objects.get_or_create(battle_id=battle_id, task="carry", line=line, depth=depth)
        if not is_new:
            stands.done, stands.outcome, stands.attempts = None, "", 0
            stands.save(update_fields=["done", "outcome", "attempts"])
    _sent_now(stands)
    args = [battle_id, stands.line, stands.depth]
    transaction.on_commit(lambda: _queue.put((CARRY, *args), lambda: _post(CARRY, args)), robust=True)


def strike(row: Outbox, outcome: str) -> None:
    """Strikes out work that is not to be done."""
    Outbox.objects.filter(pk=row.pk, done=None).update(done=timezone.now(), outcome=outcome[:200])


def sweep() -> int:
    """Sends again what is not struck out and due, and has orders taken that stand in a queue nobody works at."""
    sent = _send(Outbox.objects.filter(done=None, due_at__lte=timezone.now()))
    idle = Order.objects.filter(
        status=Order.Status.HELD, battle__open_depth=None, battle__status=Battle.Status.RUNNING
    ).values_list("battle_id", flat=True)
    for battle_id in set(idle):
        sent += _tried(TAKE, [battle_id])
    return sent


def _send(rows: Any) -> int:
    sent = 0
    for row in rows:
        _sent_now(row)
        sent += _tried(CARRY, [row.battle_id, row.line, row.depth])
    return sent


def _sent_now(row: Outbox) -> None:
    """Has the row sent again by the sweep only after a while, each time a longer one."""
    wait = min(AGAIN * 2 ** min(row.attempts, 6), AGAIN_AT_MOST)
    Outbox.objects.filter(pk=row.pk, done=None).update(attempts=row.attempts + 1, due_at=timezone.now() + wait)


def _tried(task: str, args: list[Any]) -> int:
    try:
        _post(task, args)
    except Exception as failure:  # the broker is away, full, or knows us no more: each says so in words of its own
        log.warning("%s could not be sent (%s); the next sweep sends it again", task, failure)
        return 0
    return 1


def _post(task: str, args: list[Any]) -> None:
    current_app.send_task(task, args=args, ignore_result=True, retry=False)
