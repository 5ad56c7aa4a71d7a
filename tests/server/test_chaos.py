"""The reckoning after chaos finds what it looks for; the run itself is `manage.py chaos` (a short one in `.ci/run`)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.test_worker import until
from umpire.chaos.processes import Process
from umpire.chaos.run import Form, _Evening

ROOT = Path(__file__).resolve().parents[2]


def evening() -> tuple[_Evening, dict[str, Any]]:
    """A run that has gone well: two orders, a message, three news; and what the database says of it."""
    form = Form("none", {})
    form.ports = [1, 2]
    run = _Evening(form, [{"battle": "b", "codes": {"blue_1": "x"}}], 1, lambda line: None)
    [player], [listener] = run.players, run.listeners
    player.orders, player.messages = ["one", "two"], ["hello"]
    listener.view, listener.last = {"turn": 1}, 3
    answer = 200, {"etag": '"t"'}, {"view": {"turn": 1}, "news": 3}
    listener.caller.send = lambda *given, port=0, **named: answer  # type: ignore[method-assign]
    told = {
        "orders": {"one": "done", "two": "done"},
        "places": [[0, 4], [0, 7]],
        "messages": ["hello"],
        "numbers": {"blue_1": [3, 3]},
        "carried": 1,
        "faults": [],
    }
    return run, told


def test_what_has_gone_well_has_no_fault() -> None:
    run, told = evening()
    run.reckon({"b": told})
    assert run.figures.faults == []


def another_view(run: _Evening) -> None:
    answers = {1: {"turn": 1}, 2: {"turn": 2}}
    run.listeners[0].caller.send = lambda *given, port=0, **named: (  # type: ignore[method-assign]
        200, {"etag": '"t"'}, {"view": answers[port], "news": 3},
    )  # fmt: skip


PLANTED: list[tuple[str, Callable[[_Evening, dict[str, Any]], Any]]] = [
    ("lost", lambda run, told: told["orders"].pop("two")),
    ("doubled", lambda run, told: told["orders"].update(three="done")),
    ("two keys", lambda run, told: run.players[0].orders.append("two")),
    ("messages", lambda run, told: told["messages"].append("hello")),
    ("one place", lambda run, told: told["places"].append([0, 7])),
    ("gaps", lambda run, told: told["numbers"].update(blue_1=[2, 3])),
    ("snapshot", lambda run, told: told["faults"].append("a snapshot differs")),
    ("different processes", lambda run, told: another_view(run)),
    ("another view", lambda run, told: run.listeners[0].view.update(turn=9)),
    ("after 3", lambda run, told: run.listeners[0].heard({"number": 5})),
]


@pytest.mark.parametrize(("said", "plant"), PLANTED)
def test_each_fault_is_found(said: str, plant: Callable[[_Evening, dict[str, Any]], Any]) -> None:
    run, told = evening()
    plant(run, told)
    run.reckon({"b": told})
    assert [fault for fault in run.figures.faults if said in fault], run.figures.faults


def test_a_process_with_its_children_is_frozen_thawed_and_killed(tmp_path: Path) -> None:
    code = "import subprocess, time; subprocess.Popen(['sleep', '60']); print('up', flush=True); time.sleep(60)"
    process = Process("parent", [sys.executable, "-c", code], {}, tmp_path, lambda: "up" in process.said())
    process.start()
    process.wait(20)
    family = process.family()
    assert len(family) == 2

    def states() -> set[str]:
        return {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in family}

    process.freeze()
    until(lambda: states() == {"T"})
    process.thaw()
    until(lambda: states() <= {"S", "R", "D"})
    process.kill()
    assert not process.is_running
    process.revive()
    process.wait(20)
    assert process.restarts == 1
    process.kill()


def test_what_serves_does_not_load_what_only_proves() -> None:
    """Neither the web process nor the worker."""
    code = (
        "import sys, umpire.asgi, umpire.celery; umpire.celery.app.loader.import_default_modules(); "
        "print([name for name in sys.modules if name.startswith(('umpire.chaos', 'tests'))])"
    )
    environ = {"DJANGO_SETTINGS_MODULE": "umpire.settings.test", "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
