"""Lines of sight: each sentence of the rules, and the worked cases."""

from __future__ import annotations

import pytest

from lnl.board.ground import level_of, place_named
from lnl.board.obstacles import obstacles_of
from lnl.board.sight import Overlay, sight_of
from tests.lnl.board.boards import HEXAGON, bearing, line, map_of, sight_on, tables, text_of

TALL = {"I5 I6 J5": "stone_building"}


@pytest.mark.rule("core 10.1", "core 10.3")
def test_what_spills_from_a_hex_at_an_end_does_not_count() -> None:
    strip = ((-50, 100), (50, 100), (90, 180), (-90, 180))
    text = text_of(terrain={"E4": "brush"}, number=4, art=[("E4", "brush", HEXAGON), ("E4", "brush", strip)])
    sight = sight_on(map_of(text))
    assert line(sight, "4E4", "4D4").obstacles == ()
    assert line(sight, "4E4", "4E6").obstacles == ()
    past = line(sight, "4B5", "4G5")
    assert (past.is_blocked, past.degrading) == (False, 1)
    assert ("4E5", "degrades") in bearing(past)


@pytest.mark.rule("core 10.2")
def test_an_upper_storey_is_two_levels_above_its_ground() -> None:
    ground = map_of(
        text_of(terrain={**TALL, "C3": "stone_building"}, levels={1: "C3"}, storeys={"I5 I6 J5": 2, "C3": 2})
    )
    assert level_of(ground, place_named(ground, "I5 upstairs"), tables().terrain) == 2
    assert level_of(ground, place_named(ground, "C3 upstairs"), tables().terrain) == 3
    assert level_of(ground, place_named(ground, "C3"), tables().terrain) == 1


@pytest.mark.rule("core 10.2")
def test_different_floors_of_neighbouring_hexes_do_not_see_each_other() -> None:
    sight = sight_on(map_of(text_of(terrain=TALL, storeys={"I5 I6 J5": 2})))
    assert line(sight, "I5 upstairs", "I6").is_blocked
    assert [each.rule for each in line(sight, "I5 upstairs", "I6").obstacles] == ["core 10.2"]
    assert not line(sight, "I5 upstairs", "I6 upstairs").is_blocked
    assert not line(sight, "I5", "I6").is_blocked
    assert not line(sight, "I5 upstairs", "I5").is_blocked
    assert not line(sight, "I5 upstairs", "I4").is_blocked


@pytest.mark.rule("core 10.3")
def test_forest_of_two_levels_on_a_hill_reaches_the_third() -> None:
    ground = map_of(text_of(terrain={"E5": "forest"}, levels={1: "E5", 3: "E1"}))
    assert level_of(ground, place_named(ground, "E5"), tables().terrain) == 1
    obstacles = obstacles_of(ground, tables())
    assert [each.top for each in obstacles.filling[obstacles.number[(5, 5)]]] == [3]
    assert line(sight_on(ground), "E1", "E8").is_blocked
    higher = map_of(text_of(terrain={"E5": "forest"}, levels={1: "E5", 4: "E1"}))
    assert not line(sight_on(higher), "E1", "E8").is_blocked


@pytest.mark.rule("core 10.3")
def test_blocking_terrain_on_the_level_of_both_blocks() -> None:
    sight = sight_on(map_of(text_of(terrain={"F3": "forest"}, number=15)))
    found = line(sight, "15E3", "15G2")
    assert found.is_blocked
    assert bearing(found) == [("15F3", "blocks")]
    assert found.distance == 2
    assert found.why == "Blocked: Forest in 15F3"


@pytest.mark.rule("core 10.3")
def test_terrain_in_the_hexes_at_both_ends_does_not_count() -> None:
    for kind in ("forest", "brush"):
        sight = sight_on(map_of(text_of(terrain={"E3 G2": kind}, number=15)))
        assert line(sight, "15E3", "15G2").obstacles == ()


@pytest.mark.rule("core 10.3")
def test_degrading_terrain_on_the_level_of_both_degrades() -> None:
    found = line(sight_on(map_of(text_of(terrain={"K5": "brush"}, number=15))), "15K6", "15K4")
    assert (found.is_blocked, found.degrading) == (False, 1)
    assert found.why == "Degraded by 1: Brush in 15K5"


@pytest.mark.rule("core 10.3")
def test_more_than_two_degrading_hexes_block() -> None:
    three = line(sight_on(map_of(text_of(terrain={"B3 C2 D2": "brush"}, number=15))), "15A3", "15F1")
    assert (three.is_blocked, three.degrading) == (True, 3)
    assert bearing(three) == [("15B3", "degrades"), ("15C2", "degrades"), ("15D2", "degrades")]
    assert three.why.startswith("Blocked: degraded more than 2 times")
    two = line(sight_on(map_of(text_of(terrain={"B3 C2": "brush"}, number=15))), "15A3", "15F1")
    assert (two.is_blocked, two.degrading) == (False, 2)


@pytest.mark.rule("core 10.3")
def test_a_hex_degrades_once() -> None:
    sight = sight_on(map_of(text_of(terrain={"K5": "light_woods"})), ("K5", "wreck"))
    assert line(sight, "K6", "K4").degrading == 1
    drawn = text_of(terrain={"K5": "light_woods"}, art=[("K5", "light_woods", HEXAGON), ("K5", "brush", HEXAGON[:3])])
    assert line(sight_on(map_of(drawn), ("K5", "wreck")), "K6", "K4").degrading == 1


@pytest.mark.rule("core 10.3")
def test_the_drawing_must_be_crossed_not_only_its_hex() -> None:
    west = text_of(terrain={"K5": "forest"}, art=[("K5", "forest", ((-90, 0), (-10, -60), (-10, 60)))])
    assert not line(sight_on(map_of(west)), "K6", "K4").is_blocked
    middle = text_of(terrain={"K5": "forest"}, art=[("K5", "forest", ((-90, 0), (10, -60), (10, 60)))])
    assert line(sight_on(map_of(middle)), "K6", "K4").is_blocked


@pytest.mark.rule("core 10.1", "core 10.3")
@pytest.mark.parametrize(("kind", "blocks"), [("forest", True), ("brush", False)])
def test_a_drawing_that_reaches_into_an_open_hex_counts_there(kind: str, blocks: bool) -> None:
    text = text_of(terrain={"J5": kind}, art=[("J5", kind, ((0, 0), (120, 20), (120, 140), (0, 60)))])
    ground = map_of(text)
    assert {each.at for each in ground.silhouettes} == {"J5", "K5"}
    found = line(sight_on(ground), "I6", "L5")
    assert (found.is_blocked, found.degrading) == (blocks, 0 if blocks else 1)
    assert [at for at, _ in bearing(found)] == ["K5"]


@pytest.mark.rule("core 10.3")
def test_what_is_lower_than_both_does_not_count() -> None:
    clear = {"F3": "stone_building", "I4": "copse"}
    sight = sight_on(map_of(text_of(terrain=clear, number=18, levels={2: "L6"}, storeys={"F3": 2})))
    assert line(sight, "18F3 upstairs", "18L6").obstacles == ()
    shaded = {"F3": "stone_building", "K5": "copse"}
    sight = sight_on(map_of(text_of(terrain=shaded, number=18, storeys={"F3": 2})))
    found = line(sight, "18F3 upstairs", "18L6")
    assert found.is_blocked
    assert bearing(found) == [("18K5", "shadow")]
    assert found.why == "Blocked: hidden right behind Copse in 18K5"


@pytest.mark.rule("core 10.3")
@pytest.mark.parametrize(
    ("kind", "at", "base", "blocked"),
    [
        ("tower", "F4", 2, True),
        ("tower", "F4", 0, True),
        ("bluff", "F4", 0, False),
        ("bluff", "F6", 0, True),
        ("bluff", "F5", 0, False),
        ("copse", "F6", 0, True),
        ("brush", "F6", 0, False),
    ],
)
def test_from_a_hill_down_past_something(kind: str, at: str, base: int, blocked: bool) -> None:
    levels = {2: f"F1 {at}"} if base else {2: "F1"}
    found = line(sight_on(map_of(text_of(terrain={at: kind}, levels=levels))), "F1", "F7")
    assert (found.is_blocked, found.distance) == (blocked, 6)


@pytest.mark.rule("core 10.3")
def test_the_shadow_is_one_hex_and_behind() -> None:
    sight = sight_on(map_of(text_of(terrain={"F4": "copse"}, levels={2: "F1"})))
    assert line(sight, "F1", "F5").is_blocked
    assert not line(sight, "F1", "F6").is_blocked
    assert not line(sight, "F1", "F3").is_blocked
    high_target = sight_on(map_of(text_of(terrain={"F4": "copse"}, levels={2: "F5", 3: "F1"})))
    assert not line(high_target, "F1", "F5").is_blocked


@pytest.mark.rule("core 10.3")
def test_degrading_terrain_on_the_level_of_the_higher_degrades() -> None:
    for kind in ("brush", "copse"):
        sight = sight_on(map_of(text_of(terrain={"F2 F3": kind}, levels={2: "F1 F2 F3"})))
        found = line(sight, "F1", "F7")
        assert (found.is_blocked, found.degrading) == (False, 2)
    three = sight_on(map_of(text_of(terrain={"F2 F3 F4": "brush"}, levels={2: "F1 F2 F3 F4"})))
    assert line(three, "F1", "F7").is_blocked


@pytest.mark.rule("core 10.3")
def test_ground_higher_than_both_blocks() -> None:
    knoll = map_of(text_of(levels={1: "F4"}))
    found = line(sight_on(knoll), "F1", "F7")
    assert found.is_blocked
    assert found.why == "Blocked: Hill in F4"
    plateau = map_of(text_of(levels={1: "F1 F4"}))
    assert not line(sight_on(plateau), "F1", "F7").is_blocked


@pytest.mark.rule("core 10.3")
def test_a_building_of_two_storeys_higher_than_both_blocks() -> None:
    kinds = {"E4 F4 E5": "stone_building"}
    low = sight_on(map_of(text_of(terrain=kinds, levels={2: "F1 F7"}, storeys={"E4 F4 E5": 1})))
    assert not line(low, "F1", "F7").is_blocked
    tall = sight_on(map_of(text_of(terrain=kinds, levels={2: "F1 F7"}, storeys={"E4 F4 E5": 2})))
    assert line(tall, "F1", "F7").is_blocked


@pytest.mark.rule("core 10.5")
def test_a_terrain_marker_fills_its_hex() -> None:
    ground = map_of(text_of())
    found = line(sight_on(ground, ("F4", "wooden_building")), "D4", "H3")
    assert found.is_blocked
    assert [(each.at, each.effect, each.rule) for each in found.obstacles] == [("F4", "blocks", "core 10.5")]
    printed = text_of(
        terrain={"F4": "wooden_building"}, art=[("F4", "wooden_building", ((-40, -10), (40, -10), (40, 90), (-40, 90)))]
    )
    assert not line(sight_on(map_of(printed)), "D4", "H3").is_blocked


@pytest.mark.rule("core 10.5")
def test_a_terrain_marker_takes_the_place_of_what_is_printed() -> None:
    for art in ([], [("F4", "forest", HEXAGON)]):
        ground = map_of(text_of(terrain={"F4": "forest"}, art=art))
        assert line(sight_on(ground), "F1", "F7").is_blocked
        found = line(sight_on(ground, ("F4", "light_woods")), "F1", "F7")
        assert (found.is_blocked, found.degrading) == (False, 1)


@pytest.mark.rule("core 10.3", "core 10.5")
def test_along_a_hexside_whatever_touches_it_counts() -> None:
    clear = map_of(text_of(number=15))
    assert line(sight_on(clear, ("15J5", "wooden_building")), "15I5", "15K5").is_blocked
    apart = text_of(
        number=15,
        terrain={"J5": "wooden_building"},
        art=[("J5", "wooden_building", ((-40, -90), (40, -90), (40, 90), (-40, 90)))],
    )
    assert line(sight_on(map_of(apart)), "15I5", "15K5").obstacles == ()
    both = line(sight_on(clear, ("15J5", "light_woods"), ("15J6", "light_woods")), "15I5", "15K5")
    assert (both.is_blocked, both.degrading) == (False, 2)
    one = line(sight_on(clear, ("15J6", "light_woods")), "15I5", "15K5")
    assert (one.is_blocked, one.degrading) == (False, 1)


@pytest.mark.rule("core 1.4", "core 10.3")
@pytest.mark.parametrize(("a", "b", "beside"), [("J1", "L1", "K1"), ("I8", "K8", "J8")])
def test_beyond_the_edge_is_nothing(a: str, b: str, beside: str) -> None:
    ground = map_of(text_of())
    assert line(sight_on(ground), a, b).obstacles == ()
    assert line(sight_on(ground, (beside, "wooden_building")), a, b).is_blocked


@pytest.mark.rule("core 7.0", "core 10.3")
def test_smoke_blocks_through_its_hex_but_not_from_it_or_into_it() -> None:
    sight = sight_on(map_of(text_of(terrain={"F4": "brush"})), ("F4", "smoke"))
    assert [(each.what, each.effect) for each in line(sight, "F1", "F7").obstacles] == [
        ("Brush", "degrades"),
        ("Smoke", "blocks"),
    ]
    assert not line(sight, "F1", "F4").is_blocked
    assert not line(sight, "F4", "F7").is_blocked


@pytest.mark.rule("core 10.3")
def test_a_wall_blocks_on_its_level_but_for_those_behind_it() -> None:
    assert line(sight_on(map_of(text_of(hexsides={"wall": "F3-F4"}))), "F1", "F7").is_blocked
    for own in ("F1-F2", "F6-F7"):
        assert not line(sight_on(map_of(text_of(hexsides={"wall": own}))), "F1", "F7").is_blocked
    from_above = map_of(text_of(hexsides={"wall": "F3-F4"}, levels={1: "F1"}))
    assert not line(sight_on(from_above), "F1", "F7").is_blocked
    on_the_slope = map_of(text_of(hexsides={"wall": "F1-F2 F2-F3"}, levels={1: "F1 F2"}))
    assert line(sight_on(on_the_slope), "F1", "F7").is_blocked


@pytest.mark.rule("core 10.3")
def test_bocage_blocks_and_hedges_degrade() -> None:
    bocage = line(sight_on(map_of(text_of(hexsides={"bocage": "F3-F4"}))), "F1", "F7")
    assert bocage.is_blocked
    assert bocage.why == "Blocked: Bocage between F3 and F4"
    found = line(sight_on(map_of(text_of(hexsides={"hedge": "F3-F4 F4-F5"}))), "F1", "F7")
    assert (found.is_blocked, found.degrading) == (False, 2)
    assert line(sight_on(map_of(text_of(hexsides={"hedge": "F2-F3 F3-F4 F4-F5"}))), "F1", "F7").is_blocked
    assert line(sight_on(map_of(text_of(hexsides={"bocage": "F3-F4"}, levels={1: "F1"}))), "F1", "F7").is_blocked


@pytest.mark.rule("hid 21.5")
def test_along_a_barricade_that_reaches_an_end_one_sees() -> None:
    sight = sight_on(map_of(text_of(16, hexsides={"barricade": "J5-J6"})))
    assert not line(sight, "I5", "K5").is_blocked
    assert not line(sight, "I5", "M5").is_blocked
    assert line(sight, "G5", "M5").is_blocked
    assert line(sight, "J4", "J7").is_blocked
    assert not line(sight, "J5", "J7").is_blocked


@pytest.mark.rule("core 10.3")
def test_hedges_that_meet_on_the_line_degrade_once() -> None:
    sight = sight_on(map_of(text_of(16, hexsides={"hedge": "J5-K5 J6-K5"})))
    assert line(sight, "I5", "O5").degrading == 1
    along = sight_on(map_of(text_of(16, hexsides={"hedge": "J5-K5 J6-K5 K5-L5 L5-L6"})))
    assert line(along, "I5", "O5").degrading == 2


@pytest.mark.rule("core 21.1")
def test_from_a_bunker_one_sees_as_from_its_hex() -> None:
    sight = sight_on(map_of(text_of(terrain={"F4": "forest"})))
    assert line(sight, "F1 in the bunker", "F7").is_blocked
    assert not line(sight, "F1 in the bunker", "F3").is_blocked
    assert not line(sight, "F1 in the bunker", "F1").is_blocked


def test_a_field_names_what_is_seen() -> None:
    ground = map_of(text_of(3, 3, terrain={"B2": "forest", "A3": "stone_building"}, storeys={"A3": 2}))
    sight = sight_on(ground)
    hidden = {(1, 2, 0), (1, 3, 0), (2, 3, 0), (3, 2, 0), (3, 3, 0)}
    seen = sight.field((2, 1, 0)).seen()
    assert set(seen) | hidden >= {place for place in ground.places() if place[2] == 0}
    assert all(sight.sees((2, 1, 0), place) for place in seen)
    assert (2, 3, 0) not in seen
    told: list[tuple[int, int]] = []
    fields = dict(sight.whole(lambda done, of: told.append((done, of))))
    assert sorted(fields) == sorted(ground.places())
    assert told == [(n, 10) for n in range(1, 11)]


def test_equal_questions_are_remembered() -> None:
    ground = map_of(text_of())
    one = sight_of(ground, tables(), (Overlay((6, 4), "smoke"), Overlay((6, 5), "wreck")))
    other = sight_of(map_of(text_of()), tables(), (Overlay((6, 5), "wreck"), Overlay((6, 4), "smoke")))
    assert one is other
    assert sight_of(ground, tables(), ()) is not one


@pytest.mark.parametrize("overlay", [Overlay((60, 4), "smoke"), Overlay((6, 4), "fog")])
def test_overlays_that_cannot_lie_there_are_refused(overlay: Overlay) -> None:
    with pytest.raises(KeyError):
        sight_of(map_of(text_of()), tables(), (overlay,))


@pytest.mark.parametrize("place", [(60, 4, 0), (6, 4, 1)])
def test_places_that_the_map_does_not_have_are_refused(place: tuple[int, int, int]) -> None:
    sight = sight_on(map_of(text_of()))
    with pytest.raises(KeyError):
        sight.sees((1, 1, 0), place)
    with pytest.raises(KeyError):
        sight.field(place)
    with pytest.raises(KeyError):
        sight.line(place, (1, 1, 0))
