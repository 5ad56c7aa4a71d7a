"""The Rally Phase: who may try, who helps, what changes the dice, half-squads. `core 3.0`"""

from __future__ import annotations

import pytest

from lnl.happening.rulings import fallen
from lnl.rules.turn import rally_phase
from lnl.state.battle import State, Unit
from lnl.state.finding import units
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.book.points import Module
from umpire.kernel.rulings import Ruling, roll
from umpire.kernel.values.modifiers import Modifier

FOREST = """
. . . . . .
. . F . . .
. . . . . .
"""
SQUAD = "squad 1-6-4-5"
FOE = f"\nge g {SQUAD} F3"
WAITS = "\nus late squad 1-6-4-5 sr A1 shaken"
"""Somebody for whom the phase waits."""
US = f"\nus u {SQUAD} F3"


def rallying(pieces: str, board: str = CLEAR, **more: object) -> Battle:
    return battle(board, pieces, phase="rally", **more)  # type: ignore[arg-type]


@pytest.mark.rule("core 3.0", "core 1.2", "core 1.5")
@pytest.mark.parametrize(("dice", "is_shaken"), [((1, 4), False), ((2, 4), True)])
def test_a_leader_rallies_on_two_dice_not_above_morale(dice: tuple[int, int], is_shaken: bool) -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus lt leader morale=6 B2{FOE}")
    fight.give("us", "Rally", [("rally a", dice)], unit="a")
    assert fight.unit("a").is_shaken is is_shaken


@pytest.mark.rule("core 3.0", "core 11.1")
def test_leadership_comes_off_the_dice() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus lt leader morale=6 lm=2 B2{FOE}")
    fight.give("us", "Rally", [("rally a", (3, 4))], unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 1.5", "core 3.0")
def test_two_come_off_in_terrain_with_a_positive_target_modifier() -> None:
    fight = rallying(f"us a {SQUAD} C2 shaken\nus lt leader morale=6 C2{FOE}", FOREST)
    fight.give("us", "Rally", [("rally a", (3, 4))], unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 21.2", "core 3.0")
def test_a_foxhole_counts_as_such_terrain_also_in_the_open() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus lt leader morale=6 B2\nus f foxhole B2{FOE}")
    fight.give("us", "Rally", [("rally a", (3, 4))], unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 21.1", "core 3.0")
@pytest.mark.parametrize(("where", "is_shaken"), [("B2 in the bunker", False), ("B2", True)])
def test_a_bunker_counts_for_those_inside(where: str, is_shaken: bool) -> None:
    fight = rallying(f"us a {SQUAD} {where} shaken\nus lt leader morale=6 {where}\nus f bunker B2 facing 1{FOE}")
    fight.give("us", "Rally", [("rally a", (3, 4))], unit="a")
    assert fight.unit("a").is_shaken is is_shaken


@pytest.mark.rule("core 3.0")
def test_a_unit_tries_once_in_a_phase_and_not_without_help() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus lt leader morale=6 B2\nus c {SQUAD} E2 shaken{WAITS}{FOE}")
    assert "nobody" in fight.refused("us", "Rally", unit="c")[0].reason
    fight.give("us", "Rally", [("rally a", (6, 6))], unit="a")
    assert "tried" in fight.refused("us", "Rally", unit="a")[0].reason


@pytest.mark.rule("core 3.0", "core 11.2")
def test_beside_a_hero_one_may_try_without_leadership() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus h hero 1-4-5-6 B2{FOE}")
    fight.give("us", "Rally", [("rally a", (2, 3))], unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 3.0", "core 1.6.3", "core 5.1")
@pytest.mark.parametrize("what", ["weapon_team 2-20-2-6 facing", "squad 1-6-4-6 sr", "leader morale=6"])
def test_weapon_teams_those_marked_and_leaders_rally_themselves(what: str) -> None:
    facing = "facing 2" if "facing" in what else ""
    fight = rallying(f"us a {what} B2 shaken, {facing}{FOE}")
    fight.give("us", "Rally", [("rally a", (3, 3))], unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 11.4")
def test_a_sniper_rallies_himself() -> None:
    fight = battle(
        FOREST, f"us s sniper fp=1 range=12 morale=6 C2 shaken\nus a {SQUAD} A1 shaken{FOE}", phase="set_up",
        options={"set_up": "players"},
    )  # fmt: skip
    fight.set("s", is_placed=True)
    fight.phase("rally", "us")
    fight.give("us", "Rally", [("rally s", (4, 4))], unit="s")
    assert not fight.unit("s").is_shaken


@pytest.mark.rule("core 3.0", "core 5.1")
def test_shaken_leaders_rally_first_and_help_nobody_before() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus lt leader morale=6 lm=1 B2 shaken\nus h hero 1-4-5-6 B2{FOE}")
    assert "leaders" in fight.refused("us", "Rally", unit="a")[0].reason
    # Who is offered nothing for that is told why; who may try, or may not be ordered about, is not.
    assert "leaders" in fight.idle("us", "a")[0].reason
    assert fight.idle("us", "lt") == fight.idle("ge", "a") == []
    fight.give("us", "Rally", [("rally lt", (3, 3))], unit="lt")
    fight.give("us", "Rally", [("rally a", (3, 3))], unit="a")
    assert not fight.unit("a").is_shaken  # 6 - 1 is not above 5: the leader who has just rallied helps


@pytest.mark.rule("core 3.0")
def test_leaders_rally_only_those_of_their_background() -> None:
    fight = rallying(
        f"ge a {SQUAD} troop=ss B2 shaken\nge lt leader morale=6 troop=fj B2{WAITS}{US}".replace("us late", "ge late"),
        active="ge",
    )
    assert fight.refused("ge", "Rally", unit="a")


@pytest.mark.rule("core 11.1")
def test_one_leader_of_a_place_uses_his_leadership_in_a_phase() -> None:
    fight = rallying(
        f"us a {SQUAD} B2 shaken\nus c {SQUAD} B2 shaken\nus one leader morale=6 lm=1 B2"
        f"\nus two leader morale=6 lm=2 B2{FOE}"
    )
    fight.give("us", "Rally", [("rally a", (3, 3))], unit="a", by="one")
    assert fight.refused("us", "Rally", unit="c", by="two")
    fight.give("us", "Rally", [("rally c", (3, 4))], unit="c")
    assert fight.unit("c").is_shaken  # 7 - 1 of the first leader is above 5


@pytest.mark.rule("core 5.1", "core 3.0")
def test_a_wounded_leader_helps_by_one_less() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus lt leader morale=6 lm=1 B2 wounded{FOE}")
    fight.give("us", "Rally", [("rally a", (3, 3))], unit="a")
    assert fight.unit("a").is_shaken


@pytest.mark.rule("core 5.1", "core 1.5")
def test_a_wounded_leader_has_one_less_morale_and_a_hero_has_not() -> None:
    fight = rallying(f"us lt leader morale=6 B2 shaken, wounded{FOE}")
    fight.give("us", "Rally", [("rally lt", (3, 3))], unit="lt")
    assert fight.unit("lt").is_shaken


@pytest.mark.rule("core 1.11")
def test_a_second_morale_is_that_of_the_shaken_side() -> None:
    fight = rallying(f"us a squad 1-4-4-5/4 B2 shaken\nus lt leader morale=6 B2{FOE}")
    fight.give("us", "Rally", [("rally a", (2, 3))], unit="a")
    assert fight.unit("a").is_shaken


@pytest.mark.rule("core 3.0", "core 8.1")
def test_REAL_21_in_a_melee_hex_one_rallies_but_combines_and_picks_up_nothing() -> None:
    half = "half_squad 1-5-4-5 combines=1-6-4-5"
    fight = rallying(
        f"ge a {SQUAD} C2 shaken\nge h1 {half} C2\nge h2 {half} C2\nge lt leader morale=6 lm=1 C2\nge gun mg34 C2"
        f"\nge late squad 1-6-4-5 sr A1 shaken\nus u squad 2-5-4-6 C2",
        active="ge",
        melees=["C2"],
    )
    fight.give("ge", "Rally", [("rally a", (2, 4))], unit="a")
    assert not fight.unit("a").is_shaken
    assert fight.refused("ge", "Combine", units=["h1", "h2"])
    assert fight.refused("ge", "PickUp", unit="h1", weapon="gun")


@pytest.mark.rule("core 3.0")
def test_two_half_squads_of_one_type_form_a_squad_beside_a_leader() -> None:
    half = "half_squad 1-5-4-5 combines=1-6-4-5"
    fight = rallying(f"ge h1 {half} C2 mg34\nge h2 {half} C2 mg42\nge lt leader morale=6 C2{US}", active="ge")
    fight.give("ge", "Combine", units=["h1", "h2"])
    assert not fight.has("h2")
    assert fight.unit("h1").counter == "ge_test_squad_1_6_4_5"
    assert fight.guns("h1") == ("h1.1", "h2.1")
    assert fight.weapon("h2.1").owner == "h1"


@pytest.mark.rule("core 3.0")
def test_half_squads_do_not_combine_without_a_leader_or_shaken_or_of_two_types() -> None:
    half, other = "half_squad 1-5-4-5 combines=1-6-4-5", "half_squad 1-3-4-6 combines=2-3-4-6"
    fight = rallying(
        f"ge h1 {half} C2\nge h2 {half} C2\nge h3 {half} D2\nge h4 {other} D2\nge h5 {half} D2 shaken\n"
        f"ge lt leader morale=6 D2{US}",
        active="ge",
    )
    assert fight.refused("ge", "Combine", units=["h1", "h2"])
    assert fight.refused("ge", "Combine", units=["h3", "h4"])
    assert fight.refused("ge", "Combine", units=["h3", "h5"])


@pytest.mark.rule("core 3.0")
def test_all_rally_in_one_order_leaders_first() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus lt leader morale=6 lm=1 B2 shaken{FOE}")
    fight.give("us", "RallyAll", [("rally lt", (1, 1)), ("rally a", (1, 1))])
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 3.0", "core 2.0")
def test_who_has_nothing_to_decide_is_not_waited_for_and_the_first_side_is_the_one_with_the_initiative() -> None:
    pieces = f"us a {SQUAD} B2\nge g {SQUAD} F3 shaken\nge lt leader morale=6 F3"
    fight = battle(CLEAR, pieces, phase="rally", active="ge")
    assert fight.state.public.active == "ge"
    fight.give("ge", "EndRally")
    assert (fight.state.public.phase, fight.state.public.active) == ("operations", "ge")


@pytest.mark.rule("core 3.0", "core 1.6.1")
def test_who_would_but_drop_a_weapon_is_waited_for_if_he_has_asked_for_it() -> None:
    pieces = f"us a {SQUAD} B2 bar\nge g {SQUAD} F3 shaken\nge lt leader morale=6 F3"
    fight = battle(CLEAR, pieces, phase="rally", active="ge")
    fight.give("us", "GiveStandingOrders", command="us", standing={"rally": "wait"})
    fight.give("ge", "EndRally")
    assert (fight.state.public.phase, fight.state.public.active) == ("rally", "us")
    fight.give("us", "Drop", weapon="a.1")
    fight.give("us", "EndRally")
    assert fight.state.public.phase == "operations"


PAIRS = Module("a module for this test")


@rally_phase.rally_test.change(PAIRS, trait="pairs", rule="hid 13.1.2")
def _pairs(
    rule: str, state: State, piece: str, morale: int, modifiers: tuple[Modifier, ...]
) -> Ruling[tuple[State, str, int]]:
    bands = [(1, 5, "the first"), (6, 6, "six")]
    made = yield from roll("2d6", "pair", subject=piece, by="us", each=True, bands=bands, rule=rule)
    return fallen(made, state), "rallied" if made.faces[0] == made.faces[1] else "failed", made.total


@pytest.mark.rule("core 3.0", "hid 13.1.2")
@pytest.mark.parametrize(("dice", "is_shaken"), [((6, 6), False), ((1, 2), True)])
def test_HID_07_a_module_may_change_how_one_rallies(dice: tuple[int, int], is_shaken: bool) -> None:
    pieces = f"us a {SQUAD} sr trait=pairs B2 shaken{FOE}"
    fight = rallying(pieces, head={"modules": [PAIRS.name]})
    fight.give("us", "Rally", [("pair a", dice)], unit="a")
    assert fight.unit("a").is_shaken is is_shaken


def test_what_a_module_changes_holds_for_nobody_else() -> None:
    fight = rallying(f"us a {SQUAD} sr B2 shaken{FOE}", head={"modules": [PAIRS.name]})
    fight.give("us", "Rally", [("rally a", (6, 6))], unit="a")
    assert fight.unit("a").is_shaken


STUBBORN = Module("another module for this test")


@rally_phase.rallies_alone.change(STUBBORN, trait="ss", rule="hid 13.2.2")
def _one_of_them(rule: str, state: State, each: Unit) -> bool:
    mine = [other for other in units(state) if other.command == each.command and "ss" in other.traits]
    return not any(rally_phase.TRIED in other.attempts for other in mine)


@pytest.mark.rule("core 3.0", "hid 13.2.2")
def test_ERR_10_what_the_core_says_of_a_force_of_a_module_gives_nothing_without_it() -> None:
    pieces = f"us a {SQUAD} B2 shaken, trait ss\nus b {SQUAD} E2 shaken, trait ss{FOE}"
    fight = rallying(pieces.replace(", trait ss", "") + WAITS)
    assert fight.refused("us", "Rally", unit="a")
    assert fight.refused("us", "Rally", unit="b")
    fight = rallying(pieces + WAITS, head={"modules": [STUBBORN.name]})
    fight.give("us", "Rally", [("rally a", (2, 3))], unit="a")
    assert not fight.unit("a").is_shaken
    assert fight.refused("us", "Rally", unit="b")


@pytest.mark.rule("core 3.0")
def test_in_a_blind_battle_each_side_says_that_it_is_done() -> None:
    fight = battle(CLEAR, f"us a {SQUAD} B2{FOE}", phase="rally", options={"play": "blind"})
    assert fight.state.public.active == "us"
    fight.give("us", "EndRally")
    assert (fight.state.public.phase, fight.state.public.active) == ("rally", "ge")
    fight.give("ge", "EndRally")
    assert fight.state.public.phase == "operations"


@pytest.mark.rule("core 3.0")
def test_hidden_units_do_not_hold_up_the_phase_of_an_open_battle() -> None:
    forest = "\n".join(["F " * 10] * 8)
    pieces = f"us a {SQUAD} B2\nge g {SQUAD} J8 hidden, shaken\nge lt leader morale=6 J8 hidden\nge h {SQUAD} J1"
    fight = battle(forest, pieces, active="ge")
    assert fight.state.commands["ge"].pieces["g"].is_shaken
    assert "g" not in fight.state.public.pieces
    assert fight.state.public.phase == "operations"
