"""What makes a hex spotted, attempts to spot one, and what comes to light by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from lnl.rules.hidden.spotting import is_spotted, is_unit_spotted, visible_places
from tests.lnl.building import Battle, battle

PLAIN = """
. . . . .
. . . . .
. . . . .
. . . . .
"""
WOODS = """
. . . . .
. . F . .
. . . . .
. . . . .
"""
BRUSH = WOODS.replace("F", "b")


def spotted(fight: Battle, place: str, command: str = "us") -> bool:
    return is_spotted(fight.state, command, fight.at(place))


# Status


@pytest.mark.rule("core 10.1")
def test_open_terrain_is_spotted_and_other_is_not() -> None:
    assert spotted(battle(PLAIN, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2"), "C2")
    assert not spotted(battle(WOODS, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2"), "C2")
    assert not spotted(battle(BRUSH, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2"), "C2")


@pytest.mark.rule("core 10.1")
@pytest.mark.parametrize(
    ("marker", "is_so"),
    [("moved", True), ("assault moved", True), ("fired", True), ("low crawl", False), ("stealth moved", False)],
)
def test_markers_that_give_a_hex_away(marker: str, is_so: bool) -> None:
    fight = battle(WOODS, f"us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2 {marker}\nge h squad 1-6-4-5 C2")
    assert spotted(fight, "C2") is is_so


@pytest.mark.rule("core 10.1", "core 4.1")
def test_an_ops_complete_marker_gives_nothing_away() -> None:
    assert not spotted(battle(WOODS, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2 ops complete"), "C2")


@pytest.mark.rule("core 10.1", "core 5.1")
@pytest.mark.parametrize(("marker", "is_so"), [("", True), ("ops complete", True), ("fired", True), ("shaken", False)])
def test_a_good_order_enemy_next_to_it_spots_a_hex(marker: str, is_so: bool) -> None:
    assert spotted(battle(WOODS, f"us a squad 2-5-4-6 C1 {marker}\nge g squad 1-6-4-5 C2"), "C2") is is_so


@pytest.mark.rule("core 10.1")
def test_adjacency_spots_only_while_it_lasts() -> None:
    fight = battle(WOODS, "us a squad 2-5-4-6 C1\nge g squad 1-6-4-5 C2")
    assert spotted(fight, "C2")
    fight.play.correct({"verb": "MoveTo", "piece": "a", "at": [1, 1, 0]}, "away")
    assert not spotted(fight, "C2")


@pytest.mark.rule("core 6.4")
def test_adjacency_does_not_show_those_who_moved_stealthily() -> None:
    alone = battle(WOODS, "us a squad 2-5-4-6 C1\nge g squad 1-6-4-5 C2 stealth moved")
    assert not spotted(alone, "C2")
    with_another = battle(WOODS, "us a squad 2-5-4-6 C1\nge g squad 1-6-4-5 C2 stealth moved\nge h squad 1-6-4-5 C2")
    assert spotted(with_another, "C2")


@pytest.mark.rule("core 6.3")
def test_adjacency_shows_those_who_crawled() -> None:
    assert spotted(battle(WOODS, "us a squad 2-5-4-6 C1\nge g squad 1-6-4-5 C2 low crawl"), "C2")


@pytest.mark.rule("core 7.0")
def test_smoke_is_blocking_terrain() -> None:
    fight = battle(PLAIN, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2")
    fight.set("battle", smoke={"3,2": 1})
    assert not spotted(fight, "C2")


@pytest.mark.rule("core 10.1")
def test_floors_of_a_building_are_spotted_apart() -> None:
    board = ". . . . .\n. . S . .\n. . S S .\n. . . . .\n"
    pieces = "us a squad 2-5-4-6 A1\nge up squad 1-6-4-5 C2 upstairs, fired\nge down squad 1-6-4-5 C2"
    fight = battle("\n" + board, pieces, map_extra='[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "C2 C3 D3"\n')
    assert spotted(fight, "C2 upstairs")
    assert not spotted(fight, "C2")


@pytest.mark.rule("core 10.2", "core 6.0")
@pytest.mark.parametrize(("mine", "is_so"), [("C3", True), ("C3 upstairs", False), ("C2 upstairs", True), ("B2", True)])
def test_what_is_adjacent_to_a_ground_floor(mine: str, is_so: bool) -> None:
    board = "\n. . . . .\n. . S . .\n. . S S .\n. . . . .\n"
    hall = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "C2 C3 D3"\n'
    fight = battle(board, f"us a squad 2-5-4-6 {mine}\nge g squad 1-6-4-5 C2", map_extra=hall)
    assert spotted(fight, "C2") is is_so


@pytest.mark.rule("core 21.1")
def test_a_bunker_is_spotted_with_its_hex() -> None:
    pieces = (
        "us a squad 2-5-4-6 A1\nge w bunker C2 facing 1\nge in squad 1-6-4-5 C2 in the bunker\nge on squad 1-6-4-5 C2"
    )
    fight = battle(WOODS, pieces)
    assert not spotted(fight, "C2 in the bunker")
    fight.set("on", fired=True)
    assert spotted(fight, "C2 in the bunker")


@pytest.mark.rule("hotm 21.5.1")
def test_a_trench_in_the_open_is_spotted_as_blocking_terrain() -> None:
    """HOM-05."""
    pieces = "us a squad 1-4-4-5 A2\nus b squad 1-4-4-5 E4\nge w trench C2\nge g squad 1-6-4-5 C2"
    fight = battle(PLAIN, pieces)
    refusals = fight.refused("us", "Fire", units=["a"], target=fight.at("C2"))
    assert [each.field for each in refusals] == ["target"]
    fight.give("us", "Spot", [("spot", 2)], unit="a", target=fight.at("C2"))
    assert spotted(fight, "C2")
    fresh = battle(PLAIN, pieces)
    fresh.give("us", "Spot", [("spot", 3)], unit="a", target=fresh.at("C2"))
    assert not spotted(fresh, "C2")
    fresh.set("g", fired=True)
    assert spotted(fresh, "C2")


@pytest.mark.rule("core 10.1", "core 21.6")
def test_a_group_may_read_the_core_without_the_sentence_on_trenches() -> None:
    """L93: laid over, men in a trench in the open are spotted as others there."""
    book = {"markers": {"trench": {"spotted_as": "", "source": "test", "status": "house"}}}
    fight = battle(PLAIN, "us a squad 1-4-4-5 A2\nge w trench C2\nge g squad 1-6-4-5 C2", book=book)
    assert spotted(fight, "C2")


@pytest.mark.rule("core 5.3")
def test_who_moves_is_spotted_himself_and_spots_nobody_else() -> None:
    """LNL-016: what stands still in the hex keeps its own status."""
    fight = battle(WOODS, "us a squad 3-6-4-6 A1\nge g squad 0-3-4-5 C2 moved\nge h squad 1-3-4-5 C2")
    fight.set("g", is_moving=True)
    assert is_unit_spotted(fight.state, "us", "g")
    assert not is_unit_spotted(fight.state, "us", "h")
    assert not spotted(fight, "C2")


@pytest.mark.rule("core 10.0")
def test_places_that_a_command_looks_at() -> None:
    board = "\n. . . . .\n. F . . .\n. . . . .\n. . . . .\n"
    fight = battle(board, "us a squad 2-5-4-6 B1\nge g squad 1-6-4-5 E4")
    seen = visible_places(fight.state, "us")
    assert fight.at("D1") in seen
    assert fight.at("B3") not in seen


# Attempts


@pytest.mark.rule("core 10.1", "core 4.1")
def test_no_fire_before_an_attempt_has_succeeded() -> None:
    """LNL-025: refused; spotted, and full firepower at once: 2 + 4 against 3 + 3."""
    board = WOODS.replace("F", "H")
    fight = battle(board, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2")
    refusals = fight.refused("us", "Fire", units=["a"], target=fight.at("C2"))
    assert [(each.rule, each.field) for each in refusals] == [("core 10.1", "target")]
    fight.give("us", "Spot", [("spot", 2)], unit="a", target=fight.at("C2"))
    assert fight.unit("a").ops_complete
    assert fight.state.public.spotted == (fight.at("C2"),)
    fight.give("us", "Fire", [("attack", 4), ("defence", 3)], units=["a"], target=fight.at("C2"))
    assert fight.unit("a").fired
    assert not fight.unit("g").is_shaken


@pytest.mark.rule("core 10.1")
def test_an_attempt_that_fails_leaves_its_unit_ops_complete() -> None:
    fight = battle(WOODS.replace("F", "H"), "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2")
    fight.give("us", "Spot", [("spot", 3)], unit="a", target=fight.at("C2"))
    assert fight.unit("a").ops_complete
    assert not spotted(fight, "C2")
    fight.refused("us", "Fire", units=["a"], target=fight.at("C2"))


DEGRADED = """
. . . . . .
. . b . b .
. . . . . .
. . . . . .
"""
LED = "us lt leader morale=6 lm=1 mf=6 A2\nus b squad 2-5-4-6 A2\nge g squad 1-6-4-5 E2"


@pytest.mark.rule("core 10.1", "core 11.1")
@pytest.mark.parametrize(("die", "is_so"), [(3, True), (4, False)])
def test_degrading_terrain_makes_it_harder_and_leadership_easier(die: int, is_so: bool) -> None:
    """LNL-026: 3 + 1 - 1 is no more than 3, 4 + 1 - 1 is; and one attempt in an impulse."""
    fight = battle(DEGRADED, LED)
    fight.give("us", "Spot", [("spot", die)], unit="lt", target=fight.at("E2"))
    assert spotted(fight, "E2") is is_so
    assert fight.unit("lt").ops_complete
    again = fight.refused("us", "Spot", unit="b", target=fight.at("E2"))
    assert "One attempt" in again[0].reason or "spotted" in again[0].reason


@pytest.mark.rule("core 11.7")
@pytest.mark.parametrize(("die", "is_so"), [(4, True), (5, False)])
def test_a_scout_takes_two_from_his_die(die: int, is_so: bool) -> None:
    fight = battle(WOODS, "us s scout 0-1-5-6 A1\nge g squad 1-6-4-5 C2")
    fight.give("us", "Spot", [("spot", die)], unit="s", target=fight.at("C2"))
    assert spotted(fight, "C2") is is_so


@pytest.mark.rule("core 10.1")
@pytest.mark.parametrize(
    "marker", ["moved", "assault moved", "low crawl", "stealth moved", "fired", "ops complete", "shaken"]
)
def test_who_bears_a_marker_or_is_shaken_may_not_try(marker: str) -> None:
    fight = battle(WOODS, f"us a squad 2-5-4-6 A1 {marker}\nus b squad 2-5-4-6 E4\nge g squad 1-6-4-5 C2")
    assert [each.field for each in fight.refused("us", "Spot", unit="a", target=fight.at("C2"))] == ["unit"]


@pytest.mark.rule("core 11.3", "core 11.5", "core 11.10")
@pytest.mark.parametrize("kind", ["medic", "chaplain", "nurse"])
def test_who_may_never_try(kind: str) -> None:
    fight = battle(WOODS, f"us a {kind} morale=6 mf=4 A1\nge g squad 1-6-4-5 C2")
    assert [each.field for each in fight.refused("us", "Spot", unit="a", target=fight.at("C2"))] == ["unit"]


@pytest.mark.rule("core 10.3")
def test_without_a_line_of_sight_there_is_no_attempt() -> None:
    board = "\n. . . . . .\n. . F . b .\n. . . . . .\n. . . . . .\n"
    fight = battle(board, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 E2")
    refusals = fight.refused("us", "Spot", unit="a", target=fight.at("E2"))
    assert [each.rule for each in refusals] == ["core 10.3"]


@pytest.mark.rule("core 10.1", "core 4.0")
def test_an_attempt_alone_is_a_pass_when_the_impulse_is_passed() -> None:
    """REAL-29: spotting is no impulse, and passing after it counts among the three."""
    fight = battle(WOODS.replace("F", "w"), "us a squad 2-5-4-6 A1\nus b squad 2-5-4-6 E4\nge g squad 1-6-4-5 C2")
    fight.give("us", "Spot", [("spot", 4)], unit="a", target=fight.at("C2"))
    assert (fight.state.public.active, fight.unit("a").ops_complete) == ("us", True)
    fight.give("us", "Pass")
    assert (fight.state.public.active, fight.state.public.passes) == ("ge", 1)
    fight.give("ge", "Pass")
    assert fight.state.public.passes == 2


@pytest.mark.rule("core 10.1")
def test_each_impulse_has_its_own_attempt() -> None:
    fight = battle(WOODS, "us a squad 2-5-4-6 A1\nus b squad 2-5-4-6 E4\nge g squad 1-6-4-5 C2")
    fight.give("us", "Spot", [("spot", 6)], unit="a", target=fight.at("C2"))
    fight.give("us", "Pass")
    fight.give("ge", "Pass")
    fight.give("us", "Spot", [("spot", 1)], unit="b", target=fight.at("C2"))
    assert spotted(fight, "C2")


@pytest.mark.rule("core 10.1")
def test_a_marker_goes_when_all_have_left() -> None:
    fight = battle(WOODS, "us a squad 2-5-4-6 A1\nus b squad 2-5-4-6 E4\nge g squad 1-6-4-5 C2\nge h squad 1-6-4-5 C2")
    fight.give("us", "Spot", [("spot", 1)], unit="a", target=fight.at("C2"))
    fight.give("us", "Pass")
    fight.give("ge", "Move", units=["g"], path=[fight.at("C3")])
    assert fight.state.public.spotted == (fight.at("C2"),)
    fight.give("ge", "EndImpulse")
    fight.give("us", "Pass")
    fight.give("ge", "Move", units=["h"], path=[fight.at("C3")])
    assert not fight.state.public.spotted


@pytest.mark.rule("core 10.1", "core 5.0")
def test_who_has_fired_may_be_fired_at_without_an_attempt() -> None:
    """REAL-06: refused before the shot; after it 2 + 4 against 2 + 2."""
    fight = battle(WOODS, "us a squad 2-5-4-6 A1\nus b squad 2-5-4-6 E4\nge g squad 1-6-4-5 C2", active="us")
    fight.refused("us", "Fire", units=["a"], target=fight.at("C2"))
    fight.give("us", "Pass")
    fight.give("ge", "Fire", [("attack", 1), ("defence", 6)], units=["g"], target=fight.at("A1"))
    checks = [("attack", 4), ("defence", 2), ("damage check", 1), ("hero", 1)]
    fight.give("us", "Fire", checks, units=["a"], target=fight.at("C2"))


@pytest.mark.rule("core 10.1")
def test_odds_of_an_attempt_are_exact() -> None:
    fight = battle(WOODS, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 C2")
    order: Mapping[str, Any] = {"verb": "Spot", "unit": "a", "target": list(fight.at("C2"))}
    odds = fight.play.odds("us", order)
    assert {(fate.piece, fate.what): str(chance) for fate, chance in odds.fates.items()} == {
        ("3,2,0", "spotted"): "1/3"
    }


# What comes to light


@pytest.mark.rule("core 6.0")
@pytest.mark.parametrize(
    ("dice", "is_seen"),
    [
        ([("attack", 3), ("defence", 3), ("damage check", 4)], False),
        ([("attack", 3), ("defence", 6)], True),
    ],
)
def test_hidden_units_next_to_who_was_shaken_on_arrival_stay_hidden(dice: list[tuple[str, int]], is_seen: bool) -> None:
    """LNL-051 a, b: enter, opportunity fire, and only then what is adjacent is spotted."""
    board = "\n. . . . . . . . . . . . .\n. . . . . . . . . . . . .\n. . . . H . . . . . . . .\n"
    pieces = """
    us a squad 2-5-4-6 E1
    ge h squad 1-6-4-5 E3 hidden
    ge g squad 1-6-4-5 M2 mg42
    """
    fight = battle(board, pieces, standing="ask")
    answers = [("ge", ("13,2,0 ge",))]
    fight.give("us", "Move", dice, units=["a"], path=[fight.at("E2")], answers=answers)
    assert ("h" in fight.state.public.pieces) is is_seen


@pytest.mark.rule("core 10.1")
def test_hidden_units_in_the_open_are_revealed_by_a_line_of_sight() -> None:
    board = "\n. . . . .\n. F . . .\n. . . . .\n. . . . .\n"
    fight = battle(board, "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 B3 hidden")
    assert "g" not in fight.state.public.pieces
    fight.give("us", "Move", units=["a"], path=[fight.at("A2")])
    assert "g" in fight.state.public.pieces
    assert any("Comes to light" in line for line in fight.lines("us"))
