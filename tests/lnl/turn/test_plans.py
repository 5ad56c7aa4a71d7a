"""Plans of hidden units, and commands that only plans move."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.package import PACKAGE
from tests.lnl.building import CLEAR, Battle, battle

SQUAD = "squad 1-6-4-5"
FORESTS = "\n".join(["F " * 10] * 8)


def hiding(pieces: str, *plans: dict[str, Any], board: str = FORESTS, **more: Any) -> Battle:
    return battle(board, pieces, plan=list(plans), **more)


def due(fight: Battle) -> tuple[str, ...]:
    return PACKAGE.due(fight.state)


@pytest.mark.rule("core 4.0", "core 6.0")
def test_a_hidden_unit_goes_on_along_its_legs_once_in_each_operations_phase() -> None:
    plan = {"force": "g", "legs": [{"path": "H2 G2 F2"}, {"halt": 1}, {"path": "E2"}]}
    fight = hiding(f"us a {SQUAD} B7\nge g {SQUAD} I2 hidden\nge h {SQUAD} J8", plan)
    assert due(fight) == ("g",)
    fight.carry("g")
    assert fight.state.commands["ge"].pieces["g"].at == (7, 2, 0)  # forest costs 2 of 4 points
    assert due(fight) == ()
    next_turn(fight)
    fight.carry("g")
    assert fight.state.commands["ge"].pieces["g"].at == (6, 2, 0)
    next_turn(fight)
    fight.carry("g")
    assert fight.state.commands["ge"].pieces["g"].at == (6, 2, 0)
    next_turn(fight)
    fight.carry("g")
    assert fight.state.commands["ge"].pieces["g"].at == (5, 2, 0)
    next_turn(fight)
    fight.carry("g")
    assert fight.state.umpire.plans["g"].status == "done"


def next_turn(fight: Battle) -> None:
    turn = fight.state.public.turn
    while fight.state.public.turn == turn:
        fight.throw([("initiative", 1), ("initiative", 6)])
        assert fight.play.order(fight.state.public.active, {"verb": "Pass"}) == []
    fight.script.dice = []


@pytest.mark.rule("core 6.0")
def test_a_plan_holds_where_it_sees_the_enemy_and_its_force_is_seen_when_it_moves_in_the_open() -> None:
    plan = {"force": "g", "legs": [{"path": "H2 G2"}]}
    fight = hiding(f"us a {SQUAD} B7\nge g {SQUAD} I2 hidden\nge h {SQUAD} J8", plan, board=CLEAR)
    assert "g" in fight.state.public.pieces  # open ground is seen: it is no longer hidden, and moved by orders
    assert due(fight) == ()
    fight = hiding(f"us a {SQUAD} H2\nge g {SQUAD} I2 hidden\nge h {SQUAD} J8", {**plan, "legs": [{"path": "I3"}]})
    assert due(fight) == ()  # a Good Order enemy next to it sees it


@pytest.mark.rule("core 20.0", "core 4.0")
@pytest.mark.parametrize(("hour", "goes"), [("day", False), ("night", True)])
def test_by_night_an_enemy_beyond_two_hexes_who_has_not_fired_is_not_come_upon(hour: str, goes: bool) -> None:
    plan = {"force": "g", "legs": [{"path": "I3"}]}
    pieces = f"us a {SQUAD} E2\nge g {SQUAD} I2 hidden\nge h {SQUAD} J8"
    board = "\n".join(["F . . . . . . . F F"] * 8)
    fight = hiding(pieces, plan, board=board, options={"hour": hour})
    fight.carry("g")
    assert fight.state.umpire.plans["g"].status == ("done" if goes else "in_contact")
    assert (fight.unit("g").at == fight.at("I3")) == goes


@pytest.mark.rule("core 4.0")
def test_a_player_gives_plans_to_his_hidden_units_only() -> None:
    fight = hiding(f"us a {SQUAD} B7\nge g {SQUAD} I2 hidden\nge h {SQUAD} J8")
    assert fight.refused("ge", "GivePlan", force="h", legs=[])
    assert fight.refused("us", "GivePlan", force="g", legs=[])
    assert fight.refused("ge", "GivePlan", force="g", legs=[{"path": [[7, 2, 0]]}])
    fight.give("ge", "GivePlan", force="g", legs=[{"path": [[8, 2, 0]]}], is_held=True, on_signal={"now": "go"})
    assert due(fight) == ()
    fight.give("ge", "Signal", command="ge", signal="now")
    assert due(fight) == ("g",)
    fight.give("ge", "CancelPlan", force="g")
    assert due(fight) == ()


@pytest.mark.rule("core 4.0")
def test_a_command_that_only_plans_move_is_not_waited_for_and_says_that_it_is_done() -> None:
    fight = battle(
        FORESTS,
        f"us a {SQUAD} B7\nge g {SQUAD} I2 hidden",
        plan=[{"force": "g", "legs": [{"path": "I3"}]}],
        command=[
            {"key": "us", "side": "us", "name": "us"},
            {"key": "ge", "side": "ge", "name": "ge", "plans_only": True},
        ],
    )
    fight.give("us", "Pass")
    assert fight.state.public.active == "us"
    assert due(fight) == ("g", "ge")
    fight.carry("g")
    fight.give("us", "Pass")
    assert fight.state.public.turn == 1  # the phase ends when the command has
    fight.carry("ge", [("initiative", 1), ("initiative", 6)])
    assert fight.state.public.turn == 2


@pytest.mark.rule("core 4.0")
def test_a_phase_in_which_nobody_else_has_anything_left_to_do_waits_for_the_plans() -> None:
    plan = {"force": "g", "legs": [{"path": "I3"}]}
    fight = hiding(f"us a {SQUAD} B7\nge g {SQUAD} I2 hidden", plan)
    fight.give("us", "LaySmoke", [("smoke a", 6)], unit="a", at=[2, 7])
    assert (fight.state.public.turn, fight.state.public.phase, due(fight)) == (1, "operations", ("g",))
    fight.carry("g", [("initiative", 1), ("initiative", 6)])
    assert fight.state.public.turn == 2


def test_a_way_is_proposed_that_known_enemies_see_little_of() -> None:
    board = """
    . . . . . . .
    . . . . . . .
    F F F F F F F
    F F F F F F F
    """
    fight = battle(board, f"us a {SQUAD} D1\nge g {SQUAD} A3 hidden\nge h {SQUAD} G3")
    seen = PACKAGE.route(fight.state, "g", (7, 1), 1000)
    direct = PACKAGE.route(fight.state, "g", (7, 1), 0)
    assert seen is not None
    assert direct is not None
    assert sum(row >= 3 for _, row, _ in seen.path) > sum(row >= 3 for _, row, _ in direct.path)
