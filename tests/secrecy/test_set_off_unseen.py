"""What troops set off whom nobody sees: events of the scenario, mines; and zones that are others' own. `core 1.7`"""

from __future__ import annotations

from typing import Any

import pytest

from fireforce.package import PACKAGE as FIREFORCE
from lnl.package import PACKAGE
from tests.fireforce.rules.small_battles import Battle as Small
from tests.fireforce.rules.small_battles import men, row, unit
from tests.lnl.building import Battle, battle
from umpire.kernel.codec import encode
from umpire.kernel.events import Told
from umpire.kernel.states import slice_of

BLIND = {"play": "blind"}
WOODS = "\n".join(["F F F F F F F F F F"] * 8)
OURS = "us a squad 2-5-4-6 B2\nus c squad 2-5-4-6 B2\nus b squad 2-5-4-6 A8"
MEN = f"{OURS}\nge g squad 1-6-4-5 J8\nge/west h squad 1-6-4-5 J2"


def fight_over(*actions: dict[str, Any], pieces: str = MEN, **more: Any) -> Battle:
    marker = [{"key": "bells", "kind": "occupied", "at": "C2", "side": ""}]
    happening = [{"key": "alarm", "marker": "bells", "actions": list(actions)}]
    return battle(WOODS, pieces, options=BLIND, marker=marker, happening=happening, **more)


def known_to(fight: Battle, command: str) -> bytes:
    """All that a command has from its slice, and what it was told."""
    told = [
        entry.event.report
        for entry in fight.play.tree.path()
        if isinstance(event := getattr(entry, "event", None), Told) and event.command == command
    ]
    return encode([slice_of(fight.state, (command,)), told, fight.play.view(command), fight.play.numbered(command)])


@pytest.mark.rule("core 1.7")
def test_what_an_event_reveals_is_disclosed_to_the_side_that_has_set_it_off_unseen() -> None:
    fight = fight_over({"kind": "reveal", "forces": ["m", "h"]}, pieces=f"{MEN}\nge m mines E5")
    before = known_to(fight, "ge"), known_to(fight, "west")
    fight.give("us", "Move", units=["a"], path=[fight.at("C2")])
    assert "m" in fight.state.commands["ge"].pieces
    assert "h" in fight.state.commands["west"].pieces
    found = {(each.kind, each.at, each.status) for each in fight.state.commands["us"].contacts.values()}
    assert found == {("work", fight.at("E5"), "told"), ("unit", fight.at("J2"), "told")}
    assert "Reported: Mines at E5." in fight.lines("us")
    assert not fight.state.public.happened
    assert (known_to(fight, "ge"), known_to(fight, "west")) == before
    # Who is reported goes when his place is seen to be empty; mines nobody would see there.
    fight.play.correct({"verb": "MoveTo", "piece": "h", "at": list(fight.at("J5"))}, "away")
    fight.play.correct({"verb": "MoveTo", "piece": "b", "at": list(fight.at("I2"))}, "there")
    fight.play.correct({"verb": "MoveTo", "piece": "a", "at": list(fight.at("E4"))}, "next to the mines")
    assert {each.kind for each in fight.state.commands["us"].contacts.values()} == {"work"}


@pytest.mark.rule("core 1.7")
@pytest.mark.parametrize(
    "action",
    [
        {"kind": "points", "side": "us", "points": 3},
        {"kind": "rally", "forces": ["b"]},
        {"kind": "place", "forces": ["r"], "at": "B4"},
        {"kind": "reinforce", "forces": ["r"]},
        {"kind": "text", "text": "The bells ring."},
    ],
    ids=lambda action: str(action["kind"]),
)
def test_whatever_else_it_does_nobody_else_is_told(action: dict[str, Any]) -> None:
    pieces = MEN.replace("A8", "A8 shaken") + "\nus r squad 2-5-4-6 A5 arrives never"
    fight = fight_over(action, pieces=pieces)
    before = known_to(fight, "ge"), known_to(fight, "west")
    fight.give("us", "Move", units=["a"], path=[fight.at("C2")])
    assert fight.state.umpire.happened == ("alarm",)
    assert (known_to(fight, "ge"), known_to(fight, "west")) == before


@pytest.mark.rule("core 21.4")
def test_who_owns_open_mines_is_not_told_of_dice_over_somebody_whom_he_does_not_see() -> None:
    fight = battle(WOODS, f"{MEN}\nge m mines C2", options=BLIND)
    fight.play.correct({"verb": "Reveal", "piece": "m"}, "they are known")
    before = known_to(fight, "ge"), known_to(fight, "west")
    fight.give("us", "Move", [("mine attack", 1), ("mine defence", 6)], units=["a"], path=[fight.at("C2")])
    assert (known_to(fight, "ge"), known_to(fight, "west")) == before
    fight = battle(WOODS, f"{MEN}\nge m mines C2\nge n squad 1-6-4-5 C3", options=BLIND)
    fight.give("us", "Move", [("mine attack", 1), ("mine defence", 6)], units=["a"], path=[fight.at("C2")])
    assert any(text.startswith("Mine attack") for text in fight.lines("ge"))


@pytest.mark.rule("core 1.3")
def test_zones_in_which_others_set_up_and_come_in_are_not_shown() -> None:
    zones = [
        {"key": key, "name": key, "hexes": at} for key, at in (("west", "A1-A8"), ("east", "J1-J8"), ("aim", "E5"))
    ]
    aims = [{"key": "aim", "side": "us", "deed": "control", "points": 1, "name": "aim", "zone": "aim"}]
    pieces = (
        "us a squad 2-5-4-6 A1 zone west\nge g squad 1-6-4-5 J8 zone east\nge r squad 1-6-4-5 J8 arrives 2, zone east"
    )
    fight = battle(WOODS, pieces, options=BLIND, zone=zones, objective=aims)
    shown = {seat: sorted(PACKAGE.scene(fight.play.believed(seat)).zones) for seat in ("us", "ge")}
    assert shown == {"us": ["aim", "west"], "ge": ["aim", "east"]}
    assert sorted(PACKAGE.scene(fight.state).zones) == ["aim", "east", "west"]  # type: ignore[arg-type]


def test_zones_of_secret_objectives_are_not_shown() -> None:
    zone = '\n[[zone]]\nkey = "{0}"\nname = "{0}"\npolygon = [[1, 1], [5, 1], [5, 5], [1, 5]]\n'
    aim = (
        '\n[[objective]]\nkey = "{0}"\nside = "guerrilla"\ndeed = "zone_held"\npoints = 1\nname = "{0}"\nzone = "{0}"\n'
    )
    parts = [zone.format("ford"), zone.format("den"), aim.format("ford"), f"{aim.format('den')}secret = true\n"]
    units = unit("first", "platoon", men("f", row(3, 3, 3), 0)) + unit("band", "cell", men("b", row(40, 30, 3), 0))
    fight = Small(units, *parts)
    assert [key for key in fight.play.view("red")["features"] if key.startswith("zone")] == ["zone ford"]
    truth = FIREFORCE.truth(fight.state)
    assert sorted(key for key in truth.features if key.startswith("zone")) == ["zone den", "zone ford"]
