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
    plans = umpire.get(f"{patrol.at}/plans").json()["plans"]
    force = next(iter(plans))
    way = umpire.post(f"{patrol.at}/plans/route", {"force": force, "goal": [4000, 4000]})
    assert way.status_code == 200, way.content
    assert way.json()["path"][-1] == [4000, 4000]
    assert "in sight" in way.json()["note"]
    off = umpire.post(f"{patrol.at}/plans/route", {"force": force, "goal": [99999, 0]})
    assert (off.status_code, off.json()["errors"][0]["pointer"]) == (422, "/goal")
    assert umpire.post(f"{patrol.at}/plans/route", {"force": "nobody", "goal": [1, 1]}).status_code == 409
