"""Allies, who aids whom, reinforcements of a melee on both sides, tripods that hold their owners in it."""

from __future__ import annotations

import pytest

from tests.lnl.building import battle
from tests.lnl.fire.firing import OTHERS, Dice, fire, firepower, refused
from tests.lnl.melee.test_melee import FAILED, enters, locked, melee

US, GE = "squad 2-5-4-6", "squad 1-6-4-5"


@pytest.mark.rule("core 13.0", "core 4.0")
def test_allies_of_two_nations_fire_in_different_impulses() -> None:
    fight = battle(pieces=f"us a {US} B2\nus p uk_para B2\nge g {GE} B6" + OTHERS)
    assert "core 13.0" in refused(fight, "us", "a p", "B6")
    fire(fight, "us", "a", "B6", [("attack", 1), ("defence", 6)])
    assert "core 13.0" in refused(fight, "us", "p", "B6")


@pytest.mark.rule("core 5.01", "core 13.0", "core 5.0")
def test_a_leader_aids_no_fire_of_another_nation_but_helps_all_in_his_hex_in_damage_checks() -> None:
    fight = battle(pieces="us lt leader morale=6 lm=2 B2\nus p uk_para B2\nge g squad 3-6-4-5 B6" + OTHERS)
    assert firepower(fight, "us", "p", "B6") == 1
    fight.give("us", "Pass")
    dice: Dice = [("attack", 3), ("defence", 3), ("damage check lt", 2), ("damage check p", 5)]
    fire(fight, "ge", "g", "B2", dice)
    assert not fight.unit("p").is_shaken


@pytest.mark.rule("core 8.1.1", "core 8.1")
def test_the_other_side_too_reinforces_after_the_round_and_waits() -> None:
    fight = battle(pieces=f"us a {US} B2\nge x {GE} B3\nge y {GE} B4" + OTHERS)
    enters(fight, "us", "a", "B3", FAILED)
    enters(fight, "ge", "y", "B3")
    assert fight.unit("y").at == fight.at("B3")
    assert [fight.has(key) for key in ("a", "x", "y")] == [True, True, True]


@pytest.mark.rule("core 8.1.1")
def test_who_enters_a_hex_with_a_melee_marker_though_no_friend_is_left_there_waits_as_well() -> None:
    fight = battle(pieces=f"us a {US} B2\nus b {US} C3\nge x squad 4-6-4-5 B3" + OTHERS)
    enters(fight, "us", "a", "B3", [("melee us", (1, 1)), ("melee ge", (6, 6))])
    assert not fight.has("a")
    fight.give("ge", "Pass")
    enters(fight, "us", "b", "B3")
    assert fight.has("b")
    assert fight.has("x")


@pytest.mark.rule("core 1.6.1.01", "core 8.1")
def test_a_gun_on_its_tripod_holds_its_owner_in_a_melee_and_not_his_mates() -> None:
    fight = locked(ge=f"us b {US} B2\nge x {GE} B3 mg42_tripod", who="a b", active="us")
    assert melee(fight) is not None
    fight.give("us", "Pass")
    found = fight.refused("ge", "Withdraw", units=["x"], path=[list(fight.at("B4"))])
    assert [each.rule for each in found] == ["core 1.6.1.01"]


@pytest.mark.rule("core 11.10", "core 11.3", "core 11.5", "core 5.01")
@pytest.mark.parametrize("kind", ["nurse", "chaplain", "medic"])
def test_nurses_chaplains_and_medics_aid_no_fire_and_no_check(kind: str) -> None:
    fight = battle(pieces=f"us n {kind} morale=9 lm=2 B2\nus a {US} B2\nge g squad 3-6-4-5 B6" + OTHERS)
    assert firepower(fight, "us", "a", "B6") == 2
    fight.give("us", "Pass")
    dice: Dice = [("attack", 3), ("defence", 3), ("damage check a", 4), ("damage check n", 2)]
    fire(fight, "ge", "g", "B2", dice)
    assert fight.unit("a").is_shaken


@pytest.mark.rule("core 11.9", "core 5.01", "core 5.0")
def test_a_commissar_aids_fire_and_checks_as_a_leader() -> None:
    pieces = "su k commissar morale=6 lm=1 troop=red B2\nsu a squad 2-5-4-6 troop=line B2\nge g squad 3-6-4-5 B6"
    fight = battle(pieces=pieces + OTHERS.replace("us", "su"), active="su")
    assert firepower(fight, "su", "a", "B6") == 2 + 1
    fight.give("su", "Pass")
    dice: Dice = [("attack", 3), ("defence", 3), ("damage check k", 2), ("damage check a", 4)]
    fire(fight, "ge", "g", "B2", dice)
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 8.1", "core 1.6.3", "core 5.1")
def test_a_shaken_weapon_team_alone_is_removed_one_in_good_order_is_fought() -> None:
    fight = battle(pieces=f"us a {US} B2\nge t weapon_team 4-20-2-6 B3 shaken\nge m medic morale=6 B3" + OTHERS)
    enters(fight, "us", "a", "B3")
    assert not fight.has("t")
    assert not fight.has("m")
