"""A server as `make play` starts it, Chromium, and who sits before it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.playing import CLIENT, Hand, House, playing
from tests.browser.screens import Screen
from tests.browser.wire import wire_to

DESK = {"viewport": {"width": 1440, "height": 900}}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


class Table:
    """A battle with the codes of its seats, and the umpire's hand in it."""

    def __init__(self, house: House, made: dict[str, Any]) -> None:
        self.id: str = made["battle"]["id"]
        self.codes: dict[str, str] = {seat["name"]: seat["code"] for seat in made["seats"]}
        self.umpire = Hand(house.base, self.codes["Umpire"])


@pytest.fixture(scope="session", autouse=True)
def _client_is_built() -> None:
    if not CLIENT.is_file():
        pytest.fail("The web client is not built: run `make setup`, or `npm run build` in frontend/.", pytrace=False)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, _client_is_built: None) -> Iterator[House]:
    """One server for all tests of the folder; each makes a battle of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with playing(tmp_path_factory.mktemp("play"), port) as house:
        yield house


@pytest.fixture(scope="session")
def demo(house: House) -> Iterator[Hand]:
    """The umpire of the demo battle, who makes the others."""
    hand = Hand(house.base, house.links["Umpire"].rpartition("/")[2])
    yield hand
    hand.close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    # For a module at most: the driver runs an event loop in this thread, which tests of other folders could not bear.

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def sit(browser: Any, house: House, request: pytest.FixtureRequest) -> Iterator[Callable[..., Screen]]:
    """Opens a screen on a wire of its own: `sit(TABLET)`. At the end no page may have had an error."""
    screens: list[Screen] = []
    with ExitStack() as stack:

        def open_one(kind: dict[str, Any] = DESK, **more: Any) -> Screen:
            wire = stack.enter_context(wire_to(house.base))
            context = browser.new_context(**kind, locale="en-GB", timezone_id="UTC", reduced_motion="reduce", **more)
            stack.callback(context.close)
            screens.append(Screen(context, wire, name=f"{request.node.name}-{len(screens)}"))
            return screens[-1]

        yield open_one
        faults = [fault for screen in screens for fault in screen.faults]
    assert faults == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """What was on the screens when a test failed."""
    report = yield
    if report.when == "call" and report.failed:
        for screen in Screen.all_of(item.name):
            screen.shoot(f"failed-{screen.name}")
    return report


@pytest.fixture
def battle(demo: Hand, house: House) -> Iterator[Callable[..., Table]]:
    """Makes a battle: `battle(dice="typed")`."""
    tables: list[Table] = []

    def make(**options: Any) -> Table:
        tables.append(Table(house, demo.new_battle(**options)))
        return tables[-1]

    yield make
    for table in tables:
        table.umpire.close()
