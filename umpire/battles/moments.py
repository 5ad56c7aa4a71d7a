"""How moments are written, wherever they go out."""

from __future__ import annotations

from datetime import datetime


def iso(moment: datetime) -> str:
    """A moment to the second, in UTC: "2026-05-01T18:00:00Z". Finer, it would tell how long hidden forces took."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
