"""Hidden things carry unique strings; whatever anybody gets, by REST or by the stream, holds none that are not his."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.chairs import Chair, Table, new_table
from tests.api.serving import Heard, served
from tests.secrecy.crawling import Hit, crawl, found_in, pool_of
from umpire.api.problems import Problem
from umpire.api.resources import board, news, orders
from umpire.battles.models import Battle, Message, Order, Outbox, Seat
from umpire.battles.selectors import truth_for
from umpire.hidden.services import carry_due
from umpire.live import queries
from umpire.testing.skirmish import PACKAGE
from umpire.testing.skirmish.lanes import SECRET_LANE

SCENARIO = "canary-scenario"
PLAYERS = ("blue_1", "blue_2", "red_1", "red_2")


def with_canaries(text: str) -> str:
    """The scenario with a canary in the name of each unit, and in the events that nobody reaches."""
    units = re.sub(r'key = "(\w+)"\ncommand = "(\w+)"', r'key = "\1"\ncommand = "\2"\n#\1 \2', text)
    named = re.sub(r'(#(\w+) (\w+)\n(?:[^\[]*?))name = "[^"]*"', r'\1name = "canary-\3-\2"', units)
    return re.sub(r'9 = "[^"]*"', '9 = "canary-event-nine"', named)


@pytest.fixture
def tables(transactional_db: None, django_user_model: Any, monkeypatch: Any) -> list[Table]:
    """A battle with something hidden of every kind in it, and another battle."""
    text = with_canaries(SECRET_LANE)
    assert text.count("canary-") == 8
    monkeypatch.setattr(type(PACKAGE), "scenarios", lambda self: {SCENARIO: text})
    mine = new_table(
        django_user_model.objects.create_user("canary-owner", password="a long password"), scenario=SCENARIO
    )
    theirs = new_table(
        django_user_model.objects.create_user("canary-other", password="a long password"),
        scenario=SCENARIO,
        title="canary-title-of-the-other",
    )
    return [mine, theirs]


@pytest.fixture
def streams(tables: list[Table]) -> Iterator[dict[str, Heard]]:
    with served() as base:
        opened = {}
        for name in (*PLAYERS, "observer"):
            url = tables[0][name].post(f"{tables[0].at}/ticket").json()["url"]
            opened[name] = Heard(base, url)
        opened["stranger"] = Heard(base, "/live/?ticket=nothing")
        yield opened
        for stream in opened.values():
            stream.close()


def act(table: Table) -> None:
    """Some turns in which everything happens that is not for everybody."""
    umpire = table["umpire"]
    said = table["red_1"].act(f"{table.at}/messages", {"to": "red_2", "text": "canary-message-red"}).json()
    umpire.act(f"messages/{said['id']}/deliver", {"text": "canary-distorted-red"})
    lost = table["blue_1"].act(f"{table.at}/messages", {"to": "blue_2", "text": "canary-lost-blue"}).json()
    umpire.act(f"messages/{lost['id']}/lose")
    hidden = {piece.label: name for name, piece in truth_for(battle=table.battle).pieces.items()}
    umpire.act(f"{table.at}/plans", {"force": hidden["canary-red_2-thorn"], "plan": {"goal": 7, "on_contact": "halt"}})
    placed = {"verb": "place", "unit": hidden["canary-red_1-sorrel"], "at": 9}
    corrected = umpire.act(f"{table.at}/corrections", {"correction": placed, "reason": "canary-reason"})
    assert corrected.status_code == 201, corrected.content
    given(table["blue_2"], {"verb": "move", "unit": hidden["canary-blue_2-cedar"], "path": [[3, 0]]})
    depth = umpire.get(f"{table.at}/ledger").json()["depth"]
    given(table["blue_1"], {"verb": "standing_orders", "command": "blue_1", "fire": "hold"})
    taken = umpire.act(f"{table.at}/rewind", {"depth": depth, "reason": "canary-rewind"})
    assert taken.status_code == 200, taken.content
    for name in ("blue_1", "blue_2"):
        given(table[name], {"verb": "end_turn", "command": name})
    carry(table)
    given(table["red_1"], {"verb": "move", "unit": hidden["canary-red_1-rowan"], "path": [[10, 0]]})
    for name in ("red_1", "red_2"):
        given(table[name], {"verb": "end_turn", "command": name})
    carry(table)
    umpire.act(f"{table.at}/seats", {"name": "canary-seat", "role": "observer"})
    umpire.get(f"{table.at}/desk")


def given(chair: Chair, order: dict[str, Any]) -> None:
    chair.view()
    answer = chair.order(order)
    assert answer.status_code == 201, answer.content


def carry(table: Table) -> None:
    """What the worker would do, and the umpire's answers to what it asks."""
    umpire = table["umpire"]
    for _ in range(10):
        for row in Outbox.objects.filter(battle=table.battle, done=None):
            carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth)
        waiting = umpire.get(f"{table.at}/questions").json()
        for question in waiting:
            chosen = {"choices": [question["question"]["choices"][0]["id"]]}
            assert umpire.act(f"{table.at}/questions/{question['id']}/answer", chosen).status_code == 200
        if not waiting and not Outbox.objects.filter(battle=table.battle, done=None).exists():
            return


def canaries_for(tables: list[Table], name: str) -> list[str]:
    """What somebody must not be told: all that is planted but what is his own."""
    mine = tables[0]
    found = {f"canary-{command}-{unit}" for command, unit in re.findall(r"canary-(red_\d|blue_\d)-(\w+)", THE_TEXT)}
    found -= {one for one in found if one.startswith(f"canary-{name}-")}
    found |= {"canary-event-nine", "canary-reason", "canary-rewind", "canary-owner", "canary-other", "canary-seat"}
    found |= {"canary-title", SCENARIO}
    found |= {"canary-message-red"} - ({"canary-message-red"} if name == "red_1" else set())
    found |= {"canary-distorted-red"} - ({"canary-distorted-red"} if name == "red_2" else set())
    found |= {"canary-lost-blue"} - ({"canary-lost-blue"} if name == "blue_1" else set())
    for table in tables:
        battle = Battle.objects.get(pk=table.battle.pk)
        found |= {bytes(battle.secret).hex(), battle.digest, battle.umpire_setting_id}
        own = table is mine and name in PLAYERS
        truth = truth_for(battle=battle).pieces
        found |= {unit for unit, piece in truth.items() if not (own and piece.command == name)}
    found |= set(Seat.objects.exclude(battle=mine.battle, name=name).values_list("id", flat=True))
    found |= set(Order.objects.exclude(battle=mine.battle, seat__name=name).values_list("id", flat=True))
    reached = {"red_2": ["red_1"]}.get(name, [])
    found |= set(Message.objects.exclude(sender__name__in=[name, *reached]).values_list("id", flat=True))
    return sorted(found)


THE_TEXT = with_canaries(SECRET_LANE)


def echoes(hit: Hit) -> bool:
    """Whether a canary is only the request said back: what somebody sends he knows."""
    return hit.canary in hit.path


SEATS = {
    *(("GET", f"/api/v1/battles/{{battle_id}}{name}") for name in
      ("", "/scene", "/view", "/options", "/orders", "/questions", "/news", "/sync", "/messages")),
    *(("POST", f"/api/v1/battles/{{battle_id}}/{name}") for name in ("preview", "odds", "ticket", "messages")),
}  # fmt: skip
"""What a player's crawl must have had answers from, or it shows nothing."""


def crawled(tables: list[Table], name: str, chair: Chair, *, is_first_enough: bool = False) -> list[Hit]:
    schema = Chair().get("schema").json()
    canaries = canaries_for(tables, name)
    assert len(canaries) > 20
    hits, answered = crawl(chair, schema, pool_of(tables), canaries, is_first_enough=is_first_enough)
    if name in PLAYERS and not is_first_enough:
        assert answered >= SEATS
    return [hit for hit in hits if not echoes(hit)]


def test_nothing_hidden_is_in_any_answer_or_stream(tables: list[Table], streams: dict[str, Heard]) -> None:
    mine = tables[0]
    act(mine)
    streams["blue_2"].wait(lambda: len(streams["blue_2"].news) >= 3)
    heard = {
        name: found_in(stream.text + str(stream.headers), canaries_for(tables, name))
        for name, stream in streams.items()
    }
    assert {name: canaries for name, canaries in heard.items() if canaries} == {}
    chairs = {name: mine[name] for name in (*PLAYERS, "observer")} | {"stranger": Chair()}
    for name, chair in chairs.items():
        if name != "stranger":
            chair.view()
        assert crawled(tables, name, chair) == [], name


def test_a_seat_of_another_battle_finds_nothing_of_this_one(tables: list[Table]) -> None:
    mine, theirs = tables
    act(mine)
    chair = theirs["umpire"]
    schema = Chair().get("schema").json()
    pool = pool_of([mine])
    canaries = [
        *(name for name in truth_for(battle=mine.battle).pieces),
        *mine.battle.seats.values_list("id", flat=True),
        "canary-reason", "canary-rewind", "canary-message", "canary-lost", "canary-owner",
    ]  # fmt: skip
    hits, _ = crawl(chair, schema, pool, canaries)
    assert [hit for hit in hits if not echoes(hit)] == []


# Planted leaks: the crawl finds each of them.


def leak_in_a_header(monkeypatch: Any) -> None:
    plain = board.ViewView.get

    def get(self: Any, request: Any, battle_id: str) -> Any:
        answer = plain(self, request, battle_id)
        answer["X-Debug"] = ",".join(truth_for(battle=self.battle).pieces)
        return answer

    monkeypatch.setattr(board.ViewView, "get", get)


def leak_in_a_sync(monkeypatch: Any) -> None:
    plain = news.sync_for
    monkeypatch.setattr(
        news, "sync_for", lambda *, battle, **rest: {**plain(battle=battle, **rest), "scenario": battle.scenario}
    )


def leak_of_anothers_orders(monkeypatch: Any) -> None:
    monkeypatch.setattr(orders, "orders_for", lambda *, battle, **rest: list(battle.orders.select_related("seat")))


def leak_in_a_refusal(monkeypatch: Any) -> None:
    plain = orders.order_give

    def order_give(*, battle: Any, order: Any, **rest: Any) -> Any:
        known = truth_for(battle=battle).pieces.get(order.get("target", ""))
        if known:
            raise Problem("refused", f"{known.label} cannot be seen.")
        return plain(battle=battle, order=order, **rest)

    monkeypatch.setattr(orders, "order_give", order_give)


def leak_in_a_cookie(monkeypatch: Any) -> None:
    plain = board.SceneView.get

    def get(self: Any, request: Any, battle_id: str) -> Any:
        answer = plain(self, request, battle_id)
        answer.set_cookie("battle", self.battle.scenario)
        return answer

    monkeypatch.setattr(board.SceneView, "get", get)


@pytest.mark.parametrize(
    "leak", [leak_in_a_header, leak_in_a_sync, leak_of_anothers_orders, leak_in_a_refusal, leak_in_a_cookie]
)
def test_a_planted_leak_is_found(tables: list[Table], monkeypatch: Any, leak: Any) -> None:
    monkeypatch.setattr("tests.api.chairs.must_be_told", lambda *answer: None)  # would find some of them by their form
    act(tables[0])
    leak(monkeypatch)
    chair = tables[0]["blue_1"]
    chair.view()
    assert crawled(tables, "blue_1", chair, is_first_enough=True)


def test_a_leak_in_the_stream_is_found(tables: list[Table], monkeypatch: Any) -> None:
    plain = queries.encode
    monkeypatch.setattr(
        queries, "encode", lambda item: plain({**item, "battle": Battle.objects.values_list("scenario")[0][0]})
    )
    with served() as base:
        table = tables[0]
        stream = Heard(base, table["blue_2"].post(f"{table.at}/ticket").json()["url"])
        act(table)
        stream.wait(lambda: stream.news)
        assert found_in(stream.text, canaries_for(tables, "blue_2")) == [SCENARIO]
        stream.close()
