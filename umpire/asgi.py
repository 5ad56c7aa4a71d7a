"""The door: event streams go to their own small application, everything else to Django.

Through Django's handler each open stream would hold a thread and a database connection for its whole life.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import django

from umpire import pauses
from umpire.handling import Handler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "umpire.settings.production")

django.setup(set_prefix=False)
django_application = Handler()

live_application = import_module("umpire.live.app").application if find_spec("umpire.live.app") else None

pauses.fewer()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif live_application is not None and scope.get("path", "").startswith("/live/"):
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
