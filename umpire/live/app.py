"""Event streams: a small ASGI application beside Django's, opened with a ticket got over REST.

It sends `wake` (without content: something changed, ask again) and `news` (an item of the seat's news, its number as
the id), goes on after `Last-Event-ID`, and says something every 15 seconds so that nobody between thinks the line dead.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any
from urllib.parse import parse_qsl

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from umpire.live import queries
from umpire.live.hub import Hub, Stream, hub
from umpire.serving.problem_responses import send_problem
from umpire.serving.wait_budget import is_unavailable

HEARTBEAT_SECONDS = 15.0
RETRY_MILLISECONDS = 2000
STILL_HERE = b": still here\n\n"

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"private, no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'"),
]


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers GET /live/?ticket=…; any other request gets the problem that nothing is here."""
    if scope["type"] != "http":
        return None
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    host, _ = split_domain_port(headers.get("host", ""))
    if not validate_host(host, settings.ALLOWED_HOSTS):
        return await send_problem(send, "malformed", "This server has another name.")
    if scope["method"] != "GET" or scope["path"] != "/live/":
        return await send_problem(send, "not-found", "It does not exist, or it is not yours.")
    given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    query = dict(given)
    if len(query) < len(given) or query.keys() - {"ticket", "after"}:
        return await send_problem(
            send, "malformed", "An event stream is opened with `ticket` and `after`, each given once."
        )
    after = headers.get("last-event-id", query.get("after", ""))
    if after and not (after.isascii() and after.isdecimal() and len(after) < 16):
        return await send_problem(send, "malformed", "Last-Event-ID is the number of the last news received.")
    live = hub()
    if live.is_full:
        return await send_problem(
            send, "unavailable", f"{live.count} event streams are open here, and no more will go."
        )
    try:
        opened = await live.read(queries.redeem, query.get("ticket", ""))
    except Exception as failure:
        if not is_unavailable(failure):
            raise
        return await send_problem(
            send, "unavailable", "The database does not answer. Get another ticket, and come again."
        )
    if opened is None:
        return await send_problem(
            send, "not-authenticated", "This ticket is used up or too old: get another over REST."
        )
    stream = Stream(opened.grant, int(after) if after else opened.number)
    if not live.has_room_for(stream):
        return await send_problem(send, "unavailable", "Too many event streams are open here, or on this seat.")
    await _stream(live, stream, receive, send)
    return None


async def _stream(live: Hub, stream: Stream, receive: Any, send: Any) -> None:
    gone = asyncio.ensure_future(_gone(receive))
    live.open(stream)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await send(_chunk(f"retry: {RETRY_MILLISECONDS}\n\n".encode()))
        while not gone.done():
            if not stream.woken.is_set():
                await _either(stream.woken, gone, HEARTBEAT_SECONDS)
            if gone.done():
                break
            data = stream.take()
            if data or not stream.is_over:
                await send(_chunk(data or STILL_HERE))
            if stream.is_over:
                break
    except asyncio.CancelledError:
        pass  # the server stops, and has waited long enough for the streams: this one ends in good order
    finally:
        live.close(stream)
        gone.cancel()
    with contextlib.suppress(OSError):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Any) -> None:
    """Returns when the other side has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _either(woken: asyncio.Event, gone: asyncio.Future[Any], seconds: float) -> None:
    waiting: asyncio.Future[Any] = asyncio.ensure_future(woken.wait())
    try:
        await asyncio.wait({waiting, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


def _chunk(data: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": data, "more_body": True}
