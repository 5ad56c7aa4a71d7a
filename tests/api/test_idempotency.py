"""The same key, serially and in parallel: one effect and one answer. Who decided on an old view is told so."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from tests.api.chairs import Chair, Table, new_table
from tests.api.test_resources import unit_of
from umpire.battles import idempotency
from umpire.battles.models import Battle, Message, Order, Reply
from umpire.hidden import tasks


def test_sent_twice_it_acts_once(table: Table) -> None:
    chair = table["blue_2"]
    tag = chair.view() and chair.tag
    order = {"verb": "move", "unit": unit_of(chair, "Cedar's scouts"), "path": [[3, 0]]}
    first = chair.order(order, "one-key", If_Match=tag)
    depth = Battle.objects.get(pk=table.battle.pk).depth
    again = chair.order(order, "one-key", If_Match=tag)
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert first.headers["Location"] == again.headers["Location"]
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert Order.objects.filter(battle=table.battle).count() == 1
    assert Battle.objects.get(pk=table.battle.pk).depth == depth


def test_a_key_is_good_for_one_request(table: Table) -> None:
    chair = table["blue_2"]
    chair.order({"verb": "end_turn", "command": "blue_2"}, "one-key")
    other = chair.act(f"{table.at}/messages", {"to": "umpire", "text": "hello"}, "one-key")
    assert other.status_code == 409
    assert other.json()["type"] == "/problems/conflict"
    assert not Message.objects.exists()


def test_replies_are_kept_for_days_after_the_battle_and_then_cleared_away(table: Table, monkeypatch: Any) -> None:
    chair = table["blue_2"]
    chair.view()
    done = chair.order({"verb": "end_turn", "command": "blue_2"}, "done")
    refused = chair.order({"verb": "end_turn", "command": "blue_2"}, "refused")
    assert (done.status_code, refused.status_code) == (201, 409)
    assert idempotency.prune() == 0
    long_ago = timezone.now() - timedelta(days=8)
    Reply.objects.update(at=long_ago)
    assert idempotency.prune() == 1  # the refusal; what was done stands as long as its battle goes on
    assert chair.order({"verb": "end_turn", "command": "blue_2"}, "done").content == done.content
    Battle.objects.update(status=Battle.Status.FINISHED, finished_at=timezone.now() - timedelta(days=6))
    assert idempotency.prune() == 0
    Battle.objects.update(finished_at=long_ago)
    monkeypatch.setattr(tasks, "_cleared", None)
    tasks.sweep()
    assert not Reply.objects.exists()
    assert Order.objects.filter(pk=done.json()["id"]).exists()


def test_two_seats_may_use_the_same_key(table: Table) -> None:
    for name in ("blue_1", "blue_2"):
        chair = table[name]
        chair.view()
        answer = chair.order({"verb": "end_turn", "command": name}, "one-key")
        assert answer.status_code == 201
        assert "Idempotent-Replayed" not in answer.headers


def test_a_refusal_is_repeated_too(table: Table) -> None:
    chair = table["red_1"]
    first = chair.order({"verb": "end_turn", "command": "red_1"}, "one-key")
    for name in ("blue_1", "blue_2"):
        table[name].view()
        assert table[name].order({"verb": "end_turn", "command": name}).status_code == 201
    chair.view()
    again = chair.order({"verb": "end_turn", "command": "red_1"}, "one-key")
    assert (first.status_code, first.content) == (again.status_code, again.content) == (409, first.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Content-Type"] == "application/problem+json"
    assert chair.order({"verb": "end_turn", "command": "red_1"}, "another-key").status_code == 201


def test_who_saw_an_old_view_decides_again(table: Table) -> None:
    chair = table["blue_1"]
    chair.view()
    old = chair.tag
    assert table["blue_2"].order({"verb": "end_turn", "command": "blue_2"}).status_code == 201
    stale = chair.order({"verb": "end_turn", "command": "blue_1"}, "k", If_Match=old)
    assert stale.status_code == 412
    again = chair.order({"verb": "end_turn", "command": "blue_1"}, "k", If_Match=f'"{stale.json()["etag"]}"')
    assert again.status_code == 201, "nothing was done under this key, so it is still good"


def in_parallel(count: int, work: Any) -> list[Any]:
    """What `work` gives in so many threads that begin at one moment."""
    answers: list[Any] = [None] * count
    ready = threading.Barrier(count)

    def run(index: int) -> None:
        ready.wait()
        try:
            answers[index] = work(index)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


@pytest.fixture
def shared(transactional_db: None, django_user_model: Any) -> Table:
    """A table that threads can see."""
    return new_table(django_user_model.objects.create_user("owner", password="a long password"))


@pytest.mark.postgres
def test_sent_four_times_at_once_it_acts_once(shared: Table) -> None:
    chair = shared["blue_2"]
    chair.view()
    order = {"verb": "move", "unit": unit_of(chair, "Cedar's scouts"), "path": [[3, 0]]}
    tag = chair.tag

    def give(_: int) -> Any:
        return Chair(chair.token, chair.battle).order(order, "one-key", If_Match=tag)

    answers = in_parallel(4, give)
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert Order.objects.filter(battle=shared.battle).count() == 1


@pytest.mark.postgres
def test_orders_of_two_seats_at_once_are_both_done(shared: Table) -> None:
    chairs = [shared["blue_1"], shared["blue_2"]]
    for chair in chairs:
        chair.view()

    def give(index: int) -> Any:
        return chairs[index].order({"verb": "standing_orders", "command": f"blue_{index + 1}", "fire": "near"})

    answers = in_parallel(2, give)
    assert [answer.status_code for answer in answers] == [201, 201], [answer.content for answer in answers]
    assert Order.objects.filter(battle=shared.battle, status="done").count() == 2
