"""The processes of a server, that can be killed, frozen and begun again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

import psycopg

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """One process with all its children. `is_up` says whether it serves; its output goes to a file."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environ: Mapping[str, str],
        place: Path,
        is_up: Callable[[], bool],
        user: str | None = None,
    ) -> None:
        self.name, self.command, self.environ = name, list(command), dict(environ)
        self.is_up, self.user = is_up, user
        self.log = place / f"{name.replace(' ', '-')}.log"
        self.running: subprocess.Popen[bytes] | None = None
        self.restarts = 0
        self.ends_by = signal.SIGTERM
        self.port = 0
        """Where it answers tablets; 0 for all that is no web process."""

    def start(self) -> None:
        output: IO[bytes]
        with self.log.open("ab") as output:
            self.running = subprocess.Popen(
                self.command,
                cwd="/" if self.user else ROOT,  # another user may not be let in here
                env=self.environ,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.user,
            )

    def wait(self, seconds: float = 60) -> None:
        """Returns when it serves. Raises TimeoutError with the end of what it has said."""
        deadline = time.monotonic() + seconds
        while not self.is_up():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} does not come up:\n{self.said()[-3000:]}")
            time.sleep(0.1)

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def raised(self) -> list[str]:
        """The last line of each traceback in its log, where it tells what was raised."""
        found, is_within = [], False
        for line in self.said().splitlines():
            if line.startswith("Traceback (most recent call last)"):
                is_within = True
            elif is_within and line and not line.startswith(" "):
                found.append(line[:160])
                is_within = False
        return found

    @property
    def is_running(self) -> bool:
        return self.running is not None and self.running.poll() is None

    def revive(self) -> None:
        """Begins it again where it has ended, as systemd does."""
        if not self.is_running:
            self.restarts += 1
            self.start()

    def family(self) -> list[int]:
        """The process and all that descend from it."""
        if self.running is None or not self.is_running:
            return []
        parents: dict[int, list[int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                except (OSError, IndexError, ValueError):
                    continue
                parents.setdefault(parent, []).append(int(entry.name))
        found = [self.running.pid]
        for one in found:
            found.extend(parents.get(one, []))
        return found

    def send(self, what: signal.Signals) -> None:
        """A signal to all of the family."""
        for pid in self.family():
            try:
                os.kill(pid, what)
            except ProcessLookupError:
                continue

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        if self.running is not None:
            self.running.wait(30)

    def freeze(self) -> None:
        self.send(signal.SIGSTOP)

    def thaw(self) -> None:
        self.send(signal.SIGCONT)

    def stop(self, seconds: float = 15) -> None:
        """Ends it in good order, or at last by force."""
        if self.running is None or not self.is_running:
            return
        self.thaw()
        family = self.family()
        self.running.send_signal(self.ends_by)
        try:
            self.running.wait(seconds)
        except subprocess.TimeoutExpired:
            for pid in family:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            self.running.wait(seconds)


def redis(place: Path, port: int) -> Process:
    """A Redis of our own, that keeps nothing."""
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    command += ["--dir", str(place)]
    return Process("redis", command, {"PATH": os.environ["PATH"]}, place, lambda: _listens(port))


def postgresql(place: Path, port: int) -> Process:
    """A PostgreSQL cluster of our own, made here. Raises FileNotFoundError where its programs are not installed."""
    folder = _programs()
    user = "postgres" if os.getuid() == 0 else None
    data = place / "postgresql"
    data.mkdir(mode=0o700)
    if user:
        known = pwd.getpwnam(user)
        os.chown(data, known.pw_uid, known.pw_gid)
    environ = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    begin = [str(folder / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(begin, check=True, user=user, env=environ, cwd="/", stdout=subprocess.DEVNULL)
    # Processes are killed here, machines are not: what was written need not reach the disk.
    command = [folder / "postgres", "-D", data, "-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
    command += ["-c", "unix_socket_directories="]
    made = Process("postgresql", [str(part) for part in command], environ, place, lambda: _answers(port), user)
    made.ends_by = signal.SIGINT  # without waiting for those who are connected
    return made


def _programs() -> Path:
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not folders:
        raise FileNotFoundError("PostgreSQL's initdb is not installed (Debian: apt install postgresql)")
    return folders[-1]


def python(name: str, arguments: Sequence[str], environ: Mapping[str, str], place: Path, port: int) -> Process:
    """A Python process of the server's; with a port it is up when its health says so, else when it says "ready"."""
    made = Process(name, [sys.executable, *arguments], environ, place, lambda: False)
    made.port = port
    made.is_up = (lambda: _is_healthy(port)) if port else (lambda: " ready." in made.said())
    return made


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def _answers(port: int) -> bool:
    try:
        psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _is_healthy(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return line.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False
