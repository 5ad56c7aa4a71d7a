"""A request of Django's from beginning to end: its body read within bounds, its answer made in one thread of a small
pool, whose database connections stay open.

Nobody waits without end: for a body, for a thread, for the database. A client that goes away takes nothing with it: a
request that no thread has begun yet is dropped, any other is done wholly and its answer thrown away.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponseBase
from django.urls import set_script_prefix

from umpire.serving import wait_budget
from umpire.serving.problem_responses import send_problem

THREADS = 8
"""Requests answered at a time. Those that write take turns anyway."""
MOST_AT_A_TIME = 200
"""Requests that are answered or wait for a thread; whoever comes then is turned away at once."""
THREAD_WITHIN = 10.0
"""Seconds that a request waits for a thread."""
DATABASE_WITHIN = 8.0
"""Seconds that a request waits for the database in all."""
STRANGERS_BODY = 64 * 1024
"""Bytes of a body that comes without anything that might say whose it is."""
BODY_WITHIN = 30.0
"""Seconds in which a body must have arrived."""
MOST_BYTES = 64 * 1024 * 1024
"""Bytes of all bodies that are held at a time."""

HEALTH = "/healthz"


class _Refused(Exception):
    """The request is answered at the door, with this kind of problem."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


class RequestHandler(ASGIHandler):
    """Django's handler leaves the thread at each middleware, makes a thread and a connection for each request, puts
    bodies of any size on the disk, and closes them under a thread whose client has gone."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        # Whether the server is well is asked, above all, while all other threads wait for something.
        self.health = ThreadPoolExecutor(1, thread_name_prefix="request-health")
        self.here = 0
        self.held = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        held = Held(self)
        try:
            body = await self._body(scope, receive, held)
            request, error = self.create_request(scope, BytesIO(body))
            response = error if request is None else await self._answer(scope, request, receive)
            assert response is not None
            await self.send_response(response, send)
        except _Refused as refused:
            await send_problem(send, refused.kind, refused.detail)
        except (RequestAborted, OSError):
            return  # the client has gone, and nobody waits for an answer
        finally:
            held.let_go()

    # The body

    async def _body(self, scope: dict[str, Any], receive: Any, held: Held) -> bytes:
        """The whole body. Raises _Refused, for a body that is too large before it has been read."""
        limit = most_bytes(scope)
        too_large = _Refused("too-large", f"The body may have {limit} bytes at most.")
        if said_length(scope) > limit:
            raise too_large
        parts: list[bytes] = []
        length = 0
        try:
            async with asyncio.timeout(BODY_WITHIN):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RequestAborted
                    part = message.get("body", b"")
                    length += len(part)
                    if length > limit:
                        raise too_large
                    held.take(len(part))
                    parts.append(part)
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            raise _Refused("too-slow", f"The body did not arrive within {BODY_WITHIN:.0f} seconds.") from None

    # The answer

    async def _answer(self, scope: dict[str, Any], request: HttpRequest, receive: Any) -> HttpResponseBase:
        """What a thread answers. Raises RequestAborted where the client has gone, _Refused where no thread was free."""
        if self.here >= MOST_AT_A_TIME:
            raise _Refused("unavailable", "Too many wait already. Nothing of this request was done.")
        pool = self.health if scope["path"] == HEALTH else self.pool
        begun: Future[HttpResponseBase] = pool.submit(copy_context().run, self._respond, scope, request)
        answered = asyncio.wrap_future(begun)
        gone: asyncio.Future[Any] = asyncio.ensure_future(_gone(receive))
        self.here += 1
        try:
            ends: set[asyncio.Future[Any]] = {answered, gone}
            await asyncio.wait(ends, timeout=THREAD_WITHIN, return_when=asyncio.FIRST_COMPLETED)
            if not answered.done() and begun.cancel():  # no thread has begun it: it ends here
                raise (
                    RequestAborted
                    if gone.done()
                    else _Refused(
                        "unavailable", "Everybody here waits for something. Nothing of this request was done."
                    )
                )
            response = await asyncio.shield(answered)
            if gone.done():
                raise RequestAborted
            return response
        finally:
            self.here -= 1
            begun.cancel()  # where the server is stopping
            gone.cancel()

    def _respond(self, scope: dict[str, Any], request: HttpRequest) -> HttpResponseBase:
        # Django looks after a thread's connections at its signals of a request's start and end: sent here, in this one.
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        with wait_budget.within(DATABASE_WITHIN):
            response = self.get_response(request)
        response._handler_class = self.__class__  # type: ignore[attr-defined]
        response.close()
        return response


class Held:
    """The bytes that one request holds of all that may be held."""

    def __init__(self, handler: RequestHandler) -> None:
        self.handler, self.bytes = handler, 0

    def take(self, count: int) -> None:
        if self.handler.held + count > MOST_BYTES:
            raise _Refused("unavailable", "Too much is being sent here. Nothing of this request was done.")
        self.handler.held += count
        self.bytes += count

    def let_go(self) -> None:
        self.handler.held -= self.bytes
        self.bytes = 0


async def _gone(receive: Any) -> None:
    """Returns when the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def most_bytes(scope: dict[str, Any]) -> int:
    """How large the body of a request may be, by what it brings along to say who sends it."""
    session = f"{settings.SESSION_COOKIE_NAME}=".encode("latin-1")
    for name, value in scope["headers"]:
        if name == b"authorization" or (name == b"cookie" and session in value):
            return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    return STRANGERS_BODY


def said_length(scope: dict[str, Any]) -> int:
    """The length that a request says its body has; 0 where it says none that can be read."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 20 else 0
    return 0
