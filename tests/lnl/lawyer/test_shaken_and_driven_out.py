"""Shaken units: where they may not go, and what becomes of those who are Shaken as they enter a melee; retreats."""

from __future__ import annotations

import pytest

from lnl.rules.fire.flamethrowers import retreats
from lnl.rules.movement.reach import reachable
from tests.lnl.building import CLEAR, Battle, battle

IDLE = "\nus spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A8"
LEADER = "leader morale=6 lm=1 mf=6"
WOOD = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . F . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


@pytest.mark.rule("core 5.1", "core 8.1", "core 21.4")
def test_who_is_shaken_by_mines_as_he_enters_a_melee_surrenders() -> None:
    """1 and 6 against 1, the check 6 and 2 above 6."""
    fight = battle(CLEAR, "ge m mines E4\nge g squad 1-6-4-5 E4\nus a squad 2-5-4-6 E5" + IDLE)
    dice = [("mine attack", 6), ("mine defence", 1), ("damage check a", 2)]
    fight.give("us", "Move", dice, units=["a"], path=places(fight, "E4"))
    assert not fight.has("a")
    assert [(loss.unit, loss.how) for loss in fight.state.public.losses] == [("a", "surrendered")]
    assert not fight.state.public.melees


@pytest.mark.rule("core 5.1", "core 8.1", "core 21.4")
def test_who_is_shaken_by_mines_beside_one_who_is_not_stays_in_the_melee_and_does_not_fight() -> None:
    """2 against 1: 6 kills; one of the two squads does not fight, and is no target."""
    pieces = "ge m mines E4\nge g squad 1-6-4-5 E4\nus a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E5"
    fight = battle(CLEAR, pieces + IDLE)
    dice = [("mine attack", 5), ("mine defence", 1), ("damage check a", 2), ("damage check b", 1)]
    melee = [("melee us", (3, 2)), ("melee ge", (1, 1))]
    fight.give("us", "Move", [*dice, *melee], units=["a", "b"], path=places(fight, "E4"))
    assert fight.has("g"), "5 of the 6 that 2 against 1 need"
    assert fight.unit("a").is_shaken
    assert fight.unit("b").is_good_order


@pytest.mark.rule("core 5.1", "core 6.0")
def test_shaken_units_that_know_of_no_enemy_there_stop_before_his_place() -> None:
    fight = battle(WOOD, "us a squad 2-5-4-6 E5 shaken\nge g squad 1-6-4-5 E4 hidden" + IDLE)
    fight.give("us", "Move", units=["a"], path=places(fight, "E4"))
    assert (fight.unit("a").at, fight.unit("a").spent, fight.unit("a").is_shaken) == (fight.at("E5"), 0, True)
    assert not fight.state.public.melees


@pytest.mark.rule("core 5.1", "core 6.0")
@pytest.mark.parametrize("verb", ["Move", "LowCrawl"])
def test_shaken_units_with_enemies_in_sight_go_nowhere_nearer_in_any_manner(verb: str) -> None:
    pieces = "us a squad 2-5-4-6 E5 shaken\nus b squad 2-5-4-6 E5\nge g squad 1-6-4-5 E2\nus c squad 2-5-4-6 J8"
    fight = battle(CLEAR, pieces)
    assert fight.refused("us", verb, units=["a", "b"], path=places(fight, "E4"))[0].rule == "core 5.1"
    fight.give("us", verb, units=["a", "b"], path=places(fight, "D5"))
    assert fight.unit("a").at == fight.at("D5"), "no farther from him, but no closer either"


@pytest.mark.rule("core 5.1", "core 10.2")
def test_shaken_units_do_not_climb_the_stairs_towards_an_enemy_in_sight() -> None:
    board = WOOD.replace("F", "S")
    hall = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "E4"\nstoreys = 2\n'
    fight = battle(board, "us a squad 2-5-4-6 E4 shaken\nge g squad 1-6-4-5 E4 upstairs" + IDLE, map_extra=hall)
    assert fight.refused("us", "Move", units=["a"], path=places(fight, "E4 upstairs"))[0].rule == "core 5.1"
    fight.give("us", "Move", units=["a"], path=places(fight, "F4"))


@pytest.mark.rule("core 5.1", "core 8.0")
def test_what_is_offered_to_shaken_units_leads_into_no_melee() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5 shaken\nge g squad 1-6-4-5 E4" + IDLE)
    assert fight.at("E4") not in reachable(fight.state, [fight.unit("a")])
    assert fight.refused("us", "Move", units=["a"], path=places(fight, "E4"))[0].rule == "core 5.1"


# Stacks that part on the way


@pytest.mark.rule("core 5.3", "core 6.2", "core 6.0")
def test_whose_leader_is_shaken_on_the_way_go_on_with_their_own_points_only() -> None:
    """1, 1 for moving and a die of 6 against 1: beaten by 7; the leader's 8 is above 6, the squad's 8 not above 9. The
    squad has 4 points of its own, of which it has spent one."""
    pieces = f"us lt {LEADER} E8\nus a squad 2-5-4-9 E8\nge g squad 1-6-4-5 E1"
    fight = battle(CLEAR, pieces + IDLE, standing="free")
    dice = [("attack", 6), ("defence", 1), ("damage check lt", 1), ("damage check a", 1), ("hero a", 1)]
    path = places(fight, "E7", "E6", "E5", "E4", "E3", "E2")
    fight.give("us", "Move", dice, units=["lt", "a"], path=path, double_time=True)
    assert (fight.unit("lt").at, fight.unit("lt").is_shaken) == (fight.at("E7"), True)
    assert (fight.unit("a").at, fight.unit("a").is_good_order) == (fight.at("E4"), True)
    assert fight.unit("a").spent == 4


# Retreats


@pytest.mark.rule("core 1.6.2", "core 21.4")
def test_who_is_driven_into_mines_is_attacked_by_them() -> None:
    """The fire has 2, 4 of the weapon and 2 for next door: 8 and 1 against 5, beaten by 4; the check: 6 above 5."""
    mines = "us m mines E5\nus n mines D5\nus o mines F5\n"
    fight = battle(CLEAR, f"us a squad 2-5-4-6 E3 flamethrower\n{mines}ge g squad 1-6-4-5 E4" + IDLE)
    assert set(retreats(fight.state, fight.unit("g"), fight.at("E3"))) == {
        fight.at(name) for name in ("E5", "D5", "F5")
    }
    gun = fight.guns("a")[0]
    dice = [("attack", 1), ("defence", 5), ("damage check g", 2), ("mine attack", 1), ("mine defence", 6)]
    fight.give("us", "Fire", dice, answers=[("ge", ["E5"])], units=["a"], weapons=[gun], target=list(fight.at("E4")))
    assert (fight.unit("g").at, fight.unit("g").moved) == (fight.at("E5"), "move")


@pytest.mark.rule("core 21.5", "core 1.6.2")
def test_a_claymore_that_its_guards_are_driven_from_is_gone() -> None:
    pieces = "us a squad 2-5-4-6 E3 flamethrower\nge c claymore E4\nge g squad 1-6-4-5 E4"
    fight = battle(CLEAR, pieces + IDLE)
    gun = fight.guns("a")[0]
    dice = [("attack", 1), ("defence", 5), ("damage check g", 2)]
    fight.give("us", "Fire", dice, answers=[("ge", ["E5"])], units=["a"], weapons=[gun], target=list(fight.at("E4")))
    assert not fight.open_works


@pytest.mark.rule("core 1.6.2", "core 10.2")
def test_who_is_driven_out_upstairs_runs_along_his_floor() -> None:
    board = """
    . . . . . . . .
    . . . . . . . .
    . . . . S . . .
    . . . . S . . .
    . . . . S . . .
    """
    hall = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "E3 E4 E5"\nstoreys = 2\n'
    pieces = "us a squad 2-5-4-6 E3 upstairs\nge g squad 1-6-4-5 E4 upstairs\nge h squad 1-6-4-5 A1"
    fight = battle(board, pieces, map_extra=hall)
    assert retreats(fight.state, fight.unit("g"), fight.at("E3 upstairs")) == (fight.at("E5 upstairs"),)


@pytest.mark.rule("core 1.6.2", "core 10.1")
def test_where_one_may_retreat_tells_nothing_of_hidden_enemies() -> None:
    board = WOOD.replace(". . . . F", ". . . . .").splitlines()
    board[5] = ". . . . F . . ."
    pieces = "us a squad 2-5-4-6 E3\nus x squad 2-5-4-6 E5 hidden\nge g squad 1-6-4-5 E4 shaken"
    fight = battle("\n".join(board), pieces + IDLE)
    assert "x" not in fight.state.public.pieces
    assert fight.at("E5") in retreats(fight.state, fight.unit("g"), fight.at("E3"))


@pytest.mark.rule("core 5.1", "core 20.0")
@pytest.mark.parametrize(("marker", "may"), [("", True), ("fired", False)])
def test_by_night_shaken_units_shun_beyond_two_hexes_who_has_fired_alone(marker: str, may: bool) -> None:
    pieces = (
        f"us a squad 2-5-4-6 E6 shaken\nge g squad 1-6-4-5 E2 {marker}\nus b squad 2-5-4-6 J8\nge h squad 1-6-4-5 J1"
    )
    fight = battle(CLEAR, pieces, options={"hour": "night"})
    path = places(fight, "E5")
    if may:
        fight.give("us", "Move", units=["a"], path=path)
    else:
        assert fight.refused("us", "Move", units=["a"], path=path)[0].rule == "core 5.1"
