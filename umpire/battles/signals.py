"""What others in this process may listen to."""

from collections.abc import Iterable, Mapping

from django.db import transaction
from django.dispatch import Signal

published = Signal()
"""Sent after the commit: `seats`, the number of the last news by the ids of seats that got news, and `woken`, the ids
of seats for which something changed that is no news (a question, an order, a message, the desk)."""


def announce(told: Mapping[str, int], woken: Iterable[str] = ()) -> None:
    """After the commit: who got news is told so, and who has something new to ask for is woken."""
    seats, others = dict(told), frozenset(woken)
    if seats or others:
        transaction.on_commit(lambda: published.send(sender=None, seats=seats, woken=others), robust=True)


def wake(seats: Iterable[str]) -> None:
    """After the commit: these seats have something new to ask for."""
    announce({}, seats)
