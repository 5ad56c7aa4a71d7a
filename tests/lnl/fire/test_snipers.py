"""Snipers: where they show up, whom they hit, and what hides them."""

from __future__ import annotations

from typing import Any

import pytest

from lnl.state.finding import units
from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS, fire, totals

WOOD = """
. . . . . . . . . .
. F . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""
SNIPER = "sniper 1-12-0-6"


def shown(pieces: str, **fields: Any) -> Battle:
    """A battle in which the snipers have shown up."""
    fight = battle(WOOD, pieces + OTHERS, **fields)
    for each in units(fight.state):
        if not each.is_placed:
            fight.set(each.id, is_placed=True)
    return fight


@pytest.mark.rule("core 11.4")
def test_a_sniper_throws_two_dice_at_one_of_those_in_the_hex() -> None:
    """LNL-036: 1 + 7 against 3; only the leader checks, and does not lead himself."""
    pieces = f"ge s {SNIPER} B2\nus a squad 2-5-4-6 B7\nus lt leader morale=6 lm=1 B7"
    fight = shown(pieces, active="ge")
    dice = [("attack", (3, 4)), ("defence", 3), ("damage check lt", 5)]
    fire(fight, "ge", "s", "B7", dice, draws=[("sniper target", "lt")])
    assert (totals(fight, "ge", "Attack"), totals(fight, "us", "Damage check")) == ([8], [10])
    assert fight.unit("lt").is_shaken
    assert not fight.unit("a").is_shaken
    assert fight.unit("s").fired


@pytest.mark.rule("core 11.4")
def test_he_shows_up_at_any_time_in_cover_without_enemies_and_fires_at_once() -> None:
    pieces = f"ge s {SNIPER} B2\nus a squad 2-5-4-6 B7\nus b squad 2-5-4-6 H5"
    fight = battle(WOOD, pieces + OTHERS)
    assert [each.rule for each in fight.refused("ge", "PlaceSniper", unit="s", at=list(fight.at("B3")))] == [
        "core 11.4"
    ]
    dice = [("attack", (2, 3)), ("defence", 1), ("damage check a", 2)]
    fight.give("ge", "PlaceSniper", dice, unit="s", at=list(fight.at("B2")), target=list(fight.at("B7")))
    assert (fight.unit("s").is_placed, fight.unit("s").at, fight.unit("s").fired) == (True, fight.at("B2"), True)
    assert fight.state.public.active == "us"
    assert fight.unit("a").is_shaken
    assert [each.rule for each in fight.refused("ge", "PlaceSniper", unit="s", at=list(fight.at("B2")))] == [
        "core 11.4"
    ]


@pytest.mark.rule("core 11.4")
def test_not_where_enemies_are() -> None:
    fight = battle(WOOD, f"ge s {SNIPER} H8\nus a squad 2-5-4-6 B2" + OTHERS)
    assert [each.rule for each in fight.refused("ge", "PlaceSniper", unit="s", at=list(fight.at("B2")))] == [
        "core 11.4"
    ]


@pytest.mark.rule("core 11.4", "core 5.0")
@pytest.mark.parametrize(
    ("beside", "firer", "defence"),
    [("", "squad 2-5-4-6", 5), ("ge m squad 1-6-4-5 B2", "squad 2-5-4-6", 3), ("", SNIPER, 3)],
)
def test_alone_he_doubles_the_target_modifier_of_his_hex_but_not_against_snipers(
    beside: str, firer: str, defence: int
) -> None:
    """Forest: 2, twice over 4; the die is 1."""
    fight = shown(f"ge s {SNIPER} B2 fired\n{beside}\nus a {firer} B5")
    dice = (1, 1) if firer == SNIPER else 1
    fire(fight, "us", "a", "B2", [("attack", dice), ("defence", 1)])
    assert totals(fight, "ge", "Defence") == [defence]


@pytest.mark.rule("core 11.4", "core 5.1")
def test_a_shaken_sniper_does_not_fire_a_wounded_one_does() -> None:
    pieces = f"ge s {SNIPER} B2 shaken\nge w {SNIPER} E2 wounded\nus a squad 2-5-4-6 B7"
    fight = shown(pieces, active="ge")
    found = fight.refused("ge", "Fire", units=["s"], target=list(fight.at("B7")))
    assert "core 5.1" in [each.rule for each in found]
    fire(fight, "ge", "w", "B7", [("attack", (1, 1)), ("defence", 6)])
    assert totals(fight, "ge", "Attack") == [3]


@pytest.mark.rule("core 11.4", "core 5.2")
def test_stacked_with_a_squad_he_fires_by_himself_in_the_same_impulse() -> None:
    pieces = f"ge s {SNIPER} B2\nge m squad 1-6-4-5 B2\nus a squad 2-5-4-6 B7"
    fight = shown(pieces, active="ge")
    found = fight.refused("ge", "Fire", units=["s", "m"], target=list(fight.at("B7")))
    assert "core 5.2" in [each.rule for each in found]
    fire(fight, "ge", "m", "B7", [("attack", 1), ("defence", 6)])
    fire(fight, "ge", "s", "B7", [("attack", (1, 1)), ("defence", 6)])
    assert totals(fight, "ge", "Attack") == [2, 3]
