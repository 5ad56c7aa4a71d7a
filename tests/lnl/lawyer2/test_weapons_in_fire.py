"""Unusual fire: two weapons of which one is captured, heroes and leaders with weapons, charges, who leads whom."""

from __future__ import annotations

import pytest

from tests.lnl.building import battle
from tests.lnl.fire.firing import OTHERS, fire, firepower, gun_of, refused

US, GE = "squad 2-5-4-6", "squad 1-6-4-5"


@pytest.mark.rule("core 1.6.1")
def test_two_weapons_one_of_them_captured_replace_the_squads_own_firepower() -> None:
    """Half of 1, rounded up, and the captured MG42's half of 2; with one weapon the squad's own 2 as well."""
    fight = battle(pieces=f"us a {US} B2 m1919a4, mg42\nge g {GE} B6" + OTHERS)
    assert firepower(fight, "us", "a", "B6", "a/m1919a4 a/mg42") == 2 + 1
    assert firepower(fight, "us", "a", "B6", "a/mg42") == 2 + 1
    assert firepower(fight, "us", "a", "B6", "a/m1919a4") == 2 + 2


@pytest.mark.rule("core 1.6.1", "core 1.6.2")
def test_a_captured_charge_is_halved_for_a_squad_and_whole_for_one_man() -> None:
    """It uses the Direct Fire Table; only for the eligible man nothing is halved."""
    fight = battle(
        pieces=f"us a {US} B2 ge_satchel\nus h hero 1-4-5-6 D2 ge_satchel\nge g {GE} B3\nge k {GE} D3" + OTHERS
    )
    assert firepower(fight, "us", "a", "B3", "a/satchel", holding=["a"]) == 3
    assert firepower(fight, "us", "h", "D3", "h/satchel") == 6


@pytest.mark.rule("core 5.2", "core 1.6.1")
def test_a_hero_in_a_stack_fires_his_weapon_whole_and_nothing_of_his_own_captured_or_not() -> None:
    pieces = f"us a {US} B2\nus h hero 2-5-5-6 B2 mg42\nge g {GE} B6"
    fight = battle(pieces=pieces + OTHERS)
    assert firepower(fight, "us", "a h", "B6", "h/mg42") == 2 + 2
    assert firepower(fight, "us", "a h", "B6") == 2 + 2
    assert firepower(fight, "us", "h", "B6", "h/mg42") == 1


@pytest.mark.rule("core 5.2")
def test_without_firepower_a_squad_adds_nothing_but_its_weapon() -> None:
    fight = battle(pieces=f"us a {US} B2\nus z squad 0-5-4-5 B2 m1919a4\nge g {GE} B6" + OTHERS)
    assert firepower(fight, "us", "a z", "B6") == 2
    assert firepower(fight, "us", "a z", "B6", "z/m1919a4") == 4


@pytest.mark.rule("core 5.2", "core 5.4")
def test_halves_of_halves_are_rounded_up_once() -> None:
    """2 leads; Guards beyond their range support with a half of a half of 2, a 1 with its half: 2 + 0.5 + 0.5."""
    pieces = "su a squad 2-6-4-6 B2\nsu b squad 2-2-4-6 extended B2\nsu c squad 1-6-4-5 B2\nge g squad 1-6-4-5 B5"
    fight = battle(pieces=pieces + "\nge i squad 1-1-4-5 J8 shaken", active="su")
    assert firepower(fight, "su", "a b c", "B5") == 3
    assert firepower(fight, "su", "a b", "B5") == 3


@pytest.mark.rule("core 1.6.1", "core 5.01")
def test_a_leader_who_fires_forfeits_his_leadership_for_all_and_another_one_aids() -> None:
    pieces = f"us a {US} B2\nus lt leader morale=6 lm=2 B2 m1919a4\nge g {GE} B6"
    fight = battle(pieces=pieces + OTHERS)
    assert firepower(fight, "us", "a lt", "B6", "lt/m1919a4") == 2 + 1
    assert firepower(fight, "us", "a", "B6") == 2 + 2
    two = battle(pieces=pieces + "\nus sg leader morale=6 lm=1 B2" + OTHERS)
    assert firepower(two, "us", "a lt", "B6", "lt/m1919a4") == 2 + 1 + 1


@pytest.mark.rule("core 5.01", "core 11.11")
def test_a_leader_aids_all_attacks_of_his_hex_in_his_impulse_and_none_of_a_later_one() -> None:
    """The squad, and the mortar team that fires by itself; the next impulse finds him Fired."""
    pieces = (
        f"us a {US} B2\nus b {US} B2\nus m weapon_team 2-20-2-6 use=mortar B2\n"
        f"us lt leader morale=6 lm=1 B2\nge g {GE} B6"
    )
    fight = battle(pieces=pieces + OTHERS)
    fire(fight, "us", "a", "B6", [("attack", 1), ("defence", 6)])
    assert fight.unit("lt").fired
    assert fight.state.public.active == "us"
    assert firepower(fight, "us", "m", "B6") == 2 + 1
    fight.give("us", "EndImpulse")
    fight.give("ge", "Pass")
    assert firepower(fight, "us", "b", "B6") == 2
    assert refused(fight, "us", "b", "B6", leader="lt") == ["core 5.01"]


@pytest.mark.rule("core 5.1", "core 11.1")
def test_a_wounded_leader_who_was_rallied_aids_with_one_less() -> None:
    fight = battle(pieces=f"us a {US} B2\nus lt leader morale=6 lm=2 B2 wounded\nge g {GE} B6" + OTHERS)
    assert firepower(fight, "us", "a", "B6") == 2 + 1


@pytest.mark.rule("core 1.6.2")
def test_a_charge_with_the_squads_own_fire_gets_what_that_fire_gets() -> None:
    """The book's 10; and one more against a target that has moved."""
    fight = battle(pieces=f"us a {US} B2 us_satchel\nge g {GE} B3 moved" + OTHERS)
    charge = gun_of(fight, "a/satchel")
    assert firepower(fight, "us", "a", "B3", "a/satchel") == 10
    fire(fight, "us", "a", "B3", [("attack", 1), ("defence", 6), ("damage check g", 6)], "a/satchel")
    assert not fight.has(charge)


@pytest.mark.rule("core 1.6.2", "core 5.01")
def test_a_machine_gun_and_a_charge_of_one_squad_without_its_own_firepower() -> None:
    """2 for the gun with 2 for the adjacent hex, 6 for the charge."""
    fight = battle(pieces=f"us a {US} B2 m1919a4, us_satchel\nge g {GE} B3" + OTHERS)
    assert firepower(fight, "us", "a", "B3", "a/m1919a4 a/satchel") == 2 + 2 + 6


@pytest.mark.rule("core 1.6.1")
@pytest.mark.parametrize("kind", ["medic", "chaplain", "nurse"])
def test_who_may_not_fire_weapons_takes_none_up(kind: str) -> None:
    pieces = f"us m {kind} morale=6 lm=1 B2\nus m1919a4 m1919a4 B2\nus b {US} B2\nge g {GE} B6"
    fight = battle(pieces=pieces, phase="rally")
    found = fight.refused("us", "PickUp", unit="m", weapon="m1919a4")
    assert [each.rule for each in found] == ["core 1.6.1"]


@pytest.mark.rule("core 1.6.3", "core 1.1")
def test_weapon_teams_carry_nothing() -> None:
    pieces = f"us t weapon_team 2-20-2-6 use=mortar B2\nus m1919a4 m1919a4 B2\nus b {US} B2\nge g {GE} B6"
    fight = battle(pieces=pieces, phase="rally")
    assert [each.rule for each in fight.refused("us", "PickUp", unit="t", weapon="m1919a4")] == ["core 1.6.1"]
