"""`manage.py play` in a process of its own on a file of its own, with the worker inside, as `make play` starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "frontend" / "dist" / "index.html"
STARTED = "Stop with Ctrl-C"


class House:
    """A running server: its address, the link that signs its umpire in, and those that it has printed by seat."""

    def __init__(self, base: str, sign_in: str, links: dict[str, str]) -> None:
        self.base, self.sign_in, self.links = base, sign_in, links


@contextmanager
def playing(folder: Path, port: int) -> Iterator[House]:
    """The server until the context ends; then it must have stopped in good order and complained of nothing."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "PYTEST_"))}
    environ |= {
        "DJANGO_SETTINGS_MODULE": "tests.browser.play",
        "UMPIRE_VAR": str(folder),
        "DATABASE_URL": "",
        "REDIS_URL": "",
    }
    environ |= {"PYTHONUNBUFFERED": "1"}
    log = folder / "play.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "play", "--port", str(port), "--host", "127.0.0.1"],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=out,
            text=True,
        )
    assert process.stdout is not None
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line)
            if STARTED in line:
                break
        else:
            raise AssertionError(f"the server did not start: {''.join(said)}{log.read_text()}")
        here = rf"http://localhost:{port}(/join/\S+)"
        # Of seats that are called alike those of the first demo battle.
        links = dict(reversed(re.findall(rf"^  (\S.*?)\s+{here}$", "".join(said), re.MULTILINE)))
        [sign_in] = re.findall(r"(/sign-in#\S+)", "".join(said))
        yield House(f"http://127.0.0.1:{port}", sign_in, links)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert process.returncode == 0, log.read_text()
    assert "Traceback" not in log.read_text(), log.read_text()


class Hand:
    """The umpire's seat over REST, by which a test sets its scene and looks at the truth."""

    def __init__(self, base: str, code: str, device: str = "the test") -> None:
        self.http = httpx.Client(base_url=f"{base}/api/v1/", timeout=30)
        joined = self.http.post("join", json={"code": code, "device": device})
        assert joined.status_code == 201, joined.text
        self.told = joined.json()
        self.http.headers["Authorization"] = f"Bearer {self.told['token']}"
        self.at = f"battles/{self.told['battle']['id']}"

    def get(self, path: str = "") -> Any:
        answer = self.http.get(f"{self.at}/{path}".rstrip("/"))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, path: str, body: Any) -> Any:
        answer = self.http.post(path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
        assert answer.status_code in (200, 201), f"{path} {body}: {answer.text}"
        return answer.json()

    def correct(self, verb: str, *, reason: str, **values: Any) -> None:
        """A correction by the umpire's hand."""
        self.act(f"{self.at}/corrections", {"correction": {"verb": verb, **values}, "reason": reason})

    def truth(self) -> dict[str, Any]:
        view: dict[str, Any] = self.get("view")["view"]
        return view

    def new_battle(self, **options: Any) -> dict[str, Any]:
        """A battle of Patrol to the Ford; its seats with their codes."""
        made: dict[str, Any] = self.act(
            "battles", {"system": "fireforce", "scenario": "patrol-to-the-ford", "options": options}
        )
        return made

    def close(self) -> None:
        self.http.close()
