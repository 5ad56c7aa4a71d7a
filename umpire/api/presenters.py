"""What the models look like outside: only what is named here goes out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import msgspec
import segno
from django.utils import timezone

from umpire.api.responses import BattleCard, DeviceCard, Invite, OrderCard, You
from umpire.battles.models import Battle, Device, Order, Seat
from umpire.battles.moments import iso
from umpire.kernel.registry import LogLine
from umpire.kernel.values.modifiers import Refusal

ONLINE_WITHIN = timedelta(minutes=3)
"""How long ago a device that is online was heard of: requests and streams are noted once a minute."""


def you(seat: Seat) -> You:
    return You(id=seat.id, name=seat.name, role=seat.role, commands=tuple(seat.commands))


def battle_card(battle: Battle, seat: Seat | None) -> BattleCard:
    """A battle for a seat; None is the account that owns it."""
    is_umpire = seat is None or seat.role == Seat.Role.UMPIRE
    return BattleCard(
        id=battle.id,
        title=battle.title,
        system=battle.system,
        status=battle.status,
        created=iso(battle.created),
        commitment=battle.commitment,
        is_open=battle.is_opened,
        you=you(seat) if seat is not None else None,
        scenario=battle.scenario if is_umpire else "",
        archived=is_umpire and battle.is_archived,
    )


def order_card(
    order: Order,
    system: str,
    *,
    lines: tuple[LogLine, ...] = (),
    etag: str = "",
    last: int = 0,
    seat: str = "",
    changed: int = 0,
) -> OrderCard:
    return OrderCard(
        seat=seat,
        id=order.id,
        system=system,
        order=order.order,
        status=cast(Any, order.told),
        created=iso(order.created),
        refusals=tuple(msgspec.convert(order.refusals, list[Refusal])),
        lines=lines,
        etag=etag,
        last=last,
        changed=changed,
    )


def invite(seat: Seat, *, code: str = "", link: str = "", devices: Any = ()) -> Invite:
    """A seat for the umpire; with its code, a link and a picture of it where the code is known."""
    sitting = tuple(
        device_card(device, has_seen=seat.role == Seat.Role.PLAYER and device.has_seen) for device in devices
    )
    return Invite(
        id=seat.id,
        name=seat.name,
        role=seat.role,
        commands=tuple(seat.commands),
        revoked=seat.is_revoked,
        admits_witnesses=seat.admits_witnesses,
        handed_over=seat.is_handed_over,
        online=any(device.online for device in sitting),
        code=code,
        link=link,
        qr=picture_of(link) if link else "",
        devices=sitting,
    )


def device_card(device: Device, *, has_seen: bool = False) -> DeviceCard:
    return DeviceCard(
        id=device.pk,
        label=device.label,
        created=iso(device.created),
        last_seen=iso(device.last_seen),
        online=not device.is_revoked and timezone.now() - device.last_seen < ONLINE_WITHIN,
        revoked=device.is_revoked,
        has_seen_everything=has_seen,
    )


def picture_of(link: str) -> str:
    """A QR code as SVG."""
    return str(segno.make(link, error="m").svg_inline(scale=4, border=2))
