"""A database server or a Redis that hangs: nobody waits for it without end."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import OperationalError, transaction
from django.db.utils import ConnectionHandler
from kombu.exceptions import OperationalError as BrokerError

from tests.server.conftest import make_table
from umpire.battles import outbox
from umpire.battles.models import Outbox
from umpire.live import wakes
from umpire.serving import wait_budget
from umpire.serving.background import MOST, BackgroundQueue
from umpire.settings import environment


class Line:
    """A line to a server that can be frozen: it stays open, and says nothing more."""

    def __init__(self, host: str, port: int) -> None:
        self.to = (host, port)
        self.is_frozen = False
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self.listening.accept()
            except OSError:
                return
            there = socket.create_connection(self.to)
            self.ends += [here, there]
            threading.Thread(target=self._carry, args=(here, there), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        try:
            while True:
                ready, _, _ = select.select([here, there], [], [], 0.02)
                for end in [] if self.is_frozen else ready:
                    data = end.recv(65536)
                    if not data:
                        return
                    (there if end is here else here).sendall(data)
        except (OSError, ValueError):
            return
        finally:
            here.close()
            there.close()

    def close(self) -> None:
        self.listening.close()
        for end in self.ends:
            end.close()


@pytest.fixture
def line(postgres_url: str) -> Iterator[Line]:
    parts = urlsplit(postgres_url)
    made = Line(parts.hostname or "127.0.0.1", parts.port or 5432)
    yield made
    made.close()


@pytest.fixture
def database(postgres_url: str, line: Line) -> Iterator[Any]:
    """A connection of Django's along that line."""
    parts = urlsplit(postgres_url)
    name, _, _ = parts.netloc.rpartition("@")
    address = urlunsplit(parts._replace(netloc=f"{name}@127.0.0.1:{line.port}"))
    handler = ConnectionHandler({"default": environment.database(address)})
    made: Any = handler["default"]
    yield made
    made.close()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def asked(database: Any) -> int:
    with database.cursor() as cursor:
        cursor.execute("SELECT 7")
        return int(cursor.fetchone()[0])


@pytest.mark.django_db
def test_a_server_that_hangs_is_waited_for_as_long_as_there_is_patience(database: Any, line: Line) -> None:
    """In all: what follows in the same request does not wait anew."""
    with wait_budget.within(0.4):
        assert asked(database) == 7
        line.is_frozen = True
        start = time.monotonic()
        for _ in range(5):
            with pytest.raises(OperationalError, match=r"does not answer|closed"):
                asked(database)
        assert 0.3 < time.monotonic() - start < 2
    assert not database.is_usable()


@pytest.mark.django_db
@pytest.mark.parametrize("moment", ["statement", "commit"])
def test_a_transaction_in_which_it_hangs_ends(database: Any, line: Line, moment: str) -> None:
    database.set_autocommit(False)
    with wait_budget.within(0.4):
        asked(database)
        line.is_frozen = True
        start = time.monotonic()
        with pytest.raises(OperationalError, match="does not answer"):
            database.commit() if moment == "commit" else asked(database)
        with pytest.raises(OperationalError):
            database.rollback()
        database.close()
        assert time.monotonic() - start < 2
    line.is_frozen = False
    assert asked(database) == 7, "a new connection serves again"


@pytest.mark.django_db
def test_a_server_that_lets_nobody_in_is_waited_for_a_little(database: Any, line: Line) -> None:
    line.is_frozen = True
    with wait_budget.within(0.4):
        start = time.monotonic()
        with pytest.raises(OperationalError):
            asked(database)
        assert time.monotonic() - start < 4, "libpq's shortest wait is two seconds"


@pytest.mark.django_db
def test_work_is_not_waiting(database: Any) -> None:
    with wait_budget.within(0.3):
        asked(database)
        time.sleep(0.4)
        assert asked(database) == 7
        left = wait_budget.left()
        assert left is not None
        assert 0.1 < left <= 0.3
    assert wait_budget.left() is None


@pytest.mark.django_db
def test_the_server_lets_go_of_whoever_is_frozen_in_a_transaction(database: Any) -> None:
    with database.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("15s",)


# Redis


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_no_order_waits_for_the_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these makes plans due, and sending hangs."""
    may_go, sent = threading.Event(), []

    def hangs(task: str, args: Any, **given: Any) -> None:
        sent.append((task, tuple(args)))
        may_go.wait(20)

    monkeypatch.setattr("celery.current_app.send_task", hangs)
    start = time.monotonic()
    tables = [make_table() for _ in range(4)]
    for table in tables:
        table.carry()
        table.give("umpire", "give_plan", acting_for="red_2", unit=table.unit("Thorn"), goal=6, on_contact="halt")
    assert time.monotonic() - start < 10
    may_go.set()
    for table in tables:
        assert Outbox.objects.filter(battle=table.battle).exclude(attempts=0).exists(), "the sweep sends it again"


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_for_is_sent_after_the_commit_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(outbox, "_post", lambda task, args: sent.append((task, *args)))
    with transaction.atomic():
        table = make_table()
        time.sleep(0.05)
        wanted = (outbox.CARRY, table.battle.id, 0, 0)
        assert wanted not in sent
    until(lambda: wanted in sent)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_refuses_fails_no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table()
    for failure in (BrokerError("away"), ValueError("OOM command not allowed"), OSError("no descriptors")):

        def post(task: str, args: Any, failure: Exception = failure) -> None:
            raise failure

        monkeypatch.setattr(outbox, "_post", post)
        Outbox.objects.filter(battle=table.battle).update(due_at=table.battle.created)
        assert outbox.sweep() == 0


def test_waking_never_waits_for_redis(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        told: list[frozenset[str]] = []
        wakes.listen(told.append)
        start = time.monotonic()
        for n in range(50):
            wakes.announce([f"seat{n}"])
        assert time.monotonic() - start < 0.5
        wakes.unlisten(told.append)
    assert len(told) == 50, "within the process everybody hears at once"


def test_errands_are_bounded_and_what_fails_takes_with_it_what_waits() -> None:
    queue, may_go, done = BackgroundQueue("test"), threading.Event(), []
    began = threading.Event()

    def fails() -> None:
        began.set()
        may_go.wait(20)
        raise OSError("away")

    queue.put("first", fails)
    assert began.wait(10)
    for n in range(MOST + 10):
        queue.put(n, lambda n=n: done.append(n))  # type: ignore[misc]
    assert len(queue.waiting) == MOST
    may_go.set()
    ended = threading.Event()
    until(lambda: not queue.waiting)
    queue.put("next", ended.set)
    assert ended.wait(10)
    assert done == []
