"""Impulses: what a leader brings in, what acts together, passes, the end of the phase."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.rules.turn.activation import activatable
from tests.lnl.building import CLEAR, Battle, battle

TOWN = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . S S . .
. . . . S . . .
. . . . . . . .
. . . . . . . .
"""
ONE_BUILDING = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "E5 E6 F5"\nstoreys = 2\n'
LEADER = "leader morale=6 lm=1 mf=6"


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


def move(fight: Battle, seat: str, units: str, *path: str, **fields: Any) -> None:
    dice = fields.pop("dice", ())
    fight.give(seat, "Move", dice, units=units.split(), path=places(fight, *path), **fields)


@pytest.mark.rule("core 4.0", "core 2.0", "core 10.2")
def test_a_leader_upstairs_brings_in_his_level_and_those_above_and_below_him() -> None:
    """LNL-009."""
    squads = "\n".join(
        f"us {key} squad 2-5-4-6 {place}"
        for key, place in (
            ("up", "E5 upstairs"),
            ("down", "E5"),
            ("near_up", "E6 upstairs"),
            ("near_down", "E6"),
            ("other_up", "F5 upstairs"),
            ("other_down", "F5"),
        )
    )
    fight = battle(TOWN, f"us lt {LEADER} E5 upstairs\n{squads}\nge g ge_grenadier A1", map_extra=ONE_BUILDING)
    wanted = {fight.at(name) for name in ("E5 upstairs", "E5", "E6 upstairs", "F5 upstairs")}
    assert set(activatable(fight.state, ("us",), fight.at("E5 upstairs"))) == wanted
    assert fight.refused("us", "Activate", places=places(fight, "E5 upstairs", "E6"))[0].rule == "core 4.0"
    fight.refused("us", "Activate", places=places(fight, "E5 upstairs", "F5"))
    fight.give("us", "Activate", places=places(fight, "E5 upstairs", "E5", "E6 upstairs", "F5 upstairs"))


@pytest.mark.rule("core 4.0")
def test_units_that_were_activated_and_did_nothing_are_not_spent() -> None:
    """LNL-012."""
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E5\nus c squad 2-5-4-6 E5\nge g ge_grenadier J1")
    move(fight, "us", "a", "E6")
    fight.give("us", "EndImpulse")
    assert fight.unit("b").moved == fight.unit("c").moved == ""
    fight.give("ge", "Pass")
    move(fight, "us", "b", "E4")
    assert fight.refused("us", "Move", units=["c"], path=places(fight, "D5"))[0].rule == "core 4.0"
    fight.give("us", "EndImpulse")
    fight.give("ge", "Pass")
    move(fight, "us", "c", "E4")
    assert fight.unit("c").moved == "move"


@pytest.mark.rule("core 4.0", "core 6.0")
def test_all_that_move_from_a_place_in_one_impulse_move_together() -> None:
    """LNL-012, LNL-018."""
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E5\nus c squad 2-5-4-6 E5\nge g ge_grenadier J1")
    move(fight, "us", "b c", "E4")
    assert [fight.unit(key).at for key in "abc"] == [fight.at("E5"), fight.at("E4"), fight.at("E4")]
    assert [fight.unit(key).moved for key in "abc"] == ["", "move", "move"]
    assert fight.refused("us", "Move", units=["a"], path=places(fight, "E4"))[0].rule == "core 4.0"


@pytest.mark.rule("core 4.0")
def test_what_an_impulse_has_not_declared_does_not_act_in_it() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 C3\nus c squad 2-5-4-6 C3\nus b squad 2-5-4-6 E5\nge g ge_grenadier J1")
    move(fight, "us", "a", "C4")
    assert fight.refused("us", "Move", units=["b"], path=places(fight, "E4"))[0].rule == "core 4.0"


@pytest.mark.rule("core 4.0")
def test_a_leader_who_only_activates_others_is_ops_complete_and_one_who_acts_is_not() -> None:
    pieces = f"us lt {LEADER} E5\nus a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E4\nge g ge_grenadier J1"
    fight = battle(CLEAR, pieces)
    fight.give("us", "Activate", places=places(fight, "E5", "E4"))
    move(fight, "us", "b", "D4")
    fight.give("us", "EndImpulse")
    assert fight.unit("lt").ops_complete
    assert not fight.unit("a").ops_complete

    moving = battle(CLEAR, pieces)
    moving.give("us", "Activate", places=places(moving, "E5", "E4"))
    move(moving, "us", "b", "D4")
    move(moving, "us", "lt", "E6")
    moving.give("us", "EndImpulse")
    assert not moving.unit("lt").ops_complete

    idle = battle(CLEAR, pieces)
    idle.give("us", "Activate", places=places(idle, "E5", "E4"))
    move(idle, "us", "a", "E6")
    idle.give("us", "EndImpulse")
    assert not idle.unit("lt").ops_complete


@pytest.mark.rule("core 4.0")
def test_leaders_activate_in_a_chain() -> None:
    pieces = f"us lt {LEADER} E5\nus sgt {LEADER} E4\nus a squad 2-5-4-6 E3\nge g ge_grenadier J8"
    fight = battle(CLEAR, pieces)
    fight.refused("us", "Activate", places=places(fight, "E5", "E3"))
    fight.give("us", "Activate", places=places(fight, "E5", "E4", "E3"))
    move(fight, "us", "a", "E2")
    fight.give("us", "EndImpulse")
    assert fight.unit("lt").ops_complete
    assert fight.unit("sgt").ops_complete


@pytest.mark.rule("core 4.0")
def test_of_a_chain_one_leader_may_bring_in_his_own_hexes_alone() -> None:
    """What is offered leaves the second one free, and is accepted."""
    pieces = f"us lt {LEADER} E5\nus sgt {LEADER} E4\nus a squad 2-5-4-6 E3\nge g ge_grenadier J8"
    fight = battle(CLEAR, pieces)
    offered = [each for each in fight.play.options("us", "lt") if each.verb == "Activate"]
    assert [each.fixed["places"] for each in offered] == [places(fight, "E5", "E4", "E3"), places(fight, "E5", "E4")]
    fight.give("us", "Activate", **offered[1].fixed)
    move(fight, "us", "sgt", "F5")
    fight.give("us", "EndImpulse")
    assert (fight.unit("lt").ops_complete, fight.unit("sgt").ops_complete) == (True, False)


@pytest.mark.rule("core 4.0", "core 5.1", "core 11.1")
@pytest.mark.parametrize("marker", ["shaken", "wounded", "ops complete", "moved", "fired"])
def test_such_leaders_bring_nobody_in(marker: str) -> None:
    pieces = f"us lt {LEADER} E5 {marker}\nus a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E4\nge g ge_grenadier J8"
    fight = battle(CLEAR, pieces)
    assert fight.refused("us", "Activate", places=places(fight, "E5", "E4"))[0].rule == "core 4.0"


@pytest.mark.rule("core 13.0")
def test_allies_of_different_nations_in_a_hex_act_in_different_impulses() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5\nus p uk_para E5\nge g ge_grenadier J8")
    assert fight.refused("us", "Move", units=["a", "p"], path=places(fight, "E4"))[0].rule == "core 13.0"
    move(fight, "us", "a", "E4")
    assert any(each.rule == "core 13.0" for each in fight.refused("us", "LaySmoke", unit="p", at=[5, 5]))
    fight.give("us", "EndImpulse")
    fight.give("ge", "Pass")
    move(fight, "us", "p", "E6")


@pytest.mark.rule("core 4.0")
def test_three_passes_in_a_row_end_the_phase_and_an_impulse_between_breaks_the_row() -> None:
    pieces = "us a squad 2-5-4-6 E5\nge g ge_grenadier J8\nge h ge_grenadier J8"
    fight = battle(CLEAR, pieces)
    fight.give("us", "Pass")
    fight.give("ge", "Pass")
    assert (fight.state.public.phase, fight.state.public.passes) == ("operations", 2)
    move(fight, "us", "a", "E4")
    assert fight.state.public.passes == 0
    fight.give("ge", "Pass")
    assert fight.state.public.phase == "operations"
    assert fight.state.public.passes == 2, "a side with nobody left to activate passes by itself"
    fight.give("ge", "Pass", [("initiative", 6), ("initiative", 1)])
    assert fight.state.public.turn == 2


@pytest.mark.rule("core 4.0")
def test_an_impulse_in_which_nobody_acts_is_a_pass() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5\nge g ge_grenadier J8")
    fight.give("us", "Activate", places=places(fight, "E5"))
    fight.give("us", "EndImpulse")
    assert (fight.state.public.active, fight.state.public.passes) == ("ge", 1)


@pytest.mark.rule("core 4.0", "core 9.0")
def test_the_phase_ends_when_all_have_moved() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5\nge g squad 1-6-4-5 J8")
    move(fight, "us", "a", "E4")
    assert fight.state.public.active == "ge", "an impulse ends when nothing is left to do in it"
    move(fight, "ge", "g", "J7", dice=[("initiative", 6), ("initiative", 1)])
    assert fight.state.public.turn == 2
    assert fight.unit("a").moved == ""


@pytest.mark.rule("core 4.0", "core 5.3")
def test_opportunity_fire_is_no_impulse() -> None:
    """DIG-20."""
    pieces = "us a squad 2-5-4-6 E6\nge g squad 1-6-4-5 E1\nge h squad 1-6-4-5 J8"
    fight = battle(CLEAR, pieces, standing="ask")
    fight.give(
        "us",
        "Move",
        [("attack", 1), ("defence", 6)],
        answers=[("ge", ["5,1,0 ge"])],
        units=["a"],
        path=places(fight, "E5"),
    )
    assert fight.unit("g").fired
    assert (fight.state.public.active, fight.state.public.passes) == ("ge", 0)
    assert fight.refused("ge", "Move", units=["g"], path=places(fight, "E2"))[0].rule == "core 4.0"
    move(fight, "ge", "h", "J7", dice=[("initiative", 6), ("initiative", 1)])
