"""The hosted form under load: PostgreSQL and Redis of its own, one web process, battles with all their streams open.

What sends the requests is this process, so two cores are wanted: one for the web process, one for the rest. Each battle
is played in a round of five requests, as tablets send them: an order that is news to all seats, then what its news has
them ask for (the view and the options of who is next, the view of another, a `sync`). Waits are counted from the
moment at which a request was due, not from that at which it could be sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import django

from umpire.benches.orders import scenario
from umpire.chaos.processes import free_port, python
from umpire.chaos.run import hosted
from umpire.testing import benching

HEAD = "Host: localhost\r\nX-Forwarded-Proto: https\r\n"
UNDER_LOAD, RATE = 10, 250.0
"""Battles, and requests a second of them all; one in five is an order."""
PLAYED, PACE = 20, 3.0
"""Battles that are played as people do, and the seconds between two orders in each."""
SECONDS, WARM = 12.0, 2.0
COMMANDS = ("blue_1", "blue_2", "red_1", "red_2")


def rows() -> list[benching.Row]:
    """Starts the servers, plays, ends them; about a minute."""
    yardstick = benching.yardstick()
    place = Path(tempfile.mkdtemp(prefix="umpire-bench-"))
    place.chmod(0o755)
    with hosted(place) as form:
        form.environ["LOG_LEVEL"] = "ERROR"
        tables = form.python("-m", "umpire.benches.hosted", "make", str(PLAYED))
        port = free_port()
        arguments = ["-m", "uvicorn", "umpire.asgi:application", "--http", "umpire.serving.capacity:Protocol"]
        arguments += ["--port", str(port), "--no-server-header", "--no-access-log"]
        web = form.add(python("web", arguments, form.environ, place, port))
        web.wait()
        pid = web.family()[0]
        load, most, calm = asyncio.run(_measured(port, pid, tables))
    web_process, calmly = f"one web process, {UNDER_LOAD} battles", f"while {PLAYED} battles are played"
    return [
        benching.row(f"hosted: requests of {web_process}", most.rate, "requests/s", RATE, yardstick, is_floor=True),
        benching.row(f"hosted: processor time of {web_process}, a request", load.cpu, "ms", 1000 / RATE, yardstick),
        benching.row(f"hosted: order at {RATE:.0f} requests/s, p95", load.order, "ms", 100, yardstick),
        benching.row(f"hosted: order {calmly}, p95", calm.order, "ms", 40, yardstick),
    ]


class Figures:
    """What was measured: requests a second, milliseconds of the web process's time for each, p95 of an order in ms."""

    def __init__(self) -> None:
        self.orders: list[float] = []
        self.requests = 0
        self.rate = self.cpu = 0.0

    @property
    def order(self) -> float:
        return statistics.quantiles(self.orders, n=20)[-1] * 1000


async def _measured(port: int, pid: int, tables: list[dict[str, Any]]) -> tuple[Figures, Figures, Figures]:
    """Ten battles at the rate that is wanted, and as fast as they are answered; then all of them at people's pace."""
    battles = [Battle(port, table) for table in tables]
    for battle in battles[:UNDER_LOAD]:
        await battle.open()
    load = await _played(pid, battles[:UNDER_LOAD], UNDER_LOAD * 5 / RATE)
    most = await _played(pid, battles[:UNDER_LOAD], 0.0)
    for battle in battles[UNDER_LOAD:]:
        await battle.open()
    calm = await _played(pid, battles, PACE)
    for battle in battles:
        battle.close()
    return load, most, calm


async def _played(pid: int, battles: list[Battle], every: float) -> Figures:
    """Plays battles at once for a while, a round of each every so many seconds (0: as fast as they are answered)."""
    figures = Figures()
    begin = time.perf_counter()
    share = every / len(battles)
    playing = [
        asyncio.ensure_future(battle.play(begin + number * share, every, figures))
        for number, battle in enumerate(battles)
    ]
    await asyncio.sleep(WARM)
    figures.orders.clear()
    start, spent, before = time.perf_counter(), _spent(pid), figures.requests
    await asyncio.sleep(SECONDS)
    taken = time.perf_counter() - start
    requests = figures.requests - before
    figures.rate, figures.cpu = requests / taken, (_spent(pid) - spent) / requests * 1000
    for battle in battles:
        battle.is_over = True
    await asyncio.gather(*playing)
    return figures


def _spent(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Tablet:
    """A seat with one kept connection for its requests and one for its stream."""

    def __init__(self, port: int, battle: str, token: str) -> None:
        self.port, self.path, self.token, self.tag = port, f"/api/v1/battles/{battle}", token, ""
        self.last = self.orders = self.sent = 0
        self.heard: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self._connect()
        await self.look()
        url = (await self.send("POST", f"{self.path}/ticket", {}))["url"]
        self.stream, self.streaming = await asyncio.open_connection("127.0.0.1", self.port)
        self.streaming.write(f"GET {url} HTTP/1.1\r\n{HEAD}\r\n".encode())
        self.heard = asyncio.ensure_future(self._hear())

    async def _connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def _hear(self) -> None:
        while await self.stream.read(65536):
            pass

    async def send(self, method: str, path: str, body: Any = None) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\n{HEAD}Content-Length: {len(data)}\r\n"
        head += f"Authorization: Bearer {self.token}\r\n"
        if body is not None:
            self.sent += 1
            head += f"Content-Type: application/json\r\nIdempotency-Key: {self.token[:8]}-{self.sent}\r\n"
            head += f'If-Match: "{self.tag}"\r\n'
        if self.reader.at_eof():  # the server ends what says nothing for some seconds
            await self._connect()
        try:
            self.writer.write(f"{head}\r\n".encode() + data)
            said = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        except (ConnectionError, asyncio.IncompleteReadError):  # or ended it just now; a key is answered once
            await self._connect()
            self.writer.write(f"{head}\r\n".encode() + data)
            said = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        content = await self.reader.readexactly(int(_header(said, "content-length")))
        if not said.startswith("HTTP/1.1 20"):
            raise RuntimeError(f"{said.splitlines()[0]}: {content[:300]!r}")
        if tag := _header(said, "etag"):
            self.tag = tag.strip('"')
        return json.loads(content)

    async def look(self) -> None:
        self.last = (await self.send("GET", f"{self.path}/view"))["news"]

    async def sync(self) -> None:
        told = await self.send("GET", f"{self.path}/sync?after={self.last}&tag={self.tag}&orders={self.orders}")
        self.last, self.orders = told["last"], max([self.orders, *(order["changed"] for order in told["orders"])])

    async def end_turn(self, command: str) -> None:
        await self.send("POST", f"{self.path}/orders", {"order": {"verb": "end_turn", "command": command}})

    async def options(self) -> None:
        await self.send("GET", f"{self.path}/options?all=true")

    def close(self) -> None:
        if self.heard is not None:
            self.heard.cancel()
        self.writer.close()
        self.streaming.close()


def _header(said: str, name: str) -> str:
    """A header of an answer; "" where it has none."""
    return said.lower().partition(f"\r\n{name}: ")[2].partition("\r\n")[0]


class Battle:
    """One table: four players and the umpire, all with their streams."""

    def __init__(self, port: int, table: dict[str, Any]) -> None:
        self.tablets = {who: Tablet(port, table["battle"], token) for who, token in table["tokens"].items()}
        self.is_over = False
        self.turns = cycle(range(len(COMMANDS)))

    async def open(self) -> None:
        for tablet in self.tablets.values():
            await tablet.open()

    def requests(self) -> Iterator[tuple[bool, Any]]:
        """Requests with whether each is an order, until it is over; each round begins with who is on turn."""
        while not self.is_over:
            number = next(self.turns)
            one, two, three, _ = (self.tablets[COMMANDS[(number + n) % 4]] for n in range(4))
            yield True, one.end_turn(COMMANDS[number])
            yield False, two.look()
            yield False, two.options()
            yield False, three.sync()
            yield False, self.tablets["umpire"].look()

    async def play(self, start: float, every: float, figures: Figures) -> None:
        """Sends a round of five requests in so many seconds until the end of a round at which it is over."""
        due = start
        self.is_over = False
        for is_order, request in self.requests():
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            asked = due if every else time.perf_counter()
            await request
            figures.requests += 1
            if is_order:
                figures.orders.append(time.perf_counter() - asked)
            due += every / 5

    def close(self) -> None:
        for tablet in self.tablets.values():
            tablet.close()


def make(count: int) -> list[dict[str, Any]]:
    """Makes battles in a migrated database: their ids and a token of each seat."""
    from django.core.management import call_command

    from umpire.battles.services import seat_join
    from umpire.battles.services.games import battle_of
    from umpire.kernel.registry import package_of

    call_command("migrate", interactive=False, verbosity=0)
    setting = package_of("skirmish").load(scenario(0), file="bench", options={})
    found = []
    for _ in range(count):
        battle, seats = battle_of(owner=None, system="skirmish", scenario="bench", setting=setting)
        tokens = {seat.commands[0] if seat.commands else "umpire": seat_join(code=code)[1] for seat, code in seats}
        found.append({"battle": battle.id, "tokens": tokens})
    return found


benching.register("hosted", rows)

if __name__ == "__main__":
    django.setup()
    print(json.dumps(make(int(sys.argv[2]))))
