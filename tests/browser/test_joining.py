"""Taking a seat: by link, by code, from the QR picture; taking it over; losing it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import segno

from tests.browser.access import too_faint, too_small
from tests.browser.conftest import DESK, PHONE, TABLET, Table
from tests.browser.playing import House
from tests.browser.screens import Desk, Screen, Tablet
from umpire.serving import network

pytestmark = pytest.mark.browser

Sit = Callable[..., Screen]
Battle = Callable[..., Table]
PLATOON = "2 Platoon"


def test_a_player_joins_by_link_and_ends_a_phase(sit: Sit, battle: Battle) -> None:
    table = battle()
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    # Whoever looks over the shoulder, or into the history, finds no code.
    assert table.codes[PLATOON] not in tablet.page.url
    tablet.page.go_back()
    assert table.codes[PLATOON] not in tablet.page.url
    tablet.page.go_forward()
    tablet.screen.expect_drawn(27)
    tablet.screen.sees("your move", "header")
    tablet.end_phase("Motivation and Movement")
    tablet.screen.sees("Searching", "header")
    tablet.log_says(re.compile("1 Section: .*morale"))


def test_the_printed_links_take_their_seats(sit: Sit, house: House) -> None:
    assert {"Umpire", PLATOON} <= set(house.links)
    for name, path in house.links.items():
        screen = sit()
        screen.goto(path)
        screen.page.wait_for_url(re.compile("/desk/" if name == "Umpire" else "/battle/"))
        screen.sees("Turn 1 of", "header")


def test_a_player_joins_by_a_code_read_aloud(sit: Sit, battle: Battle) -> None:
    code = battle().codes[PLATOON]
    screen = sit(PHONE)
    screen.goto("/")
    screen.page.get_by_label("Code").fill("AAAAA-AAAAA")
    screen.tap("Join")
    screen.sees("This code does not open a seat")
    screen.page.get_by_label("Code").fill(f" {code.lower()} ")
    screen.tap("Join")
    screen.page.wait_for_url("**/battle/**")
    screen.sees("Turn 1 of 10", "header")
    # The device remembers its seat.
    screen.goto("/")
    screen.touch(screen.page.get_by_role("link", name=re.compile(PLATOON)))
    screen.sees("Turn 1 of 10", "header")


def test_an_umpire_makes_a_battle_and_hands_out_its_seats(sit: Sit, house: House) -> None:
    screen = sit(DESK)
    Desk(screen).join(house.links["Umpire"].rpartition("/")[2])
    screen.goto("/")
    screen.touch(screen.page.get_by_role("link", name="New battle"))
    screen.tap(re.compile("FireForce"))
    screen.tap(re.compile("Patrol to the Ford"))
    screen.page.get_by_label("Name of the battle").fill("Tuesday at the club")
    screen.touch(screen.page.get_by_label("We do, and type them in"))
    screen.shoot("new-battle")
    screen.tap("Make the battle")
    card = screen.page.locator("ul.seats > li").filter(has_text=PLATOON)
    card.wait_for()
    code = card.locator(".code").inner_text()
    assert too_faint(screen.page) == []
    assert shows(card) == f"{address_of(screen)}/join/{code}"
    screen.tap("Open the umpire's desk")
    screen.page.wait_for_url("**/desk/**")
    screen.sees("Turn 1 of 10", "header")

    player = Tablet(sit(TABLET))
    player.join(code)
    assert "Tuesday at the club" in player.page.title()
    player.choose("1 Section")
    player.verb("Roll for motivation")
    player.confirm()
    player.type_dice("motivation", 2)
    player.log_says("Motivation: 2")


def address_of(screen: Screen) -> str:
    """Where others find the server that a screen looks at: this machine is called by its address in the network."""
    address = next(iter(network.addresses()), "")
    return f"http://{address}:{urlsplit(screen.wire.base).port}" if address else screen.wire.base


def shows(card: Any) -> str:
    """The link on a seat's card, if its QR picture is the picture of that link."""
    link = str(card.get_by_role("link").get_attribute("href"))
    picture = unquote(card.locator(".qr img").get_attribute("src")).partition(",")[2]
    drawn = [re.findall(r' d="([^"]+)"', each) for each in (picture, segno.make(link, error="m").svg_inline(border=2))]
    assert drawn[0]
    assert drawn[0] == drawn[1], "the picture is not that of the link"
    return link


def test_a_second_device_takes_over_and_a_revoked_seat_is_closed(sit: Sit, battle: Battle) -> None:
    table = battle()
    desk, first, second = Desk(sit(DESK)), Tablet(sit(TABLET)), Tablet(sit(PHONE))
    desk.join(table.codes["Umpire"])
    first.join(table.codes[PLATOON])
    second.join(table.codes[PLATOON])
    second.end_phase("Motivation and Movement")
    second.screen.sees("Searching", "header")
    first.screen.sees("Searching", "header")  # both are the same seat

    # The umpire shows a new code: the old one opens nothing, the devices stay in.
    desk.tab("Seats")
    seat = desk.page.locator("ul.seats > li").filter(has_text=PLATOON)
    desk.page.once("dialog", lambda asked: asked.accept())
    desk.screen.touch(seat.get_by_role("button", name="New code"))
    seat.locator(".qr img").wait_for()
    assert shows(seat).endswith(seat.locator(".code").inner_text())
    assert too_small(desk.page) == []
    new = seat.locator(".code").inner_text()
    assert new != table.codes[PLATOON]
    late = sit(PHONE)
    late.goto(f"/join/{table.codes[PLATOON]}")
    late.sees("This code does not open a seat")
    first.end_phase("Searching")
    first.screen.sees("Firing", "header")

    # Revoked, the seat is closed on both at once, and whoever reloads finds the door shut.
    desk.page.once("dialog", lambda asked: asked.accept())
    desk.screen.touch(seat.get_by_role("button", name=f"What else can be done with {PLATOON}"))
    desk.screen.touch(seat.get_by_role("button", name="Revoke"))
    for tablet in (first, second):
        tablet.screen.sees("This seat is closed")
        kept = tablet.page.evaluate("JSON.stringify({...localStorage})")
        assert kept == '{"umpire.seats":"[]"}', "nothing of a seat stays on a device that has lost it"
    first.page.reload()
    first.screen.sees("This seat is closed")
    assert desk.page.evaluate("Object.keys(localStorage)") == ["umpire.seats"], "the truth is kept on no device"
    late.goto(f"/join/{new}")
    late.sees("This code does not open a seat")
