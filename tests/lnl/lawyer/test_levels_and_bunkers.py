"""Levels of a hex, bunkers and trenches, where several rules meet."""

from __future__ import annotations

import pytest

from lnl.rules.turn.activation import activatable
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.settings import BadInput

IDLE = "\nus spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A8"
LEADER = "leader morale=6 lm=1 mf=6"
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
HALL = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "E5 E6 F5"\nstoreys = 2\n'
BUNKER = "us box bunker E4 facing 1\nus in squad 2-5-4-6 E4 in the bunker\n"


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


def names(fight: Battle, *wanted: str) -> set[tuple[int, ...]]:
    return {fight.at(name) for name in wanted}


# Whom a leader brings in


@pytest.mark.rule("core 4.0", "core 6.0", "core 2.0")
def test_a_leader_upstairs_brings_nobody_in_from_the_street() -> None:
    """The book's list of whom he can activate names floors of the building and his own hex, and no street beside it."""
    pieces = f"us lt {LEADER} E5 upstairs\nus a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E6 upstairs\nus c squad 2-5-4-6 E4"
    fight = battle(TOWN, pieces + IDLE, map_extra=HALL)
    reached = activatable(fight.state, ("us",), fight.at("E5 upstairs"))
    assert set(reached) == names(fight, "E5 upstairs", "E5", "E6 upstairs")
    assert fight.refused("us", "Activate", places=places(fight, "E5 upstairs", "E4"))[0].rule == "core 4.0"


@pytest.mark.rule("core 6.0")
def test_a_leader_in_the_street_brings_the_ground_floor_beside_him_in_and_not_the_one_above_it() -> None:
    pieces = f"us lt {LEADER} E4\nus a squad 2-5-4-6 E5\nus b squad 2-5-4-6 E5 upstairs"
    fight = battle(TOWN, pieces + IDLE, map_extra=HALL)
    assert set(activatable(fight.state, ("us",), fight.at("E4"))) == names(fight, "E4", "E5")


@pytest.mark.rule("core 4.0", "core 2.0")
def test_a_chain_of_leaders_goes_down_the_stairs_and_out() -> None:
    pieces = f"us up {LEADER} F5 upstairs\nus mid {LEADER} E5 upstairs\nus down {LEADER} E5\nus a squad 2-5-4-6 E4"
    fight = battle(TOWN, pieces + IDLE, map_extra=HALL)
    fight.refused("us", "Activate", places=places(fight, "F5 upstairs", "E5", "E4"))
    fight.give("us", "Activate", places=places(fight, "F5 upstairs", "E5 upstairs", "E5", "E4"))
    fight.give("us", "Move", units=["a"], path=places(fight, "E3"))
    fight.give("us", "EndImpulse")
    assert [fight.unit(key).ops_complete for key in ("up", "mid", "down", "a")] == [True, True, True, False]


@pytest.mark.rule("core 21.1", "core 4.0")
def test_the_inside_of_a_bunker_is_activated_like_another_floor() -> None:
    pieces = f"{BUNKER}us top {LEADER} E4\nus a squad 2-5-4-6 E5\nus other {LEADER} E3"
    fight = battle(CLEAR, pieces + IDLE)
    assert set(activatable(fight.state, ("us",), fight.at("E3"))) == names(fight, "E3", "E4", "E5", "E4 in the bunker")
    fight.set("top", is_shaken=True)
    assert set(activatable(fight.state, ("us",), fight.at("E3"))) == names(fight, "E3", "E4")


# Fire at bunkers, in them, and from them


@pytest.mark.rule("core 5.0", "core 21.1")
def test_nobody_fires_from_outside_at_a_bunker_in_or_on_which_his_own_are() -> None:
    fight = battle(CLEAR, f"{BUNKER}us a squad 2-5-4-6 E7\nge g squad 1-6-4-5 E4" + IDLE)
    assert fight.refused("us", "Fire", units=["a"], target=list(fight.at("E4")))[0].rule == "core 5.0"
    pieces = (
        "ge box bunker E4 facing 1\nge g squad 1-6-4-5 E4 in the bunker\nus x squad 2-5-4-6 E4\nus a squad 2-5-4-6 E7"
    )
    on_top = battle(CLEAR, pieces + IDLE)
    found = on_top.refused("us", "Fire", units=["a"], target=list(on_top.at("E4 in the bunker")))
    assert found[0].rule == "core 5.0"


@pytest.mark.rule("core 5.0", "core 8.1", "core 21.1")
def test_nobody_fires_from_outside_at_a_bunker_in_which_a_melee_goes_on() -> None:
    pieces = f"{BUNKER}ge g squad 1-6-4-5 E4 in the bunker\nge h squad 1-6-4-5 E4\nus a squad 2-5-4-6 E7"
    fight = battle(CLEAR, pieces + IDLE, melees=["E4 in the bunker"])
    assert fight.refused("us", "Fire", units=["a"], target=list(fight.at("E4")))[0].rule == "core 5.0"


@pytest.mark.rule("core 21.1", "core 5.3", "core 5.0")
def test_who_comes_on_top_of_a_bunker_draws_fire_neither_from_inside_nor_from_its_friends_outside() -> None:
    pieces = f"{BUNKER}us a squad 2-5-4-6 E7\nge g squad 1-6-4-5 E3"
    fight = battle(CLEAR, pieces + IDLE, active="ge", standing="free")
    fight.give("ge", "Move", units=["g"], path=places(fight, "E4"))
    assert not fight.unit("in").fired
    assert not fight.unit("a").fired
    assert fight.unit("g").at == fight.at("E4")
    assert not fight.state.public.melees, "on top and inside nobody fights hand to hand"


@pytest.mark.rule("core 21.1", "core 5.3")
def test_opportunity_fire_from_a_bunker_goes_through_its_front_only() -> None:
    pieces = f"{BUNKER}ge front squad 1-6-4-5 E1\nge back squad 1-6-4-5 E7"
    fight = battle(CLEAR, pieces + IDLE, active="ge", standing="free")
    fight.give("ge", "Move", units=["back"], path=places(fight, "E6", "E5"))
    assert not fight.unit("in").fired
    fight.give("us", "Pass")
    fight.give("ge", "Move", [("attack", 1), ("defence", 6)], units=["front"], path=places(fight, "E2"))
    assert fight.unit("in").fired


@pytest.mark.rule("core 21.1", "core 1.6.2")
def test_a_charge_is_thrown_into_a_bunker_from_its_top_as_into_an_adjacent_hex() -> None:
    """6 and a die of 1 against 2 of the bunker and a die of 5: no effect."""
    pieces = "ge box bunker E4 facing 1\nge g squad 1-6-4-5 E4 in the bunker\nus a squad 2-5-4-6 E4 satchel"
    fight = battle(CLEAR, pieces + IDLE)
    charge = fight.guns("a")[0]
    fight.give(
        "us",
        "Fire",
        [("attack", 1), ("defence", 5)],
        units=["a"],
        weapons=[charge],
        holding=["a"],
        target=list(fight.at("E4 in the bunker")),
    )
    assert not fight.has(charge)
    assert fight.unit("g").is_good_order


@pytest.mark.rule("core 1.6.2", "core 6.0")
def test_a_charge_is_thrown_up_the_stairs() -> None:
    fight = battle(TOWN, "us a squad 2-5-4-6 E5 satchel\nge g squad 1-6-4-5 E5 upstairs" + IDLE, map_extra=HALL)
    dice = [("attack", 1), ("defence", 6)]
    charge = fight.guns("a")[0]
    target = list(fight.at("E5 upstairs"))
    fight.give("us", "Fire", dice, units=["a"], weapons=[charge], holding=["a"], target=target)
    assert not fight.has(charge)


@pytest.mark.rule("core 4.1", "core 10.1")
def test_who_has_spotted_one_floor_does_not_fire_at_another_one() -> None:
    pieces = "us a squad 2-5-4-6 C5\nge g squad 1-6-4-5 E5\nge h squad 1-6-4-5 E5 upstairs fired"
    fight = battle(TOWN, pieces + IDLE, map_extra=HALL)
    fight.give("us", "Spot", [("spot", 1)], unit="a", target=list(fight.at("E5")))
    refused = fight.refused("us", "Fire", units=["a"], target=list(fight.at("E5 upstairs")))
    assert refused[0].rule == "core 4.1"
    fight.give("us", "Fire", [("attack", 1), ("defence", 6)], units=["a"], target=list(fight.at("E5")))


@pytest.mark.rule("core 21.1", "core 1.3", "core 11.4")
def test_a_sniper_counts_with_those_in_the_bunker_below_him() -> None:
    wood = CLEAR.splitlines()
    wood[3] = wood[3][:8] + "F" + wood[3][9:]
    medics = "us m medic mf=5 morale=6 E4 in the bunker\nus n medic mf=5 morale=6 E4 in the bunker\n"
    pieces = f"us box bunker E4 facing 1\n{medics}us s sniper fp=1 range=12 morale=6 mf=0 E4\nge g squad 1-6-4-5 J8"
    fight = battle("\n".join(wood), pieces + IDLE)
    assert fight.refused("us", "PlaceSniper", unit="s", at=list(fight.at("E4")))[0].field == "at"


# Trenches, mines and claymores


@pytest.mark.rule("core 21.6", "core 21.5", "core 5.3")
@pytest.mark.parametrize(("works", "dice"), [("ge t trench E6\nge u trench E7", ()), ("", [("damage check v", 1)])])
def test_from_trench_to_trench_nobody_is_a_better_target_for_a_claymore(
    works: str, dice: list[tuple[str, int]]
) -> None:
    """0 and 3 against 2 of the trench and 1: no more. In the open 0 and 1 for moving and 3 against 1: beaten by 3."""
    pieces = f"us g squad 2-6-4-6 E5\nus mine claymore E5\n{works}\nge v half_squad 1-5-4-5 E7"
    fight = battle(CLEAR, pieces + IDLE, active="ge", standing="ask")
    fight.give(
        "ge",
        "Move",
        [("claymore attack", 3), ("claymore defence", 1), *dice, *([("hero v", 1)] if dice else [])],
        answers=[("us", ["mine"])],
        units=["v"],
        path=places(fight, "E6"),
    )
    assert fight.unit("v").is_good_order


@pytest.mark.rule("core 21.4", "core 21.5")
@pytest.mark.parametrize(("works", "right"), [("mines", "2 there at most"), ("claymore", "1 there at most")])
def test_no_more_mines_and_claymores_lie_in_a_hex_than_there_may(works: str, right: str) -> None:
    lying = "\n".join(f"ge w{number} {works} E4" for number in range(3))
    with pytest.raises(BadInput, match=right):
        battle(CLEAR, f"us a squad 2-5-4-6 E7\n{lying}\nge g squad 1-6-4-5 E4")


@pytest.mark.rule("core 21.4", "core 21.1")
@pytest.mark.parametrize("work", ["mines", "bunker"])
def test_neither_mines_nor_bunkers_are_placed_in_buildings(work: str) -> None:
    facing = " facing 1" if work == "bunker" else ""
    with pytest.raises(BadInput, match="is a building"):
        battle(TOWN, f"us a squad 2-5-4-6 E2\nge w {work} E5{facing}\nge g squad 1-6-4-5 E6", map_extra=HALL)
