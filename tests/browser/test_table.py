"""At the table: nothing moves under a finger, squads are told apart, plans are drawn, the record is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.access import too_faint, too_small
from tests.browser.conftest import DESK, PHONE, TABLET, Table
from tests.browser.patrol import Patrol
from tests.browser.screens import Desk, Screen, Tablet

pytestmark = pytest.mark.browser

Sit = Callable[..., Screen]
Battle = Callable[..., Table]
PLATOON, CELL = "2 Platoon", "the Ford cell"


def boxes(screen: Screen) -> list[Any]:
    """Where everything is that a finger may be over when a question comes or goes."""
    return [
        screen.page.locator(each).first.bounding_box()
        for each in ("[role=tablist]", ".panel .content h2", ".panel .content .pick", ".tools")
    ]


@pytest.mark.parametrize("kind", [TABLET, DESK, PHONE], ids=["tablet", "desk", "phone"])
def test_a_question_moves_nothing(sit: Sit, battle: Battle, kind: dict[str, Any]) -> None:
    table = battle(dice="typed")
    tablet, other = Tablet(sit(kind)), Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    other.join(table.codes[PLATOON])
    tablet.screen.sees("Your troops", ".panel")
    before = boxes(tablet.screen)
    # The same seat orders on its other device; both are asked.
    other.choose("1 Section")
    other.verb("Roll for motivation")
    other.confirm()
    tablet.screen.sees("A question waits for you", ".panel")
    tablet.screen.sees("Enter the dice", ".question")
    assert boxes(tablet.screen) == before
    other.type_dice("motivation", 6)
    tablet.page.locator(".question").wait_for(state="detached")
    # What is listed has news now; the rest is as it was.
    assert boxes(tablet.screen)[:2] == before[:2]


def test_squads_at_one_place_have_a_pennant_each(sit: Sit, battle: Battle) -> None:
    table = battle()
    patrol = Patrol(table)
    at = patrol.place_of(patrol.first_of("1 Section"))
    patrol.put("2 Section", at)
    patrol.put("3 Section", (at[0] + 10, at[1]))
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    tablet.screen.tap("Whole table")
    for name, text in (("1 Section", "1S"), ("2 Section", "2S"), ("3 Section", "3S")):
        flag = tablet.page.locator("g.flag").filter(has_text=text).locator("text").last
        box = flag.bounding_box()
        tablet.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        tablet.screen.sees(name, ".panel section h2")


def test_who_leads_a_hidden_force_draws_its_plan(sit: Sit, battle: Battle) -> None:
    """From the form alone: legs, a halt, a signal."""
    table = battle()
    patrol = Patrol(table)
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[CELL])
    tablet.choose("Village group")
    tablet.verb(re.compile("^Draw a plan(?! that)"))
    screen = tablet.screen
    while screen.button("Remove 1", ".draft").is_visible():
        screen.tap("Remove 1", ".draft")
    screen.tap("+ Go on", ".draft")
    screen.tap("Running", ".draft")
    screen.tap("Whole table")
    screen.touch_table((6000, 3000))
    screen.touch_table((6300, 3200))
    screen.tap("+ Halt", ".draft")
    screen.tap("+ Go on", ".draft")
    screen.touch_table((5800, 3000))
    screen.tap(re.compile("Signals"), ".draft")
    screen.tap("+ On a signal", ".draft")
    tablet.page.get_by_label("Signal", exact=True).fill("whistle")
    assert too_small(tablet.page) == []
    assert too_faint(tablet.page) == []
    screen.shoot("tablet-plan")
    screen.tap("Review", ".draft")
    tablet.confirm()
    plan = patrol.hand.truth()["plans"][patrol.groups["Village group"]]
    assert [(leg["pace"], len(leg["path"]), leg["turns"]) for leg in plan["legs"]] == [
        ("running", 2, 0),
        ("halt", 0, 1),
        ("tactical", 1, 0),
    ]
    assert plan["on_signal"] == {"whistle": "go"}
    near = [abs(a - b) <= 60 for a, b in zip(plan["legs"][0]["path"][1], (6300, 3200), strict=True)]
    assert near == [True, True]


def test_the_umpire_adds_a_squad_and_sees_beforehand_who_will_see_it(sit: Sit, battle: Battle) -> None:
    """Hidden troops where nobody is; the same on the table would be seen."""
    table = battle()
    patrol = Patrol(table)
    men = patrol.place_of(patrol.first_of("Village group"))
    desk = Desk(sit(DESK))
    desk.join(table.codes["Umpire"])
    screen, page = desk.screen, desk.page
    screen.tap("Add a squad", "#desk-piece")
    screen.tap(CELL, "#desk-piece")
    page.locator("#desk-piece").get_by_label("Name", exact=True).first.fill("Third band")
    screen.tap("+ Men", "#desk-piece")
    screen.tap(re.compile("AK47"), "#desk-piece")
    screen.touch_table(men)
    said = page.locator("#desk-piece [role=status]")
    said.filter(has_text="the Ford cell will see it.").wait_for(timeout=15000)
    screen.touch(page.get_by_label("On the table, where enemies see it"))
    said.filter(has_text=PLATOON).wait_for(timeout=15000)
    screen.touch(page.get_by_label("On the table, where enemies see it"))
    said.filter(has_text="the Ford cell will see it.").wait_for(timeout=15000)
    page.get_by_label("Reason").first.fill("They were late.")
    screen.tap("Do it", "#desk-piece")
    screen.sees("Done: Add a squad", "#desk-queue")
    assert "Third band" in [group["name"] for group in table.umpire.truth()["groups"].values()]
    assert "Third band" not in str(table.umpire.get(f"view?as={PLATOON}"))


def test_the_record_is_read_and_its_dice_are_thrown_again(sit: Sit, battle: Battle) -> None:
    table = battle()
    tablet, desk = Tablet(sit(TABLET)), Desk(sit(DESK))
    tablet.join(table.codes[PLATOON])
    desk.join(table.codes["Umpire"])
    tablet.end_phase("Motivation and Movement")
    tablet.screen.sees("Searching", "header")
    tablet.page.goto(tablet.page.url.replace("/battle/", "/record/"))
    tablet.screen.sees("There is no record yet")
    tablet.page.go_back()
    tablet.screen.sees("Live", "header", 30)
    desk.page.once("dialog", lambda asked: asked.accept())
    desk.screen.tap("End the battle", "header")
    desk.screen.sees("Read the record", "#desk-queue")
    tablet.screen.sees("The battle is over", "header")
    tablet.screen.touch(tablet.page.get_by_role("link", name="Read the record"))
    tablet.screen.sees("The secret is the one the server had bound itself to.")
    tablet.screen.sees("This device has known the hash since it took its seat.")
    tablet.screen.sees("4 throws of the server came out again the same.")
    tablet.screen.sees("2 Section: ")
    # The hidden force's part of it, which the player had not seen.
    assert "The battle begins" in tablet.page.locator("main").inner_text()
    tablet.screen.tap("As you saw it")
    tablet.screen.sees("2 Platoon ends the phase.")
    assert too_small(tablet.page) == []
    assert too_faint(tablet.page) == []
    tablet.screen.shoot("record")
