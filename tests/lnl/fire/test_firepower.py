"""Who adds what to an attack: squads together, support weapons, single men, and what is added for the situation."""

from __future__ import annotations

import pytest

from tests.lnl.building import battle
from tests.lnl.fire.firing import OTHERS, fire, firepower, refused, totals

US = "squad 2-5-4-6"
GE = "squad 1-6-4-5"
FOREST_AT_B5 = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. F . . . . . .
. . . . . . . .
"""


# Several units


@pytest.mark.rule("core 5.2")
@pytest.mark.parametrize(
    ("squads", "expected"),
    [
        (["1-6-4-5"], 1),
        (["1-6-4-5", "1-6-4-5"], 2),
        (["1-6-4-5", "1-6-4-5", "1-6-4-5"], 2),
        (["2-5-4-6", "1-6-4-5"], 3),
        (["0-5-4-5", "0-5-4-5"], 0),
        (["0-5-4-5", "1-6-4-5"], 1),
    ],
)
def test_one_leads_the_others_add_half_and_the_sum_is_rounded_up_once(squads: list[str], expected: int) -> None:
    """ERR-13."""
    firing = [f"us s{number} squad {squad} B2" for number, squad in enumerate(squads)]
    fight = battle(pieces="\n".join([*firing, "ge g squad 1-6-4-5 B5"]))
    assert firepower(fight, "us", " ".join(f"s{number}" for number in range(len(squads))), "B5") == expected


@pytest.mark.rule("core 5.4", "core 5.2")
def test_a_boxed_range_reaches_twice_as_far_at_half_the_firepower() -> None:
    """E5 and ERR-13: 1, and 1 + 1/2 rounded up."""
    fight = battle(pieces="us a squad 2-2-4-6 extended B2\nus b squad 2-2-4-6 extended B2\nge g squad 1-6-4-5 B5")
    assert firepower(fight, "us", "a", "B5") == 1
    assert firepower(fight, "us", "a b", "B5") == 2


@pytest.mark.rule("core 5.4", "core 5.0")
def test_beyond_twice_a_boxed_range_or_beyond_a_plain_one_nobody_fires() -> None:
    fight = battle(pieces="us a squad 2-2-4-6 extended B1\nus b squad 2-4-4-6 B1\nge g squad 1-6-4-5 B6")
    assert refused(fight, "us", "a", "B6") == ["core 5.0"]
    assert refused(fight, "us", "b", "B6") == ["core 5.0"]


# Support weapons


@pytest.mark.rule("core 1.6.1", "core 5.2")
def test_a_squad_fires_one_weapon_beside_its_own_firepower_or_two_without() -> None:
    fight = battle(pieces="ge a squad 1-6-4-5 B2 mg34, mg34\nus g squad 2-5-4-6 B5", active="ge")
    assert firepower(fight, "ge", "a", "B5", "a/0") == 3
    assert firepower(fight, "ge", "a", "B5", "a/0 a/1") == 4


@pytest.mark.rule("core 1.6.1")
def test_a_half_squad_fires_a_weapon_instead_of_its_own_firepower() -> None:
    fight = battle(pieces="ge a half_squad 1-5-4-5 B2 mg34\nus g squad 2-5-4-6 B5", active="ge")
    assert firepower(fight, "ge", "a", "B5", "a/mg34") == 2


@pytest.mark.rule("core 1.6.1")
@pytest.mark.parametrize(
    ("gun", "printed", "expected"), [("mg34", 2, 1), ("m1919a4", 2, 1), ("m1919a4", 4, 2), ("m1919a4", 3, 2)]
)
def test_a_leader_fires_a_weapon_at_half_once_and_leads_nobody(gun: str, printed: int, expected: int) -> None:
    """LNL-005: his own weapon or a captured one, never a quarter, no leadership."""
    book = {"weapons": {gun: {"firepower": printed, "source": "test", "status": "house"}}}
    fight = battle(pieces=f"ge lt leader morale=6 lm=1 B2 {gun}\nus g squad 2-5-4-6 B6", active="ge", book=book)
    assert firepower(fight, "ge", "lt", "B6", f"lt/{gun}") == expected
    fire(fight, "ge", "lt", "B6", [("attack", 1), ("defence", 6)], f"lt/{gun}")
    assert totals(fight, "ge", "Attack") == [1 + expected]
    assert fight.unit("lt").fired
    assert not fight.unit("g").is_shaken


@pytest.mark.rule("core 1.6.1")
def test_a_captured_weapon_has_half_its_firepower() -> None:
    """LNL-006, its direct part."""
    fight = battle(pieces="us a squad 2-5-4-6 B2 mg42\nge g squad 1-6-4-5 B5")
    fire(fight, "us", "a", "B5", [("attack", 1), ("defence", 6)], "a/mg42")
    assert totals(fight, "us", "Attack") == [4]


@pytest.mark.rule("core 1.6.1", "core 5.2", "core 11.2")
def test_a_hero_fires_a_weapon_at_half_alone_and_whole_with_others() -> None:
    """ERR-05: his own firepower is forfeited either way."""
    pieces = "ge h hero 1-4-5-6 B2 mg42\nge a squad 1-6-4-5 B2\nus g squad 2-5-4-6 B6"
    fight = battle(pieces=pieces, active="ge")
    assert firepower(fight, "ge", "h", "B6", "h/mg42") == 1
    assert firepower(fight, "ge", "h a", "B6", "h/mg42") == 3


@pytest.mark.rule("core 11.2", "core 5.2")
def test_a_hero_adds_all_his_firepower() -> None:
    fight = battle(pieces="ge h hero 1-4-5-6 B2\nge a squad 1-6-4-5 B2\nus g squad 2-5-4-6 B5", active="ge")
    assert firepower(fight, "ge", "h a", "B5") == 2
    assert firepower(fight, "ge", "h", "B5") == 1


@pytest.mark.rule("core 4.0", "core 1.6.1")
def test_a_squad_fires_its_machine_gun_beyond_its_own_range_and_is_done() -> None:
    """LNL-011."""
    board = "\n".join([". " * 10] * 12)
    pieces = "ge a squad 1-6-4-5 B2 mg42\nge b squad 1-6-4-5 H1\nus far squad 2-5-4-6 B10\nus near squad 2-5-4-6 B7"
    fight = battle(board, pieces, active="ge")
    gun = fight.guns("a")[0]
    fire(fight, "ge", "a", "B10", [("attack", 2), ("defence", 5)], "a/mg42")
    assert totals(fight, "ge", "Attack") == [4]
    assert fight.unit("a").fired
    fight.give("us", "Pass")
    found = fight.refused("ge", "Fire", units=["a"], target=list(fight.at("B7")), weapons=[gun])
    assert "core 4.0" in [each.rule for each in found]


@pytest.mark.rule("core 1.6.1", "core 11.3")
@pytest.mark.parametrize("kind", ["medic", "chaplain"])
def test_medics_and_chaplains_fire_nothing(kind: str) -> None:
    fight = battle(pieces=f"us m {kind} morale=6 B2\nge g squad 1-6-4-5 B5")
    assert refused(fight, "us", "m", "B5") == ["core 11.1"]


@pytest.mark.rule("core 1.6.1.01")
def test_a_dismantled_weapon_does_not_fire_and_a_tripod_taken_down_fires_as_its_other_side() -> None:
    fight = battle(
        pieces=(
            "us a squad 2-5-4-6 B2 m1919a4 packed\n"
            "ge g squad 1-6-4-5 B5 mg42_tripod packed\nge k squad 1-6-4-5 C5 mg42_tripod"
        )
    )
    assert refused(fight, "us", "a", "B5", "a/m1919a4") == ["core 1.6.1"]
    fight.give("us", "Pass")
    assert firepower(fight, "ge", "g", "B2", "g/mg42") == 1 + 2
    assert firepower(fight, "ge", "k", "B2", "k/mg42") == 1 + 3


# Satchel charges


@pytest.mark.rule("core 1.6.2", "core 5.0")
@pytest.mark.parametrize(("holding", "mark", "attack"), [(["a"], "", 9), ([], "", 13), (["a"], "moved", 9)])
def test_a_satchel_charge_takes_no_modifier_and_is_used_up(holding: list[str], mark: str, attack: int) -> None:
    """LNL-007: thrown alone 6 and nothing for adjacency or movement; with the squad's own fire 2 + 2 + 6."""
    fight = battle(pieces=f"us a squad 2-5-4-6 E5 satchel\nge g squad 1-6-4-6 E6 {mark}" + OTHERS)
    charge = fight.guns("a")[0]
    fire(
        fight,
        "us",
        "a",
        "E6",
        [("attack", 3), ("defence", 4), ("damage check g", 2)],
        "a/satchel",
        holding=holding,
    )
    assert totals(fight, "us", "Attack") == [attack]
    assert fight.unit("g").is_shaken
    assert fight.unit("a").fired
    assert not fight.has(charge)


@pytest.mark.rule("core 1.6.2", "core 5.01")
def test_a_leader_aids_a_satchel_charge_and_throws_his_own_at_full_power_unaided() -> None:
    fight = battle(
        pieces=(
            "us a squad 2-5-4-6 E5 satchel\nus lt leader morale=6 lm=1 E5\n"
            "us n leader morale=6 lm=2 D6 satchel\nge g squad 1-6-4-6 E6"
        )
    )
    assert firepower(fight, "us", "a", "E6", "a/satchel", holding=["a"]) == 7
    assert firepower(fight, "us", "n", "E6", "n/satchel") == 6


# The situation


@pytest.mark.rule("core 6.1", "core 5.2")
def test_two_is_taken_from_the_stack_after_an_assault_move() -> None:
    """LNL-019 from its second step on."""
    fight = battle(pieces=f"us a {US} B2 assault moved\nus b {US} B2 assault moved\nge g {GE} B5")
    fire(fight, "us", "a b", "B5", [("attack", 5), ("defence", 5), ("damage check g", 2)])
    assert totals(fight, "us", "Attack") == [6]
    assert not fight.unit("g").is_shaken
    assert (fight.unit("a").moved, fight.unit("a").fired) == ("assault", True)


@pytest.mark.rule("core 4.1", "core 5.3")
def test_ops_complete_takes_two_from_opportunity_fire() -> None:
    """LNL-013."""
    fight = battle(
        pieces="us a squad 3-6-4-6 B1 ops complete\nge s squad 0-3-4-5 B7" + OTHERS, active="ge", standing="free"
    )
    path = [list(fight.at("B6"))]
    fight.give("ge", "Move", [("attack", 4), ("defence", 4), ("damage check s", 3)], units=["s"], path=path)
    assert totals(fight, "us", "Attack") == [6]
    assert not fight.unit("s").is_shaken
    assert fight.unit("a").fired


@pytest.mark.rule("core 4.1")
def test_a_negative_firepower_is_legal_and_the_range_still_counts() -> None:
    """ERR-01: 0 - 2 + 1."""
    fight = battle(pieces="us a squad 3-6-4-6 B5\nge s squad 0-3-4-5 B1 ops complete" + OTHERS, standing="free")
    path = [list(fight.at("B4"))]
    fight.give("us", "Move", [("attack", 6), ("defence", 4), ("damage check a", 5)], units=["a"], path=path)
    assert totals(fight, "ge", "Attack") == [5]
    assert not fight.unit("a").is_shaken
    far = battle(pieces="us a squad 3-6-4-6 B7\nge s squad 0-3-4-5 B1 ops complete" + OTHERS, standing="free")
    far.give("us", "Move", units=["a"], path=[list(far.at("B6"))])
    assert not far.unit("s").fired


@pytest.mark.rule("core 4.1", "core 5.2")
def test_ops_complete_is_taken_once_from_a_stack_and_its_machine_gun_is_whole() -> None:
    """REAL-10, as the core rules have it."""
    fight = battle(
        pieces=f"us a {US} B1 ops complete, bar\nus b {US} B1 ops complete\nge s {GE} B6" + OTHERS,
        active="ge",
        standing="free",
        book={"weapons": {"bar": {"firepower": 2, "source": "test", "status": "house"}}},
    )
    fight.give("ge", "Move", [("attack", 1), ("defence", 6)], units=["s"], path=[list(fight.at("B5"))])
    assert totals(fight, "us", "Attack") == [1 + 2 + 1 + 2 - 2 + 1]


@pytest.mark.rule("core 1.6.2", "core 6.3", "core 5.3")
@pytest.mark.parametrize(("verb", "attack", "is_shaken"), [("LowCrawl", 7, False), ("Move", 8, True)])
def test_adjacent_targets_give_two_and_crawling_ones_nothing_more(verb: str, attack: int, is_shaken: bool) -> None:
    """REAL-02."""
    fight = battle(pieces="us a squad 2-5-4-6 H7\nge s squad 1-6-4-5 H5" + OTHERS, active="ge", standing="free")
    dice = [("attack", 3), ("defence", 5), ("damage check s", 3)]
    fight.give("ge", verb, dice, units=["s"], path=[list(fight.at("H6"))])
    assert totals(fight, "us", "Attack") == [attack]
    assert fight.unit("s").is_shaken is is_shaken


@pytest.mark.rule("core 7.0", "core 5.0")
def test_smoke_adds_to_the_terrain_and_takes_one_from_who_fires_out_of_it() -> None:
    """LNL-021: 2 + 1 in a smoked forest."""
    pieces = "us a squad 2-5-4-6 B5\nge g squad 1-6-4-6 B2"
    fight = battle(FOREST_AT_B5, pieces + "\nge k squad 1-6-4-6 H6", active="ge")
    fight.set("battle", smoke={"2,5": 1}, spotted=[list(fight.at("B5"))])
    fire(fight, "ge", "g", "B5", [("attack", 4), ("defence", 2)])
    assert (totals(fight, "ge", "Attack"), totals(fight, "us", "Defence")) == ([5], [5])
    fire(fight, "us", "a", "B2", [("attack", 3), ("defence", 4)])
    assert totals(fight, "us", "Attack")[-1] == 4


@pytest.mark.rule("core 10.3", "core 5.0")
def test_each_degrading_hex_on_the_way_takes_one() -> None:
    board = """
. . . .
. b . .
. b . .
. . . .
"""
    fight = battle(board, "us a squad 2-5-4-6 B1\nge g squad 1-6-4-5 B4")
    assert firepower(fight, "us", "a", "B4") == 0


@pytest.mark.rule("core 5.01", "core 11.11")
def test_a_leader_without_markers_aids_all_fire_of_his_hex_and_is_marked() -> None:
    fight = battle(pieces=f"us a {US} B2\nus lt leader morale=6 lm=2 B2\nge g {GE} B5")
    fire(fight, "us", "a", "B5", [("attack", 1), ("defence", 6)])
    assert totals(fight, "us", "Attack") == [1 + 2 + 2]
    assert fight.unit("lt").fired


@pytest.mark.rule("core 5.01", "core 5.1", "core 4.1", "core 11.11")
@pytest.mark.parametrize("mark", ["moved", "low crawl", "fired", "ops complete", "shaken", "wounded"])
def test_who_may_not_aid(mark: str) -> None:
    """A wounded leader has one less, here none."""
    fight = battle(pieces=f"us a {US} B2\nus lt leader morale=6 lm=1 B2 {mark}\nge g {GE} B5")
    assert firepower(fight, "us", "a", "B5") == 2
    assert refused(fight, "us", "a", "B5", leader="lt") == ["core 5.1" if mark == "shaken" else "core 5.01"]


@pytest.mark.rule("core 11.1")
def test_one_leader_of_a_hex_aids_in_an_impulse() -> None:
    team = "weapon_team 1-9-2-6"
    fight = battle(
        pieces=f"us a {US} B2\nus t {team} B2\nus x leader morale=6 lm=2 B2\nus y leader morale=6 lm=1 B2\nge g {GE} B5"
    )
    fire(fight, "us", "a", "B5", [("attack", 1), ("defence", 6)], leader="y")
    assert fight.unit("y").fired
    assert refused(fight, "us", "t", "B5", leader="x") == ["core 5.01"]
    fire(fight, "us", "t", "B5", [("attack", 1), ("defence", 6)])
    assert totals(fight, "us", "Attack")[-1] == 1 + 1 + 1
    assert not fight.unit("x").fired


@pytest.mark.rule("core 5.01", "core 5.3")
def test_no_leader_aids_opportunity_fire() -> None:
    fight = battle(
        pieces=f"us a {US} B2\nus lt leader morale=6 lm=2 B2\nge g {GE} B6" + OTHERS, active="ge", standing="free"
    )
    fight.give("ge", "Move", [("attack", 1), ("defence", 6)], units=["g"], path=[list(fight.at("B5"))])
    assert totals(fight, "us", "Attack") == [1 + 2 + 1]


@pytest.mark.rule("core 1.6.1.1")
def test_matching_dice_jam_a_weapon_that_is_said_to_jam_and_take_it_from_the_attack() -> None:
    book = {"weapons": {"mg42": {"jams": True, "source": "test", "status": "house"}}}
    fight = battle(pieces="ge a squad 1-6-4-5 B2 mg42\nus g squad 2-5-4-6 B5", active="ge", book=book)
    fire(fight, "ge", "a", "B5", [("attack", 4), ("defence", 4), ("damage check g", 5)], "a/mg42")
    assert fight.weapon(fight.guns("a")[0]).is_jammed
    assert not fight.unit("g").is_shaken
