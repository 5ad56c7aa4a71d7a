"""Umpire and platoon play three turns of Patrol to the Ford on their screens; nothing hidden comes to the player's."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable

import pytest

from tests.browser.conftest import DESK, TABLET, Table
from tests.browser.patrol import ONE, REASON, Patrol, arrange
from tests.browser.screens import Desk, Screen, Tablet
from tests.browser.wire import Wire, objects

pytestmark = pytest.mark.browser

OWN = 27
FAR = 15
"""Inches: what is farther away is a far target."""
FOUND = "A goat has run through their hiding place."
BACK = "He let go of the piece too early."


def test_three_turns(sit: Callable[..., Screen], battle: Callable[..., Table]) -> None:
    table = battle(dice="typed")
    patrol = arrange(table)
    desk, tablet = Desk(sit(DESK)), Tablet(sit(TABLET))
    desk.join(table.codes["Umpire"])
    tablet.join(table.codes["2 Platoon"])
    tablet.screen.expect_drawn(OWN + 1)  # the face-down card lies there for all to see

    # Turn 1: a squad moves, is put back by the umpire, and moves again; another searches the card.
    motivate(tablet, "1 Section", 6)
    before = patrol.place_of(patrol.first_of("1 Section"))
    move(tablet, "1 Section", ONE, (ONE[0] + 250, ONE[1]))
    assert patrol.place_of(patrol.first_of("1 Section")) != before
    desk.screen.sees("1 Section moves.", "#desk-low")
    desk.rewind_to("1 Section: Good morale", BACK)
    tablet.log_says("The umpire has taken the battle back.")
    assert patrol.place_of(patrol.first_of("1 Section")) == before
    move(tablet, "1 Section", ONE, (ONE[0] + 250, ONE[1]))
    tablet.end_phase("Motivation and Movement")
    for _ in range(3):
        tablet.type_dice("motivation", 6)
    search(tablet, "2 Section")
    assert told_kinds(tablet.screen.wire) == set(), "the card's kind came before it was turned"
    for phase in ("Searching", "Firing", "Close Combat"):
        tablet.end_phase(phase)
    tablet.log_says("The card is turned up: Cache card.")

    # The worker carries the plans on: the Scouts run across the open.
    tablet.log_says(re.compile("In sight: enemy with rifle"))
    tablet.screen.sees("Turn 2 of 10", "header")
    tablet.screen.expect_drawn(OWN + 1 + 3)
    tablet.screen.shoot("tablet-turn-2")
    sees_the_truth(desk, patrol)

    # Turn 2: on towards the ford. The umpire gives a hiding place away; its plan has no answer to that, so he is asked.
    motivate(tablet, "1 Section", 6)
    at = patrol.place_of(patrol.first_of("1 Section"))
    move(tablet, "1 Section", at, (at[0] + 600, at[1]))
    tablet.end_phase("Motivation and Movement")
    for _ in range(3):
        tablet.type_dice("motivation", 6)
    for phase in ("Searching", "Firing"):
        tablet.end_phase(phase)
    desk.choose("Village group")
    desk.do("Put on the table", FOUND)
    tablet.screen.expect_drawn(OWN + 1 + 3 + 5)
    tablet.end_phase("Close Combat")
    desk.answer("has been found before it was sprung", "Hold")

    # The ford group fires from its ambush.
    dice = Dice(hits=[1], save=[1, 10])
    asked = play_on(tablet, desk, "Turn 3 of 10", dice)
    assert any("on whom?" in each for each in asked)
    assert dice.thrown["hits"] >= 1
    assert dice.thrown["save"] >= 2
    tablet.log_says(re.compile("fire from ambush: .*enemy with"))
    tablet.log_says(re.compile("Saved: .*, 1 Section"))

    # Turn 3: motivation counts the casualty; then they fire back.
    motivate(tablet, "1 Section", 6)
    why(tablet, "Motivation: 6", "casualt")
    tablet.end_phase("Motivation and Movement")
    for _ in range(3):
        tablet.type_dice("motivation", 6)
    tablet.end_phase("Searching")
    fire(tablet, desk, patrol)
    desk.screen.shoot("desk-turn-3")
    tablet.end_phase("Firing")
    desk.plan("Ford group", fire="Hold fire")
    tablet.end_phase("Close Combat")
    tablet.screen.sees("Turn 4 of 10", "header", 30)

    nothing_hidden_came(tablet.screen.wire, desk.screen.wire, patrol)


def motivate(tablet: Tablet, squad: str, face: int) -> None:
    tablet.choose(squad)
    tablet.verb("Roll for motivation")
    tablet.screen.sees("What counts", ".draft")
    tablet.confirm()
    tablet.type_dice("motivation", face)


def move(tablet: Tablet, squad: str, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draws the path with a finger, and reads what it costs before confirming."""
    tablet.choose(squad)
    tablet.screen.tap("Whole table")
    tablet.verb("Move")
    tablet.screen.tap(re.compile("^Tactical"), ".draft")
    tablet.screen.draw(start, [end])
    tablet.screen.sees(re.compile(r'\d" *, \d+% of a move'), ".draft")
    tablet.screen.tap("Review", ".draft")
    tablet.confirm()
    tablet.log_says(f"{squad} moves.")


def search(tablet: Tablet, squad: str) -> None:
    tablet.choose(squad)
    tablet.verb("Search the card")
    tablet.screen.sees("what they find is known at the end of the turn", ".draft")
    tablet.confirm()
    tablet.log_says(re.compile("Searching: .*2 Section"))


def why(tablet: Tablet, line: str, says: str) -> None:
    """Opens the working of the last line of the log that says so."""
    tablet.tab("Log")
    entry = tablet.page.locator("ol.log li").filter(has_text=line).first
    tablet.screen.touch(entry.get_by_role("button", name="Why?"))
    tablet.screen.sees(says, "ol.log .why")


def fire(tablet: Tablet, desk: Desk, patrol: Patrol) -> None:
    """Three men fire at the ford group: what counts and the chances stand there before it is confirmed.

    They are the riflemen of all who may fire who are farthest away: more than 15 inches, which counts against them."""
    target = patrol.place_of(patrol.first_of("Ford group"))
    tablet.choose("1 Section")
    tablet.verb("Aimed fire")
    tablet.screen.tap("Whole table")
    tablet.screen.touch_table(target)
    riflemen = [each for each in patrol.firers_at("1 Section", target) if each[2].startswith("Rifleman")]
    farthest = sorted(riflemen, key=lambda each: -each[1])[:3]
    assert all(away > FAR for _, away, _ in farthest), riflemen
    # All of the section, as they are proposed, are looked at at once; fewer shall fire.
    tablet.screen.sees("Who fires", ".draft .said")
    tablet.screen.tap("Change", ".draft")
    tablet.screen.tap("None", ".draft")
    men = tablet.page.locator(".draft .list button")
    for n, _, _ in farthest:
        tablet.screen.touch(men.nth(n))
    tablet.screen.sees("3 chosen", ".draft")
    tablet.screen.sees("fire points", ".draft")
    tablet.screen.tap("Review", ".draft")
    tablet.screen.sees("target far", ".draft .counts")
    tablet.screen.sees(re.compile(r"Casualty.*%", re.DOTALL), ".draft .counts")
    tablet.screen.shoot("tablet-fire")
    tablet.confirm()
    dice = Dice(hits=[20], save=[1, 10])
    asked = play_on(tablet, desk, re.compile("Pinned: enemy with"), dice)
    assert any("Potential critical hit" in each for each in asked)
    assert dice.thrown["save"] >= 2
    tablet.log_says(re.compile("Pinned: enemy with"))


class Dice:
    """Faces by what is thrown for, in order; the last one again and again."""

    def __init__(self, **faces: list[int]) -> None:
        self.faces, self.thrown = faces, Counter[str]()

    def next(self, purpose: str) -> int:
        face = self.faces[purpose][min(self.thrown[purpose], len(self.faces[purpose]) - 1)]
        self.thrown[purpose] += 1
        return face


def play_on(tablet: Tablet, desk: Desk, until: str | re.Pattern[str], dice: Dice) -> list[str]:
    """Player and umpire answer whatever they are asked, until a text stands on the tablet, in its log for example.

    Returns what they were asked."""
    asked: list[str] = []
    deadline = time.monotonic() + 60
    tablet.tab("Log")
    while True:
        assert time.monotonic() < deadline, f"{until} does not come; asked so far: {asked}"
        if tablet.shows(until):
            return asked
        if (prompt := tablet.asked()) is not None:
            asked.append(prompt)
            tablet.settle(prompt, dice.next)
        elif (prompt := desk.asked("the Ford cell")) is not None:
            asked.append(prompt)
            desk.settle(prompt, dice.next)
        else:
            tablet.page.wait_for_timeout(50)


def sees_the_truth(desk: Desk, patrol: Patrol) -> None:
    """All pieces with who sees them; and, with a switch, no more than the platoon believes in."""
    desk.screen.expect_drawn(len(patrol.hand.truth()["pieces"]))
    believed = len(patrol.hand.get("view?as=2 Platoon")["view"]["pieces"])
    desk.picture("2 Platoon")
    desk.screen.expect_drawn(believed)
    desk.screen.shoot("desk-as-2-platoon")
    desk.screen.tap("Truth")
    desk.screen.expect_drawn(len(patrol.hand.truth()["pieces"]))


def told_kinds(wire: Wire) -> set[str]:
    """The kinds of cards that this browser was told of any piece or contact, or in a line of the log.

    (A scenario's texts and the rules' titles speak of caches and traps to everybody.)
    """
    told: list[str] = []
    for document in wire.documents():
        for each in objects(document):
            for key in ("pieces", "contacts", "lines"):
                part = each.get(key)
                told += map(str, part.values() if isinstance(part, dict) else part if key == "lines" and part else ())
    return {kind for kind in ("cache", "booby", "dummy", "peasant") if any(kind in text.lower() for text in told)}


def canaries(patrol: Patrol) -> dict[str, set[str]]:
    """What no byte of a player's browser may contain, by what it is."""
    truth = patrol.hand.truth()
    squads = {"Ford group", "Village group", "Scouts"}
    men = {man["label"] for man in truth["pieces"].values() if man.get("group") in set(map(patrol.groups.get, squads))}
    never_seen = [patrol.place_of(patrol.cards[name]) for name in ("Booby trap 3600", "Peasants 5500", "Cache 6800")]
    return {
        "names of hidden squads": squads,
        "names of hidden men": men | {"Group leader", "Scout leader"},
        "true ids": patrol.hidden,
        "places of what was never seen": {f"{x},{y}" for x, y in never_seen} | {f"{x}, {y}" for x, y in never_seen},
        "the umpire's texts": {REASON, FOUND, BACK, "run for it", "whistle", "Signal Hill when", "Lies in ambush"},
    }


def nothing_hidden_came(player: Wire, umpire: Wire, patrol: Patrol) -> None:
    """The player's browser got none of it; the umpire's, searched in the same way, got all."""
    his, umpires = player.everything().lower(), umpire.everything().lower()
    streams = [answer.body for answer in player.answers() if "text/event-stream" in answer.head]
    assert any(b"event: news" in body for body in streams)
    assert "1 section moves." in his
    leaks = {(kind, text) for kind, texts in canaries(patrol).items() for text in texts if text.lower() in his}
    assert not leaks
    blind = {kind for kind, texts in canaries(patrol).items() if not any(text.lower() in umpires for text in texts)}
    assert not blind, "the search finds nothing even where it must"
    assert told_kinds(player) == {"cache"}
    assert told_kinds(umpire) >= {"cache", "booby", "peasant"}
