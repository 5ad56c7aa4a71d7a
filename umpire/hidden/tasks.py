"""Celery tasks. They carry ids only, may be delivered twice, and lose nothing when they are lost."""

from __future__ import annotations

import time

from celery import shared_task

from umpire.battles import idempotency, outbox
from umpire.battles.services import orders_take
from umpire.hidden import services
from umpire.serving import wait_budget

DATABASE_WITHIN = 30.0
"""Seconds that a task waits for the database in all; then it fails, and the sweep sends it again."""

CLEARS_EVERY = 3600.0
_cleared: float | None = None


@shared_task(name=outbox.CARRY, ignore_result=True)
def carry(battle_id: str, line: int, depth: int) -> None:
    """Carries on the plans that are due because of this place in the ledger."""
    with wait_budget.within(DATABASE_WITHIN):
        services.carry_due(battle_id=battle_id, line=line, depth=depth)


@shared_task(name=outbox.TAKE, ignore_result=True)
def take_orders(battle_id: str) -> None:
    """Takes orders from a queue that was left standing."""
    with wait_budget.within(DATABASE_WITHIN):
        orders_take(battle_id=battle_id)


@shared_task(name="umpire.sweep_outbox", ignore_result=True)
def sweep() -> None:
    """Sends again what is not struck out; the worker asks for it at start and every few seconds. Once an hour, in each
    process, it also clears away what is kept for nobody."""
    global _cleared
    with wait_budget.within(DATABASE_WITHIN):
        outbox.sweep()
        if _cleared is None or time.monotonic() - _cleared > CLEARS_EVERY:
            _cleared = time.monotonic()
            idempotency.prune()
