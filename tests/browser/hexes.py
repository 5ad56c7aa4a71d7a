"""A player's screen of a hex battle: taps on hexes, stacks, what may be done. Nothing here knows a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

from tests.browser.playing import Hand
from tests.browser.screens import CHANGED, Tablet, gone

REASON = "The scene of the test."
AT = """([column, row, dx, dy]) => {
    const svg = document.querySelector("svg.over");
    const x = 150 * column + dx, y = 86.60254 * (2 * row + column % 2) + dy;
    const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
    const there = document.elementFromPoint(at.x, at.y);
    return [at.x, at.y, !!there && document.querySelector("[role=application]").contains(there)];
}"""


def cell(name: str) -> tuple[int, int]:
    """Column and row of a hex: "H6" is 8, 6."""
    return ord(name[0]) - 64, int(name[1:])


class Table:
    """A battle of the crossroads at Saint-Aubin with the codes of its seats, and the umpire's hand in it."""

    def __init__(self, base: str, demo: Hand, **options: Any) -> None:
        body = {"system": "lnl", "scenario": "crossroads-at-saint-aubin", "options": options}
        made = demo.act("battles", body)
        self.codes: dict[str, str] = {seat["name"]: seat["code"] for seat in made["seats"]}
        self.hand = Hand(base, self.codes["Umpire"])
        self.ids: Mapping[str, str] = {
            piece["label"]: key for key, piece in self.hand.truth()["pieces"].items() if piece["kind"] == "unit"
        }

    def put(self, **places: str) -> None:
        """Units by the last word of their name, to hexes."""
        for word, name in places.items():
            key = next(key for label, key in self.ids.items() if word in label.replace(" ", "_"))
            self.hand.correct("MoveTo", piece=key, at=[*cell(name), 0], reason=REASON)

    def set(self, label: str, field: str, value: Any) -> None:
        self.hand.correct("Change", piece=self.ids[label], field=field, value=value, reason=REASON)

    def piece(self, label: str) -> dict[str, Any]:
        """A unit as it truly is."""
        found: dict[str, Any] = self.hand.truth()["pieces"].get(self.ids[label], {})
        return found

    def marks(self, label: str) -> set[str]:
        return {mark["key"] for mark in self.piece(label).get("marks", ())}


class HexTablet(Tablet):
    """A player's screen."""

    def join(self, code: str) -> None:
        self.screen.goto(f"/join/{code}")
        self.page.wait_for_url("**/battle/**")
        self.screen.sees("Turn 1 of 7", "header")
        self.screen.sees("Live", "header")
        self.screen.tap("Whole table")

    def tap_hex(self, name: str, *, low: bool = False) -> None:
        """Taps the middle of a hex, or its lower edge."""
        x, y, is_there = self.page.evaluate(AT, [*cell(name), 0, 60 if low else 0])
        assert is_there, f"{name} is at {x:.0f}, {y:.0f}, which is not on the map in view"
        if self.screen.is_touched:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def choose_in(self, name: str, *labels: str) -> None:
        """Units of a stack, by a tap on it and on each that is to act."""
        self.orders()
        self.tap_hex(name)
        self.screen.sees(name, ".panel .content h2")
        for label in labels:
            self._set(label, is_on=True)
        for tile in self.page.locator(".tiles button").all():
            text = tile.inner_text()
            if not any(label in text for label in labels):
                self._set(text.split("\n")[0], is_on=False)

    def _set(self, label: str, *, is_on: bool) -> None:
        tile = self.page.locator(".tiles button").filter(has_text=label).first
        if (tile.get_attribute("aria-pressed") == "true") != is_on:
            self.screen.touch(tile)
        expect(tile).to_have_attribute("aria-pressed", str(is_on).lower())

    def end(self, name: str) -> None:
        """Ends something by one tap; by another where news came between the look and the tap, as the screen says."""
        for _ in range(3):
            self.screen.tap(name, "header")
            try:
                self.page.get_by_text(CHANGED).first.wait_for(state="visible", timeout=1500)
            except TooLate:
                return

    def throw(self, purpose: str, *faces: int) -> None:
        """Waits for dice to be asked for, and types them."""
        self.screen.sees(re.compile(f"^{purpose}", re.IGNORECASE), ".question h2")
        asked = self.page.locator(".question").first
        heading = asked.locator("h2").first.element_handle()
        for face in faces:
            number = asked.locator(".pad button").filter(has=self.page.locator(f"span.figures:text-is('{face}')"))
            self.screen.touch(number)
        enter = asked.get_by_role("button", name=f"Enter the dice: {', '.join(map(str, faces))}")
        with self.page.expect_response(lambda answer: answer.url.endswith("/answer")) as answered:
            self.screen.touch(enter)
        assert answered.value.ok, answered.value.text()
        gone(self.screen, heading)

    def answers(self, prompt: str, *choices: str) -> None:
        """Waits for a question, and takes these of its choices beside those that are proposed."""
        self.screen.sees(prompt, ".question h2")
        heading = self.page.locator(".question h2").first.element_handle()
        for choice in choices:
            self.screen.touch(self.page.locator(".question .list button").filter(has_text=choice).first)
        self.screen.tap(re.compile(r"^(Answer|Fire)$"), ".question")
        gone(self.screen, heading)

    def declines(self, prompt: str) -> None:
        """Waits for an offer, and lets it pass."""
        self.screen.sees(prompt, ".question h2")
        heading = self.page.locator(".question h2").first.element_handle()
        self.screen.tap("Not now", ".question")
        gone(self.screen, heading)
