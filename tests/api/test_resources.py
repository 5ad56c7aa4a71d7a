"""Each resource as it is meant to be used."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from tests.api.chairs import Chair, Table, new_table


def unit_of(chair: Chair, name: str) -> str:
    """The id of a unit by its name, as this chair sees it."""
    [found] = [key for key, piece in chair.view()["pieces"].items() if piece["label"] == name]
    return str(found)


@pytest.fixture
def asked(owner: Any) -> Table:
    """An open battle in which a move of Cedar's waits for red_2: Thorn's band may fire."""
    table = new_table(owner, blind=False)
    umpire, mover = table["umpire"], table["blue_2"]
    thorn = unit_of(umpire, "Thorn's band")
    placed = umpire.act(
        f"{table.at}/corrections", {"correction": {"verb": "place", "unit": thorn, "at": 4}, "reason": "a test"}
    )
    assert placed.status_code == 201, placed.content
    given = mover.order({"verb": "move", "unit": unit_of(mover, "Cedar's scouts"), "path": [[3, 0]]})
    assert given.status_code == 201, given.content
    assert given.json()["status"] == "given"
    return table


# Who and where


def test_joining_gives_a_token_a_seat_and_a_battle(table: Table) -> None:
    answer = Chair().post("join", {"code": table.codes["blue_1"].lower().replace("-", " "), "device": "my tablet"})
    assert answer.status_code == 201
    told = answer.json()
    assert told["seat"]["commands"] == ["blue_1"]
    assert told["battle"] == Chair(told["token"]).get(table.at).json()
    assert "scenario" not in told["battle"]


def test_a_code_seats_a_second_device(table: Table) -> None:
    second = table.joined(table.codes["blue_1"])
    assert second.view() == table["blue_1"].view()
    seats = {seat["name"]: seat for seat in table["umpire"].get(f"{table.at}/seats").json()}
    assert [device["label"] for device in seats["blue_1"]["devices"]] == ["a test", "a test"]


def test_signing_in_with_an_account_needs_the_token_against_other_sites(owner: Any, table: Table) -> None:
    chair = Chair(client=Client(enforce_csrf_checks=True))
    assert chair.get("session").status_code == 401
    assert chair.post("session", {"username": "owner", "password": "wrong words"}).status_code == 401
    answer = chair.post("session", {"username": "owner", "password": "a long password"})
    assert answer.status_code == 200
    assert chair.get("session").json()["name"] == "owner"
    assert [battle["id"] for battle in chair.get("battles").json()] == [table.battle.id]
    assert chair.get(f"{table.at}/desk").status_code == 200
    ticket = chair.post(f"{table.at}/ticket")
    assert ticket.status_code == 401
    assert "X-CSRFToken" in ticket.json()["detail"]
    csrf = answer.json()["csrf"]
    assert chair.post(f"{table.at}/ticket", X_CSRFToken=csrf).status_code == 201
    assert chair.send("DELETE", "session", X_CSRFToken=csrf).status_code == 204
    assert chair.get("session").status_code == 401


def test_an_account_has_tokens_for_other_clients(owner: Any, table: Table) -> None:
    signed_in = Chair()
    signed_in.post("session", {"username": "owner", "password": "a long password"})
    made = signed_in.post("devices", {"device": "my script"})
    assert made.status_code == 201, made.content
    script = Chair(made.json()["token"], table.battle.id)
    assert script.get("session").json() == {"kind": "account", "name": "owner"}
    assert script.get(f"{table.at}/desk").status_code == 200
    assert script.send("DELETE", "session").status_code == 204
    assert script.get(f"{table.at}/desk").status_code == 401
    assert table["umpire"].post("devices", {"device": "x"}).status_code == 404


def test_a_device_gives_its_token_back(table: Table) -> None:
    chair = table["blue_1"]
    assert chair.get("session").json()["seat"]["name"] == "blue_1"
    assert chair.send("DELETE", "session").status_code == 204
    assert chair.get("session").status_code == 401
    assert chair.get(table.at).status_code == 401


# The gallery, and a new battle


def test_the_umpire_makes_a_battle_from_the_gallery(table: Table) -> None:
    umpire = table["umpire"]
    assert {"system": "skirmish", "title": "Skirmish", "version": 1} in umpire.get("systems").json()
    cards = [card for card in umpire.get("scenarios").json() if card["system"] == "skirmish"]
    assert [card["key"] for card in cards] == ["the-lane"]
    assert cards[0]["sides"] == ["red", "blue"]
    whole = umpire.get("scenarios/skirmish/the-lane").json()
    assert {"dice", "release"} <= {option["name"] for option in whole["options"]}
    assert whole["picture"]["rules"]
    body = {"system": "skirmish", "scenario": "the-lane", "title": "Tuesday", "options": {"dice": "typed"}}
    made = umpire.act("battles", body, "one-key")
    assert made.status_code == 201, made.content
    seats = made.json()["seats"]
    assert {seat["name"] for seat in seats} == {"Umpire", "blue_1", "blue_2", "red_1", "red_2"}
    assert all(
        seat["link"] == f"http://testserver/join/{seat['code']}" and seat["qr"].startswith("<svg") for seat in seats
    )
    mine = Chair(Chair().post("join", {"code": seats[0]["code"]}).json()["token"])
    assert mine.get("battles").json()[0]["title"] == "Tuesday"


def test_codes_are_shown_once(table: Table) -> None:
    body = {"system": "skirmish", "scenario": "the-lane"}
    first = table["umpire"].act("battles", body, "once")
    again = table["umpire"].act("battles", body, "once")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json()["battle"] == first.json()["battle"]
    assert all(seat.get("code") for seat in first.json()["seats"])
    assert not any("code" in seat or "link" in seat for seat in again.json()["seats"])


@pytest.mark.parametrize("path", ["scenarios", "scenarios/skirmish/the-lane"])
def test_the_gallery_is_not_there_for_players(table: Table, path: str) -> None:
    assert table["blue_1"].get(path).status_code == 404
    assert table["observer"].get(path).status_code == 404


# The table


def test_the_view_has_a_tag_and_is_not_kept_by_anybody(table: Table) -> None:
    answer = table["blue_1"].get(f"{table.at}/view")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Vary"] == "Authorization, Cookie"
    again = table["blue_1"].get(f"{table.at}/view", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_the_scene_is_known_by_its_digest(table: Table) -> None:
    answer = table["blue_1"].get(f"{table.at}/scene")
    assert answer.headers["ETag"] == f'"{answer.json()["digest"]}"'
    assert table["blue_1"].get(f"{table.at}/scene", If_None_Match=answer.headers["ETag"]).status_code == 304


def test_the_umpire_sees_the_truth_and_what_each_seat_sees(table: Table) -> None:
    truth = table["umpire"].get(f"{table.at}/view").json()["view"]
    assert {piece["label"] for piece in truth["pieces"].values()} >= {"Willow's band", "Ash's section"}
    seen = table["umpire"].get(f"{table.at}/view?as=blue_1")
    own = table["blue_1"].get(f"{table.at}/view")
    assert seen.json()["view"] == own.json()["view"]
    assert seen.headers["ETag"] == own.headers["ETag"]
    by_id = table["umpire"].get(f"{table.at}/view?as={table.seats['blue_1'].id}")
    assert by_id.json()["view"] == own.json()["view"]
    assert table["blue_1"].get(f"{table.at}/view?as=red_1").status_code == 404


def test_an_order_from_form_to_news(table: Table) -> None:
    chair = table["blue_2"]
    options: dict[str, Any] = chair.get(f"{table.at}/options").json()
    assert {form["verb"] for form in options["forms"]} >= {"end_turn"}
    unit = options["subjects"][0]
    forms = {form["verb"]: form for form in chair.get(f"{table.at}/options?unit={unit}").json()["forms"]}
    [slot] = forms["move"]["slots"]
    order = {"verb": "move", **forms["move"]["fixed"], slot["name"]: [[slot["start"][0] + 1, *slot["start"][1:]]]}
    assert chair.post(f"{table.at}/preview", {"order": order}).json()["cost"] == "1 of 3 hexes"
    before = chair.get(f"{table.at}/view").json()
    given = chair.order(order)
    assert given.status_code == 201, given.content
    assert given.json()["status"] == "done"
    assert given.headers["Location"] == f"/api/v1/orders/{given.json()['id']}"
    assert chair.get(f"orders/{given.json()['id']}").json()["order"] == order
    assert [one["id"] for one in chair.get(f"{table.at}/orders").json()] == [given.json()["id"]]
    assert table["umpire"].get(f"{table.at}/orders").json()[0]["seat"] == "blue_2"
    news = chair.get(f"{table.at}/news?after={before['news']}").json()
    assert [item["number"] for item in news["news"]] == list(range(before["news"] + 1, news["last"] + 1))
    assert [line for item in news["news"] for line in item["lines"]] == given.json()["lines"]
    after = chair.get(f"{table.at}/view")
    assert after.headers["ETag"] == f'"{news["etag"]}"' == f'"{given.json()["etag"]}"'
    assert after.json()["view"]["pieces"][unit]["at"][0] == slot["start"][0] + 1


def test_odds_are_fractions(asked: Table) -> None:
    red = asked["red_2"]
    thorn, cedar = unit_of(red, "Thorn's band"), unit_of(red, "Cedar's scouts")
    odds = asked["umpire"].post(
        f"{asked.at}/odds", {"order": {"verb": "fire", "unit": thorn, "target": cedar}, "for": "red_2"}
    )
    assert odds.status_code == 200, odds.content
    assert odds.json()["refusals"], "it is not red's turn"
    assert odds.json()["fates"] == []
    asked["umpire"].act(f"{asked.at}/open-order", {"do": "stop", "reason": "a test"})
    shot = asked["blue_2"].post(f"{asked.at}/odds", {"order": {"verb": "fire", "unit": cedar, "target": thorn}})
    assert shot.status_code == 200, shot.content
    assert shot.json()["fates"]
    assert all("/" in fate["chance"] for fate in shot.json()["fates"])
    assert sum(Fraction(fate["chance"]) for fate in shot.json()["fates"] if fate["piece"] == thorn) <= 1
    assert shot.json()["exact"] is True


# Questions


def test_a_question_goes_to_whom_it_is_put(asked: Table) -> None:
    red, umpire = asked["red_2"], asked["umpire"]
    [question] = red.get(f"{asked.at}/questions").json()
    assert question["question"]["kind"] == "opportunity_fire"
    assert asked["blue_2"].get(f"{asked.at}/questions").json() == []
    assert [one["id"] for one in umpire.get(f"{asked.at}/questions").json()] == [question["id"]]
    [thorn] = [choice["id"] for choice in question["question"]["choices"] if choice["label"] == "Thorn's band"]
    answered = red.act(f"{asked.at}/questions/{question['id']}/answer", {"choices": [thorn]})
    assert answered.status_code == 200, answered.content
    assert red.act(f"{asked.at}/questions/{question['id']}/answer", {"choices": []}).status_code in (200, 404)
    lines = [line for item in asked["blue_2"].get(f"{asked.at}/news").json()["news"] for line in item["lines"]]
    assert any("fire" in line["text"].lower() for line in lines)


def test_dice_thrown_at_the_table_are_typed_in(owner: Any) -> None:
    table = new_table(owner, blind=False, dice="typed")
    blue = table["blue_2"]
    thorn = unit_of(table["umpire"], "Thorn's band")
    table["umpire"].act(
        f"{table.at}/corrections", {"correction": {"verb": "place", "unit": thorn, "at": 4}, "reason": "a test"}
    )
    blue.view()
    given = blue.order({"verb": "fire", "unit": unit_of(blue, "Cedar's scouts"), "target": thorn})
    assert given.json()["status"] == "given", given.content
    [waiting] = blue.get(f"{table.at}/questions").json()
    assert waiting["roll"]["purpose"] == "fire"
    wrong = blue.act(f"{table.at}/questions/{waiting['id']}/answer", {"faces": [7]})
    assert wrong.status_code == 409
    assert wrong.json()["refusals"][0]["field"] == "faces"
    right = blue.act(f"{table.at}/questions/{waiting['id']}/answer", {"faces": [2]})
    assert right.status_code == 200, right.content
    assert blue.get(f"orders/{given.json()['id']}").json()["status"] == "done"


# News and messages


def test_a_tablet_that_was_away_gets_what_it_lacks(table: Table) -> None:
    chair = table["blue_2"]
    chair.view()
    first = chair.get(f"{table.at}/sync?after=0&tag={chair.tag.strip(chr(34))}").json()
    assert first["status"] == "current"
    chair.order({"verb": "end_turn", "command": "blue_2"})
    missed = chair.get(f"{table.at}/sync?after={first['last']}&tag={first['etag']}").json()
    assert missed["status"] == "news"
    assert len(missed["news"]) == missed["last"] - first["last"]
    assert [order["status"] for order in missed["orders"]] == ["done"]
    whole = chair.get(f"{table.at}/sync?after={first['last'] + 99}").json()
    assert whole["status"] == "whole"
    assert whole["view"] == chair.view()


def test_messages_go_by_the_umpire(table: Table) -> None:
    blue, umpire = table["blue_1"], table["umpire"]
    sent = blue.act(f"{table.at}/messages", {"to": "blue_2", "text": "Hold the hedge."})
    assert sent.status_code == 201, sent.content
    assert set(sent.json()) <= {"id", "to", "text", "sent"}
    assert table["blue_2"].get(f"{table.at}/messages").json() == []
    late = umpire.act(f"messages/{sent.json()['id']}/delay", {"due": 3})
    assert late.json()["due"] == 3
    given = umpire.act(f"messages/{sent.json()['id']}/deliver", {"text": "Hold the edge."})
    assert given.status_code == 200, given.content
    assert [message["text"] for message in table["blue_2"].get(f"{table.at}/messages").json()] == ["Hold the edge."]
    assert [message["text"] for message in blue.get(f"{table.at}/messages").json()] == ["Hold the hedge."]
    assert umpire.act(f"messages/{sent.json()['id']}/lose").status_code == 409
    lost = blue.act(f"{table.at}/messages", {"to": "blue_2", "text": "Another."}).json()
    assert umpire.act(f"messages/{lost['id']}/lose").json()["status"] == "lost"


# The umpire's desk


def test_the_desk_shows_what_waits(asked: Table) -> None:
    desk = asked["umpire"].get(f"{asked.at}/desk").json()
    assert [item["kind"] for item in desk["waiting"]] == ["question"]
    assert set(desk["beliefs"]) == {"blue_1", "blue_2", "red_1", "red_2"}
    ledger = asked["umpire"].get(f"{asked.at}/ledger?limit=2").json()
    assert len(ledger["entries"]) == 2
    assert ledger["entries"][-1]["depth"] == ledger["depth"] - 1
    before = asked["umpire"].get(f"{asked.at}/ledger?limit=1&before={ledger['depth'] - 1}").json()
    assert before["entries"] == ledger["entries"][:1]


def test_the_umpire_stops_an_order(asked: Table) -> None:
    done = asked["umpire"].act(f"{asked.at}/open-order", {"do": "stop", "reason": "late"})
    assert done.status_code == 200, done.content
    assert asked["red_2"].get(f"{asked.at}/questions").json() == []
    assert asked["blue_2"].get(f"{asked.at}/orders").json()[0]["status"] == "ended"


def test_a_rewind_takes_an_order_back(table: Table) -> None:
    chair, umpire = table["blue_2"], table["umpire"]
    cedar = unit_of(chair, "Cedar's scouts")
    before = chair.view()["pieces"][cedar]["at"]
    depth = umpire.get(f"{table.at}/ledger").json()["depth"]
    given = chair.order({"verb": "move", "unit": cedar, "path": [[3, 0]]}, "the-move")
    old = chair.tag
    back = umpire.act(f"{table.at}/rewind", {"depth": depth, "dice": "fresh", "reason": "a slip"})
    assert back.status_code == 200, back.content
    assert chair.view()["pieces"][cedar]["at"] == before
    assert chair.tag != old
    assert chair.get(f"{table.at}/news").json()["news"][-1]["kind"] == "rewind"
    again = chair.order({"verb": "move", "unit": cedar, "path": [[3, 0]]}, "the-move", If_Match=old)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json() == {**given.json(), "taken_back": True}


def test_a_hidden_force_gets_a_plan(table: Table) -> None:
    umpire = table["umpire"]
    thorn = unit_of(umpire, "Thorn's band")
    given = umpire.act(f"{table.at}/plans", {"force": thorn, "plan": {"goal": 6, "on_contact": "halt"}})
    assert given.status_code == 201, given.content
    assert umpire.get(f"{table.at}/plans").json()["plans"][thorn]["legs"] == [[6, 0]]
    wrong = umpire.act(f"{table.at}/plans", {"force": thorn, "plan": {"goal": 6, "on_kontakt": "halt"}})
    fault = {"pointer": "/plan/on_kontakt", "detail": "This field is unknown.", "right": "Perhaps 'on_contact'?"}
    assert fault in wrong.json()["errors"]


def test_orders_that_wait_are_released_or_withdrawn(owner: Any) -> None:
    table = new_table(owner, release=True)
    chair, umpire = table["blue_2"], table["umpire"]
    first = chair.order({"verb": "end_turn", "command": "blue_2"})
    assert first.json()["status"] == "given"
    gone = chair.act(f"orders/{first.json()['id']}/withdraw")
    assert gone.json()["status"] == "withdrawn"
    chair.view()
    second = chair.order({"verb": "end_turn", "command": "blue_2"})
    assert umpire.act(f"{table.at}/orders/release", {"order": second.json()["id"]}).json() == {"released": 1}
    assert chair.get(f"orders/{second.json()['id']}").json()["status"] == "done"
    assert umpire.act(f"{table.at}/orders/release").json() == {"released": 0}


def test_a_seat_is_made_renewed_and_revoked(table: Table) -> None:
    umpire = table["umpire"]
    made = umpire.act(f"{table.at}/seats", {"name": "second pair of eyes", "role": "observer"})
    assert made.status_code == 201, made.content
    watcher = table.joined(made.json()["code"])
    renewed = umpire.post(f"seats/{made.json()['id']}/code").json()
    assert Chair().post("join", {"code": made.json()["code"]}).status_code == 404
    assert table.joined(renewed["code"]).get(table.at).status_code == 200
    assert umpire.act(f"seats/{made.json()['id']}/revoke").json()["revoked"] is True
    assert watcher.get(table.at).status_code == 401
    assert Chair().post("join", {"code": renewed["code"]}).status_code == 404


def test_the_record_opens_after_the_battle(table: Table) -> None:
    chair, umpire = table["blue_1"], table["umpire"]
    promised = chair.get(table.at).json()["commitment"]
    chair.order({"verb": "end_turn", "command": "blue_1"})
    assert chair.get(f"{table.at}/record").status_code == 404
    assert umpire.get(f"{table.at}/record").status_code == 404
    umpire.act(f"{table.at}/finish", {})
    assert chair.get(f"{table.at}/record").status_code == 404
    assert umpire.act(f"{table.at}/finish", {"open": True}).json()["is_open"] is True
    record = chair.get(f"{table.at}/record").json()
    assert sha256(bytes.fromhex(record["secret"])).hexdigest() == promised == record["commitment"]
    assert record["entries"]
    told = [line["depth"] for line in record["chronicle"]]
    assert told == sorted(set(told))
    assert all(line["line"]["text"] for line in record["chronicle"])
    assert "knowledge" not in {line["line"].get("kind") for line in record["chronicle"]}
    chair.view()
    assert chair.order({"verb": "end_turn", "command": "blue_1"}).status_code == 409


# For developers


def test_the_schema_and_the_pages_need_no_token(stranger: Chair) -> None:
    schema = stranger.get("schema").json()
    assert schema["openapi"] == "3.0.3"
    assert {"SkirmishMove", "OrderBody", "ProblemDocument"} <= set(schema["components"]["schemas"])
    assert b"docs.js" in stranger.get("docs").content
    assert stranger.get("docs.js").headers["Content-Type"].startswith("text/javascript")
    assert b"bare.js" in Client().get("/bare/").content
    assert Client().get("/bare/bare.js").status_code == 200
