"""The toy game on the bare page: joined by code, an order given from its form, news by the stream, in Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.api.chairs import Table, new_table
from tests.api.serving import served

pytestmark = pytest.mark.browser


@pytest.fixture
def shared(transactional_db: None, django_user_model: Any, monkeypatch: Any) -> Table:
    # The browser's driver runs an event loop in this thread, in which Django would refuse to speak to its database.
    monkeypatch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    return new_table(django_user_model.objects.create_user("owner", password="a long password"))


@pytest.fixture
def page(chromium: str) -> Iterator[Any]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def test_a_turn_is_played_on_the_bare_page(shared: Table, page: Any) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    with served() as base:
        page.goto(f"{base}/bare/")
        page.fill("input[name=code]", shared.codes["blue_2"])
        page.click("text=Join")
        page.wait_for_selector("#who:not([hidden])")
        assert "blue_2 (player)" in page.inner_text("#who")
        expect(page.locator("#subject option")).to_have_count(2)
        page.select_option("#subject", index=1)
        path = page.locator("#forms form", has_text="Move").locator("input")
        path.wait_for()
        path.fill("[[3, 0]]")
        page.locator("#forms form", has_text="Move").get_by_role("button", name="Preview").click()
        expect(page.locator("#forms")).to_contain_text("1 of 3 hexes")
        page.locator("#forms form", has_text="Move").get_by_role("button", name="Give").click()
        expect(page.locator("#log li").first).to_be_visible()
        expect(page.locator("#view")).to_contain_text('"at": [ 3, 0 ]')
        other = shared["blue_1"]
        other.view()
        assert other.order({"verb": "end_turn", "command": "blue_1"}).status_code == 201
        expect(page.locator("#log")).to_contain_text("blue_1")
        assert page.inner_text("#fault") == ""
        page.goto(f"{base}/api/v1/docs")
        page.wait_for_selector("#operations details")
        assert "Give an order" in page.inner_text("#operations")
        page.fill("#filter", "SkirmishMove")
        assert page.locator("#schemas details:visible").count() >= 1
    assert faults == []
