"""What an umpire does with a battle as a whole: its name, putting it away, a copy, going on, throwing it away."""

from __future__ import annotations

from django.db import transaction
from django.db.models import ProtectedError

from umpire.battles.errors import BadInput, Fault, Refused
from umpire.battles.heads import Head
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Seat
from umpire.battles.parsing import must_be_umpire
from umpire.battles.publishing import Change, Landed, commit, keeper
from umpire.battles.services.games import battle_of
from umpire.battles.signals import wake
from umpire.kernel.registry import LogLine
from umpire.kernel.settings import Setting, half
from umpire.kernel.values.modifiers import Refusal


def battle_change(*, battle: Battle, by: Seat, title: str | None = None, is_archived: bool | None = None) -> Battle:
    """Another title; put away, or taken out again. Raises NotYours, BadInput."""
    must_be_umpire(battle, by)
    columns: dict[str, object] = {}
    if title is not None:
        if not title.strip():
            raise BadInput([Fault("/title", "a battle has a title")])
        columns["title"] = title.strip()
    if is_archived is not None:
        columns["is_archived"] = is_archived
    if columns:
        Battle.objects.filter(pk=battle.pk).update(**columns)
        battle.refresh_from_db(fields=list(columns))
    return battle


def battle_copy(
    *, battle: Battle, by: Seat, title: str = "", once: Once | None = None
) -> tuple[Battle, list[tuple[Seat, str]]]:
    """The same battle from its beginning, with other dice, and with a seat for each of this one's. Its codes are shown
    this once. Raises NotYours."""
    must_be_umpire(battle, by)
    seats = battle.seats.filter(is_revoked=False).order_by("created", "id")
    return battle_of(
        owner=battle.owner,
        made_by=battle.made_by or (by if battle.owner is None else None),
        system=battle.system,
        scenario=battle.scenario,
        setting=Setting(public=half(battle.public_setting_id), umpire=half(battle.umpire_setting_id)),
        title=title or battle.title,
        options=battle.options,
        seats=[(seat.name, seat.role, tuple(seat.commands)) for seat in seats],
        once=once,
    )


def battle_reopen(*, battle: Battle, by: Seat, once: Once | None = None) -> Battle:
    """A finished battle goes on. Raises NotYours; Refused where it is not finished, or where all may have read its
    record."""
    must_be_umpire(battle, by)

    def work(head: Head) -> Change:
        now = head.battle
        if now.status != Battle.Status.FINISHED:
            raise Refused((Refusal(reason="The battle is not finished."),))
        if now.is_opened:
            raise Refused((Refusal(reason="Its record is open to all seats; a copy of it can be played."),))

        def then(landed: Landed) -> Battle:
            return landed.battle

        line = (LogLine(text="The umpire has reopened the battle.", kind="finish"),)
        return Change(
            steps=(),
            position=head.position,
            then=then,
            notes={seat.id: line for seat in head.seats},
            columns={"status": Battle.Status.RUNNING, "finished_at": None},
            is_shown_at_once=True,
        )

    result: Battle = commit(battle.id, work, keeper(once))
    return result


def battle_delete(*, battle: Battle, by: Seat) -> None:
    """The battle is no more, with all its seats and its record. Raises NotYours; Refused where it is going on, or
    belongs to a campaign."""
    must_be_umpire(battle, by)
    if battle.status != Battle.Status.FINISHED and not battle.is_archived:
        raise Refused((Refusal(reason="The battle is going on: end it or put it away first."),))
    seats = list(battle.seats.values_list("pk", flat=True))
    try:
        with transaction.atomic():
            Battle.objects.filter(pk=battle.pk).delete()
            wake(seats)
    except ProtectedError:
        raise Refused((Refusal(reason="The battle belongs to a campaign."),)) from None
