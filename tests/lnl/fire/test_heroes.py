"""Heroes: when one stands up, with what markers, and where."""

from __future__ import annotations

import pytest

from lnl.state.battle import Unit
from lnl.state.finding import units
from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS, fire

NO_DECK = {"deck": []}
SHOT = [("attack", 3), ("defence", 3), ("damage check g", 1)]


def heroes(fight: Battle) -> list[Unit]:
    return [each for each in units(fight.state) if each.counter in ("ge_vogt", "ge_reiter")]


@pytest.mark.rule("core 5.1", "core 11.2")
@pytest.mark.parametrize(("die", "stands"), [(4, True), (3, False)])
def test_a_one_on_the_check_and_an_even_die_bring_a_hero_with_the_markers_of_his_parent(die: int, stands: bool) -> None:
    """LNL-014 a and d. A leader's card is none for him: it stays in the deck."""
    deck = {"deck": ["assaulter", "marksman"]}
    fight = battle(pieces="us a squad 2-5-4-6 B1\nge g squad 1-6-4-5 B5 fired" + OTHERS, head=deck)
    fire(
        fight,
        "us",
        "a",
        "B5",
        [*SHOT, ("hero g", die)],
        draws=[("hero", "ge_vogt"), ("skill", "marksman")] if stands else [],
    )
    assert len(heroes(fight)) == stands
    for hero in heroes(fight):
        assert (hero.fired, hero.moved, hero.is_shaken, hero.at, hero.command) == (
            True,
            "",
            False,
            fight.at("B5"),
            "ge",
        )
        assert hero.skills == ("marksman",)
        assert fight.state.public.deck == ("assaulter",)


@pytest.mark.rule("core 11.2", "core 5.3")
def test_a_hero_of_a_mover_has_spent_as_much_and_goes_on_with_him() -> None:
    """LNL-014 b: he has spent the 2 points of his parent, and both go on."""
    fight = battle(
        pieces="us a squad 2-5-4-6 B1\nge g squad 1-6-4-5 B8" + OTHERS, active="ge", standing="free", head=NO_DECK
    )
    path = [list(fight.at(name)) for name in ("B7", "B6", "B5")]
    fight.give(
        "ge",
        "Move",
        [*SHOT, ("hero g", 4)],
        draws=[("hero", "ge_vogt")],
        units=["g"],
        path=path,
    )
    (hero,) = heroes(fight)
    assert (hero.moved, hero.spent) == ("move", 3)
    assert hero.at == fight.unit("g").at == fight.at("B5")


@pytest.mark.rule("core 11.2", "core 5.3")
def test_a_hero_of_a_shaken_mover_stops_with_him_in_good_order() -> None:
    """LNL-014 c."""
    fight = battle(
        pieces="us a squad 2-5-4-6 B2\nge g squad 1-6-4-5 B8" + OTHERS, active="ge", standing="free", head=NO_DECK
    )
    path = [list(fight.at(name)) for name in ("B7", "B6")]
    fight.give(
        "ge",
        "Move",
        [("attack", 6), ("defence", 1), ("damage check g", 1), ("hero g", 4)],
        draws=[("hero", "ge_vogt")],
        units=["g"],
        path=path,
    )
    (hero,) = heroes(fight)
    assert fight.unit("g").is_shaken
    assert (hero.is_shaken, hero.spent, hero.at, hero.is_moving) == (False, 1, fight.at("B7"), False)


@pytest.mark.rule("core 11.2")
def test_a_hero_stands_up_although_the_check_kills_his_parent_and_though_it_was_shaken() -> None:
    fight = battle(pieces="us a squad 9-5-4-6 B2\nge g half_squad 1-5-4-5 B5 shaken", head=NO_DECK)
    fire(
        fight,
        "us",
        "a",
        "B5",
        [("attack", 2), ("defence", 4), ("damage check g", 1), ("hero g", 2)],
        draws=[("hero", "ge_vogt")],
    )
    assert not fight.has("g")
    assert [hero.is_shaken for hero in heroes(fight)] == [False]


@pytest.mark.rule("core 11.2", "core 5.1")
@pytest.mark.parametrize("what", ["crew 0-2-4-5", "weapon_team 1-9-2-5", "leader morale=5"])
def test_crews_weapon_teams_and_single_men_bring_forth_none(what: str) -> None:
    fight = battle(pieces=f"us a squad 2-5-4-6 B1\nge g {what} B5")
    fire(fight, "us", "a", "B5", SHOT)
    assert heroes(fight) == []


@pytest.mark.rule("core 11.2")
def test_no_third_hero_of_a_nation() -> None:
    fight = battle(pieces="us a squad 2-5-4-6 B1\nge g squad 1-6-4-5 B5\nge v ge_vogt H7\nge r ge_reiter H8")
    fire(fight, "us", "a", "B5", SHOT)
    assert len(heroes(fight)) == 2


@pytest.mark.rule("core 11.2", "core 1.3")
def test_where_there_is_no_room_his_owner_places_him_next_to_it_away_from_enemies() -> None:
    """DIG-09, its last part."""
    pieces = (
        "us a squad 2-5-4-6 C2\nus b squad 1-1-4-6 B5\n"
        "ge g squad 1-6-4-5 C5\nge m medic morale=6 C5\nge n medic morale=6 C5"
    )
    fight = battle(pieces=pieces, head=NO_DECK)
    dice = [*SHOT, ("hero g", 2), ("damage check m", 1), ("damage check n", 1)]
    fire(fight, "us", "a", "C5", dice, draws=[("hero", "ge_vogt")], answers=[("ge", ["D6"])])
    assert [hero.at for hero in heroes(fight)] == [fight.at("D6")]
