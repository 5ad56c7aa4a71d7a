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

from uvicorn.protocols.http.h11_impl import H11Protocol

from umpire.serving.problem_responses import AGAIN

WANTED = 65_536
"""Descriptors that a process asks the system for."""
KEPT = 96
"""Descriptors for all that is no connection of a client: databases, Redis, files, threads that read."""
MOST_STREAMS = 10_000
FIRST_WITHIN = 30.0
"""Seconds in which a connection must have said something."""

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


class Protocol(H11Protocol):
    """HTTP for uvicorn (`--http umpire.serving.capacity:Protocol`): no more connections than there is room for, none
    that says nothing for long, and what is written goes out at once.

    asyncio sees to the last only where the socket that listens names its protocol, and neither uvicorn's nor that of a
    unit file does: the body of each answer would then wait until the client's system has acknowledged its head, which
    on a kept connection it does after 40 ms."""

    def connection_made(self, transport: Any) -> None:
        if (mine := transport.get_extra_info("socket")) is not None and mine.family in (AF_INET, AF_INET6):
            mine.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        super().connection_made(transport)
        if len(self.connections) > for_connections():
            transport.write(FULL)
            transport.close()
            return
        self.timeout_keep_alive_task = self.loop.call_later(FIRST_WITHIN, self.timeout_keep_alive_handler)
