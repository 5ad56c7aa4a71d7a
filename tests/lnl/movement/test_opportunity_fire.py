"""Opportunity fire: who, when, how often, and what it does to the move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from lnl.rules.fire.opportunity_fire import groups
from tests.lnl.building import CLEAR, Battle
from tests.lnl.building import battle as battle_of
from umpire.kernel.rulings import Question

Dice = Iterable[tuple[str, int]]
LEADER = "leader morale=6 lm=1 mf=6"


def battle(board: str, pieces: str, **how: Any) -> Battle:
    """A battle in which each side has a medic more who does nothing, so that the phase goes on."""
    last = len(board.strip().splitlines())
    medics = f"us spare_us medic mf=5 morale=6 A1\nge spare_ge medic mf=5 morale=6 A{last}"
    return battle_of(board, f"{pieces}\n{medics}", **how)


def places(fight: Battle, *names: str) -> list[list[int]]:
    return [list(fight.at(name)) for name in names]


def listening(fight: Battle, answers: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, Question]]:
    """The questions asked from now on; they get these answers in turn where they are put to that command, and declined
    or left to their default otherwise."""
    asked: list[tuple[str, Question]] = []
    left = [(command, tuple(choices)) for command, choices in answers]

    def answer(command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        asked.append((command, question))
        if left and left[0][0] == command and set(left[0][1]) <= {each.id for each in question.choices}:
            return left.pop(0)[1]
        return question.default

    fight.script.otherwise = answer
    return asked


def go(
    fight: Battle, units: str, *path: str, seat: str = "us", verb: str = "Move", dice: Dice = (), **more: Any
) -> None:
    fight.give(seat, verb, dice, units=units.split(), path=places(fight, *path), **more)


@pytest.mark.rule("core 5.3")
def test_an_offer_declined_costs_nothing() -> None:
    """DIG-12."""
    fight = battle(CLEAR, "us a squad 2-5-4-6 B7\nge g squad 1-6-4-5 E5", standing="ask")
    asked = listening(fight, [])
    go(fight, "a", "B6", "B5", "B4", "B3")
    assert [question.kind for _, question in asked] == ["opportunity_fire"] * 4
    assert fight.unit("a").at == fight.at("B3")
    assert fight.unit("a").spent == 4
    assert fight.unit("g").fired is fight.unit("g").ops_complete is False
    assert fight.unit("g").moved == ""


@pytest.mark.rule("core 4.1", "core 5.3")
def test_an_ops_complete_squad_fires_with_two_less() -> None:
    """LNL-013."""
    fight = battle(CLEAR, "us r squad 3-6-4-6 B7 ops complete\nge s squad 0-3-4-5 B1", active="ge", standing="free")
    go(fight, "s", "B2", seat="ge", dice=[("attack", 4), ("defence", 4), ("damage check", 3)])
    assert fight.unit("r").fired
    assert fight.unit("s").is_good_order
    assert fight.unit("s").at == fight.at("B2")


@pytest.mark.rule("core 5.3", "core 4.1", "core 6.1", "core 6.3", "core 6.4")
@pytest.mark.parametrize(
    ("marker", "fires"),
    [
        ("", True),
        ("assault moved", True),
        ("ops complete", True),
        ("moved", False),
        ("low crawl", False),
        ("stealth moved", False),
        ("fired", False),
        ("shaken", False),
    ],
)
def test_who_may_take_opportunity_fire(marker: str, fires: bool) -> None:
    fight = battle(CLEAR, f"us a squad 2-5-4-6 B7\nge g squad 1-6-4-5 B2 {marker}", standing="ask")
    asked = listening(fight, [])
    go(fight, "a", "B6")
    assert bool(asked) is fires


@pytest.mark.rule("core 4.1", "core 5.3")
def test_a_single_man_who_is_ops_complete_does_not() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 B7\nge h hero 1-6-5-6 B2 ops complete", standing="ask")
    asked = listening(fight, [])
    go(fight, "a", "B6")
    assert not asked


@pytest.mark.rule("core 5.3")
def test_two_attacks_for_two_points_and_a_third_is_not_offered() -> None:
    """ERR-18, its part on foot: the mover pays 2 for light woods; he is Shaken by the first and faces the second."""
    board = ". . . . . .\n. . . . . .\n. . . . . .\n. . . w . .\n. . . . . .\n. . . . . .\n. . . . . ."
    pieces = "ge m squad 1-6-4-5 D5\nus a squad 2-5-4-6 D1\nus b squad 2-5-4-6 A4\nus c squad 2-5-4-6 D7"
    fight = battle(board, pieces, active="ge", standing="ask")
    asked = listening(fight, [("us", ["4,1,0 us"]), ("us", ["1,4,0 us"]), ("us", ["4,7,0 us"])])
    go(
        fight,
        "m",
        "D4",
        "D3",
        seat="ge",
        dice=[("attack", 3), ("defence", 4), ("damage check", 5), ("attack", 2), ("defence", 6)],
    )
    assert fight.unit("m").is_shaken
    assert fight.unit("m").at == fight.at("D4"), "who is Shaken ends his move"
    assert [fight.unit(key).fired for key in "abc"] == [True, True, False]
    assert len(asked) == 2


@pytest.mark.rule("core 5.3")
def test_movers_and_those_who_stand_in_the_hex_are_hit_by_one_attack_and_only_movers_are_easier_to_hit() -> None:
    """LNL-016, the fire: 3+1+1 against the mover, 3+1 against the other, both 1+2."""
    board = "\n".join(". . . F . ." if row == 6 else ". . . . . ." for row in range(1, 8))
    pieces = "us r squad 3-6-4-6 D2\nge m squad 0-3-4-5 D7\nge i squad 1-3-4-5 D6"
    fight = battle(board, pieces, active="ge", standing="free")
    go(
        fight,
        "m",
        "D6",
        seat="ge",
        dice=[("attack", 1), ("defence", 1), ("damage check", 2), ("damage check", 3)],
    )
    assert fight.unit("m").is_good_order
    assert fight.unit("i").is_good_order


@pytest.mark.rule("core 5.3", "core 6.3")
def test_who_crawls_is_fired_at_only_where_spotted() -> None:
    board = ". . . . .\n. . . . .\n. . F . .\n. F . . .\n. . . . .\n. . . . ."
    pieces = "us a squad 2-5-4-6 C3\nge g squad 1-6-4-5 A6"
    hidden = battle(board, "us a squad 2-5-4-6 B4\nge g squad 1-6-4-5 E1", standing="ask")
    asked = listening(hidden, [])
    go(hidden, "a", "C3", verb="LowCrawl")
    assert not asked, "unspotted in the forest that they enter"
    fight = battle(board, pieces, standing="ask")
    asked = listening(fight, [])
    go(fight, "a", "C4", verb="LowCrawl")
    assert asked, "spotted in the open"


@pytest.mark.rule("core 5.3", "core 6.4")
def test_who_moves_by_stealth_is_not_seen_moving() -> None:
    board = ". . . . .\n. . . . .\n. . F . .\n. F . . .\n. . . . .\n. . . . ."
    fight = battle(board, "us s scout 0-3-5-6 B4\nge g squad 1-6-4-5 E1", standing="ask")
    asked = listening(fight, [])
    go(fight, "s", "C3", verb="StealthMove")
    assert not asked


@pytest.mark.rule("core 5.3")
def test_the_rest_of_a_stack_goes_on_when_some_are_shaken() -> None:
    pieces = "us a squad 2-5-4-6 B7\nus b squad 2-5-4-6 B7\nge g squad 1-6-4-5 B2"
    fight = battle(CLEAR, pieces, standing="free")
    go(
        fight,
        "a b",
        "B6",
        "B5",
        dice=[("attack", 3), ("defence", 2), ("damage check a", 6), ("damage check b", 2)],
    )
    assert (fight.unit("a").is_shaken, fight.unit("a").at) == (True, fight.at("B6"))
    assert (fight.unit("b").is_shaken, fight.unit("b").at) == (False, fight.at("B5"))


@pytest.mark.rule("core 5.3", "core 6.2")
def test_without_its_leader_a_stack_no_longer_hurries() -> None:
    pieces = f"us lt {LEADER} B8\nus a squad 2-5-4-6 B8\nge g squad 1-6-4-5 B1"
    fight = battle(CLEAR, pieces, standing="ask")
    listening(fight, [("ge", ["2,1,0 ge"])])
    fight.give(
        "us",
        "Move",
        [("attack", 3), ("defence", 2), ("damage check lt", 6), ("damage check a", 2)],
        units=["lt", "a"],
        path=places(fight, "B7", "B6", "B5", "B4", "B3", "B2"),
        double_time=True,
    )
    assert fight.unit("lt").is_shaken
    assert (fight.unit("a").at, fight.unit("a").spent) == (fight.at("B4"), 4)


@pytest.mark.rule("core 5.3", "core 8.0")
def test_there_is_no_opportunity_fire_where_melee_is_entered() -> None:
    """DIG-31: a window in E5, none in E6."""
    pieces = "us a squad 2-5-4-6 E4\nge g squad 1-6-4-5 E6\nge o squad 1-6-4-5 H5"
    fight = battle(CLEAR, pieces, standing="ask")
    asked = listening(fight, [])
    go(fight, "a", "E5", "E6", dice=[("melee us", (1, 1)), ("melee ge", (1, 1))])
    offers = [question for _, question in asked if question.kind == "opportunity_fire"]
    assert len(offers) == 1
    assert fight.unit("a").at == fight.at("E6")
    assert fight.unit("a").moved == "move"


@pytest.mark.rule("core 6.0", "core 10.1", "core 5.3")
class TestShakenOnArrival:
    """LNL-051: enter, events, opportunity fire, and only then what the movers see."""

    board = """
    . . . . . . . . H .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . H . . . . .
    . . . . . . . . . .
    """

    def fight(self, near: str, gun: str) -> Battle:
        pieces = "us a squad 2-5-4-6 E5\nge near squad 1-6-4-5 E7 hidden\nge gun squad 1-6-4-5 I1 mg42, hidden"
        fight = battle(self.board, pieces)
        for key, orders in (("near", near), ("gun", gun)):
            order = {"verb": "GiveStandingOrders", "command": "ge", "unit": key, "standing": {"fire": orders}}
            assert fight.play.order("ge", order) == []
        return fight

    def test_who_is_shaken_by_the_gun_does_not_see_his_neighbour(self) -> None:
        fight = self.fight("hold", "free")
        go(fight, "a", "E6", dice=[("attack", 3), ("defence", 3), ("damage check a", 4)])
        assert fight.unit("a").is_shaken
        assert "gun" in fight.state.public.pieces
        assert "near" not in fight.state.public.pieces

    def test_who_is_still_in_good_order_sees_him(self) -> None:
        fight = self.fight("hold", "free")
        go(fight, "a", "E6", dice=[("attack", 3), ("defence", 6)])
        assert fight.unit("a").is_good_order
        assert "near" in fight.state.public.pieces

    def test_who_fires_is_seen(self) -> None:
        fight = self.fight("free", "hold")
        go(fight, "a", "E6", dice=[("attack", 5), ("defence", 2), ("damage check a", 2)])
        assert fight.unit("a").is_shaken
        assert "near" in fight.state.public.pieces
        assert "gun" not in fight.state.public.pieces


@pytest.mark.rule("core 5.3")
def test_hidden_units_are_never_asked_about() -> None:
    fight = battle(
        CLEAR.replace(".", "H", 4).replace("H", ".", 3),
        "us a squad 2-5-4-6 B7\nge g squad 1-6-4-5 D1 hidden",
        standing="ask",
    )
    asked = listening(fight, [])
    go(fight, "a", "B6")
    assert not asked


@pytest.mark.rule("core 5.3", "core 5.2")
def test_all_of_a_place_fire_together_and_the_player_says_who() -> None:
    pieces = "us a squad 2-5-4-6 B7\nge g squad 1-6-4-5 B2 mg42\nge h squad 1-6-4-5 B2"
    fight = battle(CLEAR, pieces, standing="ask")
    asked = listening(fight, [("ge", ["2,2,0 ge"]), ("ge", ["h"])])
    go(fight, "a", "B6", dice=[("attack", 1), ("defence", 6)])
    assert [question.kind for _, question in asked] == ["opportunity_fire", "opportunity_firers"]
    assert (fight.unit("g").fired, fight.unit("h").fired) == (False, True)


@pytest.mark.rule("core 5.3", "core 1.6.3", "core 18.1")
def test_weapon_teams_fire_by_themselves_and_mortars_not_at_all() -> None:
    pieces = (
        "us a squad 2-5-4-6 B7\nge g squad 1-6-4-5 B2\nge t weapon_team 2-8-3-6 B2\n"
        "ge m weapon_team 2-12-3-6 use=mortar B2"
    )
    fight = battle(CLEAR, pieces, standing="ask")
    found = groups(fight.state, ("a",))
    assert {each.units for each in found} == {("g",), ("t",)}
    listening(fight, [("ge", ["2,2,0 ge"]), ("ge", ["t"])])
    go(fight, "a", "B6", dice=[("attack", 1), ("defence", 6), ("attack", 1), ("defence", 6)])
    assert (fight.unit("g").fired, fight.unit("t").fired) == (True, True)


@pytest.mark.rule("core 21.6", "core 5.3")
def test_from_trench_to_trench_movers_are_no_easier_to_hit() -> None:
    pieces = "us x trench B6\nus y trench B7\nus a squad 2-5-4-6 B7\nge g squad 1-6-4-5 B2"
    fight = battle(CLEAR, pieces, standing="free")
    go(fight, "a", "B6", dice=[("attack", 5), ("defence", 4)])
    assert fight.unit("a").is_good_order


@pytest.mark.rule("core 5.3", "core 1.6.1")
def test_who_cannot_fire_as_he_is_told_is_refused_and_not_left_out_in_silence() -> None:
    """A squad that reaches six hexes, with guns that reach ten, at a mover nine hexes away; beside it one that does."""
    fight = battle(
        "\n".join([". " * 8] * 12),
        "us m squad 2-5-4-6 B12\nge a squad 1-6-4-5 B2 mg42, mg34\nge b squad 2-9-4-5 B2",
        standing="ask",
    )
    asked = listening(fight, [("ge", ["2,2,0 ge"]), ("ge", ["a", "a.1"])])
    go(fight, "m", "B11", dice=[("attack", 1), ("defence", 6)])
    question = asked[1][1]
    assert question.kind == "opportunity_firers"
    assert question.faults(question.default) == []
    assert question.faults(["a", "a.1"]) == question.faults(["a.1", "a.2"]) == []
    assert "does not reach that far" in question.faults(["a"])[0]
