"""How many connections a process has room for: whoever comes when it is full is turned away in words.

A connection takes a descriptor. Without any left nothing works: no database file can be opened, nobody be let in, and
each attempt is an error in the log. So the process takes as many as the system lets it have, keeps some for itself, and
gives out the rest.
"""

from __future__ import annotations

import resource
from functools import cache
from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from umpire.serving.problem_responses import AGAIN

WANTED = 65_536
"""Descriptors that a process asks the system for."""
KEPT = 96
"""Descriptors for all that is no connection of a client: databases, Redis, files, threads that read."""
MOST_STREAMS = 10_000
FIRST_WITHIN = 30.0
"""Seconds in which a connection must have said something, and something more of a request that it has begun."""
MOST_WAITING = 16 * 1024
"""Bytes that may come without completing the head of a request, or what follows its body."""

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: %d\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: 28\r\nConnection: close\r\n\r\nThis server is full just now"
) % AGAIN


@cache
def descriptors() -> int:
    """How many descriptors this process may have, after it has asked for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (ValueError, OSError):
            return soft
        return most
    return WANTED if soft == resource.RLIM_INFINITY else soft


def for_connections() -> int:
    """How many connections of clients there is room for."""
    return max(8, descriptors() - KEPT)


def for_streams() -> int:
    """How many of them may be event streams, which stay for hours: others must be able to come in beside them."""
    return min(MOST_STREAMS, for_connections() * 3 // 4)


class Protocol(HttpToolsProtocol):
    """HTTP for uvicorn (`--http umpire.serving.capacity:Protocol`): no more connections than there is room for, none
    that says nothing for long or much that makes no sense yet, and what is written goes out at once.

    The parser keeps what it was sent of a head (or of what may follow a body) until that is complete, however long it
    is; so the bytes are counted here that have come since it last understood something.

    asyncio sees to the last only where the socket that listens names its protocol, and neither uvicorn's nor that of a
    unit file does: the body of each answer would then wait until the client's system has acknowledged its head, which
    on a kept connection it does after 40 ms."""

    waiting = 0
    """Bytes that were received and not understood yet."""
    understood = False

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        # The logger has handlers again where Django has set up its logging after uvicorn.
        self.access_log = config.access_log and self.access_log

    def connection_made(self, transport: Any) -> None:
        if (mine := transport.get_extra_info("socket")) is not None and mine.family in (AF_INET, AF_INET6):
            mine.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        super().connection_made(transport)
        if len(self.connections) > for_connections():
            transport.write(FULL)
            transport.close()
            return
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        self.understood = False
        super().data_received(data)
        if self.transport.is_closing():
            return
        self.waiting = 0 if self.understood else self.waiting + len(data)
        if self.waiting > MOST_WAITING:
            self.send_400_response("Invalid HTTP request received.")
        elif self.waiting and (self.cycle is None or self.cycle.response_complete):
            self._wait_for_request()

    def on_headers_complete(self) -> None:
        self.understood = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.understood = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.understood = True
        super().on_message_complete()

    def _wait_for_request(self) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(FIRST_WITHIN, self.timeout_keep_alive_handler)
