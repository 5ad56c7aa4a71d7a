"""What is not yours and what does not exist are one thing: the same bytes, the same headers, by every method."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.urls import URLPattern

from tests.api.chairs import Chair, Table, new_table
from umpire.api.resource import Nowhere
from umpire.api.urls import urlpatterns
from umpire.battles.models import Device, Message, Order, Question
from umpire.campaigns.services import campaign_create

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def addresses() -> list[str]:
    """The path of each resource, with its converters as names in braces."""
    return [
        str(pattern.pattern).replace("<id:", "{").replace(">", "}")
        for pattern in urlpatterns
        if isinstance(pattern, URLPattern) and pattern.callback.__name__ != Nowhere.__name__
    ]


OF_BATTLES = [path for path in addresses() if "battle_id" in path]
OF_THINGS = [path for path in addresses() if "{" in path and "battle_id" not in path and "scenarios" not in path]


@pytest.fixture
def owner(django_user_model: Any, db: None) -> Any:
    return django_user_model.objects.create_user("owner", password="a long password")


@pytest.fixture
def table(owner: Any) -> Table:
    return new_table(owner)


@pytest.fixture
def other(django_user_model: Any, db: None) -> Table:
    return new_table(django_user_model.objects.create_user("other", password="a long password"))


def bytes_of(answer: Any) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    return answer.status_code, answer.content, tuple(sorted(answer.headers.items()))


def sent(chair: Chair, method: str, path: str) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    body = {} if method in ("POST", "PUT", "PATCH") else None
    return bytes_of(chair.send(method, path, body, Idempotency_Key="k", If_Match='"x"'))


def nothing(chair: Chair, method: str) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    """What an address gets that no resource has."""
    found = sent(chair, method, "nothing/at/all")
    assert found[0] == 404
    return found


@pytest.mark.parametrize("path", OF_BATTLES)
def test_anothers_battle_is_as_one_that_does_not_exist(table: Table, other: Table, path: str) -> None:
    for who, method in product(("blue_1", "observer", "umpire"), METHODS):
        chair = table[who]
        foreign = sent(chair, method, path.format(battle_id=other.battle.id, question_id="x"))
        absent = sent(chair, method, path.format(battle_id="nothing", question_id="x"))
        assert foreign == absent == nothing(chair, method)


UMPIRES = (
    "desk",
    "corrections",
    "ledger",
    "rewind",
    "open-order",
    "finish",
    "plans",
    "plans/route",
    "seats",
    "orders/release",
    "campaign",
    "campaign/apply",
)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_the_umpires_is_not_there_for_others(table: Table, method: str) -> None:
    for who, name in product(("blue_1", "observer"), UMPIRES):
        assert sent(table[who], method, f"{table.at}/{name}") == nothing(table[who], method)


def things(table: Table) -> Iterator[tuple[str, str]]:
    """Something of each kind that belongs to red or to the umpire, by the name of its converter."""
    red = table["red_1"]
    sent = red.act(f"{table.at}/messages", {"to": "red_2", "text": "dig in"})
    yield "message_id", sent.json()["id"]
    order = Order.objects.create(
        battle=table.battle, seat=table.seats["red_1"], giver="red_1", order={"verb": "x"}, status="done", sequence=1
    )
    yield "order_id", order.id
    yield "seat_id", table.seats["red_1"].id
    yield "device_id", Device.objects.create(user=table.battle.owner, token_hash="x").id
    yield "campaign_id", campaign_create(owner=table.battle.owner, title="The dry season").id


@pytest.mark.parametrize("method", METHODS)
def test_anothers_orders_messages_and_seats_are_not_there(table: Table, other: Table, method: str) -> None:
    ids = dict(things(table))
    assert Message.objects.count() == 1
    for path in OF_THINGS:
        [name] = [name for name in ids if name in path]
        for chair in (table["blue_1"], table["observer"], other["umpire"], other["red_1"]):
            foreign = sent(chair, method, path.format(**{name: ids[name]}))
            absent = sent(chair, method, path.format(**{name: "nothing"}))
            assert foreign == absent == nothing(chair, method), path


def test_another_commands_question_is_not_there(table: Table) -> None:
    question = Question.objects.create(battle=table.battle, line=0, depth=0, command="red_1", body=b"{}")
    chair = table["blue_1"]
    for body in ({"choices": []}, {"faces": [1]}):
        answers = [
            bytes_of(chair.act(f"{table.at}/questions/{name}/answer", body, "k")) for name in (question.id, "nothing")
        ]
        assert answers[0] == answers[1] == nothing(chair, "POST")


@pytest.mark.parametrize("method", METHODS)
def test_a_stranger_learns_nothing_of_what_exists(table: Table, stranger_paths: list[str], method: str) -> None:
    chair = Chair()
    answers = {sent(chair, method, path) for path in stranger_paths}
    assert len(answers) == 1
    [(status, _, _)] = answers
    assert status == 401


@pytest.fixture
def stranger_paths(table: Table) -> list[str]:
    ids = {"battle_id": table.battle.id, "question_id": "x", "system": "skirmish", "scenario": "the-lane"}
    ids |= dict(things(table))
    open_to_all = ("session", "session/link", "start", "join", "schema", "docs", "docs.js")
    real = [path.format(**ids) for path in addresses() if path not in open_to_all]
    absent = [path.format(**dict.fromkeys(ids, "nothing")) for path in addresses() if path not in open_to_all]
    return [*real, *absent, "nothing", "battles/", "battles/%00"]


def test_options_says_nothing(table: Table) -> None:
    """No form, no list of related things, no word of what a resource is for."""
    for path in addresses():
        if "{" not in path or path.startswith("battles/{battle_id}/view"):
            answer = table["blue_1"].send("OPTIONS", path.format(battle_id=table.battle.id))
            assert answer.status_code in (404, 405)
            assert len(answer.content) < 200


def test_there_is_no_other_form_of_any_answer(table: Table) -> None:
    chair = table["blue_1"]
    for accept in ("text/html", "application/xml", "text/csv"):
        answer = chair.get(f"{table.at}/view?format=api".replace("?format=api", ""), Accept=accept)
        assert answer.headers["Content-Type"] == "application/json"
    assert chair.get(f"{table.at}/view?format=api").status_code == 422
    assert chair.get(f"{table.at}/view.json").status_code == 404
