"""How the house is built: no circle of files, no folder that is a heap, nothing at the start that only proves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import grimp
import networkx
import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("umpire", "lnl", "fireforce")
MOST_FILES = 20
"""Files of code side by side; a folder with more is a heap."""


def test_no_file_is_in_a_circle_of_imports() -> None:
    graph = grimp.build_graph(*CODE, exclude_type_checking_imports=True, cache_dir=None)
    arrows = networkx.DiGraph(
        (module, other) for module in graph.modules for other in graph.find_modules_directly_imported_by(module)
    )
    circles = [sorted(circle) for circle in networkx.strongly_connected_components(arrows) if len(circle) > 1]
    assert circles == []


def test_a_folder_can_be_surveyed() -> None:
    folders = {path.parent for name in CODE for path in (ROOT / name).rglob("*.py")}
    crowded = {
        str(folder.relative_to(ROOT)): n for folder in folders if (n := len([*folder.glob("*.py")])) > MOST_FILES
    }
    assert crowded == {}


@pytest.mark.parametrize("door", ["umpire.asgi", "umpire.celery"])
def test_nothing_that_only_proves_is_loaded_by_a_server(door: str) -> None:
    """Neither by a web process nor by a worker of the hosted form; nor is the toy game one of its systems."""
    says = (
        f"import django, sys; django.setup(); import {door}; from umpire.kernel.registry import packages;"
        "print(sorted(packages()), [name for name in sys.modules if '.testing' in name and 'umpire' in name"
        " or name.startswith(('lnl.testing', 'fireforce.testing', 'umpire.benches', 'umpire.chaos'))])"
    )
    surroundings = {
        "DJANGO_SETTINGS_MODULE": "umpire.settings.production",
        "SECRET_KEY": "k" * 50,
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "ALLOWED_HOSTS": "example.org",
    }
    ran = subprocess.run(
        [sys.executable, "-c", says], cwd=ROOT, env={**os.environ, **surroundings}, capture_output=True, text=True
    )
    assert ran.stdout == "['fireforce', 'lnl'] []\n", ran.stderr
