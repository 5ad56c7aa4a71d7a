"""A line of the log."""

from __future__ import annotations

from collections.abc import Iterable

from umpire.kernel.registry import LogLine


def line(
    text: str, kind: str, rule: str = "", pieces: Iterable[str] = (), at: tuple[tuple[int, ...], ...] = ()
) -> LogLine:
    """A sentence with the rule behind it, and the pieces and places that it is about."""
    return LogLine(text=text, kind=kind, rule=rule, pieces=tuple(pieces), at=at)


def note(text: str) -> LogLine:
    """A sentence for the umpire alone."""
    return LogLine(text=text, kind="event")
