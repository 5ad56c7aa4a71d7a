"""What Lock 'n Load has of its own over REST."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.chairs import Table
from umpire.battles.services import battle_create


@pytest.fixture
def crossroads(owner: Any) -> Table:
    battle, seats = battle_create(owner=owner, system="lnl", scenario="crossroads-at-saint-aubin")
    return Table(battle, {seat.name if seat.role != "umpire" else "umpire": code for seat, code in seats})


@pytest.fixture
def player(crossroads: Table) -> Any:
    return crossroads[next(name for name in crossroads.codes if name != "umpire")]


@pytest.mark.rule("core 10.3")
def test_a_seat_asks_what_is_seen(crossroads: Table, player: Any) -> None:
    seen = player.get(f"{crossroads.at}/sight?from=10,7,0&to=10,1,0").json()
    # The road from the crossroads north is clear, the town hall stands in the way to the hamlet behind it.
    assert seen["field"]["10,1,0"] == "open"
    assert (seen["line"]["is_blocked"], seen["line"]["distance"], seen["line"]["obstacles"]) == (False, 6, [])
    behind = player.get(f"{crossroads.at}/sight?from=10,5,0&to=7,5,0").json()
    assert behind["field"]["7,5,0"] == "blocked"
    assert {obstacle["rule"] for obstacle in behind["line"]["obstacles"]} == {"core 10.3"}
    assert crossroads["umpire"].get(f"{crossroads.at}/sight?from=10,7,0").json()["field"] == seen["field"]


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ("from=here", "?from"),
        ("from=99,99,0", "?from"),
        ("from=10,7,0&to=0,0,0", "?to"),
        ("from=10,7,0&to=1,2,3,4", "?to"),
    ],
)
def test_a_place_that_is_none(crossroads: Table, player: Any, asked: str, pointer: str) -> None:
    answer = player.get(f"{crossroads.at}/sight?{asked}")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)


def test_where_a_system_does_not_say_what_is_seen_there_is_nothing(owner: Any) -> None:
    battle, seats = battle_create(owner=owner, system="skirmish", scenario="the-lane")
    table = Table(battle, {seat.name if seat.role != "umpire" else "umpire": code for seat, code in seats})
    assert table["umpire"].get(f"{table.at}/sight?from=1,1").status_code == 404
