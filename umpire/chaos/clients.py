"""Tablets under fire: who gives orders sends each until it is answered, who listens notes every number."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from typing import Any

from umpire.kernel.news import merged

ANSWER_WITHIN = 12.0
"""Seconds after which a tablet takes a request for lost and sends it again."""
HEADERS = {"Host": "localhost", "X-Forwarded-Proto": "https"}
LOST = (OSError, http.client.HTTPException)


class Figures:
    """What was counted, by all clients together."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        self.waits: list[float] = []
        self.faults: list[str] = []

    def count(self, what: str) -> None:
        with self.lock:
            self.counts[what] += 1

    def fault(self, what: str) -> None:
        with self.lock:
            self.faults.append(what)


class Caller:
    """Sends requests of one seat to any of the web processes."""

    def __init__(self, ports: list[int], figures: Figures, seed: str) -> None:
        self.ports, self.figures = ports, figures
        self.random = random.Random(seed)
        self.token = ""

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] = {}, port: int = 0
    ) -> tuple[int, dict[str, str], Any]:
        """One attempt. Raises OSError or HTTPException where there is no answer."""
        told = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.token:
            told["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            told["Content-Type"], data = "application/json", json.dumps(body).encode()
        line = http.client.HTTPConnection("127.0.0.1", port or self.random.choice(self.ports), timeout=ANSWER_WITHIN)
        try:
            line.request(method, f"/api/v1/{path}", data, told)
            answer = line.getresponse()
            content = answer.read()
        finally:
            line.close()
        self.figures.count(f"answers {answer.status}")
        if answer.status == 500:
            self.figures.fault(f"500 to {method} {path.split('/')[-1]}")
        found = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, found, json.loads(content) if content else None

    def until(self, wanted: tuple[int, ...], method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Sends until there is an answer of one of these statuses: status, headers and content."""
        while True:
            try:
                status, told, content = self.send(method, path, body, headers)
            except LOST:
                self.figures.count("without answer")
                time.sleep(0.1 + self.random.random() * 0.2)
                continue
            # "waiting" says that the same request is still being done elsewhere: to be sent again.
            if status in wanted and (status != 409 or content["type"] == "/problems/refused"):
                return status, told, content
            if status not in (409, 429, 500, 502, 503):
                self.figures.fault(f"{status} to {method} {path}: {content}")
                return status, told, content
            time.sleep(min(float(told.get("retry-after", 0.2)), 1.0))

    def join(self, code: str) -> None:
        _, _, told = self.until((201,), "POST", "join", {"code": code})
        self.token = told["token"]


class Player(threading.Thread):
    """Gives orders and sends messages, one after the other, each with a key until it is acknowledged."""

    def __init__(self, name: str, battle: str, code: str, caller: Caller, stopping: threading.Event) -> None:
        super().__init__(name=f"chaos-{name}", daemon=True)
        self.seat, self.battle, self.code = name, battle, code
        self.caller, self.stopping = caller, stopping
        self.orders: list[str] = []
        self.messages: list[str] = []
        self.tag = ""

    def run(self) -> None:
        try:
            self.caller.join(self.code)
            while not self.stopping.is_set():
                self.act()
                time.sleep(self.caller.random.random() * 0.1)
        except Exception as failure:
            self.caller.figures.fault(f"{self.seat} gave up: {failure!r}")

    def act(self) -> None:
        chance = self.caller.random.random()
        if chance < 0.1:
            self.write()
        elif chance < 0.6:
            self.order({"verb": "end_turn", "command": self.seat})
        else:
            fire = self.caller.random.choice(("near", "any", "hold"))
            self.order({"verb": "standing_orders", "command": self.seat, "fire": fire})

    def order(self, order: dict[str, Any], **more: Any) -> None:
        key = uuid.uuid4().hex
        start = time.monotonic()
        while True:
            if not self.tag:
                self.look()
            status, told, content = self.caller.until(
                (201, 412, 409), "POST", f"battles/{self.battle}/orders", {"order": order, **more},
                Idempotency_Key=key, If_Match=self.tag,
            )  # fmt: skip
            self.tag = told.get("etag", "") if status == 412 else f'"{content["etag"]}"' if status == 201 else ""
            if status == 201:
                self.acknowledged(start)
                self.orders.append(content["id"])
            if status != 412:
                return

    def write(self) -> None:
        text, start = uuid.uuid4().hex, time.monotonic()
        self.caller.until(
            (201,), "POST", f"battles/{self.battle}/messages", {"to": "umpire", "text": text}, Idempotency_Key=text
        )
        self.acknowledged(start)
        self.messages.append(text)

    def acknowledged(self, start: float) -> None:
        with self.caller.figures.lock:
            self.caller.figures.counts["acknowledged"] += 1
            self.caller.figures.waits.append(time.monotonic() - start)

    def look(self) -> None:
        _, told, _ = self.caller.until((200,), "GET", f"battles/{self.battle}/view")
        self.tag = told["etag"]

    def answer_all(self) -> None:
        """Answers whatever this seat is asked."""
        _, _, asked = self.caller.until((200,), "GET", f"battles/{self.battle}/questions")
        for question in asked:
            self.answer(question)

    def answer(self, question: dict[str, Any]) -> None:
        asked = question.get("question")
        if asked is None:
            return
        choices = asked.get("default") or [choice["id"] for choice in asked["choices"]][: max(1, asked.get("least", 1))]
        self.caller.until(
            (200, 404), "POST", f"battles/{self.battle}/questions/{question['id']}/answer", {"choices": choices},
            Idempotency_Key=uuid.uuid4().hex,
        )  # fmt: skip


class Guest(Player):
    """Plays a game of which it knows nothing: gives orders that need no choice, as they are offered, and answers."""

    def act(self) -> None:
        self.answer_all()
        if self.caller.random.random() < 0.1:
            self.write()
        _, _, told = self.caller.until((200,), "GET", f"battles/{self.battle}/options?all=true")
        offered = [*told["forms"], *(form for forms in told.get("units", {}).values() for form in forms)]
        if plain := [form for form in offered if not form.get("slots")]:
            form = self.caller.random.choice(plain)
            self.order({"verb": form["verb"], **form.get("fixed", {})})


class Host(Guest):
    """The umpire of such a game: tells its commands things, and answers."""

    command = ""

    def act(self) -> None:
        self.answer_all()
        self.command = self.command or self.commands()
        text, start = uuid.uuid4().hex, time.monotonic()
        body = {"to": self.command, "text": text}
        self.caller.until((201,), "POST", f"battles/{self.battle}/messages", body, Idempotency_Key=text)
        self.acknowledged(start)
        self.messages.append(text)
        time.sleep(0.3)

    def commands(self) -> str:
        _, _, seen = self.caller.until((200,), "GET", f"battles/{self.battle}/view")
        return str(min(seen["view"]["commands"]))


class Umpire(Player):
    """Sends hidden forces about, and answers whatever is asked."""

    force = ""
    goal = 8

    def act(self) -> None:
        self.answer_all()
        if not self.force:
            _, _, seen = self.caller.until((200,), "GET", f"battles/{self.battle}/view")
            self.force = next(id for id, piece in seen["view"]["pieces"].items() if piece["label"].startswith("Willow"))
        self.goal = 14 - self.goal  # to and fro between two hexes
        plan = {"verb": "give_plan", "unit": self.force, "goal": self.goal, "on_contact": "halt"}
        self.order(plan, **{"for": "red_1"})
        time.sleep(0.3)


class Listener(threading.Thread):
    """Holds a seat's event stream, opens it again where it breaks off, and goes on after the last number it has."""

    def __init__(self, name: str, battle: str, code: str, caller: Caller) -> None:
        super().__init__(name=f"chaos-listens-{name}", daemon=True)
        self.seat, self.battle, self.code, self.caller = name, battle, code, caller
        self.last = -1
        self.first = 0
        self.view: Any = None
        self.ended = threading.Event()

    def run(self) -> None:
        try:
            self.caller.join(self.code)
            _, _, told = self.caller.until((200,), "GET", f"battles/{self.battle}/view")
            self.view, self.last, self.first = told["view"], told["news"], told["news"]
            while not self.ended.is_set():
                try:
                    self.listen()
                except LOST:
                    self.caller.figures.count("streams broken off")
                time.sleep(0.2)
        except Exception as failure:
            self.caller.figures.fault(f"the stream of {self.seat} gave up: {failure!r}")

    def listen(self) -> None:
        status, _, told = self.caller.until((200, 201), "POST", f"battles/{self.battle}/ticket", {})
        if status >= 400:
            return
        line = http.client.HTTPConnection("127.0.0.1", self.caller.random.choice(self.caller.ports), timeout=20)
        try:
            line.request("GET", told["url"], headers={**HEADERS, "Last-Event-ID": str(self.last)})
            answer = line.getresponse()
            self.caller.figures.count(f"streams {answer.status}")
            if answer.status != 200:
                time.sleep(0.3)
                return
            name = ""
            while not self.ended.is_set():
                said = answer.readline().decode().rstrip("\n")
                if not said and answer.isclosed():
                    return
                if said.startswith("event: "):
                    name = said.removeprefix("event: ")
                elif said.startswith("data: ") and name == "news":
                    self.heard(json.loads(said.removeprefix("data: ")))
        except TimeoutError:
            return
        finally:
            line.close()

    def heard(self, item: dict[str, Any]) -> None:
        self.caller.figures.count("news heard")
        if item["number"] != self.last + 1:
            self.caller.figures.fault(f"{self.seat} heard {item['number']} after {self.last}")
        self.last = item["number"]
        self.view = merged(self.view, item.get("patch", {}))
