"""A log that is not flooded: what is said again and again is said a few times, and then how often."""

from __future__ import annotations

import logging
import threading
import time

SECONDS = 30.0
TIMES = 5
"""Of one kind of warning so many are written in as many seconds."""
KINDS = 500
"""Kinds that are told apart at a time."""


class RateLimit(logging.Filter):
    """Lets a few of each kind of warning through; the first after a while says how many were left out.

    Of a kind are those with the same logger, level and text but for what is put into it.
    """

    def __init__(self, seconds: float = SECONDS, times: int = TIMES) -> None:
        super().__init__()
        self.seconds, self.times = seconds, times
        self.seen: dict[tuple[str, int, str], tuple[float, int]] = {}
        self.lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = (record.name, record.levelno, str(record.msg)[:200])
        now = time.monotonic()
        with self.lock:
            start, count = self.seen.get(kind, (now, 0))
            left_out = 0
            if now - start >= self.seconds:
                left_out = max(0, count - self.times)
                start, count = now, 0
            if kind not in self.seen and len(self.seen) >= KINDS:
                self.seen.clear()
            self.seen[kind] = (start, count + 1)
        if left_out:
            record.msg = f"{record.msg} (and {left_out} more of this kind)"
        return count < self.times
