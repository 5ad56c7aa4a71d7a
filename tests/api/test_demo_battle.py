"""The demo battle from invitation to victory points: umpire, platoon and an observer, by scripts that know no rule.

They read forms and views, give orders over HTTP, and follow their event streams; the worker moves the hidden force.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from tests.api.serving import Heard, served
from umpire.battles.services.demo import demo_of
from umpire.kernel.news import merged

GOALS = {"1 Section": (4600, 2300), "2 Section": (6050, 2900), "3 Section": (4600, 3000)}
"""Where each section is sent: the ford, the village, and the scrub above the ford; all others go with the first."""
MOST_ROUNDS = 400


class Script:
    """A seat: joins by its link, reads its view, follows its stream."""

    def __init__(self, base: str, code: str, device: str) -> None:
        self.http = httpx.Client(base_url=f"{base}/api/v1/", timeout=60)
        joined = self.http.post("join", json={"code": code, "device": device})
        assert joined.status_code == 201, joined.text
        told = joined.json()
        self.http.headers["Authorization"] = f"Bearer {told['token']}"
        self.seat, self.at = told["seat"], f"battles/{told['battle']['id']}"
        self.first, self.number = self.view(), self.news
        self.stream = Heard(base, self.http.post(f"{self.at}/ticket", json={}).json()["url"])

    def get(self, path: str) -> Any:
        answer = self.http.get(f"{self.at}/{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def view(self) -> dict[str, Any]:
        answer = self.http.get(f"{self.at}/view")
        self.tag, self.news = answer.headers["ETag"], answer.json()["news"]
        view: dict[str, Any] = answer.json()["view"]
        return view

    def act(self, path: str, body: Any) -> httpx.Response:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        if path == "orders":
            headers["If-Match"] = self.tag
        return self.http.post(f"{self.at}/{path}", json=body, headers=headers)

    def order(self, order: Any) -> bool:
        """Gives an order on the view as it is now; whether it was accepted."""
        self.view()
        answer = self.act("orders", {"order": order})
        assert answer.status_code in (201, 409, 412), (order, answer.text)
        return answer.status_code == 201

    def answer_all(self) -> int:
        """Answers every question that waits for this seat by its default, or else by what comes first."""
        waiting = self.get("questions")
        for one in waiting:
            question = one["question"]
            few = [choice["id"] for choice in question["choices"]][: question.get("least", 1)]
            chosen = question.get("default") or few
            answer = self.act(f"questions/{one['id']}/answer", {"choices": chosen})
            assert answer.status_code in (200, 404), answer.text
        return len(waiting)

    def replayed(self) -> dict[str, Any]:
        """The view that the stream's news lead to from the first one."""
        view = self.first
        for item in self.stream.news:
            view = merged(view, item["patch"])
        return view


class Platoon(Script):
    """Rolls motivation for each squad, sends it on its way, searches and fires wherever it is offered."""

    goal: tuple[int, int]

    def play(self) -> None:
        for name, group in self.view()["groups"].items():
            self.goal = GOALS.get(group["name"], GOALS["1 Section"])
            self.work(name)
        for form in self.get("options")["forms"]:
            if form["verb"] == "EndPhase":
                self.order({"verb": "EndPhase", **form.get("fixed", {})})

    def work(self, group: str) -> None:
        """Everything a squad may do now, each kind of it once."""
        done: set[str] = set()
        for _ in range(6):
            forms = [form for form in self.get(f"options?unit={group}")["forms"] if form["verb"] not in done]
            form = next((form for form in forms if form["verb"] in ("Motivate", "Move", "Fire", "Search")), None)
            if form is None:
                return
            done.add(form["verb"])
            if (order := self.filled(form)) is not None:
                self.order(order)

    def filled(self, form: dict[str, Any]) -> dict[str, Any] | None:
        order: dict[str, Any] = {"verb": form["verb"], **form.get("fixed", {})}
        for slot in form.get("slots", []):
            match slot["slot"]:
                case "choice":
                    ids = [choice["id"] for choice in slot["choices"]][: slot.get("most", 1)]
                    order[slot["name"]] = ids if slot.get("many") else ids[0]
                case "number":
                    order[slot["name"]] = slot["low"]
                case "path":
                    return self.on_its_way(order, slot)
                case _:
                    return None
        return order

    def on_its_way(self, order: dict[str, Any], slot: dict[str, Any]) -> dict[str, Any] | None:
        """The longest straight step towards the goal that the preview has nothing against."""
        x, y = slot["start"]
        to_x, to_y = self.goal
        away = max(1.0, ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5)
        for far in (780, 500, 250):
            share = min(1.0, far / away)
            to = [round(x + (to_x - x) * share), round(y + (to_y - y) * share)]
            tried = {**order, slot["name"]: [to]}
            preview = self.http.post(f"{self.at}/preview", json={"order": tried})
            assert preview.status_code == 200, preview.text
            if not preview.json().get("refusals"):
                return tried
        return None


class Umpire(Script):
    """Answers what is asked, and ends the hidden side's phases: its plans do the rest."""

    def play(self) -> None:
        while self.answer_all():
            pass
        desk = self.get("desk")
        assert not desk.get("fault"), desk["fault"]
        forms = self.get("options?as=cell")["forms"]
        for form in forms:
            if form["verb"] == "EndPhase":
                body = {"order": {"verb": "EndPhase", **form.get("fixed", {})}, "for": "cell"}
                answer = self.http.post(f"{self.at}/orders", json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
                assert answer.status_code in (201, 409), answer.text


@pytest.fixture
def seats(transactional_db: None, embedded_worker: None, monkeypatch: Any) -> Iterator[tuple[Umpire, Platoon, Script]]:
    # The battle's secret names its dice: with the same one the same battle is fought each time.
    monkeypatch.setattr("umpire.battles.services.games.secrets", SimpleNamespace(token_bytes=lambda n: b"\x05" * n))
    codes = {name: code for name, _, code in demo_of("fireforce")[1]}
    with served() as base:
        umpire = Umpire(base, codes["Umpire"], "a laptop")
        platoon = Platoon(base, codes["2 Platoon"], "a tablet")
        made = umpire.act("seats", {"name": "Watching", "role": "observer"})
        assert made.status_code == 201, made.text
        observer = Script(base, made.json()["code"], "a telephone")
        yield umpire, platoon, observer
        for script in (umpire, platoon, observer):
            script.stream.close()
            script.http.close()


def test_the_demo_battle_from_invitation_to_victory_points(seats: tuple[Umpire, Platoon, Script]) -> None:
    umpire, platoon, observer = seats
    turns: set[int] = set()
    for _ in range(MOST_ROUNDS):
        view = platoon.view()
        turns.add(view["turn"])
        if view.get("outcome", {}).get("is_over"):
            break
        if view["phase"]["mine"]:
            platoon.play()
        platoon.answer_all()
        umpire.play()
        time.sleep(0.02)
    else:
        pytest.fail(f"the battle does not end: {view['phase']}, {umpire.get('desk')['waiting']}")
    assert turns == set(range(1, view["turns"] + 1)) or view["turn"] < view["turns"]
    assert view["outcome"]["why"]
    told = {line.get("kind") for item in platoon.stream.news for line in item["lines"]}
    assert {"motivation", "moved", "contact", "fire", "hit", "points"} <= told
    assert set(view["points"]) == {"government", "guerrilla"}
    for side in view["points"].values():
        assert side["total"] == sum(line["value"] for line in side["lines"])

    for script in (platoon, observer):
        last = script.get("news?after=0")["last"]
        script.stream.wait(lambda script=script, last=last: script.stream.news[-1]["number"] == last)
        numbers = [item["number"] for item in script.stream.news]
        assert numbers == list(range(script.number + 1, last + 1))
        assert script.replayed() == script.view()
        assert f'"{script.stream.news[-1]["etag"]}"' == script.tag

    truth = umpire.view()
    hidden = {name for name, piece in truth["pieces"].items() if piece.get("command") == "cell"}
    assert hidden
    for script in (platoon, observer):
        assert not hidden & set(re.findall(r"p[a-z2-7]{9}", script.stream.text)), "a true id was told"

    finished = umpire.act("finish", {"open": True})
    assert finished.status_code == 200, finished.text
    record = platoon.get("record")
    assert record["entries"]
    assert record["secret"]
