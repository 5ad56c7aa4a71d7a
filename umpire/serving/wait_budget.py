"""How long a thread waits for the database in all, so that a database that hangs does not hang the server with it; and
what is raised when it is away.

What is counted is waiting, not work: a thread that computes for long has all of its budget left.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, InternalError, OperationalError

_own = threading.local()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Until the end of the context this thread waits for the database for `seconds` in all, at most."""
    before = left()
    _own.left = seconds
    try:
        yield
    finally:
        _own.left = before


def left() -> float | None:
    """How many seconds this thread may still wait; None where nobody has said."""
    found: float | None = getattr(_own, "left", None)
    return found


def spend(seconds: float) -> None:
    """Seconds were waited."""
    if (before := left()) is not None:
        _own.left = max(0.0, before - seconds)


CUT_OFF = ("25P03", "25P04")
"""PostgreSQL's words for ending a session that was frozen in the middle of a transaction."""


def is_unavailable(raised: BaseException | None) -> bool:
    """Whether an exception says that the database cannot be used at the moment; the fault is not the request's."""
    if isinstance(raised, InternalError):
        return getattr(raised.__cause__, "sqlstate", None) in CUT_OFF
    return isinstance(raised, OperationalError | InterfaceError)
