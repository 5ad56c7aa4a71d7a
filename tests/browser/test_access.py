"""For everybody: a telephone held in one hand, a keyboard alone, a screen reader, tired eyes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.access import nameless, runs_over, tab_to, too_faint, too_small
from tests.browser.conftest import DESK, PHONE, Table
from tests.browser.screens import Desk, Screen, Tablet

pytestmark = pytest.mark.browser

Sit = Callable[..., Screen]
Battle = Callable[..., Table]


def shortcomings(screen: Screen, where: str) -> list[str]:
    page = screen.page
    found = [f"target too small: {each}" for each in too_small(page)]
    found += [f"contrast: {each}" for each in too_faint(page)]
    found += [f"no name: {each}" for each in nameless(screen.context, page)]
    if (over := runs_over(page)) > 0:
        found.append(f"{over} px wider than the screen")
    return [f"{where}: {each}" for each in found]


def test_a_telephone_has_room_for_everything(sit: Sit, battle: Battle) -> None:
    table = battle(dice="typed")
    screen = sit(PHONE)
    screen.goto("/")
    screen.sees("Join a battle")
    found = shortcomings(screen, "start")
    screen.goto("/sign-in")
    screen.sees("Password")
    found += shortcomings(screen, "sign in")
    tablet = Tablet(screen)
    tablet.join(table.codes["2 Platoon"])
    found += shortcomings(screen, "table")
    tablet.choose("1 Section")
    screen.sees("Roll for motivation", ".panel")
    found += shortcomings(screen, "squad")
    tablet.verb("Move")
    found += shortcomings(screen, "move")
    screen.tap("Cancel", ".draft")
    tablet.verb("Roll for motivation")
    screen.sees("What counts", ".draft")
    screen.sees("%", ".draft")
    found += shortcomings(screen, "review")
    tablet.confirm()
    screen.sees("Enter the dice", ".question")
    found += shortcomings(screen, "dice")
    tablet.type_dice("motivation", 3)
    for tab in ("Log", "Messages", "Battle"):
        tablet.tab(tab)
        found += shortcomings(screen, tab)
    screen.shoot("phone")
    assert found == []


def test_the_desk_is_readable_and_has_names(sit: Sit, battle: Battle) -> None:
    desk = Desk(sit(DESK))
    desk.join(battle(dice="typed").codes["Umpire"])
    found = []
    for tab in ("Ledger", "Log", "Messages", "Seats", "Battle"):
        desk.tab(tab)
        found += shortcomings(desk.screen, tab)
    desk.choose("Ford group")
    found += shortcomings(desk.screen, "squad")
    assert found == []


def test_a_player_ends_a_phase_by_keyboard(sit: Sit, battle: Battle) -> None:
    tablet = Tablet(sit(DESK))
    tablet.join(battle().codes["2 Platoon"])
    tab_to(tablet.page, "End Motivation and Movement")
    tablet.page.keyboard.press("Enter")
    tablet.screen.sees("Confirm", ".draft")
    tab_to(tablet.page, "Confirm")
    tablet.page.keyboard.press("Enter")
    tablet.screen.sees("Searching", "header")


def test_the_umpire_corrects_by_keyboard(sit: Sit, battle: Battle) -> None:
    table = battle()
    desk = Desk(sit(DESK))
    desk.join(table.codes["Umpire"])
    page = desk.page
    tab_to(page, "All pieces")
    page.keyboard.press("Enter")
    tab_to(page, "Scouts")
    page.keyboard.press("Enter")
    desk.screen.sees("Scouts", "#desk-piece h2")
    page.keyboard.press("Escape")
    page.keyboard.press("]")
    desk.screen.sees(re.compile("figures"), "#desk-piece")
    tab_to(page, "Change: Quality")
    page.keyboard.press("Enter")
    tab_to(page, "Elite")
    page.keyboard.press("Space")
    tab_to(page, "Reason")
    page.keyboard.type("They have been here before.")
    page.keyboard.press("Enter")
    desk.screen.sees("Done: Quality", "#desk-queue")
    facts = [group["facts"]["quality"] for group in table.umpire.truth()["groups"].values()]
    assert facts.count("Elite") == 1


def test_the_measures_find_what_is_wrong(sit: Sit) -> None:
    screen = sit(PHONE)
    screen.page.set_content(
        """<meta name="viewport" content="width=device-width"><body style="margin: 0; background: #fff">
        <button style="width: 60px; height: 43px">low</button> <a href="/" style="color: #06c">thin</a>
        <button style="width: 50px; height: 50px"></button> <input aria-label="named" style="width: 50px; height: 50px">
        <p style="color: #777">just faint</p> <p style="color: #767676">just strong</p>
        <div style="background: #222"><p style="color: #fff; opacity: 1">on dark</p></div>
        <div style="width: 500px">wide</div>"""
    )
    assert len(too_small(screen.page)) == 2
    assert [each.split(" ", 1)[0] for each in nameless(screen.context, screen.page)] == ["button"]
    assert too_faint(screen.page) == ["“just faint” 4.48:1"]
    assert runs_over(screen.page) == 140
