"""The Celery application: tasks carry ids only, as JSON, and may be delivered twice."""

import os
from typing import Any

from celery import Celery, bootsteps
from kombu.exceptions import OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "umpire.settings.play")

SWEEP_TASK = "umpire.sweep_outbox"

app = Celery("umpire")
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
        from django.conf import settings

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
        except OperationalError:
            # The broker is away; the worker reconnects by itself and the next sweep comes soon.
            return


app.steps["worker"].add(OutboxSweep)
