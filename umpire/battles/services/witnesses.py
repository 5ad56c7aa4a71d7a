"""Who has seen everything of a battle: he may take a player's seat of it only when the umpire allows it.

A witness is known by the token of an umpire's seat or of the owner's account, also by one that is revoked; by the
owner's session; and by its browser, which keeps a random cookie that lets nobody in and only says that it is the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.db import IntegrityError, transaction
from msgspec import Struct

from umpire.battles.keys import hash_of_token
from umpire.battles.models import Battle, Device, Seat, Witness

REASON = (
    "This device has seen everything of the battle, so it cannot play a side of it. The umpire can allow it with a new"
    " code for this seat; or join in another browser, a private window, or on another device."
)


class Newcomer(Struct, frozen=True, kw_only=True):
    """What is known of who wants a seat: the hash of its browser, a token it sent, the account it is signed in with."""

    browser: str = ""
    token: str = ""
    user: Any = None

    def has_seen(self, battle: Battle) -> bool:
        """Whether everything of this battle has been shown to it."""
        if battle.owner_id is not None and self.user is not None and self.user.pk == battle.owner_id:
            return True
        if self.browser and Witness.objects.filter(battle=battle, browser=self.browser).exists():
            return True
        if not self.token:
            return False
        device = Device.objects.select_related("seat").filter(token_hash=hash_of_token(self.token)).first()
        if device is None:
            return False
        if device.seat is None:
            return battle.owner_id is not None and device.user_id == battle.owner_id
        if battle.made_by_id == device.seat.pk:
            return True
        return device.seat.battle_id == battle.pk and (device.seat.role == Seat.Role.UMPIRE or device.is_witness)


@lru_cache(4096)
def witness_note(battle: str, browser: str) -> None:
    """Keeps that this browser is shown everything of a battle. Called at each request of an umpire, it writes once."""
    try:
        with transaction.atomic():
            Witness.objects.get_or_create(battle_id=battle, browser=browser)
    except IntegrityError:
        pass  # the battle has just been removed
