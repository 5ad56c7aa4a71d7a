"""One process: the worker inside it, and `manage.py play` from start to Ctrl-C."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from billiard.exceptions import WorkerLostError
from celery import current_app, shared_task
from celery.worker import state as worker_state
from celery.worker.consumer import Consumer
from django.contrib.auth import get_user_model
from django.core.management import CommandError
from django.db import OperationalError
from uvicorn.server import ServerState

from umpire import embedded
from umpire.celery import SWEEP_TASK, app
from umpire.serving import restarting_worker
from umpire.serving.capacity import Protocol

ROOT = Path(__file__).resolve().parents[2]


class Seen:
    """What a task run elsewhere in this process has left behind."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.threads: list[str] = []
        self.done = threading.Event()

    def add(self, value: Any) -> None:
        self.values.append(value)
        self.threads.append(threading.current_thread().name)
        self.done.set()


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def task(seen: Seen) -> Iterator[Any]:
    @app.task(name="tests.remember")
    def remember(value: int) -> None:
        seen.add(value)

    yield remember
    app.tasks.unregister("tests.remember")


def test_tasks_go_through_our_application() -> None:
    assert current_app._get_current_object() is app

    @shared_task(name="tests.shared")
    def shared() -> None: ...

    assert shared.app is app
    app.tasks.unregister("tests.shared")


def test_a_task_sent_here_is_run_by_the_worker_here(task: Any, seen: Seen) -> None:
    with embedded.worker():
        sent = time.monotonic()
        task.delay(42)
        assert seen.done.wait(20)
        took = time.monotonic() - sent
    assert seen.values == [42]
    assert seen.threads != [threading.current_thread().name]
    assert took < 5


def test_what_was_sent_before_the_worker_came_is_run_when_it_comes(task: Any, seen: Seen) -> None:
    task.delay(7)
    assert not seen.done.wait(0.2)
    with embedded.worker():
        assert seen.done.wait(20)
    assert seen.values == [7]


def test_the_worker_ends_and_another_can_follow(task: Any, seen: Seen) -> None:
    for value in (1, 2):
        with embedded.worker():
            task.delay(value)
            assert seen.done.wait(20)
            seen.done.clear()
        assert not [thread for thread in threading.enumerate() if thread.name == "umpire-worker"]
    assert seen.values == [1, 2]


def test_a_worker_that_breaks_is_followed_by_another(task: Any, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its start, and again in the middle of its work."""
    starts: list[float] = []
    plain = Consumer.start
    broken = threading.Event()

    def start(self: Any) -> Any:
        starts.append(time.monotonic())
        if len(starts) == 1:
            raise KeyError("a child of the pool has died at its start")
        if len(starts) == 2:
            broken.set()
            raise AttributeError("Redis was lost at a bad moment")
        return plain(self)

    monkeypatch.setattr(Consumer, "start", start)
    with embedded.worker():
        assert broken.is_set()
        task.delay(42)
        assert seen.done.wait(10)
    assert seen.values == [42]
    assert len(starts) == 3
    assert not [thread for thread in threading.enumerate() if thread.name == "umpire-worker"]


def test_a_worker_that_never_comes_up_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: Any) -> None:
        raise KeyError("each time")

    monkeypatch.setattr(Consumer, "start", start)
    with pytest.raises(embedded.WorkerDied), embedded.worker(within=0.5):
        pytest.fail("it is not there")


class Ended(Exception):
    """Instead of another program in the place of this one."""


@pytest.mark.parametrize("told", [None, "stop", "interrupt"])
def test_the_worker_of_the_command_begins_anew_unless_it_was_told_to_end(
    monkeypatch: pytest.MonkeyPatch, told: str | None
) -> None:
    commands: list[list[str]] = []

    def execute(program: str, command: list[str]) -> None:
        commands.append(command)
        raise Ended

    def broken(self: Any, parent: Any) -> None:
        if told == "interrupt":
            raise KeyboardInterrupt
        monkeypatch.setattr(worker_state, "should_stop", 0 if told else None)
        raise WorkerLostError("Could not start worker processes")

    monkeypatch.setattr(worker_state, "should_stop", None)
    monkeypatch.setattr(restarting_worker, "PAUSE", 0)
    monkeypatch.setattr(os, "execv", execute)
    monkeypatch.setattr(restarting_worker, "close_open_fds", lambda kept: None)
    made = app.Worker(pool="solo", hostname="anew@here", without_gossip=True, without_mingle=True)
    assert isinstance(made, restarting_worker.Worker)
    monkeypatch.setattr(type(made.blueprint), "start", broken)
    with suppress(Ended):
        made.start()
    assert commands == ([] if told else [[sys.executable, *sys.orig_argv[1:]]])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_task_sees_what_was_committed(seen: Seen) -> None:
    users = get_user_model().objects

    @app.task(name="tests.name_of")
    def name_of(number: int) -> None:
        seen.add(users.get(pk=number).get_username())

    with embedded.worker():
        name_of.delay(users.create_user("anna").pk)
        assert seen.done.wait(20)
    assert seen.values == ["anna"]
    app.tasks.unregister("tests.name_of")


def test_each_worker_asks_for_the_outbox_to_be_swept(
    seen: Seen, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OUTBOX_SWEEP_SECONDS = 0.3
    enough = threading.Event()

    def sweep() -> None:
        seen.add(None)
        if len(seen.values) >= 3:
            enough.set()

    monkeypatch.delitem(app.tasks, SWEEP_TASK, raising=False)
    app.task(name=SWEEP_TASK)(sweep)
    with embedded.worker():
        assert enough.wait(10)
    app.tasks.unregister(SWEEP_TASK)


def test_a_taken_port_is_named_with_what_changes_it() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=rf"Port {port} cannot be used .* variable PORT"):
            embedded.listen("127.0.0.1", port)


def test_answers_on_a_kept_connection_go_out_at_once() -> None:
    """Whatever the socket that listens says of its protocol: `listen` names none, nor does uvicorn with workers."""
    found: list[int] = []

    class Looked(Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            found.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def connect(listening: socket.socket) -> None:
        config = uvicorn.Config("umpire.asgi:application", http=Looked, log_config=None)
        state = ServerState()
        make = lambda: Looked(config, state, {})  # noqa: E731
        async with await asyncio.get_running_loop().create_server(make, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            while not found:
                await asyncio.sleep(0.001)
            writer.close()

    with embedded.listen("127.0.0.1", 0) as listening:
        asyncio.run(connect(listening))
    assert found == [1]


@pytest.mark.parametrize("port", ["abc", "0", "70000", "-1", "８０", ""])
def test_what_is_no_port_is_said_in_one_line(port: str) -> None:
    with pytest.raises(CommandError, match=r"is no port: give a number from 1 to 65535"):
        embedded.port_from(port)


def test_an_address_of_another_machine_is_named() -> None:
    with pytest.raises(CommandError, match=r"'nowhere\.invalid' is no address of this machine"):
        embedded.listen("nowhere.invalid", 0)


@pytest.mark.parametrize("fault", ["database or disk is full", "attempt to write a readonly database"])
def test_a_database_that_cannot_be_used_is_said_in_one_line(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise OperationalError(fault)

    monkeypatch.setattr(embedded, "call_command", fail)
    with pytest.raises(CommandError, match=rf"^The database \S+ cannot be used \({fault}\)[^\n]*$"):
        embedded.prepared()


def test_play_serves_until_interrupted(tmp_path: Path, free_port: int) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "PYTEST_"))}
    environ |= {"UMPIRE_VAR": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": "", "PYTHONUNBUFFERED": "1"}
    playing = subprocess.Popen(
        [sys.executable, "manage.py", "play", "--port", str(free_port), "--host", "127.0.0.1"],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert playing.stdout is not None
    said: list[str] = []
    try:
        for line in playing.stdout:
            said.append(line)
            if "Stop with Ctrl-C" in line:
                break
        with urllib.request.urlopen(f"http://127.0.0.1:{free_port}/healthz", timeout=10) as answer:
            assert answer.read() == b"ok\n"
        playing.send_signal(signal.SIGINT)
        rest, _ = playing.communicate(timeout=30)
        said.append(rest)
    finally:
        if playing.poll() is None:
            playing.kill()
            playing.communicate()
    everything = "".join(said)
    assert playing.returncode == 0, everything
    assert f"http://localhost:{free_port}" in everything
    assert everything.rstrip().endswith("Stopped.")
    assert "Traceback" not in everything
    assert not re.search(r"\b(WARNING|ERROR)\b", everything), everything
    kept = [path for path in tmp_path.iterdir() if path.is_file()]
    assert {"umpire.sqlite3", "secret_key"} <= {path.name for path in kept}
    assert [path.name for path in kept if path.stat().st_mode & 0o077] == []
