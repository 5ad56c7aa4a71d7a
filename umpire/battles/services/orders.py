"""The life of an order: given, held where it must wait, taken, waiting at a question, done or ended.

One ruling at a time in a battle. An order given meanwhile stands in a queue; its giver is told "given", as of any order
that is not over yet, whatever the cause. It is taken in its turn, when it is checked again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from umpire.battles import idempotency
from umpire.battles.errors import BadInput, Fault, NotYours, Refused, Stale, bounded
from umpire.battles.heads import Head, believed_by, has_held
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Order, Seat
from umpire.battles.moving import order_made, orders_move, wake_umpires
from umpire.battles.parsing import OVER, must_be_running, must_be_umpire, order_from
from umpire.battles.publishing import Change, Landed, Overtaken, commit, end_of_first, keeper, status_of
from umpire.kernel import running, states
from umpire.kernel.ledger import Begun
from umpire.kernel.registry import LogLine, package_of
from umpire.kernel.values.modifiers import Refusal
from umpire.serving.wait_budget import is_unavailable

log = logging.getLogger(__name__)

MOST_HELD = 50
"""More orders of one seat than this do not stand in the queue."""


class _MustWait(Exception):
    """The order cannot be taken now."""


def order_give(
    *,
    battle: Battle,
    seat: Seat,
    order: Mapping[str, Any],
    tag: str | None,
    acting_for: str | None = None,
    once: Once | None = None,
) -> Order:
    """Gives an order. Its `told` is "given" (whatever it waits for), "done" or "ended".

    `tag` is the seat's ETag that it was decided on; None skips the comparison. An umpire acts for the seat or command
    named by `acting_for`. Raises NotYours, BadInput (with the field), Refused, Stale.
    """
    typed = order_from(package_of(battle.system), order)
    is_compared = False
    given: Order | None = None

    def work(head: Head) -> Change:
        nonlocal is_compared, given
        present = _present(head, seat)
        chair = chair_for(head, present, acting_for)
        if not is_compared and tag is not None and tag != present.tag:
            raise Stale(present.tag)
        is_compared = True  # who comes second is checked again, but has seen what he decided on
        refusals = _refusals(head, chair, typed)
        if refusals:
            raise Refused(refusals)
        given = Order(
            battle_id=battle.id, seat=seat, giver=chair.name, commands=list(chair.commands), order=dict(order)
        )
        if head.battle.open_depth is not None and head.package.is_private(typed) and not _is_sealed(head, present):
            return _taking_aside(head, given, chair, typed)
        if _is_sealed(head, present) or head.battle.open_depth is not None or head.has_held:
            raise _MustWait
        return _taking(head, given, chair)

    try:
        made: Order = commit(battle.id, work, keeper(once))
        work_at_queue(battle.id)
        return made
    except _MustWait:
        assert given is not None
        return _hold(given, once)


def _present(head: Head, seat: Seat) -> Seat:
    """The seat as it is now. Raises NotYours where it may give no orders."""
    found = next((each for each in head.seats if each.id == seat.id), None)
    if found is None or found.is_revoked or found.role == Seat.Role.OBSERVER:
        raise NotYours
    return found


def chair_for(head: Head, seat: Seat, acting_for: str | None) -> states.Seat:
    """Who gives the order, as the rules know him: the seat, or whom the umpire acts for.

    Raises NotYours for a player who acts for another, BadInput where the umpire names nobody.
    """
    if seat.role != Seat.Role.UMPIRE:
        if acting_for not in (None, seat.name):
            raise NotYours
        return states.Seat(name=seat.name, commands=tuple(seat.commands))
    players = {each.name: each for each in head.seats if each.role == Seat.Role.PLAYER}
    if acting_for is not None and acting_for in players:
        return states.Seat(name=acting_for, commands=tuple(players[acting_for].commands))
    if acting_for is not None and acting_for in head.state.commands:
        return states.Seat(name=seat.name, commands=(acting_for,))
    if acting_for is None and seat.commands:
        return states.Seat(name=seat.name, commands=tuple(seat.commands))
    known = ", ".join(sorted({*players, *head.state.commands}))
    what = "the umpire says for whom he acts" if acting_for is None else f"nobody is called {acting_for!r} here"
    raise BadInput([Fault("/for", what, f"one of: {known}")])


def _refusals(head: Head, chair: states.Seat, typed: Any) -> Sequence[Refusal]:
    if head.battle.status != Battle.Status.RUNNING:
        return (OVER,)
    return bounded(head.package.check(believed_by(head, chair.commands), chair, typed))


def _is_sealed(head: Head, seat: Seat) -> bool:
    return bool(head.battle.options.get("release")) and seat.role != Seat.Role.UMPIRE


def _taking(head: Head, order: Order, chair: states.Seat) -> Change:
    """The order's ruling; its row is written with it."""
    begun = Begun(
        kind="order",
        giver=chair.name,
        commands=chair.commands,
        number=head.path.count_of(chair.name),
        order=order.order,
        dice=head.line.dice,
    )
    done = running.begin(head.package, head.position, begun, head.sources)

    def then(landed: Landed) -> Order:
        order.status = status_of(end_of_first(done.steps))
        order.line, order.depth = landed.line, landed.base
        if order.sequence is None:
            order_made(order)
        elif not orders_move(_held(order), order.status, line=order.line, depth=order.depth):
            raise Overtaken
        return order

    return Change(steps=done.steps, position=done.position, then=then)


def _taking_aside(head: Head, order: Order, chair: states.Seat, typed: Any) -> Change:
    """A private order, taken at the question of the ruling that waits; nobody can tell that one does."""
    begun = Begun(kind="order", giver=chair.name, order=order.order, number=head.path.count_of(chair.name))
    done = running.take_aside(head.package, head.position, chair, typed, head.sources(begun))

    def then(landed: Landed) -> Order:
        order.status = Order.Status.DONE
        order.line, order.depth = landed.line, landed.base
        order_made(order)
        return order

    return Change(steps=done.steps, position=done.position, then=then, is_aside=True)


def _held(order: Order) -> QuerySet[Order]:
    """The order, if it still stands in the queue."""
    return Order.objects.filter(pk=order.pk, status=Order.Status.HELD)


def _hold(order: Order, once: Once | None) -> Order:
    """Stores an order in the queue, and has the queue worked at if nothing is waited for any more."""
    with transaction.atomic():
        battle = (
            Battle.objects.select_for_update().only("id", "status", "options", "open_depth").get(pk=order.battle_id)
        )
        must_be_running(battle)
        waiting = Order.objects.filter(seat=order.seat, status__in=(Order.Status.HELD, Order.Status.SEALED)).count()
        if waiting >= MOST_HELD:
            raise Refused((Refusal(reason=f"{MOST_HELD} orders of this seat wait already; withdraw some first."),))
        is_sealed = bool(battle.options.get("release")) and order.seat.role != Seat.Role.UMPIRE
        order.status = Order.Status.SEALED if is_sealed else Order.Status.HELD
        order_made(order)
        idempotency.keep(once, order, battle)
        wake_umpires(battle.pk)
    if order.status == Order.Status.HELD:
        work_at_queue(order.battle_id)
        order.refresh_from_db()
    return order


def order_withdraw(*, order: Order, seat: Seat, once: Once | None = None) -> Order:
    """Withdraws an order that has not been taken. Raises NotYours, Refused."""
    is_umpire = seat.role == Seat.Role.UMPIRE and seat.battle_id == order.battle_id
    if order.seat_id != seat.id and not is_umpire:
        raise NotYours
    with transaction.atomic():
        battle = Battle.objects.select_for_update().only("id").get(pk=order.battle_id)
        waiting = Order.objects.filter(pk=order.pk, status__in=(Order.Status.HELD, Order.Status.SEALED))
        if not orders_move(waiting, Order.Status.WITHDRAWN):
            raise Refused((Refusal(reason="The order can no longer be withdrawn."),))
        order.refresh_from_db()
        idempotency.keep(once, order, battle)
        wake_umpires(battle.pk)
    return order


def orders_release(*, battle: Battle, by: Seat, order: Order | None = None, once: Once | None = None) -> int:
    """The umpire releases a sealed order, or all of them: how many. They are then taken in the order given."""
    must_be_umpire(battle, by)
    with transaction.atomic():
        locked = Battle.objects.select_for_update().only("id").get(pk=battle.pk)
        sealed = Order.objects.filter(battle=battle, status=Order.Status.SEALED)
        released = orders_move(sealed.filter(pk=order.pk) if order else sealed, Order.Status.HELD)
        idempotency.keep(once, released, locked)
        wake_umpires(battle.pk)
    work_at_queue(battle.id)
    return released


def work_at_queue(battle_id: str) -> None:
    """Has the queue worked at, after a change that may have ended what it waited for. What goes wrong there is not the
    fault of whoever made the change; the next sweep tries again."""
    try:
        orders_take(battle_id=battle_id)
    except Exception as failure:
        log.warning(
            "the queue of a battle could not be worked at", exc_info=None if is_unavailable(failure) else failure
        )


def orders_take(*, battle_id: str) -> int:
    """Takes held orders in their order, as far as the battle waits for nothing: how many were taken or refused."""
    taken = 0
    while has_held(battle_id):
        try:
            commit(battle_id, _next_taking)
        except _NothingToTake:
            break
        except Overtaken:
            continue
        taken += 1
    return taken


class _NothingToTake(Exception):
    pass


def _next_taking(head: Head) -> Change:
    if head.battle.open_depth is not None or head.battle.status != Battle.Status.RUNNING:
        raise _NothingToTake
    order = Order.objects.filter(battle_id=head.battle.id, status=Order.Status.HELD).order_by("sequence").first()
    if order is None:
        raise _NothingToTake
    chair = states.Seat(name=order.giver, commands=tuple(order.commands))
    try:
        refusals = _refusals(head, chair, order_from(head.package, order.order))
    except BadInput as fault:  # the rules have changed since it was given
        refusals = (Refusal(reason=f"The order cannot be read any more: {fault}."),)
    if not refusals:
        return _taking(head, order, chair)

    def refuse(landed: Landed) -> Order:
        told = msgspec.to_builtins(refusals)
        if not orders_move(_held(order), Order.Status.REFUSED, refusals=told):
            raise Overtaken
        return order

    lines = tuple(LogLine(text=refusal.reason, kind="refused", rule=refusal.rule) for refusal in refusals)
    return Change(steps=(), position=head.position, then=refuse, notes={order.seat_id: lines})
