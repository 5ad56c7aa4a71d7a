"""What a spy at a player's tablet might read out of Lock 'n Load's rules in a blind battle, and of what is hidden in an
open one: the same orders in two worlds that differ in what he cannot see."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lnl.package import PACKAGE
from lnl.testing.conformance import CONFORMANCE
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.ledger import Drawn
from umpire.kernel.rulings import Question
from umpire.kernel.states import slice_of
from umpire.testing.conformance.serving import difference, served
from umpire.testing.play.battle import Play

BLIND = {"play": "blind"}
NIGHT = {"play": "blind", "hour": "night"}
IDLE = "\nus us_idle squad 1-1-4-5 A1\nge ge_idle squad 1-1-4-5 J8"
WOOD = """
. . . . . . . . . .
. . . . . . . . . .
. . . . F F . . . .
. . . . F F . . . .
. . . . F F . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""
SCREEN = "\n".join(
    [*[". . . . . . . . . ."] * 3, *["F F F F F F F F F F"] * 2, *[". . . . . . . . . ."] * 5, ". . . . F . . . . ."]
)
TEAM = "weapon_team 3-20-2-6 use=mortar minimum_range=3"
LEADER = "leader morale=6 lm=1 mf=6"


def tell_tale(seat: str, one: Battle, other: Battle) -> str:
    """By what a seat can tell two battles apart, "" if by nothing."""
    return difference(served(CONFORMANCE, one.play, seat, 1), served(CONFORMANCE, other.play, seat, 1))


def place(fight: Battle, name: str) -> list[int]:
    return list(fight.at(name))


# Fire


@pytest.mark.rule("core 18.1")
def test_whom_a_mortar_hits_is_not_told_where_it_stands() -> None:
    def hit(crew: str) -> Battle:
        pieces = f"us m {TEAM} {crew}\nus lt {LEADER} D8\nge g squad 1-6-4-5 D10"
        fight = battle(SCREEN, pieces + IDLE, options=BLIND)
        dice = [("mortar attack", (1, 1)), ("mortar defence", 6)]
        fight.give("us", "FireMortar", dice, mortar="m", target=place(fight, "D10"), caller="lt")
        return fight

    one = hit("C1")
    assert any(line.startswith("Mortar defence") for line in one.lines("ge"))
    assert tell_tale("ge", one, hit("E1")) == ""


@pytest.mark.rule("core 18.1")
def test_mortar_fire_at_a_hex_does_not_tell_whether_somebody_is_there() -> None:
    def fired(at: str) -> Battle:
        pieces = f"us m {TEAM} C1\nus lt {LEADER} D8\nge g squad 1-6-4-5 {at}"
        fight = battle(SCREEN, pieces + IDLE, options=BLIND)
        dice = [("mortar attack", (1, 1)), ("mortar defence", 6)] if at == "E11" else []
        fight.give("us", "FireMortar", dice, mortar="m", target=place(fight, "E11"), caller="lt")
        return fight

    assert tell_tale("us", fired("E11"), fired("J5")) == ""


@pytest.mark.rule("core 11.4", "core 5.3")
@pytest.mark.parametrize("movers", [("z",), ("y", "z")])
def test_a_sniper_hits_one_of_those_whom_he_sees(movers: tuple[str, ...]) -> None:
    """Who crosses a wood is seen; who lies in it is not, and might as well not be there. 12 and 2 against 1 and 2, by
    11; and the check 11 and 6."""

    def shot(lying: str) -> Battle:
        crossing = "".join(f"\nus {key} squad 2-5-4-6 D6" for key in movers)
        fight = battle(WOOD, f"ge s sniper 1-12-0-6 E8{crossing}{lying}{IDLE}", options=BLIND, standing="free")
        fight.set("s", is_placed=True)
        dice = [("attack", (6, 6)), ("defence", 1), ("damage check z", 6)]
        draws = [("sniper target", "z")] if len(movers) > 1 else []
        fight.give("us", "Move", dice, draws=draws, units=list(movers), path=[place(fight, "E5")])
        return fight

    one, other = shot("\nus a squad 2-5-4-6 E5"), shot("")
    drawn = [entry.draw.among for entry in one.play.tree.path() if isinstance(entry, Drawn)]
    assert drawn == ([movers] if len(movers) > 1 else [])
    assert not one.has("z")
    assert one.unit("a").is_good_order
    if len(movers) == 1:
        assert tell_tale("ge", one, other) == ""
    else:  # when the other has stopped his marker gives the wood away
        assert one.lines("ge") == [*other.lines("ge"), "In sight: Squad at E5."]


@pytest.mark.rule("core 5.3", "core 10.1")
def test_who_is_fired_at_by_somebody_in_sight_reads_with_what() -> None:
    """A sight of him shows his weapons."""
    pieces = "us a squad 2-5-4-6 E8\nge g squad 1-6-4-5 E5 mg42"
    fight = battle(CLEAR, pieces + IDLE, options=BLIND, standing="free")
    fight.give("us", "Move", [("attack", 1), ("defence", 6)], units=["a"], path=[place(fight, "E7")])
    assert "Squad with MG42 takes opportunity fire at E7." in fight.lines("us")


# Questions


@pytest.mark.rule("core 1.6.1", "core 12.0", "core 11.2")
@pytest.mark.parametrize(("options", "is_asked"), [({}, True), (BLIND, False)])
def test_who_is_hidden_is_asked_nothing(options: dict[str, str], is_asked: bool) -> None:
    """The squad has two weapons and loses one: nobody sees the enemy wait for what is decided."""
    pieces = "us a squad 3-5-4-6 E6\nge g squad 1-6-4-4 reduces=1-4-4-4 D4 mg42, mg34, fired"
    fight = battle(WOOD.replace("F", "."), pieces + IDLE, options=options)
    fight.script.otherwise = lambda command, question, state: PACKAGE.reply(
        PACKAGE.believed(slice_of(state, (command,))), question
    )
    fight.throw([("attack", 6), ("defence", 3), ("damage check g", 3)])
    assert fight.play.order("us", {"verb": "Fire", "units": ["a"], "target": place(fight, "D4")}) == []
    assert fight.fault == ""
    assert (fight.play.waiting is not None) is is_asked
    if not is_asked:
        assert len(fight.guns("g")) == 1


@pytest.mark.rule("core 8.0", "core 6.4")
@pytest.mark.parametrize("how", ["hidden", "hidden, stealth moved"])
def test_nobody_is_asked_about_enemies_whom_he_does_not_see(how: str) -> None:
    pieces = f"us a squad 2-5-4-6 E6\nge g squad 1-6-4-5 E4 {how}\nge h squad 1-6-4-5 E4 {how}"
    fight = battle(WOOD, pieces + IDLE)
    fight.script.otherwise = lambda command, question, state: None
    path = [place(fight, "E5"), place(fight, "E4")]
    assert fight.play.order("us", {"verb": "Move", "units": ["a"], "path": path}) == []
    assert fight.play.waiting is not None
    [choices] = [question.choices for question in fight.play.waiting.questions.values()]
    assert {choice.id for choice in choices} <= set(fight.play.view("us")["pieces"])


@pytest.mark.rule("core 5.3")
def test_a_question_of_any_kind_has_its_answer_where_the_asked_are_hidden() -> None:
    fight = battle(WOOD, "us a squad 2-5-4-6 E6\nge g squad 1-6-4-5 E3" + IDLE, options=BLIND)
    believed = PACKAGE.believed(slice_of(fight.state, ("ge",)))
    question = Question(kind="drop", prompt="", choices=(), default=(), about=("g",))
    assert PACKAGE.reply(believed, question) == ()


@pytest.mark.rule("core 5.0")
@pytest.mark.parametrize(("options", "is_typed"), [({}, True), (BLIND, False)])
def test_where_somebody_is_unseen_nobody_waits_for_dice(options: dict[str, str], is_typed: bool) -> None:
    """A roll that is typed in says which faces matter, and its thrower that somebody was hit."""
    fight = battle(WOOD, "us a squad 2-5-4-6 E6\nge g squad 1-6-4-5 E5 fired" + IDLE, options=options)
    play = Play(PACKAGE, fight.state, fight.play.seats, typed=True)
    assert play.order("us", {"verb": "Fire", "units": ["a"], "target": place(fight, "E5")}) == []
    assert (play.waiting is not None) is is_typed


# Snipers


@pytest.mark.rule("core 11.4")
def test_a_sniper_who_finds_his_place_taken_tries_no_other_in_this_turn() -> None:
    """Else he would look for hidden enemies in one wood after the other."""
    pieces = "ge s sniper 1-12-0-6 E1\nus a squad 2-5-4-6 E4"
    fight = battle(WOOD, pieces + IDLE, options=BLIND)
    fight.give("ge", "PlaceSniper", unit="s", at=place(fight, "E4"))
    assert not fight.unit("s").is_placed
    assert [each.rule for each in fight.refused("ge", "PlaceSniper", unit="s", at=place(fight, "E3"))] == ["core 11.4"]


# Works and weapons


@pytest.mark.rule("core 21.3")
def test_whose_wire_is_run_into_does_not_learn_it() -> None:
    def went(to: str) -> Battle:
        pieces = "us a squad 2-5-4-6 E6\nge wire wire E5 hidden"
        fight = battle(WOOD, pieces + IDLE, options=NIGHT)
        fight.give("us", "Move", units=["a"], path=[place(fight, to)])
        return fight

    one = went("E5")
    assert "Wire" in str(one.play.view("us"))
    assert tell_tale("ge", one, went("D6")) == ""


@pytest.mark.rule("core 1.6.1", "core 3.0")
def test_whose_weapon_is_carried_off_does_not_learn_it() -> None:
    def rallied(*, taken: bool) -> Battle:
        pieces = "us a squad 2-5-4-6 E5\nge gun mg42 E5"
        fight = battle(WOOD, pieces + IDLE, options=BLIND, phase="rally")
        if taken:
            [alias] = [key for key, each in fight.play.view("us")["pieces"].items() if each["kind"] == "weapon"]
            fight.give("us", "PickUp", unit="a", weapon=alias)
        fight.give("us", "EndRally")
        return fight

    one, other = rallied(taken=True), rallied(taken=False)
    assert one.guns("a")
    assert tell_tale("ge", one, other) == ""


@pytest.mark.rule("core 1.6.1", "core 5.1")
def test_what_the_fallen_leave_is_remembered_as_left_behind() -> None:
    pieces = "us a squad 3-5-4-6 E6\nge g half_squad 1-6-4-3 E5 mg42, fired"
    fight = battle(WOOD, pieces + IDLE, options=BLIND)
    dice = [("attack", 6), ("defence", 1), ("damage check g", 6)]
    fight.give("us", "Fire", dice, units=["a"], target=place(fight, "E5"))
    assert not fight.has("g")
    [left] = [each for each in fight.play.view("ge")["contacts"].values() if each["kind"] == "weapon"]
    assert (left["kind"], left["status"], left["at"]) == ("weapon", "remembered", place(fight, "E5"))
    assert any(line.startswith("Left behind") for line in fight.lines("ge"))


@pytest.mark.rule("core 1.6.1")
@pytest.mark.parametrize("options", [{}, BLIND])
def test_a_hidden_weapon_is_seen_by_who_comes_to_it(options: dict[str, str]) -> None:
    fight = battle(WOOD, "us a squad 2-5-4-6 E6\nge gun mg42 E5 hidden" + IDLE, options=options)
    fight.give("us", "Move", units=["a"], path=[place(fight, "E5")])
    assert [each["label"] for each in fight.play.view("us")["pieces"].values() if each["kind"] == "weapon"] == ["MG42"]


# Impulses


@pytest.mark.rule("core 4.0")
def test_in_an_open_battle_an_impulse_does_not_tell_of_hidden_units() -> None:
    def moved(more: str) -> Battle:
        pieces = "us a squad 2-5-4-6 A8\nge g squad 1-6-4-5 J1\nge h squad 1-6-4-5 J1\n" + more
        fight = battle(WOOD, pieces + IDLE, active="ge", standing="hold")
        fight.give("ge", "Move", units=["g"], path=[place(fight, "I1")])
        return fight

    assert tell_tale("us", moved("ge x squad 1-6-4-5 E4 hidden"), moved("")) == ""


@pytest.mark.rule("core 4.0")
def test_which_command_of_a_side_has_acted_is_not_told() -> None:
    def passed(seat: str) -> Battle:
        pieces = "us a squad 2-5-4-6 A8\nus/bravo b squad 2-5-4-6 A7\nge g squad 1-6-4-5 J1\n"
        fight = battle(WOOD, pieces + IDLE, options=BLIND, phase="set_up")
        for each in ("us", "bravo", "ge"):
            fight.give(each, "EndRally")
        fight.give(seat, "Pass")
        return fight

    assert tell_tale("ge", passed("us"), passed("bravo")) == ""


@pytest.mark.rule("core 8.0")
def test_the_dice_of_a_melee_are_for_those_who_fight_it() -> None:
    pieces = "us a squad 2-5-4-6 E6\nus/bravo b squad 2-5-4-6 A7\nge g squad 1-6-4-5 E4"
    fight = battle(WOOD, pieces + IDLE, options=BLIND, phase="set_up")
    for each in ("us", "bravo", "ge"):
        fight.give(each, "EndRally")
    dice = [("melee us", (1, 1)), ("melee ge", (1, 1))]
    fight.give("us", "Move", dice, units=["a"], path=[place(fight, "E5"), place(fight, "E4")])
    assert [line for line in fight.lines("us") if line.startswith("Melee (")]
    assert [line for line in fight.lines("bravo") if line.startswith("Melee (")] == []


# What is spotted, and who controls what


@pytest.mark.rule("core 10.1")
def test_a_spotted_marker_goes_with_the_last_whom_all_see() -> None:
    def left(more: str) -> Battle:
        pieces = "us a squad 2-5-4-6 E8\nge g squad 1-6-4-5 F4\n" + more
        fight = battle(WOOD, pieces + IDLE, active="ge")
        fight.set("battle", spotted=[place(fight, "F4")])
        fight.give("ge", "Move", units=["g"], path=[place(fight, "F3")])
        return fight

    assert tell_tale("us", left("ge x squad 1-6-4-5 F4 hidden, ops complete"), left("")) == ""


@pytest.mark.rule("core 10.1")
def test_in_an_open_battle_spotting_does_not_tell_of_hidden_units() -> None:
    def spotted(more: str) -> Battle:
        pieces = "us a squad 2-5-4-6 E5\nge g squad 1-6-4-5 E8\n" + more
        fight = battle(WOOD, pieces + IDLE, active="ge")
        fight.give("ge", "Spot", [("spot", 1)], unit="g", target=place(fight, "E5"))
        return fight

    one, other = spotted("ge x squad 1-6-4-5 F4 hidden"), spotted("")
    assert "E5 is spotted." in other.lines("us")
    assert tell_tale("us", one, other) == ""


@pytest.mark.rule("core 2.0")
def test_who_comes_back_is_not_told_that_his_objective_was_the_enemys_meanwhile() -> None:
    def back(*, held: bool) -> Battle:
        pieces = "us a squad 2-5-4-6 E7\nge x squad 1-6-4-5 E3 hidden"
        fight = battle(
            WOOD,
            pieces + IDLE,
            zone=[{"key": "wood", "name": "The wood", "hexes": "E5"}],
            objective=[
                {"key": "wood", "side": "us", "deed": "control", "points": 1, "name": "The wood", "zone": "wood"}
            ],
        )
        fight.set("battle", control={"5,5": "us"})
        if held:
            fight.play.correct({"verb": "MoveTo", "piece": "x", "at": place(fight, "E5")}, "hidden")
            fight.play.correct({"verb": "MoveTo", "piece": "x", "at": place(fight, "E3")}, "hidden")
        fight.give("us", "Move", units=["a"], path=[place(fight, "E6"), place(fight, "E5")])
        return fight

    assert tell_tale("us", back(held=True), back(held=False)) == ""


# Set-up


@pytest.mark.rule("core 1.3", "core 10.1")
@pytest.mark.parametrize("at", ["E3", "E4"])
def test_who_sets_up_last_does_not_look_around_meanwhile(at: str) -> None:
    """The Americans try a place next to the Germans, and theirs."""

    def tried(germans: str) -> Battle:
        pieces = "us a squad 2-5-4-6 A8 zone wood\nge g squad 1-6-4-5 E3 zone wood"
        fight = battle(
            WOOD,
            pieces + IDLE,
            options={**BLIND, "set_up": "players"},
            phase="set_up",
            zone=[{"key": "wood", "name": "The wood", "hexes": "E3 E4 F5 A8"}],
        )
        fight.give("ge", "PlaceUnit", unit="g", at=place(fight, germans))
        fight.give("ge", "EndSetUp")
        fight.give("us", "PlaceUnit", unit="a", at=place(fight, at))
        return fight

    one, other = tried("E3"), tried("F5")
    assert tell_tale("us", one, other) == ""
    one.give("us", "EndSetUp")
    assert place(one, "E3") in [each["at"] for each in one.play.view("us")["contacts"].values()]


# Odds at somebody in sight, of whom it is not known whose command he is


@pytest.mark.rule("core 11.2", "core 1.3", "core 1.6.2")
@pytest.mark.parametrize(
    "pieces",
    [
        # A hero of theirs would have no room.
        f"us a squad 3-5-4-6 E6\nge l {LEADER} E4\nge m medic mf=5 morale=6 E4\nge g ge_grenadier E4 fired",
        # They would be driven out.
        "us a squad 3-5-4-6 E5 flamethrower\nge g ge_grenadier E4 fired",
    ],
)
def test_odds_of_fire_at_a_contact_are_those_at_an_open_unit(pieces: str) -> None:
    def odds(options: dict[str, str]) -> list[tuple[str, Fraction]]:
        fight = battle(CLEAR, pieces + IDLE, options=options)
        order = {"verb": "Fire", "units": ["a"], "weapons": list(fight.guns("a")), "target": place(fight, "E4")}
        return sorted((fate.what, chance) for fate, chance in fight.play.odds("us", order).fates.items())

    assert odds(BLIND) == odds({})
    assert "hero" in dict(odds(BLIND))
