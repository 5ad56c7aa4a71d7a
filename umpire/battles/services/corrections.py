"""The umpire's hand: corrections, and what becomes of an order that cannot go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from umpire.battles.errors import BadInput, Fault, Refused
from umpire.battles.heads import Head
from umpire.battles.idempotency import Once
from umpire.battles.models import Battle, Order, Seat
from umpire.battles.moving import orders_move
from umpire.battles.parsing import correction_from, must_be_running, must_be_umpire
from umpire.battles.publishing import Change, Landed, commit, end_of_first, keeper, status_of
from umpire.battles.services.orders import work_at_queue
from umpire.battles.services.rewinds import rewinding
from umpire.kernel import running
from umpire.kernel.dice import Source
from umpire.kernel.hand.corrections import overruled
from umpire.kernel.ledger import Begun
from umpire.kernel.registry import Refused as Overruled
from umpire.kernel.registry import package_of
from umpire.kernel.values.modifiers import Refusal

WAYS = ("stop", "take_back", "again", "go_on")


def battle_correct(
    *, battle: Battle, by: Seat, correction: Mapping[str, Any], reason: str, once: Once | None = None
) -> Battle:
    """The umpire changes something by hand, also while a ruling waits. Raises NotYours, BadInput, Refused."""
    must_be_umpire(battle, by)
    if not reason.strip():
        raise BadInput([Fault("/reason", "a correction gives its reason")])
    typed = correction_from(package_of(battle.system), correction)

    def work(head: Head) -> Change:
        must_be_running(head.battle)
        try:
            events = overruled(head.package, head.state, typed)
        except Overruled as refused:
            raise Refused(refused.refusals) from None
        source = head.sources(Begun(kind="order", giver=by.name, number=head.battle.depth))
        done = running.correct(head.package, head.position, events, by.name, reason, source, head.sources)
        return Change(steps=done.steps, position=done.position, is_shown_at_once=True)

    result: Battle = commit(battle.id, work, keeper(once))
    work_at_queue(battle.id)
    return result


def open_order_resolve(*, battle: Battle, by: Seat, do: str, reason: str = "", once: Once | None = None) -> Battle:
    """What becomes of the open order: "stop" (what it told stands), "take_back", "again" (from its start, with the same
    dice) or "go_on" (after a rewind into its middle). Raises NotYours, BadInput, Refused (nothing is open)."""
    must_be_umpire(battle, by)
    if do not in WAYS:
        raise BadInput([Fault("/do", f"{do!r} is not known", ", ".join(WAYS))])

    def work(head: Head) -> Change:
        must_be_running(head.battle)
        opened = head.position.open
        if opened is None or head.battle.open_depth is None:
            raise Refused((Refusal(reason="No order is open."),))
        match do:
            case "stop":
                done = running.stop(head.package, head.position, reason, head.sources)
                return Change(steps=done.steps, position=done.position)
            case "go_on":
                if opened.waiting is not None:
                    raise Refused((Refusal(reason="The order waits for an answer or for dice."),))
                done = running.resume(head.package, head.position, (), head.sources)
                return Change(steps=done.steps, position=done.position)
            case "take_back":
                return rewinding(head, depth=head.battle.open_depth, reason=reason)
            case _:
                return _again(head, opened, head.battle.open_depth, reason)

    result: Battle = commit(battle.id, work, keeper(once))
    work_at_queue(battle.id)
    return result


def _again(head: Head, opened: running.Open, depth: int, reason: str) -> Change:
    """The open order from its start, on a new line, with the dice it had."""
    tape = opened.tape
    steps: list[running.Step] = []

    def begin(onto: Head, position: running.Position) -> running.Done:
        def sources(begun: Begun) -> Source:
            source = onto.sources(begun)
            return running.recorded(tape, source) if begun.kind == opened.begun.kind else source

        begun = replace(opened.begun, dice=onto.line.dice)
        done = running.begin(head.package, position, begun, sources)
        steps.extend(done.steps)
        return done

    change = rewinding(head, depth=depth, reason=reason, begin=begin)
    take_back = change.then
    status = status_of(end_of_first(steps))
    order = Order.objects.filter(battle_id=head.battle.id, status=Order.Status.WAITING).first()

    def then(landed: Landed) -> Any:
        result = take_back(landed) if take_back else landed.battle
        if order is not None and opened.begun.kind == "order":
            orders_move(Order.objects.filter(pk=order.pk), status, line=landed.line, depth=landed.base)
        return result

    change.then = then
    return change
