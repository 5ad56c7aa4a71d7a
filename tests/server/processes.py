"""Processes that are killed at a chosen moment, and threads that act at the same time."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from django.db import connection, connections

SURVIVED = 0
FAILED = 70


class Killer:
    """Kills its own process before or after the n-th statement that it sends to the database."""

    def __init__(self, n: int, *, after: bool) -> None:
        self.n, self.after, self.count = n, after, 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self.count += 1
        if self.count == self.n and not self.after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = execute(sql, params, many, context)
        if self.count == self.n and self.after:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


def killed_in(act: Callable[[], Any], n: int, *, after: bool = False) -> bool:
    """Whether a process that does `act` is killed at its n-th statement; False where it has ended before."""

    def child() -> None:
        with connection.execute_wrapper(Killer(n, after=after)):
            act()

    return in_a_process(child) == -signal.SIGKILL


def in_a_process(act: Callable[[], Any]) -> int:
    """The exit status of a process of its own that does `act`: negative for a signal. Fails where `act` raises."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            act()
            status = SURVIVED
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)
            status = FAILED
        connections.close_all()
        os._exit(status)
    _, waited = os.waitpid(child, 0)
    status = os.waitstatus_to_exitcode(waited)
    assert status != FAILED, "what the other process did has raised (see its traceback)"
    return status


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What comes of acts begun at the same moment, each in a thread of its own; an exception stands for itself."""
    results: list[Any] = [None] * len(acts)
    barrier = threading.Barrier(len(acts))

    def run(index: int, act: Callable[[], Any]) -> None:
        try:
            barrier.wait(20)
            results[index] = act()
        except Exception as raised:
            results[index] = raised
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(index, act)) for index, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return results
