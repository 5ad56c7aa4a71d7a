"""Bad input to a battle of FireForce: what is wrong and where, and nothing has changed."""

from __future__ import annotations

from typing import Any

import pytest

from fireforce.package import PACKAGE
from tests.api.chairs import Chair, Table
from tests.api.test_bad_input import everything, problem
from umpire.battles.services import battle_create

SCENARIO = "patrol-to-the-ford"


@pytest.fixture
def table(owner: Any) -> Table:
    """The regulars' movement phase has begun."""
    battle, seats = battle_create(owner=owner, system="fireforce", scenario=SCENARIO)
    return Table(battle, {seat.name if seat.role != "umpire" else "umpire": code for seat, code in seats})


@pytest.fixture(autouse=True)
def unchanged(table: Table) -> Any:
    before = everything(table)
    yield
    assert everything(table) == before


@pytest.fixture
def platoon(table: Table) -> Chair:
    return table["2 Platoon"]


def man(chair: Chair) -> str:
    """One of the seat's own figures."""
    pieces = chair.view()["pieces"].items()
    return next(str(name) for name, piece in pieces if piece["kind"] == "figure" and piece["command"] == "platoon")


def movable(chair: Chair) -> list[str]:
    """Figures of the seat that may move at once."""
    for name in chair.view()["pieces"]:
        for form in chair.get(f"battles/{chair.battle}/options?unit={name}").json()["forms"]:
            if form["verb"] == "Move":
                return list(form["fixed"]["figures"])
    raise AssertionError("nobody may move")


@pytest.mark.parametrize("body", [b'{"order": {"verb": "Move", "figures": [', b"\xff\xfe", b""])
def test_json_that_is_none(table: Table, platoon: Chair, body: bytes) -> None:
    platoon.view()
    answer = platoon.post(f"{table.at}/orders", body, Idempotency_Key="k", If_Match=platoon.tag)
    problem(answer, 400, "malformed")


@pytest.mark.parametrize(
    ("order", "pointer", "right"),
    [
        ({"verb": "Mvoe", "figures": [], "path": []}, "/order/verb", "Move"),
        ({"figures": [], "path": []}, "/order/verb", "EndPhase"),
        ({"verb": "Fire", "figures": ["x"]}, "/order/target", ""),
        ({"verb": "Move", "figures": ["x"], "path": [[1, 2]], "maner": "running"}, "/order/maner", "manner"),
        ({"verb": "Move", "figures": ["x"], "path": [[1, 2]], "manner": "crawling"}, "/order/manner", ""),
        ({"verb": "Move", "figures": ["x"], "path": [[10.5, 2]]}, "/order/path/0/0", ""),
        ({"verb": "Move", "figures": ["x"], "path": [[1]]}, "/order/path/0", ""),
        ({"verb": "Fire", "figures": "x", "target": "y"}, "/order/figures", ""),
    ],
)
def test_what_is_no_order(platoon: Chair, order: Any, pointer: str, right: str) -> None:
    errors = problem(platoon.order(order), 422, "invalid")["errors"]
    assert pointer in [error["pointer"] for error in errors]
    assert right in next(error for error in errors if error["pointer"] == pointer).get("right", "")


@pytest.mark.parametrize(
    ("order", "phase"),
    [({"verb": "Fire", "target": "nobody", "aimed": True}, "Firing"), ({"verb": "Search"}, "Searching")],
)
def test_an_order_out_of_its_phase(platoon: Chair, order: dict[str, Any], phase: str) -> None:
    refusal = problem(platoon.order({**order, "figures": [man(platoon)]}), 409, "refused")["refusals"][0]
    assert refusal["rule"] == "fireforce turn-sequence"
    assert phase in refusal["reason"]


def test_an_order_in_anothers_player_turn(table: Table) -> None:
    chair = next(chair for name, chair in table.chairs.items() if name not in ("umpire", "2 Platoon"))
    told = problem(chair.order({"verb": "EndPhase"}), 409, "refused")
    assert told["refusals"][0]["rule"] == "fireforce turn-sequence"


def test_anothers_figure_is_as_one_that_does_not_exist(table: Table, platoon: Chair) -> None:
    hidden = [name for name, piece in table["umpire"].view()["pieces"].items() if piece["command"] == "cell"]
    answers = set()
    for figure in (hidden[0], hidden[-1], "pnobodyxx2"):
        answer = platoon.order({"verb": "Move", "figures": [figure], "path": [[1000, 1000]]})
        assert problem(answer, 409, "refused")["refusals"][0]["field"] == "figures"
        answers.add(answer.content.replace(figure.encode(), b"FIGURE"))
    assert len(answers) == 1


@pytest.mark.parametrize("place", [[-1, 100], [100, 4801], [7201, 100], [2**40, 0]])
def test_a_path_off_the_table(platoon: Chair, place: list[int]) -> None:
    told = problem(platoon.order({"verb": "Move", "figures": movable(platoon), "path": [place]}), 409, "refused")
    assert told["refusals"][0]["field"].startswith("path")
    assert "off the table" in told["refusals"][0]["reason"]


def test_a_stale_view(platoon: Chair) -> None:
    platoon.view()
    answer = platoon.order({"verb": "EndPhase"}, If_Match='"0123456789abcdef"')
    told = problem(answer, 412, "stale")
    assert f'"{told["etag"]}"' == answer.headers["ETag"] == platoon.tag


def test_a_view_or_a_key_that_is_missing(table: Table, platoon: Chair) -> None:
    body = {"order": {"verb": "EndPhase"}}
    platoon.view()
    problem(platoon.act(f"{table.at}/orders", body), 428, "precondition-required")
    told = problem(platoon.post(f"{table.at}/orders", body, If_Match=platoon.tag), 400, "malformed")
    assert "Idempotency-Key" in told["detail"]


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("turns =", "turnz =", ["scenario.turnz", "'turns'"]),
        ('kind = "regular"', 'kind = "reglar"', ["side 'government'.kind", "'regular'"]),
        ('command = "platoon"', 'command = "platon"', ["command", "'platoon'"]),
        ("[scenario]", "[scenario", ["not TOML", "line 3"]),
    ],
)
def test_a_scenario_file_that_will_not_do(
    table: Table, right: str, wrong: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PACKAGE.scenarios()[SCENARIO]
    assert right in text
    monkeypatch.setattr(type(PACKAGE), "scenarios", lambda self: {"ours": text.replace(right, wrong, 1)})
    answer = table["umpire"].act("battles", {"system": "fireforce", "scenario": "ours"})
    [error] = problem(answer, 422, "invalid")["errors"]
    assert error["pointer"] == "/scenario"
    for each in ("ours", *words):
        assert each in error["detail"]


@pytest.mark.parametrize(
    ("more", "pointer", "words"),
    [
        ({"layers": {"ours.toml": "[weaponz.x]\n"}}, "/layers/ours.toml", ["weaponz", "'weapons'"]),
        (
            {"layers": {"a/b.toml": '[weapons.m16]\nsource = "us"\nstatus = "house"\nrnge = 2\n'}},
            "/layers/a~1b.toml",
            ["weapons.m16", "rnge", "'range'"],
        ),
        ({"options": {"hiddn": "cards"}}, "/options", ["hiddn", "'hidden'"]),
        ({"options": {"hidden": "fog"}}, "/options", ["options.hidden", "'fog'", "cards, map"]),
        ({"scenario": "patrol"}, "/scenario", ["'patrol'"]),
        ({"system": "firefrce"}, "/system", ["firefrce"]),
        ({"optoins": {}}, "/optoins", ["unknown"]),
    ],
)
def test_a_battle_that_cannot_be_made(table: Table, more: Any, pointer: str, words: list[str]) -> None:
    body = {"system": "fireforce", "scenario": SCENARIO, **more}
    error = problem(table["umpire"].act("battles", body), 422, "invalid")["errors"][0]
    assert error["pointer"] == pointer
    for each in words:
        assert each in error["detail"]
