"""Log lines: every event has one for the umpire, and none tells a true id or a raw key."""

from __future__ import annotations

import re
from random import Random

import pytest
from msgspec.structs import replace

from lnl.happening.register import happening
from lnl.package import PACKAGE
from lnl.state.battle import Loss
from lnl.testing.conformance import CONFORMANCE
from tests.lnl.building import CLEAR, battle
from umpire.kernel.ledger import Corrected, Drawn, Happened, Thrown, applied
from umpire.kernel.parts import with_part
from umpire.kernel.rulings import Roll
from umpire.testing.play.random_play import random_play


def test_every_event_is_registered_whole() -> None:
    assert happening.lacking("lnl") == []


@pytest.mark.parametrize("setting", ["open", "blind"])
def test_random_play_reads_well(setting: str) -> None:
    """The umpire's chronicle of a battle, and what seats read, hold no id and no unfinished word."""
    lines: list[str] = []
    *_, last = random_play(PACKAGE, CONFORMANCE.settings[setting](), CONFORMANCE.seats, Random(4), 60, checks=[])
    state = last.play.first
    for entry in last.play.tree.path():
        if isinstance(entry, Happened | Corrected):
            after = applied(PACKAGE, state, entry.event)
            lines.append(PACKAGE.chronicle(entry.event, after).text)
            state = after
        elif isinstance(entry, Thrown | Drawn):
            lines.append(PACKAGE.chronicle(entry, state).text)
    for seat in ("alpha", "berta", "gallery"):
        lines.extend(line.text for news in last.play.news[seat] for line in news.lines)
    assert len(lines) > 200
    for line in lines:
        assert not re.search(r"\bi[0-9a-f]{12}\b", line), line
        assert re.search(r"[.?!]$", line), line
        assert "_" not in line.replace("line_", ""), line


def test_a_unit_that_is_gone_is_named_by_its_counter() -> None:
    pieces = "us a squad 2-5-4-6 A2\nus b squad 2-5-4-6 B5\nge g half_squad 0-3-4-5 C2\nge h squad 1-6-4-5 J8"
    fight = battle(CLEAR, pieces)
    fight.give("us", "Fire", [("attack", 6), ("defence", 1), ("damage check", 6)], units=["a"], target=fight.at("C2"))
    assert not fight.has("g")
    for seat in ("us", "ge"):
        assert "Half squad is eliminated." in fight.lines(seat)


@pytest.mark.rule("core 5.0")
def test_everybody_reads_the_dice_of_an_open_battle() -> None:
    fight = battle(CLEAR, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 E2\nge h squad 1-6-4-5 J8")
    fight.give("us", "Fire", [("attack", 1), ("defence", 6)], units=["a"], target=fight.at("E2"))
    for seat in ("us", "ge"):
        assert any(line.startswith("Attack (A2): 1 + 2 = 3") for line in fight.lines(seat))
        assert any(line.startswith("Defence") for line in fight.lines(seat))


def test_in_a_blind_battle_dice_are_read_by_who_throws_them() -> None:
    fight = battle(
        CLEAR, "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 E2\nge h squad 1-6-4-5 J8", options={"play": "blind"}
    )
    fight.give("us", "Fire", [("attack", 1), ("defence", 6)], units=["a"], target=fight.at("E2"))
    assert any(line.startswith("Attack") for line in fight.lines("us"))
    assert not any(line.startswith("Attack") for line in fight.lines("ge"))
    assert any(line.startswith("Defence") for line in fight.lines("ge"))


@pytest.mark.parametrize("play", ["open", "blind"])
def test_dice_for_who_is_gone_are_told_by_his_counter(play: str) -> None:
    """His own command knows whom it has lost, and so does everybody who saw him stand; no id is said."""
    pieces = "us a squad 2-5-4-6 A2\nus b squad 2-5-4-6 B5\nge g half_squad 0-3-4-5 C2\nge h squad 1-6-4-5 J8"
    fight = battle(CLEAR, pieces, options={"play": play})
    fight.give("us", "Fire", [("attack", 6), ("defence", 1), ("damage check", 6)], units=["a"], target=fight.at("C2"))
    assert not fight.has("g")
    thrown = Thrown(roll=Roll(count=1, sides=6, purpose="hero", subject="g", by="ge"), faces=(3,))
    told = {event.command: event.report.values for event in PACKAGE.notice(fight.state, thrown, fight.state)}
    assert told["ge"]["subject"] == "Half squad"
    assert ("us" in told) is (play == "open")
    assert all(values["subject"] == "Half squad" for values in told.values())


def test_dice_for_who_was_reduced_unseen_and_stands_in_the_open_are_told_to_all() -> None:
    """What was lost of him while he was hidden makes nobody hidden who is there."""
    fight = battle(CLEAR, "us a squad 2-5-4-6 A2\nge g half_squad 0-3-4-5 C2\nge h squad 1-6-4-5 J8")
    part = fight.state.commands["ge"]
    loss = Loss(unit="g", side="ge", command="ge", counter=fight.unit("g").counter, turn=1, how="reduced")
    state = with_part(fight.state, "ge", replace(part, losses=(loss,)))
    thrown = Thrown(roll=Roll(count=1, sides=6, purpose="rally", subject="g", by="ge"), faces=(3,))
    told = {event.command: event.report.values["subject"] for event in PACKAGE.notice(state, thrown, state)}
    assert told == {"ge": "Half squad", "us": "Half squad"}
