"""The edges of the night, and movement that is not seen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lnl.building import CLEAR, Battle, battle

IDLE = "\nus spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A8"
LEADER = "leader morale=6 lm=1 mf=6"
NIGHT = {"hour": "night"}
NOTHING = [("attack", 1), ("defence", 6)]
WOOD = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . F . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


# Night


@pytest.mark.rule("core 20.0", "core 5.3")
@pytest.mark.parametrize(("to", "fires"), [("E4", False), ("E3", True)])
def test_by_night_opportunity_fire_is_taken_within_two_hexes(to: str, fires: bool) -> None:
    way = ("E5", "E4", "E3")
    fight = battle(CLEAR, "us a squad 2-5-4-6 E6\nge g squad 1-6-4-5 E1" + IDLE, options=NIGHT, standing="free")
    path = places(fight, *way[: way.index(to) + 1])
    fight.give("us", "Move", NOTHING if fires else (), units=["a"], path=path)
    assert fight.unit("g").fired is fires


@pytest.mark.rule("core 20.0", "core 20.1", "core 5.3")
def test_who_moves_into_the_light_of_a_star_shell_is_fired_at_from_afar_as_by_day() -> None:
    """1 and 1 for moving and 4 against 4: beaten by 2; two less in the dark would have had no effect."""
    pieces = f"us a squad 2-5-4-6 E7\nge g squad 1-6-4-5 E1\nge lt {LEADER} E3"
    fight = battle(CLEAR, pieces + IDLE, options=NIGHT, standing="free", active="ge")
    fight.give("ge", "FireStarShell", [("star shell", 1)], unit="lt", at=[5, 5])
    assert fight.state.public.star_shells == ((5, 5),)
    dice = [("attack", 4), ("defence", 4), ("damage check a", 6)]
    fight.give("us", "Move", dice, units=["a"], path=places(fight, "E6"))
    assert fight.unit("a").is_shaken


@pytest.mark.rule("core 20.0", "core 6.1")
def test_an_assault_mover_who_fires_beyond_two_hexes_by_night_takes_off_four() -> None:
    """The book's sum: 2 for the assault move and 2 for the night. 3 and 5 less 4 against 4: no effect."""
    pieces = "us a squad 3-6-4-6 am E7\nge g squad 1-6-4-5 E3 fired"
    fight = battle(CLEAR, pieces + IDLE, options=NIGHT)
    fight.give("us", "AssaultMove", units=["a"], path=places(fight, "E6"))
    fight.give("us", "Fire", [("attack", 5), ("defence", 4)], units=["a"], target=list(fight.at("E3")))
    assert fight.unit("g").is_good_order
    near = battle(CLEAR, pieces.replace("E3 fired", "E4 fired") + IDLE, options=NIGHT)
    near.give("us", "AssaultMove", units=["a"], path=places(near, "E6"))
    dice = [("attack", 5), ("defence", 4), ("damage check g", 4)]
    near.give("us", "Fire", dice, units=["a"], target=list(near.at("E4")))
    assert near.unit("g").is_shaken, "2 less only: beaten by 2, and 6 is above 5"


@pytest.mark.rule("core 20.1", "core 6.1")
def test_after_an_assault_move_a_hero_may_fire_a_star_shell() -> None:
    fight = battle(CLEAR, "us h hero 1-4-5-6 E6\nge g squad 1-6-4-5 J8" + IDLE, options=NIGHT)
    fight.give("us", "AssaultMove", units=["h"], path=places(fight, "E5"))
    fight.give("us", "FireStarShell", [("star shell", 1)], unit="h", at=[5, 3])
    assert fight.state.public.star_shells == ((5, 3),)
    assert fight.unit("h").ops_complete


@pytest.mark.rule("core 20.1", "core 10.1")
def test_a_star_shell_shows_who_stands_hidden_in_the_open() -> None:
    pieces = f"us lt {LEADER} E6\nge g squad 1-6-4-5 E3 hidden\nge h squad 1-6-4-5 J8"
    fight = battle(CLEAR, pieces + IDLE, options=NIGHT)
    assert "g" not in fight.state.public.pieces
    fight.give("us", "FireStarShell", [("star shell", 1)], unit="lt", at=[5, 3])
    assert "g" in fight.state.public.pieces


@pytest.mark.rule("core 1.7", "core 20.0", "core 20.1")
def test_by_night_a_marker_is_seen_within_two_hexes_or_in_the_light() -> None:
    tables: dict[str, Any] = {
        "marker": [{"key": "flag", "kind": "seen", "at": "E2", "side": "us"}],
        "happening": [{"key": "flag-seen", "marker": "flag", "actions": [{"kind": "text", "text": "A flag."}]}],
    }
    pieces = f"us a squad 2-5-4-6 E6\nus lt {LEADER} E6\nge g squad 1-6-4-5 J8"
    fight = battle(CLEAR, pieces + IDLE, options=NIGHT, **tables)
    fight.give("us", "Move", units=["a"], path=places(fight, "E5"))
    assert not fight.state.public.happened
    fight.give("us", "FireStarShell", [("star shell", 1)], unit="lt", at=[5, 3])
    assert list(fight.state.public.happened) == ["flag"]
    walking = battle(CLEAR, pieces + IDLE, options=NIGHT, **tables)
    walking.give("us", "Move", units=["a"], path=places(walking, "E5", "E4"))
    assert list(walking.state.public.happened) == ["flag"]


# Crawling and stealth


@pytest.mark.rule("core 6.3", "core 5.3", "core 10.1")
@pytest.mark.parametrize(("enemy", "dice"), [("E3", [("attack", 3), ("defence", 4)]), ("E2", [])])
def test_who_crawls_into_the_woods_is_fired_at_from_next_door_only(enemy: str, dice: list[tuple[str, int]]) -> None:
    """From next door: 1 and 2 and a die of 3 against 2 of the forest and 4, and nothing for moving: no effect."""
    fight = battle(WOOD, f"us a squad 2-5-4-6 E5\nge g squad 1-6-4-5 {enemy}" + IDLE, standing="free")
    fight.give("us", "LowCrawl", dice, units=["a"], path=places(fight, "E4"))
    assert fight.unit("g").fired is bool(dice)
    assert fight.unit("a").is_good_order


@pytest.mark.rule("core 6.3", "core 5.1")
def test_who_crawls_up_to_a_shaken_enemy_is_not_spotted_by_it() -> None:
    pieces = "us a squad 2-5-4-6 E5\nge g squad 1-6-4-5 E3 shaken\nge h squad 1-6-4-5 E1"
    fight = battle(WOOD, pieces + IDLE, standing="free")
    fight.give("us", "LowCrawl", units=["a"], path=places(fight, "E4"))
    assert not fight.unit("h").fired


@pytest.mark.rule("core 6.4", "core 5.3")
def test_a_stealthy_mover_is_fired_at_in_the_open_and_not_in_the_woods_even_from_next_door() -> None:
    pieces = "us s squad 2-5-4-6 stealth E5\nge g squad 1-6-4-5 E3"
    in_woods = battle(WOOD, pieces + IDLE, standing="free")
    in_woods.give("us", "StealthMove", units=["s"], path=places(in_woods, "E4"))
    assert not in_woods.unit("g").fired
    open_ground = battle(CLEAR, pieces + IDLE, standing="free")
    open_ground.give("us", "StealthMove", NOTHING, units=["s"], path=places(open_ground, "E4"))
    assert open_ground.unit("g").fired


@pytest.mark.rule("core 6.4", "core 8.0")
def test_melee_may_be_entered_by_stealth() -> None:
    fight = battle(CLEAR, "us s squad 2-5-4-6 stealth E5\nge g squad 1-6-4-5 E4" + IDLE)
    fight.give("us", "StealthMove", [("melee us", (6, 6)), ("melee ge", (1, 1))], units=["s"], path=places(fight, "E4"))
    assert not fight.has("g")


@pytest.mark.rule("core 11.7", "core 6.4")
def test_a_scout_who_carries_a_weapon_has_no_stealth() -> None:
    fight = battle(CLEAR, "us s scout 0-3-5-6 E5 bar\nus t scout 0-3-5-6 E5\nge g squad 1-6-4-5 J8" + IDLE)
    assert fight.refused("us", "StealthMove", units=["s"], path=places(fight, "E4"))[0].rule == "core 6.4"
    fight.give("us", "StealthMove", units=["t"], path=places(fight, "E4"))


# Assault movement


@pytest.mark.rule("core 6.1", "core 21.3", "core 6.0")
@pytest.mark.parametrize(("mf", "goes"), [(4, False), (5, False), (7, True)])
def test_a_half_squad_assault_moves_into_wire_only_with_half_of_its_points(mf: int, goes: bool) -> None:
    """Wire is 4 in all: half of 7, rounded up, is enough; half of 4 or 5 is not, nor is it the one hex that may always
    be moved."""
    fight = battle(CLEAR, f"us w wire E4\nus h half_squad 1-4-{mf}-6 am E5\nge g squad 1-6-4-5 J8" + IDLE)
    path = places(fight, "E4")
    if goes:
        fight.give("us", "AssaultMove", units=["h"], path=path)
        assert (fight.unit("h").spent, fight.unit("h").moved) == (4, "assault")
    else:
        assert fight.refused("us", "AssaultMove", units=["h"], path=path)[0].rule == "core 6.0"


@pytest.mark.rule("core 4.1", "core 6.1", "core 5.3")
def test_a_stack_of_which_one_is_ops_complete_and_one_has_assault_moved_takes_both_off_opportunity_fire_once() -> None:
    """3 to lead and half of 2, less 2 and 2, and 1 for moving: 1 and 6 against 4 is beaten by 3."""
    pieces = "us a squad 3-6-4-6 E4 ops complete\nus b squad 2-6-4-6 E4 assault moved\nge g squad 1-6-4-5 E8"
    fight = battle(CLEAR, pieces + IDLE, active="ge", standing="free")
    dice = [("attack", 6), ("defence", 4), ("damage check g", 2)]
    fight.give("ge", "Move", dice, units=["g"], path=places(fight, "E7"))
    assert fight.unit("g").is_good_order, "2 and 3 is not above 5"
    assert fight.unit("a").fired
    assert fight.unit("b").fired


@pytest.mark.rule("core 11.7", "core 18.1")
def test_a_scout_who_carries_a_weapon_calls_no_fire() -> None:
    team = "us m weapon_team 3-20-2-6 use=mortar minimum_range=3 E8\n"
    pieces = f"{team}us s scout 0-3-5-6 E5 bar\nus t scout 0-3-5-6 E5\nge g squad 1-6-4-5 E2"
    fight = battle(CLEAR, pieces + IDLE)
    target = list(fight.at("E2"))
    assert fight.refused("us", "FireMortar", mortar="m", caller="s", target=target)[0].rule == "core 18.1"
    dice: list[tuple[str, int | tuple[int, ...]]] = [("mortar attack", (1, 1)), ("mortar defence", 6)]
    fight.give("us", "FireMortar", dice, mortar="m", caller="t", target=target)
