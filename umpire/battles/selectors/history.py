"""The ledger, for the umpire; the whole record once a battle is finished and opened."""

from __future__ import annotations

from typing import Any

from umpire.battles.models import Battle


def ledger_for(*, battle: Battle, before: int | None = None, limit: int = 50) -> list[dict[str, Any]]:
    """The last entries below depth `before`, oldest first: `{depth, line, kind, text, working, cut, at}`."""
    raise NotImplementedError


def record_for(*, battle: Battle) -> dict[str, Any]:
    """Ledger, lines and dice secret of a battle that is finished and opened. Raises NotYours before."""
    raise NotImplementedError
