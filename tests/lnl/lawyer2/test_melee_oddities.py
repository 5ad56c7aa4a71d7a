"""Unusual melees: no firepower on either side, the last column, weapons shared and jammed, who is left alone."""

from __future__ import annotations

import pytest

from lnl.rules.melee.strength import attack_of, weapons_used
from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS, Dice, totals
from tests.lnl.melee.test_melee import column, enters, locked, melee, strength
from umpire.kernel.values.modifiers import total

US, GE = "squad 2-5-4-6", "squad 1-6-4-5"


def odds(fight: Battle, attackers: str, defenders: str) -> tuple[int, int, str, int]:
    """Firepower of both, with the weapons that they use; the column; what is added to the dice."""
    used = {key: weapons_used(fight.state, fight.unit(key)) for key in f"{attackers} {defenders}".split()}
    made = attack_of(fight.state, attackers.split(), defenders.split(), used)
    return total(made.attack), total(made.defence), made.odds, total(made.modifiers)


@pytest.mark.rule("core 8.2")
def test_without_firepower_on_both_sides_what_is_taken_is_given() -> None:
    fight = battle(pieces="us a squad 0-5-4-6 B2\nge x squad 0-5-4-5 C2\nge y squad 0-5-4-5 C2")
    assert odds(fight, "a", "x") == (1, 1, "1-1", 0)
    assert odds(fight, "x y", "a") == (2, 1, "2-1", -1)
    assert odds(fight, "a", "x y") == (1, 2, "1-2", 1)


@pytest.mark.rule("core 8.2", "core 1.6.1")
def test_an_mmc_without_firepower_costs_its_side_the_die_whatever_it_fights_with() -> None:
    """Each zero-firepower MMC that takes part, a half-squad too that fires its gun instead of its own 1."""
    fight = battle(pieces=f"us a {US} B2\nge x half_squad 0-5-4-5 C2 mg42\nge y squad 0-5-4-5 D3 mg42")
    assert odds(fight, "x", "a") == (2, 2, "1-1", -1)
    assert odds(fight, "y", "a") == (3, 2, "1-1", -1)
    assert odds(fight, "a", "x") == (2, 2, "1-1", 1)


@pytest.mark.rule("core 8.0", "core 11.2")
def test_a_hero_does_not_shift_beyond_the_last_column_nor_lift_hopeless_odds_to_more_targets() -> None:
    fight = battle(
        pieces="us a squad 9-5-4-6 B2\nus h hero 1-4-5-6 B2\nge x squad 1-4-4-5 C2\nge y squad 3-4-4-5 C2\n"
        "ge z squad 3-4-4-5 C2"
    )
    assert odds(fight, "a h", "x")[2] == "5-1"
    assert column(fight, "h", "y z")[2] is True
    assert odds(fight, "h", "y")[2] == "1-2"


@pytest.mark.rule("core 8.0", "core 1.6.1", "core 11.1")
def test_a_leader_who_helps_to_crew_a_weapon_does_not_lead_as_well() -> None:
    """Together they use all of the MG42 and forfeit leadership; a BAR has no more for two, so the second leads."""
    pieces = f"us a {US} B2\nus lt leader morale=6 lm=1 B2 m1919a4\nus sg leader morale=6 lm=2 B2\nge g {GE} C2"
    fight = battle(pieces=pieces)
    assert odds(fight, "a lt", "g") == (4, 1, "4-1", 0)
    fight = battle(pieces=pieces.replace("m1919a4", "bar"))
    assert odds(fight, "a lt", "g") == (3, 1, "3-1", 2)


@pytest.mark.rule("core 8.0", "core 1.6.1")
def test_a_hero_alone_defends_with_half_his_weapon_and_with_others_with_all_of_it() -> None:
    """As he attacks (L79)."""
    pieces = f"us h hero 1-4-5-6 B2 flamethrower\nge g {GE} C2"
    fight = battle(pieces=pieces)
    assert odds(fight, "h", "g")[0] == 2
    assert odds(fight, "g", "h")[1] == 2
    fight = battle(pieces=f"us a {US} B2\n" + pieces)
    assert odds(fight, "a h", "g")[0] == 2 + 4
    assert odds(fight, "g", "a h")[1] == 2 + 4


@pytest.mark.rule("core 8.0", "core 8.3", "core 1.6.1")
def test_flamethrower_and_gun_of_one_squad_replace_its_own_firepower_where_that_is_more() -> None:
    fight = battle(pieces=f"us a {US} B2 flamethrower, m1919a4\nus b {US} D2 flamethrower\nge g {GE} C2")
    assert strength(fight, "a") == 4 + 2
    assert strength(fight, "b") == 4 + 2


@pytest.mark.rule("core 1.6.2", "core 8.0")
def test_a_flamethrower_drives_nobody_out_of_a_melee_and_a_charge_is_gone_though_it_fails() -> None:
    fight = battle(pieces=f"us a {US} B2 flamethrower, satchel\nge g squad 9-6-4-5 B3" + OTHERS)
    charge = next(gun for gun in fight.guns("a") if "satchel" in fight.weapon(gun).counter)
    dice = [("melee us", (1, 1)), ("melee ge", (1, 1))]
    enters(fight, "us", "a", "B3", dice, answers=[("us", [charge])])
    assert not fight.has(charge)
    assert fight.unit("g").at == fight.at("B3")
    assert not fight.unit("g").is_shaken


@pytest.mark.rule("core 8.3", "core 1.6.1.1")
def test_a_jammed_or_dismantled_weapon_makes_no_leader_a_fighter() -> None:
    fight = battle(pieces=f"us lt leader morale=6 B2 m1919a4 packed\nge g {GE} B3" + OTHERS)
    found = fight.refused("us", "Move", units=["lt"], path=[list(fight.at("B3"))])
    assert [each.rule for each in found] == ["core 11.1"]


@pytest.mark.rule("core 8.1")
@pytest.mark.parametrize("kind", ["medic", "chaplain", "leader"])
def test_who_cannot_fight_is_removed_when_he_fails_to_withdraw_alone(kind: str) -> None:
    """The squad withdraws; of the man left behind who fails the enemy makes an end in the round that he must fight."""
    fight = locked(ge=f"us m {kind} morale=6 lm=0 mf=5 B2\nge x {GE} B3", who="a m", standing="hold")
    dice = [("withdraw a", (1, 1)), ("withdraw m", (6, 6))]
    fight.give("us", "Withdraw", dice, units=["a", "m"], path=[list(fight.at("B2"))])
    assert fight.unit("a").at == fight.at("B2")
    assert not fight.has("m")
    assert fight.has("x")


@pytest.mark.rule("core 8.1")
def test_a_rearguard_keeps_the_melee_going_and_the_enemy_from_firing() -> None:
    fight = locked(ge=f"us b {US} B2\nge x {GE} B3", who="a b", standing="free")
    fight.give("us", "Withdraw", [("withdraw a", (1, 1))], units=["a"], path=[list(fight.at("B2"))])
    marker = melee(fight)
    assert marker is not None
    assert not marker.fought
    assert not fight.unit("x").fired


@pytest.mark.rule("core 8.1", "core 5.3")
def test_the_last_to_withdraw_may_be_fired_at_by_those_who_stay_with_one_more_and_two_adjacent() -> None:
    """1 and 1 for moving and 2 for the adjacent hex."""
    fight = locked(standing="free")
    dice: Dice = [("withdraw a", (1, 1)), ("attack B3", 1), ("defence B3", 6)]
    fight.give("us", "Withdraw", dice, units=["a"], path=[list(fight.at("B2"))])
    assert totals(fight, "ge", "Attack") == [1 + 1 + 1 + 2]
    assert melee(fight) is None


@pytest.mark.rule("core 8.1", "core 1.5")
def test_cover_helps_who_withdraws() -> None:
    """8 less 2 in the woods against morale 6."""
    board = "\n".join([*[". " * 10] * 2, ". F . . . . . . . .", *[". " * 10] * 5])
    fight = battle(board, f"us a {US} B3\nge x {GE} B3" + OTHERS, melees=["B3"])
    for _ in range(9):
        public = fight.state.public
        if (public.turn, public.phase, public.active) == (2, "operations", "us"):
            break
        fight.throw([("initiative", 6), ("initiative", 1)])
        seat, verbs = public.active, {"operations": ("Pass", "EndImpulse"), "rally": ("EndRally",)}[public.phase]
        assert any(fight.play.order(seat, {"verb": verb}) == [] for verb in verbs)
    fight.give("us", "Withdraw", [("withdraw a", (4, 4))], units=["a"], path=[list(fight.at("B2"))])
    assert fight.unit("a").at == fight.at("B2")


@pytest.mark.rule("core 8.0", "core 8.1")
def test_of_those_who_kill_each_other_nobody_is_left_and_the_marker_goes_in_the_administrative_phase() -> None:
    fight = battle(pieces=f"us a {US} B2\nge x {GE} B3\nge m medic morale=6 B3" + OTHERS)
    enters(fight, "us", "a", "B3", [("melee us", (6, 6)), ("melee ge", (6, 6))])
    assert not any(fight.has(key) for key in ("a", "x", "m"))
    assert melee(fight) is not None


HALL = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "B3 C3 C4"\nstoreys = 2\n'
HOUSE = "\n".join([*[". " * 10] * 2, ". S S . . . . . . .", ". . S . . . . . . .", *[". " * 10] * 4])


@pytest.mark.rule("core 8.0", "core 10.2")
def test_a_melee_is_on_one_level() -> None:
    fight = battle(HOUSE, f"us a {US} B2\nge x {GE} B3 upstairs" + OTHERS, map_extra=HALL)
    fight.give("us", "Move", units=["a"], path=[list(fight.at("B3"))])
    assert melee(fight) is None
    assert fight.unit("a").at == fight.at("B3")


@pytest.mark.rule("core 5.0", "core 10.1")
def test_fire_from_floor_to_floor_of_a_hex_and_past_friends_on_another_floor() -> None:
    """Levels are places of their own (L112)."""
    fight = battle(HOUSE, f"us a {US} B3\nus b {US} B6\nge x {GE} B3 upstairs fired" + OTHERS, map_extra=HALL)
    order = {"verb": "Fire", "target": list(fight.at("B3 upstairs"))}
    assert fight.play.preview("us", {**order, "units": ["a"]}).refusals == ()
    assert fight.play.preview("us", {**order, "units": ["b"]}).refusals == ()


@pytest.mark.rule("core 8.1.1", "core 11.1")
def test_a_leader_reinforces_a_melee_of_friends_but_enters_none_alone() -> None:
    fight = locked(ge=f"us lt leader morale=6 lm=1 mf=6 B2\nge x {GE} B3\nge y {GE} C2")
    assert [each.rule for each in fight.refused("us", "Move", units=["lt"], path=[list(fight.at("C2"))])] == [
        "core 11.1"
    ]
    enters(fight, "us", "lt", "B3", [("melee us", (3, 2)), ("melee ge", (1, 1))])
    assert not fight.has("x")
    assert fight.has("lt")


@pytest.mark.rule("core 8.0", "core 4.0")
def test_a_leader_who_has_been_in_a_round_of_melee_brings_nobody_into_a_later_impulse() -> None:
    """He was activated with all who took part."""
    fight = battle(pieces=f"us a {US} B2\nus lt leader morale=6 lm=1 mf=6 B2\nus b {US} C3\nge x {GE} B3" + OTHERS)
    enters(fight, "us", "a lt", "B3", [("melee us", (1, 1)), ("melee ge", (1, 1))])
    fight.give("ge", "Pass")
    places = [list(fight.at("B3")), list(fight.at("C3"))]
    fight.set("lt", moved="")
    assert fight.refused("us", "Activate", places=places)


@pytest.mark.rule("core 8.0", "core 1.6.1")
def test_of_two_guns_for_one_hand_that_counts_which_has_more_firepower_there() -> None:
    """A captured flamethrower's half of 4 is less than its own gun's 3."""
    gun = {
        "name": "Gun",
        "nation": "us",
        "firepower": 3,
        "range": 9,
        "is_machine_gun": True,
        "melee": True,
        "source": "test",
        "status": "house",
    }
    book = {"weapons": {"us_gun": gun}}
    pieces = f"us a half_squad 0-5-4-6 B2 ge_flamethrower\nus b squad 3-5-4-6 D2 ge_flamethrower, us_gun\nge g {GE} C2"
    fight = battle(pieces=pieces, book=book)
    assert strength(fight, "a") == 2
    assert strength(fight, "b") == 3 + 3


@pytest.mark.rule("core 8.0", "core 1.6.2")
def test_with_a_charge_more_may_be_attacked_than_without() -> None:
    """1 against 8 is worse than 1-3; 1 and 6 against 8 is 1-2 and kills both at 10."""
    us = "squad 1-5-4-6 B2 satchel\nus late medic morale=6"
    fight = locked(us, "ge x squad 4-6-4-5 B3\nge y squad 4-6-4-5 B3")
    charge = fight.guns("a")[0]
    dice = [("melee us", (5, 5)), ("melee ge", (1, 1))]
    fight.give("us", "FightMelee", dice, answers=[("us", [charge])], at=list(fight.at("B3")), targets=["x", "y"])
    assert not fight.has("x")
    assert not fight.has("y")


@pytest.mark.rule("core 8.0", "core 8.1")
@pytest.mark.parametrize("is_used", [True, False])
def test_a_leader_with_nothing_but_a_charge_attacks_only_if_he_uses_it(is_used: bool) -> None:
    """6 against 2 is 3-1 and kills at 5. If he keeps it he does not attack, and is attacked all the same."""
    fight = battle(pieces="us lt leader morale=6 lm=1 B3 satchel\nge x squad 2-6-4-5 B2" + OTHERS, active="ge")
    charge = fight.guns("lt")[0]
    dice: Dice = [("melee ge", (1, 1)), ("melee us", (2, 3))] if is_used else [("melee ge", (1, 1))]
    enters(fight, "ge", "x", "B3", dice, answers=[("us", [charge] if is_used else [])])
    assert fight.has("x") is not is_used
    assert fight.has(charge) is not is_used
    assert fight.has("lt")


@pytest.mark.rule("core 8.1", "core 8.0")
def test_who_has_used_up_his_charge_in_vain_is_not_eliminated_by_that() -> None:
    """6 against 7 is 1-2 and fails; he is removed only when the next round finds nobody of his side to fight."""
    fight = battle(pieces="us lt leader morale=6 lm=1 B3 satchel\nge x squad 7-6-4-5 B2" + OTHERS, active="ge")
    charge = fight.guns("lt")[0]
    enters(fight, "ge", "x", "B3", [("melee ge", (1, 1)), ("melee us", (2, 3))], answers=[("us", [charge])])
    assert fight.has("lt")
    assert fight.has("x")
    assert not fight.has(charge)
