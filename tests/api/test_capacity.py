"""When a process, or a seat, has no room left for connections: turned away in words, at once, and in silence."""

from __future__ import annotations

import logging
import resource
import socket
from typing import Any

import httpx
import pytest

from tests.api.chairs import Table
from tests.api.serving import served
from tests.api.test_live import opened, shared  # noqa: F401 -- a fixture
from umpire.live import hub
from umpire.serving import capacity


def is_refused(stream: Any) -> bool:
    return stream.status == 503 and int(stream.headers["retry-after"]) > 0


def test_streams_leave_room_for_others(
    shared: Table,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(capacity, "for_streams", lambda: 2)
    names = ("blue_1", "blue_2", "red_1")
    with served() as base, caplog.at_level(logging.WARNING):
        streams = [opened(base, shared[name]) for name in names]
        assert [stream.status for stream in streams] == [200, 200, 503]
        assert is_refused(streams[2])
        assert httpx.get(f"{base}/healthz").status_code == 200
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("uvicorn")]
    assert ours == [], "who is turned away leaves no line in the log"


def test_a_seat_has_so_many_streams_and_one_device_ends_its_oldest(
    shared: Table,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "MOST_OF_ONE", 2)
    monkeypatch.setattr(hub, "MOST_OF_SEAT", 3)
    chair = shared["blue_1"]
    another = shared.joined(shared.codes["blue_1"])
    with served() as base:
        streams = [opened(base, chair) for _ in range(3)]
        streams[0].wait(lambda: streams[0].is_closed)
        assert not any(stream.is_closed for stream in streams[1:])
        assert opened(base, another).status == 200
        assert is_refused(opened(base, another))
        assert opened(base, shared["blue_2"]).status == 200


def test_a_process_takes_as_many_descriptors_as_it_may_have() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    capacity.descriptors.cache_clear()
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
        assert capacity.descriptors() == min(
            hard if hard != resource.RLIM_INFINITY else capacity.WANTED, capacity.WANTED
        )
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == capacity.descriptors()
        assert capacity.for_streams() < capacity.for_connections() < capacity.descriptors()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, capacity.descriptors()), hard))


def said(port: int, *, request: bytes = b"") -> tuple[socket.socket, bytes]:
    """A new connection, and what it is told before it has said anything, or after a request."""
    line = socket.create_connection(("127.0.0.1", port), timeout=0.3)
    if request:
        line.sendall(request)
    try:
        return line, line.recv(4096)
    except TimeoutError:
        return line, b""


def test_who_connects_and_says_nothing_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "for_connections", lambda: 3)
    monkeypatch.setattr(capacity, "FIRST_WITHIN", 2.0)
    with served(http=capacity.Protocol) as base:
        port = int(base.rpartition(":")[2])
        lines = [said(port) for _ in range(4)]
        assert [told.partition(b"\r\n")[0] for _, told in lines] == [b""] * 3 + [b"HTTP/1.1 503 Service Unavailable"]
        assert b"Retry-After" in lines[3][1]
        for line, _ in lines[:3]:  # they are let go when they have said nothing for long
            line.settimeout(10)
            assert line.recv(1) == b""
        lines.append(said(port, request=b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        assert lines[-1][1].startswith(b"HTTP/1.1 404")
        for line, _ in lines:
            line.close()


CHUNKED = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "part"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"X-Long: %s\r\n" % (b"x" * 1000)),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"x" * 1000),
        (b"GET /", b"x" * 1000),
        (b"", b"\r\n" * 500),
        (CHUNKED + b"0\r\n", b"X: %s\r\n" % (b"x" * 1000)),
        (CHUNKED + b"1;", b"x" * 1000),
    ],
)  # fmt: skip
def test_a_stranger_cannot_have_bytes_kept_without_end(head: bytes, part: bytes) -> None:
    """A head, or what follows a body, that never comes to its end: the line is closed after little more than 16 KB."""
    with served(http=capacity.Protocol) as base, socket.create_connection(
        ("127.0.0.1", int(base.rpartition(":")[2])), timeout=10
    ) as line:  # fmt: skip
        line.sendall(head)
        sent = 0
        while sent < 400_000:
            try:
                line.sendall(part)
                sent += len(part)
                line.settimeout(0.002)
                if not line.recv(4096):
                    break
            except TimeoutError:
                line.settimeout(10)
            except OSError:
                break
        assert sent < 8 * capacity.MOST_WAITING


def test_a_head_that_stops_in_the_middle_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "FIRST_WITHIN", 0.5)
    with served(http=capacity.Protocol) as base:
        line, _ = said(int(base.rpartition(":")[2]), request=b"GET /healthz HTT")
        line.settimeout(10)
        assert line.recv(1) == b""
        line.close()


def test_a_long_body_and_a_request_behind_it_are_taken() -> None:
    """What is understood is not counted."""
    body = b"x" * 50_000
    head = b"POST /api/v1/nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    with served(http=capacity.Protocol) as base:
        line, told = said(int(base.rpartition(":")[2]), request=head + body + head[:40])
        assert told.startswith(b"HTTP/1.1 4")
        assert b"Invalid HTTP request" not in told
        line.sendall(head[40:] + body)
        line.settimeout(10)
        assert line.recv(4096).startswith(b"HTTP/1.1 4")
        line.close()
