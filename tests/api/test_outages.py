"""The database fails: 503 says what is known of a request, so that tablets keep their orders and send them again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings

from tests.api.chairs import Chair, Table
from umpire.battles.models import Order
from umpire.battles.services import orders
from umpire.battles.signals import published

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

ORDER = {"verb": "standing_orders", "command": "blue_1", "fire": "near"}


def is_unavailable(answer: Any, said: str) -> None:
    assert answer.status_code == 503, answer.content
    assert answer.json()["type"] == "/problems/unavailable"
    assert said in answer.json()["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.headers["Cache-Control"] == "private, no-store"


@pytest.fixture
def commit_fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Has the next commit fail, before or after the database has done it."""
    plain = BaseDatabaseWrapper._commit

    def prepare(is_done: bool) -> None:
        def commit(self: Any) -> None:
            monkeypatch.setattr(BaseDatabaseWrapper, "_commit", plain)
            if is_done:
                plain(self)
            else:
                self.rollback()
            raise OperationalError("the line went dead")

        monkeypatch.setattr(BaseDatabaseWrapper, "_commit", commit)

    return prepare


@pytest.mark.parametrize("is_done", [True, False])
def test_a_commit_whose_outcome_is_not_known(table: Table, commit_fails: Callable[[bool], None], is_done: bool) -> None:
    chair = table["blue_1"]
    chair.view()
    tag = chair.tag
    commit_fails(is_done)
    is_unavailable(chair.order(ORDER, "the-key", If_Match=tag), "It is not known whether")
    assert Order.objects.count() == is_done
    again = chair.order(ORDER, "the-key", If_Match=tag)
    assert again.status_code == 201
    assert ("Idempotent-Replayed" in again.headers) == is_done
    assert Order.objects.count() == 1


def test_a_statement_that_fails_has_done_nothing(table: Table) -> None:
    chair = table["blue_1"]
    chair.view()

    def fails(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith('INSERT INTO "battles_entry"'):
            raise OperationalError("the server closed the connection")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fails):
        is_unavailable(chair.order(ORDER), "Nothing of this request was done")
    assert Order.objects.count() == 0


@pytest.mark.parametrize("place", ["queue", "signal"])
def test_after_the_commit_nothing_fails_the_answer(table: Table, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    chair = table["blue_1"]
    chair.view()

    def fails(*given: Any, **named: Any) -> None:
        raise OperationalError("away")

    if place == "queue":
        monkeypatch.setattr(orders, "work_at_queue", fails)
    else:
        published.connect(fails)
    try:
        assert chair.order(ORDER, "the-key").status_code == 201
    finally:
        published.disconnect(fails)
    assert Order.objects.count() == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "said"),
    [
        ("GET", "{at}/view", None, "Nothing of this request was done"),
        ("GET", "{at}/sync", None, "Nothing of this request was done"),
        ("POST", "{at}/orders", {"order": ORDER}, "done"),
        ("POST", "{at}/ticket", {}, "not known"),
        ("POST", "join", {"code": "ABCDE-FGHJK"}, "not known"),
        ("POST", "session", {"username": "owner", "password": "a guess"}, "not known"),
    ],
)
def test_a_database_that_is_away(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    method: str, path: str, body: Any, said: str,
) -> None:  # fmt: skip
    chair = table["blue_1"] if "{at}" in path else Chair()

    def away(self: Any) -> None:
        raise OperationalError("connection refused\nis the server running?")

    connections.close_all()
    with monkeypatch.context() as patched, caplog.at_level(logging.WARNING):
        patched.setattr(BaseDatabaseWrapper, "connect", away)
        answer = chair.send(method, path.format(at=table.at), body, Idempotency_Key="k", If_Match='"x"')
        health = Client().get("/healthz")
    is_unavailable(answer, said)
    assert (health.status_code, health.content) == (503, b"the database does not answer\n")
    assert len([record for record in caplog.records if record.exc_info]) == 0, "a line for each, no traceback"
    assert Client().get("/healthz").content == b"ok\n"


class Fails:
    """Middleware that meets a database which is away, or a fault of ours."""

    raised: Exception = OperationalError("away")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        pass

    def __call__(self, request: HttpRequest) -> HttpResponse:
        raise self.raised


@override_settings(MIDDLEWARE=[f"{__name__}.Fails"])
def test_outside_any_view_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    is_unavailable(client.get("/api/v1/session"), "Nothing of this request was done")
    is_unavailable(client.post("/api/v1/join"), "It is not known whether")
    monkeypatch.setattr(Fails, "raised", ValueError("ours"))
    answer = client.post("/api/v1/join")
    assert (answer.status_code, answer.json()["type"]) == (500, "/problems/fault")
    assert "ours" not in answer.content.decode()
    assert "nothing was done" not in answer.json()["detail"].lower()
