"""The wire between a browser and the server: every byte that comes to the browser is kept, and the wire can be cut."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Answer(NamedTuple):
    """One answer of the server: its head as it came, and its body without the marks of chunks."""

    head: str
    body: bytes


class Wire:
    """A port of its own that leads to the server. `base` is the address to give the browser."""

    def __init__(self, server: str) -> None:
        to = urlsplit(server)
        self._to = (to.hostname or "", to.port or 80)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._lock = threading.Lock()
        self._came: list[bytearray] = []
        self._open: set[socket.socket] = set()
        self._is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self._listening.accept()
                if self._is_cut:
                    browser.close()
                    continue
                server = socket.create_connection(self._to)
                came = bytearray()
                with self._lock:
                    self._came.append(came)
                    self._open |= {browser, server}
                for start, end, kept in ((browser, server, None), (server, browser, came)):
                    threading.Thread(target=self._pump, args=(start, end, kept), daemon=True).start()

    def _pump(self, start: socket.socket, end: socket.socket, kept: bytearray | None) -> None:
        with suppress(OSError):
            while data := start.recv(65536):
                if kept is not None:
                    with self._lock:
                        kept += data
                end.sendall(data)
        for each in (start, end):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        with self._lock:
            self._open -= {start, end}

    def cut(self) -> None:
        """Nothing comes through any more, streams that are open included."""
        self._is_cut = True
        with self._lock:
            still = list(self._open)
        for each in still:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Everything comes through again."""
        self._is_cut = False

    def close(self) -> None:
        self._listening.close()
        self.cut()

    # What came

    def answers(self) -> list[Answer]:
        """What the server has answered so far, streams as far as they have come."""
        with self._lock:
            connections = [bytes(came) for came in self._came]
        return [answer for came in connections for answer in _parsed(came)]

    def everything(self) -> str:
        """All that came, heads and bodies, as text in which a string can be looked for."""
        with self._lock:
            raw = b"\n".join(bytes(came) for came in self._came)
        whole = b"\n".join(answer.head.encode() + b"\n" + answer.body for answer in self.answers())
        return (raw + b"\n" + whole).decode("utf-8", "replace")

    def documents(self) -> list[Any]:
        """Every JSON document that came, in answers and as data of event streams."""
        found: list[Any] = []
        for answer in self.answers():
            if "application/json" in answer.head or "problem+json" in answer.head:
                with suppress(ValueError):
                    found.append(json.loads(answer.body))
            elif "text/event-stream" in answer.head:
                for line in answer.body.decode("utf-8", "replace").split("\n"):
                    if line.startswith("data: "):
                        with suppress(ValueError):
                            found.append(json.loads(line[6:]))
        return found


def _parsed(came: bytes) -> Iterator[Answer]:
    while came:
        head, mark, rest = came.partition(b"\r\n\r\n")
        if not mark:
            return
        text = head.decode("latin-1")
        low = text.lower()
        # A packed answer could hide what is looked for.
        assert "content-encoding" not in low, text
        status = int(text.split(" ", 2)[1])
        length = re.search(r"^content-length: (\d+)", low, re.MULTILINE)
        if status in (204, 304) or 100 <= status < 200:
            body, came = b"", rest
        elif "transfer-encoding: chunked" in low:
            body, came = _without_chunks(rest)
        elif length:
            body, came = rest[: int(length[1])], rest[int(length[1]) :]
        else:
            body, came = rest, b""
        yield Answer(text, body)


def _without_chunks(rest: bytes) -> tuple[bytes, bytes]:
    body = bytearray()
    while True:
        size, mark, rest = rest.partition(b"\r\n")
        if not mark:
            return bytes(body), b""
        length = int(size, 16)
        if length == 0:
            return bytes(body), rest.removeprefix(b"\r\n")
        body += rest[:length]
        rest = rest[length + 2 :]


@contextmanager
def wire_to(server: str) -> Iterator[Wire]:
    wire = Wire(server)
    try:
        yield wire
    finally:
        wire.close()


def objects(document: Any) -> Iterator[dict[str, Any]]:
    """Every object within a JSON document."""
    if isinstance(document, dict):
        yield document
        for value in document.values():
            yield from objects(value)
    elif isinstance(document, list):
        for value in document:
            yield from objects(value)
