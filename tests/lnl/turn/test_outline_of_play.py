"""Turns, phases, initiative, the Administrative Phase, set-up by the players. `core 2.0`, `core 3.0`, `core 9.0`"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from lnl.happening.rulings import tell
from lnl.happening.turn import PointsScored
from lnl.rules.turn.outline_of_play import after_initiative, sides_in_order
from lnl.state.battle import Score, State
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.book.points import Module
from umpire.kernel.rulings import Ruling

SQUAD = "squad 1-6-4-5"
TWO = f"us a {SQUAD} B2\nge g {SQUAD} F3"
THREE = f"{TWO}\nuk k {SQUAD} D6"


def passes(fight: Battle, *seats: str) -> None:
    for seat in seats:
        fight.give(seat, "Pass")


@pytest.mark.rule("core 2.0", "core 9.0")
def test_a_turn_is_rally_operations_and_administration() -> None:
    fight = battle(CLEAR, TWO)
    assert (fight.state.public.turn, fight.state.public.phase) == (1, "operations")
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative ge turn 2", 5), ("initiative us turn 2", 2)])
    assert (fight.state.public.turn, fight.state.public.phase, fight.state.public.held) == (2, "operations", "ge")


@pytest.mark.rule("core 3.0")
@pytest.mark.parametrize(("us", "ge", "holder"), [(4, 3, "us"), (3, 4, "ge"), (3, 3, "us")])
def test_REAL_03_the_higher_die_has_the_initiative_and_a_tie_keeps_it(us: int, ge: int, holder: str) -> None:
    fight = battle(CLEAR, TWO)
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative ge turn 2", ge), ("initiative us turn 2", us)])
    assert fight.state.public.held == holder


@pytest.mark.rule("core 3.0")
def test_DIG_25_where_nobody_has_had_it_a_tie_is_thrown_again() -> None:
    fight = battle(CLEAR, TWO, phase="set_up", head={"initiative": ""}, options={"set_up": "players"}, active="ge")
    fight.give("ge", "EndSetUp")
    dice = [("initiative ge turn 1", 3), ("initiative us turn 1", 3)]
    fight.give("us", "EndSetUp", [*dice, ("initiative ge turn 1", 2), ("initiative us turn 1", 5)])
    assert fight.state.public.held == "us"


@pytest.mark.rule("core 3.0")
def test_in_turn_one_the_side_that_the_scenario_names_has_it_and_nobody_throws() -> None:
    fight = battle(CLEAR, TWO, active="ge")
    assert (fight.state.public.held, fight.state.public.active) == ("ge", "ge")


@pytest.mark.rule("core 9.0", "core 4.0")
def test_DIG_26_only_three_passes_in_a_row_end_the_operations_phase() -> None:
    fight = battle(CLEAR, f"{TWO}\nus b {SQUAD} B7\nge h {SQUAD} F5")
    passes(fight, "us")
    fight.give("ge", "Move", units=["g"], path=[[6, 2, 0]])
    assert fight.state.public.passes == 0
    passes(fight, "us", "ge")
    assert fight.state.public.phase == "operations"
    fight.give("us", "Pass", [("initiative", 5), ("initiative", 1)])
    assert fight.state.public.turn == 2


@pytest.mark.rule("core 7.0", "core 2.0", "core 9.0")
def test_DIG_16_smoke_ages_once_in_each_administrative_phase() -> None:
    fight = battle(CLEAR, TWO)
    fight.set("battle", smoke={"5,5": 1, "6,5": 2})
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative", 1), ("initiative", 5)])
    assert fight.state.public.smoke == {"5,5": 2}
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative", 1), ("initiative", 5)])
    assert fight.state.public.smoke == {}


@pytest.mark.rule("core 9.0", "core 10.1", "core 18.2", "core 20.1")
def test_all_markers_of_the_turn_come_off() -> None:
    marks = "moved\nus b squad 1-6-4-5 B3 fired\nus c squad 1-6-4-5 B4 ops complete\nus d squad 1-6-4-5 B5 low crawl"
    fight = battle(CLEAR, f"us e {SQUAD} B7\nge g {SQUAD} F3\nus a {SQUAD} B2 {marks}")
    fight.set("battle", spotted=[[6, 3, 0]], star_shells=[[5, 5]], barrages=[{"at": [5, 5], "firepower": 2}])
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative", 1), ("initiative", 5)])
    for piece in "abcd":
        each = fight.unit(piece)
        assert (each.moved, each.fired, each.ops_complete) == ("", False, False)
    public = fight.state.public
    assert (public.spotted, public.star_shells, public.barrages) == ((), (), ())


@pytest.mark.rule("core 8.1", "core 9.0")
def test_a_melee_marker_comes_off_where_one_side_is_alone() -> None:
    fight = battle(CLEAR, f"{TWO}\nus b {SQUAD} D4\nge h {SQUAD} D4\nus c {SQUAD} E6", melees=["D4", "E6"])
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative", 1), ("initiative", 5)])
    assert list(fight.state.public.melees) == ["4,4,0"]


@pytest.mark.rule("core 2.0")
def test_after_the_last_turn_the_battle_is_over() -> None:
    fight = battle(CLEAR, TWO, turns=1)
    passes(fight, "us", "ge", "us")
    result = fight.state.public.result
    assert result is not None
    assert result.winner == ""
    assert "was the last" in result.why


@pytest.mark.rule("core 3.0", "core 4.0")
def test_the_others_follow_the_side_with_the_initiative_in_turn() -> None:
    fight = battle(CLEAR, THREE, active="uk")
    assert sides_in_order(fight.state) == ("uk", "us", "ge")


SIXES = Module("a module whose sixes count")


@after_initiative.change(SIXES, rule="hona 13.1.1")
def _sixes(rule: str, state: State, thrown: Mapping[str, int]) -> Ruling[State]:
    for side, face in thrown.items():
        if face == 6:
            score = Score(side=side, points=1, reason="a six", rule=rule)
            state = yield from tell(PointsScored(score=score))
    return state


@pytest.mark.rule("core 3.0", "hona 13.1.1")
def test_a_module_may_make_something_of_the_dice_for_the_initiative() -> None:
    fight = battle(CLEAR, TWO, head={"modules": [SIXES.name]})
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative ge turn 2", 6), ("initiative us turn 2", 5)])
    assert [(score.side, score.rule) for score in fight.state.public.scores] == [("ge", "hona 13.1.1")]


# Set-up by the players

ZONES = [{"key": "south", "name": "the south", "hexes": "A6-J8"}]


@pytest.mark.rule("core 1.3")
def test_players_set_up_within_their_zone_and_the_stacking_limit_side_after_side() -> None:
    fight = battle(
        CLEAR,
        f"us a {SQUAD} A7 zone south\nus b {SQUAD} A7 zone south\nus c {SQUAD} A7 zone south"
        f"\nus d {SQUAD} B7 zone south\nge g {SQUAD} F3",
        phase="set_up",
        options={"set_up": "players"},
        head={"first": "us"},
        zone=ZONES,
    )
    assert fight.refused("us", "PlaceUnit", unit="d", at=[2, 2, 0])
    assert "squads" in fight.refused("us", "PlaceUnit", unit="d", at=[1, 7, 0])[0].reason
    fight.give("us", "PlaceUnit", unit="d", at=[4, 7, 0])
    assert fight.unit("d").at == (4, 7, 0)
    assert fight.refused("ge", "EndSetUp")
    fight.give("us", "EndSetUp")
    assert fight.refused("ge", "PlaceUnit", unit="g", at=[4, 7, 0])
    fight.give("ge", "EndSetUp")
    assert (fight.state.public.turn, fight.state.public.phase) == (1, "operations")


# Reinforcements


@pytest.mark.rule("core 2.0")
def test_reinforcements_stand_at_their_entry_when_the_operations_phase_of_their_turn_begins() -> None:
    fight = battle(CLEAR, f"{TWO}\nus r {SQUAD} A8 arrives 2, zone south", zone=ZONES)
    assert not fight.unit("r").is_placed
    passes(fight, "us", "ge")
    fight.give("us", "Pass", [("initiative ge turn 2", 1), ("initiative us turn 2", 2)])
    assert fight.state.public.phase == "rally"
    fight.give("us", "PlaceUnit", unit="r", at=[3, 7, 0])
    fight.give("us", "EndRally")
    assert fight.unit("r").is_placed
    assert fight.unit("r").at == (3, 7, 0)


@pytest.mark.rule("core 1.3")
def test_reinforcements_wait_where_there_is_no_room() -> None:
    full = "".join(f"\nge {key} {SQUAD} A8" for key in ("x", "y", "z"))
    fight = battle(CLEAR, f"{TWO}{full}\nge r {SQUAD} A8 arrives 1")
    assert not fight.unit("r").is_placed


@pytest.mark.rule("core 11.2")
def test_a_hero_who_arrives_waits_while_his_nation_has_two_on_the_board() -> None:
    heroes = "\nge x hero 1-4-5-6 A8\nge y hero 1-4-5-6 A7"
    assert not battle(CLEAR, f"{TWO}{heroes}\nge r hero 1-4-5-6 A6 arrives 1").unit("r").is_placed
    assert battle(CLEAR, f"{TWO}\nge x hero 1-4-5-6 A8\nge r hero 1-4-5-6 A6 arrives 1").unit("r").is_placed
