"""Battles, seats and who is who."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from umpire.battles.errors import NotYours
from umpire.battles.keys import hash_of_token
from umpire.battles.models import Battle, Device, Message, Order, Reply, Seat, Witness
from umpire.battles.paths import path_of
from umpire.battles.sql import Prepared

MOST = 100
"""Orders and messages that are listed at once."""
HEAVY = ("state", "open_before", "shown", "secret")
"""Columns that a list of battles does without."""


_devices = Prepared(
    lambda token: (
        Device.objects.select_related("seat__battle", "user")
        .defer("seat__last_view", *(f"seat__battle__{column}" for column in HEAVY))
        .filter(token_hash=token, is_revoked=False)
    ),
    str,
)


def actor_of_token(token: str) -> Device | None:
    """The device that holds this token, with its seat and battle, or its user; None if it is revoked or unknown."""
    device = _devices.first(hash_of_token(token))
    if device is None or (device.seat is not None and device.seat.is_revoked):
        return None
    return device


def has_umpire() -> bool:
    """Whether anybody has ever signed in to an account."""
    return get_user_model().objects.filter(is_active=True, last_login__isnull=False).exists()


def battles_for(*, user: Any = None, seat: Seat | None = None) -> list[Battle]:
    """The battles of an account (those it owns), or the one of a seat and those made from it; newest first."""
    return list(_mine(user, seat).defer(*HEAVY).order_by("-created", "id"))


def _mine(user: Any, seat: Seat | None) -> QuerySet[Battle]:
    if seat is None:
        return Battle.objects.filter(owner=user)
    return Battle.objects.filter(Q(pk=seat.battle_id) | Q(made_by=seat))


def battle_for(*, battle_id: str, user: Any = None, seat: Seat | None = None) -> Battle:
    """A battle as one of these may see it. Raises NotYours."""
    battle = _mine(user, seat).defer(*HEAVY).filter(pk=battle_id).first()
    if battle is None or (seat is not None and seat.is_revoked):
        raise NotYours
    return battle


def seat_of(*, battle: Battle, user: Any = None, maker: Seat | None = None) -> Seat:
    """The umpire's seat of the account that owns the battle, or of the seat that it was made from. Raises NotYours."""
    seat = None
    is_owner = user is not None and battle.owner_id is not None and battle.owner_id == user.pk
    if is_owner or (maker is not None and battle.made_by_id == maker.pk):
        seat = battle.seats.filter(role=Seat.Role.UMPIRE, is_revoked=False).order_by("created", "id").first()
    if seat is None:
        raise NotYours
    return seat


def seats_for(*, battle: Battle) -> list[Seat]:
    """All seats, for the umpire; each with `.joined`, the devices that sit on it, and each of these with `.has_seen`:
    whether it, or another seat in the same browser, has been shown everything of the battle."""
    witnesses = Witness.objects.filter(battle=battle, browser=OuterRef("browser"))
    devices = Device.objects.filter(is_revoked=False).order_by("created", "id")
    sitting = Prefetch("devices", devices.annotate(has_seen=Q(is_witness=True) | Exists(witnesses)), to_attr="joined")
    return list(battle.seats.order_by("created", "id").prefetch_related(sitting))


def devices_for(*, user: Any) -> list[Device]:
    """The devices that hold a token of an account."""
    return list(Device.objects.filter(user=user, is_revoked=False).order_by("created", "id"))


def orders_for(*, battle: Battle, seat: Seat, after: int | None = None, limit: int = MOST) -> list[Order]:
    """A seat's own orders (all for the umpire) in the order in which they changed: the last, or those changed after a
    number of its changes."""
    if after is not None and limit == MOST and seat.role != Seat.Role.UMPIRE:
        return _changed.all(battle.pk, seat.pk, after)
    orders = Order.objects.filter(battle=battle).select_related("seat")
    number = "changed_in_battle" if seat.role == Seat.Role.UMPIRE else "changed"
    if seat.role != Seat.Role.UMPIRE:
        orders = orders.filter(seat=seat)
    if after is not None:
        return list(orders.filter(**{f"{number}__gt": after}).order_by(number)[:limit])
    return list(orders.order_by(f"-{number}")[:limit])[::-1]


_changed = Prepared(
    lambda battle, seat, after: Order.objects.filter(battle=battle, seat=seat, changed__gt=after).order_by("changed")[
        :MOST
    ],
    str,
    str,
    int,
)
"""What a tablet that follows asks for after each of its news."""


def messages_for(*, battle: Battle, seat: Seat, before: str | None = None, limit: int = MOST) -> list[dict[str, Any]]:
    """What a seat has sent and what has reached it, oldest first; for the umpire all, with route and state. The last of
    them, or the last before the one of this id.

    A sender does not learn what became of a message, nor its receiver what it once said.
    """
    is_umpire = seat.role == Seat.Role.UMPIRE
    readers = () if is_umpire else (seat.pk, *seat.commands)
    if before is None and limit == MOST:
        found = _last_messages(len(readers)).all(battle.pk, *readers)
    else:
        found = list(_before(_messages(battle.pk, *readers), before)[:limit])
    return [
        message_card(message, is_umpire=is_umpire, is_received=not is_umpire and message.sender_id != seat.id)
        for message in found[::-1]
    ]


def _messages(battle: str, *readers: str) -> QuerySet[Message]:
    """All messages of a battle, or those that a seat (the first of `readers`) has sent, or its commands have got."""
    messages = Message.objects.filter(battle=battle).select_related("sender").defer("sender__last_view")
    if readers:
        seat, *commands = readers
        messages = messages.filter(Q(sender=seat) | Q(to__in=commands, status=Message.Status.DELIVERED))
    return messages.order_by("-created", "-id")


def _before(messages: QuerySet[Message], before: str | None) -> QuerySet[Message]:
    if before is None:
        return messages
    known = messages.filter(pk=before).first()
    if known is None:
        return messages.none()
    return messages.filter(Q(created__lt=known.created) | Q(created=known.created, id__lt=known.id))


@cache
def _last_messages(readers: int) -> Prepared[Message]:
    """What a tablet that follows asks for after each of its news; one statement for each number of commands."""
    return Prepared(lambda *values: _messages(*values)[:MOST], str, *[str] * readers)


def message_card(message: Message, *, is_umpire: bool = False, is_received: bool = False) -> dict[str, Any]:
    """A message as the umpire, its sender or its receiver knows it."""
    card: dict[str, Any] = {"id": message.id, "to": message.to, "text": message.text, "sent": message.sent_turn}
    if is_received:
        card |= {"sender": message.sender.name, "text": message.delivered_text}
    if is_umpire:
        card |= {"sender": message.sender.name, "status": message.status, "due": message.due_turn or 0}
        if message.delivered_text:
            card["delivered"] = message.delivered_text
    return card


def is_taken_back(reply: Reply) -> bool:
    """Whether a rewind has taken back what this reply told of."""
    if reply.order_id is not None:
        return Order.objects.filter(pk=reply.order_id, status=Order.Status.TAKEN_BACK).exists()
    if reply.battle_id is None or reply.line is None:
        return False
    head = Battle.objects.only("line").get(pk=reply.battle_id)
    return not path_of(reply.battle_id, head.line).reaches(reply.line, reply.depth or 0)
