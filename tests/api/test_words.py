"""The API keeps its words: one meaning for `as`, one form of time, nothing unknown taken, lists that do not grow."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import get_resolver
from django.utils import timezone

from tests.api.chairs import Chair, Table
from umpire.battles.models import Entry, Message, Order, Reply
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.skirmish import PACKAGE

READ_AS = ("view", "options", "news", "sync", "questions", "messages", "orders")


def faults(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [fault["pointer"] for fault in answer.json()["errors"]]


# Nothing unknown


def test_a_parameter_that_nobody_knows_is_refused_by_every_resource(table: Table) -> None:
    ids = {"battle_id": table.battle.id, "system": "skirmish", "scenario": "the-lane", "order_id": "x"}
    tried = 0
    for pattern in get_resolver("umpire.api.urls").url_patterns:
        view = getattr(getattr(pattern, "callback", None), "view_class", None)
        path = re.sub(r"<id:(\w+)>", lambda found: ids.get(found[1], "x"), str(pattern.pattern))
        if "get" in dir(view) and "x" not in path.split("/"):
            answer = table["umpire"].get(f"{path}?colour=red")
            if answer.status_code != 404:  # a record that is not open is not there, whatever is asked
                assert faults(answer) == ["?colour"], path
                tried += 1
    assert tried > 20


def test_a_body_where_none_is_wanted_is_refused(table: Table) -> None:
    for path in ("ticket", "orders/release"):
        assert faults(table["umpire"].act(f"{table.at}/{path}", {"colour": "red"})) == ["/colour"], path
    assert faults(table["umpire"].post(f"seats/{table.seats['red_1'].id}/code", {"colour": "red"})) == ["/colour"]
    assert table["umpire"].post(f"{table.at}/ticket", b"").status_code == 201


def test_what_is_not_yours_is_not_there_before_its_parameters_are_looked_at(table: Table) -> None:
    assert table["blue_1"].get(f"{table.at}/desk?colour=red").status_code == 404


# As


@pytest.mark.parametrize("what", READ_AS)
def test_the_umpire_asks_as_a_seat_by_its_id_or_name(table: Table, what: str) -> None:
    blue, umpire = table["blue_2"], table["umpire"]
    blue.order({"verb": "end_turn", "command": "blue_2"})
    umpire.act(f"{table.at}/messages", {"to": "blue_2", "text": "Hold."})
    own = blue.get(f"{table.at}/{what}").json()
    for named in ("blue_2", table.seats["blue_2"].id):
        for chair in (umpire, blue):
            seen = chair.get(f"{table.at}/{what}?as={named}").json()
            assert {**seen, "now": ""} == {**own, "now": ""} if isinstance(own, dict) else seen == own
    assert faults(umpire.get(f"{table.at}/{what}?as=nobody")) == ["?as"]
    for named in ("blue_1", table.seats["blue_1"].id, "nobody"):
        assert blue.get(f"{table.at}/{what}?as={named}").status_code == 404


def test_the_umpire_acts_for_a_seat_by_its_id(table: Table) -> None:
    umpire, order = table["umpire"], {"verb": "end_turn", "command": "blue_2"}
    for path in ("preview", "odds"):
        by_id = umpire.post(f"{table.at}/{path}", {"order": order, "for": table.seats["blue_2"].id})
        assert by_id.status_code == 200, by_id.content
        assert faults(umpire.post(f"{table.at}/{path}", {"order": order, "for": "nobody"})) == ["/for"]
    given = umpire.act(f"{table.at}/orders", {"order": order, "for": table.seats["blue_2"].id})
    assert given.status_code == 201, given.content


def test_all_forms_of_a_seat_in_one_call(table: Table) -> None:
    blue = table["blue_2"]
    told = blue.get(f"{table.at}/options?all=true").json()
    general = blue.get(f"{table.at}/options").json()
    assert (told["forms"], told["subjects"]) == (general["forms"], general["subjects"])
    assert list(told["units"]) == told["subjects"] != []
    for unit, forms in told["units"].items():
        assert forms == blue.get(f"{table.at}/options?unit={unit}").json()["forms"]
    assert faults(blue.get(f"{table.at}/options?all=true&unit=x")) == ["?unit"]


# Tags and times


@pytest.mark.parametrize("form", ["{}", '"{}"', 'W/"{}"'])
def test_a_tag_is_taken_as_the_body_carries_it_and_made_weak(table: Table, form: str) -> None:
    blue = table["blue_2"]
    blue.view()
    tag = form.format(blue.tag.strip('"'))
    assert blue.get(f"{table.at}/sync?after=0&tag={tag}").json()["status"] == "current"
    assert blue.order({"verb": "end_turn", "command": "blue_2"}, If_Match=tag).status_code == 201
    assert blue.order({"verb": "end_turn", "command": "blue_1"}, If_Match=tag).status_code == 412


def test_times_have_one_form(table: Table) -> None:
    blue, umpire = table["blue_2"], table["umpire"]
    blue.order({"verb": "end_turn", "command": "blue_2"})
    blue.act(f"{table.at}/messages", {"to": "blue_1", "text": "Hold."})
    umpire.act(f"{table.at}/finish", {"open": True})
    found: list[str] = []
    for path in ("view", "news", "sync", "orders", "seats", "desk", "ledger", "record", ""):
        text = umpire.get(f"{table.at}/{path}".rstrip("/")).content.decode()
        found += re.findall(r'"(\d{4}-\d\d-\d\dT[^"]*)"', text)
    assert len(found) > 20
    assert {moment for moment in found if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment)} == set()


# Lists that do not grow


def test_without_after_sync_gives_the_whole(table: Table) -> None:
    told = table["blue_2"].get(f"{table.at}/sync").json()
    assert told["status"] == "whole"
    assert told["view"] == table["blue_2"].view()


def many_orders(table: Table, count: int) -> None:
    seats = (table.seats["blue_2"], table.seats["red_1"])
    Order.objects.bulk_create(
        Order(battle=table.battle, seat=seats[n % 2], giver=seats[n % 2].name, status="done", sequence=n,
              order={"verb": "end_turn", "command": seats[n % 2].name},
              changed=(n + 1) // 2, changed_in_battle=n, created=timezone.now())
        for n in range(1, count + 1)
    )  # fmt: skip


def test_sync_and_orders_bring_what_has_changed_in_pages(table: Table) -> None:
    blue, umpire = table["blue_2"], table["umpire"]
    many_orders(table, 300)
    first = blue.get(f"{table.at}/sync").json()
    assert [order["changed"] for order in first["orders"]] == list(range(51, 151))
    assert blue.get(f"{table.at}/orders").json() == first["orders"]
    last = first["orders"][-1]["changed"]
    assert blue.get(f"{table.at}/sync?orders={last}").json()["orders"] == []
    page = blue.get(f"{table.at}/sync?orders=10").json()
    assert ([order["changed"] for order in page["orders"]], page["more_orders"]) == (list(range(11, 111)), True)
    rest = blue.get(f"{table.at}/sync?orders=110").json()
    assert (len(rest["orders"]), rest["more_orders"]) == (40, False)
    assert len(blue.get(f"{table.at}/orders?after=0&limit=7").json()) == 7
    assert [order["changed"] for order in umpire.get(f"{table.at}/orders?limit=2").json()] == [299, 300]


def test_a_change_of_an_order_is_brought_once_and_tells_nothing_of_others(table: Table) -> None:
    blue, umpire = table["blue_2"], table["umpire"]
    table.battle.refresh_from_db()
    type(table.battle).objects.update(options={"release": True})
    order = {"verb": "end_turn", "command": "blue_2"}
    given = blue.order(order).json()
    [told] = blue.get(f"{table.at}/sync?after=0").json()["orders"]
    assert (told["id"], told["status"], told["changed"]) == (given["id"], "given", 1)
    for other in ("red_1", "red_2"):  # what others do moves no number of mine
        table[other].order({"verb": "end_turn", "command": other})
    umpire.act(f"{table.at}/orders/release")
    assert [each["changed"] for each in blue.get(f"{table.at}/orders?after=1").json()] in ([], [2])
    [now] = blue.get(f"{table.at}/orders").json()
    assert now["changed"] == (1 if now["status"] == "given" else 2)
    umpire.act(f"{table.at}/rewind", {"depth": 0, "dice": "fresh", "reason": "a test"})
    [back] = blue.get(f"{table.at}/sync?orders={now['changed']}").json()["orders"]
    assert (back["status"], back["changed"]) == ("taken_back", now["changed"] + 1)


def test_messages_come_in_pages(table: Table) -> None:
    blue = table["blue_2"]
    for number in range(5):
        blue.act(f"{table.at}/messages", {"to": "umpire", "text": f"No. {number}"})
    last = blue.get(f"{table.at}/messages?limit=2").json()
    assert [message["text"] for message in last] == ["No. 3", "No. 4"]
    before = blue.get(f"{table.at}/messages?limit=2&before={last[0]['id']}").json()
    assert [message["text"] for message in before] == ["No. 1", "No. 2"]
    assert blue.get(f"{table.at}/messages?before=nothing").json() == []


# Who has what


def test_an_umpires_seat_that_makes_a_battle_sits_at_it(table: Table) -> None:
    umpire = table["umpire"]
    made = umpire.act("battles", {"system": "skirmish", "scenario": "the-lane", "title": "Tuesday"}).json()
    cards = {card["title"]: card for card in umpire.get("battles").json()}
    assert set(cards) == {"Monday's battle", "Tuesday"}
    at = f"battles/{made['battle']['id']}"
    assert cards["Tuesday"]["you"]["role"] == "umpire"
    assert umpire.get(f"{at}/desk").status_code == 200
    assert umpire.post(f"{at}/ticket").status_code == 201
    players = [seat for seat in made["seats"] if seat["role"] == "player"]
    assert umpire.act(f"seats/{players[0]['id']}/revoke").status_code == 200
    code = next(seat["code"] for seat in made["seats"] if seat["role"] == "umpire")
    second = Chair(Chair().post("join", {"code": code}).json()["token"])
    assert second.get(at).status_code == 200
    assert second.get(table.at).status_code == 404, "who sits at the new battle does not sit at the old one"
    assert table["blue_1"].get(at).status_code == 404


def test_an_accounts_tokens_are_listed_and_taken_away(owner: Any, django_user_model: Any, table: Table) -> None:
    signed_in, other = Chair(), Chair()
    signed_in.post("session", {"username": "owner", "password": "a long password"})
    made = [signed_in.post("devices", {"device": label}).json() for label in ("my script", "my bot")]
    listed = signed_in.get("devices").json()
    assert [(device["id"], device["label"]) for device in listed] == [(one["id"], one["device"]) for one in made]
    assert not any("token" in device for device in listed)
    django_user_model.objects.create_user("other", password="a long password")
    other.post("session", {"username": "other", "password": "a long password"})
    assert other.get("devices").json() == []
    assert other.send("DELETE", f"devices/{made[0]['id']}").status_code == 404
    assert table["umpire"].send("DELETE", f"devices/{made[0]['id']}").status_code == 404
    assert signed_in.send("DELETE", f"devices/{made[0]['id']}").status_code == 204
    assert Chair(made[0]["token"]).get("battles").status_code == 401
    assert Chair(made[1]["token"]).get("battles").status_code == 200
    assert [device["label"] for device in signed_in.get("devices").json()] == ["my bot"]


def test_the_example_is_not_in_the_public_schema(stranger: Chair, settings: Any) -> None:
    settings.OFFER_EXAMPLES = False
    assert "skirmish" not in stranger.get("schema").content.decode()
    orders = [one["$ref"] for one in stranger.get("schema").json()["components"]["schemas"]["OrderBody"]["oneOf"]]
    assert [ref.rpartition("/")[2] for ref in orders] == ["FireforceOrderBody", "LnlOrderBody"]


# Numbers that may be chosen


def test_every_number_that_may_be_chosen_has_its_limits_and_keeps_them(table: Table) -> None:
    umpire, tried = table["umpire"], []
    for card in umpire.get("scenarios").json():
        for option in umpire.get(f"scenarios/{card['system']}/{card['key']}").json()["options"]:
            if option["kind"] != "number":
                continue
            assert option["low"] <= option["default"] <= option["high"], (card, option)
            if (card["system"], option["name"]) not in tried:
                tried.append((card["system"], option["name"]))
                for value in (option["low"] - 1, option["high"] + 1, -5, 10**12, 1.5, "many", None, True, []):
                    options = {option["name"]: value}
                    body = {"system": card["system"], "scenario": card["key"], "options": options}
                    assert faults(umpire.act("battles", body)) == ["/options"], options
    assert ("lnl", "visibility") in tried


# What is repeated and kept


def kept() -> int:
    """Bytes that the server keeps of orders, messages and answers."""
    rows = [*Order.objects.values(), *Reply.objects.values(), *Message.objects.values(), *Entry.objects.values()]
    return sum(len(bytes(each)) if isinstance(each, bytes | memoryview) else len(str(each))
               for row in rows for each in row.values())  # fmt: skip


def test_a_refusal_neither_repeats_nor_keeps_what_was_sent(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    blue, long = table["blue_2"], "x" * 20_000
    blue.view()

    def check(self: Any, believed: Any, seat: Any, order: Any) -> list[Refusal]:
        return [Refusal(reason=f"There is no {order.unit}.", field=order.unit)] * 50

    monkeypatch.setattr(type(PACKAGE), "check", check)
    before = kept()
    orders = [{"verb": "move", "unit": long, "path": [[3, 0]]}, {"verb": "fire", "unit": long, "target": "x"}]
    for order in orders:
        asked = [blue.post(f"{table.at}/{path}", {"order": order}) for path in ("preview", "odds")]
        answers = [blue.order(order), *asked]
        assert [answer.status_code for answer in answers] == [409, 200, 200]
        assert max(len(answer.content) for answer in answers) < 40_000
    for path in ("news", "sync", "orders"):
        assert len(blue.get(f"{table.at}/{path}?as={long[:5000]}").content) < 2_000
    assert len(blue.act(f"{table.at}/questions/x/answer", {"choices": [long] * 40}).content) < 2_000
    assert kept() - before < 80_000


def test_an_order_has_a_size(table: Table) -> None:
    blue = table["blue_2"]
    blue.view()
    before = kept()
    order = {"verb": "move", "unit": "x", "path": [[3, 0]] * 10_000}
    assert faults(blue.order(order)) == ["/order"]
    assert faults(blue.post(f"{table.at}/odds", {"order": order})) == ["/order"]
    correction = {"correction": {"verb": "remove", "unit": "x" * 40_000}, "reason": "x"}
    assert faults(table["umpire"].act(f"{table.at}/corrections", correction)) == ["/correction"]
    assert kept() == before


def test_messages_on_their_way_have_a_number(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire.desk.services.MOST_SENT", 2)
    message = {"to": "blue_1", "text": "Hold."}
    sent = [table["blue_2"].act(f"{table.at}/messages", message) for _ in range(3)]
    assert [answer.status_code for answer in sent] == [201, 201, 409]
    table["umpire"].act(f"messages/{sent[0].json()['id']}/deliver", {})
    assert table["blue_2"].act(f"{table.at}/messages", message).status_code == 201
