"""The same game twice, the second time with more that is hidden: whatever a player gets is the same, byte for byte.

Ids that the server draws differ from battle to battle: in what is compared each is replaced by its place in the order
in which the player met them, and moments of the clock by one word. Dice and pieces have their names from the battle's
secret, which is the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.api.chairs import Table, new_table
from tests.api.serving import Heard, served
from tests.secrecy.test_api_canary import carry
from umpire.api.resources import news
from umpire.battles.models import Battle, Message, Order, Question, Seat
from umpire.battles.selectors import truth_for
from umpire.live import wakes
from umpire.testing.skirmish import PACKAGE
from umpire.testing.skirmish.lanes import SECRET_LANE

MORE = """
[[units]]
key = "yew"
command = "red_1"
at = 11
name = "Yew's section"

[[units]]
key = "alder"
command = "red_2"
at = 8
name = "Alder's band"
plan = { goal = 7, on_contact = "halt" }
"""
WATCHERS = ("blue_1", "blue_2", "observer")


class Transcript:
    """All that some players got, in the order in which they got it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.got: dict[str, list[Any]] = {name: [] for name in WATCHERS}

    def send(self, name: str, method: str, path: str, body: Any = None, **headers: str) -> Any:
        chair = self.table[name]
        answer = chair.send(method, path.format(at=self.table.at), body, **headers)
        self.got[name].append((method, path, answer.status_code, sorted(answer.headers.items()), answer.content))
        return answer

    def look(self, name: str) -> None:
        """Everything that can be read without doing anything."""
        chair = self.table[name]
        for path in ("", "/view", "/scene", "/options", "/orders", "/questions", "/news", "/sync?after=0", "/messages"):
            self.send(name, "GET", "{at}" + path)
        for unit in sorted(chair.view()["pieces"]):
            self.send(name, "GET", f"{{at}}/options?unit={unit}")
            for target in sorted(chair.view()["pieces"]):
                order = {"verb": "fire", "unit": unit, "target": target}
                self.send(name, "POST", "{at}/preview", {"order": order})
                self.send(name, "POST", "{at}/odds", {"order": order})
            far = {"verb": "move", "unit": unit, "path": [[3, 0], [4, 0], [5, 0]]}
            self.send(name, "POST", "{at}/preview", {"order": far})

    def order(self, name: str, order: Any) -> Any:
        self.table[name].view()
        key = f"key-{len(self.got[name])}"
        return self.send(
            name, "POST", "{at}/orders", {"order": order}, Idempotency_Key=key, If_Match=self.table[name].tag
        )

    def compared(self, name: str, stream: str) -> str:
        """What is compared: with ids by the order in which they were met, and without the clock."""
        text = repr(self.got[name]) + stream
        # Of news that the stream reads together the last alone has the tag of the view: a matter of milliseconds.
        text = re.sub(r',"etag":"\w+"}(?=\n)', "}", text)
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "A MOMENT", text)
        ids = {
            str(one) for model in (Seat, Order, Message, Question) for one in model.objects.values_list("id", flat=True)
        } | {self.table.battle.id}
        met: dict[str, str] = {}
        pattern = re.compile("|".join(map(re.escape, sorted(ids))))
        return pattern.sub(lambda found: met.setdefault(found[0], f"ID {len(met)}"), text)


Hidden = Callable[[Table], None]


def nothing_more(table: Table) -> None:
    """The first world: red does the least there is to do."""


def much_more(table: Table) -> None:
    """The second: messages, plans, moves, the umpire's hand, all out of sight of blue."""
    umpire = table["umpire"]
    names = {piece.label: name for name, piece in truth_for(battle=table.battle).pieces.items()}
    sent = table["red_1"].act(f"{table.at}/messages", {"to": "red_2", "text": "Stay low."}).json()
    umpire.act(f"messages/{sent['id']}/deliver")
    placed = {"verb": "place", "unit": names["Sorrel's section"], "at": 9}
    assert umpire.act(f"{table.at}/corrections", {"correction": placed, "reason": "x"}).status_code == 201
    back = {"verb": "place", "unit": names["Sorrel's section"], "at": 10}
    assert umpire.act(f"{table.at}/corrections", {"correction": back, "reason": "x"}).status_code == 201
    plan = {"force": names["Thorn's band"], "plan": {"goal": 7, "on_contact": "halt"}}
    assert umpire.act(f"{table.at}/plans", plan).status_code in (201, 409)
    umpire.act(f"{table.at}/seats", {"name": f"watcher {Seat.objects.count()}", "role": "observer"})
    standing = table["red_2"]
    standing.view()
    standing.order({"verb": "standing_orders", "command": "red_2", "fire": "hold"})


def script(table: Table, base: str, hidden: Hidden) -> dict[str, str]:
    """The game that both worlds play; `hidden` is done between any two acts of blue's."""
    transcript = Transcript(table)
    streams = {}
    for name in WATCHERS:
        streams[name] = Heard(base, table[name].post(f"{table.at}/ticket").json()["url"])
    blue = {piece["label"]: name for name, piece in table["blue_2"].view()["pieces"].items()}
    cedar = blue["Cedar's scouts"]
    acts: list[tuple[str, Any]] = [
        ("blue_2", {"verb": "move", "unit": cedar, "path": [[3, 0]]}),
        ("blue_1", {"verb": "standing_orders", "command": "blue_1", "fire": "near"}),
        ("blue_2", {"verb": "move", "unit": cedar, "path": [[99, 0]]}),
        ("blue_2", {"verb": "move", "unit": "pnothing00", "path": [[4, 0]]}),
        ("blue_1", {"verb": "end_turn", "command": "blue_1"}),
        ("blue_2", {"verb": "end_turn", "command": "blue_2"}),
    ]
    hidden(table)
    for turn in range(2):
        for name, order in acts if turn == 0 else acts[-2:]:
            for watcher in WATCHERS:
                transcript.look(watcher)
            transcript.order(name, order)
            hidden(table)
        transcript.send(
            "blue_1", "POST", "{at}/messages", {"to": "umpire", "text": "All quiet."}, Idempotency_Key=f"said-{turn}"
        )
        carry(table)
        for name in ("red_1", "red_2"):
            table[name].view()
            assert table[name].order({"verb": "end_turn", "command": name}).status_code == 201
        carry(table)
    for watcher in WATCHERS:
        transcript.look(watcher)
        wanted = Seat.objects.get(pk=table.seats[watcher].pk).news_count
        streams[watcher].wait(lambda stream=streams[watcher], wanted=wanted: len(stream.news) >= wanted)
        streams[watcher].close()
    return {name: transcript.compared(name, streams[name].text) for name in WATCHERS}


@pytest.fixture
def twins(transactional_db: None, django_user_model: Any, monkeypatch: Any) -> Callable[[Hidden], dict[str, str]]:
    """Plays the script in a fresh battle: a quiet one for `nothing_more`, else one with more forces too."""
    owner = django_user_model.objects.create_user("owner", password="a long password")
    drawn = SimpleNamespace(token_bytes=lambda count: b"\x07" * count)
    monkeypatch.setattr("umpire.battles.services.games.secrets", drawn)

    def play(hidden: Hidden) -> dict[str, str]:
        text = SECRET_LANE if hidden is nothing_more else SECRET_LANE + MORE
        monkeypatch.setattr(type(PACKAGE), "scenarios", lambda self: {"the-lane": text})
        with served() as base:
            return script(new_table(owner), base, hidden)

    return play


def first_difference(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 300) : at + 100]}\n\n---\n\n…{other[max(0, at - 300) : at + 100]}"


def test_more_that_is_hidden_changes_no_byte(twins: Callable[[Hidden], dict[str, str]]) -> None:
    plain, fuller = twins(nothing_more), twins(much_more)
    for name in WATCHERS:
        assert plain[name] == fuller[name], first_difference(plain[name], fuller[name])


def leak_a_revision(monkeypatch: Any) -> None:
    """A number that counts the changes of a battle, whoever may know of them."""
    plain = news.sync_for

    def sync_for(*, battle: Battle, **rest: Any) -> dict[str, Any]:
        return {**plain(battle=battle, **rest), "revision": Battle.objects.get(pk=battle.pk).version}

    monkeypatch.setattr(news, "sync_for", sync_for)


def leak_a_wake(monkeypatch: Any) -> None:
    """Wakes everybody at each commit, whoever got news."""
    plain = wakes.announce
    monkeypatch.setattr(wakes, "announce", lambda seats, woken: plain((), Seat.objects.values_list("id", flat=True)))


@pytest.mark.parametrize("leak", [leak_a_revision, leak_a_wake])
def test_a_leak_of_activity_is_found(
    twins: Callable[[Hidden], dict[str, str]], monkeypatch: Any, leak: Callable[[Any], None]
) -> None:
    monkeypatch.setattr("tests.api.chairs.must_be_told", lambda *answer: None)  # would find some of them by their form
    leak(monkeypatch)
    plain, fuller = twins(nothing_more), twins(much_more)
    assert plain != fuller
