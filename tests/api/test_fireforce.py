"""What FireForce has of its own over REST."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.chairs import Table
from umpire.battles.services import battle_create


@pytest.fixture
def patrol(owner: Any) -> Table:
    battle, seats = battle_create(owner=owner, system="fireforce", scenario="patrol-to-the-ford")
    return Table(battle, {seat.name if seat.role != "umpire" else "umpire": code for seat, code in seats})


def test_the_umpire_asks_for_a_concealed_way(patrol: Table) -> None:
    umpire = patrol["umpire"]
    plans = umpire.get(f"{patrol.at}/plans").json()
    force = next(iter(plans))
    way = umpire.post(f"{patrol.at}/plans/route", {"force": force, "goal": [4000, 4000]})
    assert way.status_code == 200, way.content
    assert way.json()["path"][-1] == [4000, 4000]
    assert "in sight" in way.json()["note"]
    off = umpire.post(f"{patrol.at}/plans/route", {"force": force, "goal": [99999, 0]})
    assert (off.status_code, off.json()["errors"][0]["pointer"]) == (422, "/goal")
    assert umpire.post(f"{patrol.at}/plans/route", {"force": "nobody", "goal": [1, 1]}).status_code == 409


def test_a_groups_own_data_file_with_a_wrong_key_is_refused(patrol: Table) -> None:
    body = {"system": "fireforce", "scenario": "patrol-to-the-ford", "layers": {"ours.toml": "[weaponz.x]\n"}}
    answer = patrol["umpire"].act("battles", body)
    assert answer.status_code == 422, answer.content
    assert "ours.toml" in answer.json()["detail"]
    assert "weapon" in answer.json()["detail"]


def test_a_path_off_the_table_is_refused(patrol: Table) -> None:
    platoon = patrol["2 Platoon"]
    moves = [
        form
        for name in platoon.view()["pieces"]
        for form in platoon.get(f"{patrol.at}/options?unit={name}").json()["forms"]
        if form["verb"] == "Move"
    ]
    figures = moves[0]["fixed"]["figures"]
    off = platoon.order({"verb": "Move", "figures": figures, "path": [[-500, 100]]})
    assert off.status_code == 409, off.content
    assert off.json()["refusals"][0]["field"].startswith("path")


def test_anothers_figure_is_as_one_that_does_not_exist(patrol: Table) -> None:
    platoon = patrol["2 Platoon"]
    hidden = [name for name, piece in patrol["umpire"].view()["pieces"].items() if piece["command"] == "cell"]
    assert hidden
    answers = set()
    for figure in (*hidden, "pnobodyxx2"):
        platoon.view()
        answer = platoon.order({"verb": "Move", "figures": [figure], "path": [[1000, 1000]]})
        assert answer.status_code == 409, answer.content
        answers.add(answer.content.replace(figure.encode(), b"FIGURE"))
    assert len(answers) == 1
