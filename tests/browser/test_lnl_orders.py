"""Orders of a hex battle that end something, or bring others in, on a player's screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK, TABLET, House
from tests.browser.hexes import REASON, HexTablet, Table
from tests.browser.playing import Hand
from tests.browser.screens import CHANGED, Screen

pytestmark = pytest.mark.browser


def at_the_road(house: House, demo: Hand, sit: Callable[..., Screen]) -> tuple[Table, HexTablet]:
    """A battle in its operations phase, with three stacks side by side on the road."""
    table = Table(house.base, demo)
    table.put(Hale="F7", **{"1st": "F7", "2nd": "E6", "3rd": "F8"}, Gunners="F8", Medrow="F8")
    us = HexTablet(sit(TABLET))
    us.join(table.codes["The platoon"])
    us.end("End rallying")
    us.screen.sees("Operations Phase", "header")
    us.screen.sees("your move", "header")
    return table, us


def news_between_look_and_tap(us: HexTablet, news: Callable[[], None]) -> list[int]:
    """Before the next order of the screen reaches the server something happens. The list grows with each order sent."""
    sent: list[int] = []

    def on_the_way(route: Any) -> None:
        sent.append(1)
        if len(sent) == 1:
            news()
        route.continue_()

    us.page.route("**/orders", on_the_way)
    return sent


def test_a_pass_that_meets_a_mere_report_is_given_again_by_itself(
    sit: Callable[..., Screen], house: House, demo: Hand
) -> None:
    table, us = at_the_road(house, demo, sit)
    sent = news_between_look_and_tap(
        us, lambda: table.hand.correct("Tell", command="platoon", text="The bells ring.", reason=REASON)
    )
    us.screen.tap("Pass", "header")
    us.screen.sees("Germans to move", "header")
    assert len(sent) == 2
    us.screen.misses(CHANGED)
    us.log_says("The bells ring.")


def test_a_pass_that_meets_a_change_of_ones_own_is_to_be_tapped_again(
    sit: Callable[..., Screen], house: House, demo: Hand
) -> None:
    table, us = at_the_road(house, demo, sit)
    sent = news_between_look_and_tap(us, lambda: table.set("3rd Squad", "is_shaken", True))
    us.screen.tap("Pass", "header")
    us.screen.sees(CHANGED, ".panel")
    us.screen.sees("your move", "header")
    assert len(sent) == 1
    us.screen.tap("Pass", "header")
    us.screen.sees("Germans to move", "header")


def test_leaders_bring_in_what_is_chosen(sit: Callable[..., Screen], house: House, demo: Hand) -> None:
    table, us = at_the_road(house, demo, sit)
    us.choose_in("F7", "Lt Hale")
    us.verb("Activate with leaders")
    us.screen.sees("3 chosen", ".draft")
    us.tap_hex("E6")
    us.screen.sees("2 chosen", ".draft")
    # Where the impulse begins cannot be left out.
    us.tap_hex("F7")
    us.screen.sees("2 chosen", ".draft")
    us.confirm()
    us.screen.sees("End the impulse", "header")
    assert table.hand.truth()["impulse"]["places"] == [[6, 7, 0], [6, 8, 0]]


def test_a_panel_that_is_folded_away_stays_so_when_something_is_asked(
    sit: Callable[..., Screen], house: House, demo: Hand
) -> None:
    table, us = at_the_road(house, demo, sit)
    table.put(Hird="G5")
    ge = HexTablet(sit(TABLET))
    ge.screen.goto(f"/join/{table.codes['The garrison']}")
    ge.screen.sees("Live", "header")
    grip = ge.page.locator(".grip")
    ge.screen.touch(grip)
    ge.screen.touch(grip)
    tabs = ge.page.get_by_role("tab", name="Orders")
    before = tabs.bounding_box()
    us.choose_in("F7", "1st Squad")
    us.verb("Move")
    us.tap_hex("G6")
    us.screen.tap("Review", ".draft")
    us.confirm()
    asking = ge.page.locator("button.asking")
    asking.wait_for(timeout=15000)
    assert tabs.bounding_box() == before
    expect(ge.page.locator(".question")).to_have_count(0)
    ge.screen.touch(asking)
    ge.screen.sees("Opportunity fire?", ".question")
    # There is one who may fire: one tap answers.
    ge.screen.tap("Not now", ".question")


def test_what_the_desk_draws_has_its_size_from_the_first_view(
    sit: Callable[..., Screen], house: House, demo: Hand
) -> None:
    """Signs are drawn for the zoom that the map begins with, also where nobody has zoomed yet."""
    table = Table(house.base, demo)
    desk = sit(DESK)
    desk.goto(f"/join/{table.codes['Umpire']}")
    desk.sees("Live", "header")
    signs = desk.page.locator("svg.over text.count")
    expect(signs.first).to_be_attached()
    for sign in signs.all():
        box = sign.bounding_box()
        assert box is not None
        assert box["height"] < 40
