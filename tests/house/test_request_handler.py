"""A request is answered in one thread, whose connections are looked after; bodies, waiting and crowds have bounds."""

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from umpire.serving import request_handler
from umpire.serving.request_handler import THREADS, RequestHandler

threads: list[int] = []


class Outside:
    """Middleware as Django's own: it can be sync or async."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        threads.append(threading.get_ident())
        return self.get_response(request)


def told(request: HttpRequest) -> HttpResponse:
    threads.append(threading.get_ident())
    assert threading.current_thread().name.startswith("request")
    return HttpResponse("told")


def asks(request: HttpRequest) -> HttpResponse:
    connection.ensure_connection()
    return HttpResponse("asked")


def is_closed(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(connection.connection is None))


may_end = threading.Event()
began = threading.Event()
read: list[bytes] = []


def waits(request: HttpRequest) -> HttpResponse:
    """A request that goes on when the test lets it, and only then looks at its body."""
    began.set()
    assert may_end.wait(20)
    read.append(request.body)
    return HttpResponse("waited")


urlpatterns = [
    path("told", told),
    path("asks", asks),
    path("is_closed", is_closed),
    path("waits", waits),
    path("healthz", told),
]


def got(handler: RequestHandler, *addresses: str) -> list[tuple[int, bytes]]:
    """Status and body of what each address answers, one after the other."""

    async def all_of_them() -> list[tuple[int, bytes]]:
        return [await _got(handler, address) for address in addresses]

    return asyncio.run(all_of_them())


async def _got(handler: RequestHandler, address: str) -> tuple[int, bytes]:
    client = Client(handler, address)
    await client.asks
    return client.status, client.told


class Client:
    """One request: sends the parts of its body as they are read, hangs up when it is told to."""

    def __init__(self, handler: RequestHandler, address: str, *body: bytes, **headers: str) -> None:
        self.body = list(body) or [b""]
        self.parts = len(self.body)
        self.sent: list[dict[str, Any]] = []
        self.gone = asyncio.Event()
        told = {"host": "testserver", **{name.replace("_", "-"): value for name, value in headers.items()}}
        scope = {
            "type": "http",
            "method": "POST" if body else "GET",
            "path": address,
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in told.items()],
        }
        self.asks = asyncio.ensure_future(handler(scope, self.receive, self.send))

    async def receive(self) -> dict[str, Any]:
        if self.body:
            return {"type": "http.request", "body": self.body.pop(0), "more_body": bool(self.body)}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])

    @property
    def told(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])

    @property
    def sent_parts(self) -> int:
        return self.parts - len(self.body)


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[f"{__name__}.Outside"])
def test_middleware_and_view_share_a_thread() -> None:
    threads.clear()
    assert got(RequestHandler(), "/told") == [(200, b"told")]
    [outside, view] = threads
    assert outside == view


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_a_connection_past_its_age_is_closed_when_the_request_is_over() -> None:
    assert connection.settings_dict["CONN_MAX_AGE"] == 0, "as the tests are set up"
    handler = RequestHandler()
    assert got(handler, "/asks", *["/is_closed"] * THREADS)[1:] == [(200, b"True")] * THREADS


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_what_is_nowhere_is_answered_too() -> None:
    assert got(RequestHandler(), "/nowhere")[0][0] == 404


PLAIN = override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> RequestHandler:
    """A handler with one thread, which `waits` holds."""
    monkeypatch.setattr(request_handler, "THREADS", 1)
    may_end.clear()
    began.clear()
    read.clear()
    with PLAIN:
        yield RequestHandler()
    may_end.set()


async def until(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, 20)


KILOBYTE = b"x" * 1024


@PLAIN
@pytest.mark.parametrize("headers", [{"content_length": "700000000"}, {}])
def test_a_strangers_body_is_refused_before_it_is_there(headers: dict[str, str]) -> None:
    """By the length that it says, or else as soon as it is longer than it may be."""

    async def post() -> Client:
        client = Client(RequestHandler(), "/told", *[KILOBYTE] * 1000, **headers)
        await client.asks
        return client

    client = asyncio.run(post())
    assert client.status == 413
    assert client.sent_parts == (0 if headers else 65)
    assert client.headers[b"connection"] == b"close"
    assert b"/problems/too-large" in client.told


@PLAIN
def test_who_says_who_he_is_may_send_more() -> None:
    async def post(size: int) -> int:
        client = Client(RequestHandler(), "/told", *[KILOBYTE] * size, authorization="Bearer x")
        await client.asks
        return client.status

    assert asyncio.run(post(1000)) == 200
    assert asyncio.run(post(3000)) == 413


@PLAIN
def test_bodies_have_bounds_together_and_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def post(*body: bytes, hangs: bool = False) -> tuple[int, int]:
        handler = RequestHandler()
        client = Client(handler, "/told", *body)
        if hangs:
            client.body = []
        await client.asks
        return client.status, handler.held

    monkeypatch.setattr(request_handler, "MOST_BYTES", 5 * 1024)
    assert asyncio.run(post(*[KILOBYTE] * 5)) == (200, 0)
    assert asyncio.run(post(*[KILOBYTE] * 6)) == (503, 0)
    monkeypatch.setattr(request_handler, "BODY_WITHIN", 0.05)
    assert asyncio.run(post(KILOBYTE, hangs=True)) == (408, 0)


def test_a_client_that_goes_while_it_waits_for_a_thread_leaves_nothing(
    narrow: RequestHandler, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> tuple[Client, Client]:
        first = Client(narrow, "/waits", b"first")
        await until(began)
        second = Client(narrow, "/waits", b"second")
        await asyncio.sleep(0)
        second.gone.set()
        await asyncio.wait_for(second.asks, 10)
        may_end.set()
        await first.asks
        return first, second

    with caplog.at_level(logging.INFO):
        first, second = asyncio.run(go())
    assert (first.status, read) == (200, [b"first"])
    assert second.sent == []
    assert caplog.records == []


def test_a_client_that_goes_while_it_is_answered_is_answered_wholly(
    narrow: RequestHandler, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> Client:
        client = Client(narrow, "/waits", b"all of it")
        await until(began)
        client.gone.set()
        await asyncio.sleep(0.05)
        may_end.set()
        await client.asks
        return client

    with caplog.at_level(logging.INFO):
        client = asyncio.run(go())
    assert read == [b"all of it"], "its body is there as long as its thread"
    assert client.sent == []
    assert caplog.records == []


def test_nobody_waits_for_a_thread_without_end(narrow: RequestHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    """And whether the server is well is answered meanwhile."""
    monkeypatch.setattr(request_handler, "THREAD_WITHIN", 0.1)

    async def go() -> list[Client]:
        first = Client(narrow, "/waits")
        await until(began)
        others = [Client(narrow, "/told"), Client(narrow, "/healthz")]
        await asyncio.gather(*[other.asks for other in others])
        monkeypatch.setattr(request_handler, "MOST_AT_A_TIME", 1)
        others.append(Client(narrow, "/told"))
        await others[-1].asks
        may_end.set()
        await first.asks
        return [first, *others]

    first, late, health, crowded = asyncio.run(go())
    assert [first.status, late.status, health.status, crowded.status] == [200, 503, 200, 503]
    for refused in (late, crowded):
        assert int(refused.headers[b"retry-after"]) > 0
        assert b"Nothing of this request was done" in refused.told
