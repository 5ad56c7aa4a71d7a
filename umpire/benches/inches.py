"""An evening of the inch game on the server, over real HTTP: orders of sixty men, forty hidden squads on their way.

The server runs in a thread of a process of its own (`python -m umpire.benches.inches`), on a SQLite file of its
own, with the settings of `make play`; the same process sends the requests.
"""

from __future__ import annotations

import gzip
import http.client
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from random import Random
from typing import Any

import msgspec

from umpire.benches.processes import rows_of
from umpire.testing import benching

GAME = "fireforce.testing.bench"
"""Where the crowded scenario is; no app of the server knows a game but by its name."""
EVENINGS = 9
"""Battles: in one the plans are carried on while nothing else goes on, in the next two while orders come."""
PLANS = 40
"""A battle is measured for as long as so many of its plans are carried on."""
MOVING = "motivation_movement"
BREATH = 0.5
"""Seconds between two orders while the plans are carried on."""
IN_A_PHASE = 6
"""Orders of the player before he ends a phase."""
AN_HOUR = 150
"""Pieces of news that a tablet has missed."""


def rows() -> list[benching.Row]:
    """Measures in a process of its own; a minute or so."""
    return rows_of("umpire.benches.inches")


benching.register("server.fireforce", rows)


@contextmanager
def serving() -> Iterator[int]:
    """The port of the whole server, in a thread."""
    import uvicorn

    from umpire.asgi import application

    config = uvicorn.Config(
        application, host="127.0.0.1", port=0, log_config=None, access_log=False, timeout_keep_alive=900
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(10)


class Evening:
    """A battle with four seats that have joined, and the player of the sixty men."""

    def __init__(self, port: int, name: str = "evening") -> None:
        from umpire.battles import services
        from umpire.battles.services.games import battle_of

        setting = import_module(GAME).crowded()
        self.battle, seats = battle_of(owner=None, system="fireforce", scenario="crowded", setting=setting)
        self.umpire = next(seat for seat, _ in seats if seat.role == "umpire")
        gallery = services.seat_create(battle=self.battle, by=self.umpire, name="gallery", role="observer")
        tokens = {seat.name: services.seat_join(code=code)[1] for seat, code in (*seats, gallery)}
        self.seat = next(seat for seat, _ in seats if seat.commands == ["platoon"])
        self.token = tokens[self.seat.name]
        self.port, self.random, self.sent, self.tag = port, Random(name), 0, ""
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def request(self, method: str, path: str, body: Any = None) -> tuple[int, Any, bytes]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if method == "POST":
            self.sent += 1
            headers |= {"Idempotency-Key": f"bench-{self.sent}", "If-Match": f'"{self.tag}"'}
        self.connection.request(method, f"/api/v1/battles/{self.battle.id}/{path}", json.dumps(body), headers)
        answer = self.connection.getresponse()
        data = answer.read()
        return answer.status, answer.headers.get("ETag", ""), data

    def order(self, order: dict[str, Any]) -> float:
        """Seconds from the request to the answer."""
        _, tag, _ = self.request("GET", "view")
        self.tag = tag.strip('"')
        start = time.perf_counter()
        status, _, data = self.request("POST", "orders", {"order": order})
        taken = time.perf_counter() - start
        if status not in (201, 412):
            raise RuntimeError(f"{status}: {data[:400]!r}")
        return taken

    def legal(self) -> dict[str, Any] | None:
        """A random order about one of his men, from what is offered."""
        from umpire.battles.heads import believed_by, chair_of, read_head

        head = read_head(self.battle.id)
        believed, chair = believed_by(head, ("platoon",)), chair_of(self.seat)
        subjects = list(head.package.subjects(believed, chair))
        self.random.shuffle(subjects)
        for subject in subjects[:20]:
            forms = head.package.options(believed, chair, subject)
            if forms:
                return head.package.sample(believed, chair, self.random.choice(forms), self.random)
        return None

    def answer(self) -> None:
        """The umpire answers what waits by its default."""
        from umpire.battles import selectors, services

        while questions := selectors.questions_for(battle=self.battle, seat=self.umpire):
            asked = questions[0]
            choices = asked["question"].get("default", [])
            services.question_answer(
                battle=self.battle, seat=self.umpire, question_id=asked["id"], choices=tuple(choices)
            )

    def state(self) -> Any:
        from umpire.battles.heads import read_head

        return read_head(self.battle.id).state

    def waiting(self) -> Any:
        from umpire.battles.models import Outbox

        return Outbox.objects.filter(battle=self.battle, done=None).first()

    def carry(self) -> float:
        """Seconds in which the worker carries on what is due."""
        from celery import current_app
        from django.db import connections

        from umpire.battles import outbox

        row = self.waiting()
        start = time.perf_counter()
        current_app.tasks[outbox.CARRY](self.battle.id, row.line, row.depth)
        taken = time.perf_counter() - start
        row.refresh_from_db()
        if row.outcome != "carried":
            raise RuntimeError(row.outcome or "not carried")
        if threading.current_thread() is not threading.main_thread():
            connections.close_all()
        return taken


STANDING = {"verb": "GiveStandingOrders", "command": "platoon", "standing": {"fire": "free"}}
"""An order that may be given while the others move."""


def measured(port: int, yardsticks: list[float]) -> Iterator[tuple[str, float, str, float]]:
    """Name, value, unit and budget of each thing measured. The yardstick is taken beside it all: other work on the
    machine comes and goes."""
    orders: list[float] = []
    carried: list[float] = []
    during: list[float] = []
    for number in range(EVENINGS):
        evening = Evening(port, f"evening {number}")
        while evening.state().public.result is None:
            if evening.waiting() is None:
                orders.extend(_phase(evening))
            elif evening.state().public.phase != MOVING:
                evening.carry()
                yardsticks.append(benching.yardstick())
            elif len(_due(evening)) < PLANS:
                break
            elif number % 3:
                during.extend(_meanwhile(evening))
            else:
                carried.append(evening.carry())
    yield "server: FireForce, order over HTTP, four seats published, p95", p95(orders), "ms", 30
    yield f"server: FireForce, {PLANS} plans carried on", statistics.median(carried) * 1000, "ms", 150
    yield "server: FireForce, order while plans are carried on, p95", p95(during), "ms", 60
    yield from _catch_up(evening)


def _phase(evening: Evening) -> Iterator[float]:
    """Seconds of each order of a phase of the player, and of its end."""
    for _ in range(IN_A_PHASE):
        order = evening.legal()
        if order is not None:
            yield evening.order(order)
            evening.answer()
    yield evening.order({"verb": "EndPhase"})


def _meanwhile(evening: Evening) -> Iterator[float]:
    """Seconds of each order that comes while the worker carries the plans on, from players enough to give two a
    second."""
    worker = threading.Thread(target=evening.carry)
    worker.start()
    while worker.is_alive():
        yield evening.order(STANDING)
        worker.join(BREATH)


def _due(evening: Evening) -> tuple[str, ...]:
    from umpire.battles.heads import read_head

    head = read_head(evening.battle.id)
    return head.package.due(head.state)


def _catch_up(evening: Evening) -> Iterator[tuple[str, float, str, float]]:
    from umpire.battles.models import Seat

    last = Seat.objects.get(pk=evening.seat.pk).news_count
    found: list[bytes] = []

    def fetch() -> None:
        status, _, data = evening.request("GET", f"sync?after={max(0, last - AN_HOUR)}")
        if status != 200:
            raise RuntimeError(f"{status}: {data[:400]!r}")
        found.append(data)

    yield "server: FireForce, catch-up of a tablet", benching.best_of(3, fetch) * 1000, "ms", 200
    yield "server: FireForce, catch-up, compressed", len(gzip.compress(found[-1])) / 1024, "KB", 60


def p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1] * 1000


def main() -> None:
    import django

    django.setup()
    from celery import current_app
    from django.conf import settings
    from django.core.management import call_command

    settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = {"anon": None, "join": None}
    call_command("migrate", interactive=False, verbosity=0)
    current_app.loader.import_default_modules()
    with serving() as port:
        yardsticks: list[float] = []
        found = list(measured(port, yardsticks))
    yardstick = statistics.median(yardsticks)
    rows = [benching.row(name, value, unit, budget, yardstick) for name, value, unit, budget in found]
    sys.stdout.buffer.write(msgspec.json.encode(rows))


if __name__ == "__main__":
    main()
