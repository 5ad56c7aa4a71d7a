"""What the defence adds: terrain, works, hexsides; and what bunkers and arcs let nobody do."""

from __future__ import annotations

import pytest

from lnl.rules.fire.target_modifiers import sides_crossed, target_modifiers
from lnl.rules.fire.volley import exposed
from tests.lnl.building import battle
from tests.lnl.fire.firing import OTHERS, fire, refused, totals
from umpire.kernel.values.modifiers import total

US, GE = "squad 2-5-4-6", "squad 1-6-4-5"
FACING = {"foxhole": "", "trench": "", "bunker": "facing 1"}
WOODS = "\n".join([". F w b H S r . . .", *[". . . . . . . . . ."] * 7])


@pytest.mark.rule("core 5.0", "core 10.4")
@pytest.mark.parametrize(
    ("place", "expected"), [("A1", 0), ("B1", 2), ("C1", 1), ("D1", 1), ("E1", 3), ("F1", 4), ("G1", 0)]
)
def test_the_terrain_around_the_dot(place: str, expected: int) -> None:
    fight = battle(WOODS, f"us a {US} {place}" + OTHERS)
    assert total(target_modifiers(fight.state, fight.unit("a"))) == expected


@pytest.mark.rule("core 21.2", "core 21.6", "core 21.1")
@pytest.mark.parametrize(
    ("work", "place", "direct", "mortar"),
    [("foxhole", "B3", 1, 1), ("trench", "B3", 2, 1), ("bunker", "B3", 0, 0), ("bunker", "B3 in the bunker", 2, 2)],
)
def test_works_add_to_the_hex_and_a_trench_less_against_mortars(
    work: str, place: str, direct: int, mortar: int
) -> None:
    fight = battle(WOODS, f"us a {US} {place}\nus w {work} B3 {FACING[work]}" + OTHERS)
    assert total(target_modifiers(fight.state, fight.unit("a"))) == direct
    assert total(target_modifiers(fight.state, fight.unit("a"), mortar=True)) == mortar


@pytest.mark.rule("core 21.6")
def test_a_foxhole_in_the_forest() -> None:
    fight = battle(WOODS, f"us a {US} B1\nus w foxhole B1" + OTHERS)
    assert total(target_modifiers(fight.state, fight.unit("a"))) == 3


@pytest.mark.rule("core 10.4", "core 5.0")
def test_a_wall_covers_from_fire_that_crosses_it_on_the_targets_own_side_alone() -> None:
    fight = battle(pieces=f"us a {US} B4" + OTHERS, map_extra='[hexsides]\nwall = ["B3-B4"]\n')
    each = fight.unit("a")
    assert total(target_modifiers(fight.state, each, fight.at("B1"))) == 2
    assert total(target_modifiers(fight.state, each, fight.at("B7"))) == 0
    assert total(target_modifiers(fight.state, each)) == 0
    behind = fight.at("B3")
    fight.set("a", at=list(behind))
    assert total(target_modifiers(fight.state, fight.unit("a"), fight.at("B1"))) == 0


@pytest.mark.rule("core 10.4")
def test_fire_through_a_corner_crosses_both_sides_there() -> None:
    assert sides_crossed((2, 1), (2, 4)) == (1,)
    assert sides_crossed((6, 4), (4, 4)) == (2, 3)
    assert sides_crossed((4, 4), (4, 4)) == ()


@pytest.mark.rule("core 5.3", "core 6.0", "core 6.3", "core 6.4")
@pytest.mark.parametrize(
    ("mark", "place", "expected"),
    [
        ("", "B3", 0),
        ("moved", "B3", 1),
        ("assault moved", "B3", 1),
        ("low crawl", "B3", 0),
        ("stealth moved", "B3", 0),
        ("moved", "B2", 0),
    ],
)
def test_markers_of_movement_make_a_better_target_but_in_low_crops(mark: str, place: str, expected: int) -> None:
    board = "\n".join([". . . . . . . . . .", ". c . . . . . . . .", *[". . . . . . . . . ."] * 6])
    fight = battle(board, f"us a {US} {place} {mark}" + OTHERS)
    assert total(exposed(fight.state, fight.unit("a"))) == expected


@pytest.mark.rule("core 21.1", "core 5.0")
def test_who_is_in_a_bunker_fires_through_its_front_three_hexes_only() -> None:
    """It faces north."""
    fight = battle(pieces=f"us a {US} D4 in the bunker\nus w bunker D4 facing 1\nge n {GE} D1\nge s {GE} D7")
    assert refused(fight, "us", "a", "D7") == ["core 21.1"]
    fire(fight, "us", "a", "D1", [("attack", 1), ("defence", 6)])


@pytest.mark.rule("core 21.1")
def test_on_top_one_fires_into_the_bunker_as_if_adjacent_and_not_the_other_way() -> None:
    fight = battle(pieces=f"us a {US} D4\nus w bunker D4 facing 1\nge n {GE} D4 in the bunker" + OTHERS)
    fire(fight, "us", "a", "D4 in the bunker", [("attack", 1), ("defence", 6)])
    assert totals(fight, "us", "Attack") == [1 + 2 + 2]
    assert totals(fight, "ge", "Defence") == [6 + 2]
    assert "core 21.1" in refused(fight, "ge", "n", "D4")


@pytest.mark.rule("core 1.6.3")
def test_a_weapon_team_fires_within_its_arc_and_a_recoilless_rifle_not_from_a_building() -> None:
    fight = battle(
        WOODS,
        "us t weapon_team 2-9-2-6 facing D4 facing 1\nus r weapon_team 2-9-2-6 rr F1\n"
        "ge m squad 1-6-4-5 F4\nge n squad 1-6-4-5 E2\nge s squad 1-6-4-5 D7",
    )
    assert refused(fight, "us", "t", "D7") == ["core 1.6.3"]
    assert "core 1.6.3" in refused(fight, "us", "r", "F4")
    fire(fight, "us", "t", "E2", [("attack", 1), ("defence", 6)])


@pytest.mark.rule("core 1.6.3", "core 5.2")
def test_weapon_teams_fire_by_themselves_and_need_no_impulse_of_their_own() -> None:
    """LNL-018: two targets of plain fire are refused; the team may fire at another one."""
    fight = battle(
        pieces=f"us a {US} B2\nus b {US} B2\nus t weapon_team 2-9-2-6 B2\nge x {GE} B6\nge z {GE} D5" + OTHERS
    )
    assert refused(fight, "us", "a t", "B6") == ["core 5.2"]
    fire(fight, "us", "a", "B6", [("attack", 1), ("defence", 6)])
    assert refused(fight, "us", "b", "D5") == ["core 4.0"]
    fire(fight, "us", "t", "D5", [("attack", 1), ("defence", 6)])


@pytest.mark.rule("core 5.0")
def test_nobody_fires_into_a_melee_or_where_his_own_are_but_past_both() -> None:
    fight = battle(pieces=f"us a {US} B1\nus b {US} B3\nus c {US} B4\nge x {GE} B5\nge y {GE} B7" + OTHERS)
    dice = [("melee us", (1, 1)), ("melee ge", (1, 1))]
    fight.give("us", "Move", dice, units=["c"], path=[list(fight.at("B5"))])
    fight.give("ge", "Pass")
    assert refused(fight, "us", "a", "B5") == ["core 5.0"]
    assert refused(fight, "us", "a", "B3") == ["core 5.0"]
    assert fight.play.check("us", {"verb": "Fire", "units": ["b"], "target": list(fight.at("B7"))}) == []


@pytest.mark.rule("core 10.1", "core 5.0")
def test_who_fires_from_cover_may_be_fired_at() -> None:
    """REAL-06: a forest, 2 + 4 against 2 + 2."""
    board = "\n".join([". . . .", ". F . .", *[". . . ."] * 6])
    fight = battle(board, f"us a {US} B6\nge j squad 2-5-4-6 B2" + OTHERS.replace("J1", "D1").replace("J8", "D8"))
    assert refused(fight, "us", "a", "B2") == ["core 10.1"]
    fight.give("us", "Pass")
    fire(fight, "ge", "j", "B6", [("attack", 1), ("defence", 6)])
    fire(fight, "us", "a", "B2", [("attack", 4), ("defence", 2), ("damage check j", 2)])
    assert (totals(fight, "us", "Attack")[-1], totals(fight, "ge", "Defence")[-1]) == (6, 4)


@pytest.mark.rule("core 1.6.2")
def test_a_flamethrower_drives_the_shaken_out_and_away() -> None:
    fight = battle(pieces=f"us a {US} D4 flamethrower\nge g squad 1-6-4-6 D3" + OTHERS)
    dice = [("attack", 1), ("defence", 4), ("damage check g", 2)]
    fire(fight, "us", "a", "D3", dice, "a/flame", answers=[("ge", ["D2"])])
    assert fight.unit("g").is_shaken
    assert (fight.unit("g").at, fight.unit("g").moved) == (fight.at("D2"), "move")


@pytest.mark.rule("core 1.6.2")
def test_without_a_hex_to_go_to_the_shaken_are_eliminated() -> None:
    fight = battle(pieces=f"us a {US} B2 flamethrower\nge g squad 1-6-4-6 B1" + OTHERS)
    fire(fight, "us", "a", "B1", [("attack", 1), ("defence", 4), ("damage check g", 2)], "a/flame")
    assert not fight.has("g")


@pytest.mark.rule("core 1.6.2", "core 1.3")
def test_nobody_retreats_into_a_full_hex_or_nearer_to_another_enemy() -> None:
    """DIG-09: of the three hexes behind one is full, one is nearer to an enemy in sight."""
    full = "".join(f"\nge f{number} {GE} D2" for number in range(3))
    fight = battle(pieces=f"us a {US} D4 flamethrower\nus b squad 2-5-4-6 G2\nge g squad 1-6-4-6 D3{full}" + OTHERS)
    fire(fight, "us", "a", "D3", [("attack", 1), ("defence", 4), ("damage check g", 2)], "a/flame")
    assert fight.unit("g").at == fight.at("C2")
