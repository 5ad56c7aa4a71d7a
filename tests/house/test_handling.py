"""A request is answered in one thread, and that thread's connections are looked after."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from umpire.handling import THREADS, Handler

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


urlpatterns = [path("told", told), path("asks", asks), path("is_closed", is_closed)]


def got(handler: Handler, *addresses: str) -> list[tuple[int, bytes]]:
    """Status and body of what each address answers, one after the other."""

    async def all_of_them() -> list[tuple[int, bytes]]:
        return [await _got(handler, address) for address in addresses]

    return asyncio.run(all_of_them())


async def _got(handler: Handler, address: str) -> tuple[int, bytes]:
    sent: list[dict[str, Any]] = []
    asked = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if asked:
            return asked.pop()
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", b"testserver")]
    scope = {"type": "http", "method": "GET", "path": address, "query_string": b"", "headers": headers}
    await handler(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[f"{__name__}.Outside"])
def test_middleware_and_view_share_a_thread() -> None:
    threads.clear()
    assert got(Handler(), "/told") == [(200, b"told")]
    [outside, view] = threads
    assert outside == view


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_a_connection_past_its_age_is_closed_when_the_request_is_over() -> None:
    assert connection.settings_dict["CONN_MAX_AGE"] == 0, "as the tests are set up"
    handler = Handler()
    assert got(handler, "/asks", *["/is_closed"] * THREADS)[1:] == [(200, b"True")] * THREADS


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_what_is_nowhere_is_answered_too() -> None:
    assert got(Handler(), "/nowhere")[0][0] == 404
