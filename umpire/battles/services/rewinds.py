"""The umpire takes the battle back: a new line is begun, nothing is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import Max, Q
from django.utils import timezone

from umpire.battles.errors import BadInput, Fault, Refused
from umpire.battles.heads import Head
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Line, Order, Outbox, Seat
from umpire.battles.moving import orders_move
from umpire.battles.outbox import strike
from umpire.battles.parsing import must_be_running, must_be_umpire
from umpire.battles.publishing import Change, Landed, commit, keeper
from umpire.kernel import running
from umpire.kernel.ledger import is_cut
from umpire.kernel.registry import LogLine
from umpire.kernel.values.modifiers import Refusal

DICE = ("keep", "fresh")


def battle_rewind(
    *, battle: Battle, by: Seat, depth: int, dice: str = "keep", reason: str = "", once: Once | None = None
) -> Battle:
    """A new line from the first `depth` entries; nothing is deleted. `dice`: "keep" or "fresh".

    What follows by itself there follows; an order cut in its middle waits for `open_order_resolve(do="go_on")` unless
    it is cut at a question. Raises NotYours, BadInput, Refused (no cut there).
    """
    must_be_umpire(battle, by)
    if dice not in DICE:
        raise BadInput([Fault("/dice", f"{dice!r} is not known", "keep or fresh")])
    result: Battle = commit(
        battle.id, lambda head: rewinding(head, depth=depth, fresh=dice == "fresh", reason=reason), keeper(once)
    )
    return result


def rewinding(
    head: Head,
    *,
    depth: int,
    fresh: bool = False,
    reason: str = "",
    begin: Callable[[Head, running.Position], running.Done] | None = None,
) -> Change:
    """The change that takes a battle back to `depth` and goes on there with `begin`, or with what follows by itself."""
    must_be_running(head.battle)
    _must_be_cut(head, depth)
    number = (Line.objects.filter(battle_id=head.battle.id).aggregate(last=Max("number"))["last"] or 0) + 1
    line = Line(
        battle_id=head.battle.id,
        number=number,
        parent=head.line.number,
        fork=depth,
        dice=number if fresh else head.line.dice,
        reason=reason,
    )
    onto = head.on(line, head.path.cut(number, depth))
    position, open_depth = onto.position_at(depth)
    if begin is not None:
        done = begin(onto, position)
    elif position.open is None:
        done = running.advance(head.package, running.Done(steps=(), position=position), onto.sources)
    else:
        done = running.Done(steps=(), position=position)

    def then(landed: Landed) -> Battle:
        _take_back(landed, onto, open_depth if position.open else None)
        return landed.battle

    words = "The umpire has taken the battle back."
    notes: dict[str, Sequence[LogLine]] = {
        seat.id: (LogLine(text=f"{words} {reason}".strip(), kind="rewind"),)
        for seat in head.seats
        if seat.role == Seat.Role.UMPIRE
    }
    return Change(steps=done.steps, position=done.position, then=then, onto=line, open_depth=open_depth, notes=notes)


def _must_be_cut(head: Head, depth: int) -> None:
    if not 0 <= depth <= head.battle.depth:
        raise BadInput([Fault("/depth", f"there are {head.battle.depth} entries", f"0 to {head.battle.depth}")])
    following = head.entries(depth, min(depth + 1, head.battle.depth))
    if following and not is_cut(following, 0):
        raise Refused(
            (Refusal(reason="The ledger cannot be cut between an event and what was noticed of it.", field="depth"),)
        )


def _take_back(landed: Landed, onto: Head, open_depth: int | None) -> None:
    """Marks what stood on the line left: its orders and its work for the worker. Questions are void already."""
    battle_id = landed.battle.pk
    waiting = (Order.Status.HELD, Order.Status.SEALED)
    orders = Order.objects.filter(battle_id=battle_id)
    taken = orders.filter(depth__isnull=False).exclude(
        status__in=(Order.Status.TAKEN_BACK, Order.Status.REFUSED, Order.Status.WITHDRAWN)
    )
    left, open_again = [], []
    for order in taken:
        if not onto.path.has(order.line, order.depth):
            left.append(order.pk)
        elif order.depth == open_depth and order.status != Order.Status.WAITING:
            open_again.append(order.pk)
    orders_move(orders.filter(Q(pk__in=left) | Q(status__in=waiting)), Order.Status.TAKEN_BACK)
    orders_move(orders.filter(pk__in=open_again), Order.Status.WAITING)
    for row in Outbox.objects.filter(battle_id=battle_id, done=None):
        if not onto.path.reaches(row.line, row.depth):
            strike(row, f"void since {timezone.now():%H:%M:%S}")
