"""Whoever waits for an answer goes before what nobody watches, where both are computed in one process."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connections

from tests.server.conftest import make_table
from tests.server.processes import at_once
from umpire.battles import publishing
from umpire.battles.models import Entry, Outbox
from umpire.hidden import services as hidden
from umpire.kernel import running
from umpire.kernel.checkpoints import checkpoint
from umpire.kernel.ledger import Begun
from umpire.serving import priority


def behind(low_priority: priority.LowPriority, seconds: float) -> tuple[bool, bool, float]:
    """Work that steps aside while this thread answers somebody for some seconds: whether it had gone on before the
    answer, whether it waited, and its seconds."""
    told: list[bool] = []

    def work() -> None:
        told.append(low_priority.give_way())

    worker = threading.Thread(target=work)
    start = time.monotonic()
    with priority.ahead():
        worker.start()
        time.sleep(seconds)
        was_over = bool(told)
    worker.join()
    return was_over, told[0], time.monotonic() - start


def test_work_steps_aside_while_somebody_waits() -> None:
    assert behind(priority.LowPriority(), 0.05)[:2] == (False, True)


def test_but_not_for_longer_than_it_may() -> None:
    low_priority = priority.LowPriority(0.01)
    assert behind(low_priority, 0.2)[:2] == (True, True)
    assert low_priority.left <= 0
    assert behind(low_priority, 0.05)[:2] == (True, False)


def test_nobody_waits_or_only_for_this_thread() -> None:
    low_priority = priority.LowPriority()
    assert not low_priority.give_way()
    with priority.ahead(), priority.ahead():
        assert not low_priority.give_way()
    assert low_priority.left == priority.STEPS_ASIDE_FOR


def test_an_answer_that_fails_is_over_too() -> None:
    with pytest.raises(ZeroDivisionError), priority.ahead():
        raise ZeroDivisionError
    assert behind(priority.LowPriority(), 0)[0] is False
    assert not priority._ahead


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_plans_that_an_order_overtakes_are_carried_on_once_upon_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order comes while the plans are computed: it is taken first and at once; the plans go on from what it left."""
    table = make_table()
    table.carry()
    table.answer("umpire", "halt")
    table.give("umpire", "give_plan", acting_for="red_1", unit=table.unit("Rowan"), goal=9, on_contact="halt")
    row = Outbox.objects.get(battle=table.battle, done=None)
    begun, given = threading.Event(), threading.Event()
    tries: list[int] = []
    real = hidden.carried

    def carried(head: object, low_priority: priority.LowPriority) -> running.Done:
        done = real(head, low_priority)  # type: ignore[arg-type]
        tries.append(len(done.steps))
        begun.set()
        while not priority._ahead and not given.is_set():  # until the order is on its way
            time.sleep(0.001)
        return done

    monkeypatch.setattr(hidden, "carried", carried)

    def order() -> None:
        begun.wait(10)
        with priority.ahead():
            table.give("blue_1", "standing_orders", command="blue_1", fire="near")
            given.set()

    results = at_once(lambda: hidden.carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth), order)
    assert results == ["carried", None]
    assert len(tries) == 2
    last = list(Entry.objects.filter(battle=table.battle, kind="begun").order_by("depth"))[-2:]
    assert [entry.giver for entry in last] == ["blue_1", table.unit("Rowan")]
    assert table.state.commands["blue_1"].fire == "near"
    table.check()


@pytest.mark.django_db(transaction=True)
def test_plans_overtaken_in_the_middle_of_one_are_given_up_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order comes between two steps of a plan: it is let by there, and what was computed goes no further."""
    table = make_table()
    table.carry()
    table.answer("umpire", "halt")
    for command, name in (("red_1", "Rowan"), ("red_2", "Thorn")):
        table.give("umpire", "give_plan", acting_for=command, unit=table.unit(name), goal=9, on_contact="halt")
    row = Outbox.objects.filter(battle=table.battle, done=None).latest("depth")
    begun: list[str] = []
    real = running.begin

    def begin(package: object, position: object, ruling: Begun, sources: object) -> running.Done:
        if ruling.kind == "carry" and not begun:
            order = threading.Thread(target=answered)
            order.start()
            coming.wait(10)
            checkpoint()
            order.join()
        if ruling.kind == "carry":
            begun.append(ruling.giver)
        return real(package, position, ruling, sources)  # type: ignore[arg-type]

    coming = threading.Event()

    def answered() -> None:
        with priority.ahead():
            coming.set()
            table.give("blue_1", "standing_orders", command="blue_1", fire="near")
        connections.close_all()

    monkeypatch.setattr(running, "begin", begin)
    assert hidden.carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth) == "carried"
    assert begun[0] == begun[1]
    assert len(begun) == 3
    table.check()


@pytest.mark.django_db(transaction=True)
def test_plans_overtaken_again_and_again_take_the_lock_and_then_wait_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever waits then waits for the lock: to step aside for him would keep him waiting."""
    table = make_table()
    table.carry()
    table.answer("umpire", "halt")
    table.give("umpire", "give_plan", acting_for="red_1", unit=table.unit("Rowan"), goal=9, on_contact="halt")
    row = Outbox.objects.get(battle=table.battle, done=None)
    tries: list[bool] = []
    real = hidden.carried

    def carried(head: object, low_priority: priority.LowPriority) -> running.Done:
        tries.append(low_priority.left > 0)
        if len(tries) <= publishing.PATIENT:
            raise publishing.Overtaken
        return real(head, low_priority)  # type: ignore[arg-type]

    monkeypatch.setattr(hidden, "carried", carried)
    assert hidden.carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth) == "carried"
    assert tries == [True] * publishing.PATIENT + [False]
    table.check()
