"""What movers could not know: an outcome, never a refusal."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.rules.hidden.spotting import is_spotted
from lnl.state.finding import sees
from tests.lnl.building import CLEAR, Battle, battle

WOOD = """
. . . . . . . .
. . . . . . . .
. . . . F . . .
. . . . F . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""
IDLE = "\nus spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A7"
BLIND = {"play": "blind"}


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


def go(fight: Battle, units: str, *path: str, seat: str = "us", verb: str = "Move", **more: Any) -> None:
    fight.give(seat, verb, more.pop("dice", ()), units=units.split(), path=places(fight, *path), **more)


@pytest.mark.rule("core 6.1", "core 8.0")
@pytest.mark.parametrize("options", [{}, BLIND])
def test_an_assault_move_stops_before_enemies_nobody_knew_of_and_is_not_charged(options: dict[str, str]) -> None:
    pieces = "us a squad 2-5-6-6 am E6\nge g squad 1-6-4-5 E4 hidden"
    fight = battle(WOOD, pieces + IDLE, options=options)
    go(fight, "a", "E5", "E4", verb="AssaultMove")
    assert (fight.unit("a").at, fight.unit("a").spent) == (fight.at("E5"), 1)
    assert not fight.unit("a").is_moving


@pytest.mark.rule("core 8.0", "core 6.0")
@pytest.mark.parametrize("options", [{}, BLIND])
def test_who_moves_into_enemies_nobody_knew_of_fights_them(options: dict[str, str]) -> None:
    pieces = "us a squad 2-5-4-6 E6\nge g squad 1-6-4-5 E4 hidden"
    fight = battle(WOOD, pieces + IDLE, options=options)
    go(fight, "a", "E5", "E4", dice=[("melee us", (1, 1)), ("melee ge", (1, 1))])
    assert fight.unit("a").at == fight.unit("g").at == fight.at("E4")
    assert "5,4,0" in fight.state.public.melees


@pytest.mark.rule("core 5.3")
@pytest.mark.parametrize(("standing", "fires"), [("hold", False), ("ask", False), ("free", True)])
def test_in_a_blind_battle_standing_orders_decide_about_opportunity_fire(standing: str, fires: bool) -> None:
    pieces = "us a squad 2-5-4-6 E7\nge g squad 1-6-4-5 E4"
    fight = battle(WOOD, pieces + IDLE, options=BLIND, standing=standing)
    go(fight, "a", "E6", dice=[("attack", 1), ("defence", 6)] if fires else ())
    assert fight.unit("g").fired is fires
    assert fight.unit("a").at == fight.at("E6")


@pytest.mark.rule("core 5.3")
@pytest.mark.parametrize(("within", "fires"), [(2, True), (1, False)])
def test_standing_orders_say_how_far(within: int, fires: bool) -> None:
    pieces = "us a squad 2-5-4-6 E7\nge g squad 1-6-4-5 E4"
    fight = battle(WOOD, pieces + IDLE, options=BLIND)
    order = {"verb": "GiveStandingOrders", "command": "ge", "unit": "g", "standing": {"fire": "free", "within": within}}
    assert fight.play.order("ge", order) == []
    go(fight, "a", "E6", dice=[("attack", 1), ("defence", 6)] if fires else ())
    assert fight.unit("g").fired is fires


@pytest.mark.rule("core 4.0")
def test_a_command_that_cannot_know_of_its_allys_impulse_orders_in_vain() -> None:
    pieces = (
        "us a squad 2-5-4-6 B2\nus c squad 2-5-4-6 B2\nus/bravo b squad 2-5-4-6 H5\n"
        "ge g squad 1-6-4-5 E4\nge h squad 1-6-4-5 E4"
    )
    fight = battle(WOOD, pieces, options=BLIND, phase="set_up")
    fight.play.correct({"verb": "SetPhase", "active": "us", "phase": "operations"}, "given")
    go(fight, "a", "B1", seat="us")
    go(fight, "b", "H4", seat="bravo")
    assert fight.unit("b").at == fight.at("H5")
    fight.give("us", "EndImpulse")
    assert fight.state.public.active == "ge"
    fight.give("ge", "Pass")
    go(fight, "b", "H4", seat="bravo")
    assert fight.unit("b").at == fight.at("H4")


@pytest.mark.rule("core 5.3", "core 10.1")
def test_who_stood_unspotted_in_the_hex_is_unspotted_when_the_mover_has_left() -> None:
    """LNL-016, its end."""
    pieces = "us r squad 3-6-4-6 E7\nus q squad 3-6-4-6 H4\nge m squad 0-3-4-5 D4\nge i squad 1-3-4-5 E4" + IDLE
    fight = battle(WOOD, pieces, active="ge", standing="ask")
    go(
        fight,
        "m",
        "E4",
        "E5",
        seat="ge",
        dice=[("attack", 1), ("defence", 1), ("damage check", 2), ("damage check", 3)],
        answers=[("us", ["5,7,0 us"])],
    )
    assert fight.unit("i").is_good_order
    assert not is_spotted(fight.state, "us", fight.at("E4"))
    refusals = fight.refused("us", "Fire", units=["q"], target=list(fight.at("E4")))
    assert refusals[0].rule == "core 10.1"


@pytest.mark.rule("core 5.01", "core 5.3")
def test_leaders_do_not_aid_opportunity_fire() -> None:
    pieces = "us a squad 2-5-4-6 B7\nge g squad 1-6-4-5 B2\nge lt leader morale=6 lm=2 mf=6 B2"
    fight = battle(CLEAR, pieces + IDLE.replace("A7", "A8"), standing="free")
    go(fight, "a", "B6", dice=[("attack", 3), ("defence", 5)])
    assert fight.unit("a").is_good_order
    assert not fight.unit("lt").fired


@pytest.mark.rule("core 8.1", "core 5.3")
def test_when_all_have_withdrawn_from_a_melee_those_who_stay_may_fire_at_them() -> None:
    pieces = "us a squad 2-5-4-6 E4\nge g squad 1-6-4-5 E5"
    fight = battle(CLEAR, pieces + IDLE.replace("A7", "A8"), standing="free", head={"initiative": "us"})
    go(fight, "a", "E5", dice=[("melee us", (1, 1)), ("melee ge", (1, 1))])
    for seat in ("ge", "us", "ge"):
        fight.throw([("initiative", 6), ("initiative", 1)])
        assert fight.play.order(seat, {"verb": "Pass"}) == []
    fight.phase("operations", "us")
    fight.give(
        "us",
        "Withdraw",
        [("withdraw", (1, 1)), ("attack", 1), ("defence", 6)],
        units=["a"],
        path=places(fight, "E4"),
    )
    assert fight.unit("a").at == fight.at("E4")
    assert fight.unit("g").fired
    assert not fight.state.public.melees


@pytest.mark.rule("core 10.2", "core 10.1")
def test_different_floors_of_neighbouring_hexes_neither_see_nor_spot_each_other() -> None:
    """LNL-029, its queries."""
    hall = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "E3 E4 F3"\nstoreys = 2\n'
    board = WOOD.replace(". . . . F . . .", ". . . . S S . .", 1).replace("F", "S")
    pieces = "ge g squad 1-6-4-5 E3 upstairs\nus a squad 2-5-4-6 E4"
    fight = battle(board, pieces, map_extra=hall, active="ge")
    assert not sees(fight.state, fight.at("E3 upstairs"), fight.at("E4"))
    assert not is_spotted(fight.state, "ge", fight.at("E4"))
