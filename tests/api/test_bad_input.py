"""Bad input: a problem document that says what and where, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.chairs import Chair, Table
from tests.api.test_resources import unit_of
from umpire.battles.models import Battle, Entry, Message, News, Order, Outbox, Reply, Seat


def everything(table: Table) -> Any:
    """All that a request could change."""
    battle = Battle.objects.get(pk=table.battle.pk)
    return (
        battle.version,
        battle.depth,
        battle.digest,
        [model.objects.count() for model in (Battle, Entry, News, Order, Outbox, Message)],
        list(Seat.objects.order_by("id").values_list("tag", "news_count", "is_revoked")),
    )


@pytest.fixture
def unchanged(table: Table) -> Any:
    before = everything(table)
    yield
    assert everything(table) == before


def problem(answer: Any, status: int, kind: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "private, no-store"
    told: dict[str, Any] = answer.json()
    assert told["type"] == f"/problems/{kind}"
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    return told


pytestmark = pytest.mark.usefixtures("unchanged")


@pytest.mark.parametrize("body", [b'{"order": {"verb": "move",', b"", b"null", b"\xff", b"[]", b'"move"'])
def test_malformed_json(table: Table, body: bytes) -> None:
    answer = table["blue_2"].post(f"{table.at}/orders", body, Idempotency_Key="k", If_Match='"x"')
    if body in (b"null", b"[]", b'"move"'):
        told = problem(answer, 422, "invalid")
        assert told["errors"][0]["right"] == "An object is wanted."
    else:
        problem(answer, 400, "malformed")


def test_a_body_of_another_kind(table: Table) -> None:
    chair = table["blue_2"]
    answer = chair.client.post(
        f"/api/v1/{table.at}/orders",
        data={"order": "move"},
        headers={"Authorization": f"Bearer {chair.token}", "Idempotency-Key": "k", "If-Match": '"x"'},
    )
    assert "application/json" in problem(answer, 400, "malformed")["detail"]


def test_an_unknown_order(table: Table) -> None:
    told = problem(table["blue_2"].order({"verb": "mvoe", "unit": "x", "path": []}), 422, "invalid")
    assert told["errors"] == [
        {"pointer": "/order/verb", "detail": '"mvoe" is not known here.', "right": "Perhaps 'move'?"}
    ]


def test_an_unknown_field_and_a_wrong_type(table: Table) -> None:
    told = problem(table["blue_2"].order({"verb": "move", "units": "x", "path": [["1", 0]]}), 422, "invalid")
    assert {error["pointer"] for error in told["errors"]} == {"/order/units", "/order/path/0/0", "/order/unit"}


def test_an_unknown_field_beside_the_order(table: Table) -> None:
    body = {"order": {"verb": "end_turn", "command": "blue_2"}, "four": "blue_1"}
    table["blue_2"].view()
    told = problem(table["blue_2"].act(f"{table.at}/orders", body, If_Match=table["blue_2"].tag), 422, "invalid")
    assert told["errors"] == [{"pointer": "/four", "detail": "This field is unknown.", "right": "Perhaps 'for'?"}]


def test_an_order_out_of_phase(table: Table) -> None:
    told = problem(table["red_1"].order({"verb": "end_turn", "command": "red_1"}), 409, "refused")
    assert told["refusals"][0]["reason"]
    assert told["refusals"][0]["rule"].startswith("skirmish")


def test_another_seats_unit_is_as_one_that_does_not_exist(table: Table) -> None:
    chair = table["blue_2"]
    hidden = unit_of(table["umpire"], "Rowan's section")
    mine = unit_of(table["umpire"], "Ash's section")
    answers = []
    for unit in (hidden, mine, "pnothing00"):
        answer = chair.order({"verb": "move", "unit": unit, "path": [[3, 0]]})
        told = problem(answer, 409, "refused")
        assert told["refusals"][0]["field"] == "unit"
        answers.append(answer.content.replace(unit.encode(), b"UNIT"))
    assert len(set(answers)) == 1


def test_a_path_off_the_table(table: Table) -> None:
    chair = table["blue_2"]
    unit = unit_of(chair, "Cedar's scouts")
    told = problem(chair.order({"verb": "move", "unit": unit, "path": [[3, 0], [99, 0]]}), 409, "refused")
    assert told["refusals"][0]["field"].startswith("path")


def test_a_stale_view_gets_the_present_tag(table: Table) -> None:
    chair = table["blue_2"]
    chair.view()
    answer = chair.order({"verb": "end_turn", "command": "blue_2"}, If_Match='"0123456789"')
    told = problem(answer, 412, "stale")
    assert f'"{told["etag"]}"' == answer.headers["ETag"] == chair.tag


@pytest.mark.parametrize(
    ("given", "status", "kind"),
    [({}, 428, "precondition-required"), ({"If_Match": "*"}, 428, "precondition-required"),
     ({"If_Match": "abc"}, 412, "stale"), ({"If_Match": '"a", "b"'}, 400, "malformed")],
)  # fmt: skip
def test_an_order_says_which_view_it_is_about(table: Table, given: dict[str, str], status: int, kind: str) -> None:
    body = {"order": {"verb": "end_turn", "command": "blue_2"}}
    problem(table["blue_2"].act(f"{table.at}/orders", body, **given), status, kind)


ACTS: list[tuple[str, Callable[[Table], str], Any]] = [
    ("blue_2", lambda table: f"{table.at}/orders", {"order": {"verb": "end_turn", "command": "blue_2"}}),
    ("blue_2", lambda table: f"{table.at}/questions/nothing/answer", {"choices": []}),
    ("blue_2", lambda table: f"{table.at}/messages", {"to": "umpire", "text": "hello"}),
    ("umpire", lambda table: "battles", {"system": "skirmish", "scenario": "the-lane"}),
    ("umpire", lambda table: f"{table.at}/corrections", {"correction": {"verb": "remove", "unit": "x"}, "reason": "x"}),
    ("umpire", lambda table: f"{table.at}/rewind", {"depth": 0, "reason": "x"}),
    ("umpire", lambda table: f"{table.at}/open-order", {"do": "stop", "reason": "x"}),
    ("umpire", lambda table: f"{table.at}/finish", {}),
    ("umpire", lambda table: f"{table.at}/seats", {"name": "more", "role": "observer"}),
    ("umpire", lambda table: f"{table.at}/orders/release", {}),
    ("umpire", lambda table: f"seats/{table.seats['blue_1'].id}/revoke", {}),
]


@pytest.mark.parametrize(("who", "path", "body"), ACTS)
@pytest.mark.parametrize("key", ["", "with space", "é", "x" * 201])
def test_what_acts_needs_a_key(table: Table, who: str, path: Callable[[Table], str], body: Any, key: str) -> None:
    chair = table[who]
    chair.view()
    headers = {"Idempotency_Key": key} if key else {}
    told = problem(chair.post(path(table), body, If_Match=chair.tag, **headers), 400, "malformed")
    assert "Idempotency-Key" in told["detail"]


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("news?after=-1", "?after"),
        ("news?after=many", "?after"),
        ("news?aftr=3", "?aftr"),
        ("news?after=1&after=2", "?after"),
        ("sync?tagg=x", "?tagg"),
        ("options?units=x", "?units"),
        ("view?like=red_1", "?like"),
    ],
)
def test_a_query_that_will_not_do(table: Table, path: str, pointer: str) -> None:
    told = problem(table["blue_2"].get(f"{table.at}/{path}"), 422, "invalid")
    assert told["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"system": "skirmich", "scenario": "the-lane"}, "/system"),
        ({"system": "skirmish", "scenario": "the-line"}, "/scenario"),
        ({"system": "skirmish", "scenario": "the-lane", "options": {"dice": "loaded"}}, "/options/dice"),
        ({"system": "skirmish", "scenario": "the-lane", "options": {"blnd": True}}, "/options"),
        ({"system": "skirmish"}, "/scenario"),
    ],
)
def test_a_battle_that_cannot_be_made(table: Table, body: Any, pointer: str) -> None:
    told = problem(table["umpire"].act("battles", body), 422, "invalid")
    assert told["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("corrections", {"correction": {"verb": "plase", "unit": "x", "at": 1}, "reason": "x"}, "/correction/verb"),
        ("corrections", {"correction": {"verb": "remove", "unit": "x"}, "reason": ""}, "/reason"),
        ("corrections", {"correction": {"verb": "remove", "unit": "x"}}, "/reason"),
        ("rewind", {"depth": -1, "reason": "x"}, "/depth"),
        ("rewind", {"depth": 0, "dice": "frsh", "reason": "x"}, "/dice"),
        ("open-order", {"do": "halt", "reason": "x"}, "/do"),
        ("seats", {"name": "blue_1", "role": "observer"}, "/name"),
        ("seats", {"name": "x", "role": "player", "commands": ["green"]}, "/commands/0"),
        ("messages", {"to": "green", "text": "x"}, "/to"),
        ("plans", {"force": "nothing", "plan": {"goal": 3, "on_contact": "halt"}}, "/force"),
    ],
)
def test_the_umpires_own_slips(table: Table, path: str, body: Any, pointer: str) -> None:
    told = problem(table["umpire"].act(f"{table.at}/{path}", body), 422, "invalid")
    assert told["errors"][0]["pointer"] == pointer


def test_a_correction_that_makes_no_sense(table: Table) -> None:
    body = {"correction": {"verb": "remove", "unit": "nothing"}, "reason": "x"}
    told = problem(table["umpire"].act(f"{table.at}/corrections", body), 409, "refused")
    assert told["refusals"][0]["field"] == "unit"


def test_an_answer_is_choices_or_faces(table: Table) -> None:
    for body in ({}, {"choices": [], "faces": [1]}):
        problem(table["blue_2"].act(f"{table.at}/questions/nothing/answer", body), 422, "invalid")


def test_a_code_that_nobody_has(stranger: Chair) -> None:
    told = problem(stranger.post("join", {"code": "ABCDE-FGHJK"}), 404, "not-found")
    assert "ABCDE" not in str(told)


@pytest.mark.parametrize("header", ["Bearer nothing", "Bearer", "Basic b3duZXI6eA==", "nonsense"])
def test_a_token_that_nobody_has(stranger: Chair, table: Table, header: str) -> None:
    answer = stranger.get(table.at, Authorization=header)
    problem(answer, 401, "not-authenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_no_reply_is_kept_of_what_could_not_be_read(table: Table) -> None:
    table["blue_2"].order({"verb": "mvoe"}, "the-key")
    assert not Reply.objects.filter(key="the-key").exists()
    assert table["blue_2"].post(f"{table.at}/ticket", {}).status_code == 201
