"""From a server that nobody has used to a tablet at the table, on every kind of screen."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import DESK, PHONE, TABLET
from tests.browser.playing import House, playing
from tests.browser.screens import Screen

pytestmark = pytest.mark.browser

ACROSS = {"viewport": {"width": 1180, "height": 820}, "has_touch": True, "is_mobile": True}
SMALL = {**PHONE, "viewport": {"width": 390, "height": 844}}
WELCOME = "Nobody umpires here yet"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server of its own, that nobody has used."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    folder: Path = tmp_path_factory.mktemp("first-run")
    with playing(folder, port) as house:
        yield house


def test_from_the_first_run_to_a_joined_tablet(sit: Callable[..., Screen], house: House) -> None:
    for kind in (SMALL, TABLET, ACROSS):
        stranger = sit(kind)
        stranger.goto("/")
        stranger.sees(WELCOME)
        stranger.shoot(f"first-run-{kind['viewport']['width']}")

    umpire = sit(DESK)
    umpire.goto(house.sign_in)
    umpire.page.get_by_label("Your name").fill("Marshal")
    umpire.tap("Be the umpire")
    umpire.sees("Signed in as Marshal")
    assert "#" not in umpire.page.url, "what signs in stays in no history"
    umpire.sees("Running · 2")

    umpire.touch(umpire.page.get_by_role("link", name="New battle"))
    umpire.tap(re.compile("Patrol to the Ford"))
    umpire.tap("Make the battle")
    card = umpire.page.locator("ul.seats > li").filter(has_text="2 Platoon")
    path = re.sub("^https?://[^/]+", "", str(card.get_by_role("link").get_attribute("href")))
    for kind in (SMALL, TABLET, ACROSS):
        tablet = sit(kind)
        tablet.goto(path)
        tablet.page.wait_for_url("**/battle/**")
        tablet.sees("Turn 1 of 10", "header")
    card.get_by_text("here", exact=False).first.wait_for()

    # A second player of the same command, and the battle under another name.
    umpire.tap(re.compile("Another seat"))
    umpire.page.get_by_label("Name of the seat").fill("Second player")
    umpire.page.get_by_label("Who sits there").select_option("player")
    umpire.page.get_by_role("checkbox", name="2 Platoon").check()
    umpire.tap("Make the seat")
    umpire.page.locator("ul.seats > li").filter(has_text="Second player").locator(".code").wait_for()
    umpire.goto("/")
    umpire.touch(umpire.page.get_by_role("button", name=re.compile("What can be done with Patrol")).first)
    umpire.tap("Rename")
    umpire.page.get_by_label("Name of the battle").fill("Tuesday at the club")
    umpire.tap("Keep")
    umpire.sees("Tuesday at the club")


def test_a_link_that_has_been_used_says_so(sit: Callable[..., Screen], house: House) -> None:
    late = sit(TABLET)
    late.goto(house.sign_in)
    late.sees("This link has been used")
    late.shoot("link-used")
    late.goto("/")
    late.misses(WELCOME)
