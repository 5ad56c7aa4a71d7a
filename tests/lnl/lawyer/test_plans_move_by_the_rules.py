"""What only plans move moves as the rules let it: who may go how, and a low crawl of one hex."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.state.battle import Unit
from tests.lnl.building import Battle, battle

FORESTS = "\n".join(["F " * 10] * 8)
FOE = "us a squad 2-5-4-6 B7\nge h squad 1-6-4-5 J8"


def hiding(what: str, *legs: dict[str, Any]) -> Battle:
    return battle(FORESTS, f"{FOE}\nge g {what} hidden", plan=[{"force": "g", "legs": list(legs)}])


def force(fight: Battle) -> Unit:
    return fight.state.commands["ge"].pieces["g"]


@pytest.mark.rule("core 6.3")
def test_a_plan_crawls_one_hex_in_a_turn() -> None:
    fight = hiding("squad 1-6-8-5 I2", {"path": "H2 G2 F2", "pace": "low_crawl"})
    fight.carry("g")
    assert (force(fight).at, force(fight).moved) == (fight.at("H2"), "low_crawl")
    assert fight.state.umpire.plans["g"].status == "running"


@pytest.mark.rule("core 6.1", "core 6.4", "core 6.3.1", "core 1.6.1.01")
@pytest.mark.parametrize(
    ("what", "pace"),
    [
        ("squad 1-6-4-5 I2", "assault"),
        ("squad 1-6-4-5 I2", "stealth"),
        ("weapon_team 2-8-4-6 I2", "low_crawl"),
        ("squad 1-6-4-5 I2 mg42_tripod,", "move"),
    ],
)
def test_who_may_not_move_so_stops_where_he_is_and_his_plan_says_why(what: str, pace: str) -> None:
    fight = hiding(what, {"path": "H2", "pace": pace})
    fight.carry("g")
    plan = fight.state.umpire.plans["g"]
    assert (force(fight).at, force(fight).moved) == (fight.at("I2"), "")
    assert plan.status == "stopped"
    assert plan.note


@pytest.mark.rule("core 6.1", "core 6.4")
def test_a_plan_at_a_pace_that_the_unit_does_not_have_is_refused_and_not_offered() -> None:
    fight = battle(FORESTS, f"{FOE}\nge g squad 1-6-4-5 am I2 hidden", active="ge")
    path = [list(fight.at("H2"))]
    refused = fight.refused("ge", "GivePlan", force="g", legs=[{"path": path, "pace": "stealth"}])
    assert refused[0].rule == "core 6.4"
    fight.give("ge", "GivePlan", force="g", legs=[{"path": path, "pace": "assault"}])
    fight.carry("g")
    assert (force(fight).at, force(fight).moved) == (fight.at("H2"), "assault")
