"""Medics, nurses, chaplains, advisors and commissars in the Rally Phase. `core 11.3` to `core 11.10`"""

from __future__ import annotations

import pytest

from lnl.rules.men.morale import morale_of
from tests.lnl.building import CLEAR, Battle, battle

SQUAD = "squad 1-6-4-5"
FOE = f"\nge g {SQUAD} F3"
WAITS = f"\nus late {SQUAD} sr A1 shaken"
"""Somebody for whom the phase waits."""
MEDIC = "medic morale=6 mf=5"
LINE = "squad 1-4-4-5/5 reduces=1-3-4-4"
WOODS = """
. . . . . .
. F . . . .
. . . . . .
"""


def rallying(pieces: str, board: str = CLEAR) -> Battle:
    return battle(board, pieces + FOE, phase="rally")


# Medics


@pytest.mark.rule("core 11.3", "core 3.0")
@pytest.mark.parametrize(("dice", "is_shaken"), [((3, 3), False), ((3, 4), True)])
def test_ERR_17_a_medic_brings_round_a_squad_that_has_failed_to_rally(dice: tuple[int, int], is_shaken: bool) -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus m {MEDIC} B2\nus lt leader morale=6 lm=1 B2{WAITS}")
    fight.give("us", "Rally", [("rally a", (6, 6))], unit="a")
    fight.give("us", "Heal", [("heal m", dice)], medic="m", unit="a")
    assert fight.unit("a").is_shaken is is_shaken
    assert fight.refused("us", "Rally", unit="a")
    assert fight.refused("us", "Heal", medic="m", unit="a")


@pytest.mark.rule("core 11.3", "core 1.5")
def test_cover_helps_the_medic_by_two() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus m {MEDIC} B2", WOODS)
    fight.give("us", "Heal", [("heal m", (4, 4))], medic="m", unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 11.3")
def test_a_wounded_medic_heals_himself_with_the_morale_of_the_wounded() -> None:
    fight = rallying(f"us m {MEDIC} B2 wounded\nus a {SQUAD} A1")
    fight.give("us", "Heal", [("heal m", (2, 3))], medic="m", unit="m")
    assert not fight.unit("m").is_wounded


@pytest.mark.rule("core 11.3")
def test_a_wounded_leader_is_healed_and_stays_shaken() -> None:
    fight = rallying(f"us m {MEDIC} B2\nus lt leader morale=6 lm=1 B2 wounded, shaken")
    fight.give("us", "Heal", [("heal m", (3, 3))], medic="m", unit="lt")
    assert not fight.unit("lt").is_wounded
    assert fight.unit("lt").is_shaken


@pytest.mark.rule("core 11.3")
def test_a_shaken_medic_helps_nobody_one_just_rallied_does() -> None:
    fight = rallying(f"us a {SQUAD} B2 shaken\nus m {MEDIC} B2 shaken\nus lt leader morale=6 lm=1 B2{WAITS}")
    assert fight.refused("us", "Heal", medic="m", unit="a")
    fight.give("us", "Rally", [("rally m", (3, 3))], unit="m")
    fight.give("us", "Heal", [("heal m", (3, 3))], medic="m", unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 11.3")
def test_a_medic_treats_those_in_his_place_who_need_it() -> None:
    fight = rallying(
        f"us a {SQUAD} C2 shaken\nus m {MEDIC} B2\nus b {SQUAD} B2{WAITS}\nus w leader morale=6 B2 wounded"
    )
    assert fight.refused("us", "Heal", medic="m", unit="a")
    assert fight.refused("us", "Heal", medic="m", unit="b")
    fight.give("us", "Heal", [("heal m", (1, 1))], medic="m", unit="w")


# Nurses and chaplains


@pytest.mark.rule("core 11.10")
def test_a_nurse_rallies_two_of_her_nation_or_heals_one() -> None:
    fight = battle(
        CLEAR,
        f"""
        su n nurse morale=6 lm=1 troop=guards B2
        su a {SQUAD} troop=line B2 shaken
        su b {SQUAD} troop=guards B2 shaken
        su c {SQUAD} troop=guards B2 shaken
        su late {SQUAD} sr A1 shaken
        us g {SQUAD} F3
        """,
        phase="rally",
        active="su",
    )
    fight.give("su", "Rally", [("rally a", (3, 3))], unit="a")
    assert not fight.unit("a").is_shaken
    assert fight.refused("su", "Heal", medic="n", unit="b")
    fight.give("su", "Rally", [("rally b", (3, 3))], unit="b")
    assert fight.refused("su", "Rally", unit="c")


@pytest.mark.rule("core 11.10")
def test_a_nurse_who_has_tended_somebody_rallies_nobody() -> None:
    fight = rallying(f"us n nurse morale=6 lm=1 B2\nus a {SQUAD} B2 shaken\nus b {SQUAD} B2 shaken{WAITS}")
    fight.give("us", "Heal", [("heal n", (3, 4))], medic="n", unit="a")
    assert fight.unit("a").is_shaken
    assert fight.refused("us", "Rally", unit="b")


@pytest.mark.rule("core 11.10")
def test_a_nurse_rallies_herself() -> None:
    fight = rallying(f"us n nurse morale=6 B2 shaken\nus a {SQUAD} A1")
    fight.give("us", "Rally", [("rally n", (3, 3))], unit="n")
    assert not fight.unit("n").is_shaken


@pytest.mark.rule("core 11.5")
def test_a_chaplain_rallies_as_a_leader_does_unless_he_is_shaken() -> None:
    fight = rallying(f"us p chaplain morale=6 lm=1 B2\nus a {SQUAD} B2 shaken{WAITS}")
    fight.give("us", "Rally", [("rally a", (3, 3))], unit="a", by="p")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 5.1", "core 11.5")
def test_a_shaken_chaplain_rallies_nobody_but_himself() -> None:
    """L118."""
    fight = rallying(f"us p chaplain morale=6 lm=1 B2 shaken\nus a {SQUAD} B2 shaken{WAITS}")
    assert fight.refused("us", "Rally", unit="a")
    fight.give("us", "Rally", [("rally p", (3, 3))], unit="p")
    assert not fight.unit("p").is_shaken


# Advisors


@pytest.mark.rule("core 11.6", "core 5.1")
def test_an_advisor_raises_the_morale_of_those_he_advises_by_one_while_he_is_in_good_order() -> None:
    fight = battle(
        CLEAR,
        f"us d advisor morale=6 B2\nus d2 advisor morale=6 B2\nus a {SQUAD} trait=advised B2\nus b {SQUAD} B2{FOE}",
    )
    assert morale_of(fight.state, fight.unit("a"))[0] == 6
    assert morale_of(fight.state, fight.unit("b"))[0] == 5
    fight.set("d", is_shaken=True)
    assert morale_of(fight.state, fight.unit("a"))[0] == 6
    fight.set("d2", is_shaken=True)
    assert morale_of(fight.state, fight.unit("a"))[0] == 5


# Commissars


@pytest.mark.rule("core 11.9", "core 3.0")
@pytest.mark.parametrize(("dice", "is_killed"), [((3, 4), False), ((6, 6), True)])
def test_LNL_054_fight_or_die(dice: tuple[int, int], is_killed: bool) -> None:
    fight = rallying(f"us a {LINE} B2 shaken\nus k commissar morale=6 B2")
    fight.give("us", "Rally", [("rally a", (4, 3))], unit="a")
    fight.give("us", "FightOrDie", [("fight or die a", dice)], commissar="k", unit="a")
    assert fight.unit("a").is_shaken
    assert fight.unit("a").counter == "us_test_half_squad_1_3_4_4"
    assert fight.has("k") is not is_killed


@pytest.mark.rule("core 11.9")
def test_with_one_more_morale_a_unit_may_rally_at_the_second_attempt() -> None:
    fight = rallying(f"us a {LINE} B2 shaken\nus k commissar morale=6 B2{WAITS}")
    assert fight.refused("us", "FightOrDie", commissar="k", unit="a")
    fight.give("us", "Rally", [("rally a", (4, 3))], unit="a")
    fight.give("us", "FightOrDie", [("fight or die a", (3, 3))], commissar="k", unit="a")
    assert not fight.unit("a").is_shaken


@pytest.mark.rule("core 11.9")
def test_a_half_squad_that_fails_is_no_more_and_a_single_man_is_wounded() -> None:
    fight = rallying(
        f"us h half_squad 1-3-4-4 B2 shaken\nus s scout morale=5 B2 shaken\nus k commissar morale=6 B2{WAITS}"
    )
    fight.give("us", "Rally", [("rally h", (6, 4))], unit="h")
    fight.give("us", "FightOrDie", [("fight or die h", (5, 4))], commissar="k", unit="h")
    assert not fight.has("h")
    fight.give("us", "Rally", [("rally s", (6, 4))], unit="s")
    fight.give("us", "FightOrDie", [("fight or die s", (5, 4))], commissar="k", unit="s")
    assert fight.unit("s").is_wounded


@pytest.mark.rule("core 11.9")
def test_a_commissar_rallies_guards_and_line_troops() -> None:
    fight = battle(
        CLEAR,
        f"su a {SQUAD} troop=line B2 shaken\nsu k commissar morale=6 troop=guards B2\nus g {SQUAD} F3",
        phase="rally",
        active="su",
    )
    fight.give("su", "Rally", [("rally a", (2, 3))], unit="a", by="k")
    assert not fight.unit("a").is_shaken
