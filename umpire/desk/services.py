"""Messages between commands, which go by the umpire's desk."""

from __future__ import annotations

from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Message, Seat


def message_send(*, battle: Battle, seat: Seat, to: str, text: str, once: Once | None = None) -> Message:
    """Sends a message to a command or to "umpire". To the umpire it arrives at once, as does what the umpire sends;
    between commands the umpire delivers it, or loses it. Raises BadInput."""
    raise NotImplementedError


def message_deliver(*, message: Message, by: Seat, text: str | None = None, once: Once | None = None) -> Message:
    """Delivers a message, perhaps distorted. Raises NotYours, Refused (delivered or lost already)."""
    raise NotImplementedError


def message_lose(*, message: Message, by: Seat, once: Once | None = None) -> Message:
    """The message never arrives; its sender is not told. Raises NotYours, Refused."""
    raise NotImplementedError
