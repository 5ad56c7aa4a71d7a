"""Mortars with every kind of caller, and what else stands in the way; snipers stacked and alone; jams."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS, Dice, fire, firepower, gun_of, refused, totals

TEAM = "weapon_team 3-20-2-6 use=mortar minimum_range=3"
GE = "squad 1-6-4-5"
# The forest hides B7 from the mortar at B1; D2 sees it.
BOARD = "\n".join([". " * 10, ". " * 10, ". F . . . . . . . .", *[". " * 10] * 5])
LIGHT = "\n".join([". . . . .", ". . . . .", ". . F . .", ". b . . .", *[". . . . ."] * 4])
"""The forest at C3 hides C6 from C2; from B3 one sees it past the brush."""


@pytest.mark.rule("core 18.1", "core 11.9", "core 11.6", "core 11.7")
@pytest.mark.parametrize(
    ("caller", "may"),
    [
        ("leader morale=6 lm=1 mf=6 D2", True),
        ("leader morale=6 lm=1 mf=6 D2 wounded", True),
        ("commissar morale=6 lm=1 D2", True),
        ("advisor morale=6 D2", True),
        ("scout morale=6 D2", True),
        ("scout morale=6 D2 bar", False),
        ("hero 1-4-5-6 D2", False),
        ("chaplain morale=6 lm=1 D2", False),
        ("leader morale=6 lm=1 mf=6 D2 ops complete", False),
        ("leader morale=6 lm=1 mf=6 D2 fired", False),
        ("leader morale=6 lm=1 mf=6 D2 assault moved", False),
    ],
)
def test_who_calls_the_fire_of_a_mortar_team(caller: str, may: bool) -> None:
    fight = battle(BOARD, f"us m {TEAM} B1\nus c {caller}\nge g {GE} B7" + OTHERS)
    order = {"verb": "FireMortar", "mortar": "m", "target": list(fight.at("B7")), "caller": "c"}
    assert (fight.play.preview("us", order).refusals == ()) is may


@pytest.mark.rule("core 18.1")
def test_who_has_spotted_the_target_in_this_impulse_calls_fire_on_it_and_on_nothing_else() -> None:
    board = "\n".join([". " * 10, ". " * 10, ". F . . . . . . . .", *[". " * 10] * 3, ". w . w . . . . . .", ". " * 10])
    pieces = f"us m {TEAM} B1\nus c leader morale=6 lm=1 mf=6 D2\nge g {GE} B7\nge k {GE} D7"
    fight = battle(board, pieces + OTHERS)
    fight.give("us", "Spot", [("spot c", 1)], unit="c", target=list(fight.at("B7")))
    found = fight.refused("us", "FireMortar", mortar="m", target=list(fight.at("D7")), caller="c")
    assert [each.rule for each in found] == ["core 18.1"]
    dice: Dice = [("mortar attack", (1, 1)), ("mortar defence", 6)]
    fight.give("us", "FireMortar", dice, mortar="m", target=list(fight.at("B7")), caller="c")
    assert totals(fight, "us", "Mortar attack") == [3 + 1]


@pytest.mark.rule("core 18.1", "core 5.3")
def test_called_fire_has_one_more_against_who_has_moved_and_none_for_an_adjacent_caller() -> None:
    fight = battle(BOARD, f"us m {TEAM} B1\nus c leader morale=6 lm=1 mf=6 C7\nge g {GE} B7 moved" + OTHERS)
    dice: Dice = [("mortar attack", (2, 1)), ("mortar defence", 6)]
    fight.give("us", "FireMortar", dice, mortar="m", target=list(fight.at("B7")), caller="c")
    assert totals(fight, "us", "Mortar attack") == [3 + 2 + 1]


@pytest.mark.rule("core 18.1")
@pytest.mark.parametrize("where", ["F", "H"])
def test_a_mortar_team_fires_neither_directly_nor_called_out_of_wood_or_house(where: str) -> None:
    board = BOARD.replace(". ", f"{where} ", 1)
    fight = battle(board, f"us m {TEAM} A1\nus c leader morale=6 lm=1 D2\nge g {GE} A7" + OTHERS)
    assert "core 18.1" in refused(fight, "us", "m", "A7")
    found = fight.refused("us", "FireMortar", mortar="m", target=list(fight.at("A7")), caller="c")
    assert [each.rule for each in found] == ["core 18.1"]


def light(caller: str) -> Battle:
    pieces = f"uk a squad 1-7-4-5 C2 51mm_mortar\nuk c {caller}\nuk b squad 1-7-4-5 C2\nge g {GE} C6\nge k {GE} E8"
    return battle(LIGHT, pieces, active="uk")


@pytest.mark.rule("core 1.6.22", "core 11.10")
@pytest.mark.parametrize(
    ("caller", "may"),
    [
        ("squad 1-7-4-6 B3", True),
        ("leader morale=6 lm=1 B3", True),
        ("hero 1-4-5-6 B3", True),
        ("scout morale=6 B3", True),
        ("squad 1-7-4-6 B3 shaken", False),
        ("squad 1-7-4-6 B3 moved", False),
        ("medic morale=6 B3", False),
        ("chaplain morale=6 lm=1 B3", False),
        ("nurse morale=6 lm=1 B3", False),
        ("weapon_team 2-9-2-6 B3", False),
        ("squad 1-7-4-6 B4", False),
    ],
)
def test_who_directs_a_light_mortar(caller: str, may: bool) -> None:
    fight = light(caller)
    order = {"verb": "FireMortar", "mortar": gun_of(fight, "a/51mm"), "target": list(fight.at("C6")), "caller": "c"}
    assert (fight.play.preview("uk", order).refusals == ()) is may


@pytest.mark.rule("core 1.6.22")
def test_a_sniper_directs_a_light_mortar_as_any_friend_does() -> None:
    """Medics, chaplains and weapon teams may not."""
    fight = light("sniper 1-12-0-6 B3")
    fight.set("c", is_placed=True, at=list(fight.at("B3")))
    order = {"verb": "FireMortar", "mortar": gun_of(fight, "a/51mm"), "target": list(fight.at("C6")), "caller": "c"}
    assert fight.play.preview("uk", order).refusals == ()


@pytest.mark.rule("core 4.0", "core 1.6.22")
def test_a_light_mortar_is_fire_of_its_place_like_any_other() -> None:
    """Those who fire from a place in an impulse fire at one target, together."""
    fight = light("squad 1-7-4-6 B3")
    order: dict[str, Any] = {"mortar": gun_of(fight, "a/51mm"), "target": list(fight.at("C6")), "caller": "c"}
    fight.give("uk", "FireMortar", [("mortar attack", (1, 1)), ("mortar defence", 6)], **order)
    assert "core 4.0" in refused(fight, "uk", "b", "E8")
    other = light("squad 1-7-4-6 B3")
    other.set("k", at=list(other.at("E2")))
    fire(other, "uk", "b", "E2", [("attack", 1), ("defence", 6)])
    assert [each.rule for each in other.refused("uk", "FireMortar", **order)] == ["core 4.0"]


@pytest.mark.rule("core 1.6.22", "core 1.6.1")
def test_a_light_mortar_in_a_single_mans_hands_is_halved_for_called_fire_too() -> None:
    pieces = f"uk lt leader morale=6 C2 51mm_mortar\nuk c squad 1-7-4-6 B3\nge g {GE} C6\nge k {GE} E8"
    fight = battle(LIGHT, pieces, active="uk")
    dice: Dice = [("mortar attack", (1, 1)), ("mortar defence", 6)]
    gun = gun_of(fight, "lt/51mm")
    fight.give("uk", "FireMortar", dice, mortar=gun, target=list(fight.at("C6")), caller="c")
    assert totals(fight, "uk", "Mortar attack") == [2]


@pytest.mark.rule("core 18.1", "core 9.0")
def test_fire_for_effect_lies_until_the_administrative_phase() -> None:
    fight = battle(BOARD, f"us m {TEAM} B1\nus c leader morale=6 lm=1 D2\nge g {GE} B7" + OTHERS)
    dice: Dice = [("mortar attack", (1, 1)), ("mortar defence", 6)]
    fight.give("us", "FireMortar", dice, mortar="m", target=list(fight.at("B7")), caller="c")
    assert [barrage.at for barrage in fight.state.public.barrages] == [(2, 7)]
    for _ in range(8):
        public = fight.state.public
        if public.turn == 2:
            break
        fight.throw([("initiative", 6), ("initiative", 1)])
        assert fight.play.order(public.active, {"verb": "Pass"}) == []
    assert [barrage.at for barrage in fight.state.public.barrages] == []
    assert not fight.unit("c").has_called


# Snipers


WOOD = "\n".join([". " * 10, ". F . . . . . . . .", *[". " * 10] * 6])
SNIPER = "sniper 1-12-0-6"


@pytest.mark.rule("core 11.4", "core 1.3")
def test_a_sniper_does_not_show_up_in_a_full_hex_but_beside_his_own_squad() -> None:
    pieces = f"ge s {SNIPER} A8\nge a {GE} B2\nge m medic morale=6 B2\nge n medic morale=6 B2\nus x squad 2-5-4-6 B7"
    fight = battle(WOOD, pieces + OTHERS)
    found = fight.refused("ge", "PlaceSniper", unit="s", at=list(fight.at("B2")))
    assert [each.rule for each in found] == ["core 11.4"]
    fight = battle(WOOD, pieces.replace("ge n medic morale=6 B2\n", "") + OTHERS)
    fight.give("ge", "PlaceSniper", unit="s", at=list(fight.at("B2")))
    assert fight.unit("s").is_placed


@pytest.mark.rule("core 11.4", "core 6.2")
def test_a_sniper_does_not_move_even_at_double_time() -> None:
    fight = battle(
        WOOD, f"ge s {SNIPER} B2\nge lt leader morale=6 lm=1 mf=6 B2\nus x squad 2-5-4-6 H7" + OTHERS, active="ge"
    )
    fight.set("s", is_placed=True)
    path = [list(fight.at("B3"))]
    assert fight.refused("ge", "Move", units=["s", "lt"], path=path, double_time=True)


@pytest.mark.rule("core 11.4", "core 8.1")
def test_a_sniper_left_alone_in_melee_is_removed_and_no_target() -> None:
    fight = battle(WOOD, f"ge s {SNIPER} B2\nus x squad 2-5-4-6 B3" + OTHERS)
    fight.set("s", is_placed=True)
    fight.give("us", "Move", units=["x"], path=[list(fight.at("B2"))])
    assert not fight.has("s")


@pytest.mark.rule("core 11.4")
def test_a_sniper_fires_beside_a_leader_who_may_aid_him() -> None:
    """All fire of the hex by his own."""
    fight = battle(
        WOOD, f"ge s {SNIPER} B2\nge lt leader morale=6 lm=1 B2\nus x squad 2-5-4-6 B7" + OTHERS, active="ge"
    )
    fight.set("s", is_placed=True)
    assert firepower(fight, "ge", "s", "B7") == 1 + 1


# Jams


JAMMING = {
    "weapons": {
        "us_l7a2": {
            "name": "L7A2",
            "nation": "us",
            "firepower": 3,
            "range": 12,
            "is_machine_gun": True,
            "melee": True,
            "jams": True,
            "source": "test",
            "status": "house",
        }
    }
}


@pytest.mark.rule("core 1.6.1.1")
def test_a_gun_that_is_not_said_to_jam_never_does() -> None:
    fight = battle(pieces=f"us a squad 2-5-4-6 B2 m1919a4\nge g {GE} B6" + OTHERS)
    gun = gun_of(fight, "a/m1919a4")
    fire(fight, "us", "a", "B6", [("attack", 1), ("defence", 1), ("damage check g", 1), ("hero g", 1)], "a/m1919a4")
    assert not fight.weapon(gun).is_jammed


@pytest.mark.rule("core 1.6.1.1", "core 5.2")
def test_of_two_guns_that_may_jam_one_does_and_its_firepower_alone_is_taken_off() -> None:
    """2 and 3 and 3 and the die of 1 against 1: less one gun's 3 beaten by 5, so 2 is 7 and shakes."""
    pieces = f"us a squad 2-5-4-6 B2 l7a2\nus b squad 0-5-4-6 B2 l7a2\nge g {GE} B6"
    fight = battle(pieces=pieces + OTHERS, book=JAMMING)
    fire(fight, "us", "a b", "B6", [("attack", 1), ("defence", 1), ("damage check g", 2)], "a/l7a2 b/l7a2")
    guns = [fight.weapon(gun_of(fight, f"{key}/l7a2")).is_jammed for key in ("a", "b")]
    assert sorted(guns) == [False, True]
    assert totals(fight, "ge", "Damage check") == [2 + 5]


@pytest.mark.rule("core 1.6.1.1", "core 8.0")
def test_no_gun_jams_in_melee() -> None:
    fight = battle(pieces="us a squad 2-5-4-6 B2 l7a2\nge g squad 9-6-4-5 B3" + OTHERS, book=JAMMING)
    dice: Dice = [("melee us", (1, 1)), ("melee ge", (1, 1))]
    fight.give("us", "Move", dice, units=["a"], path=[list(fight.at("B3"))])
    assert not fight.weapon(gun_of(fight, "a/l7a2")).is_jammed
