"""Everything in one process: the server, the Celery worker on a broker in memory, and demo battles to begin with."""

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import uvicorn
from celery import Celery
from celery.worker import state as worker_state
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from umpire.celery import app as celery_app
from umpire.serving.capacity import Protocol
from umpire.serving.network import addresses

# How long open event streams are waited for when the server stops, in seconds.
STREAMS_CLOSE_WITHIN = 2
THREADS = 4
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
"""Seconds before a worker that has broken is followed by another: at first, and when that happens again and again."""

logger = logging.getLogger(__name__)


class WorkerDied(RuntimeError):
    """The embedded worker ended before it was ready."""


@contextmanager
def worker(app: Celery = celery_app, threads: int = THREADS, within: float = 20.0) -> Iterator[None]:
    """A Celery worker of this process's own, in threads, for as long as the context lasts.

    Entering returns when the worker takes tasks; leaving returns when what it had begun is done. A worker that breaks
    meanwhile is followed by another. Raises WorkerDied if none comes up within `within` seconds.
    """
    ready, stopping = threading.Event(), threading.Event()
    failures: list[BaseException] = []
    name = f"embedded-{os.getpid()}@{socket.gethostname()}"

    def run() -> None:
        pause = FIRST_PAUSE
        while not stopping.is_set():
            try:
                _controller(app, name, threads, ready).start()
            except BaseException as failure:
                failures.append(failure)
            if stopping.is_set():
                return
            logger.error("The worker in this process has broken; another begins in %.1f seconds", pause)
            stopping.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    # Raised by the worker before this one.
    worker_state.should_stop = None
    thread = threading.Thread(target=run, name="umpire-worker", daemon=True)
    thread.start()
    try:
        if not ready.wait(within):
            raise WorkerDied("The worker in this process did not start.") from (failures[-1] if failures else None)
        yield
    finally:
        stopping.set()
        # Celery's workers stop by a flag of their module; they look at it after each message, so they are sent one.
        worker_state.should_stop = os.EX_OK
        app.control.broadcast("ping", destination=[name])
        thread.join(within)


def _controller(app: Celery, name: str, threads: int, ready: threading.Event) -> Any:
    return app.WorkController(
        pool="threads",
        concurrency=threads,
        hostname=name,
        timer_precision=0.2,
        ready_callback=lambda consumer: ready.set(),
        # All three speak to other workers, and there are none.
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )


def port_from(text: str) -> int:
    """A port as somebody gives it. Raises CommandError for what is none."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 65536):
        raise CommandError(f"{text!r} is no port: give a number from 1 to 65535, for example: make play PORT=8000")
    return int(text)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; CommandError, with what to do, where the port cannot be had."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except socket.gaierror as refusal:
        listening.close()
        raise CommandError(f"{host!r} is no address of this machine ({refusal.strerror}).") from None
    except OSError as refusal:
        listening.close()
        raise CommandError(
            f"Port {port} cannot be used ({refusal.strerror}). Choose another with the variable PORT, "
            f"for example: make play PORT={port + 1 if port < 65535 else 8000}"
        ) from None
    return listening


class Ready(NamedTuple):
    """What there is to open: the umpire's account with the path of a link that signs in once, and the demo battles,
    each with its title, and name and path of each seat."""

    account: str
    sign_in: str
    demos: list[tuple[str, list[tuple[str, str]]]]


def ready() -> Ready:
    """The umpire's account and the demo battles, made on first use."""
    from umpire.battles.services import first_account, sign_in_token  # noqa: PLC0415 - the database is migrated now
    from umpire.battles.services.demo import prepare_demos  # noqa: PLC0415 - the database is migrated now

    account = first_account()
    return Ready(account.get_username(), f"/sign-in#{sign_in_token(account=account)}", prepare_demos(account))


def prepared() -> Ready:
    """What there is to open, in a database that is brought up to date. Raises CommandError for one that cannot be
    used."""
    try:
        call_command("migrate", interactive=False, verbosity=0)
        return ready()
    except (DatabaseError, OSError) as fault:
        raise CommandError(
            f"The database {settings.DATABASES['default']['NAME']} cannot be used ({fault}). Is the disk full, or may "
            "its folder not be written? A damaged file is moved away, or a backup put in its place (deploy/README.md)."
        ) from None


def play(port: int, host: str = "0.0.0.0") -> None:
    """Serve until interrupted: migrate, make the demo battles, print a link per seat, start the worker, listen."""
    listening = listen(host, port)
    with listening:
        found = prepared()

        from umpire.asgi import application  # noqa: PLC0415 - it sets Django up

        config = uvicorn.Config(
            application,
            http=Protocol,
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=STREAMS_CLOSE_WITHIN,
            server_header=False,
        )
        with worker():
            say(port, found)
            serve(uvicorn.Server(config), listening)
        print("Stopped.", flush=True)


def say(port: int, found: Ready) -> None:
    here = f"http://localhost:{port}"
    network = addresses()
    others = [f"http://{address}:{port}" for address in network]
    print(f"\nUmpire is running at {here}" + (f" and, on this network, {' and '.join(others)}" if others else ""))
    print(f"\nThe umpire's account is {found.account!r}. This link signs in to it, once:\n  {here}{found.sign_in}")
    if found.demos:
        print("\nThese battles are ready; open each link on the device of whoever sits there.")
        width = max(len(name) for _, links in found.demos for name, _ in links)
        for title, links in found.demos:
            print(f"\n{title}")
            for name, path in links:
                print(f"  {name:<{width}}  {here}{path}")
        if network:
            print(f"\nOn other devices put {network[0]} in the place of localhost.")
    print("\nStop with Ctrl-C.\n", flush=True)


def serve(server: Any, listening: socket.socket) -> None:
    # Stopped by a signal, the server ends in good order and passes the signal on; here it has done its work.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
