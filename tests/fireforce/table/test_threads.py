"""A table is asked by many threads at once: players' requests, and the worker that moves the hidden force."""

from __future__ import annotations

import subprocess
import sys

import pytest

ASKED = """
import threading
from fireforce.table.ground import ground
from fireforce.table.region import visible_region
from fireforce.table.sight import Eye, can_see
from fireforce.table.terrain import Table, Terrain
from math import cos, sin, tau

def round_wood(key, x, y):
    ring = tuple((round(x + 500 * cos(tau * n / 60)), round(y + 500 * sin(tau * n / 60))) for n in range(60))
    return Terrain(key, key, "forest", ring, None)

table = Table(4800, 4800, (round_wood("a", 1500, 1500), round_wood("b", 3200, 3200), round_wood("c", 3200, 1500)))
land = ground(table)
eyes = [Eye((100 + 300 * n, 100)) for n in range(15)] + [Eye((100 + 300 * n, 4700)) for n in range(15)]
wanted = [can_see(land, eyes[0], eyes), [visible_region(land, (100, 2000 + n)).area for n in range(5)]]
wrong = []

def ask():
    for _ in range(60):
        if [can_see(land, eyes[0], eyes), [visible_region(land, (100, 2000 + n)).area for n in range(5)]] != wanted:
            wrong.append(1)

threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("wrong", len(wrong))
"""


@pytest.mark.rule("fireforce visibility")
def test_threads_that_look_over_one_table_neither_crash_nor_err() -> None:
    ran = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stdout) == (0, "wrong 0\n"), ran.stderr
