"""Several act at the same moment: one effect each, in some order, and numbers without gaps."""

from __future__ import annotations

import msgspec
import pytest

from tests.server.conftest import make_table
from tests.server.processes import at_once
from umpire.battles import services
from umpire.battles.errors import Mismatch, Refused, Repeated
from umpire.battles.idempotency import Once, Rendered, reply_for, reply_keep
from umpire.battles.models import Entry, News, Order, Outbox, Reply
from umpire.desk.services import message_send
from umpire.hidden.services import carry_due

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

BLUE = ("blue_1", "blue_2")


def once(actor: str, key: str, body: str = "0") -> Once:
    return Once(
        actor=actor,
        key=key,
        method="POST",
        path="/orders",
        body_hash=body,
        render=lambda order: Rendered(201, msgspec.json.encode({"id": order.id, "status": order.told})),
    )


def test_orders_of_all_seats_and_the_worker_at_once() -> None:
    table = make_table()
    [row] = Outbox.objects.filter(battle=table.battle)

    def give(command: str, fire: str) -> Order:
        return table.give(command, "standing_orders", command=command, fire=fire)

    commands = ("blue_1", "blue_2", "red_1", "red_2")
    acts = [lambda command=command: give(command, "near") for command in commands]
    acts += [lambda command=command: give(command, "hold") for command in commands]
    acts += [lambda: carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth)] * 2
    acts += [lambda: message_send(battle=table.battle, seat=table.seats["blue_1"], to="umpire", text="Where are we?")]
    results = at_once(*acts)
    assert not [result for result in results if isinstance(result, Exception)]
    assert sorted(results[8:10]) == ["done already", "paused"]
    table.check()
    # The plan has met somebody and waits: what came after it is held, and taken when that is answered.
    services.question_answer(
        battle=table.battle,
        seat=table.seats["umpire"],
        question_id=table.questions("umpire")[0]["id"],
        choices=["halt"],
    )
    table.check()
    orders = list(Order.objects.filter(battle=table.battle).order_by("depth"))
    assert [order.status for order in orders] == ["done"] * 8
    assert len({order.depth for order in orders}) == 8
    for command in commands:
        *_, last = [order for order in orders if order.giver == command]
        assert table.state.commands[command].fire == last.order["fire"]
    assert News.objects.filter(seat=table.seats["umpire"], kind="message").count() == 1


def test_of_two_that_want_the_same_one_is_checked_again() -> None:
    """Each ends the turn of the same command: whoever comes second is refused, as he would have been at first."""
    table = make_table()
    results = at_once(*[lambda: table.give("blue_1", "end_turn", command="blue_1")] * 4)
    refused = [result for result in results if isinstance(result, Refused)]
    given = [result for result in results if isinstance(result, Order)]
    assert len(given) == 1
    assert len(refused) == 3
    assert {str(each) for each in refused} == {"Your turn is ended."}
    assert Order.objects.filter(battle=table.battle).count() == 1
    assert table.state.public.done == ("blue_1",)
    table.check()


def test_the_same_key_at_once_has_one_effect() -> None:
    table = make_table()
    actor = f"seat:{table.seats['blue_1'].id}"
    results = at_once(
        *[lambda: table.give("blue_1", "standing_orders", command="blue_1", fire="any", once=once(actor, "k"))] * 6
    )
    assert sum(isinstance(result, Order) for result in results) == 1
    assert sum(isinstance(result, Repeated) for result in results) == 5
    [order] = Order.objects.filter(battle=table.battle)
    assert Entry.objects.filter(battle=table.battle, kind="begun", giver="blue_1").count() == 1
    reply = reply_for(once(actor, "k"))
    assert reply is not None
    assert msgspec.json.decode(bytes(reply.body)) == {"id": order.id, "status": "done"}
    table.check()


def test_the_same_key_at_once_while_orders_are_held() -> None:
    table = make_table()
    assert table.carry() == ["paused"]
    actor = f"seat:{table.seats['blue_1'].id}"
    results = at_once(
        *[lambda: table.give("blue_1", "standing_orders", command="blue_1", fire="any", once=once(actor, "k"))] * 6
    )
    assert sum(isinstance(result, Order) for result in results) == 1
    [order] = Order.objects.filter(battle=table.battle)
    assert (order.status, order.told) == ("held", "given")


def test_the_same_key_one_after_the_other() -> None:
    table = make_table()
    actor = f"seat:{table.seats['blue_1'].id}"
    table.give("blue_1", "standing_orders", command="blue_1", fire="any", once=once(actor, "k"))
    depth = table.now.depth
    with pytest.raises(Repeated):
        table.give("blue_1", "standing_orders", command="blue_1", fire="any", once=once(actor, "k"))
    assert table.now.depth == depth
    with pytest.raises(Mismatch):
        reply_for(once(actor, "k", body="1"))
    # A key is its actor's own.
    assert reply_for(once("seat:another", "k")) is None
    table.give("blue_1", "standing_orders", command="blue_1", fire="hold", once=once(actor, "k2"))
    assert Reply.objects.filter(actor=actor).count() == 2
    table.check()


def test_an_answer_without_effect_is_kept_once() -> None:
    first = reply_keep(once("seat:one", "k"), Rendered(409, b"first"))
    second = reply_keep(once("seat:one", "k"), Rendered(409, b"second"))
    assert bytes(first.body) == bytes(second.body) == b"first"
