"""The Celery application: tasks carry ids only, as JSON, and may be delivered twice."""

import logging
import os
from functools import cached_property
from typing import Any

from celery import Celery, bootsteps
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "umpire.settings.play")

logger = logging.getLogger(__name__)

SWEEP_TASK = "umpire.sweep_outbox"


class Application(Celery):
    """Celery, but for workers that come back by themselves."""

    @cached_property
    def Worker(self) -> Any:  # noqa: N802 -- Celery's name
        return self.subclass_with_self("umpire.serving.restarting_worker:Worker")


app = Application("umpire")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Shared tasks bind to the default application; without this a web process would send to another broker.
app.set_default()


class OutboxSweep(bootsteps.StartStopStep):
    """Every worker asks at start, and every few seconds, for what the outbox still holds to be sent again.

    It only sends the task named `SWEEP_TASK`; the pool runs it. A sweep that nobody has taken when the next
    is due expires, so they never pile up.
    """

    requires = {"celery.worker.components:Timer"}  # noqa: RUF012

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        self.entry: Any = None

    def start(self, parent: Any) -> None:
        seconds = float(settings.OUTBOX_SWEEP_SECONDS)
        self.sweep(seconds)
        self.entry = parent.timer.call_repeatedly(seconds, self.sweep, (seconds,))

    def stop(self, parent: Any) -> None:
        if self.entry is not None:
            self.entry.cancel()
            self.entry = None

    @staticmethod
    def sweep(seconds: float) -> None:
        task = app.tasks.get(SWEEP_TASK)
        if task is None:
            return
        try:
            task.apply_async(expires=seconds, retry=False)
        except Exception as failure:
            # The broker is away, full, or knows us no more; the worker reconnects and the next sweep comes soon.
            logger.warning("A sweep of the outbox could not be asked for: %s", failure)


app.steps["worker"].add(OutboxSweep)
