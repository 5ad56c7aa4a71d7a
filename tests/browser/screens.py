"""What a person does before a screen: taps, draws, types, reads. Nothing here knows a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

from tests.browser.wire import Wire

SHOTS = Path(__file__).resolve().parents[2] / "var" / "screenshots"
Place = tuple[float, float]
"""Hundredths of an inch, y up."""


CHANGED = "The situation has changed"
"""What a screen says of an order whose view was not the newest."""


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until what has changed on a page has been drawn."""


class Screen:
    """A browser of its own on a wire of its own."""

    opened: ClassVar[list[Screen]] = []

    def __init__(self, context: Any, wire: Wire, name: str) -> None:
        self.context, self.wire, self.name = context, wire, name
        self.page = context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(f"{name}: {fault}"))
        self.page.on("console", self._heard)
        self.is_touched = bool(self.page.evaluate("navigator.maxTouchPoints > 0"))
        self.opened.append(self)

    def _heard(self, line: Any) -> None:
        # A request that fails is said on the screen; the browser's own note of it is no fault.
        if line.type == "error" and "Failed to load resource" not in line.text and "net::ERR" not in line.text:
            self.faults.append(f"{self.name}: {line.text}")

    @classmethod
    def all_of(cls, test: str) -> list[Screen]:
        return [screen for screen in cls.opened if screen.name.startswith(f"{test}-")]

    # Looking

    def goto(self, path: str) -> None:
        self.page.goto(self.wire.base + path)

    def shoot(self, name: str) -> None:
        """A picture for people to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(SHOTS / f"{name}.png"))

    def sees(self, text: str | re.Pattern[str], within: str = "body", seconds: float = 15) -> None:
        """Waits until a text can be seen."""
        expect(self.page.locator(within).first).to_contain_text(text, timeout=seconds * 1000)

    def misses(self, text: str | re.Pattern[str], within: str = "body") -> None:
        """Waits until a text cannot be seen."""
        expect(self.page.locator(within).first).not_to_contain_text(text, timeout=15000)

    def drawn(self, selector: str = "g.piece") -> int:
        """How many pieces are drawn on the table."""
        return int(self.page.locator(f"svg.over {selector}").count())

    def expect_drawn(self, count: int, selector: str = "g.piece") -> None:
        expect(self.page.locator(f"svg.over {selector}")).to_have_count(count, timeout=15000)

    # Touching

    def button(self, name: str | re.Pattern[str], within: str = "body") -> Any:
        return self.page.locator(within).first.get_by_role("button", name=name, exact=isinstance(name, str)).first

    def tap(self, name: str | re.Pattern[str], within: str = "body") -> None:
        """Taps, or clicks where there is a mouse, the button of that name."""
        self.touch(self.button(name, within))

    def touch(self, what: Any) -> None:
        if self.is_touched:
            # Between the finger coming and going the driver waits for the page. While that draws what is new, on a
            # busy machine, half a second passes, and the tap is one that is held.
            what.wait_for(timeout=15000)
            self.page.evaluate(DRAWN)
            what.tap(timeout=15000)
        else:
            what.click(timeout=15000)

    # The table

    def pixel(self, place: Place) -> tuple[float, float]:
        """Where a place of the table is on the screen now; it must be in view."""
        x, y, inside = self.page.evaluate(
            """([px, py]) => {
                const svg = document.querySelector("svg.over");
                const box = svg.getBoundingClientRect(), all = svg.viewBox.baseVal;
                const x = box.left + px / all.width * box.width, y = box.top + (1 - py / all.height) * box.height;
                const holder = document.querySelector("[role=application]");
                const there = document.elementFromPoint(x, y);
                return [x, y, !!there && holder.contains(there)];
            }""",
            list(place),
        )
        assert inside, f"{place} is at {x:.0f}, {y:.0f}, which is not on the table in view"
        return float(x), float(y)

    def touch_table(self, place: Place) -> None:
        x, y = self.pixel(place)
        if self.is_touched:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def draw(self, start: Place, path: Sequence[Place], steps: int = 6) -> None:
        """Draws with the finger, or the mouse, from a place along others."""
        points = [self.pixel(start)]
        for place in path:
            x, y = self.pixel(place)
            last_x, last_y = points[-1]
            points += [
                (last_x + (x - last_x) * n / steps, last_y + (y - last_y) * n / steps) for n in range(1, steps + 1)
            ]
        if not self.is_touched:
            self.page.mouse.move(*points[0])
            self.page.mouse.down()
            for point in points[1:]:
                self.page.mouse.move(*point)
            self.page.mouse.up()
            return
        finger = self.context.new_cdp_session(self.page)
        for n, (x, y) in enumerate(points):
            kind = "touchMove" if n else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        finger.detach()


class Tablet:
    """A player's screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.page = screen, screen.page

    def join(self, code: str) -> None:
        self.screen.goto(f"/join/{code}")
        self.page.wait_for_url("**/battle/**")
        self.screen.sees("Turn 1 of 10", "header")
        self.screen.sees("Live", "header")

    # Choosing

    def choose(self, squad: str) -> None:
        """A squad by its name in the list of one's own."""
        self.orders()
        close = self.screen.button("Close", ".panel section header")
        if close.is_visible():
            self.screen.touch(close)
        self.screen.tap(re.compile(rf"\b{squad}\b"), ".panel .content")
        self.screen.sees(squad, ".panel h2")

    def orders(self) -> None:
        self.tab("Orders")

    def tab(self, name: str) -> None:
        self.screen.touch(self.page.get_by_role("tab", name=re.compile(name)))

    def verb(self, name: str | re.Pattern[str]) -> None:
        """What is to be done, of the buttons offered."""
        self.screen.tap(name if isinstance(name, re.Pattern) else re.compile(f"^{name}"), ".panel .forms")

    def confirm(self) -> None:
        """Confirms the order; once more where news came between the look and the tap, as the screen then asks."""
        draft = self.page.locator(".draft")
        for is_last in (False, False, True):
            self.screen.tap("Confirm", ".draft")
            try:
                draft.wait_for(state="detached", timeout=15000)
                return
            except TooLate:
                if is_last or CHANGED not in draft.inner_text():
                    raise

    # Dice

    def type_dice(self, purpose: str, face: int) -> None:
        """Waits for dice to be asked for, and types them."""
        roll(self.screen, ".question", purpose, face)

    # Questions

    def shows(self, text: str | re.Pattern[str]) -> bool:
        """Whether a text stands on the screen now."""
        return bool(re.search(text, self.page.locator("body").inner_text()))

    def asked(self) -> str | None:
        """What the player is asked now; a question that has been folded up is opened."""
        folded = self.page.locator("button.asking[aria-expanded=false]")
        if folded.count():
            self.screen.touch(folded)
        heading = self.page.locator(".question h2")
        return str(heading.first.inner_text()) if heading.count() else None

    def settle(self, prompt: str, face: Callable[[str], int]) -> None:
        """Types the dice that are asked for, or chooses: what stands there in case nobody answers."""
        settle(self.screen, ".question", prompt, face)

    def end_phase(self, name: str) -> None:
        self.screen.tap(f"End {name}", "header")
        self.confirm()

    # Reading

    def log_says(self, text: str | re.Pattern[str], seconds: float = 20) -> None:
        self.tab("Log")
        self.screen.sees(text, "ol.log", seconds)


def roll(screen: Screen, within: str, purpose: str, face: int) -> None:
    """Dice are typed on the pad: the number, then the button that enters it."""
    asked = screen.page.locator(within).first
    expect(asked).to_contain_text(re.compile(purpose, re.IGNORECASE), timeout=15000)
    number = asked.locator(".pad button").filter(has=screen.page.locator(f"span.figures:text-is('{face}')"))
    screen.touch(number)
    expect(number).to_have_attribute("aria-pressed", "true")
    enter = asked.get_by_role("button", name=f"Enter the dice: {face}")
    with screen.page.expect_response(lambda answer: answer.url.endswith("/answer")) as answered:
        screen.touch(enter)
    assert answered.value.ok, answered.value.text()


def settle(screen: Screen, within: str, prompt: str, face: Callable[[str], int]) -> None:
    """Answers what is asked there: dice by their purpose, a question by its default."""
    asked = screen.page.locator(within).first
    asked.locator(".pad, .list").first.wait_for(timeout=15000)
    heading = asked.locator("h2").first.element_handle()
    if asked.locator(".pad").count():
        purpose = prompt.split(":")[0].lower()
        roll(screen, within, purpose, face(purpose))
        gone(screen, heading)
        return
    for choice in asked.locator(".list button").filter(has_text="if nobody answers").all():
        if choice.get_attribute("aria-pressed") != "true":
            screen.touch(choice)
    with screen.page.expect_response(lambda answer: answer.url.endswith("/answer")) as answered:
        screen.tap("Answer", within)
    assert answered.value.ok, answered.value.text()
    gone(screen, heading)


def gone(screen: Screen, heading: Any) -> None:
    """Waits until what was answered has left the screen, so that what is read next is the next question."""
    screen.page.wait_for_function("heading => !heading.isConnected", arg=heading, timeout=15000)


class Desk:
    """The umpire's screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.page = screen, screen.page

    def join(self, code: str) -> None:
        self.screen.goto(f"/join/{code}")
        self.page.wait_for_url("**/desk/**")
        self.screen.sees("Turn 1 of 10", "header")
        self.screen.sees("Waiting on you", "#desk-queue")

    def tab(self, name: str) -> None:
        self.screen.touch(self.page.get_by_role("tab", name=re.compile(name)))

    # The queue

    def open_item(self, text: str | re.Pattern[str]) -> None:
        """Waits until something lies in the queue, and opens it."""
        item = self.page.locator("#desk-queue li.item").filter(has_text=text).first
        item.wait_for(timeout=20000)
        if "open" not in (item.get_attribute("class") or ""):
            self.screen.touch(item.locator("button.head"))

    def type_dice(self, purpose: str, face: int) -> None:
        self.open_item(re.compile(purpose, re.IGNORECASE))
        roll(self.screen, "#desk-queue li.item.open .body", purpose, face)
        self.page.locator("#desk-queue li.item.open").wait_for(state="detached", timeout=15000)

    def answer(self, prompt: str, choice: str) -> None:
        self.open_item(prompt)
        open_item = "#desk-queue li.item.open .body"
        self.screen.tap(re.compile(f"^{choice}"), open_item)
        self.screen.tap("Answer", open_item)
        self.page.locator("#desk-queue li.item").filter(has_text=prompt).wait_for(state="detached", timeout=15000)

    def asked(self, command: str) -> str | None:
        """What lies in the queue for a command, opened; None where nothing does."""
        item = self.page.locator("#desk-queue li.item").filter(has_text=command).first
        if not item.count():
            return None
        if "open" not in (item.get_attribute("class") or ""):
            self.screen.touch(item.locator("button.head"))
        return str(item.locator(".body h2").inner_text())

    def settle(self, prompt: str, face: Callable[[str], int]) -> None:
        settle(self.screen, "#desk-queue li.item.open .body", prompt, face)
        self.page.locator("#desk-queue li.item.open").wait_for(state="detached", timeout=15000)

    # The piece

    def choose(self, name: str) -> None:
        """A squad or a piece in the list of all."""
        self.page.keyboard.press("Escape")
        pieces = self.page.locator("#desk-piece details").filter(has_text="All pieces")
        self.screen.touch(pieces.locator("summary"))
        self.screen.touch(pieces.get_by_role("button", name=re.compile(rf"^{name}")).first)
        self.screen.sees(name, "#desk-piece h2")

    def do(self, what: str, reason: str) -> None:
        """Something of what the umpire's hand may do with the chosen piece, with a reason."""
        self.screen.tap(what, "#desk-piece")
        self.page.get_by_label("Reason").first.fill(reason)
        self.screen.tap("Do it", "#desk-piece")
        self.screen.sees(f"Done: {what}", "#desk-queue")

    def plan(self, squad: str, *, fire: str) -> None:
        """The plan of a hidden force, given anew with another word about its fire; all else in it stays."""
        self.choose(squad)
        self.screen.tap("Draw a plan", "#desk-piece .grid")
        self.screen.tap("Draw a plan", "#desk-piece .list")
        self.screen.tap(re.compile(r"^\W*Fire\b(?! within)"), ".draft")
        self.screen.tap(fire, ".draft")
        self.screen.tap("Review", ".draft")
        self.screen.tap("Confirm", ".draft")
        self.page.locator(".draft").wait_for(state="detached", timeout=15000)

    # The pictures and the ledger

    def picture(self, seat: str) -> None:
        self.page.get_by_role("combobox", name="Picture").select_option(seat)

    def rewind_to(self, entry: str, reason: str) -> None:
        """Back to just after the last entry that says so, with the same dice."""
        self.tab("Ledger")
        self.screen.touch(self.page.locator("#desk-low button.entry").filter(has_text=entry).first)
        self.page.locator("#desk-low .rewind input").fill(reason)
        self.screen.tap("Same dice again", "#desk-low .rewind")
        self.screen.sees("Done: Rewind", "#desk-queue")
