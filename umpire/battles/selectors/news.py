"""News and questions of a seat."""

from __future__ import annotations

from typing import Any

from umpire.battles.models import Battle, Seat


def questions_for(*, battle: Battle, seat: Seat) -> list[dict[str, Any]]:
    """What waits for this seat (for an umpire: for anybody): `{id, command, question?, offer, roll?, since}`."""
    raise NotImplementedError


def news_for(*, seat: Seat, after: int = 0, limit: int = 500) -> list[dict[str, Any]]:
    """The news after a number: `{number, kind, lines, patch, at}`."""
    raise NotImplementedError


def sync_for(*, battle: Battle, seat: Seat, after: int, tag: str = "") -> dict[str, Any]:
    """All a tablet that was away needs: `status` current, news or whole, with news or view, questions, orders,
    messages, etag, last."""
    raise NotImplementedError
