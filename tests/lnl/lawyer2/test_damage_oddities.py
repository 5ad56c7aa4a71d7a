"""Unusual damage: leaders who die first, heroes without room, weapons dropped in the middle of a move, fire that
drives out of a hex."""

from __future__ import annotations

import pytest

from lnl.happening.fire import BarragePlaced
from lnl.happening.register import apply
from lnl.package import PACKAGE
from lnl.state.battle import Barrage, State, Unit
from lnl.state.finding import units, units_of
from tests.lnl.building import Battle, battle
from tests.lnl.fire.firing import OTHERS, Dice, fire, gun_of, totals
from umpire.kernel.rulings import Question
from umpire.testing.play.battle import Play

US, GE = "squad 2-5-4-6", "squad 1-6-4-5"
NO_DECK: dict[str, list[str]] = {"deck": []}


def heroes(fight: Battle) -> list[Unit]:
    return [each for each in units(fight.state) if each.counter in ("ge_vogt", "ge_reiter")]


@pytest.mark.rule("core 5.0", "core 11.1")
@pytest.mark.parametrize(("first", "totals_read"), [(6, [6 + 9, 3 + 9]), (2, [2 + 9, 3 + 9])])
def test_a_leader_who_is_eliminated_or_wounded_by_his_check_helps_nobody(first: int, totals_read: list[int]) -> None:
    """Morale 5: 15 kills him, 11 wounds him; the squad's 12 brings casualties, unaided."""
    pieces = "ge a squad 9-6-4-6 B2\nus lt leader morale=5 lm=2 B5\nus x squad 1-5-4-5 B5"
    fight = battle(pieces=pieces + OTHERS, active="ge")
    dice = [("attack", 3), ("defence", 3), ("damage check lt", first), ("damage check x", 3)]
    fire(fight, "ge", "a", "B5", dice)
    assert totals(fight, "us", "Damage check") == totals_read
    assert fight.has("lt") is (first == 2)
    assert not fight.has("x")


@pytest.mark.rule("core 5.0", "core 11.1")
def test_where_the_better_leader_falls_the_other_one_helps_and_the_odds_know_it() -> None:
    """The attack beats the defence by 5: the leader of morale 5 is Shaken, the one of morale 9 takes 1 off."""
    pieces = (
        "ge a squad 5-6-4-6 B2\nus lt leader morale=5 lm=2 B5\nus sg leader morale=9 lm=1 B5\nus x squad 1-5-4-6 B5"
    )
    fight = battle(pieces=pieces + OTHERS, active="ge")
    dice = [("attack", 3), ("defence", 3), ("damage check lt", 2), ("damage check sg", 2), ("damage check x", 2)]
    fire(fight, "ge", "a", "B5", dice)
    assert totals(fight, "us", "Damage check") == [7, 7, 2 + 5 - 1]
    assert fight.unit("lt").is_shaken
    assert not fight.unit("x").is_shaken


@pytest.mark.rule("core 5.1", "core 11.2")
def test_a_shaken_squad_too_brings_forth_a_hero_in_good_order() -> None:
    fight = battle(pieces=f"us a {US} B1\nge g squad 1-6-4-5 B5 shaken" + OTHERS, head=NO_DECK)
    dice = [("attack", 3), ("defence", 3), ("damage check g", 1), ("hero g", 2)]
    fire(fight, "us", "a", "B5", dice, draws=[("hero", "ge_vogt")])
    assert [(hero.is_shaken, hero.is_wounded) for hero in heroes(fight)] == [(False, False)]


@pytest.mark.rule("core 11.2")
def test_with_one_hero_of_the_nation_on_the_board_one_more_stands_up_of_two_ones() -> None:
    """The second 1 throws no die any more."""
    fight = battle(pieces=f"us a {US} B1\nge g {GE} B5\nge k {GE} B5\nge v ge_vogt H7" + OTHERS, head=NO_DECK)
    dice = [("attack", 3), ("defence", 3), ("damage check g", 1), ("hero g", 2), ("damage check k", 1)]
    fire(fight, "us", "a", "B5", dice, draws=[("hero", "ge_reiter")])
    assert len(heroes(fight)) == 2


@pytest.mark.rule("core 11.2", "core 1.3")
def test_a_mover_without_room_for_his_hero_leaves_him_next_to_the_way_and_goes_on() -> None:
    pieces = f"us a {US} B2\nge g {GE} B8\nge m medic morale=6 B8\nge n medic morale=6 B8"
    fight = battle(pieces=pieces + OTHERS, active="ge", standing="free", head=NO_DECK)
    dice = [
        ("attack", 3),
        ("defence", 3),
        ("damage check g", 1),
        ("hero g", 4),
        ("damage check m", 1),
        ("damage check n", 1),
    ]
    path = [list(fight.at(name)) for name in ("B7", "B6")]
    fight.give(
        "ge", "Move", dice, draws=[("hero", "ge_vogt")], answers=[("ge", ["C7"])], units=["g", "m", "n"], path=path
    )
    (hero,) = heroes(fight)
    assert (hero.at, hero.moved, hero.is_moving, hero.spent) == (fight.at("C7"), "move", False, 1)
    assert fight.unit("g").at == fight.at("B6")


@pytest.mark.rule("core 1.6.1", "core 5.1", "core 5.3")
def test_a_mover_who_is_reduced_is_asked_in_the_middle_of_his_move_and_stops() -> None:
    """5 of morale, 10 on the check: a Shaken half-squad that keeps one of its two weapons, where it stands."""
    pieces = "us a squad 9-5-4-6 B2\nge g ge_second_line B8 mg42, satchel\nge k squad 1-6-4-5 B8"
    fight = battle(pieces=pieces + OTHERS, active="ge", standing="free")
    gun, charge = gun_of(fight, "g/mg42"), gun_of(fight, "g/satchel")
    path = [list(fight.at(name)) for name in ("B7", "B6", "B5")]
    dice = [("attack", 1), ("defence", 6), ("damage check g", 5), ("damage check k", 1), ("hero k", 1)]
    fight.give("ge", "Move", dice, answers=[("ge", [gun])], units=["g", "k"], path=path)
    assert (fight.unit("g").counter, fight.unit("g").is_shaken) == ("ge_second_line_half", True)
    assert fight.unit("g").at == fight.weapon(gun).at == fight.at("B7")
    assert (fight.weapon(gun).owner, fight.guns("g")) == ("", (charge,))


@pytest.mark.rule("core 1.6.2")
def test_a_flamethrower_that_shakes_a_mixed_stack_without_a_way_out_ends_it_and_leaves_its_weapons() -> None:
    """A squad, its leader and a hero at the edge: the Shaken are gone, the hero is never Shaken and stays."""
    pieces = (
        f"us a {US} B2 flamethrower\nge g squad 1-6-4-6 B1 mg42\nge lt leader morale=6 B1\nge v ge_vogt B1\n"
        "us b squad 1-1-4-6 A1\nus c squad 1-1-4-6 C1"
    )
    fight = battle(pieces=pieces + OTHERS)
    gun = gun_of(fight, "g/mg42")
    dice = [
        ("attack", 1),
        ("defence", 4),
        ("damage check lt", 2),
        ("damage check g", 2),
        ("damage check v", 1),
    ]
    fire(fight, "us", "a", "B1", dice, "a/flame")
    assert not fight.has("g")
    assert not fight.has("lt")
    assert fight.has("v")
    assert (fight.weapon(gun).owner, fight.weapon(gun).at) == ("", fight.at("B1"))


@pytest.mark.rule("core 1.6.2", "core 5.3")
def test_who_is_driven_out_as_he_enters_is_fired_at_where_he_has_gone_once_for_each_point_there() -> None:
    """Two points to enter the woods at C3 allow two attacks there; after the first he stands in the clear at C2."""
    board = "\n".join([*[". " * 10] * 2, ". . w . . . . . . .", *[". " * 10] * 5])
    pieces = f"us a {US} C4 flamethrower\nus b squad 2-5-4-6 H2\nge g squad 1-6-4-6 B3"
    fight = battle(board, pieces + OTHERS, active="ge", standing="ask")
    dice = [
        ("attack C4", 1),
        ("defence C4", 5),
        ("damage check g", 3),
        ("attack H2", 1),
        ("defence H2", 6),
    ]
    answers = [
        ("us", ["3,4,0 us"]),
        ("ge", ["C2"]),
        ("us", ["8,2,0 us"]),
    ]
    fight.give("ge", "Move", dice, answers=answers, units=["g"], path=[list(fight.at("C3"))])
    assert fight.unit("g").at == fight.at("C2")
    assert fight.unit("b").fired


@pytest.mark.rule("core 1.6.2", "core 1.6.1.01")
@pytest.mark.parametrize("what", ["squad 1-6-4-6 D3 mg42_tripod", "weapon_team 1-9-0-6 D3"])
def test_who_cannot_move_cannot_retreat_either(what: str) -> None:
    fight = battle(pieces=f"us a {US} D4 flamethrower\nge g {what}" + OTHERS)
    fire(fight, "us", "a", "D3", [("attack", 1), ("defence", 4), ("damage check g", 2)], "a/flame")
    assert not fight.has("g")


@pytest.mark.rule("core 5.1", "core 5.3")
def test_a_wounded_leader_stops_and_the_others_go_on() -> None:
    fight = battle(
        pieces=f"us a {US} B2\nge lt leader morale=3 lm=1 mf=6 B8\nge g squad 1-6-4-9 B8" + OTHERS,
        active="ge",
        standing="free",
    )
    path = [list(fight.at(name)) for name in ("B7", "B6")]
    dice = [("attack", 3), ("defence", 3), ("damage check lt", 3), ("damage check g", 2)]
    fight.give("ge", "Move", dice, units=["lt", "g"], path=path)
    assert (fight.unit("lt").is_wounded, fight.unit("lt").at) == (True, fight.at("B7"))
    assert fight.unit("g").at == fight.at("B6")


@pytest.mark.rule("core 5.3", "core 5.1")
def test_a_second_attack_of_the_same_step_hits_the_shaken_again() -> None:
    """Two points, two places that fire: Shaken by the first, a Shaken half-squad by the second."""
    board = "\n".join([*[". " * 10] * 6, ". w . . . . . . . .", ". " * 10])
    pieces = "us a squad 3-6-4-6 B2\nus b squad 3-6-4-6 D2\nge g ge_second_line B8"
    fight = battle(board, pieces + OTHERS, active="ge", standing="free")
    dice = [
        ("attack", 2),
        ("defence", 1),
        ("damage check g", 2),
        ("attack", 2),
        ("defence", 1),
        ("damage check g", 2),
    ]
    fight.give("ge", "Move", dice, units=["g"], path=[list(fight.at(name)) for name in ("B7", "B6")])
    assert (fight.unit("g").counter, fight.unit("g").at) == ("ge_second_line_half", fight.at("B7"))


@pytest.mark.rule("core 5.3", "core 11.4")
def test_a_sniper_takes_opportunity_fire_at_one_of_those_in_the_hex() -> None:
    board = "\n".join([". " * 10, ". F . . . . . . . .", *[". " * 10] * 6])
    pieces = "us s sniper 1-12-0-6 B2\nge g squad 1-6-4-5 B8\nge k squad 1-6-4-5 B8"
    fight = battle(board, pieces + OTHERS, active="ge", standing="free")
    fight.set("s", is_placed=True)
    dice: Dice = [("attack", (3, 3)), ("defence", 6), ("damage check k", 2)]
    fight.give("ge", "Move", dice, draws=[("sniper target", "k")], units=["g", "k"], path=[list(fight.at("B7"))])
    assert totals(fight, "us", "Attack") == [1 + 1 + 6]


@pytest.mark.rule("core 11.2", "core 10.1")
def test_a_hero_of_open_troops_is_open_though_others_of_his_side_lie_hidden_and_his_parent_is_gone() -> None:
    board = "\n".join([*[". " * 10] * 4, ". F . . . . . . . .", *[". " * 10] * 3])
    pieces = "us a squad 9-5-4-6 B2\nge g half_squad 1-5-4-3 B5 fired\nge ambush squad 1-6-4-5 H8 hidden"
    fight = battle(board, pieces + OTHERS, head=NO_DECK)
    dice: Dice = [("attack", 6), ("defence", 1), ("damage check g", 1), ("hero g", 2)]
    fire(fight, "us", "a", "B5", dice, draws=[("hero", "ge_vogt")])
    assert not fight.has("g")
    assert [hero.at for hero in units_of(fight.state.public) if hero.counter == "ge_vogt"] == [fight.at("B5")]


@pytest.mark.rule("core 5.1", "core 18.1")
def test_ones_own_fire_for_effect_brings_no_hero_forth() -> None:
    """1 and the higher of 5 and 1, 1 for moving, against 1: the check's 1 and 6 is over 6, and no further die falls."""
    fight = battle(pieces=f"us a {US} B2\nge g {GE} H8" + OTHERS)
    barrage = Barrage(at=(2, 3), firepower=1, by="us")
    under_fire = apply(fight.state, BarragePlaced(barrage=barrage))
    fight.play = Play(PACKAGE, under_fire, fight.play.seats, source=lambda begun: fight.script)
    dice: Dice = [("mortar attack", (5, 1)), ("mortar defence", 1), ("damage check a", 1)]
    fight.give("us", "Move", dice, units=["a"], path=[list(fight.at("B3"))])
    assert fight.unit("a").is_shaken


HALL = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "D2 E2 E3"\nstoreys = 2\n'
HOUSE = "\n".join([". " * 10, ". . . S S . . . . .", ". . . . S . . . . .", *[". " * 10] * 5])
BORN: Dice = [("damage check g", 1), ("hero g", 2), ("damage check m", 1), ("damage check n", 1)]
FULL = "ge g squad 1-6-4-5 {0} fired\nge m medic morale=6 {0}\nge n medic morale=6 {0}"


@pytest.mark.rule("core 11.2", "core 1.3", "core 10.2")
def test_upstairs_a_hero_without_room_goes_next_door_on_his_floor_or_into_the_street() -> None:
    """Not onto the ground floor of the next hex of the house, which is not adjacent."""
    fight = battle(HOUSE, f"us a {US} E6\n" + FULL.format("E3 upstairs") + OTHERS, map_extra=HALL, head=NO_DECK)
    asked: list[str] = []

    def answer(command: str, question: Question, state: State) -> tuple[str, ...]:
        asked.extend(choice.id for choice in question.choices)
        return ("E2 upstairs",)

    fight.script.otherwise = answer
    dice: Dice = [("attack", 6), ("defence", 1), *BORN]
    fire(fight, "us", "a", "E3 upstairs", dice, draws=[("hero", "ge_vogt")])
    assert "E2 upstairs" in asked
    assert "E2" not in asked
    assert "E4" in asked
    assert [hero.at for hero in heroes(fight)] == [fight.at("E2 upstairs")]


@pytest.mark.rule("core 11.2", "core 1.3", "core 21.1")
def test_out_of_a_full_bunker_a_hero_goes_into_the_next_hex() -> None:
    pieces = "us a squad 9-5-4-6 B2\nge w bunker B5 facing 1\n" + FULL.format("B5 in the bunker")
    fight = battle(pieces=pieces + OTHERS, head=NO_DECK)
    dice: Dice = [("attack", 3), ("defence", 6), *BORN]
    fire(fight, "us", "a", "B5 in the bunker", dice, draws=[("hero", "ge_vogt")], answers=[("ge", ["B6"])])
    assert [hero.at for hero in heroes(fight)] == [fight.at("B6")]


@pytest.mark.rule("core 11.2", "core 10.1")
def test_where_unknown_enemies_lie_the_hero_stands_in_another_hex_than_his_owner_has_said() -> None:
    board = "\n".join([*[". " * 10] * 4, ". . F . . . . . . .", *[". " * 10] * 3])
    pieces = f"us a {US} B1\nus hid {US} C5 hidden\n" + FULL.format("B5").replace("fired", "").replace(
        "B5", "B5 shaken"
    )
    fight = battle(board, pieces + OTHERS, head=NO_DECK)
    dice: Dice = [("attack", 3), ("defence", 3), *BORN]
    fire(fight, "us", "a", "B5", dice, draws=[("hero", "ge_vogt")], answers=[("ge", ["C5"])])
    (hero,) = heroes(fight)
    assert hero.at != fight.at("C5")
    assert hero.at != fight.at("B5")
