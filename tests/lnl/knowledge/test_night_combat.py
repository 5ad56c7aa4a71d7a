"""How far troops see in the dark, fire at who has given himself away, star shells."""

from __future__ import annotations

import pytest

from lnl.rules.fire.night_combat import fire_at_night, is_lit, may_see_at_night
from lnl.state.finding import unit
from tests.lnl.building import CLEAR, Battle, battle

NIGHT = {"hour": "night"}
PIECES = "us lt leader morale=6 lm=1 mf=6 A4\nus a squad 2-5-4-6 A4\nge g squad 1-6-4-5 D4\nge h squad 1-6-4-5 C5"


def night(pieces: str = PIECES, board: str = CLEAR) -> Battle:
    return battle(board, pieces, options=NIGHT)


@pytest.mark.rule("core 20.0")
def test_by_night_one_sees_two_hexes_far() -> None:
    fight = night()
    assert may_see_at_night(fight.state, fight.at("A4"), fight.at("C5"))
    assert not may_see_at_night(fight.state, fight.at("A4"), fight.at("D4"))
    day = battle(CLEAR, PIECES)
    assert may_see_at_night(day.state, day.at("A4"), day.at("D4"))


@pytest.mark.rule("core 20.0")
def test_beyond_two_hexes_only_who_has_fired_is_fired_at_and_at_less() -> None:
    fight = night()
    far = [unit(fight.state, "g")]
    refusal, modifiers = fire_at_night(fight.state, fight.at("A4"), fight.at("D4"), far)
    assert refusal is not None
    assert (refusal.rule, modifiers) == ("core 20.0", ())
    fight.set("g", fired=True)
    refusal, modifiers = fire_at_night(fight.state, fight.at("A4"), fight.at("D4"), [unit(fight.state, "g")])
    assert refusal is None
    assert [(each.value, each.rule) for each in modifiers] == [(-2, "core 20.0")]
    assert fire_at_night(fight.state, fight.at("A4"), fight.at("C5"), [unit(fight.state, "h")]) == (None, ())


@pytest.mark.rule("core 20.0", "core 10.1")
def test_by_night_nothing_is_spotted_beyond_two_hexes() -> None:
    board = "\n. . . . .\n. . . F .\n. . F . .\n. . . . .\n"
    fight = night("us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2\nge h squad 1-6-4-5 C3", board)
    assert [each.rule for each in fight.refused("us", "Spot", unit="a", target=fight.at("D2"))] == ["core 20.0"]
    fight.give("us", "Spot", [("spot", 1)], unit="a", target=fight.at("C3"))


@pytest.mark.rule("core 20.1")
def test_a_star_shell_lights_its_hex_and_the_six_around() -> None:
    fight = night()
    fight.give("us", "FireStarShell", [("star shell", 3)], unit="lt", at=[4, 3])
    assert fight.state.public.star_shells == ((4, 3),)
    assert fight.unit("lt").ops_complete
    lit = [
        name for name in ("D3", "D2", "D4", "C2", "C3", "E2", "E3", "B3", "D5") if is_lit(fight.state, fight.at(name))
    ]
    assert lit == ["D3", "D2", "D4", "C2", "C3", "E2", "E3"]
    assert may_see_at_night(fight.state, fight.at("A4"), fight.at("D4"))


@pytest.mark.rule("core 20.1")
def test_a_star_shell_that_fails_leaves_him_ops_complete() -> None:
    """The capability is 3, his leadership makes it 4."""
    fight = night()
    fight.give("us", "FireStarShell", [("star shell", 5)], unit="lt", at=[4, 3])
    assert not fight.state.public.star_shells
    assert fight.unit("lt").ops_complete


@pytest.mark.rule("core 20.1")
@pytest.mark.parametrize(("who", "at", "field"), [("a", [2, 3], "unit"), ("lt", [5, 4], "at"), ("lt", [99, 1], "at")])
def test_who_may_fire_a_star_shell_and_how_far(who: str, at: list[int], field: str) -> None:
    assert [each.field for each in night().refused("us", "FireStarShell", unit=who, at=at)] == [field]


@pytest.mark.rule("core 20.1")
@pytest.mark.parametrize("marker", ["moved", "low crawl", "fired", "ops complete", "shaken"])
def test_who_bears_a_marker_may_not(marker: str) -> None:
    fight = night(f"us lt leader morale=6 lm=1 mf=6 A4 {marker}\nus a squad 2-5-4-6 A4\nge g squad 1-6-4-5 D4")
    assert fight.refused("us", "FireStarShell", unit="lt", at=[2, 3])


@pytest.mark.rule("core 20.1")
def test_by_day_there_is_no_use_for_one() -> None:
    assert battle(CLEAR, PIECES).refused("us", "FireStarShell", unit="lt", at=[2, 3])


@pytest.mark.rule("core 20.1", "core 9.0")
def test_star_shells_burn_out_in_the_administrative_phase() -> None:
    fight = night()
    fight.give("us", "FireStarShell", [("star shell", 1)], unit="lt", at=[4, 3])
    fight.give("us", "EndImpulse")
    fight.throw([("initiative", 6), ("initiative", 1)])
    while fight.state.public.turn == 1:
        assert fight.play.order(fight.state.public.active, {"verb": "Pass"}) == []
    assert not fight.state.public.star_shells
