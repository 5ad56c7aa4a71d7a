"""Seats, their codes, and the devices that sit on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Device, Seat


def seat_create(
    *, battle: Battle, by: Seat, name: str, role: str, commands: Sequence[str] = (), once: Once | None = None
) -> tuple[Seat, str]:
    """One more seat and its code. Raises NotYours, BadInput (name taken, unknown command or role)."""
    raise NotImplementedError


def seat_join(*, code: str, device: str = "") -> tuple[Seat, str]:
    """Seats a device: the seat, and the token that is shown this once. Raises NotYours for a code nobody has."""
    raise NotImplementedError


def seat_new_code(*, seat: Seat, by: Seat | None = None, once: Once | None = None) -> str:
    """A new code; the old one is good no longer, devices stay. A revoked seat is open again. Raises NotYours."""
    raise NotImplementedError


def seat_revoke(*, seat: Seat, by: Seat | None = None, once: Once | None = None) -> None:
    """Takes the seat from all devices, and its code. Raises NotYours."""
    raise NotImplementedError


def device_create(*, user: Any, label: str = "") -> tuple[Device, str]:
    """A token for a device of an account, shown this once."""
    raise NotImplementedError


def device_revoke(*, device: Device) -> None:
    """The device's token is good no longer."""
    raise NotImplementedError
