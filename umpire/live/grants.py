"""By what right somebody reads a seat's stream, and when that right is over.

A stream may outlive the request that got its ticket by hours. So it is asked anew, whenever something is read for it,
whether its seat, device, session and account still are what they were; the truth of a battle stops with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from msgspec import Struct

from umpire.battles.models import Device, Seat

MOST_IDS = 400
"""Ids in one query."""

T = TypeVar("T")


class Grant(Struct, frozen=True, kw_only=True):
    """A seat, and what it is read with: a device's token, or the session of an account (`proof` is what the session
    proves the account's password with)."""

    seat: str
    device: str = ""
    user: int | None = None
    session: str = ""
    proof: str = ""


def ended(grants: Collection[Grant]) -> frozenset[Grant]:
    """Those that are over: the seat or device revoked, the session ended, the account no longer active, no longer the
    battle's owner, or with another password than the session was begun with."""
    owners = _owners(grants)
    devices = {
        pk: (is_active is not False, user)
        for chunk in chunks(grant.device for grant in grants)
        for pk, user, is_active in Device.objects.filter(pk__in=chunk, is_revoked=False).values_list(
            "pk", "user", "user__is_active"
        )
    }
    sessions = {
        key
        for chunk in chunks(grant.session for grant in grants)
        for key in Session.objects.filter(pk__in=chunk, expire_date__gt=timezone.now()).values_list("pk", flat=True)
    }
    proofs = {
        user.pk: user.get_session_auth_hash()
        for chunk in chunks(grant.user for grant in grants if grant.session)
        for user in get_user_model().objects.filter(pk__in=chunk, is_active=True)
    }

    def is_good(grant: Grant) -> bool:
        if grant.seat not in owners:
            return False
        if grant.session:
            owns = owners[grant.seat] == grant.user
            return owns and grant.session in sessions and proofs.get(grant.user) == grant.proof
        is_active, user = devices.get(grant.device, (False, None))
        return is_active and (user is None or user == owners[grant.seat])

    return frozenset(grant for grant in grants if not is_good(grant))


def _owners(grants: Iterable[Grant]) -> dict[str, int | None]:
    """The owner of each seat's battle; a revoked seat is not in it."""
    return {
        seat: owner
        for chunk in chunks(grant.seat for grant in grants)
        for seat, owner in Seat.objects.filter(pk__in=chunk, is_revoked=False).values_list("pk", "battle__owner")
    }


def chunks(ids: Iterable[T]) -> Iterator[list[T]]:
    """Ids, each once, as many as one query takes at a time."""
    listed = [one for one in dict.fromkeys(ids) if one]
    return (listed[start : start + MOST_IDS] for start in range(0, len(listed), MOST_IDS))
