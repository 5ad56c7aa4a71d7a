"""Two servers play the same whole battle; on the second one a hidden command, whom neither side meets, has other
troops and plans, and the umpire's hand in them. Whatever both sides and an observer get over HTTP is the same.

Ids that a server draws are compared by the order in which they were met, moments of the clock as one word; dice and
pieces have their names from the battle's secret, which is the same in both. `TWIN_BATTLES` says how many battles of
each game are played, to their end; where it is not set one is, and looked at now and then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from fireforce.knowledge import notice
from fireforce.package import PACKAGE as FIREFORCE
from fireforce.state.battle import Figure
from fireforce.testing.parts import having, of
from lnl.package import PACKAGE as LNL
from lnl.testing.skirmish import SKIRMISH
from tests.api.chairs import Chair, Table
from tests.fireforce.rules.small_battles import HEAD, area, men, row, unit
from umpire.api.throttles import counts
from umpire.battles.heads import chair_of, read_head
from umpire.battles.models import Message, Order, Outbox, Question, Seat
from umpire.battles.services import battle_create, seat_create
from umpire.hidden.services import carry_due
from umpire.kernel.running import believed_of

BATTLES = int(os.environ.get("TWIN_BATTLES", "0"))
EVERY, ACTS, TURNS = (1, 600, 3) if BATTLES else (8, 150, 1)
ASIDE = ("GiveStandingOrders", "GivePlan", "CancelPlan", "Signal", "SetPlansOnly")
"""Verbs that move no battle on: they are seldom tried."""
READS = ("", "/view", "/options", "/orders", "/questions", "/news", "/sync?after=0", "/messages")


class World(Struct, frozen=True):
    """A scenario for the first server and one for the second, and what the umpire does in hiding on the second."""

    package: Any
    quiet: str
    busy: str
    options: Mapping[str, Any]
    touched: Sequence[Mapping[str, Any]]


# Lock 'n Load: a third command in the cellars of a far corner

CASPER = """
[[command]]
key = "casper"
side = "ge"
name = "Casper"
plans_only = true
"""
QUIET = """
[[force]]
key = "lurker"
command = "casper"
counter = "ge_grenadier"
at = "H2"
"""
BUSY = """
[[force]]
key = "lurker"
command = "casper"
counter = "ge_second_line"
at = "H2"
weapons = ["mg34"]

[[force]]
key = "other"
command = "casper"
counter = "ge_grenadier"
at = "H2"

[[plan]]
force = "other"
legs = [{ path = "H1", pace = "low_crawl" }]
note = "Keep low."
"""


def lock_n_load() -> World:
    head, tail = SKIRMISH.replace("turns = 3", f"turns = {TURNS}").split("[[force]]", 1)
    head = head.replace(". b . w . S . .", ". b . w . S . F").replace(". . . w . . . .", ". . . w . . F F")
    quiet, busy = (f"{head}{CASPER}{more}\n[[force]]{tail}" for more in (QUIET, BUSY))
    touched = (
        {"verb": "Change", "field": "is_shaken", "value": True},
        {"verb": "Change", "field": "is_shaken", "value": False},
        {"verb": "Change", "field": "ops_complete", "value": True},
    )
    return World(LNL, quiet, busy, {"play": "blind"}, touched)


# FireForce: a camp behind the hills

CAMP = """
[[command]]
key = "camp"
side = "guerrilla"
name = "Camp"
open = false
plans_only = true
"""


def fireforce() -> World:
    head = HEAD.format(turns=TURNS, plans_only="false") + CAMP
    head += area("screen", "jungle", 30, 0, 34, 36) + area("lair", "jungle", 40, 28, 48, 36)
    text = head + unit("first", "platoon", men("f", row(8, 10, 3), 0))
    text += unit("band", "cell", men("b", row(16, 12, 3), 0, "ak47"))
    guards = men("g", row(44, 34, 2), 0, "ak47")
    quiet = text + unit("guard", "camp", guards)
    busy = text + unit("guard", "camp", men("g", row(45, 33, 3), 2, "ak47"), quality="green")
    busy += unit("cook", "camp", men("k", row(44, 35, 2), 0, "ak47"))
    busy += '\n[[plan]]\nforce = "cook"\nlegs = [{ path = [[46, 35]] }]\nnote = "Fetch water."\n'
    touched = ({"verb": "Change", "field": "body_armour", "value": True}, {"verb": "MoveTo", "at": [4500, 3400]})
    return World(FIREFORCE, quiet, busy, {"hidden": "map"}, touched)


# A server


class Server:
    """A battle over HTTP, and all that its players and an observer got, in the order in which they got it."""

    def __init__(self, owner: Any, monkeypatch: Any, world: World, text: str) -> None:
        package = world.package
        monkeypatch.setattr(type(package), "scenarios", lambda self: {"small": text})
        battle, seats = battle_create(owner=owner, system=package.system, scenario="small", options=world.options)
        umpire = next(seat for seat, _ in seats if seat.role == Seat.Role.UMPIRE)
        observer = seat_create(battle=battle, by=umpire, name="observer", role="observer")
        codes = {seat.name if seat.role != "umpire" else "umpire": code for seat, code in [*seats, observer]}
        self.table = Table(battle, codes)
        self.players = [name for name in codes if name not in ("umpire", "observer", "Casper", "Camp")]
        self.got: dict[str, list[Any]] = {name: [] for name in (*self.players, "observer")}
        self.worker()

    def worker(self) -> None:
        """What the worker would do, until nothing is due."""
        while rows := list(Outbox.objects.filter(battle=self.table.battle, done=None)):
            for due in rows:
                carry_due(battle_id=self.table.battle.id, line=due.line, depth=due.depth)

    def send(self, name: str, method: str, path: str, body: Any = None, **headers: str) -> Any:
        answer = self.table[name].send(method, f"{self.table.at}{path}", body, **headers)
        self.got[name].append((method, path, answer.status_code, sorted(answer.headers.items()), answer.content))
        return answer

    def look(self) -> None:
        for name in self.got:
            for path in READS:
                self.send(name, "GET", path)

    def act(self, name: str, order: Any) -> None:
        """Gives an order on the newest view, and whatever is asked then is answered by its default."""
        chair: Chair = self.table[name]
        chair.view()
        key = f"key-{len(self.got[name])}"
        answer = self.send(name, "POST", "/orders", {"order": order}, Idempotency_Key=key, If_Match=chair.tag)
        assert answer.status_code == 201, answer.content
        for _ in range(20):
            self.worker()
            asked = [(each, one) for each in self.players for one in self.send(each, "GET", "/questions").json()]
            if not asked:
                return
            who, card = asked[0]
            choices = {"choices": card["question"]["default"]}
            key = f"key-{len(self.got[who])}"
            self.send(who, "POST", f"/questions/{card['id']}/answer", choices, Idempotency_Key=key)

    def next_order(self, random: Random) -> tuple[str, Any] | None:
        """A random order of some player; every other time one that needs no choice, for these move a battle on."""
        head = read_head(self.table.battle.id)
        if head.package.outcome(head.state).is_over:
            return None
        for name in random.sample(self.players, len(self.players)):
            chair = chair_of(self.table.seats[name])
            believed = believed_of(head.package, head.state, chair)
            subjects = head.package.subjects(believed, chair)
            pieces = [None, *random.sample(subjects, min(3, len(subjects)))]
            forms = [form for piece in pieces for form in head.package.options(believed, chair, piece)]
            forms = [form for form in forms if form.verb not in ASIDE or random.random() < 0.02]
            plain = [form for form in forms if not form.slots]
            if forms:
                form = random.choice(plain if plain and random.random() < 0.6 else forms)
                return name, head.package.sample(believed, chair, form, random)
        return self.next_order(random)

    def touch(self, world: World, random: Random) -> None:
        """The umpire's hand is in the hidden command's troops, and writes to it."""
        truth = self.table["umpire"].view()["pieces"]
        hidden = [key for key, piece in sorted(truth.items()) if piece["command"] in ("casper", "camp")]
        units = [key for key in hidden if truth[key]["kind"] in ("unit", "figure")]
        if units:
            correction = {**random.choice(world.touched), "piece": random.choice(units)}
            body = {"correction": correction, "reason": "x"}
            answer = self.table["umpire"].act(f"{self.table.at}/corrections", body)
            assert answer.status_code in (201, 422), answer.content
        command = "casper" if world.package is LNL else "camp"
        sent = self.table["umpire"].act(f"{self.table.at}/messages", {"to": command, "text": "Stay low."})
        assert sent.status_code == 201, sent.content
        self.worker()

    def compared(self, name: str) -> str:
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "A MOMENT", repr(self.got[name]))
        models = (Seat, Order, Message, Question)
        ids = {str(one) for model in models for one in model.objects.values_list("id", flat=True)}
        met: dict[str, str] = {}
        pattern = re.compile("|".join(map(re.escape, sorted({*ids, self.table.battle.id}))))
        return pattern.sub(lambda found: met.setdefault(found[0], f"ID {len(met)}"), text)


@pytest.fixture
def owner(django_user_model: Any, db: None, monkeypatch: Any) -> Iterator[Any]:
    drawn = SimpleNamespace(token_bytes=lambda count: b"\x07" * count)
    monkeypatch.setattr("umpire.battles.services.games.secrets", drawn)
    yield django_user_model.objects.create_user("owner", password="a long password")
    counts.clear()


def first_difference(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 600) : at + 100]}\n\n---\n\n…{other[max(0, at - 600) : at + 100]}"


def differences(one: Server, other: Server) -> Iterator[str]:
    """Where what a seat got from both servers differs, for each seat."""
    for name in one.got:
        first, second = one.compared(name), other.compared(name)
        if first != second:
            yield f"{name}: {first_difference(first, second)}"


@pytest.mark.parametrize("seed", range(max(1, BATTLES)))
@pytest.mark.parametrize("made", [lock_n_load, fireforce], ids=["lnl", "fireforce"])
def test_whole_battles_on_twin_servers_are_the_same_to_both_sides(
    owner: Any, monkeypatch: Any, made: Any, seed: int
) -> None:
    world: World = made()
    random, aside = Random(f"battle {seed}"), Random(f"hidden {seed}")
    one = Server(owner, monkeypatch, world, world.quiet)
    other = Server(owner, monkeypatch, world, world.busy)
    for number in range(ACTS):
        if number % EVERY == 0:
            other.touch(world, aside)
            one.look()
            other.look()
        if (chosen := one.next_order(random)) is None:
            break
        for server in (one, other):
            server.act(*chosen)
        counts.clear()
    else:
        raise AssertionError(f"the battle is not over after {ACTS} orders")
    one.look()
    other.look()
    assert list(differences(one, other)) == []


def all_may_read(monkeypatch: Any) -> None:
    """Every event of Lock 'n Load is public."""
    monkeypatch.setattr(type(LNL), "publishes", lambda self, before, event: True)


def all_are_seen(monkeypatch: Any) -> None:
    """Hidden men of FireForce are contacts as if they stood on the table."""
    real = notice.on_table

    def on_table(state: Any, command: str, among: Any = None) -> Any:
        part = state.commands[command]
        men = {key: replace(man, is_placed=True) for key, man in of(part, Figure).items()}
        return real(replace(state, commands={**state.commands, command: having(part, men)}), command, among)

    monkeypatch.setattr(notice, "on_table", on_table)


@pytest.mark.parametrize(
    ("made", "plant"), [(lock_n_load, all_may_read), (fireforce, all_are_seen)], ids=["lnl", "fireforce"]
)
def test_a_leak_is_found_as_soon_as_both_look(owner: Any, monkeypatch: Any, made: Any, plant: Any) -> None:
    world: World = made()
    plant(monkeypatch)
    one = Server(owner, monkeypatch, world, world.quiet)
    other = Server(owner, monkeypatch, world, world.busy)
    other.touch(world, Random("hidden 0"))
    one.look()
    other.look()
    assert {found.partition(":")[0] for found in differences(one, other)} & set(one.players)
