"""Who gets woken: after a commit the ids of the seats that got news, and nothing else, go to every web process.

Where there is Redis it carries them; within one process they are handed over directly. Both may be lost: each process
also asks slowly, for the seats it serves, how far their news has come.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

CHANNEL = "umpire:wake"

Listener = Callable[[frozenset[str]], None]

_listeners: set[Listener] = set()
_lock = threading.Lock()
_clients: dict[str, Any] = {}


def announce(seats: Iterable[str]) -> None:
    """Tells every process that these seats got news (or were revoked). Call it after the commit, from any thread.

    Never raises: who is not woken hears it at the next slow look."""
    ids = frozenset(seats)
    if not ids:
        return
    if settings.REDIS_URL and _published(settings.REDIS_URL, ids):
        return
    with _lock:
        listeners = tuple(_listeners)
    for listener in listeners:
        listener(ids)


def _published(url: str, ids: frozenset[str]) -> bool:
    """Sends the ids to all processes, this one too; whether that worked."""
    import redis  # ten megabytes that a server without Redis does not need

    with _lock:
        if url not in _clients:
            _clients[url] = redis.Redis.from_url(url, socket_connect_timeout=0.5, socket_timeout=0.5)
    try:
        _clients[url].publish(CHANNEL, json.dumps(sorted(ids)))
    except redis.RedisError:
        logger.warning("Redis is away: other processes hear of news at their next slow look")
        return False
    return True


def heard(sender: Any, seats: Mapping[str, int], **kwargs: Any) -> None:
    """What the battles' signal of a commit calls."""
    announce(seats)


def listen(listener: Listener) -> None:
    """Calls `listener` with the ids announced in this process, from the announcing thread."""
    with _lock:
        _listeners.add(listener)


def unlisten(listener: Listener) -> None:
    with _lock:
        _listeners.discard(listener)


def ids_in(message: bytes | str) -> frozenset[str]:
    """The ids in a message of the channel; empty for what is none."""
    try:
        return frozenset(one for one in json.loads(message) if isinstance(one, str))
    except (ValueError, TypeError):
        return frozenset()
