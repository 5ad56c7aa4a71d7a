"""The toy game through `Play`: a few turns by hand."""

from random import Random
from typing import Any

import pytest

from umpire.kernel.dice import ScriptedDice
from umpire.kernel.play import Play
from umpire.kernel.settings import BadInput
from umpire.kernel.states import Seat
from umpire.kernel.testing.skirmish import PACKAGE
from umpire.kernel.testing.skirmish.state import State, units

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
    assert units(play.state)["cedar"].at == 3
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
        other = PACKAGE.another(play.state, "red_2", Random(seed))
        assert other.commands["red_2"] == play.state.commands["red_2"]
        assert other.public == play.state.public
        assert PACKAGE.problems(other) == []
        assert other != play.state
