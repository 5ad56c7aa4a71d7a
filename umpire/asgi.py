"""The door: event streams go to their own small application, everything else to Django.

Through Django's handler each open stream would hold a thread and a database connection for its whole life.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import django

from umpire.serving import capacity, garbage_collection
from umpire.serving.problem_responses import send_problem
from umpire.serving.request_handler import RequestHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "umpire.settings.production")

django.setup(set_prefix=False)
django_application = RequestHandler()

live_application = import_module("umpire.live.app").application if find_spec("umpire.live.app") else None

garbage_collection.tune()
capacity.descriptors()

_here = 0
"""Requests and streams in this process, each with a connection of its own."""


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    global _here
    if scope["type"] == "lifespan":
        return await lifespan(receive, send)
    if _here >= capacity.for_connections():
        return await send_problem(send, "unavailable", "This server is full. Nothing of this request was done.")
    _here += 1
    try:
        await _answer(scope, receive, send)
    finally:
        _here -= 1
    return None


async def _answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if live_application is not None and scope.get("path", "").startswith("/live/"):
        await live_application(scope, receive, send)
    else:
        await django_application(scope, receive, send)


async def lifespan(receive: Any, send: Any) -> None:
    """Django knows no start and no end of a server; answering for it spares a warning at each start."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
