"""What lies on the umpire's desk."""

from __future__ import annotations

from typing import Any

from umpire.battles.models import Battle


def desk_for(*, battle: Battle) -> dict[str, Any]:
    """`{waiting: [oldest first: {kind: question | order | message | stopped | absent, ...}], beliefs: {seat: {...}},
    ledger: the last entries, fault}`."""
    raise NotImplementedError
