"""A request of Django's from beginning to end in one thread of a small pool, whose database connections stay open."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase

THREADS = 8
"""Requests answered at a time. Those that write take turns anyway."""


class Handler(ASGIHandler):
    """Django's handler leaves the thread at each middleware, and makes a thread and a connection for each request."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="request")

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        respond = copy_context().run
        return await asyncio.get_running_loop().run_in_executor(self.pool, respond, self._respond, request)

    def _respond(self, request: HttpRequest) -> HttpResponseBase:
        # Django does this at its signals of a request's start and end, which come from another thread here.
        close_old_connections()
        try:
            return self.get_response(request)
        finally:
            close_old_connections()
