"""Celery tasks. They carry ids only, may be delivered twice, and lose nothing when they are lost."""

from __future__ import annotations

from celery import shared_task

from umpire import patience
from umpire.battles import outbox
from umpire.battles.services import orders_take
from umpire.hidden import services

DATABASE_WITHIN = 30.0
"""Seconds that a task waits for the database in all; then it fails, and the sweep sends it again."""


@shared_task(name=outbox.CARRY, ignore_result=True)
def carry(battle_id: str, line: int, depth: int) -> None:
    """Carries on the plans that are due because of this place in the ledger."""
    with patience.within(DATABASE_WITHIN):
        services.carry_due(battle_id=battle_id, line=line, depth=depth)


@shared_task(name=outbox.TAKE, ignore_result=True)
def take_orders(battle_id: str) -> None:
    """Takes orders from a queue that was left standing."""
    with patience.within(DATABASE_WITHIN):
        orders_take(battle_id=battle_id)


@shared_task(name="umpire.sweep_outbox", ignore_result=True)
def sweep() -> None:
    """Sends again what is not struck out; the worker asks for it at start and every few seconds."""
    with patience.within(DATABASE_WITHIN):
        outbox.sweep()
