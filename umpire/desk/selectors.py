"""What lies on the umpire's desk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec
from django.utils import timezone

from umpire.battles.heads import read_head
from umpire.battles.models import Battle, Device, Message, Order, Question, Seat
from umpire.battles.moments import iso
from umpire.battles.parsing import correction_from
from umpire.battles.selectors import ledger_for
from umpire.battles.selectors.games import message_card
from umpire.battles.selectors.news import question_card
from umpire.kernel.forms import Form
from umpire.kernel.hand.forms import Foreseen, foreseen, hand_forms
from umpire.kernel.registry import package_of

AWAY = timedelta(minutes=5)
"""A seat whose devices have been silent for so long counts as absent."""
LEDGER = 30


def desk_for(*, battle: Battle) -> dict[str, Any]:
    """`{waiting: [oldest first: {kind, since, ...}], beliefs: {seat: {commands, contacts, tag}}, ledger: the last
    entries, fault}`; kinds are question, order, message, stopped and absent."""
    now = Battle.objects.only("open_depth", "fault").get(pk=battle.pk)
    waiting = [*_questions(battle), *_orders(battle), *_messages(battle), *_absent(battle)]
    is_asked = any(item["kind"] == "question" for item in waiting)
    if now.open_depth is not None and not is_asked:
        waiting.append({"kind": "stopped", "since": "", "depth": now.open_depth, "fault": now.fault})
    desk: dict[str, Any] = {
        "waiting": sorted(waiting, key=lambda item: item["since"]),
        "beliefs": {
            seat.name: {
                "commands": seat.commands,
                "contacts": msgspec.json.decode(bytes(seat.last_view)).get("contacts", {}),
                "tag": seat.tag,
            }
            for seat in battle.seats.filter(role=Seat.Role.PLAYER).order_by("created", "id")
        },
        "ledger": ledger_for(battle=battle, limit=LEDGER),
    }
    if now.fault:
        desk["fault"] = now.fault
    return desk


def hand_for(*, battle: Battle, piece: str | None = None) -> list[Form]:
    """What the umpire may do by hand, as forms: with a piece, or with the battle. Raises KeyError for no such piece."""
    head = read_head(battle.id)
    return hand_forms(head.package, head.state, piece) if battle.status == Battle.Status.RUNNING else []


def foreseen_for(*, battle: Battle, correction: Mapping[str, Any]) -> Foreseen:
    """Who would see what of a correction that is not made. Raises BadInput."""
    typed = correction_from(package_of(battle.system), correction)
    head = read_head(battle.id)
    return foreseen(head.package, head.position, typed)


def _questions(battle: Battle) -> list[dict[str, Any]]:
    rows = Question.objects.filter(battle=battle, status=Question.Status.WAITING)
    return [{"kind": "question", **question_card(row, battle.system)} for row in rows]


def _orders(battle: Battle) -> list[dict[str, Any]]:
    rows = Order.objects.filter(battle=battle, status__in=(Order.Status.HELD, Order.Status.SEALED)).select_related(
        "seat"
    )
    return [
        {
            "kind": "order",
            "id": order.id,
            "since": iso(order.created),
            "seat": order.seat.name,
            "order": order.order,
            "status": order.status,
        }
        for order in rows
    ]


def _messages(battle: Battle) -> list[dict[str, Any]]:
    rows = Message.objects.filter(battle=battle, status=Message.Status.SENT).select_related("sender")
    return [{"kind": "message", "since": iso(row.created), **message_card(row, is_umpire=True)} for row in rows]


def _absent(battle: Battle) -> list[dict[str, Any]]:
    """Seats of players that once were taken and whose devices are silent now."""
    seen: dict[str, Any] = {}
    for device in Device.objects.filter(seat__battle=battle, seat__role=Seat.Role.PLAYER, is_revoked=False):
        seen[device.seat_id] = max(device.last_seen, seen.get(device.seat_id, device.last_seen))
    names = dict(battle.seats.values_list("id", "name"))
    limit = timezone.now() - AWAY
    return [{"kind": "absent", "since": iso(last), "seat": names[seat]} for seat, last in seen.items() if last < limit]
