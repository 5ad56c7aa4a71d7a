"""Numbers that enter a roll, and reasons why something may not be done.

Every number that enters a roll goes in as a `Modifier`, so that the ledger and each screen can say
why it was a 7. A chapter never hands on a bare sum.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One number with the reason for it and the rule that gives it.

    `status` is empty for what a book prints and `"house"` for our own proposal, so that a screen can
    mark it (`umpire.kernel.book.book` keeps the status of each value of a table).
    """

    value: int
    reason: str
    rule: str
    status: str = ""


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why something may not be done, in words, with its rule and the field of the order at fault (dotted)."""

    reason: str
    rule: str = ""
    field: str = ""


def total(modifiers: Iterable[Modifier]) -> int:
    """The sum of the values."""
    return sum(modifier.value for modifier in modifiers)
