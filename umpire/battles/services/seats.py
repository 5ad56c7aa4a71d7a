"""Seats, their codes, and the devices that sit on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F

from umpire.battles import idempotency
from umpire.battles.errors import BadInput, Fault, NotYours, Refused
from umpire.battles.heads import Head, chair_of, read_head
from umpire.battles.idempotency import Once
from umpire.battles.keys import hash_of_code, hash_of_token, new_code, new_token
from umpire.battles.models import Battle, Device, Seat
from umpire.battles.parsing import must_be_umpire
from umpire.battles.services.witnesses import REASON, Newcomer
from umpire.battles.signals import wake
from umpire.kernel import news as kernel_news
from umpire.kernel.codec import encode
from umpire.kernel.values.modifiers import Refusal


def seat_create(
    *, battle: Battle, by: Seat, name: str, role: str, commands: Sequence[str] = (), once: Once | None = None
) -> tuple[Seat, str]:
    """One more seat and its code. Raises NotYours, BadInput (name taken, unknown command or role)."""
    must_be_umpire(battle, by)
    with transaction.atomic():
        head = read_head(battle.id, lock=True)
        _must_fit(head, name, role, commands)
        seat, code = seat_made(head, name=name, role=role, commands=commands)
        # A change computed from the seats of before would forget this one.
        Battle.objects.filter(pk=battle.pk).update(version=F("version") + 1)
        idempotency.keep(once, (seat, code), head.battle)
    return seat, code


def _must_fit(head: Head, name: str, role: str, commands: Sequence[str]) -> None:
    faults = _faults_of_name(head, name)
    if role not in Seat.Role.values:
        faults.append(Fault("/role", f"{role!r} is not known", ", ".join(Seat.Role.values)))
    known = sorted(head.state.commands)
    for index, command in enumerate(commands):
        if command not in known:
            faults.append(Fault(f"/commands/{index}", f"no command is called {command!r}", ", ".join(known)))
    if role != Seat.Role.PLAYER and commands:
        faults.append(Fault("/commands", f"an {role} leads no command", "[]"))
    if role == Seat.Role.PLAYER and not commands:
        faults.append(Fault("/commands", "a player leads a command or more", ", ".join(known)))
    if faults:
        raise BadInput(faults)


def _faults_of_name(head: Head, name: str) -> list[Fault]:
    if not name.strip() or len(name) > 100:
        return [Fault("/name", "a seat has a name of 1 to 100 characters")]
    if any(seat.name == name for seat in head.seats):
        return [Fault("/name", f"a seat is called {name!r} already")]
    return []


def seat_made(
    head: Head, *, name: str, role: str, commands: Sequence[str] = (), code: str | None = None
) -> tuple[Seat, str]:
    """A seat that sees the battle as it is. Whoever calls this holds the battle's row, or has just made it."""
    code = code or new_code()
    seat = Seat(
        battle=head.battle,
        name=name,
        role=role,
        commands=list(commands),
        code_hash=hash_of_code(code),
        # All links of a demo battle are printed for one person, who may try them side by side.
        admits_witnesses=head.battle.is_demo,
    )
    if role == Seat.Role.UMPIRE:
        view = head.package.truth(head.state)
    else:
        view = kernel_news.view_of(head.package, head.seen_state, chair_of(seat))
    seat.last_view = encode(view)
    seat.tag = kernel_news.tag_of(view, 0)
    seat.save(force_insert=True)
    return seat, code


def seat_join(*, code: str, device: str = "", newcomer: Newcomer | None = None) -> tuple[Seat, str]:
    """Seats a device: the seat, and the token that is shown this once. Raises NotYours for a code nobody has, Refused
    for a player's seat where the newcomer has seen everything and the umpire has not allowed it."""
    seat = Seat.objects.select_related("battle").filter(code_hash=hash_of_code(code), is_revoked=False).first()
    if seat is None:
        raise NotYours
    newcomer = newcomer or Newcomer()
    is_witness = newcomer.has_seen(seat.battle)
    if is_witness and seat.role == Seat.Role.PLAYER and not seat.admits_witnesses:
        raise Refused((Refusal(reason=REASON),))
    token = new_token()
    with transaction.atomic():
        if seat.is_handed_over and Seat.objects.filter(pk=seat.pk, is_handed_over=True).update(is_handed_over=False):
            Device.objects.filter(seat=seat).update(is_revoked=True)
            wake([seat.pk])
        Device.objects.create(
            seat=seat,
            token_hash=hash_of_token(token),
            label=device[:100],
            browser=newcomer.browser,
            is_witness=is_witness,
        )
    return seat, token


def seat_rename(*, seat: Seat, by: Seat, name: str) -> Seat:
    """Another name for a seat. Raises NotYours, BadInput (no name, or taken)."""
    must_be_umpire(seat.battle, by)
    with transaction.atomic():
        head = read_head(seat.battle_id, lock=True)
        if name != seat.name and (faults := _faults_of_name(head, name)):
            raise BadInput(faults)
        Seat.objects.filter(pk=seat.pk).update(name=name)
        # A change computed from the seats of before would still call it by the old name.
        Battle.objects.filter(pk=seat.battle_id).update(version=F("version") + 1)
    seat.refresh_from_db()
    return seat


def seat_new_code(
    *,
    seat: Seat,
    admits_witnesses: bool = False,
    hands_over: bool = False,
    by: Seat | None = None,
    once: Once | None = None,
) -> str:
    """A new code; the old one is good no longer, devices stay, or with `hands_over` stay until the next one has joined.
    A revoked seat is open again. With `admits_witnesses` it lets in who has seen everything of the battle. Raises
    NotYours."""
    if by is not None:
        must_be_umpire(seat.battle, by)
    code = new_code()
    with transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(
            code_hash=hash_of_code(code),
            is_revoked=False,
            admits_witnesses=admits_witnesses,
            is_handed_over=hands_over,
        )
        idempotency.keep(once, code, seat.battle)
    seat.refresh_from_db()
    return code


def seat_revoke(*, seat: Seat, by: Seat | None = None, once: Once | None = None) -> None:
    """Takes the seat from all devices, and its code. Raises NotYours."""
    if by is not None:
        must_be_umpire(seat.battle, by)
    with transaction.atomic():
        Device.objects.filter(seat=seat).update(is_revoked=True)
        Seat.objects.filter(pk=seat.pk).update(is_revoked=True)
        wake([seat.pk])  # its open streams close at once
        idempotency.keep(once, seat, seat.battle)
    seat.refresh_from_db()


def device_create(*, user: Any, label: str = "") -> tuple[Device, str]:
    """A token for a device of an account, shown this once."""
    token = new_token()
    return Device.objects.create(user=user, token_hash=hash_of_token(token), label=label[:100]), token


def device_revoke(*, device: Device) -> None:
    """The device's token is good no longer; its open streams close at once."""
    with transaction.atomic():
        Device.objects.filter(pk=device.pk).update(is_revoked=True)
        umpires = Seat.objects.filter(battle__owner=device.user_id, role=Seat.Role.UMPIRE)
        wake([device.seat_id] if device.seat_id else umpires.values_list("pk", flat=True))
