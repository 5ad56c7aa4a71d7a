"""A Celery worker on Redis: killed in the middle of its work, its broker emptied, its tasks delivered again."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
import redis
from celery import Celery
from celery.worker import state
from django.conf import settings
from django.db import connection, connections

from tests.server.conftest import Table, make_table
from tests.server.processes import FAILED, Killer
from tests.server.test_kills import carried_on
from umpire.battles import outbox
from umpire.battles.models import Outbox
from umpire.celery import app

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

PATIENCE = 30.0


@contextmanager
def worker(url: str, *, dies_at: int = 0) -> Iterator[int]:
    """The id of a process with a worker; it kills itself at its `dies_at`-th statement, or is killed at the end."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            _work(url, dies_at)
        except BaseException:
            traceback.print_exc()
        os._exit(FAILED)
    try:
        yield child
    finally:
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def _work(url: str, dies_at: int) -> None:

    app._after_fork()  # forget the connections of the process before
    state.should_stop = state.should_terminate = None  # and that a worker of its own was told to stop
    settings.OUTBOX_SWEEP_SECONDS = 0.3
    app.conf.update(broker_url=url, broker_transport_options={"visibility_timeout": 300})
    options = ["--pool=solo", "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=ERROR"]
    if not dies_at:
        app.worker_main(["worker", *options])
    with connection.execute_wrapper(Killer(dies_at, after=False)):
        app.worker_main(["worker", *options])


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.05)


def is_done(table: Table) -> bool:
    return not Outbox.objects.filter(battle=table.battle, done=None).exists()


@pytest.mark.redis
@pytest.mark.parametrize("dies_at", [2, 8, 14, 20])
def test_killed_emptied_and_delivered_again(redis_url: str, monkeypatch: pytest.MonkeyPatch, dies_at: int) -> None:
    monkeypatch.setattr(outbox, "AGAIN", timedelta(seconds=0.2))
    table = make_table()
    Outbox.objects.filter(battle=table.battle).update(attempts=0, due_at=table.battle.created)
    with worker(redis_url, dies_at=dies_at) as process:
        _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    table.check()
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()
    with worker(redis_url):
        until(lambda: is_done(table))
        with Celery(broker=redis_url, set_as_current=False) as sender:
            for _ in range(3):
                sender.send_task(outbox.CARRY, args=[table.battle.id, 0, 0])
        with redis.Redis.from_url(redis_url) as broker:
            until(lambda: broker.llen("celery") == 0)
        time.sleep(0.5)
    assert carried_on(table) == 1
    assert len(table.questions("umpire")) == 1
    table.check()


def test_a_worker_in_the_same_process_is_woken_by_the_commit(embedded_worker: None) -> None:
    table = make_table()
    until(lambda: is_done(table))
    table.answer("umpire", "halt")
    table.give("umpire", "give_plan", acting_for="red_2", unit=table.unit("Thorn"), goal=6, on_contact="halt")
    until(lambda: is_done(table))
    assert carried_on(table) == 2
    table.check()
