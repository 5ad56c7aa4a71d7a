"""Messages between commands, which go by the umpire's desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from umpire.battles import idempotency
from umpire.battles.errors import BadInput, Fault, NotYours, Refused
from umpire.battles.heads import Head, chair_of, read_head
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Message, News, Seat
from umpire.battles.parsing import must_be_umpire
from umpire.battles.publishing import write_news
from umpire.battles.signals import announce, wake
from umpire.kernel.codec import encode
from umpire.kernel.news import News as SeatNews
from umpire.kernel.news import view_of
from umpire.kernel.registry import LogLine
from umpire.kernel.values.modifiers import Refusal

UMPIRE = "umpire"
LONGEST = 2000
MOST_SENT = 50
"""Messages of one seat that wait on the umpire's desk."""


def message_send(*, battle: Battle, seat: Seat, to: str, text: str, once: Once | None = None) -> Message:
    """Sends a message to a command or to "umpire". To the umpire it arrives at once, as does what the umpire sends;
    between commands the umpire delivers it, or loses it. Raises BadInput, NotYours, Refused."""
    with transaction.atomic():
        head = read_head(battle.id, lock=True)
        sender = next((each for each in head.seats if each.id == seat.id and not each.is_revoked), None)
        if sender is None or sender.role == Seat.Role.OBSERVER:
            raise NotYours
        _must_fit(head, sender, to, text)
        is_direct = to == UMPIRE or sender.role == Seat.Role.UMPIRE
        if not is_direct and Message.objects.filter(sender=sender, status=Message.Status.SENT).count() >= MOST_SENT:
            raise Refused((Refusal(reason=f"{MOST_SENT} messages of this seat are on their way already."),))
        message = Message.objects.create(
            battle=head.battle,
            sender=sender,
            to=to,
            text=text,
            sent_turn=_turn(head),
            status=Message.Status.DELIVERED if is_direct else Message.Status.SENT,
            delivered_text=text if is_direct else "",
            delivered=timezone.now() if is_direct else None,
        )
        if is_direct:
            _bring(head, message)
        else:
            _tell(head, _umpires(head), f"{sender.name} to {to}: {text}")
        idempotency.keep(once, message, head.battle)
    return message


def message_deliver(*, message: Message, by: Seat, text: str | None = None, once: Once | None = None) -> Message:
    """Delivers a message, perhaps distorted. Raises NotYours, Refused (delivered or lost already)."""
    must_be_umpire(message.battle, by)
    if text is not None and not 0 < len(text) <= LONGEST:
        raise BadInput([Fault("/text", f"a message has 1 to {LONGEST} characters")])
    with transaction.atomic():
        head, sent = _sent(message)
        sent.status, sent.delivered = Message.Status.DELIVERED, timezone.now()
        sent.delivered_text = sent.text if text is None else text
        sent.save(update_fields=["status", "delivered", "delivered_text"])
        _bring(head, sent)
        idempotency.keep(once, sent, head.battle)
    return sent


def message_lose(*, message: Message, by: Seat, once: Once | None = None) -> Message:
    """The message never arrives; its sender is not told. Raises NotYours, Refused."""
    must_be_umpire(message.battle, by)
    with transaction.atomic():
        head, sent = _sent(message)
        sent.status = Message.Status.LOST
        sent.save(update_fields=["status"])
        wake([seat.id for seat in _umpires(head)])
        idempotency.keep(once, sent, head.battle)
    return sent


def message_delay(*, message: Message, by: Seat, due_turn: int, once: Once | None = None) -> Message:
    """Says in which turn the message is due on the desk. Raises NotYours, Refused."""
    must_be_umpire(message.battle, by)
    with transaction.atomic():
        head, sent = _sent(message)
        sent.due_turn = due_turn
        sent.save(update_fields=["due_turn"])
        wake([seat.id for seat in _umpires(head)])
        idempotency.keep(once, sent, head.battle)
    return sent


def _must_fit(head: Head, sender: Seat, to: str, text: str) -> None:
    known = [command for command in _receivers(head, sender) if command not in sender.commands]
    faults = []
    if to not in known and (to != UMPIRE or sender.role == Seat.Role.UMPIRE):
        others = known if sender.role == Seat.Role.UMPIRE else [UMPIRE, *known]
        faults.append(Fault("/to", f"no command is called {to!r}", ", ".join(others)))
    if not 0 < len(text) <= LONGEST:
        faults.append(Fault("/text", f"a message has 1 to {LONGEST} characters"))
    if faults:
        raise BadInput(faults)


def _receivers(head: Head, sender: Seat) -> list[str]:
    """The commands that a sender may know of: those that his view names."""
    if sender.role == Seat.Role.UMPIRE:
        return sorted(head.state.commands)
    chair = chair_of(sender)
    return sorted(view_of(head.package, head.seen_state, chair).commands)


def _sent(message: Message) -> tuple[Head, Message]:
    """The message under its battle's lock. Raises Refused where its fate is settled."""
    head = read_head(message.battle_id, lock=True)
    sent = Message.objects.select_related("sender").get(pk=message.pk)
    if sent.status != Message.Status.SENT:
        raise Refused((Refusal(reason=f"The message is {sent.status} already."),))
    return head, sent


def _turn(head: Head) -> int:
    return int(getattr(head.state.public, "turn", 0))


def _umpires(head: Head) -> list[Seat]:
    return [seat for seat in head.seats if seat.role == Seat.Role.UMPIRE]


def _bring(head: Head, message: Message) -> None:
    """The news of a message for whoever it reaches."""
    if message.to == UMPIRE:
        receivers = _umpires(head)
    else:
        receivers = [seat for seat in head.seats if seat.role == Seat.Role.PLAYER and message.to in seat.commands]
    _tell(head, receivers, f"{message.sender.name}: {message.delivered_text}")


def _tell(head: Head, seats: Sequence[Seat], text: str) -> None:
    body: Any = encode(SeatNews(lines=(LogLine(text=text, kind="message"),)))
    told = write_news(head.battle.id, {seat.id: (None, body) for seat in seats}, kind=News.Kind.MESSAGE)
    announce(told, {*told, *(seat.id for seat in _umpires(head))})
