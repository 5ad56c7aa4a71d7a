"""News and questions of a seat."""

from __future__ import annotations

from typing import Any

import msgspec

from umpire.battles.models import Battle, News, Question, Seat
from umpire.battles.moments import iso
from umpire.battles.selectors.games import MOST, messages_for, orders_for
from umpire.battles.sql import Prepared
from umpire.kernel.registry import package_of

MOST_NEWS = 200
"""A tablet that has missed more gets its whole view."""
MOST_AT_ONCE = 500


def questions_for(*, battle: Battle, seat: Seat) -> list[dict[str, Any]]:
    """What waits for this seat (for an umpire: for anybody): `{id, command, question?, offer, roll?, since}`."""
    rows = _waiting.all(battle.pk)
    if seat.role != Seat.Role.UMPIRE:
        rows = [row for row in rows if row.command and row.command in seat.commands]
    return [question_card(row, battle.system) for row in rows]


_waiting = Prepared(
    lambda battle: Question.objects.filter(battle=battle, status=Question.Status.WAITING).order_by(
        "created", "depth", "command"
    ),
    str,
)


def question_card(row: Question, system: str) -> dict[str, Any]:
    """A question, or a roll that is typed in, as whoever is asked gets it."""
    body = msgspec.json.decode(bytes(row.body))
    answer, decline = ("", "") if row.is_roll else package_of(system).answer_words(body["kind"])
    return {
        **({"answer": answer} if answer else {}),
        **({"decline": decline} if decline else {}),
        "id": row.id,
        "command": row.command,
        "offer": row.is_offer,
        "since": iso(row.created),
        "roll" if row.is_roll else "question": body,
    }


def news_for(*, seat: Seat, after: int = 0, limit: int = MOST_AT_ONCE) -> list[dict[str, Any]]:
    """The news after a number: `{number, kind, lines, patch, at}`."""
    rows = _news.all(seat.pk, after)[:limit]
    return [
        {
            "number": row.number,
            "kind": row.kind,
            "at": iso(row.at),
            "lines": [],
            "patch": {},
            **msgspec.json.decode(bytes(row.body)),
        }
        for row in rows
    ]


_news = Prepared(
    lambda seat, after: News.objects.filter(seat=seat, number__gt=after).order_by("number")[:MOST_AT_ONCE], str, int
)


def sync_for(
    *, battle: Battle, seat: Seat, after: int | None = None, tag: str = "", orders_after: int | None = None
) -> dict[str, Any]:
    """All a tablet that was away needs: `status` current, news or whole, with news or view, questions, the orders that
    changed after a number, messages, etag, last. Who does not say how far his news have come gets the whole. The seat
    is as it was read for this."""
    missed = -1 if after is None else seat.news_count - after
    is_current = missed == 0 and tag in ("", seat.tag)
    is_whole = not is_current and not 0 < missed <= MOST_NEWS
    now = Seat.objects.get(pk=seat.pk) if is_whole else seat
    orders = orders_for(battle=battle, seat=now, after=orders_after)
    answer: dict[str, Any] = {
        "etag": now.tag,
        "last": now.news_count,
        "questions": questions_for(battle=battle, seat=now),
        "orders": orders,
        "more_orders": orders_after is not None and len(orders) == MOST,
        "messages": messages_for(battle=battle, seat=now),
    }
    if is_whole:
        return {"status": "whole", "view": msgspec.json.decode(bytes(now.last_view)), **answer}
    if is_current:
        return {"status": "current", **answer}
    news = [item for item in news_for(seat=now, after=now.news_count - missed) if item["number"] <= now.news_count]
    return {"status": "news", "news": news, **answer}
