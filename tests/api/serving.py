"""The server in a thread of the test, and a reader of its event streams."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from umpire.asgi import application


@contextmanager
def served(**options: Any) -> Iterator[str]:
    """The address of the whole server: REST and streams, on a port of its own; with further options of uvicorn's."""
    config = uvicorn.Config(
        application,
        host="127.0.0.1",
        port=0,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
        **options,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)


class Heard:
    """An open stream, read in a thread: `text` is all that came, `news` its items, `is_closed` that it ended."""

    def __init__(self, base: str, url: str, **headers: str) -> None:
        self.text, self.is_closed, self.status = "", False, 0
        self.headers: dict[str, str] = {}
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self._client = httpx.Client(base_url=base, timeout=30)
        self._opened = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(url, headers), daemon=True)
        self._thread.start()
        assert self._opened.wait(10)

    def _read(self, url: str, headers: dict[str, str]) -> None:
        try:
            with self._client.stream("GET", url, headers=headers) as answer:
                self.status, self.headers = answer.status_code, dict(answer.headers)
                self._opened.set()
                for part in answer.iter_text():
                    self.text += part
            self.is_closed = True
        except (httpx.HTTPError, RuntimeError, OSError):
            self._opened.set()
        finally:
            self._client.close()

    @property
    def events(self) -> list[dict[str, str]]:
        found = []
        for block in self.text.split("\n\n")[:-1]:
            event = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
            if "event" in event:
                found.append(event)
        return found

    @property
    def news(self) -> list[dict[str, Any]]:
        return [json.loads(event["data"]) for event in self.events if event["event"] == "news"]

    def wait(self, true: Any, seconds: float = 10) -> None:
        deadline = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < deadline, self.text
            time.sleep(0.02)

    def close(self) -> None:
        self._client.close()
