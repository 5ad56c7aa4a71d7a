"""A process killed between any two statements: on restart nothing is lost and nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from tests.server.conftest import Table, make_table
from tests.server.processes import killed_in
from umpire.battles import outbox, services
from umpire.battles.errors import Repeated
from umpire.battles.idempotency import Once, Rendered, reply_for
from umpire.battles.models import Battle, Entry, Line, Order, Outbox, Reply, Seat
from umpire.hidden.services import carry_due

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

MOST = 120
"""More statements than this in one act would be news."""


def killed_everywhere(make: Callable[[], Any], act: Callable[[Any], Any]) -> Iterator[Any]:
    """For each statement of an act, what it acts on after a process was killed before it, and after the last one."""
    for n in range(1, MOST):
        made = make()
        if not killed_in(lambda made=made: act(made), n):  # type: ignore[misc]
            break
        yield made
    else:
        pytest.fail("the act never came to its end")
    assert n > 5
    made = make()
    killed_in(lambda: act(made), n - 1, after=True)
    yield made


def once(table: Table, who: str, key: str, path: str) -> Once:
    return Once(
        actor=f"seat:{table.seats[who].id}",
        key=key,
        method="POST",
        path=path,
        body_hash="0",
        render=lambda result: Rendered(201, msgspec.json.encode({"id": getattr(result, "id", "")})),
    )


def again(act: Callable[[], Any], kept: Once) -> Reply:
    """What a client does that had no answer: it sends the same request with the same key."""
    if reply_for(kept) is None:
        with suppress(Repeated):
            act()
    reply = reply_for(kept)
    assert reply is not None
    return reply


def test_an_order() -> None:
    def give(table: Table) -> Order:
        kept = once(table, "blue_1", "key", "orders")
        return table.give("blue_1", "standing_orders", command="blue_1", fire="near", once=kept)

    for table in killed_everywhere(make_table, give):
        table.check()
        reply = again(lambda table=table: give(table), once(table, "blue_1", "key", "orders"))
        table.check()
        [order] = Order.objects.filter(battle=table.battle)
        assert msgspec.json.decode(bytes(reply.body))["id"] == order.id
        assert order.status == Order.Status.DONE
        assert Entry.objects.filter(battle=table.battle, kind="begun", giver="blue_1").count() == 1
        assert table.state.commands["blue_1"].fire == "near"
        assert len(table.news("umpire")) == 1


def asked_table() -> Table:
    """A battle in which a hidden force that is carried on has met somebody, and an order is held meanwhile."""
    table = make_table()
    assert table.carry() == ["paused"]
    table.give("blue_1", "standing_orders", command="blue_1", fire="any")
    assert Order.objects.get(battle=table.battle).status == Order.Status.HELD
    return table


def test_an_answer_and_the_order_held_meanwhile() -> None:
    def answer(table: Table) -> Any:
        [question] = table.questions("umpire")
        return services.question_answer(
            battle=table.battle, seat=table.seats["umpire"], question_id=question["id"], choices=["halt"],
            once=once(table, "umpire", "key", "answer"),
        )  # fmt: skip

    for table in killed_everywhere(asked_table, answer):
        table.check()
        again(lambda table=table: answer(table), once(table, "umpire", "key", "answer"))
        outbox.sweep()
        services.orders_take(battle_id=table.battle.id)  # what the sweep asks the worker for
        table.check()
        assert Entry.objects.filter(battle=table.battle, kind="answered").count() == 1
        assert Order.objects.get(battle=table.battle).status == Order.Status.DONE
        assert Entry.objects.filter(battle=table.battle, kind="begun", giver="blue_1").count() == 1


def carried_on(table: Table) -> int:
    bodies = Entry.objects.filter(battle=table.battle, kind="happened").values_list("body", flat=True)
    return sum(b'"event":"carried"' in bytes(body) for body in bodies)


def test_the_worker_in_the_middle_of_a_task() -> None:
    def carry(table: Table) -> None:
        carry_due(battle_id=table.battle.id, line=0, depth=0)

    for table in killed_everywhere(make_table, carry):
        table.check()
        [row] = Outbox.objects.filter(battle=table.battle)
        assert (row.done is not None) == (carried_on(table) == 1)
        carry(table)  # the broker delivers it again, or the sweep has sent it again
        carry(table)
        table.check()
        assert carried_on(table) == 1
        [row] = Outbox.objects.filter(battle=table.battle)
        assert row.done is not None


def test_a_rewind() -> None:
    def played() -> Table:
        table = make_table()
        table.give("blue_1", "standing_orders", command="blue_1", fire="near")
        table.give("blue_2", "standing_orders", command="blue_2", fire="near")
        return table

    def rewind(table: Table) -> Any:
        return services.battle_rewind(
            battle=table.battle, by=table.seats["umpire"], depth=3, once=once(table, "umpire", "key", "rewind")
        )

    for table in killed_everywhere(played, rewind):
        table.check()
        again(lambda table=table: rewind(table), once(table, "umpire", "key", "rewind"))
        table.check()
        assert Line.objects.filter(battle=table.battle).count() == 2
        assert table.state.commands["blue_2"].fire == "ask"
        assert [order.status for order in Order.objects.filter(battle=table.battle).order_by("sequence")] == [
            "done",
            "taken_back",
        ]


def test_the_making_of_a_battle() -> None:
    made: list[str] = []

    def make(_: None) -> None:
        services.battle_create(owner=None, system="skirmish", scenario="the-lane", title="Killed")

    for _ in killed_everywhere(lambda: None, make):
        for battle in Battle.objects.filter(title="Killed").exclude(pk__in=made):
            made.append(battle.pk)
            assert Seat.objects.filter(battle=battle).count() == 5
            assert Outbox.objects.filter(battle=battle, done=None).count() == 1


def test_a_sweep_sends_what_is_not_struck_out() -> None:
    """It was poked when it was written; the message may be lost, and then it is sent again, again and again."""
    table = make_table()
    rows = Outbox.objects.filter(battle=table.battle)
    assert outbox.sweep() == 0
    for attempts in (1, 2, 3):
        assert rows.get().attempts == attempts
        rows.update(due_at=timezone.now())
        assert outbox.sweep() == 1
    assert table.carry() == ["paused"]
    rows.update(due_at=timezone.now())
    assert outbox.sweep() == 0


def test_a_sweep_has_a_queue_worked_at_that_was_left() -> None:
    """Whoever closed the ruling was killed before he could take what was held."""
    table = make_table()
    order = table.give("blue_1", "standing_orders", command="blue_1", fire="any")
    Order.objects.filter(pk=order.pk).update(status=Order.Status.HELD, line=None, depth=None)
    Outbox.objects.filter(battle=table.battle).update(done=timezone.now())
    assert outbox.sweep() == 1
    assert services.orders_take(battle_id=table.battle.id) == 1
    table.check()
