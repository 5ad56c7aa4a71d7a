"""The run: a server in one of its forms, tablets, and somebody who kills and freezes its processes at random."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from umpire.chaos import processes
from umpire.chaos.clients import LOST, Caller, Figures, Guest, Host, Listener, Player, Umpire
from umpire.chaos.processes import ROOT, Process, free_port
from umpire.chaos.table import TOY

BATTLES = 2
SETTLES_WITHIN = 90.0
"""Seconds after the last blow in which everything must have come to rest."""
SHORT, LONG = (0.3, 3.0), (9.0, 20.0)
"""Seconds for which something is frozen, mostly and now and then: the longer ones outlast everybody's patience."""

Blow = tuple[str, Process, str]
KINDS: Mapping[tuple[bool, bool], type[Player]] = {
    (True, True): Umpire,
    (True, False): Player,
    (False, True): Host,
    (False, False): Guest,
}
"""Who sits on a seat: in a battle of the toy or of another system, on the umpire's seat or on another."""


class Form:
    """A form of the server: what runs, where it answers, with what environment, and what may befall it."""

    def __init__(self, name: str, environ: Mapping[str, str]) -> None:
        self.name, self.environ = name, dict(environ)
        self.all: list[Process] = []
        self.ports: list[int] = []
        self.blows: list[tuple[Process, str]] = []

    def add(self, process: Process, *blows: str) -> Process:
        self.all.append(process)
        self.blows += [(process, blow) for blow in blows]
        process.start()
        return process

    def python(self, *arguments: str) -> Any:
        """What a process of the server's own environment says, as JSON."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environ, capture_output=True, text=True, timeout=300
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        return json.loads(done.stdout)


@contextmanager
def hosted(place: Path) -> Iterator[Form]:
    """PostgreSQL and Redis of our own, two web processes, a worker with two children."""
    postgres_port, redis_port = free_port(), free_port()
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "umpire.settings.production",
        "SECRET_KEY": uuid.uuid4().hex * 3,
        "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{postgres_port}/postgres",
        "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
        "ALLOWED_HOSTS": "localhost",
        "LOG_LEVEL": "INFO",
        "OFFER_EXAMPLES": "1",
    }
    form = Form("hosted", environ)
    with _ending(form):
        postgres = form.add(processes.postgresql(place, postgres_port), "freeze", "freeze", "kill one", "quit")
        redis = form.add(processes.redis(place, redis_port), "freeze", "freeze", "kill")
        postgres.wait()
        redis.wait()
        yield form


def hosted_servers(form: Form, place: Path) -> None:
    """What serves, once the database is migrated."""
    for name in ("web a", "web b"):
        port = free_port()
        arguments = ["-m", "uvicorn", "umpire.asgi:application", "--http", "umpire.serving.capacity:Protocol"]
        arguments += ["--port", str(port), "--no-server-header", "--no-access-log"]
        form.ports.append(port)
        form.add(processes.python(name, arguments, form.environ, place, port), "freeze", "kill")
    arguments = ["-m", "celery", "-A", "umpire.celery", "worker", "--loglevel", "INFO", "--concurrency", "2"]
    form.add(processes.python("worker", arguments, form.environ, place, 0), "freeze", "kill", "kill one")


@contextmanager
def embedded(place: Path) -> Iterator[Form]:
    """Everything in one process, on SQLite."""
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "umpire.settings.play",
        "OFFER_EXAMPLES": "1",
        "UMPIRE_VAR": str(place / "var"),
        "DATABASE_URL": "",
        "REDIS_URL": "",
    }
    form = Form("embedded", environ)
    with _ending(form):
        yield form


def embedded_servers(form: Form, place: Path) -> None:
    port = free_port()
    form.ports.append(port)
    arguments = ["manage.py", "play", "--port", str(port), "--host", "127.0.0.1"]
    form.add(processes.python("play", arguments, form.environ, place, port), "freeze", "kill")


@contextmanager
def _ending(form: Form) -> Iterator[None]:
    try:
        yield
    finally:
        for process in reversed(form.all):
            process.stop()


FORMS: dict[str, tuple[Callable[[Path], Any], Callable[[Form, Path], None]]] = {
    "hosted": (hosted, hosted_servers),
    "embedded": (embedded, embedded_servers),
}


def run(name: str, seconds: float, seed: int, say: Callable[[str], None], system: str = TOY) -> list[str]:
    """Chaos with one form of the server and battles of one system for some seconds: what was wrong afterwards, in
    words."""
    opened, servers = FORMS[name]
    place = Path(tempfile.mkdtemp(prefix="umpire-chaos-"))
    place.chmod(0o755)
    faults: list[str] = ["it did not come to its end"]
    try:
        with opened(place) as form:
            made = form.python("-m", "umpire.chaos.table", "make", str(BATTLES), system)
            servers(form, place)
            for process in form.all:
                process.wait()
            faults = _Evening(form, made, seed, say).play(seconds)
            say(f"  begun again: {_listed(_restarts(form))}")
            for process in form.all:
                for line, count in Counter(process.raised()).most_common():
                    say(f"  in the log of {process.name}, {count} times: {line}")
        return faults
    finally:
        if faults:
            say(f"  the logs are in {place}")
        else:
            shutil.rmtree(place, ignore_errors=True)


def _restarts(form: Form) -> dict[str, int]:
    return {process.name: process.restarts for process in form.all}


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count) or "none"


class _Evening:
    """One run: the tablets, the blows, and the reckoning."""

    def __init__(self, form: Form, made: list[dict[str, Any]], seed: int, say: Callable[[str], None]) -> None:
        self.form, self.made, self.say, self.seed = form, made, say, seed
        self.random = random.Random(f"{seed} blows")
        self.figures = Figures()
        self.stopping = threading.Event()
        self.dealt: Counter[str] = Counter()
        self.players: list[Player] = []
        self.listeners: list[Listener] = []
        for table in made:
            for seat, code in table["codes"].items():
                kind = KINDS[table.get("system", TOY) == TOY, seat == "umpire"]
                self.players.append(kind(seat, table["battle"], code, self.caller(seat, table), self.stopping))
                self.listeners.append(Listener(seat, table["battle"], code, self.caller(f"{seat} listens", table)))

    def caller(self, name: str, table: dict[str, Any]) -> Caller:
        return Caller(self.form.ports, self.figures, f"{self.seed} {name} {table['battle']}")

    def play(self, seconds: float) -> list[str]:
        for thread in (*self.listeners, *self.players):
            thread.start()
        time.sleep(1)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.deal(deadline)
            time.sleep(self.random.uniform(0.2, 1.0))
        start = time.monotonic()
        self.mend()
        self.stopping.set()
        for player in self.players:
            player.join(SETTLES_WITHIN)
            if player.is_alive():
                self.figures.fault(f"{player.seat} has had no answer for {SETTLES_WITHIN:.0f} seconds")
        self.reckon(self.settled())
        self.tell(time.monotonic() - start)
        return self.figures.faults

    # Blows

    def deal(self, deadline: float) -> None:
        """One blow, or two at the same time."""
        first = self.random.choice(self.form.blows)
        held = self.begin(*first)
        if self.random.random() < 0.3:
            second = self.random.choice([blow for blow in self.form.blows if blow[0] is not first[0]] or [first])
            if second[0] is not first[0]:
                held += self.begin(*second)
        if held:
            is_long = self.random.random() < 0.15 and deadline - time.monotonic() > LONG[1]
            time.sleep(self.random.uniform(*(LONG if is_long else SHORT)))
            for process in held:
                process.thaw()
        for process in self.form.all:
            process.revive()
        if self.random.random() < 0.8:  # mostly somebody serves again before the next blow falls
            end = time.monotonic() + 20
            while time.monotonic() < end and not any(one.is_up() for one in self.form.all if one.port):
                time.sleep(0.1)
            time.sleep(self.random.uniform(0, 1.5))

    def begin(self, process: Process, blow: str) -> list[Process]:
        """Deals a blow; gives the process where it is frozen."""
        self.dealt[f"{blow} {process.name}"] += 1
        if blow == "freeze":
            process.freeze()
            return [process]
        if blow == "kill":
            process.kill()
        elif blow == "quit" and process.running is not None:
            os.kill(process.running.pid, signal.SIGQUIT)
            process.running.wait(30)
        elif blow == "kill one" and (children := process.family()[1:]):
            with suppress(ProcessLookupError):
                os.kill(self.random.choice(children), signal.SIGKILL)
        return []

    def mend(self) -> None:
        """Everything runs again."""
        deadline = time.monotonic() + SETTLES_WITHIN
        for process in self.form.all:
            process.thaw()
        while not all(process.is_up() for process in self.form.all):
            for process in self.form.all:
                process.revive()
            if time.monotonic() > deadline:
                down = [process.name for process in self.form.all if not process.is_up()]
                self.figures.fault(f"does not come up again: {', '.join(down)}")
                return
            time.sleep(0.2)

    # The reckoning

    def settled(self) -> dict[str, dict[str, Any]]:
        """What the database says of each battle when nothing is left to be done."""
        deadline = time.monotonic() + SETTLES_WITHIN
        while True:
            for player in self.players:
                player.answer_all()
            found = self.form.python("-m", "umpire.chaos.table", "look", *[table["battle"] for table in self.made])
            pending = {"held", "waiting", "sealed"}
            if not any(told["to_do"] or pending & set(told["orders"].values()) for told in found):
                return {told["battle"]: told for told in found}
            if time.monotonic() > deadline:
                self.figures.fault("hidden plans or held orders are still to be done: nobody does them")
                return {told["battle"]: told for told in found}
            time.sleep(0.5)

    def reckon(self, found: dict[str, dict[str, Any]]) -> None:
        fault = self.figures.fault
        for battle, told in found.items():
            players = [player for player in self.players if player.battle == battle]
            acknowledged = [order for player in players for order in player.orders]
            written = [text for player in players for text in player.messages]
            if lost := set(acknowledged) - set(told["orders"]):
                fault(f"{len(lost)} acknowledged orders are lost")
            if more := set(told["orders"]) - set(acknowledged):
                fault(f"{len(more)} orders were done that nobody was told of: doubled")
            if len(acknowledged) != len(set(acknowledged)):
                fault("one order was the answer to two keys")
            if Counter(written) != Counter(told["messages"]):
                fault(f"{len(written)} messages were acknowledged, {len(told['messages'])} are there")
            places = [tuple(place) for place in told["places"]]
            if len(places) != len(set(places)):
                fault("two orders stand at one place of the ledger")
            for seat, (count, last) in told["numbers"].items():
                if count != last:
                    fault(f"the news of {seat} have gaps: {count} up to {last}")
            self.figures.counts["plans carried on"] += told["carried"]
            for wrong in told["faults"]:
                fault(f"the ledger of {battle}: {wrong}")
        for listener in self.listeners:
            self.compare(listener)

    def compare(self, listener: Listener) -> None:
        """The same view on all processes, and the one that the stream has led to."""
        shown = {}
        path = f"battles/{listener.battle}/view"
        for port in self.form.ports:
            for attempt in range(5):
                try:
                    status, told, content = listener.caller.send("GET", path, port=port)
                except LOST:
                    status = 0
                if status == 200:
                    shown[port] = (told["etag"], content["view"], content["news"])
                    break
                time.sleep(0.5 * (attempt + 1))
            else:
                self.figures.fault(f"no view for {listener.seat} from one process")
                return
        first, *others = shown.values()
        if any(other != first for other in others):
            self.figures.fault(f"{listener.seat} sees different things on different processes")
        deadline = time.monotonic() + 30
        while listener.last < first[2] and time.monotonic() < deadline:
            time.sleep(0.1)
        listener.ended.set()
        if listener.last != first[2]:
            self.figures.fault(f"the stream of {listener.seat} came to {listener.last} of {first[2]}")
        elif listener.view != first[1]:
            self.figures.fault(f"the stream of {listener.seat} led to another view")

    def tell(self, seconds: float) -> None:
        waits = sorted(self.figures.waits) or [0.0]
        self.say(f"  blows: {sum(self.dealt.values())} ({_listed(self.dealt)})")
        self.say(f"  {_listed(self.figures.counts)}")
        self.say(
            f"  an acknowledgement took {waits[len(waits) // 2]:.2f} s at the median, "
            f"{waits[int(len(waits) * 0.95)]:.2f} s at 95 of 100, {waits[-1]:.2f} s at most; "
            f"all was at rest {seconds:.1f} s after the last blow"
        )
