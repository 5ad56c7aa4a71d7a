"""Mortars: the light one of a squad, mortar teams, who calls their fire, and what stays in the target hex."""

from __future__ import annotations

import pytest

from tests.lnl.building import battle
from tests.lnl.fire.firing import OTHERS, fire, gun_of, totals

TEAM = "weapon_team 3-20-2-6 use=mortar minimum_range=3"
LONG = "\n".join([". " * 10] * 12)
WOODS = "\n".join(
    [
        ". . . . . . . . . .",
        ". F . . . . . . . .",
        *[". . . . . . . . . ."] * 3,
        ". w . . . . . . . .",
        *[". . . . . . . . . ."] * 4,
    ]
)


@pytest.mark.rule("core 1.6.22")
@pytest.mark.parametrize(("target", "attack", "is_shaken"), [("B8", 9, True), ("B10", 8, False)])
def test_the_light_mortar_adds_the_higher_of_two_dice_to_the_whole_attack(
    target: str, attack: int, is_shaken: bool
) -> None:
    """HID-01: at 6 hexes 1 + 2 + 6, beyond the squad's own range 2 + 6."""
    fight = battle(
        LONG,
        f"uk a squad 1-7-4-5 B2 51mm_mortar\nge g squad 1-6-4-5 {target}" + OTHERS.replace("us", "uk"),
        active="uk",
    )
    dice = [("attack", (1, 6)), ("defence", 5), ("damage check g", 2)]
    fire(fight, "uk", "a", target, dice, "a/51mm")
    assert totals(fight, "uk", "Attack") == [attack]
    assert fight.unit("g").is_shaken is is_shaken
    assert fight.unit("a").fired
    assert fight.state.public.barrages == ()


@pytest.mark.rule("core 1.6.22")
def test_it_is_not_halved_in_a_stack_but_for_a_single_man_and_fires_no_closer_than_two() -> None:
    pieces = "uk a squad 1-7-4-5 B2\nuk lt leader morale=6 B2 51mm_mortar\nge g squad 1-6-4-5 B6\nge h squad 1-6-4-5 B3"
    fight = battle(LONG, pieces, active="uk")
    gun = gun_of(fight, "lt/51mm")
    order = {"verb": "Fire", "target": list(fight.at("B6")), "weapons": [gun]}
    assert fight.play.preview("uk", {**order, "units": ["a", "lt"]}).cost == "3 + the higher of 2d6"
    assert fight.play.preview("uk", {**order, "units": ["lt"]}).cost == "1 + the higher of 2d6"
    found = fight.refused("uk", "Fire", units=["lt"], target=list(fight.at("B3")), weapons=[gun])
    assert [each.rule for each in found] == ["core 1.6.22"]


@pytest.mark.rule("core 1.6.22")
def test_it_is_not_fired_from_woods_nor_taken_down_nor_at_movers() -> None:
    fight = battle(
        WOODS,
        "uk a squad 1-7-4-5 B2 51mm_mortar\nuk b squad 1-7-4-5 D2 51mm_mortar packed\n"
        "uk c squad 0-1-4-5 F2 51mm_mortar\nge g squad 1-6-4-5 D7" + OTHERS.replace("us", "uk"),
        active="ge",
        standing="free",
    )
    fight.give("ge", "Move", [("attack", 1), ("defence", 6)], units=["g"], path=[list(fight.at("D6"))])
    assert not fight.unit("c").fired
    assert [fight.unit(key).fired for key in ("a", "b")].count(True) == 1
    for key in ("a", "b"):
        if not fight.unit(key).fired:
            gun = gun_of(fight, f"{key}/51mm")
            found = fight.refused("uk", "Fire", units=[key], target=list(fight.at("D6")), weapons=[gun])
            assert [each.rule for each in found] == ["core 1.6.22"]


@pytest.mark.rule("core 1.6.22")
def test_it_fires_unseen_where_a_friend_next_to_its_crew_sees_a_spotted_hex() -> None:
    """No leadership, nothing for degrading terrain; the friend is Ops Complete, nothing stays in the hex."""
    board = "\n".join([". . . . .", ". . . . .", ". . F . .", ". b . . .", *[". . . . ."] * 4])
    # The forest at C3 hides C6 from the crew at C2; the friend at B3 sees it past the brush.
    pieces = (
        "uk a squad 1-7-4-5 C2 51mm_mortar\nuk f squad 1-7-4-6 B3\n"
        "uk lt leader morale=6 lm=2 C2\nuk far squad 1-7-4-6 E2\nge g squad 1-6-4-5 C6"
    )
    fight = battle(board, pieces, active="uk")
    fields = {"mortar": gun_of(fight, "a/51mm"), "target": list(fight.at("C6"))}
    assert [each.rule for each in fight.refused("uk", "FireMortar", **fields, caller="far")] == ["core 1.6.22"]
    dice = [("mortar attack", (2, 4)), ("mortar defence", 6)]
    fight.give("uk", "FireMortar", dice, **fields, caller="f")
    assert totals(fight, "uk", "Mortar attack") == [6]
    assert (fight.unit("a").fired, fight.unit("f").ops_complete) == (True, True)
    assert fight.state.public.barrages == ()


@pytest.mark.rule("core 18.1", "core 18.0")
def test_a_leader_calls_the_fire_of_a_mortar_team_that_sees_nothing() -> None:
    """DIG-29: 3 + 6 against 4 + 1, no leadership, nothing for the brush; the fire stays."""
    board = "\n".join([". . . . .", ". . . . .", ". F . . .", ". . b . .", ". . . . .", ". w . . .", ". . . . ."])
    pieces = f"us m {TEAM} B1\nus lt leader morale=6 lm=1 D2\nge g squad 1-6-4-5 B6" + OTHERS.replace(
        "J1", "E1"
    ).replace("J8", "E7")
    fight = battle(board, pieces)
    dice = [("mortar attack", (3, 6)), ("mortar defence", 4), ("damage check g", 2)]
    fight.give("us", "FireMortar", dice, mortar="m", target=list(fight.at("B6")), caller="lt")
    assert (totals(fight, "us", "Mortar attack"), totals(fight, "ge", "Mortar defence")) == ([9], [5])
    assert fight.unit("g").is_shaken
    assert (fight.unit("lt").ops_complete, fight.unit("lt").has_called, fight.unit("m").fired) == (True, True, True)
    assert [(barrage.at, barrage.firepower) for barrage in fight.state.public.barrages] == [((2, 6), 3)]


@pytest.mark.rule("core 18.1")
@pytest.mark.parametrize(
    "caller", ["squad 1-6-4-5", "medic morale=6", "leader morale=6 lm=1 D2 shaken", "leader morale=6 D2 moved"]
)
def test_who_does_not_call_it(caller: str) -> None:
    pieces = f"us m {TEAM} B1\nus c {caller if 'D2' in caller else caller + ' D2'}\nge g squad 1-6-4-5 B6"
    fight = battle(LONG, pieces + OTHERS)
    found = fight.refused("us", "FireMortar", mortar="m", target=list(fight.at("B6")), caller="c")
    assert [each.rule for each in found] == ["core 18.1"]


@pytest.mark.rule("core 18.1", "core 5.01")
def test_who_has_called_fire_aids_no_fire_in_that_turn() -> None:
    pieces = f"us m {TEAM} B1\nus a squad 2-5-4-6 B1\nus lt leader morale=6 lm=1 B1\nge g squad 1-6-4-5 B6"
    fight = battle(LONG, pieces + OTHERS)
    fight.give(
        "us",
        "FireMortar",
        [("mortar attack", (1, 1)), ("mortar defence", 6)],
        mortar="m",
        target=list(fight.at("B6")),
        caller="lt",
    )
    fire(fight, "us", "a", "B6", [("attack", 1), ("defence", 6)])
    assert totals(fight, "us", "Attack") == [3]


@pytest.mark.rule("core 18.1", "core 5.0")
def test_a_team_that_sees_its_target_fires_directly_with_a_leader() -> None:
    fight = battle(LONG, f"us m {TEAM} B1\nus lt leader morale=6 lm=1 B1\nge g squad 1-6-4-5 B6" + OTHERS)
    fire(fight, "us", "m", "B6", [("attack", (2, 1)), ("defence", 6)])
    assert totals(fight, "us", "Attack") == [3 + 1 + 2]


@pytest.mark.rule("core 18.1")
def test_fire_for_effect_attacks_who_enters_its_own_hex_with_the_higher_of_two_dice() -> None:
    """ERR-23, its mortar part: 3 + 1 for movement + 5."""
    fight = battle(LONG, "us m squad 2-5-4-6 H1\nge x squad 1-6-4-5 E7" + OTHERS, active="ge")
    fight.set("battle", barrages=[{"at": [5, 5], "firepower": 3, "by": "us"}])
    path = [list(fight.at("E6")), list(fight.at("E5"))]
    fight.give(
        "ge", "Move", [("mortar attack", (5, 2)), ("mortar defence", 6), ("damage check x", 3)], units=["x"], path=path
    )
    assert totals(fight, "us", "Mortar attack") == [9]
    assert fight.unit("x").is_shaken
    assert fight.unit("x").at == fight.at("E5")


@pytest.mark.rule("core 18.1")
def test_off_board_fire_reaches_beyond_its_hex_with_one_die() -> None:
    """ERR-23, its other part: each hex of it that is entered."""
    fight = battle(LONG, "us m squad 2-5-4-6 H1\nge y squad 1-6-4-5 E11" + OTHERS, active="ge")
    fight.set("battle", barrages=[{"at": [5, 9], "firepower": 4, "radius": 1, "by": "us"}])
    dice = [("mortar attack", 1), ("mortar defence", 6), ("mortar attack", 1), ("mortar defence", 6)]
    path = [list(fight.at("E10")), list(fight.at("E9"))]
    fight.give("ge", "Move", dice, units=["y"], path=path)
    assert totals(fight, "us", "Mortar attack") == [6, 6]


@pytest.mark.rule("core 20.1", "core 18.1")
def test_a_mortar_team_fires_a_star_shell_by_night_without_a_die() -> None:
    pieces = f"us m {TEAM} B1\nus lt leader morale=6 lm=1 D2\nge g squad 1-6-4-5 B6"
    fight = battle(LONG, pieces + OTHERS, options={"hour": "night"})
    fields = {"mortar": "m", "target": list(fight.at("B6")), "caller": "lt"}
    assert "core 18.1" in [each.rule for each in fight.refused("us", "FireMortar", **fields)]
    fight.give("us", "FireMortar", **fields, star_shell=True)
    assert fight.state.public.star_shells == ((2, 6),)
    assert (fight.unit("m").fired, fight.unit("lt").ops_complete) == (True, True)


@pytest.mark.rule("core 18.1", "core 10.1")
def test_nobody_is_told_whom_he_does_not_see_entering_his_fire() -> None:
    """A blind battle; the wood hides the crawler, and only he reads of the shells."""
    board = "\n".join([*[". . . . . . . . . ."] * 4, ". . . . F . . . . .", *[". . . . . . . . . ."] * 3])
    fight = battle(
        board, "us m squad 2-5-4-6 E1\nge x squad 1-6-4-5 E6" + OTHERS, active="ge", options={"play": "blind"}
    )
    fight.set("battle", barrages=[{"at": [5, 5], "firepower": 3, "by": "us"}])
    fight.give(
        "ge", "LowCrawl", [("mortar attack", (1, 2)), ("mortar defence", 6)], units=["x"], path=[list(fight.at("E5"))]
    )
    assert totals(fight, "us", "Mortar attack") == []
    assert totals(fight, "ge", "Mortar defence") == [6 + 2]
