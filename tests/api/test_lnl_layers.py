"""A group's own files laid over Lock 'n Load's tables when a battle is made, over REST."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.chairs import Table
from tests.api.test_bad_input import problem
from umpire.battles.models import Battle
from umpire.battles.services import battle_create
from umpire.kernel.settings import half

SCENARIO = "crossroads-at-saint-aubin"
CARD = '[counters.{key}]\n{columns}\nsource = "our card"\nstatus = "read"\n'


@pytest.fixture
def table(owner: Any) -> Table:
    battle, seats = battle_create(owner=owner, system="lnl", scenario=SCENARIO)
    return Table(battle, {seat.name if seat.role != "umpire" else "umpire": code for seat, code in seats})


def body(**layers: str) -> dict[str, Any]:
    return {"system": "lnl", "scenario": SCENARIO, "layers": {f"{name}.toml": text for name, text in layers.items()}}


def test_a_battle_is_fought_with_a_groups_own_values(table: Table) -> None:
    made = table["umpire"].act("battles", body(ours=CARD.format(key="ge_grenadier", columns="extended_range = true")))
    assert made.status_code == 201, made.json()
    newest = Battle.objects.exclude(id=table.battle.id).get()
    origin = half(newest.public_setting_id).book.origin("counters", "ge_grenadier", "extended_range")
    assert (origin.value, origin.status, origin.source, origin.files[-1]) == (True, "read", "our card", "ours.toml")
    shipped = half(table.battle.public_setting_id).book.tables["counters"]["ge_grenadier"]
    assert "extended_range" not in shipped


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("firepwr = 7", ["counters.ge_grenadier.firepwr", "no such column", "'firepower'"]),
        ('traits = ["known_to_scout"]', ["counters.ge_grenadier.traits", "no rule knows", "'known_to_scouts'"]),
        ('reduces = "ge_grenadiers"', ["counters.ge_grenadier.reduces", "'ge_grenadiers'"]),
    ],
)
def test_a_file_that_will_not_do_is_refused_with_file_row_and_fault(
    table: Table, columns: str, words: list[str]
) -> None:
    good = CARD.format(key="ge_grenadier", columns="stealth = true")
    answer = table["umpire"].act("battles", body(good=good, ours=CARD.format(key="ge_grenadier", columns=columns)))
    [error] = problem(answer, 422, "invalid")["errors"]
    assert error["pointer"] == "/layers/ours.toml"
    for word in ("ours.toml", *words):
        assert word in error["detail"]
    assert Battle.objects.count() == 1
