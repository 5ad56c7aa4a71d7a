"""What is measured in a process of its own has a server's settings and a database of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import msgspec

from umpire.testing import benching


def environment(place: str) -> dict[str, str]:
    """The environment of a process that keeps what it has in the folder `place`: that of `make play`, with the toy."""
    return {
        **os.environ,
        "UMPIRE_VAR": place,
        "DJANGO_SETTINGS_MODULE": "umpire.settings.play",
        "DATABASE_URL": f"sqlite:///{place}/bench.sqlite3",
        "REDIS_URL": "",
        "LOG_LEVEL": "ERROR",
        "OFFER_EXAMPLES": "1",
    }


def rows_of(module: str) -> list[benching.Row]:
    """What a module measures when it is run."""
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as place:
        done = subprocess.run(
            [sys.executable, "-m", module], env=environment(place), check=True, stdout=subprocess.PIPE
        )
    return msgspec.json.decode(done.stdout, type=list[benching.Row])
