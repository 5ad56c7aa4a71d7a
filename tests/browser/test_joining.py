"""Taking a seat: by link, by code, from the QR picture; taking it over; losing it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.conftest import TABLET, Table
from tests.browser.playing import House
from tests.browser.screens import Screen, Tablet

pytestmark = pytest.mark.browser

Sit = Callable[..., Screen]
Battle = Callable[..., Table]


def test_a_player_joins_by_link_and_ends_a_phase(sit: Sit, battle: Battle) -> None:
    table = battle()
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes["2 Platoon"], "2 Platoon")
    assert table.codes["2 Platoon"] not in tablet.page.url
    tablet.screen.expect_drawn(27)
    tablet.screen.sees("your move", "header")
    tablet.end_phase("Motivation and Movement")
    tablet.screen.sees("Searching", "header")
    tablet.log_says(re.compile("1 Section: .*morale"))


def test_the_printed_links_take_their_seats(sit: Sit, house: House) -> None:
    assert {"Umpire", "2 Platoon"} <= set(house.links)
    for name, path in house.links.items():
        screen = sit()
        screen.goto(path)
        screen.page.wait_for_url(re.compile("/desk/" if name == "Umpire" else "/battle/"))
        screen.sees("Turn 1 of 10", "header")
