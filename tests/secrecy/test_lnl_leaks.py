"""A blind battle of Lock 'n Load over HTTP: no answer has anything hidden, and more that is hidden changes no byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from lnl.package import PACKAGE
from lnl.testing.skirmish import SKIRMISH
from tests.api.chairs import Chair, Table
from tests.secrecy.crawling import crawl, found_in, pool_of
from umpire.api.throttles import counts
from umpire.battles.models import Battle, Message, Order, Outbox, Question, Seat
from umpire.battles.services import battle_create, seat_create
from umpire.hidden.services import carry_due

ALPHA, BERTA = "Alpha", "Berta"
MORE = """
[[force]]
key = "reserve"
command = "berta"
counter = "ge_grenadier"
name = "canary-reserve"
at = "B2"
hidden = true

[[force]]
key = "second-reserve"
command = "berta"
counter = "ge_second_line"
at = "D2"
weapons = ["mg34"]
hidden = true
"""


def with_canaries(text: str) -> str:
    """The scenario with canaries for the names of German units, the texts of events, and all words of the umpire's."""
    numbers = iter(range(1000))

    def canary(found: re.Match[str]) -> str:
        return f'{found[1]} = "canary-{next(numbers)}"'

    head, germans = text.split('key = "grenadiers"')
    german_forces, rest = germans.split("[[zone]]", 1)
    open_part, umpire = rest.split("[umpire]")
    german_forces = re.sub(r'(name) = "[^"]*"', canary, german_forces)
    open_part = re.sub(r'(note|text) = "[^"]*"', canary, open_part)
    umpire = re.sub(r'"[^"\n]+"', lambda found: f'"canary-{next(numbers)}"', umpire)
    return f'{head}key = "grenadiers"{german_forces}[[zone]]{open_part}[umpire]{umpire}'


@pytest.fixture(autouse=True)
def _no_throttle_left() -> Iterator[None]:
    yield
    counts.clear()


@pytest.fixture
def owner(django_user_model: Any, db: None) -> Any:
    return django_user_model.objects.create_user("canary-owner", password="a long password")


def new_table(owner: Any, monkeypatch: Any, text: str, **options: Any) -> Table:
    """A blind battle of the skirmish; Alpha is fired at by nobody who would give himself away."""
    monkeypatch.setattr(type(PACKAGE), "scenarios", lambda self: {"skirmish": text})
    battle, seats = battle_create(owner=owner, system="lnl", scenario="skirmish", options={"play": "blind", **options})
    umpire = next(seat for seat, _ in seats if seat.role == Seat.Role.UMPIRE)
    observer = seat_create(battle=battle, by=umpire, name="observer", role="observer")
    codes = {seat.name if seat.role != "umpire" else "umpire": code for seat, code in [*seats, observer]}
    return Table(battle, codes)


def worker(table: Table) -> None:
    """What the worker would do, until nothing is due."""
    for _ in range(40):
        rows = list(Outbox.objects.filter(battle=table.battle, done=None))
        if not rows:
            return
        for row in rows:
            carry_due(battle_id=table.battle.id, line=row.line, depth=row.depth)


def given(chair: Chair, order: dict[str, Any]) -> None:
    chair.view()
    answer = chair.order(order)
    assert answer.status_code == 201, answer.content


def begun(table: Table) -> None:
    """Standing orders, and an impulse of each side."""
    for name, chair in ((ALPHA, table[ALPHA]), (BERTA, table[BERTA])):
        command = name.lower()
        given(chair, {"verb": "GiveStandingOrders", "command": command, "unit": "", "standing": {"fire": "hold"}})
    for _ in range(12):
        phase = table[ALPHA].view()["phase"]
        if phase["key"] == "operations" and phase["active"] == "us":
            return
        name = ALPHA if phase["active"] == "us" else BERTA
        given(table[name], {"verb": {"rally": "EndRally", "operations": "Pass"}[phase["key"]]})
        worker(table)
    raise AssertionError("the Operations Phase does not come")


def hidden_from_alpha(table: Table) -> dict[str, Any]:
    truth: dict[str, Any] = table["umpire"].view()["pieces"]
    return {name: piece for name, piece in truth.items() if piece["command"] == "berta"}


def test_a_walk_through_everything_finds_no_canary(owner: Any, monkeypatch: Any) -> None:
    text = with_canaries(SKIRMISH)
    assert text.count("canary-") > 5
    table = new_table(owner, monkeypatch, text)
    begun(table)
    battle = Battle.objects.get(pk=table.battle.pk)
    hidden = hidden_from_alpha(table)
    assert len(hidden) > 7
    listed = ["canary-", *hidden, bytes(battle.secret).hex(), battle.digest, battle.umpire_setting_id]
    schema = Chair().get("schema").json()
    for who in (ALPHA, "observer"):
        chair = table[who]
        chair.view()
        pool = {**pool_of([table]), "system": ["lnl"], "unit": ["", *list(hidden)[:6]]}
        hits, answered = crawl(chair, schema, pool, listed)
        assert [hit for hit in hits if hit.canary not in hit.path] == [], who
        assert ("GET", "/api/v1/battles/{battle_id}/sync") in answered


def test_the_walk_would_find_them(owner: Any, monkeypatch: Any) -> None:
    table = new_table(owner, monkeypatch, with_canaries(SKIRMISH))
    assert found_in(table["umpire"].get(f"{table.at}/view").content.decode(), ["canary-"])
    assert found_in(table[BERTA].get(f"{table.at}/view").content.decode(), ["canary-"])


def test_anothers_piece_is_as_one_that_does_not_exist(owner: Any, monkeypatch: Any) -> None:
    table = new_table(owner, monkeypatch, SKIRMISH)
    begun(table)
    chair = table[ALPHA]
    own = next(name for name, piece in chair.view()["pieces"].items() if piece["own"] and piece["kind"] == "unit")
    hidden = hidden_from_alpha(table)
    unit = next(name for name, piece in hidden.items() if piece["kind"] == "unit")
    gun = next(name for name, piece in hidden.items() if piece["kind"] == "weapon")
    said: dict[int, set[tuple[int, bytes]]] = {}
    for target in ("pnobodyxx2", unit, gun):
        orders = [
            {"verb": "Move", "units": [target], "path": [[2, 5, 0]]},
            {"verb": "Fire", "units": [target], "target": [2, 5, 0]},
            {"verb": "Fire", "units": [own], "weapons": [target], "target": [6, 3, 0]},
            {"verb": "Spot", "unit": target, "target": [6, 3, 0]},
            {"verb": "PickUp", "unit": own, "weapon": target},
            {"verb": "GivePlan", "force": target, "legs": []},
        ]
        answers = [chair.get(f"{table.at}/options?unit={target}")]
        for order in orders:
            chair.view()
            answers += [chair.post(f"{table.at}/{what}", {"order": order}) for what in ("preview", "odds")]
            answers.append(chair.order(order))
        for number, answer in enumerate(answers):
            assert answer.status_code < 500
            said.setdefault(number, set()).add((answer.status_code, answer.content.replace(target.encode(), b"IT")))
    assert {number: found for number, found in said.items() if len(found) > 1} == {}


def test_dice_are_thrown_by_the_server_also_where_people_would_type_theirs(owner: Any, monkeypatch: Any) -> None:
    table = new_table(owner, monkeypatch, SKIRMISH, dice="typed")
    begun(table)
    chair = table[ALPHA]
    pieces = chair.view()["pieces"]
    scout = next(name for name, piece in pieces.items() if piece["at"] == [1, 3, 0])
    given(chair, {"verb": "Spot", "unit": scout, "target": [2, 2, 0]})
    assert [order["status"] for order in chair.get(f"{table.at}/orders").json()][-1] == "done"
    assert Question.objects.count() == 0


# The same game twice


READS = (
    "",
    "/view",
    "/scene",
    "/options",
    "/orders",
    "/questions",
    "/news",
    "/sync?after=0",
    "/messages",
    "/sight?from=1,3,0&to=6,2,1",
    "/record",
    "/ledger",
    "/desk",
    "/plans",
)


class Transcript:
    """All that Alpha and an observer got, in the order in which they got it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.got: list[Any] = []

    def send(self, name: str, method: str, path: str, body: Any = None, **headers: str) -> Any:
        answer = self.table[name].send(method, path.format(at=self.table.at), body, **headers)
        self.got.append((name, method, path, answer.status_code, sorted(answer.headers.items()), answer.content))
        return answer

    def look(self) -> None:
        """Everything that can be read without doing anything, and what orders would come to."""
        for name in (ALPHA, "observer"):
            for path in READS:
                self.send(name, "GET", "{at}" + path)
        chair = self.table[ALPHA]
        for unit, piece in sorted(chair.view()["pieces"].items()):
            self.send(ALPHA, "GET", f"{{at}}/options?unit={unit}")
            if not (piece["own"] and piece["kind"] == "unit"):
                continue
            for target in ([2, 2, 0], [4, 2, 0], [6, 3, 0], [6, 2, 1]):
                for order in (
                    {"verb": "Spot", "unit": unit, "target": target},
                    {"verb": "Fire", "units": [unit], "target": target},
                    {"verb": "Move", "units": [unit], "path": [target]},
                    {"verb": "LaySmoke", "unit": unit, "at": target[:2]},
                    {"verb": "GivePlan", "force": unit, "legs": [{"path": [target]}]},
                ):
                    for what in ("preview", "odds"):
                        self.send(ALPHA, "POST", f"{{at}}/{what}", {"order": order})

    def order(self, order: Any) -> None:
        """Gives an order on the newest view; again with its key, and again on the view that is old by then; then asks
        what has become of it and would withdraw it."""
        self.table[ALPHA].view()
        key, tag = f"key-{len(self.got)}", self.table[ALPHA].tag
        given = self.send(ALPHA, "POST", "{at}/orders", {"order": order}, Idempotency_Key=key, If_Match=tag)
        for again in (key, f"{key}-again"):
            self.send(ALPHA, "POST", "{at}/orders", {"order": order}, Idempotency_Key=again, If_Match=tag)
        self.send(ALPHA, "GET", "{at}/view", If_None_Match=tag)
        if "Location" in given.headers:
            path = given.headers["Location"].removeprefix("/api/v1/")
            self.send(ALPHA, "GET", path)
            self.send(ALPHA, "POST", f"{path}/withdraw", {}, Idempotency_Key=f"{key}-withdrawn")

    def compared(self) -> str:
        """With ids by the order in which they were met, and without the clock."""
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "A MOMENT", repr(self.got))
        kinds = (Seat, Order, Message, Question)
        ids = {str(one) for model in kinds for one in model.objects.values_list("id", flat=True)}
        met: dict[str, str] = {}
        pattern = re.compile("|".join(map(re.escape, sorted({*ids, self.table.battle.id}))))
        return pattern.sub(lambda found: met.setdefault(found[0], f"ID {len(met)}"), text)


Hidden = Callable[[Table], None]


def nothing_more(table: Table) -> None:
    """Berta does the least there is to do."""


def correct(table: Table, verb: str, **fields: Any) -> None:
    body = {"correction": {"verb": verb, **fields}, "reason": "x"}
    assert table["umpire"].act(f"{table.at}/corrections", body).status_code == 201


def much_more(table: Table) -> None:
    """Out of Alpha's sight the umpire's hand and Berta's orders change this and that; something is taken back."""
    umpire, berta = table["umpire"], table[BERTA]
    truth = umpire.view()["pieces"]
    [koch] = [name for name, piece in truth.items() if piece["label"] == "Koch of the grenadiers"]
    [mines] = [name for name, piece in truth.items() if piece["label"] == "Mines"]
    [upstairs] = [name for name, piece in truth.items() if piece["at"] == [6, 2, 1] and piece["kind"] == "unit"]
    correct(table, "Change", piece=koch, field="is_shaken", value=not any(
        mark["key"] == "shaken" for mark in truth[koch]["marks"]
    ))  # fmt: skip
    correct(table, "Change", piece=mines, field="strength", value=3)
    correct(table, "AwardPoints", side="ge", points=5, why="hidden", known=False)
    standing = {"verb": "GiveStandingOrders", "command": "berta", "unit": upstairs, "standing": {"fire": "hold"}}
    given(berta, standing)
    given(berta, {"verb": "GivePlan", "force": upstairs, "legs": [{"path": [[6, 3, 0]]}], "is_held": True})
    given(berta, {"verb": "Signal", "command": "berta", "signal": "red light"})
    sent = berta.act(f"{table.at}/messages", {"to": "umpire", "text": "Somebody is in the field."})
    assert sent.status_code == 201
    depth = umpire.get(f"{table.at}/ledger?limit=1").json()["depth"]
    correct(table, "MoveTo", piece=koch, at=[7, 3, 0])
    back = umpire.act(f"{table.at}/rewind", {"depth": depth, "dice": "keep", "reason": "x"})
    assert back.status_code in (200, 201), back.content
    umpire.act(f"{table.at}/seats", {"name": f"watcher {Seat.objects.count()}", "role": "observer"})
    worker(table)


@pytest.fixture
def played(owner: Any, monkeypatch: Any) -> Callable[..., str]:
    """Plays the same acts of Alpha's in a scenario; `hidden` is done between any two of them."""
    drawn = SimpleNamespace(token_bytes=lambda count: b"\x07" * count)
    monkeypatch.setattr("umpire.battles.services.games.secrets", drawn)

    def play(text: str, hidden: Hidden = nothing_more) -> str:
        table = new_table(owner, monkeypatch, text)
        begun(table)
        transcript = Transcript(table)
        pieces = table[ALPHA].view()["pieces"]
        own = {tuple(piece["at"]): name for name, piece in sorted(pieces.items()) if piece["kind"] == "unit"}
        scout, squad = own[1, 3, 0], own[4, 6, 0]
        for order in (
            {"verb": "Spot", "unit": scout, "target": [2, 2, 0]},
            {"verb": "Move", "units": [scout], "path": [[2, 2, 0]]},
            {"verb": "Move", "units": [squad], "path": [[4, 5, 0]]},
            {"verb": "EndImpulse"},
            {"verb": "GiveStandingOrders", "command": "alpha", "unit": squad, "standing": {"fire": "hold"}},
        ):
            hidden(table)
            transcript.look()
            transcript.order(order)
        hidden(table)
        worker(table)
        given(table[BERTA], {"verb": "Pass"})
        worker(table)
        transcript.look()
        return transcript.compared()

    return play


def apart(text: str) -> str:
    """The further forces stand where Alpha can tell nothing of them: in the mill."""
    return SKIRMISH.replace("[[work]]", f"{text}\n[[work]]", 1)


@pytest.mark.parametrize("hidden", [nothing_more, much_more])
def test_more_that_is_hidden_changes_no_byte(played: Callable[..., str], hidden: Hidden) -> None:
    elsewhere = MORE.replace('"B2"', '"G3"').replace('"D2"', '"F2"')
    one, other = played(SKIRMISH), played(apart(elsewhere), hidden)
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    assert one == other, f"…{one[max(0, at - 300) : at + 100]}\n\n---\n\n…{other[max(0, at - 300) : at + 100]}"


def test_the_comparison_finds_a_force_that_is_met(played: Callable[..., str]) -> None:
    assert played(SKIRMISH) != played(apart(MORE))
