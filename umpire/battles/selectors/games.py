"""Battles, seats and who is who."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q

from umpire.battles.errors import NotYours
from umpire.battles.keys import hash_of_token
from umpire.battles.models import Battle, Device, Message, Order, Reply, Seat, Witness
from umpire.battles.paths import path_of

HEAVY = ("state", "open_before", "shown", "secret")
"""Columns that a list of battles does without."""


def actor_of_token(token: str) -> Device | None:
    """The device that holds this token, with its seat or user; None if it is revoked or unknown."""
    known = Device.objects.select_related("seat", "user")
    device = known.filter(token_hash=hash_of_token(token), is_revoked=False).first()
    if device is None or (device.seat is not None and device.seat.is_revoked):
        return None
    return device


def battles_for(*, user: Any = None, seat: Seat | None = None) -> list[Battle]:
    """The battles of an account (those it owns), or the one of a seat; newest first."""
    mine = Battle.objects.filter(owner=user) if seat is None else Battle.objects.filter(pk=seat.battle_id)
    return list(mine.defer(*HEAVY).order_by("-created", "id"))


def battle_for(*, battle_id: str, user: Any = None, seat: Seat | None = None) -> Battle:
    """A battle as one of these may see it. Raises NotYours."""
    mine = Battle.objects.filter(owner=user) if seat is None else Battle.objects.filter(pk=seat.battle_id)
    battle = mine.defer(*HEAVY).filter(pk=battle_id).first()
    if battle is None or (seat is not None and seat.is_revoked):
        raise NotYours
    return battle


def seat_of(*, battle: Battle, user: Any) -> Seat:
    """The umpire's seat of the account that owns the battle. Raises NotYours."""
    seat = None
    if battle.owner_id is not None and battle.owner_id == user.pk:
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


def orders_for(*, battle: Battle, seat: Seat) -> list[Order]:
    """A seat's own orders, oldest first; all orders for the umpire."""
    orders = Order.objects.filter(battle=battle).select_related("seat").order_by("sequence")
    return list(orders if seat.role == Seat.Role.UMPIRE else orders.filter(seat=seat))


def messages_for(*, battle: Battle, seat: Seat) -> list[dict[str, Any]]:
    """What a seat has sent and what has reached it; for the umpire all, with route and state.

    A sender does not learn what became of a message, nor its receiver what it once said.
    """
    messages = Message.objects.filter(battle=battle).select_related("sender").order_by("created", "id")
    if seat.role == Seat.Role.UMPIRE:
        return [message_card(message, is_umpire=True) for message in messages]
    mine = Q(sender=seat) | Q(to__in=seat.commands, status=Message.Status.DELIVERED)
    return [message_card(message, is_received=message.sender_id != seat.id) for message in messages.filter(mine)]


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
