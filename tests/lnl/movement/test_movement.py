"""Movement: what steps cost, how far units go, what stops them."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.rules.movement.going import cost_of
from lnl.rules.movement.movement import allowance
from lnl.rules.movement.reach import reachable
from lnl.state.finding import unit
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.values.modifiers import total

LEADER = "leader morale=6 lm=1 mf=6"


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


def go(fight: Battle, verb: str, units: str, *path: str, seat: str = "us", **fields: Any) -> None:
    fight.give(seat, verb, fields.pop("dice", ()), units=units.split(), path=places(fight, *path), **fields)


def refused(fight: Battle, verb: str, units: str, *path: str, seat: str = "us", **fields: Any) -> str:
    """The rule for which a move is refused."""
    return fight.refused(seat, verb, units=units.split(), path=places(fight, *path), **fields)[0].rule


def cost(fight: Battle, who: str, origin: str, to: str) -> int | None:
    found, parts = cost_of(fight.state, fight.unit(who), fight.at(origin), fight.at(to))
    assert found is None or found == total(parts)
    return found


def reach(fight: Battle, *who: str, **how: Any) -> dict[tuple[int, ...], int]:
    return {**reachable(fight.state, [unit(fight.state, each) for each in who], **how)}


# What a step costs


@pytest.mark.rule("core 10.4")
def test_terrain_is_paid_as_it_is_entered_and_a_road_spares_it() -> None:
    board = """
    . F w H
    r F . .
    . . . .
    """
    fight = battle(board, "us a squad 2-5-4-6 A3\nge g ge_grenadier D3", map_extra='roads = ["A2 B2 C1"]\n')
    assert cost(fight, "a", "A2", "A1") == 1
    assert cost(fight, "a", "A1", "B1") == 2
    assert cost(fight, "a", "B1", "C1") == 2
    assert cost(fight, "a", "C1", "D1") == 2
    assert cost(fight, "a", "A2", "B2") == 1
    assert cost(fight, "a", "B3", "B2") == 2
    assert cost(fight, "a", "A1", "C1") is None


@pytest.mark.rule("core 10.4", "core 1.6.3")
def test_hexsides_are_paid_beside_the_terrain_and_bar_big_guns() -> None:
    extra = '[hexsides]\nwall = ["A1-A2"]\nbocage = ["B1-B2"]\n[streams]\nstream_2 = ["C1-C2"]\n'
    pieces = "us a squad 2-5-4-6 A1\nus gun weapon_team 2-8-3-6 gun=37 A1\nge g ge_grenadier C3"
    fight = battle(". . .\n. H .\n. . .", pieces, map_extra=extra)
    assert (cost(fight, "a", "A1", "A2"), cost(fight, "gun", "A1", "A2")) == (2, None)
    assert (cost(fight, "a", "B1", "B2"), cost(fight, "gun", "B3", "B2")) == (4, None)
    assert (cost(fight, "a", "C1", "C2"), cost(fight, "gun", "C1", "C2")) == (2, 2)
    assert refused(fight, "Move", "gun", "A2") == "core 1.6.3"


@pytest.mark.rule("hid 10.5.2")
def test_slopes() -> None:
    """HID-04."""
    extra = '[elevations]\n1 = "B1"\n2 = "C1 D1"\n3 = "B2 E1"\n'
    fight = battle(". . . . .\n. . . . .\n. . . . .", "us a squad 2-5-4-6 A3\nge g ge_grenadier E3", map_extra=extra)
    up_one, up_two, down_two = cost(fight, "a", "A1", "B1"), cost(fight, "a", "B3", "C2"), cost(fight, "a", "C1", "D2")
    assert (up_one, cost(fight, "a", "B1", "A1")) == (2, 1)
    assert (up_two, down_two) == (1, 2)
    assert cost(fight, "a", "C2", "C1") == 3
    assert cost(fight, "a", "B3", "B2") is None
    assert cost(fight, "a", "B2", "B3") is None


TWO_FLOORS = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . S S .
. . . . S . .
. . . . . . .
"""
HALL = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "E5 E6 F5"\nstoreys = 2\n'


@pytest.mark.rule("core 10.2")
def test_stairs_are_in_ones_own_hex_and_floors_are_walked_through() -> None:
    """LNL-029."""
    fight = battle(TWO_FLOORS, "ge g squad 1-6-4-5 E5 upstairs\nus a squad 2-5-4-6 A1", map_extra=HALL, active="ge")
    assert cost(fight, "g", "E5 upstairs", "E5") == 2
    assert cost(fight, "g", "E5", "E5 upstairs") == 2
    assert cost(fight, "g", "E5 upstairs", "E6 upstairs") == 2
    assert cost(fight, "g", "E5 upstairs", "E6") is None
    assert refused(fight, "Move", "g", "E6", seat="ge") == "core 6.0"
    go(fight, "Move", "g", "E5", "E6", seat="ge")
    assert fight.unit("g").spent == 4


@pytest.mark.rule("core 21.1")
def test_into_a_bunker_and_out_again() -> None:
    fight = battle(CLEAR, "us b bunker C3 facing 1\nus a squad 2-5-4-6 C3\nge g ge_grenadier J8")
    assert cost(fight, "a", "C3", "C3 in the bunker") == 2
    assert cost(fight, "a", "C3 in the bunker", "C3") == 2
    assert cost(fight, "a", "C3 in the bunker", "C2") is None
    assert cost(fight, "a", "C2", "C2 in the bunker") is None


@pytest.mark.rule("core 21.3", "core 6.0", "core 6.3")
def test_wire_is_four_in_all_and_one_hex_may_always_be_moved() -> None:
    """LNL-047."""
    board = ". . .\n. W .\n. . ."
    pieces = "us w wire B2\nus a squad 2-5-4-6 B1\nus h half_squad 1-4-3-6 B3\nus lt leader morale=6 lm=1 mf=6 A1\n"
    fight = battle(board, pieces + "ge g ge_grenadier C3", legend={"W": "high_grass"})
    assert cost(fight, "a", "B1", "B2") == 4
    assert refused(fight, "LowCrawl", "a", "B2") == "core 6.0"
    assert refused(fight, "LowCrawl", "h", "B2") == "core 6.0"
    assert reach(fight, "a")[fight.at("B2")] == 4
    assert reach(fight, "h")[fight.at("B2")] == 3
    go(fight, "Move", "h", "B2")
    assert fight.unit("h").spent == 3
    fight.give("ge", "Pass")
    go(fight, "LowCrawl", "lt", "B2")
    assert (fight.unit("lt").spent, fight.unit("lt").moved) == (4, "low_crawl")


@pytest.mark.rule("core 21.3", "core 1.6.3")
def test_wire_stands_for_the_slope_and_the_wall_but_what_is_barred_stays_barred() -> None:
    extra = '[hexsides]\nwall = ["A1-A2"]\ncliff = ["C1-C2"]\n[elevations]\n1 = "A2"\n3 = "B2"\n'
    pieces = (
        "us v wire A2\nus w wire B2\nus x wire C2\nus a squad 2-5-6-6 A1\n"
        "us gun weapon_team 2-8-6-6 gun=37 A1\nge g ge_grenadier D1"
    )
    fight = battle(". . . .\n. . . .\n. . . .", pieces, map_extra=extra)
    assert (cost(fight, "a", "A1", "A2"), cost(fight, "gun", "A1", "A2")) == (4, None)
    assert cost(fight, "a", "B1", "B2") is None
    assert cost(fight, "a", "C1", "C2") is None


@pytest.mark.rule("core 21.4")
def test_own_mines_cost_a_point_more_however_many() -> None:
    fight = battle(CLEAR, "us m mines C3\nus n mines C3\nus a squad 2-5-4-6 C2\nge g ge_grenadier J8")
    assert cost(fight, "a", "C2", "C3") == 2


@pytest.mark.rule("core 11.7")
def test_with_a_scout_woods_and_tall_crops_cost_one() -> None:
    board = ". F .\n. W .\n. . ."
    pieces = "us s scout 0-3-5-6 stealth B3\nus a squad 2-5-4-6 B3\nge g ge_grenadier C3"
    fight = battle(board, pieces, legend={"W": "wheat_field"})
    assert cost(fight, "a", "B3", "B2") == 2
    go(fight, "Move", "s a", "B2", "B1")
    assert fight.unit("a").spent == 2


# How far


@pytest.mark.rule("core 1.6.1", "core 6.2")
def test_a_leader_who_carries_a_weapon_leads_at_double_time() -> None:
    """ERR-19."""
    pieces = f"us lt {LEADER} B8 bar\nus a squad 1-6-4-5 B8\nus b squad 1-6-4-5 B8\nge g ge_grenadier J1"
    fight = battle(CLEAR, pieces)
    stack = [fight.unit(key) for key in ("lt", "a", "b")]
    assert [allowance(fight.state, each, "move", True, stack)[0] for each in stack] == [6, 6, 6]
    assert allowance(fight.state, fight.unit("lt"))[0] == 4
    six = ("B7", "B6", "B5", "B4", "B3", "B2")
    assert refused(fight, "Move", "lt a b", *six, "B1", double_time=True) == "core 6.0"
    go(fight, "Move", "lt a b", *six, double_time=True)
    assert {fight.unit(key).at for key in ("lt", "a", "b")} == {fight.at("B2")}


@pytest.mark.rule("core 6.2")
def test_double_time_is_no_more_than_the_leaders_movement_and_needs_a_good_order_leader() -> None:
    pieces = "us lt leader morale=6 lm=1 mf=5 B8\nus a squad 2-5-4-6 B8\nge g ge_grenadier J1"
    fight = battle(CLEAR, pieces)
    stack = [fight.unit("lt"), fight.unit("a")]
    assert [allowance(fight.state, each, "move", True, stack)[0] for each in stack] == [5, 5]
    assert refused(fight, "Move", "a", "B7", double_time=True) == "core 6.2"
    assert "core 6.2" in refused(
        battle(CLEAR, pieces.replace("B8\nus a", "B8 shaken\nus a")), "Move", "lt a", "B7", double_time=True
    )


@pytest.mark.rule("core 6.1", "core 6.2")
def test_an_assault_move_is_half_of_what_double_time_allows_rounded_up() -> None:
    pieces = f"us lt {LEADER} B8\nus a squad 2-5-5-6 am B8\nus c squad 2-5-4-6 B8\nge g ge_grenadier J1"
    fight = battle(CLEAR, pieces)
    stack = [fight.unit("lt"), fight.unit("a")]
    assert allowance(fight.state, stack[1], "assault")[0] == 3
    assert [allowance(fight.state, each, "assault", True, stack)[0] for each in stack] == [4, 4]
    assert refused(fight, "AssaultMove", "c", "B7") == "core 6.1"
    assert refused(fight, "AssaultMove", "lt", "B7") == "core 6.1"
    go(fight, "AssaultMove", "lt a", "B7", "B6", "B5")
    assert {fight.unit("lt").moved, fight.unit("a").moved} == {"assault"}


@pytest.mark.rule("core 6.1")
def test_heroes_and_the_men_of_an_assault_leader_may_assault_move() -> None:
    pieces = f"us h hero 1-4-5-6 B8\nus lt {LEADER} D8 skill assaulter\nus a squad 2-5-4-6 D8\nge g ge_grenadier J1"
    fight = battle(CLEAR, pieces)
    go(fight, "AssaultMove", "h", "B7")
    fight.give("us", "EndImpulse")
    fight.give("ge", "Pass")
    assert refused(fight, "AssaultMove", "a", "D7") == "core 6.1"
    go(fight, "AssaultMove", "lt a", "D7")


@pytest.mark.rule("core 6.1", "core 5.2", "core 4.0")
def test_two_squads_assault_move_and_fire_together() -> None:
    """LNL-019."""
    pieces = "us a squad 2-5-4-6 am E7\nus b squad 2-5-4-6 am E7\nge g squad 1-6-4-5 E2"
    fight = battle(CLEAR, pieces)
    go(fight, "AssaultMove", "a b", "E6", "E5")
    assert fight.unit("a").spent == 2
    fight.give(
        "us",
        "Fire",
        [("attack", 5), ("defence", 5), ("damage check", 2)],
        units=["a", "b"],
        target=list(fight.at("E2")),
    )
    assert fight.unit("g").is_good_order
    for key in "ab":
        assert (fight.unit(key).moved, fight.unit(key).fired) == ("assault", True)


@pytest.mark.rule("core 6.4", "core 11.7")
def test_a_stealth_move_is_half_with_fractions_dropped() -> None:
    pieces = f"us s scout 0-3-5-6 B8\nus a squad 2-5-4-6 B8\nus lt {LEADER} B8\nge g ge_grenadier J1"
    fight = battle(CLEAR, pieces)
    assert allowance(fight.state, fight.unit("s"), "stealth")[0] == 2
    assert refused(fight, "StealthMove", "s a", "B7") == "core 6.4"
    assert refused(fight, "StealthMove", "s lt", "B7") == "core 6.4"
    assert refused(fight, "StealthMove", "s", "B7", "B6", "B5") == "core 6.0"
    go(fight, "StealthMove", "s", "B7", "B6")
    assert fight.unit("s").moved == "stealth"


@pytest.mark.rule("core 6.3", "core 10.2")
def test_a_low_crawl_is_one_hex_or_one_level() -> None:
    fight = battle(TWO_FLOORS, "us a squad 2-5-4-6 E5\nus b squad 2-5-4-6 A1\nge g ge_grenadier G1", map_extra=HALL)
    assert refused(fight, "LowCrawl", "a", "E5 upstairs", "E6 upstairs") == "core 6.3"
    go(fight, "LowCrawl", "a", "E5 upstairs")
    assert (fight.unit("a").at[2], fight.unit("a").moved) == (1, "low_crawl")


@pytest.mark.rule("core 6.2", "core 6.3.1", "core 6.3")
def test_weapon_teams_neither_crawl_nor_hurry() -> None:
    """DIG-24."""
    pieces = f"us a squad 2-5-4-6 E5\nus lt {LEADER} E5\nus gun weapon_team 1-8-3-6 gun=37 E5\nge g ge_grenadier J1"
    fight = battle(CLEAR, pieces)
    assert refused(fight, "Move", "a lt gun", "E4", double_time=True) == "core 6.3.1"
    assert refused(fight, "LowCrawl", "a lt gun", "E4") == "core 6.3.1"
    go(fight, "Move", "a lt", "E4", double_time=True)
    assert refused(fight, "Move", "gun", "E6") == "core 4.0"
    fight.give("us", "EndImpulse")
    fight.give("ge", "Pass")
    go(fight, "Move", "gun", "E6")


@pytest.mark.rule("core 1.6.1.01")
def test_nobody_moves_with_a_weapon_on_its_tripod() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5 m1919a4\nge g ge_grenadier J1")
    assert fight.guns("a")
    fight.set(fight.guns("a")[0], is_set_up=True)
    assert refused(fight, "Move", "a", "E4") == "core 1.6.1.01"
    fight.set(fight.guns("a")[0], is_set_up=False)
    go(fight, "Move", "a", "E4")


# What stops them


@pytest.mark.rule("core 1.3")
def test_stacking_counts_for_the_level_at_the_moment_of_each_step() -> None:
    """DIG-08."""
    full = "\n".join(f"us {key} squad 2-5-4-6 E5 upstairs" for key in "xyz")
    fight = battle(TWO_FLOORS, f"us a squad 2-5-4-6 F5\n{full}\nge g ge_grenadier G1", map_extra=HALL)
    assert refused(fight, "Move", "a", "E5", "E5 upstairs") == "core 1.3"
    assert fight.unit("a").spent == 0
    go(fight, "Move", "a", "E5", "E6")


@pytest.mark.rule("core 1.3")
def test_nobody_moves_through_a_full_hex() -> None:
    full = "\n".join(f"us {key} squad 2-5-4-6 E5" for key in "xyz")
    fight = battle(CLEAR, f"us a squad 2-5-4-6 E6\nus m medic mf=5 morale=6 E6\n{full}\nge g ge_grenadier J1")
    assert refused(fight, "Move", "a", "E5", "E4") == "core 1.3"
    go(fight, "Move", "m", "E5", "E4")


@pytest.mark.rule("core 5.1", "core 6.0")
def test_shaken_units_go_no_closer_to_enemies_in_their_line_of_sight() -> None:
    board = ". . . . .\n. . . . .\n. . H . .\n. . . . .\n. . . . ."
    fight = battle(board, "us a squad 2-5-4-6 A1 shaken\nge g squad 1-6-4-5 A4")
    assert refused(fight, "Move", "a", "A2") == "core 5.1"
    go(fight, "Move", "a", "B1")

    unseen = battle(board, "us a squad 2-5-4-6 C1 shaken\nge g squad 1-6-4-5 C5")
    go(unseen, "Move", "a", "C2")


@pytest.mark.rule("core 8.0", "core 6.1", "core 11.1")
def test_melee_is_entered_by_moving_and_not_by_an_assault_move_or_a_leader_alone() -> None:
    """DIG-31."""
    pieces = f"us a squad 2-5-3-6 am E4\nus lt {LEADER} D4\nge g squad 1-6-4-5 E6"
    fight = battle(CLEAR, pieces)
    assert refused(fight, "AssaultMove", "a", "E5", "E6") == "core 8.0"
    assert refused(fight, "Move", "lt", "D5", "E5", "E6") == "core 11.1"
    assert refused(fight, "Move", "a", "E5", "E6", "E7") == "core 6.0"
    assert fight.at("E6") in reach(fight, "a")
    assert fight.at("E7") not in reach(fight, "a")


@pytest.mark.rule("core 1.6.3")
def test_a_weapon_team_turns_within_its_hex_instead_of_firing() -> None:
    pieces = "us gun weapon_team 1-8-2-6 facing E5 facing 1\nge g squad 1-6-4-5 E8"
    fight = battle(CLEAR, pieces)
    fight.give("us", "Face", unit="gun", facing=4)
    assert (fight.unit("gun").facing, fight.unit("gun").moved) == (4, "move")


# What can be reached


@pytest.mark.rule("core 6.0")
def test_everything_that_can_be_reached_is_offered_with_its_points() -> None:
    fight = battle(CLEAR, "us a squad 2-5-2-6 E5\nge g ge_grenadier J1")
    found = reach(fight, "a")
    assert found[fight.at("E4")] == 1
    assert found[fight.at("E3")] == 2
    assert len(found) == 18
    form = next(form for form in fight.play.options("us", "a") if form.verb == "Move")
    slot = next(slot for slot in form.slots if slot.name == "path")
    assert {(*place[:3],): place[3] for (place,) in slot.region} == found
