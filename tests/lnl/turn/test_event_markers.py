"""Event markers, and what a scenario has for a turn or for losses. `core 1.7`"""

from __future__ import annotations

from typing import Any

import pytest

from lnl.package import PACKAGE
from tests.lnl.building import CLEAR, Battle, battle

SQUAD = "squad 1-6-4-5"
TWO = f"us a {SQUAD} B2\nge g {SQUAD} F3"
TEXT = "The church bells begin to ring."
WALL = """
. . . . . . .
. . . . . . .
. . F F F . .
. . . . . . .
. . . . . . .
"""


def marked(
    kind: str, at: str, *actions: dict[str, Any], side: str = "", pieces: str = TWO, board: str = CLEAR
) -> Battle:
    return battle(
        board,
        pieces,
        marker=[{"key": "bells", "kind": kind, "at": at, "side": side}],
        happening=[{"key": "alarm", "marker": "bells", "actions": list(actions) or [{"kind": "text", "text": TEXT}]}],
    )


@pytest.mark.rule("core 1.7")
def test_REAL_28_the_place_of_a_marker_is_known_its_text_to_nobody_before_it_happens() -> None:
    fight = marked("occupied", "C2", pieces=f"{TWO}\nus b {SQUAD} B6")
    for seat in ("us", "ge"):
        shown = str((fight.play.view(seat), PACKAGE.scene(fight.play.believed(seat))))
        assert "bells" in shown
        assert TEXT not in shown
    fight.give("us", "Move", units=["a"], path=[[3, 2, 0]])
    for seat in ("us", "ge"):
        assert TEXT in fight.lines(seat)
    assert fight.state.public.happened == ("bells",)


@pytest.mark.rule("core 1.7")
def test_only_the_side_that_is_named_sets_a_marker_off_and_shaken_units_do_too() -> None:
    fight = marked("occupied", "C2", side="ge", pieces=f"us a {SQUAD} B2\nus b {SQUAD} B7\nge g {SQUAD} D2 shaken")
    fight.give("us", "Move", units=["a"], path=[[2, 1, 0]])
    assert fight.state.public.happened == ()
    fight = marked("occupied", "E2", side="ge", pieces=f"us a {SQUAD} A8\nge g {SQUAD} F2 shaken\nge h {SQUAD} F7")
    fight.give("us", "Pass")
    fight.give("ge", "Move", units=["g"], path=[[7, 1, 0]])
    assert fight.state.public.happened == ()


@pytest.mark.rule("core 1.7")
def test_a_marker_is_set_off_by_passing_through_its_hex_once() -> None:
    fight = marked("occupied", "C2", {"kind": "points", "side": "us", "points": 3}, pieces=f"{TWO}\nus b {SQUAD} B3")
    fight.give("us", "Move", units=["a"], path=[[3, 2, 0], [4, 3, 0]])
    assert [score.points for score in fight.state.public.scores] == [3]


@pytest.mark.rule("core 1.7")
def test_a_marker_of_sight_is_set_off_when_its_side_sees_its_hex() -> None:
    pieces = f"us a {SQUAD} D1\nge g {SQUAD} D5\nus b {SQUAD} A5"
    fight = marked("seen", "D5", side="us", pieces=f"us a {SQUAD} D1\nge g {SQUAD} A1\nus b {SQUAD} D1", board=WALL)
    assert fight.state.public.happened == ()
    fight.give("us", "Move", units=["a"], path=[[5, 1, 0], [6, 2, 0], [7, 2, 0], [7, 3, 0]])
    assert fight.state.public.happened == ("bells",)
    fight = marked("seen", "D5", side="us", pieces=pieces, board=WALL)
    assert fight.state.public.happened == ("bells",)  # seen from A5 when the battle begins


@pytest.mark.rule("core 1.7")
def test_an_event_of_a_turn_brings_reinforcements() -> None:
    fight = battle(
        CLEAR,
        f"{TWO}\nge r {SQUAD} J4 arrives never",
        happening=[{"key": "relief", "turn": 2, "actions": [{"kind": "reinforce", "forces": ["r"]}]}],
    )
    for seat in ("us", "ge"):
        fight.give(seat, "Pass")
    assert not fight.unit("r").is_placed
    fight.give("us", "Pass", [("initiative", 1), ("initiative", 2)])
    assert (fight.unit("r").is_placed, fight.unit("r").at) == (True, (10, 4, 0))


@pytest.mark.rule("core 1.7")
def test_an_event_of_losses_places_reveals_and_rallies() -> None:
    fight = battle(
        CLEAR,
        f"us a {SQUAD} B2\nge g {SQUAD} F3\nge p {SQUAD} J4 arrives never\nge h {SQUAD} J8 hidden"
        f"\nge s {SQUAD} J1 shaken",
        happening=[
            {
                "key": "last stand",
                "lost": 1,
                "side": "ge",
                "actions": [
                    {"kind": "place", "forces": ["p"], "at": "I4"},
                    {"kind": "reveal", "forces": ["h"]},
                    {"kind": "rally", "side": "ge"},
                    {"kind": "umpire", "text": "Darken the room."},
                ],
            }
        ],
    )
    dice = [("attack", 6), ("defence", 1), ("damage check g", 6)]
    fight.give("us", "Fire", dice, units=["a"], target=[6, 3, 0])
    assert not fight.has("g")
    assert fight.unit("p").at == (9, 4, 0)
    assert "h" in fight.state.public.pieces
    assert not fight.unit("s").is_shaken
    assert "Darken the room." not in " ".join((*fight.lines("us"), *fight.lines("ge")))
