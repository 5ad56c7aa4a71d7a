"""Smoke with other cover, and what else the book says of claymores."""

from __future__ import annotations

import pytest

from lnl.rules.fire.target_modifiers import target_modifiers
from lnl.rules.movement.movement import allowance
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.values.modifiers import total

IDLE = "\nus spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A8"
LEADER = "leader morale=6 lm=1 mf=6"


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


# Smoke


@pytest.mark.rule("core 7.0", "core 21.6")
@pytest.mark.parametrize(("mortar", "expected"), [(False, 3), (True, 2)])
def test_smoke_over_a_trench_adds_to_it(mortar: bool, expected: int) -> None:
    fight = battle(CLEAR, "ge t trench E4\nge g squad 1-6-4-5 E4\nus a squad 2-5-4-6 E7" + IDLE)
    fight.set("battle", smoke={"5,4": 1})
    found = target_modifiers(fight.state, fight.unit("g"), fight.at("E7"), mortar=mortar)
    assert total(found) == expected


@pytest.mark.rule("core 7.0", "core 10.1")
def test_smoke_hides_who_stood_in_the_open_until_he_is_spotted() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 E7\nus b squad 2-5-4-6 E7\nge g squad 1-6-4-5 E4" + IDLE)
    fight.set("battle", smoke={"5,4": 1})
    assert fight.refused("us", "Fire", units=["a"], target=list(fight.at("E4")))[0].rule == "core 10.1"
    fight.give("us", "Spot", [("spot", 2)], unit="b", target=list(fight.at("E4")))
    fight.give("us", "Fire", [("attack", 1), ("defence", 6)], units=["a", "b"], target=list(fight.at("E4")))


@pytest.mark.rule("core 7.0", "core 4.1", "core 5.3")
def test_who_has_laid_smoke_in_his_own_hex_takes_opportunity_fire_with_three_less() -> None:
    """2, less 2 for Ops Complete and 1 for the smoke, 1 for moving: 0 and 4 against 4 does not beat it."""
    fight = battle(CLEAR, "us a squad 2-5-4-6 E4\nge g squad 1-6-4-5 E8" + IDLE, standing="free")
    fight.give("us", "LaySmoke", [("smoke a", 2)], unit="a", at=[5, 4])
    fight.give("ge", "Move", [("attack", 4), ("defence", 4)], units=["g"], path=places(fight, "E7"))
    assert fight.unit("a").fired
    assert fight.unit("g").is_good_order


# Claymores


@pytest.mark.rule("core 21.5", "core 1.6.1")
def test_a_single_man_who_carries_a_claymore_forfeits_two_points() -> None:
    fight = battle(CLEAR, f"us lt {LEADER} E5 us_claymore\nge g squad 1-6-4-5 J8" + IDLE)
    assert allowance(fight.state, fight.unit("lt"))[0] == 4


@pytest.mark.rule("core 21.5")
@pytest.mark.parametrize(("other", "may"), [("hero 1-4-5-6", True), ("medic mf=5 morale=6", False)])
def test_two_single_men_deploy_a_claymore_together(other: str, may: bool) -> None:
    fight = battle(CLEAR, f"us lt {LEADER} E5 us_claymore\nus x {other} E5\nge g squad 1-6-4-5 J8" + IDLE)
    carried = fight.guns("lt")[0]
    if not may:
        assert fight.refused("us", "DeployClaymore", units=["lt", "x"], weapon=carried)[0].rule == "core 21.5"
        return
    fight.give("us", "DeployClaymore", units=["lt", "x"], weapon=carried)
    assert [fight.unit(key).ops_complete for key in ("lt", "x")] == [True, True]
    assert fight.guns("lt") == ()


@pytest.mark.rule("core 21.5")
def test_one_claymore_is_deployed_in_a_hex() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5 us_claymore\nus c claymore E5\nge g squad 1-6-4-5 J8" + IDLE)
    carried = fight.guns("a")[0]
    assert fight.refused("us", "DeployClaymore", units=["a"], weapon=carried)[0].rule == "core 21.5"


@pytest.mark.rule("core 21.5")
def test_two_claymores_that_reach_the_same_hex_go_off_one_after_the_other() -> None:
    pieces = "us a squad 2-5-4-6 E5\nus b squad 2-5-4-6 D5\nus c claymore E5\nus d claymore D5\nge g squad 1-6-4-5 D7"
    fight = battle(CLEAR, pieces + IDLE, active="ge", standing="ask")
    dice = [("claymore attack", 1), ("claymore defence", 6), ("claymore attack", 1), ("claymore defence", 6)]
    fight.give("ge", "Move", dice, answers=[("us", ["c"]), ("us", ["d"])], units=["g"], path=places(fight, "D6"))
    assert not fight.open_works
    assert fight.unit("g").is_good_order


@pytest.mark.rule("core 21.5", "core 5.1")
@pytest.mark.parametrize(
    ("guard", "may"), [("sniper fp=1 range=6 mf=0 morale=6", True), ("medic mf=5 morale=6", False)]
)
def test_who_may_set_off_a_claymore(guard: str, may: bool) -> None:
    fight = battle(
        CLEAR, f"us x {guard} E5\nus c claymore E5\nge g squad 1-6-4-5 E7" + IDLE, active="ge", standing="ask"
    )
    fight.set("x", is_placed=True)
    dice = [("claymore attack", 1), ("claymore defence", 6)] if may else []
    fight.give("ge", "Move", dice, answers=[("us", ["c"])] if may else [], units=["g"], path=places(fight, "E6"))
    assert bool(fight.open_works) is not may
