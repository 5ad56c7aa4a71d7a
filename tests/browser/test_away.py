"""Poor Wi-Fi: the last view stays and says how old it is; what was missed comes when the network does."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.conftest import TABLET, Table
from tests.browser.patrol import Patrol
from tests.browser.playing import Hand, House
from tests.browser.screens import Screen, Tablet

pytestmark = pytest.mark.browser

Sit = Callable[..., Screen]
Battle = Callable[..., Table]
PLATOON = "2 Platoon"
OWN = 27


def happens_meanwhile(table: Table, player: Hand) -> None:
    """Another device of the seat ends a phase, and the umpire moves a squad."""
    view = player.http.get(f"{player.at}/view")
    order = {"order": {"verb": "EndPhase"}}
    headers = {"Idempotency-Key": "while-the-other-was-away", "If-Match": view.headers["ETag"]}
    assert player.http.post(f"{player.at}/orders", json=order, headers=headers).status_code == 201
    Patrol(table).put("3 Section", (900, 2900))


def test_a_tablet_that_was_offline_catches_up(sit: Sit, battle: Battle, house: House) -> None:
    table = battle()
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    other = Hand(house.base, table.codes[PLATOON])
    tablet.screen.context.set_offline(True)
    tablet.screen.wire.cut()  # the browser's own switch leaves streams that are open alone
    tablet.screen.sees("Offline", "header")
    tablet.screen.sees(re.compile(r"updated \d\d:\d\d"), "header")
    tablet.screen.expect_drawn(OWN)
    tablet.choose("3 Section")  # and one may look around
    happens_meanwhile(table, other)
    other.close()
    tablet.screen.misses("Searching", "header")
    tablet.screen.wire.mend()
    tablet.screen.context.set_offline(False)
    tablet.screen.sees("Live", "header", 30)
    tablet.screen.sees("Searching", "header")
    tablet.log_says("2 Platoon ends the phase.")


def test_the_server_goes_away_and_the_page_is_opened_anew(sit: Sit, battle: Battle) -> None:
    table = battle()
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    tablet.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    tablet.screen.wire.cut()
    tablet.screen.sees("No connection, trying again", "header", 30)
    tablet.page.reload()
    tablet.screen.sees(re.compile(r"This is what you saw at \d\d:\d\d\. No connection"))
    tablet.screen.expect_drawn(OWN)
    tablet.screen.shoot("tablet-offline")
    tablet.screen.wire.mend()
    tablet.screen.sees("Live", "header", 45)
    tablet.screen.misses("This is what you saw")
    tablet.screen.expect_drawn(OWN)
    tablet.end_phase("Motivation and Movement")
    tablet.screen.sees("Searching", "header")


def test_an_order_given_as_the_network_fails_arrives_once(sit: Sit, battle: Battle, house: House) -> None:
    table = battle()
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    tablet.screen.tap("End Motivation and Movement", "header")
    tablet.screen.misses("Asking what it would cost", ".draft")
    tablet.screen.wire.cut()
    tablet.screen.tap("Confirm", ".draft")
    tablet.screen.sees("Kept on this device since", ".strip")
    tablet.screen.wire.mend()
    tablet.screen.sees("Searching", "header", 30)
    same_seat = Hand(house.base, table.codes[PLATOON])
    assert [each["order"]["verb"] for each in same_seat.get("orders")] == ["EndPhase"]
    same_seat.close()


def test_an_order_kept_on_the_device_outlives_the_page(sit: Sit, battle: Battle, house: House) -> None:
    table = battle()
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    tablet.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    tablet.screen.wire.cut()
    # What it would cost cannot be asked; it can be given all the same.
    tablet.screen.tap("End Motivation and Movement", "header")
    tablet.screen.sees("No connection: what it would cost cannot be asked now", ".draft")
    tablet.confirm()
    tablet.screen.sees("Kept on this device since", ".strip")
    tablet.page.reload()
    tablet.screen.sees("Kept on this device since", ".strip")
    tablet.screen.shoot("tablet-kept")
    tablet.screen.wire.mend()
    tablet.screen.sees("Searching", "header", 45)
    tablet.screen.misses("Kept on this device")
    tablet.page.reload()
    tablet.screen.sees("Searching", "header")
    same_seat = Hand(house.base, table.codes[PLATOON])
    assert [each["order"]["verb"] for each in same_seat.get("orders")] == ["EndPhase"]
    same_seat.close()


def test_a_kept_order_waits_for_a_word_where_the_situation_has_changed(sit: Sit, battle: Battle, house: House) -> None:
    table = battle()
    tablet = Tablet(sit(TABLET))
    tablet.join(table.codes[PLATOON])
    other = Hand(house.base, table.codes[PLATOON])
    tablet.screen.tap("2 Platoon: fire freely")
    tablet.screen.wire.cut()
    tablet.confirm()
    tablet.screen.sees("Kept on this device since", ".strip")
    happens_meanwhile(table, other)
    tablet.screen.wire.mend()
    tablet.screen.sees("The situation has changed since you gave it", ".strip", 45)
    assert [each["order"]["verb"] for each in other.get("orders")] == ["EndPhase"]
    tablet.screen.tap("Give it all the same", ".strip")
    tablet.screen.misses("The situation has changed since you gave it")
    tablet.screen.sees(re.compile("fire freely"), ".strip")
    assert {each["order"]["verb"] for each in other.get("orders")} == {"EndPhase", "GiveStandingOrders"}
    other.close()
