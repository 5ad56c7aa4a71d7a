"""What a seat does not see any more, or has never seen, is not named to it. Lock 'n Load, blind."""

from __future__ import annotations

import pytest

from lnl.happening.movement import Stopped
from lnl.package import PACKAGE
from lnl.state.finding import sees
from tests.lnl.building import Battle, battle
from umpire.kernel.codec import encode
from umpire.kernel.events import Told

BLIND = {"play": "blind"}
WOODS = """
. . . . . . . F
. . . . F F . .
. . . . F F . .
. . . . . . . .
"""


def fight_over(pieces: str, **more: str) -> Battle:
    return battle(WOODS, pieces, options=BLIND, **more)  # type: ignore[arg-type]


@pytest.mark.rule("core 10.1")
def test_a_step_out_of_sight_is_not_told() -> None:
    """He is lost behind the wood: where he goes there is not seen."""
    way = ("D4", "E4", "F4", "G3")
    fight = fight_over("us a squad 2-5-4-6 A3\nge g squad 1-6-4-5 D3\nge h squad 1-6-4-5 H1", active="ge")
    fight.give("ge", "Move", units=["g"], path=[fight.at(each) for each in way])
    into = [text for text in fight.lines("us") if ": into" in text]
    seen = [at for at in way if sees(fight.state, fight.at("A3"), fight.at(at))]
    assert 0 < len(seen) < len(way)
    assert [text.split("into ")[1] for text in into] == [f"{at}." for at in seen]
    assert any(text.startswith("Lost from sight") for text in fight.lines("us"))


@pytest.mark.rule("core 10.1")
def test_fire_at_somebody_unseen_tells_of_nobody_there() -> None:
    """The second command of a side does not see the first one in the wood, at whom the enemy fires."""
    pieces = "us a squad 2-5-4-6 E3 fired\nus/rear b squad 2-5-4-6 A4\nge g squad 1-6-4-5 F4\nge h squad 1-6-4-5 H1"
    fight = fight_over(pieces, active="ge")
    fight.give("ge", "Fire", [("attack", 1), ("defence", 6)], units=["g"], target=fight.at("E3"), leader="")
    (fired,) = [text for text in fight.lines("rear") if "fires" in text]
    assert "E3" not in fired
    assert any("fires at E3" in text for text in fight.lines("us"))


@pytest.mark.rule("core 10.1")
def test_that_somebody_ran_into_troops_unseen_is_not_told_to_others() -> None:
    pieces = "us a squad 2-5-4-6 E3\nus/rear b squad 2-5-4-6 A4\nge g squad 1-6-4-5 D4\nge h squad 1-6-4-5 H1"
    fight = fight_over(pieces, active="ge")
    told = PACKAGE.notice(fight.state, Stopped(units=("g",), why="contact"), fight.state)
    said = {each.command: each.report.values["text"] for each in told if isinstance(each, Told)}
    assert "runs into the enemy" in str(said["ge"])
    assert said["rear"] == "Squad stops."


@pytest.mark.rule("core 4.0")
def test_the_umpires_setting_of_the_phase_does_not_tell_of_a_hidden_impulse() -> None:
    said = []
    for is_going_on in (False, True):
        men = "\nge h squad 1-6-4-5 H1\nge i squad 1-6-4-5 H1\nge g squad 1-6-4-5 H1"
        fight = fight_over(f"us a squad 2-5-4-6 A1{men}", active="ge")
        if is_going_on:
            fight.give("ge", "Spot", [("spot", 1)], unit="h", target=fight.at("F2"))
            assert fight.state.commands["ge"].impulse is not None
        fight.play.correct({"verb": "SetPhase", "phase": "rally", "active": "us"}, "again")
        assert all(part.impulse is None for part in fight.state.commands.values())
        said.append(encode([fight.play.view("us"), fight.play.tag("us"), fight.play.numbered("us")]))
    assert said[0] == said[1]
