"""Who goes first where the web server and the worker share a process, and with it the interpreter.

An order takes some hundredths of a second of computing, the plans of forty hidden squads some tenths. Computing at the
same time, each order would take its own time twice, and once more where the plans were published while it was being
checked. So what nobody watches steps aside while a person waits for an answer. Where the worker is a process of its own
nobody is ever ahead of it here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.http import HttpRequest, HttpResponse

STEPS_ASIDE_FOR = 1.0
"""Seconds in all that one piece of work steps aside; then it goes on however many people wait."""

_changed = threading.Condition()
_ahead: dict[int, int] = {}
"""How many requests each thread is answering."""


@contextmanager
def ahead() -> Iterator[None]:
    """This thread answers somebody who waits."""
    me = threading.get_ident()
    with _changed:
        _ahead[me] = _ahead.get(me, 0) + 1
    try:
        yield
    finally:
        with _changed:
            _ahead[me] -= 1
            if not _ahead[me]:
                del _ahead[me]
            _changed.notify_all()


class LowPriority:
    """How long one piece of work may still step aside."""

    def __init__(self, seconds: float = STEPS_ASIDE_FOR) -> None:
        self.left = seconds
        self.has_given_way = False
        """Whether somebody has gone ahead since this was last set to False."""

    def give_way(self) -> bool:
        """Waits until this process answers nobody, or for as long as is left. Whether it waited at all."""
        me = threading.get_ident()
        if self.left <= 0 or not _others(me):
            return False
        start = time.monotonic()
        with _changed:
            _changed.wait_for(lambda: not _others(me), timeout=self.left)
        self.left -= time.monotonic() - start
        self.has_given_way = True
        return True

    def end(self) -> None:
        """Steps aside no more."""
        self.left = 0


def _others(me: int) -> bool:
    return any(thread != me for thread in tuple(_ahead))


class RequestsFirst:
    """Middleware: each request is somebody who waits."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with ahead():
            return self.get_response(request)
