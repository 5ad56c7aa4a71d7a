"""Problem documents (RFC 9457) from the door: before, or beside, Django's application."""

from __future__ import annotations

from typing import Any

import msgspec

HEADERS = [
    (b"content-type", b"application/problem+json"),
    (b"cache-control", b"private, no-store"),
    (b"x-content-type-options", b"nosniff"),
]
TITLES = {
    "malformed": (400, "This cannot be read."),
    "not-authenticated": (401, "Who are you?"),
    "not-found": (404, "There is nothing here."),
    "too-slow": (408, "This took too long to arrive."),
    "too-large": (413, "This is too large."),
    "unavailable": (503, "This cannot be done at the moment."),
}
AGAIN = 3
"""Seconds after which whoever was turned away may come again."""


async def send_problem(send: Any, kind: str, detail: str) -> None:
    """Answers with a problem document. Whoever was turned away for lack of room, or in the middle of his body, is told
    to come again on another line."""
    status, title = TITLES[kind]
    body = msgspec.json.encode({"type": f"/problems/{kind}", "title": title, "status": status, "detail": detail})
    headers = [*HEADERS, (b"content-length", str(len(body)).encode())]
    if status == 503:
        headers.append((b"retry-after", str(AGAIN).encode()))
    if status in (408, 413, 503):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
