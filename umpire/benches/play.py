"""How fast `make play` answers over one kept-alive connection: the real process, as a tablet in the hall asks it."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from umpire.testing import benching

REQUESTS = 100
BUDGET = 15.0
"""Milliseconds; a connection that holds small answers back has them wait 40."""


def rows() -> list[benching.Row]:
    """Starts `manage.py play` on a database of its own, takes a seat, asks for its view again and again; some fifteen
    seconds."""
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as place:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environ = {**os.environ, "UMPIRE_VAR": place, "DJANGO_SETTINGS_MODULE": "umpire.settings.play"}
        environ |= {"DATABASE_URL": "", "REDIS_URL": "", "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "manage.py", "play", "--host", "127.0.0.1", "--port", str(port)]
        playing = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True)
        try:
            seconds = _asked(port, _code(playing))
        finally:
            playing.terminate()
            playing.communicate(timeout=30)
    name = "play: a view over one kept-alive connection, median"
    return [benching.row(name, statistics.median(seconds) * 1000, "ms", BUDGET, benching.yardstick())]


def _code(playing: subprocess.Popen[str]) -> str:
    """The code of a seat from what the process says when it is ready."""
    assert playing.stdout is not None
    code = ""
    for line in playing.stdout:
        code = code or "".join(re.findall(r"/join/(\S+)", line))
        if "Stop with Ctrl-C" in line:
            return code
    raise RuntimeError("the process ended before it was ready")


def _asked(port: int, code: str) -> list[float]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    joined = _answer(line, "POST", "/api/v1/join", {"code": code, "device": "bench"})
    path, headers = f"/api/v1/battles/{joined['battle']['id']}/view", {"Authorization": f"Bearer {joined['token']}"}
    seconds = []
    for _ in range(REQUESTS):
        start = time.perf_counter()
        _answer(line, "GET", path, None, headers)
        seconds.append(time.perf_counter() - start)
    line.close()
    return seconds


def _answer(
    line: http.client.HTTPConnection, method: str, path: str, body: Any, headers: dict[str, str] | None = None
) -> Any:
    data = None if body is None else json.dumps(body)
    line.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
    answer = line.getresponse()
    told = answer.read()
    if answer.status >= 300:
        raise RuntimeError(f"{answer.status}: {told[:300]!r}")
    return json.loads(told)


benching.register("play", rows)
