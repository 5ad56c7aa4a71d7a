"""Impulses in which several things happen, and battles that begin in melee."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.forms import PointSlot

IDLE = "\nus spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A8"
LEADER = "leader morale=6 lm=1 mf=6"
WOOD = "\n".join(". . . . F . . . . ." if row == 4 else ". . . . . . . . . ." for row in range(1, 9))
IN_MELEE = "us h squad 2-5-4-6 B4\nge g squad 1-6-4-5 B4"


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


# Battles that begin so


@pytest.mark.rule("core 8.1", "core 8.0")
def test_enemies_who_begin_in_one_place_are_locked_in_melee() -> None:
    """2 to 1: 6 kills."""
    fight = battle(CLEAR, IN_MELEE + IDLE)
    assert fight.refused("us", "Move", units=["h"], path=places(fight, "B5"))[0].rule == "core 8.1"
    assert fight.refused("us", "LaySmoke", unit="h", at=[2, 4])
    fight.give("us", "FightMelee", [("melee us", (3, 3)), ("melee ge", (1, 1))], at=list(fight.at("B4")))
    assert not fight.has("g")
    assert fight.unit("h").is_good_order


@pytest.mark.rule("core 8.1", "core 10.2", "core 21.1")
def test_enemies_on_different_levels_of_a_hex_are_not_locked() -> None:
    pieces = "us h squad 2-5-4-6 B4\nge box bunker B4 facing 1\nge g squad 1-6-4-5 B4 in the bunker"
    fight = battle(CLEAR, pieces + IDLE)
    assert not fight.state.public.melees
    fight.give("us", "Move", units=["h"], path=places(fight, "B5"))


@pytest.mark.rule("core 8.1", "core 1.3")
def test_nobody_is_set_up_among_enemies_whom_he_sees() -> None:
    tables: dict[str, Any] = {"zone": [{"key": "strip", "name": "Strip", "hexes": "D4 E4"}]}
    pieces = "us a squad 2-5-4-6 D4 zone strip\nge g squad 1-6-4-5 E4"
    fight = battle(CLEAR, pieces, phase="set_up", options={"set_up": "players"}, head={"first": "us"}, **tables)
    assert fight.refused("us", "PlaceUnit", unit="a", at=list(fight.at("E4")))[0].field == "at"
    form = next(form for form in fight.play.options("us", "a") if form.verb == "PlaceUnit")
    assert [slot.places for slot in form.slots if isinstance(slot, PointSlot)] == [(fight.at("D4"),)]


# Spotting is no impulse


@pytest.mark.rule("core 10.1", "core 8.1", "core 4.0")
def test_after_an_attempt_at_spotting_a_melee_may_still_be_fought_or_left() -> None:
    pieces = f"{IN_MELEE}\nus a squad 2-5-4-6 E7\nge k squad 1-6-4-5 E4"
    fight = battle(WOOD, pieces + IDLE)
    fight.give("us", "Spot", [("spot", 6)], unit="a", target=list(fight.at("E4")))
    fight.give("us", "FightMelee", [("melee us", (1, 1)), ("melee ge", (1, 1))], at=list(fight.at("B4")))
    assert fight.state.public.melees["2,4,0"].fought
    leaving = battle(WOOD, pieces + IDLE)
    leaving.give("us", "Spot", [("spot", 6)], unit="a", target=list(leaving.at("E4")))
    leaving.give("us", "Withdraw", [("withdraw h", (1, 1))], units=["h"], path=places(leaving, "B5"))
    assert not leaving.state.public.melees


# Several hexes in one impulse


@pytest.mark.rule("core 4.0", "core 6.1", "core 5.2")
def test_an_assault_mover_joins_the_fire_of_a_hex_that_the_same_leader_activates() -> None:
    """2 to lead, half of 2, less 2 for the assault move: 1 and 5 against 4, beaten by 2."""
    pieces = f"us lt {LEADER} E6\nus a squad 2-5-4-6 am E6\nus b squad 2-5-4-6 E5\nge g squad 1-6-4-5 E2"
    fight = battle(CLEAR, pieces + IDLE)
    fight.give("us", "Activate", places=places(fight, "E6", "E5"))
    fight.give("us", "AssaultMove", units=["a"], path=places(fight, "E5"))
    dice = [("attack", 5), ("defence", 4), ("damage check g", 3)]
    fight.give("us", "Fire", dice, units=["a", "b"], target=list(fight.at("E2")))
    assert fight.unit("g").is_good_order, "3 and 2 is not above 5"
    assert [fight.unit(key).fired for key in "ab"] == [True, True]


@pytest.mark.rule("core 4.0", "core 6.0")
def test_who_moves_into_a_hex_does_not_bind_those_who_begin_there() -> None:
    pieces = f"us lt {LEADER} E6\nus a squad 2-5-4-6 E6\nus b squad 2-5-4-6 E5\nge g squad 1-6-4-5 J8"
    fight = battle(CLEAR, pieces + IDLE)
    fight.give("us", "Activate", places=places(fight, "E6", "E5"))
    fight.give("us", "Move", units=["a"], path=places(fight, "E5"))
    fight.give("us", "Move", units=["b"], path=places(fight, "E4"))
    assert (fight.unit("a").at, fight.unit("b").at) == (fight.at("E5"), fight.at("E4"))


@pytest.mark.rule("core 5.3", "core 10.2")
def test_the_stairs_are_two_points_and_two_attacks() -> None:
    board = ". . . . .\n. . . . .\n. . S . .\n. . . . .\n. . . . ."
    hall = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "C3"\nstoreys = 2\n'
    guns = "\n".join(f"ge {key} squad 1-6-4-5 {at}" for key, at in (("g", "C1"), ("h", "A3"), ("k", "E3")))
    fight = battle(
        board, f"us a squad 2-5-4-6 C3\n{guns}\nus m medic mf=5 morale=6 A5", map_extra=hall, standing="free"
    )
    dice = [("attack", 1), ("defence", 6)] * 2
    fight.give("us", "Move", dice, units=["a"], path=places(fight, "C3 upstairs"))
    assert sum(fight.unit(key).fired for key in "ghk") == 2


# Scouts


@pytest.mark.rule("core 11.7", "core 6.4")
@pytest.mark.parametrize(("face", "is_shaken"), [(5, False), (6, True)])
def test_a_scout_fires_with_nought_and_nothing_less_after_a_stealth_move(face: int, is_shaken: bool) -> None:
    """0 and 5 against 5: no effect; 0 and 6 against 5: beaten by 1, the check 5 and 1 above 5."""
    fight = battle(CLEAR, "us s scout 0-3-5-6 E6\nge g squad 1-6-4-5 E2" + IDLE)
    fight.give("us", "StealthMove", units=["s"], path=places(fight, "E5"))
    dice = [("attack", face), ("defence", 5), *([("damage check g", 5)] if is_shaken else [])]
    fight.give("us", "Fire", dice, units=["s"], target=list(fight.at("E2")))
    assert fight.unit("g").is_shaken is is_shaken


@pytest.mark.rule("core 4.0", "core 8.1")
def test_a_leader_locked_in_melee_activates_the_hexes_around_him() -> None:
    pieces = f"{IN_MELEE}\nus lt {LEADER} B4\nus a squad 2-5-4-6 B5"
    fight = battle(CLEAR, pieces + IDLE)
    fight.give("us", "Activate", places=places(fight, "B4", "B5"))
    fight.give("us", "Move", units=["a"], path=places(fight, "B6"))
    fight.give("us", "FightMelee", [("melee us", (1, 1)), ("melee ge", (1, 1))], at=list(fight.at("B4")))
    assert fight.unit("a").at == fight.at("B6")


@pytest.mark.rule("core 4.0", "core 6.0")
def test_who_leaves_the_board_binds_those_alone_who_began_beside_him() -> None:
    tables: dict[str, Any] = {
        "zone": [{"key": "road", "name": "Road", "hexes": "E1"}],
        "objective": [{"key": "out", "side": "us", "deed": "exit", "points": 1, "name": "Out", "zone": "road"}],
    }
    pieces = (
        f"us lt {LEADER} E2\nus a squad 2-5-4-6 E2\nus b squad 2-5-4-6 E1\nus c squad 2-5-4-6 E1\nge g squad 1-6-4-5 J8"
    )
    fight = battle(CLEAR, pieces + IDLE, **tables)
    fight.give("us", "Activate", places=places(fight, "E2", "E1"))
    fight.give("us", "Move", units=["a"], path=places(fight, "E1"))
    fight.give("us", "ExitBoard", units=["a"])
    fight.give("us", "Move", units=["b"], path=places(fight, "D1"))
    assert fight.refused("us", "ExitBoard", units=["c"])[0].rule == "core 4.0"
