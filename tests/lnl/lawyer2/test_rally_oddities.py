"""Unusual Rally Phases: helpers of another troop, heroes, chaplains, commissars, weapons beyond what one carries."""

from __future__ import annotations

import pytest

from lnl.rules.turn.rally_phase import helpers, modifiers_of
from tests.lnl.building import CLEAR, Battle, battle
from tests.lnl.fire.firing import gun_of
from umpire.kernel.values.modifiers import total

SQUAD = "squad 1-6-4-5"
WAITS = f"\nge late {SQUAD} sr A1 shaken"
"""Somebody for whom the phase waits."""
HALL = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "B3 C3 C4"\nstoreys = 2\n'
HOUSE = "\n".join([*[". " * 10] * 2, ". S S . . . . . . .", ". . S . . . . . . .", *[". " * 10] * 4])


def rallying(pieces: str, board: str = CLEAR) -> Battle:
    return battle(board, f"{pieces}\nus g {SQUAD} H8{WAITS}", phase="rally", active="ge")


def help_for(fight: Battle, key: str) -> tuple[list[str], int]:
    """Who may help, and what the best of them takes off the dice."""
    each = fight.unit(key)
    found = helpers(fight.state, each)
    return [other.id for other in found], total(modifiers_of(fight.state, each, found[0] if found else None))


@pytest.mark.rule("core 3.0", "core 11.2")
def test_beside_a_leader_of_another_troop_a_hero_lets_one_try_without_leadership() -> None:
    pieces = f"ge a {SQUAD} troop=ss B2 shaken\nge lt leader morale=6 lm=2 troop=wehrmacht B2"
    fight = rallying(pieces)
    assert [each.rule for each in fight.refused("ge", "Rally", unit="a")] == ["core 3.0"]
    fight = rallying(pieces + "\nge h hero 1-4-5-6 B2")
    assert help_for(fight, "a") == (["h"], 0)
    fight.give("ge", "Rally", [("rally a", (3, 3))], unit="a")
    assert fight.unit("a").is_shaken


@pytest.mark.rule("core 3.0")
def test_who_rallies_himself_has_the_leadership_of_his_own_and_of_nobody_else() -> None:
    pieces = f"ge a {SQUAD} sr troop=ss B2 shaken\nge lt leader morale=6 lm=2 troop=wehrmacht B2"
    assert help_for(rallying(pieces), "a") == ([], 0)
    assert help_for(rallying(pieces + "\nge ul leader morale=6 lm=1 troop=ss B2"), "a") == (["ul"], -1)


@pytest.mark.rule("core 3.0", "core 5.1", "core 1.5")
def test_a_wounded_shaken_leader_rallies_himself_in_cover() -> None:
    """Morale 6, 1 less for the wound: 7 less 2 in the woods."""
    fight = rallying("ge lt leader morale=6 lm=2 C3 shaken, wounded", HOUSE.replace("S", "w"))
    fight.give("ge", "Rally", [("rally lt", (3, 4))], unit="lt")
    assert not fight.unit("lt").is_shaken
    assert fight.unit("lt").is_wounded


@pytest.mark.rule("core 3.0", "core 21.1", "core 10.2")
def test_a_leader_on_one_floor_of_a_hex_rallies_nobody_on_the_other() -> None:
    fight = battle(
        HOUSE,
        f"ge a {SQUAD} C3 shaken\nge lt leader morale=6 lm=2 C3 upstairs\nus g {SQUAD} H8{WAITS}",
        phase="rally",
        active="ge",
        map_extra=HALL,
    )
    assert help_for(fight, "a") == ([], -2)
    assert [each.rule for each in fight.refused("ge", "Rally", unit="a")] == ["core 3.0"]


@pytest.mark.rule("core 11.5", "core 5.1")
def test_a_wounded_chaplain_helps_by_one_less() -> None:
    assert help_for(rallying(f"ge c chaplain morale=6 lm=2 B2 wounded\nge a {SQUAD} B2 shaken"), "a") == (["c"], -1)


@pytest.mark.rule("core 11.1", "core 11.5")
def test_where_a_chaplain_has_rallied_somebody_no_leader_does_in_that_phase() -> None:
    pieces = (
        f"ge c chaplain morale=6 lm=1 B2\nge lt leader morale=6 lm=2 B2\nge a {SQUAD} B2 shaken\nge b {SQUAD} B2 shaken"
    )
    fight = rallying(pieces)
    fight.give("ge", "Rally", [("rally a", (6, 6))], unit="a", by="c")
    assert help_for(fight, "b") == (["c"], -1)
    assert [each.rule for each in fight.refused("ge", "Rally", unit="b", by="lt")] == ["core 3.0"]


def soviets(pieces: str) -> Battle:
    return battle(CLEAR, f"{pieces}\nus g {SQUAD} H8\nsu late {SQUAD} sr A1 shaken", phase="rally", active="su")


@pytest.mark.rule("core 11.9", "core 11.1")
def test_after_fight_or_die_no_other_leader_of_the_place_leads() -> None:
    """The squad failed by itself; the commissar has used his leadership then, so the leader may not."""
    pieces = (
        f"su k commissar morale=6 lm=1 troop=red B2\nsu lt leader morale=6 lm=2 troop=line B2\n"
        f"su a {SQUAD} sr troop=line B2 shaken\nsu b {SQUAD} troop=line B2 shaken"
    )
    fight = soviets(pieces)
    fight.give("su", "Rally", [("rally a", (6, 6))], unit="a", by="k")
    fight.give("su", "FightOrDie", [("fight or die a", (3, 4))], commissar="k", unit="a")
    assert not fight.unit("a").is_shaken
    assert help_for(fight, "b") == (["k"], -1)


@pytest.mark.rule("core 11.9", "core 11.1")
def test_a_commissar_who_has_made_somebody_fight_has_used_his_leadership() -> None:
    """The leader failed beside a hero; made to fight he is in order, but another one has led here in this phase."""
    pieces = (
        f"su k commissar morale=6 lm=1 troop=red B2\nsu lt leader morale=6 lm=2 troop=line B2 shaken\n"
        f"su b {SQUAD} troop=line B2 shaken"
    )
    fight = soviets(pieces)
    fight.set("lt", attempts=["rally"])
    fight.give("su", "FightOrDie", [("fight or die lt", (1, 1))], commissar="k", unit="lt")
    assert help_for(fight, "b") == (["k"], -1)


@pytest.mark.rule("core 11.9")
def test_a_twelve_kills_the_commissar_though_the_unit_rallies() -> None:
    """Morale 9 and 1, leadership 2."""
    pieces = (
        "su k commissar morale=6 lm=2 troop=red B2\nsu a squad 1-6-4-9 troop=line B2 shaken\nsu m medic morale=6 B2"
    )
    fight = soviets(pieces)
    fight.set("a", attempts=["rally"])
    fight.give("su", "FightOrDie", [("fight or die a", (6, 6))], commissar="k", unit="a")
    assert not fight.unit("a").is_shaken
    assert not fight.has("k")


@pytest.mark.rule("core 11.9", "core 13.0")
def test_fight_or_die_is_for_those_whom_the_commissar_may_rally() -> None:
    """No troops of an ally."""
    pieces = "su k commissar morale=6 lm=1 B2\nsu uk_para uk_para B2 shaken\nsu h hero 1-4-5-6 B2"
    fight = soviets(pieces)
    fight.give("su", "Rally", [("rally uk_para", (6, 6))], unit="uk_para")
    found = fight.refused("su", "FightOrDie", commissar="k", unit="uk_para")
    assert [each.rule for each in found] == ["core 11.9"]


@pytest.mark.rule("core 3.0", "core 1.6.1")
def test_half_squads_with_a_gun_each_form_a_squad_that_has_both_and_carries_no_third() -> None:
    half = "half_squad 1-5-4-5 combines=1-6-4-5"
    fight = rallying(f"ge a {half} B2 mg42\nge b {half} B2 bar\nge lt leader morale=6 B2\nge mg34 mg34 B2")
    guns = {*fight.guns("a"), *fight.guns("b")}
    fight.give("ge", "Combine", units=["a", "b"])
    assert set(fight.guns("a")) == guns
    assert [each.rule for each in fight.refused("ge", "PickUp", unit="a", weapon="mg34")] == ["core 1.6.1"]
    fight.give("ge", "PickUp", unit="lt", weapon="mg34")
    assert fight.guns("lt") == ("mg34",)


@pytest.mark.rule("core 1.6.1")
def test_nothing_is_picked_up_while_an_enemy_is_in_the_hex_on_another_floor() -> None:
    fight = battle(
        HOUSE,
        f"ge a {SQUAD} B3\nge bar bar B3\nus x {SQUAD} B3 upstairs fired\nus g {SQUAD} H8{WAITS}",
        phase="rally",
        active="ge",
        map_extra=HALL,
    )
    assert [each.rule for each in fight.refused("ge", "PickUp", unit="a", weapon="bar")] == ["core 1.6.1"]


@pytest.mark.rule("core 1.6.1", "core 3.0")
def test_a_captured_gun_is_picked_up_by_whom_it_is_and_fires_at_half_in_the_next_phase() -> None:
    fight = rallying(f"ge a {SQUAD} B2\nge m1919a4 m1919a4 B2\nge lt leader morale=6 C2")
    fight.give("ge", "PickUp", unit="a", weapon="m1919a4")
    assert fight.weapon("m1919a4").owner == "a"


@pytest.mark.rule("core 1.6.1.01")
@pytest.mark.parametrize("what", ["crew 0-2-4-5", "leader morale=6", "hero 1-4-5-6", f"{SQUAD} B2 shaken"])
def test_only_good_order_squads_and_half_squads_flip_a_tripod(what: str) -> None:
    where = what.replace("B2 shaken", "B2 mg42_tripod, shaken") if "B2" in what else f"{what} B2 mg42_tripod"
    fight = rallying(f"ge a {where}")
    found = fight.refused("ge", "Flip", weapon=gun_of(fight, "a/mg42"))
    assert [each.rule for each in found] == ["core 3.0"]


@pytest.mark.rule("core 1.6.3")
def test_a_big_gun_is_not_set_up_in_a_building() -> None:
    fight = battle(
        HOUSE,
        "ge gun weapon_team 3-20-2-6 gun=50 A8 zone hall\nge m weapon_team 3-20-2-6 gun=20 A8 zone hall\n"
        f"us g {SQUAD} H8",
        phase="set_up",
        options={"set_up": "players"},
        active="ge",
        map_extra=HALL,
        zone=[{"key": "hall", "name": "Hall", "hexes": "B3 C3 A8"}],
    )
    found = fight.refused("ge", "PlaceUnit", unit="gun", at=list(fight.at("B3")))
    assert [each.rule for each in found] == ["core 1.6.3"]
    fight.give("ge", "PlaceUnit", unit="m", at=list(fight.at("B3")))
