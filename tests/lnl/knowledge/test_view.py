"""What a client draws: the scene, the view of a seat, the umpire's truth."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import to_builtins

from lnl.package import PACKAGE
from tests.lnl.building import CLEAR, Battle, battle
from umpire.kernel.codec import encode
from umpire.kernel.news import merge_patch, merged, view_of
from umpire.kernel.states import Seat

VILLAGE = """
. . . . .
. w S . .
. F S b .
. . . . .
"""
PIECES = """
us lt leader morale=6 lm=1 mf=6      A1
us a  squad 2-5-4-6                  A1 bar, moved
ge g  squad 1-6-4-5                  E2 fired
ge h  squad 1-6-4-5                  C3 shaken
ge w  bunker                         D4 facing 2
"""
HALL = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "C2 C3"\n\n[hexsides]\nwall = ["B3-C2"]\n'


def village(**more: Any) -> Battle:
    return battle(VILLAGE, PIECES, map_extra=HALL, **more)


def view(fight: Battle, seat: str = "us") -> Any:
    return msgspec.json.decode(encode(view_of(PACKAGE, fight.state, fight.play.seats[seat])))


def has_no_null(value: Any) -> bool:
    if isinstance(value, dict):
        return all(has_no_null(each) for each in value.values())
    return value is not None and (not isinstance(value, list) or all(map(has_no_null, value)))


def test_a_scene_draws_the_map() -> None:
    scene = msgspec.json.decode(encode(PACKAGE.scene(village().play.believed("us"))))
    assert (scene["kind"], scene["columns"], scene["rows"]) == ("hexes", 5, 4)
    assert scene["hexes"]["C2"] == {
        "name": "C2", "at": [3, 2], "terrain": "stone_building", "elevation": 0, "storeys": 1, "fills": True,
        "road": False, "building": "hall", "label": "",
    }  # fmt: skip
    assert scene["hexsides"] == {"B3-C2": "wall"}
    assert scene["kinds"]["forest"]["target_modifier"] == 2
    assert scene["kinds"]["forest"]["sight"] == "blocking"
    assert scene["house"]
    assert has_no_null(scene)


def test_a_scene_marks_what_is_our_own_proposal() -> None:
    scene = to_builtins(PACKAGE.scene(village().play.believed("us")))
    assert "leg" in scene["kinds"]["brush"]["house"]
    assert (
        "house" not in scene["marker_kinds"]["foxhole"]
        or "target_modifier" not in scene["marker_kinds"]["foxhole"]["house"]
    )


@pytest.mark.rule("core 1.1")
def test_counters_are_drawn_as_they_are_printed() -> None:
    pieces = view(village())["pieces"]
    assert (pieces["a"]["at"], pieces["a"]["kind"], pieces["a"]["own"]) == ([1, 1, 0], "unit", True)
    assert pieces["a"]["facts"]["factors"] == "2-5-4-6"
    assert pieces["a"]["facts"]["kind"] == "squad"
    assert pieces["lt"]["facts"]["leadership"] == "1"
    assert [mark["key"] for mark in pieces["a"]["marks"]] == ["move"]
    assert [mark["key"] for mark in pieces["g"]["marks"]] == ["fired"]
    assert [mark["key"] for mark in pieces["h"]["marks"]] == ["shaken"]
    assert (pieces["w"]["kind"], pieces["w"]["at"], pieces["w"]["facts"]) == (
        "work",
        [4, 4, 0],
        {"kind": "bunker", "facing": "2"},
    )


def test_weapons_are_grouped_under_who_possesses_them() -> None:
    fight = village()
    (gun,) = fight.guns("a")
    piece = view(fight)["pieces"][gun]
    assert (piece["kind"], piece["group"], piece["at"]) == ("weapon", "a", [1, 1, 0])


def test_what_lies_on_the_map_is_drawn() -> None:
    objective = {"key": "hall", "side": "us", "deed": "control", "points": 2, "name": "The hall", "zone": "hall"}
    zone = {"key": "hall", "name": "The hall", "hexes": "C2 C3"}
    fight = village(zone=[zone], objective=[objective], marker=[{"key": "well", "kind": "occupied", "at": "E4"}])
    fight.set("battle", smoke={"2,1": 2}, star_shells=[[4, 1]], spotted=[[3, 3, 0]])
    features = view(fight)["features"]
    kinds = sorted((each["kind"], tuple(each["at"])) for each in features.values())
    assert kinds == [
        ("event_marker", (5, 4)),
        ("objective", (3, 2)),
        ("objective", (3, 3)),
        ("smoke", (2, 1)),
        ("spotted", (3, 3, 0)),
        ("star_shell", (4, 1)),
    ]
    held = features["objective hall 3,3"]
    assert (held["side"], held["points"]) == ("us", 2)


def test_a_view_says_what_to_do_now() -> None:
    fight = village()
    mine, theirs = view(fight), view(fight, "ge")
    assert (mine["phase"]["mine"], theirs["phase"]["mine"]) == (True, False)
    assert "pass" in mine["prompts"]["now"]
    assert theirs["prompts"]["now"] == "United States: Operations Phase."
    fight.give("us", "Pass")
    assert view(fight, "ge")["phase"]["passes"] == 1


def test_views_hold_no_nulls_and_lead_from_one_to_the_next() -> None:
    fight = village()
    before = view(fight)
    fight.give("us", "Pass")
    after = view(fight)
    assert has_no_null(before)
    assert merged(before, merge_patch(before, after)) == after


def test_an_enemy_in_sight_stands_under_his_alias_and_shows_what_his_counter_shows() -> None:
    pieces = "us a squad 2-5-4-6 A2\nge g hero 1-6-4-5 D2 mg42, fired, skill lucky"
    fight = battle(CLEAR, pieces, options={"play": "blind"})
    drawn = view(fight)
    (alias,) = fight.state.umpire.aliases["us"].values()
    piece = drawn["pieces"][alias]
    assert (piece["own"], piece["at"], piece["facts"]["factors"]) == (False, [4, 2, 0], "1-6-4-5")
    assert "command" not in piece
    assert "skills" not in piece["facts"]
    assert drawn["contacts"][alias]["facts"]["factors"] == "1-6-4-5"
    assert any(each.get("group") == alias for each in drawn["pieces"].values())
    assert "g" not in drawn["pieces"]


def test_the_umpire_sees_everything_and_who_sees_it() -> None:
    pieces = "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2\nge h squad 1-6-4-5 C3"
    board = "\n. . . . .\n. . . . .\n. . F . .\n. . . . .\n"
    fight = battle(board, pieces, options={"play": "blind"})
    drawn = PACKAGE.truth(fight.state).pieces
    assert {key: piece.seen_by for key, piece in drawn.items()} == {"a": ("ge",), "g": ("us",), "h": ()}
    assert all(piece.hidden for piece in drawn.values())
    shown = village()
    assert PACKAGE.truth(shown.state).pieces["a"].seen_by == ("ge", "us")


def test_an_observer_of_a_blind_battle_sees_the_ground_alone() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2", options={"play": "blind"})
    drawn = view_of(PACKAGE, fight.state, Seat(name="gallery", role="observer"))
    assert (drawn.pieces, drawn.contacts) == ({}, {})
