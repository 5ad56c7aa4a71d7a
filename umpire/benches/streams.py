"""A thousand open event streams on one web process: its memory, its threads, and how soon all of them hear of news.

The server runs in a process of its own, on a database of its own; this one opens the streams. `/proc` says what the
server uses, so this runs on Linux alone.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from umpire.benches.processes import environment
from umpire.testing import benching

STREAMS = 1000
MEMORY_BUDGET = 100.0
PROCESS_BUDGET = 200.0
"""Our own figure: the rules packages and their libraries weigh most of it."""
THREADS_BUDGET = 20
WAKE_BUDGET = 2.0
"""Seconds from the commit of an order to the last of a thousand streams that tell of it; our own figure."""


def rows() -> list[benching.Row]:
    """Opens the streams, measures, closes them; some ten seconds."""
    yardstick = benching.yardstick()
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as place:
        settings = os.environ.get("DJANGO_SETTINGS_MODULE", "umpire.settings.play")
        server = subprocess.Popen(
            [sys.executable, "-m", "umpire.benches.streams", place],
            env={**environment(place), "DJANGO_SETTINGS_MODULE": settings},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            before = _memory(server.pid)
            measured = asyncio.run(_measure(server.pid, told))
        finally:
            server.terminate()
            server.wait(30)
    memory, threads, files, seconds = measured
    plain = (
        ("live: memory that 1,000 open streams take", memory - before, "MB", MEMORY_BUDGET),
        ("live: memory of the web process with them", memory, "MB", PROCESS_BUDGET),
        ("live: threads with 1,000 open streams", threads, "", THREADS_BUDGET),
        ("live: database files open meanwhile", files, "", 1),
    )
    # What does not depend on the machine's speed is held against no yardstick.
    counted = [
        benching.row(name, value, unit, budget, yardstick, reference=yardstick) for name, value, unit, budget in plain
    ]
    return [*counted, benching.row("live: news told to 1,000 streams", seconds, "s", WAKE_BUDGET, yardstick)]


async def _measure(pid: int, told: dict[str, Any]) -> tuple[float, int, int, float]:
    port, token = told["port"], told["token"]
    opened = [await _open(port, ticket) for ticket in told["tickets"]]
    await asyncio.sleep(1.0)
    memory, threads = _memory(pid), int(_status(pid, "Threads"))
    links = [os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir() if one.exists()]
    files = sum("bench.sqlite3" in link for link in links)
    waiting = [asyncio.ensure_future(_until_news(reader)) for reader, _ in opened]
    start = time.perf_counter()
    await asyncio.to_thread(_order, port, token, told["battle"], told["order"])
    await asyncio.wait_for(asyncio.gather(*waiting), 60)
    seconds = time.perf_counter() - start
    for _, writer in opened:
        writer.close()
    return memory, threads, files, seconds


def _status(pid: int, name: str) -> str:
    """A figure that the system keeps of a process."""
    found = re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return found[1]


def _memory(pid: int) -> float:
    """Megabytes that a process holds in memory."""
    return int(_status(pid, "VmRSS")) / 1024


async def _open(port: int, ticket: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /live/?ticket={ticket} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    head = await reader.readuntil(b"retry:")
    assert b" 200 " in head.split(b"\r\n")[0], head
    return reader, writer


async def _until_news(reader: asyncio.StreamReader) -> None:
    await reader.readuntil(b"event: news")


def _order(port: int, token: str, battle: str, order: dict[str, Any]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {token}"}
    connection.request("GET", f"/api/v1/battles/{battle}/view", headers=headers)
    answer = connection.getresponse()
    answer.read()
    headers |= {"If-Match": answer.headers["ETag"], "Idempotency-Key": "bench", "Content-Type": "application/json"}
    connection.request("POST", f"/api/v1/battles/{battle}/orders", json.dumps({"order": order}), headers)
    answer = connection.getresponse()
    assert answer.status == 201, answer.read()
    connection.close()


def serve() -> None:
    """The server's process: makes a battle with tickets for all streams, says so on its output, and serves."""
    import django

    django.setup()
    import uvicorn
    from django.core.management import call_command
    from django.db import connections

    from umpire.asgi import application
    from umpire.embedded import listen

    call_command("migrate", interactive=False, verbosity=0)
    listening = listen("127.0.0.1", 0)
    told = _prepared()
    connections.close_all()
    print(json.dumps({"port": listening.getsockname()[1], **told}), flush=True)
    config = uvicorn.Config(application, log_config=None, access_log=False, timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])


def _prepared() -> dict[str, Any]:
    from umpire.battles.models import Device, Seat
    from umpire.battles.services import battle_create, seat_join
    from umpire.kernel.registry import register
    from umpire.live import hub
    from umpire.live.grants import Grant
    from umpire.live.tickets import ticket_issue
    from umpire.testing.skirmish import PACKAGE

    hub.MOST_OF_SEAT = hub.MOST_OF_ONE = STREAMS  # a thousand tablets at four seats
    register(PACKAGE)
    battle, made = battle_create(owner=None, system="skirmish", scenario="the-lane")
    players = [(seat, code) for seat, code in made if seat.role == Seat.Role.PLAYER]
    tokens = {seat.commands[0]: seat_join(code=code)[1] for seat, code in players}
    devices = list(Device.objects.filter(seat__battle=battle))
    grants = [Grant(seat=device.seat_id, device=device.pk) for device in devices]
    tickets = [ticket_issue(grant=grants[n % len(grants)])[0] for n in range(STREAMS)]
    order = {"verb": "end_turn", "command": "blue_1"}
    return {"battle": battle.id, "token": tokens["blue_1"], "tickets": tickets, "order": order}


benching.register("live", rows)

if __name__ == "__main__":
    serve()
