"""Control, points, and how a battle ends: what a scenario says of them holds. `core 2.0`"""

from __future__ import annotations

from typing import Any

import pytest

from lnl.package import PACKAGE
from tests.lnl.building import CLEAR, Battle, battle

SQUAD = "squad 1-6-4-5"
ZONE = [{"key": "bridge", "name": "the bridge", "hexes": "C2 C3"}]


def objective(deed: str, points: int = 2, **more: Any) -> dict[str, Any]:
    return {"key": deed, "side": "us", "deed": deed, "points": points, "name": f"for {deed}", **more}


def contested(pieces: str, *objectives: dict[str, Any], **more: Any) -> Battle:
    return battle(CLEAR, pieces, zone=ZONE, objective=list(objectives), **more)


def points(fight: Battle) -> dict[str, int]:
    return dict(PACKAGE.outcome(fight.state).points)


CONTROL = objective("control", zone="bridge")


@pytest.mark.rule("core 2.0")
def test_a_good_order_squad_or_hero_or_the_last_side_to_pass_controls_a_hex() -> None:
    fight = contested(f"us a {SQUAD} B2\nus b {SQUAD} A8\nge g {SQUAD} F3\nge h hero 1-4-5-6 D2", CONTROL)
    assert points(fight) == {"ge": 0, "us": 0}
    fight.give("us", "Move", units=["a"], path=[[3, 2, 0], [3, 1, 0]])
    assert fight.state.public.control == {"3,2": "us"}
    assert points(fight) == {"ge": 0, "us": 2}
    fight.give("ge", "Move", units=["h"], path=[[3, 2, 0]])
    assert fight.state.public.control == {"3,2": "ge"}


@pytest.mark.rule("core 2.0")
@pytest.mark.parametrize("who", [f"{SQUAD} C2 shaken", "leader morale=6 C2", "medic morale=6 C2"])
def test_shaken_squads_and_other_single_men_control_nothing(who: str) -> None:
    fight = contested(f"us a {who}\nge g {SQUAD} F3", CONTROL)
    assert fight.state.public.control == {}


@pytest.mark.rule("core 2.0")
def test_the_scenario_says_who_controls_what_at_the_start() -> None:
    fight = contested(f"us a {SQUAD} B6\nge g {SQUAD} F3", CONTROL, control={"us": "C2"})
    assert points(fight) == {"ge": 0, "us": 2}


@pytest.mark.rule("core 2.0", "core 5.1")
def test_losses_score_and_a_reduced_squad_half() -> None:
    enemies = "ge g squad 1-6-4-5 reduces=1-5-4-5 F3\nge h squad 1-6-4-5 F7"
    fight = contested(f"us a {SQUAD} E3\nus b {SQUAD} A1\n{enemies}", objective("loss_mmc"))
    dice = [("attack", 6), ("defence", 1), ("damage check g", 3)]
    fight.give("us", "Fire", dice, units=["a"], target=[6, 3, 0])
    assert fight.unit("g").counter == "ge_test_half_squad_1_5_4_5"
    assert points(fight) == {"ge": 0, "us": 1}


@pytest.mark.rule("core 2.0")
def test_who_leaves_by_the_zone_scores_and_points_needed_win_at_once() -> None:
    exits = objective("exit", 5, zone="edge", needed=5)
    fight = battle(
        CLEAR,
        f"us a {SQUAD} J4\nus b {SQUAD} B2\nge g {SQUAD} A8",
        zone=[{"key": "edge", "name": "the east edge", "hexes": "J1-J8"}],
        objective=[exits],
    )
    fight.give("us", "ExitBoard", units=["a"])
    result = fight.state.public.result
    assert result is not None
    assert (result.winner, dict(result.points)) == ("us", {"ge": 0, "us": 5})


@pytest.mark.rule("core 2.0")
@pytest.mark.parametrize(("tie", "winner"), [("", ""), ("ge", "ge")])
def test_a_tie_is_won_by_the_side_that_the_scenario_names(tie: str, winner: str) -> None:
    fight = contested(
        f"us a {SQUAD} C2\nge g {SQUAD} F3",
        CONTROL,
        {**objective("handicap"), "side": "ge"},
        turns=1,
        head={"tie": tie},
    )
    for seat in ("us", "ge", "us"):
        fight.give(seat, "Pass")
    result = fight.state.public.result
    assert result is not None
    assert dict(result.points) == {"ge": 2, "us": 2}
    assert result.winner == winner


@pytest.mark.rule("core 2.0")
def test_secret_objectives_count_and_only_the_umpire_reads_them_before_the_end() -> None:
    secret = {**objective("handicap", 3), "secret": True}
    fight = contested(f"us a {SQUAD} B2\nge g {SQUAD} F3", secret, turns=1)
    assert points(fight) == {"ge": 0, "us": 3}
    assert PACKAGE.outcome(fight.play.believed("us")).points == {"ge": 0, "us": 0}
    for seat in ("us", "ge", "us"):
        fight.give(seat, "Pass")
    result = fight.state.public.result
    assert result is not None
    assert result.winner == "us"
    assert [line.reason for line in result.lines["us"]] == ["what only the umpire knows"]


def test_who_has_nobody_left_has_lost_the_chance_to_go_on() -> None:
    fight = contested(f"us a {SQUAD} E3\nge g half_squad 1-6-4-5 F3", CONTROL)
    dice = [("attack", 6), ("defence", 1), ("damage check g", 6)]
    fight.give("us", "Fire", dice, units=["a"], target=[6, 3, 0])
    result = fight.state.public.result
    assert result is not None
    assert "nobody left" in result.why
