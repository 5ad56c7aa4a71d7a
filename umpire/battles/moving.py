"""Orders change their status in one place, which numbers the changes that can be told and wakes whoever is told.

Whoever calls this holds the battle's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from umpire.battles.models import Order, Seat, told_of
from umpire.battles.signals import wake
from umpire.battles.sql import Prepared, insert


def order_made(order: Order) -> None:
    """Stores a new order as the last of its battle. Who gave it has it in his answer; he is woken by what follows."""
    order.sequence = _last(_sequences, order.battle_id) + 1
    _number([order])
    insert([order])
    order._state.adding = False


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
    in_battle = _last(_changes, orders[0].battle_id)
    of_seat = {seat: _last(_changes_of_seat, seat) for seat in {order.seat_id for order in orders}}
    for number, order in enumerate(orders, start=in_battle + 1):
        of_seat[order.seat_id] += 1
        order.changed, order.changed_in_battle = of_seat[order.seat_id], number


def _highest(number: str, **of: str) -> QuerySet[Order, Any]:
    return Order.objects.filter(**of).order_by(f"-{number}").values_list(number)[:1]


def _last(numbers: Prepared[Order], of: str) -> int:
    """The highest number of the orders of a battle or a seat; 0 where there is none."""
    return next((number for [number] in numbers.rows(of)), 0)


_sequences = Prepared(lambda battle: _highest("sequence", battle=battle), str)
_changes = Prepared(lambda battle: _highest("changed_in_battle", battle=battle), str)
_changes_of_seat = Prepared(lambda seat: _highest("changed", seat=seat), str)


def wake_umpires(battle_id: str) -> None:
    """Has the umpires of a battle told that something on the desk has changed that is no news."""
    wake(Seat.objects.filter(battle=battle_id, role=Seat.Role.UMPIRE).values_list("pk", flat=True))
