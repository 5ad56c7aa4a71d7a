"""Who gets woken: after a commit the ids of the seats that got news, and nothing else, go to every web process.

Within the process they are handed over directly; where there is Redis it carries them to all others, from a thread of
its own, for nobody waits for Redis. They may be lost: each process also asks slowly, for the seats it serves, how far
their news has come.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.conf import settings

from umpire.serving.background import BackgroundQueue

CHANNEL = "umpire:wake"

NEWS_ONLY = "+"
"""Stands behind the id of a seat that got news and has nothing else to ask for."""

Listener = Callable[[frozenset[str]], None]

_listeners: set[Listener] = set()
_lock = threading.Lock()
_clients: dict[str, Any] = {}
_queue = BackgroundQueue("wakes")
_MARK = secrets.token_hex(8)


def announce(seats: Iterable[str], woken: Iterable[str] = ()) -> None:
    """Tells every process that these seats got news, and which of them or others have something else to ask for (or
    were revoked). Call it after the commit, from any thread.

    Neither waits nor raises: who is not told hears it at the next slow look."""
    asking = frozenset(woken)
    ids = frozenset(f"{seat}{NEWS_ONLY}" for seat in seats if seat not in asking) | asking
    if not ids:
        return
    with _lock:
        listeners = tuple(_listeners)
    for listener in listeners:
        listener(ids)
    if settings.REDIS_URL:
        url = settings.REDIS_URL
        _queue.put((url, ids), lambda: _publish(url, ids))


def _publish(url: str, ids: frozenset[str]) -> None:
    """Sends the ids to all processes; this one knows them already."""
    import redis  # noqa: PLC0415 - ten megabytes that a server without Redis does not need

    if url not in _clients:
        _clients[url] = redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)
    _clients[url].publish(CHANNEL, json.dumps({"by": _name(), "seats": sorted(ids)}))


def _name() -> str:
    """The name of this process among all that talk by one Redis."""
    return f"{_MARK}-{os.getpid()}"


def heard(sender: Any, seats: Mapping[str, int], woken: frozenset[str], **kwargs: Any) -> None:
    """What the battles' signal of a commit calls."""
    announce(seats, woken)


def listen(listener: Listener) -> None:
    """Calls `listener` with the ids announced in this process, from the announcing thread."""
    with _lock:
        _listeners.add(listener)


def unlisten(listener: Listener) -> None:
    with _lock:
        _listeners.discard(listener)


def ids_in(message: bytes | str) -> frozenset[str]:
    """The ids in a message of the channel; empty for what is none, and for what this process has sent itself."""
    try:
        told = json.loads(message)
        return frozenset() if told["by"] == _name() else frozenset(one for one in told["seats"] if isinstance(one, str))
    except (ValueError, TypeError, LookupError):
        return frozenset()
