"""How fast the server takes orders, carries on hidden forces and catches tablets up, on a SQLite file of its own.

The measuring runs in a process of its own (`python -m umpire.benches.orders`), with the settings of `make play`.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import msgspec

from umpire.benches.processes import rows_of
from umpire.testing import benching

ORDERS = 150
PLANS = 40
MEANWHILE = 60
"""Orders given while the plans are carried on: with few of them the 95th percentile is the slowest, or beyond it."""
EVENTS = 5_000


def rows() -> list[benching.Row]:
    """Measures in a process of its own; some twenty seconds."""
    return rows_of("umpire.benches.orders")


benching.register("server", rows)


def scenario(bands: int) -> str:
    """An open lane, with so many hidden bands that each have a plan, far from the four that act: then a long one."""
    units = [_unit("blue_1", 0), _unit("blue_2", 2), _unit("red_1", 6), _unit("red_2", 8)]
    for number in range(bands):
        plan = f"reserve = true\nplan = {{ goal = {400 + number} }}"
        units.append(f"{_unit('red_2', 20 + 2 * number)}\n{plan}")
    return "\n".join(
        [
            f'title = "Bench"\nlength = {500 if bands else 12}\nturns = 100000\nblind = false',
            '[commands]\nred_1 = "red"\nred_2 = "red"\nblue_1 = "blue"\nblue_2 = "blue"',
            *(f"[[units]]\n{unit}" for unit in units),
        ]
    )


def _unit(command: str, at: int) -> str:
    return f'key = "{command} {at}"\ncommand = "{command}"\nat = {at}\nname = "{command} at {at}"'


class Table:
    """A battle with its seats joined over HTTP."""

    def __init__(self, bands: int) -> None:
        from django.test import Client

        from umpire.battles import services
        from umpire.battles.services.games import battle_of
        from umpire.kernel.registry import package_of

        setting = package_of("skirmish").load(scenario(bands), file="bench", options={})
        self.battle, seats = battle_of(owner=None, system="skirmish", scenario="bench", setting=setting)
        self.seats = {(seat.commands[0] if seat.commands else "umpire"): seat for seat, _ in seats}
        self.tokens = {
            who: services.seat_join(code=code)[1] for (seat, code), who in zip(seats, self.seats, strict=True)
        }
        self.sent = 0
        self.client = Client()

    def send(self, who: str, order: dict[str, Any]) -> float:
        """Seconds of an order over HTTP, from the request to the answer; the view's tag was there before."""
        from umpire.battles.models import Seat

        tag = Seat.objects.only("tag").get(pk=self.seats[who].pk).tag
        self.sent += 1
        start = time.perf_counter()
        answer = self.client.post(
            f"/api/v1/battles/{self.battle.id}/orders",
            data=json.dumps({"order": order}),
            content_type="application/json",
            headers={
                "Authorization": f"Bearer {self.tokens[who]}",
                "Idempotency-Key": f"bench-{self.sent}",
                "If-Match": f'"{tag}"',
            },
        )
        taken = time.perf_counter() - start
        if answer.status_code not in (201, 412):
            raise RuntimeError(f"{answer.status_code}: {answer.content[:300]!r}")
        return taken

    def turns(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Orders without end, each of them news for all seats."""
        for command in cycle(("blue_1", "blue_2", "red_1", "red_2")):
            yield command, {"verb": "end_turn", "command": command}


def p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1] * 1000


def measured() -> Iterator[tuple[str, float, str, float]]:
    """Name, value, unit and budget of each thing measured."""
    table = Table(0)
    turns = table.turns()
    for _ in range(4):
        table.send(*next(turns))
    yield (
        "server: order over HTTP, four seats published, p95",
        p95([table.send(*next(turns)) for _ in range(ORDERS)]),
        "ms",
        30,
    )
    yield from _catch_up(table)
    yield from _ledger(table)
    yield from _hidden()


def _catch_up(table: Table) -> Iterator[tuple[str, float, str, float]]:
    from django.test import Client

    answer: Any = None

    def fetch() -> None:
        nonlocal answer
        answer = Client().get(
            f"/api/v1/battles/{table.battle.id}/sync?after=0",
            headers={"Authorization": f"Bearer {table.tokens['blue_1']}"},
        )

    seconds = benching.best_of(3, fetch)
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status_code}: {answer.content[:300]!r}")
    yield "server: catch-up of a tablet", seconds * 1000, "ms", 200
    yield "server: catch-up of a tablet, compressed", len(gzip.compress(answer.content)) / 1024, "KB", 60


def _ledger(table: Table) -> Iterator[tuple[str, float, str, float]]:
    from umpire.battles.heads import read_head
    from umpire.kernel.ledger import Happened, fold

    head = read_head(table.battle.id)
    happened = [entry for entry in head.entries(0, head.battle.depth) if isinstance(entry, Happened)]
    first = head.state_at(0)
    many = (happened * (EVENTS // len(happened) + 1))[:EVENTS]
    seconds = benching.best_of(3, lambda: fold(head.package, first, many))
    yield "server: ledger of 5,000 events folded", seconds * 1000, "ms", 150


def _hidden() -> Iterator[tuple[str, float, str, float]]:
    table = Table(PLANS)
    turns = table.turns()
    carried, during = [], []
    for _ in range(12):
        carried.append(_timed(lambda: _carry(table)))
        for _ in range(4):
            table.send(*next(turns))
    yield f"server: hidden movement, {PLANS} plans", statistics.median(carried) * 1000, "ms", 150
    for _ in range(MEANWHILE):
        worker = threading.Thread(target=_carry, args=(table,))
        worker.start()
        during.append(table.send(*next(turns)))
        worker.join()
        for _ in range(3):
            table.send(*next(turns))
    yield f"server: order while {PLANS} plans are carried on, p95", p95(during), "ms", 60


def _carry(table: Table) -> None:
    from celery import current_app
    from django.db import connections

    from umpire.battles import outbox
    from umpire.battles.models import Outbox

    row = Outbox.objects.get(battle=table.battle, done=None)
    current_app.tasks[outbox.CARRY](table.battle.id, row.line, row.depth)
    row.refresh_from_db()
    if row.outcome != "carried":
        raise RuntimeError(f"{row.outcome or 'not carried'}")
    if threading.current_thread() is not threading.main_thread():
        connections.close_all()


def _timed(act: Callable[[], Any]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def main() -> None:
    import django

    django.setup()
    from celery import current_app
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    current_app.loader.import_default_modules()
    # The yardstick is taken beside each value: other work on the machine comes and goes.
    found = [benching.row(name, value, unit, budget, benching.yardstick()) for name, value, unit, budget in measured()]
    sys.stdout.buffer.write(msgspec.json.encode(found))


if __name__ == "__main__":
    main()
