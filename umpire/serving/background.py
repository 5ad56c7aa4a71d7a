"""What is sent off a request's path: to the broker, and to other processes. Nobody waits for it, and it may be lost.

Whoever sends has a safety net elsewhere (the outbox is swept, streams look by themselves), so what cannot be sent is
dropped, and with it all that waits behind it: a Redis that hangs is asked once in a while and holds one thread.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Hashable

logger = logging.getLogger(__name__)

MOST = 1000
"""Jobs that wait; the oldest is dropped for one more."""


class BackgroundQueue:
    """Jobs of one kind, run one after the other in a thread of their own, which begins with the first of them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.waiting: dict[Hashable, Callable[[], object]] = {}
        self.changed = threading.Condition()
        self.runner = 0
        """The process whose thread runs them: a fork has none."""

    def put(self, key: Hashable, job: Callable[[], object]) -> None:
        """Has a job run soon, instead of one with the same key that still waits. Returns at once, never raises."""
        if self.runner != os.getpid():
            self._begin()
        with self.changed:
            self.waiting.pop(key, None)
            self.waiting[key] = job
            if len(self.waiting) > MOST:
                del self.waiting[next(iter(self.waiting))]
            self.changed.notify()

    def _begin(self) -> None:
        with _beginning:
            if self.runner == os.getpid():
                return
            # In a fork the lock may be held by a thread that is not here, and what waits is the parent's.
            self.changed = threading.Condition()
            self.waiting = {}
            threading.Thread(target=self._run, name=f"background-{self.name}", daemon=True).start()
            self.runner = os.getpid()

    def _run(self) -> None:
        while True:
            with self.changed:
                while not self.waiting:
                    self.changed.wait()
                key = next(iter(self.waiting))
                job = self.waiting.pop(key)
            try:
                job()
            except Exception as failure:
                with self.changed:
                    dropped = len(self.waiting)
                    self.waiting.clear()
                logger.warning("%s: %s; %d more were dropped", self.name, failure or type(failure).__name__, dropped)


_beginning = threading.Lock()
os.register_at_fork(after_in_child=_beginning._at_fork_reinit)  # type: ignore[attr-defined]
