"""Work for the worker. A row is struck out by the transaction that does its work; until then it is sent again."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from umpire.battles.models import Battle, Order, Outbox
from umpire.battles.paths import Path

log = logging.getLogger(__name__)

CARRY = "umpire.carry"
TAKE = "umpire.take_orders"
AGAIN = timedelta(seconds=5)
AGAIN_AT_MOST = timedelta(minutes=1)


def request(*, battle_id: str, path: Path, line: int, depth: int) -> None:
    """Asks for the plans that are due to be carried on, because of the place after `depth` entries of `line`.

    Within the transaction of the change that made them due. A request that stands, and whose cause is on the path,
    is enough; others are void.
    """
    stands = False
    for row in Outbox.objects.filter(battle_id=battle_id, task="carry", done=None):
        if path.reaches(row.line, row.depth):
            stands = True
        else:
            strike(row, "void")
    if not stands:
        row, is_new = Outbox.objects.get_or_create(battle_id=battle_id, task="carry", line=line, depth=depth)
        if not is_new:
            row.done, row.outcome, row.due_at = None, "", timezone.now()
            row.save(update_fields=["done", "outcome", "due_at"])
    transaction.on_commit(lambda: poke(battle_id), robust=True)


def strike(row: Outbox, outcome: str) -> None:
    """Strikes out work that is not to be done."""
    Outbox.objects.filter(pk=row.pk, done=None).update(done=timezone.now(), outcome=outcome[:200])


def poke(battle_id: str) -> int:
    """Sends what a battle's outbox holds, now: how much."""
    return _send(Outbox.objects.filter(battle_id=battle_id, done=None))


def sweep() -> int:
    """Sends again what is not struck out and due, and has orders taken that stand in a queue nobody works at."""
    sent = _send(Outbox.objects.filter(done=None, due_at__lte=timezone.now()))
    idle = Order.objects.filter(
        status=Order.Status.HELD, battle__open_depth=None, battle__status=Battle.Status.RUNNING
    ).values_list("battle_id", flat=True)
    for battle_id in set(idle):
        sent += _post(TAKE, [battle_id])
    return sent


def _send(rows: Any) -> int:
    sent = 0
    for row in rows:
        wait = min(AGAIN * 2 ** min(row.attempts, 6), AGAIN_AT_MOST)
        Outbox.objects.filter(pk=row.pk, done=None).update(attempts=row.attempts + 1, due_at=timezone.now() + wait)
        sent += _post(CARRY, [row.battle_id, row.line, row.depth])
    return sent


def _post(task: str, args: list[Any]) -> int:
    try:
        current_app.send_task(task, args=args, ignore_result=True, retry=False)
    except OperationalError:
        log.warning("the broker cannot be reached; %s is sent again by the next sweep", task)
        return 0
    return 1
