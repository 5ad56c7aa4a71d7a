"""A Celery worker that comes back by itself.

A worker ends where something breaks that it does not expect: Redis lost at a bad moment, a child that dies while the
pool starts. Nothing is lost by that (what is to be done stands in the database), but nothing more would be done. So it
begins anew, as the same process with the same command, whatever started it.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from typing import Any

from celery.apps import worker
from celery.platforms import close_open_fds
from celery.worker import state

logger = logging.getLogger(__name__)

PAUSE = 2.0
"""Seconds before it begins anew."""
STOPS_WITHIN = 20.0
"""Seconds that a broken worker has to stop; then it is not waited for."""


class Worker(worker.Worker):  # type: ignore[misc]
    """The worker of the command `celery worker`."""

    def start(self) -> None:
        super().start()
        if not is_told():
            again()

    def stop(self, in_sighandler: bool = False, exitcode: int | None = None) -> None:
        raised = sys.exc_info()[1]
        if isinstance(raised, KeyboardInterrupt):
            state.should_stop = os.EX_OK
        timer = threading.Timer(STOPS_WITHIN, again)
        timer.daemon = True
        if not is_told() and isinstance(raised, Exception):
            timer.start()  # what is broken may hang while it is put away
        super().stop(in_sighandler, exitcode)
        timer.cancel()


def is_told() -> bool:
    """Whether a worker of this process has been told to end."""
    # Zero is an exit status here, and means that it has been told.
    return any(asked is not None and asked is not False for asked in (state.should_stop, state.should_terminate))


def again(*_: Any) -> None:
    """Begins this process anew."""
    logger.error("The worker has broken; it begins anew in %.0f seconds", PAUSE)
    time.sleep(PAUSE)
    sys.stdout.flush()
    sys.stderr.flush()
    close_open_fds([sys.__stdin__, sys.__stdout__, sys.__stderr__])
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606
