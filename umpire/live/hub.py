"""One hub a process: it knows the open streams, wakes them, and holds neither thread nor connection while idle."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import Any, TypeVar

from django.conf import settings
from django.db import connections

from umpire.live import queries, wakes
from umpire.live.grants import Grant
from umpire.serving import capacity, wait_budget

logger = logging.getLogger(__name__)

T = TypeVar("T")

READERS = 4
"""Threads that read; each gives its connection back when it has read."""
AT_ONCE = 50
"""Seats read about in one go."""
LOOK_SECONDS = 3.0
"""How often the hub asks how far its seats' news have come, for wakes that never arrived."""
NOTED_EVERY = 60.0
"""Seconds after which it is kept again which devices have streams."""
RECONNECT_SECONDS = 2.0
DATABASE_WITHIN = 8.0
"""Seconds that reading something waits for the database."""
MOST_OF_SEAT = 40
"""Streams of one seat; a seat may have some devices, and each some windows."""
MOST_OF_ONE = 8
"""Streams of one device or sign-in. One more ends its oldest: that is mostly a line that died without a word."""
MOST_READY = 2000
"""Pieces that wait to be sent; who takes none of them is let go, and comes again when he can."""


class Waking(IntEnum):
    """When the streams of a seat are told to ask for what is no news."""

    NEVER = 0
    WITH_NEWS = 1
    ALWAYS = 2


class Stream:
    """One open stream of one seat. `last` is the number of the last news put into `ready`, which waits to be sent."""

    __slots__ = ("grant", "is_over", "last", "opened", "ready", "woken")

    def __init__(self, grant: Grant, last: int) -> None:
        self.grant, self.last = grant, last
        self.ready: list[bytes] = []
        self.is_over = False
        self.opened = time.monotonic()
        self.woken = asyncio.Event()

    @property
    def seat(self) -> str:
        return self.grant.seat

    def take(self) -> bytes:
        """All that waits to be sent."""
        self.woken.clear()
        ready, self.ready = b"".join(self.ready), []
        return ready


class Hub:
    """The streams of one event loop."""

    def __init__(self) -> None:
        self.streams: dict[str, set[Stream]] = {}
        self.loop = asyncio.get_running_loop()
        self.pool = ThreadPoolExecutor(READERS, thread_name_prefix="live-reader")
        self.watchers: list[asyncio.Task[None]] = []
        self.to_read: dict[str, Waking] = {}
        """Seats to be read about, and when their streams are told to ask besides what news there is."""
        self.reader: asyncio.Task[None] | None = None
        self.noted_at = time.monotonic()

    def open(self, stream: Stream) -> None:
        """Takes a stream in, and has it told what it lacks; the first one starts what wakes them."""
        self.streams.setdefault(stream.seat, set()).add(stream)
        if not self.watchers:
            wakes.listen(self.heard)
            self._watch(self._look_slowly())
            if settings.REDIS_URL:
                self._watch(self._subscribe(settings.REDIS_URL))
        self._read_soon((stream.seat,), Waking.WITH_NEWS)

    def close(self, stream: Stream) -> None:
        """Lets a stream go; the last one stops what wakes them."""
        streams = self.streams.get(stream.seat, set())
        streams.discard(stream)
        if not streams:
            self.streams.pop(stream.seat, None)
        if not self.streams:
            wakes.unlisten(self.heard)
            for watcher in self.watchers:
                watcher.cancel()
            self.watchers.clear()

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(len(streams) for streams in self.streams.values())

    @property
    def is_full(self) -> bool:
        """Whether the process has no room for another stream."""
        return self.count >= capacity.for_streams()

    def has_room_for(self, stream: Stream) -> bool:
        """Whether there may be another stream of its seat; the oldest of the same holder ends where he has too many."""
        streams = self.streams.get(stream.seat, set())
        if self.is_full or len(streams) >= MOST_OF_SEAT:
            return False
        same = [one for one in streams if one.grant == stream.grant and not one.is_over]
        if len(same) >= MOST_OF_ONE:
            oldest = min(same, key=lambda one: one.opened)
            oldest.is_over = True
            oldest.woken.set()
        return True

    def heard(self, seats: Iterable[str]) -> None:
        """Wakes the streams of these seats; may be called from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server is stopping
            self.loop.call_soon_threadsafe(self.wake, seats)

    def wake(self, seats: Iterable[str]) -> None:
        """Has the streams of these seats told what is new; those of whom more has changed than news say are to ask."""
        for named in seats:
            seat = named.removesuffix(wakes.NEWS_ONLY)
            if seat in self.streams:
                self._read_soon((seat,), Waking.ALWAYS if seat == named else Waking.NEVER)

    async def read(self, function: Callable[..., T], *arguments: Any) -> T:
        """Runs queries in one of the hub's few threads."""
        return await self.loop.run_in_executor(self.pool, _reading, function, arguments)

    def _watch(self, work: Coroutine[Any, Any, None]) -> None:
        self.watchers.append(self.loop.create_task(work))

    def _read_soon(self, seats: Iterable[str], waking: Waking) -> None:
        for seat in seats:
            self.to_read[seat] = max(self.to_read.get(seat, Waking.NEVER), waking)
        if self.to_read and self.reader is None:
            self.reader = self.loop.create_task(self._read_all())

    async def _read_all(self) -> None:
        """Reads about all seats that are to be read about, some at a time, until there are none."""
        try:
            while self.to_read:
                some = {seat: self.to_read.pop(seat) for seat in list(self.to_read)[:AT_ONCE]}
                asked = {
                    seat: (min(stream.last for stream in streams), {stream.grant for stream in streams})
                    for seat in some
                    if (streams := self.streams.get(seat))
                }
                try:
                    found = await self.read(queries.news_of, asked)
                except Exception as failure:
                    _failed("The news of %d seats could not be read; the slow look comes again", len(asked), failure)
                    continue
                for seat, told in found.items():
                    self._tell(seat, told, some[seat])
        finally:
            self.reader = None

    def _tell(self, seat: str, told: queries.Told, waking: Waking) -> None:
        for stream in self.streams.get(seat, ()):
            if stream.grant in told.ended:
                stream.is_over = True
                stream.woken.set()
                continue
            items = [item for item in told.items if item.number > stream.last]
            if items:
                stream.last = items[-1].number
            stream.ready += [item.event for item in items]
            if waking is Waking.ALWAYS or (items and waking is Waking.WITH_NEWS):
                stream.ready.append(queries.WAKE)
            if len(stream.ready) > MOST_READY:
                stream.ready.clear()
                stream.is_over = True
            if stream.ready or stream.is_over:
                stream.woken.set()
        if told.has_more:
            self._read_soon((seat,), Waking.NEVER)

    async def _look_slowly(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            grants = {stream.grant for streams in self.streams.values() for stream in streams}
            try:
                if time.monotonic() >= self.noted_at + NOTED_EVERY:
                    self.noted_at = time.monotonic()
                    await self.read(queries.note_online, grants)
                numbers, ended = await self.read(queries.numbers_of, grants)
            except Exception as failure:
                _failed("The slow look at the news of %d seats failed", len(self.streams), failure)
                continue
            late = [
                seat
                for seat, streams in self.streams.items()
                if any(numbers.get(seat) != stream.last or stream.grant in ended for stream in streams)
            ]
            self._read_soon(late, Waking.WITH_NEWS)  # what said that they have something to ask for is lost too

    async def _subscribe(self, url: str) -> None:
        import redis.asyncio  # noqa: PLC0415 - ten megabytes that a server without Redis does not need

        while True:
            try:
                lasting = redis.asyncio.Redis.from_url(
                    url, socket_connect_timeout=2, socket_keepalive=True, health_check_interval=15
                )
                async with lasting as client, client.pubsub() as channel:
                    await channel.subscribe(wakes.CHANNEL)
                    async for message in channel.listen():
                        if message["type"] == "message":
                            self.wake(wakes.ids_in(message["data"]))
            except Exception as failure:  # whatever it is: without this other processes are heard of slowly
                logger.warning("Redis is away (%s): streams are woken by the slow look alone", failure)
            await asyncio.sleep(RECONNECT_SECONDS)


def _failed(what: str, count: int, failure: Exception) -> None:
    """Writes down that something could not be read: where the database is away a traceback says no more."""
    logger.warning(f"{what}: %s", count, failure, exc_info=None if wait_budget.is_unavailable(failure) else failure)


def _reading(function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    try:
        with wait_budget.within(DATABASE_WITHIN):
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
