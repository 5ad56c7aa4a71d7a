"""The toy game through `Play`: a few turns by hand."""

from random import Random
from typing import Any

import pytest

from umpire.kernel.dice import ScriptedDice
from umpire.kernel.settings import BadInput
from umpire.kernel.states import Seat
from umpire.testing.play.battle import Play
from umpire.testing.skirmish import PACKAGE
from umpire.testing.skirmish.knowledge import another
from umpire.testing.skirmish.state import State, units

SEATS = {name: Seat(name=name, commands=(name,)) for name in ("blue_1", "blue_2", "red_1", "red_2")}
SEATS["gallery"] = Seat(name="gallery", role="observer")


def battle(
    text: str = "", *, blind: bool = True, script: ScriptedDice | None = None
) -> tuple[Play[State], ScriptedDice]:
    """A battle whose ids are the keys of the scenario."""
    setting = PACKAGE.load(text or PACKAGE.scenarios()["the-lane"], file="test", options={"blind": blind})
    script = script or ScriptedDice()
    play = Play(PACKAGE, PACKAGE.begin(setting, lambda key: key), SEATS, source=lambda begun: script)
    script.otherwise = play.reply
    return play, script


def give(play: Play[State], seat: str, **order: Any) -> None:
    assert play.order(seat, order) == []


def enemies_seen(play: Play[State]) -> dict[str, Any]:
    contacts = play.view("red_2")["contacts"]
    return {alias: contact for alias, contact in contacts.items() if contact["facts"].get("side") == "blue"}


def test_a_move_stops_where_the_truth_bars_its_way() -> None:
    play, _ = battle()
    give(play, "blue_2", verb="move", unit="cedar", path=[[3, 0]])
    assert units(play.state)["cedar"].hex == 3
    assert [line.kind for line in play.news["blue_2"][-1].lines] == ["met"]  # a dead mule: the move is over
    assert play.order("blue_2", {"verb": "move", "unit": "cedar", "path": [[4, 0]]})[0].rule == "skirmish move"


def test_hidden_units_are_seen_as_contacts_and_lost_again() -> None:
    play, _ = battle()
    assert enemies_seen(play) == {}
    give(play, "blue_2", verb="move", unit="cedar", path=[[3, 0]])
    (contact,) = enemies_seen(play).values()
    assert (contact["status"], contact["at"]) == ("in_sight", [3, 0])
    assert play.news["red_1"] == []  # it is too far off, and nothing of it moves
    play.correct({"verb": "place", "unit": "cedar", "at": 2}, "put back")
    assert enemies_seen(play) == {}  # hex 3 is still in view, and empty


def test_fire_goes_through_a_contact() -> None:
    play, script = battle()
    give(play, "blue_2", verb="move", unit="cedar", path=[[3, 0]])
    for command in ("blue_1", "blue_2"):
        give(play, command, verb="end_turn", command=command)
    (alias,) = enemies_seen(play)
    script.dice.append(("fire willow", (5,)))
    give(play, "red_2", verb="fire", unit="willow", target=alias)
    assert "cedar" not in units(play.state)
    assert enemies_seen(play) == {}


def test_an_ambush_is_answered_by_standing_orders_alone() -> None:
    play, script = battle()
    give(play, "red_2", verb="standing_orders", command="red_2", fire="any")
    script.dice.append(("opportunity fire willow", (6,)))
    script.draws.append(("hero", "a madman"))
    give(play, "blue_2", verb="move", unit="cedar", path=[[3, 0], [4, 0]])
    assert play.waiting is None
    assert "cedar" not in units(play.state)
    assert units(play.state)["willow"].hero == "a madman"


def test_in_an_open_battle_the_firers_are_asked_in_turn() -> None:
    play, script = battle(blind=False)
    play.correct({"verb": "place", "unit": "thorn", "at": 4}, "nearer")
    play.correct({"verb": "place", "unit": "willow", "at": 4}, "nearer")
    play.correct({"verb": "place", "unit": "rowan", "at": 5}, "nearer")
    give(play, "blue_2", verb="move", unit="cedar", path=[[3, 0]])
    assert play.waiting is not None
    assert play.waiting.offer
    assert {name: question.kind for name, question in play.waiting.questions.items()} == {
        "red_1": "opportunity_fire",
        "red_2": "opportunity_fire",
    }
    assert play.answer("red_2", ["nobody"])  # refused
    assert play.answer("red_1", []) == []
    script.dice.append(("opportunity fire thorn", (1,)))
    assert play.answer("red_2", ["thorn"]) == []
    assert play.waiting is not None  # red_1 is asked again; of red_2 the hidden reserve alone is left, which holds fire
    assert list(play.waiting.questions) == ["red_1"]


def test_the_enemy_says_which_of_two_units_is_hit() -> None:
    play, script = battle(blind=False)
    play.correct({"verb": "place", "unit": "thorn", "at": 3}, "set up")
    play.correct({"verb": "place", "unit": "ash", "at": 1}, "set up")
    for command in ("blue_1", "blue_2"):
        give(play, command, verb="end_turn", command=command)
    script.dice.append(("fire thorn", (5,)))
    script.otherwise = lambda command, question, state: None
    give(play, "red_2", verb="fire", unit="thorn", target="ash")
    assert play.asked("blue_1")["blue_1"].kind == "hit"
    assert play.asked("blue_1")["blue_1"].default == ("ash",)
    assert play.answer("blue_1", ["birch"]) == []
    assert (units(play.state)["ash"].steps, units(play.state)["birch"].steps) == (2, 1)


def test_the_loser_of_a_melee_is_out() -> None:
    for face, left in ((4, "cedar"), (3, "thorn")):
        play, script = battle(blind=False)
        play.correct({"verb": "place", "unit": "thorn", "at": 3}, "set up")
        script.dice.append(("melee cedar", (face,)))
        give(play, "blue_2", verb="assault", unit="cedar", at=[3, 0])
        assert {"cedar", "thorn"} & set(units(play.state)) == {left}
        assert units(play.state)[left].hex == 3


def test_a_hero_helps_and_woods_hinder() -> None:
    play, script = battle(blind=False)
    play.correct({"verb": "place", "unit": "thorn", "at": 4}, "set up")
    order = {"verb": "fire", "unit": "cedar", "target": "thorn"}
    assert [(each.value, each.rule) for each in play.preview("blue_2", order).modifiers] == [(-1, "skirmish fire")]
    script.dice.append(("fire cedar", (6,)))
    script.draws.append(("hero cedar", "a crack shot"))
    give(play, "blue_2", **order)
    assert units(play.state)["cedar"].hero == "a crack shot"
    for command in ("blue_1", "blue_2", "red_1", "red_2"):
        give(play, command, verb="end_turn", command=command)
    assert [each.value for each in play.preview("blue_2", order).modifiers] == [-1, 1]


def test_a_plan_goes_hex_by_hex_and_asks_on_contact() -> None:
    play, script = battle()
    play.correct({"verb": "place", "unit": "willow", "at": 6}, "set up")
    script.dice.extend([("way willow", (2,)), ("way willow", (1,)), ("way willow", (6,))])
    assert PACKAGE.due(play.state) == ("willow",)
    play.carry("willow")
    assert units(play.state)["willow"].hex == 5
    assert PACKAGE.due(play.state) == ()
    for command in ("blue_1", "blue_2", "red_1", "red_2"):
        give(play, command, verb="end_turn", command=command)
    play.carry("willow")  # a 1: the way is lost for this turn
    assert units(play.state)["willow"].hex == 5
    for command in ("blue_1", "blue_2", "red_1", "red_2"):
        give(play, command, verb="end_turn", command=command)
    play.correct({"verb": "place", "unit": "birch", "at": 3}, "set up")
    play.carry("willow")
    assert play.asked("red_2")["red_2"].kind == "plan"
    assert play.asked("blue_1") == {}
    play.answer("red_2", ["halt"])
    assert play.state.umpire.plans == {}


def test_a_reserve_of_an_open_battle_is_hidden_until_it_acts() -> None:
    play, _ = battle(blind=False)
    assert "willow" not in play.view("blue_1")["pieces"]
    assert "willow" in play.view("red_2")["pieces"]
    for command in ("blue_1", "blue_2"):
        give(play, command, verb="end_turn", command=command)
    give(play, "red_2", verb="move", unit="willow", path=[[4, 0]])
    assert play.view("blue_1")["pieces"]["willow"]["at"] == [4, 0]
    assert [line.kind for line in play.news["gallery"][-1].lines] == ["revealed", "entered"]


def test_points_are_steps_beyond_the_middle_and_the_battle_ends_with_its_last_turn() -> None:
    play, _ = battle(blind=False)
    play.correct({"verb": "place", "unit": "ash", "at": 6}, "far")
    play.correct({"verb": "place", "unit": "thorn", "at": 3}, "far")
    assert PACKAGE.outcome(play.state).points == {"blue": 2, "red": 2}
    assert PACKAGE.outcome(play.believed("blue_1")).points == {"blue": 2, "red": 2}
    for _ in range(8):
        for command in ("blue_1", "blue_2", "red_1", "red_2"):
            give(play, command, verb="end_turn", command=command)
    assert play.view("gallery")["outcome"] == {"is_over": True, "winner": "red", "why": "it has more units left"}
    assert play.order("blue_1", {"verb": "end_turn", "command": "blue_1"})[0].reason == "The battle is over."
    assert play.options("blue_1", None) == []


def test_a_lie_is_seen_and_shot_at_in_vain() -> None:
    play, script = battle()
    play.correct({"verb": "lie", "command": "blue_2", "at": 4, "side": "red"}, "a shadow")
    (lie,) = [alias for alias, each in play.view("blue_2")["contacts"].items() if each["at"] == [4, 0]]
    script.dice.append(("fire cedar", (5,)))
    give(play, "blue_2", verb="fire", unit="cedar", target=lie)
    assert len(units(play.state)) == 7


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = 3", "title"),
        ("what = 1", "what"),
        ("=", "TOML"),
        (PACKAGE.scenarios()["the-lane"].replace('command = "red_2"', 'command = "green"'), "green"),
        (PACKAGE.scenarios()["the-lane"].replace("at = 9", "at = 99"), "hexes 0 to 9"),
    ],
)
def test_a_wrong_scenario_file_is_refused_in_words(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        PACKAGE.load(text, file="lane.toml", options={})


def test_another_world_has_the_same_slice() -> None:
    play, _ = battle()
    give(play, "blue_2", verb="move", unit="cedar", path=[[3, 0]])
    for seed in range(20):
        other = another(play.state, "red_2", Random(seed))
        assert other.commands["red_2"] == play.state.commands["red_2"]
        assert other.public == play.state.public
        assert PACKAGE.problems(other) == []
        assert other != play.state
