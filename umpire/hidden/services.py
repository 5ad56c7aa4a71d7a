"""Hidden forces carry on their plans."""

from __future__ import annotations


def carry_due(*, battle_id: str, line: int, depth: int) -> str:
    """Carries on all plans that are due because of the ledger entry named, in one transaction that strikes the work out
    of the outbox: "carried", "paused" (a question waits), "waits" (another ruling does), "void" or "done already"."""
    raise NotImplementedError
