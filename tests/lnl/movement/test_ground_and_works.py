"""What lies in wait where units go, smoke, leaving the board: mines, claymores, hidden wire, melees that go on."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.state.finding import works
from tests.lnl.building import CLEAR, Battle, battle


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


def go(fight: Battle, units: str, *path: str, seat: str = "us", verb: str = "Move", **more: Any) -> None:
    fight.give(seat, verb, more.pop("dice", ()), units=units.split(), path=places(fight, *path), **more)


IDLE = "\nus spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A8"


# Mines


@pytest.mark.rule("core 21.4")
def test_mines_attack_all_who_enter_without_a_target_modifier_and_are_known_then() -> None:
    wood = CLEAR.splitlines()
    wood[3] = wood[3][:8] + "F" + wood[3][9:]
    fight = battle(
        "\n".join(wood), "us a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E5\nge m mines E4 hidden, strength 1" + IDLE
    )
    assert "m" not in fight.state.public.pieces
    go(
        fight,
        "a b",
        "E4",
        "E3",
        dice=[("mine attack", 4), ("mine defence", 3), ("damage check a", 5), ("damage check b", 2)],
    )
    assert (fight.unit("a").is_shaken, fight.unit("a").at) == (True, fight.at("E4"))
    assert (fight.unit("b").is_shaken, fight.unit("b").at) == (False, fight.at("E3"))
    assert "m" in fight.state.public.pieces


@pytest.mark.rule("core 21.4")
def test_two_mine_markers_attack_one_after_the_other_and_friends_pass() -> None:
    pieces = "us a squad 2-5-4-6 E5\nge m mines E4\nge n mines E4\nge f squad 1-6-4-5 E3"
    fight = battle(CLEAR, pieces + IDLE)
    rolls = [("mine attack", 1), ("mine defence", 2), ("mine attack", 1), ("mine defence", 6)]
    go(fight, "a", "E4", dice=rolls)
    assert fight.unit("a").is_good_order
    friends = battle(CLEAR, pieces + IDLE, active="ge")
    go(friends, "f", "E2", seat="ge")
    assert friends.unit("f").is_good_order


# Claymores


CLAYMORE = "us g squad 2-6-4-6 E5\nus mine claymore E5\nge v squad 1-5-4-5 E7"


@pytest.mark.rule("core 21.5", "core 5.3")
def test_a_claymore_goes_off_before_opportunity_fire_and_marks_nobody() -> None:
    """REAL-26: 0+1+5 against 3, the check 3+3 above 5; then the squad fires at one who has stopped."""
    fight = battle(CLEAR, CLAYMORE + IDLE, active="ge", standing="ask")
    fight.give(
        "ge",
        "Move",
        [("claymore attack", 5), ("claymore defence", 3), ("damage check v", 3), ("attack", 1), ("defence", 6)],
        answers=[("us", ["mine"]), ("us", ["5,5,0 us"])],
        units=["v"],
        path=places(fight, "E6", "D6"),
    )
    assert not fight.open_works
    assert (fight.unit("v").is_shaken, fight.unit("v").at) == (True, fight.at("E6"))
    assert fight.unit("g").fired


@pytest.mark.rule("core 21.5")
def test_a_claymore_that_is_not_set_off_stays_and_one_whose_guard_is_shaken_cannot_be() -> None:
    fight = battle(CLEAR, CLAYMORE + IDLE, active="ge", standing="ask")
    go(fight, "v", "E6", seat="ge")
    assert fight.open_works == {"mine"}
    assert not fight.unit("g").fired
    shaken = battle(CLEAR, CLAYMORE.replace("E5\nus mine", "E5 shaken\nus mine") + IDLE, active="ge", standing="free")
    go(shaken, "v", "E6", seat="ge")
    assert shaken.open_works == {"mine"}


@pytest.mark.rule("core 21.5")
def test_a_leader_adds_his_leadership_to_a_claymore() -> None:
    pieces = CLAYMORE + "\nus lt leader morale=6 lm=1 mf=6 E5" + IDLE
    fight = battle(CLEAR, pieces, active="ge", standing="ask")
    fight.give(
        "ge",
        "Move",
        [("claymore attack", 2), ("claymore defence", 4)],
        answers=[("us", ["mine"])],
        units=["v"],
        path=places(fight, "E6"),
    )
    assert fight.unit("v").is_good_order, "0 + 1 for the leader + 1 for moving + 2 against 4"


@pytest.mark.rule("core 21.5")
def test_a_claymore_that_nobody_guards_any_more_is_gone() -> None:
    fight = battle(CLEAR, CLAYMORE + IDLE)
    go(fight, "g", "E4")
    assert not fight.open_works


@pytest.mark.rule("core 21.5", "core 4.1")
def test_an_mmc_deploys_a_claymore_and_is_ops_complete() -> None:
    pieces = "us g squad 2-6-4-6 E5 us_claymore\nus lt leader morale=6 lm=1 mf=6 E5 us_claymore\nge v squad 1-5-4-5 J8"
    fight = battle(CLEAR, pieces + IDLE)
    carried, other = fight.guns("g")[0], fight.guns("lt")[0]
    assert fight.refused("us", "DeployClaymore", units=["lt"], weapon=other)[0].rule == "core 21.5"
    fight.give("us", "DeployClaymore", units=["g"], weapon=carried)
    assert [(work.kind, work.at) for work in works(fight.state)] == [("claymore", (5, 5))]
    assert fight.unit("g").ops_complete
    assert fight.guns("g") == ()
    fight.set("g", ops_complete=False)
    assert fight.refused("us", "DeployClaymore", units=["g", "lt"], weapon=other)


# Wire that nobody knew of


@pytest.mark.rule("core 21.3")
def test_who_runs_into_hidden_wire_stops_before_it_uncharged_and_knows_it() -> None:
    wood = CLEAR.splitlines()
    wood[2] = wood[2][:8] + "F" + wood[2][9:]
    fight = battle("\n".join(wood), "us a squad 2-5-4-6 E5\nge w wire E3 hidden" + IDLE)
    assert "w" not in fight.state.public.pieces
    go(fight, "a", "E4", "E3", "E2")
    assert (fight.unit("a").at, fight.unit("a").spent) == (fight.at("E4"), 1)
    assert not fight.unit("a").is_moving
    assert "w" in fight.state.public.pieces


# Melee on the way


@pytest.mark.rule("core 8.1.1", "core 6.0", "core 1.3")
def test_who_enters_a_melee_stops_and_reinforces_it() -> None:
    """DIG-10."""
    pieces = "us a squad 2-5-4-6 E3\nus b squad 2-5-4-6 E4\nus c squad 2-5-4-6 E7\nge g squad 1-6-4-5 E5"
    fight = battle(CLEAR, pieces + IDLE)
    in_vain = [("melee us", (1, 1)), ("melee ge", (1, 1))]
    go(fight, "b", "E5", dice=in_vain)
    fight.give("ge", "Pass")
    assert fight.refused("us", "Move", units=["a"], path=places(fight, "E4", "E5", "E6"))[0].rule == "core 6.0"
    go(fight, "a", "E4", "E5")
    assert (fight.unit("a").at, fight.unit("a").moved) == (fight.at("E5"), "move")
    for seat in ("ge", "us", "ge"):
        fight.throw([("initiative", 6), ("initiative", 1)])
        assert fight.play.order(seat, {"verb": "Pass"}) == []
    assert fight.state.public.turn == 2
    fight.phase("operations", "us")
    go(fight, "c", "E6", "E5", dice=in_vain)
    assert fight.state.public.melees["5,5,0"].fought


# Smoke


@pytest.mark.rule("core 7.0", "core 4.1")
@pytest.mark.parametrize(("face", "laid"), [(1, True), (2, True), (3, False)])
def test_smoke_is_laid_with_a_roll_of_the_nations_capability_and_the_unit_is_done_either_way(
    face: int, laid: bool
) -> None:
    """REAL-11."""
    fight = battle(CLEAR, "us a squad 2-5-4-6 E5\nge g squad 1-6-4-5 J8" + IDLE)
    fight.give("us", "LaySmoke", [("smoke a", face)], unit="a", at=[5, 5])
    assert fight.state.public.smoke == ({"5,5": 1} if laid else {})
    assert fight.unit("a").ops_complete
    fight.give("ge", "Pass")
    fight.refused("us", "Move", units=["a"], path=places(fight, "E4"))


@pytest.mark.rule("core 7.0")
@pytest.mark.parametrize("what", ["moved", "low crawl", "fired", "ops complete", "shaken"])
def test_who_may_not_lay_smoke(what: str) -> None:
    fight = battle(CLEAR, f"us a squad 2-5-4-6 E5 {what}\nus m squad 2-5-4-6 E5\nge g squad 1-6-4-5 J8" + IDLE)
    assert fight.refused("us", "LaySmoke", unit="a", at=[5, 4])
    assert fight.refused("us", "LaySmoke", unit="spare_us", at=[1, 1])[0].rule == "core 7.0"
    assert fight.refused("us", "LaySmoke", unit="m", at=[5, 3])[0].rule == "core 7.0"


@pytest.mark.rule("core 7.0", "core 6.1")
def test_after_an_assault_move_a_unit_may_lay_smoke() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 am E5\nge g squad 1-6-4-5 J8" + IDLE)
    go(fight, "a", "E4", verb="AssaultMove")
    fight.give("us", "LaySmoke", [("smoke a", 2)], unit="a", at=[5, 3])
    assert fight.state.public.smoke == {"5,3": 1}


# Stacking


@pytest.mark.rule("core 1.3")
@pytest.mark.parametrize(
    ("there", "coming", "fits"),
    [
        (["squad 2-5-4-6"] * 2, "squad 2-5-4-6", True),
        (["squad 2-5-4-6"] * 3, "half_squad 1-4-4-6", False),
        (["squad 2-5-4-6", "squad 2-5-4-6", "half_squad 1-4-4-6"], "crew 0-2-4-5", True),
        (["squad 2-5-4-6", "squad 2-5-4-6", "half_squad 1-4-4-6"], "weapon_team 1-8-4-6", False),
        (["medic mf=5 morale=6", "hero 1-4-5-6"], "leader morale=6 lm=1 mf=6", False),
        (["squad 2-5-4-6", "squad 2-5-4-6", "squad 2-5-4-6", "hero 1-4-5-6"], "leader morale=6 lm=1 mf=6", True),
    ],
)
def test_three_squads_or_their_equal_and_two_single_men(there: list[str], coming: str, fits: bool) -> None:
    stack = "\n".join(f"us x{number} {what} E4" for number, what in enumerate(there))
    fight = battle(CLEAR, f"{stack}\nus a {coming} E5" + IDLE)
    if fits:
        go(fight, "a", "E4")
    else:
        assert fight.refused("us", "Move", units=["a"], path=places(fight, "E4"))[0].rule == "core 1.3"


@pytest.mark.rule("core 21.1", "core 1.3")
def test_a_bunker_and_its_top_hold_no_more_than_a_hex() -> None:
    inside = "us b bunker E4 facing 1\nus x squad 2-5-4-6 E4 in the bunker\nus y squad 2-5-4-6 E4 in the bunker"
    fight = battle(CLEAR, f"{inside}\nus z squad 2-5-4-6 E4\nus a squad 2-5-4-6 E5" + IDLE)
    assert fight.refused("us", "Move", units=["a"], path=places(fight, "E4"))[0].rule == "core 1.3"


# Leaving the board


@pytest.mark.rule("core 6.0")
def test_units_leave_the_board_by_their_zone_alone_or_after_a_move() -> None:
    tables = {
        "zone": [{"key": "road", "name": "Road", "hexes": "E1 E2"}],
        "objective": [{"key": "out", "side": "us", "deed": "exit", "points": 1, "name": "Out", "zone": "road"}],
    }
    pieces = "us a squad 2-5-4-6 E1 bar\nus b squad 2-5-4-6 E4\nus c squad 2-5-4-6 E6\nge g squad 1-6-4-5 J8"
    fight = battle(CLEAR, pieces + IDLE, **tables)
    assert fight.refused("us", "ExitBoard", units=["c"])
    carried = fight.guns("a")[0]
    fight.give("us", "ExitBoard", units=["a"])
    assert not fight.has("a")
    assert not fight.has(carried)
    assert [(loss.unit, loss.how) for loss in fight.state.public.losses] == [("a", "exited")]
    fight.give("ge", "Pass")
    go(fight, "b", "E3", "E2")
    fight.give("us", "ExitBoard", units=["b"])
    assert not fight.has("b")
