"""Orders change their status in one place, which numbers the changes that can be told and wakes whoever is told.

Whoever calls this holds the battle's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Max, QuerySet

from umpire.battles.models import Order, Seat, told_of
from umpire.battles.signals import wake


def order_made(order: Order) -> None:
    """Stores a new order as the last of its battle. Who gave it has it in his answer; he is woken by what follows."""
    battle = Order.objects.filter(battle_id=order.battle_id)
    order.sequence = (battle.aggregate(last=Max("sequence"))["last"] or 0) + 1
    _number([order])
    order.save(force_insert=True)


def orders_move(orders: QuerySet[Order], to: str, **columns: Any) -> int:
    """Gives orders another status: how many there were. Where their givers are told the same as before nothing is
    numbered, and nobody is woken."""
    found = list(orders.order_by("sequence"))
    told = [order for order in found if told_of(order.status) != told_of(to)]
    Order.objects.filter(pk__in=[order.pk for order in found]).update(status=to, **columns)
    if told:
        _number(told)
        Order.objects.bulk_update(told, ["changed", "changed_in_battle"], batch_size=200)
        wake({order.seat_id for order in told})
    return len(found)


def _number(orders: Sequence[Order]) -> None:
    """Gives orders of one battle the next numbers: of their seats, which tell each seat of its own orders alone, and of
    the battle."""
    rows = Order.objects.filter(battle_id=orders[0].battle_id)
    in_battle = rows.aggregate(last=Max("changed_in_battle"))["last"] or 0
    seats = {order.seat_id for order in orders}
    of_seat = {seat: rows.filter(seat=seat).aggregate(last=Max("changed"))["last"] or 0 for seat in seats}
    for number, order in enumerate(orders, start=in_battle + 1):
        of_seat[order.seat_id] += 1
        order.changed, order.changed_in_battle = of_seat[order.seat_id], number


def wake_umpires(battle_id: str) -> None:
    """Has the umpires of a battle told that something on the desk has changed that is no news."""
    wake(Seat.objects.filter(battle=battle_id, role=Seat.Role.UMPIRE).values_list("pk", flat=True))
