"""One hub a process: it knows the open streams, wakes them, and holds neither thread nor connection while idle."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import redis.asyncio
from django.conf import settings
from django.db import connections

from umpire.live import reading, wakes

logger = logging.getLogger(__name__)

T = TypeVar("T")

READERS = 4
"""Threads that read what woken seats get; each gives its connection back when it has read."""
LOOK_SECONDS = 3.0
"""How often the hub asks how far its seats' news have come, for wakes that never arrived."""
RECONNECT_SECONDS = 2.0


class Stream:
    """One open stream of one seat. `last` is the number of the news last sent."""

    __slots__ = ("device", "last", "seat", "woken")

    def __init__(self, seat: str, device: str, last: int) -> None:
        self.seat, self.device, self.last = seat, device, last
        self.woken = asyncio.Event()


class Hub:
    """The streams of one event loop."""

    def __init__(self) -> None:
        self.streams: dict[str, set[Stream]] = {}
        self.loop = asyncio.get_running_loop()
        self.pool = ThreadPoolExecutor(READERS, thread_name_prefix="live-reader")
        self.tasks: list[asyncio.Task[None]] = []

    def open(self, stream: Stream) -> None:
        """Takes a stream in; the first one starts what wakes them."""
        self.streams.setdefault(stream.seat, set()).add(stream)
        if not self.tasks:
            wakes.listen(self.heard)
            self.tasks.append(self.loop.create_task(self._look_slowly()))
            if settings.REDIS_URL:
                self.tasks.append(self.loop.create_task(self._subscribe(settings.REDIS_URL)))

    def close(self, stream: Stream) -> None:
        """Lets a stream go; the last one stops what wakes them."""
        streams = self.streams.get(stream.seat, set())
        streams.discard(stream)
        if not streams:
            self.streams.pop(stream.seat, None)
        if not self.streams:
            wakes.unlisten(self.heard)
            for task in self.tasks:
                task.cancel()
            self.tasks.clear()

    def heard(self, seats: Iterable[str]) -> None:
        """Wakes the streams of these seats; may be called from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server is stopping
            self.loop.call_soon_threadsafe(self.wake, seats)

    def wake(self, seats: Iterable[str]) -> None:
        for seat in seats:
            for stream in self.streams.get(seat, ()):
                stream.woken.set()

    async def read(self, function: Callable[..., T], *arguments: Any) -> T:
        """Runs a query in one of the hub's few threads."""
        return await self.loop.run_in_executor(self.pool, _reading, function, arguments)

    async def _look_slowly(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            devices = {stream.device for streams in self.streams.values() for stream in streams}
            try:
                numbers, revoked = await self.read(reading.numbers_of, list(self.streams), devices)
            except Exception:
                logger.exception("The slow look at the seats' news failed")
                continue
            for seat, streams in self.streams.items():
                for stream in streams:
                    if numbers.get(seat) != stream.last or stream.device in revoked:
                        stream.woken.set()

    async def _subscribe(self, url: str) -> None:
        while True:
            try:
                async with redis.asyncio.Redis.from_url(url) as client, client.pubsub() as channel:
                    await channel.subscribe(wakes.CHANNEL)
                    async for message in channel.listen():
                        if message["type"] == "message":
                            self.wake(wakes.ids_in(message["data"]))
            except redis.RedisError:
                logger.warning("Redis is away: streams are woken by the slow look alone")
            await asyncio.sleep(RECONNECT_SECONDS)


def _reading(function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    try:
        return function(*arguments)
    finally:
        connections.close_all()


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for old in [one for one in _hubs if one.is_closed()]:
            _hubs.pop(old).pool.shutdown(wait=False)
        _hubs[loop] = Hub()
    return _hubs[loop]
