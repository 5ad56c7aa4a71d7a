"""The deploy guide holds when it is followed to the letter."""

from __future__ import annotations

import re
import shlex
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host

from umpire.battles.management.commands.backup import keep
from umpire.healthy import host_from
from umpire.settings import environment

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
GUIDE = (DEPLOY / "README.md").read_text(encoding="utf-8")
READ = set(re.findall(r"^\| `([A-Z_]+)` \|", GUIDE, re.M))
"""The variables that the guide says the server reads."""


def example() -> dict[str, str]:
    """The example of an environment file, with what is commented out too."""
    lines = (DEPLOY / "environment.example").read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"(?:# )?([A-Z_]+)=(.*)", line) for line in lines]
    return {each[1]: each[2] for each in found if each}


def test_the_guide_names_what_the_settings_read() -> None:
    text = "".join((ROOT / "umpire" / "settings" / f"{name}.py").read_text() for name in ("base", "production"))
    read = set(re.findall(r'(?:required|listed|number)\("([A-Z_]+)"', text)) | {"LOG_LEVEL", "DJANGO_SETTINGS_MODULE"}
    assert read - {"OFFER_EXAMPLES"} <= READ  # for proving the server, and no business of who runs it
    assert READ - {"DJANGO_SETTINGS_MODULE"} <= set(example())


def test_compose_passes_on_what_the_server_reads() -> None:
    compose: Any = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    for service in ("web", "worker", "migrate"):
        assert READ - {"DJANGO_SETTINGS_MODULE"} <= set(compose["services"][service]["environment"]), service


@pytest.mark.parametrize("name", ["SECURE_HSTS_SECONDS", "NUM_PROXIES"])
def test_an_empty_variable_counts_as_missing_and_a_wrong_one_is_named(name: str, monkeypatch: Any) -> None:
    monkeypatch.setenv(name, "")
    assert environment.number(name, 7) == 7
    monkeypatch.setenv(name, "ten")
    with pytest.raises(ImproperlyConfigured, match=f"{name} is 'ten'"):
        environment.number(name, 7)


def test_a_wrong_log_level_is_named(monkeypatch: Any) -> None:
    monkeypatch.setenv("LOG_LEVEL", "")
    assert environment.log_level("INFO") == "INFO"
    monkeypatch.setenv("LOG_LEVEL", "loud")
    with pytest.raises(ImproperlyConfigured, match="LOG_LEVEL is 'LOUD'"):
        environment.log_level("INFO")


def test_the_shell_and_systemd_read_the_example_alike() -> None:
    """systemd takes what stands in single quotes as it is; the shell is asked what it makes of the same file."""
    path = DEPLOY / "environment.example"
    text = path.read_text(encoding="utf-8")
    assert "&" in example()["DATABASE_URL"]
    for name, quoted in example().items():
        assert re.fullmatch(r"'[^']*'", quoted), name
        if f"\n{name}=" in text:
            said = subprocess.run(["sh", "-c", f'set -a; . {shlex.quote(str(path))}; printf %s "${name}"'],
                                  capture_output=True, text=True, check=True)  # fmt: skip
            assert said.stdout == quoted[1:-1], name


@pytest.mark.parametrize("allowed", ["play.example.org", ".example.org", "a.example.org, .example.net", "*"])
def test_the_health_check_asks_under_a_name_that_is_answered(allowed: str) -> None:
    assert validate_host(host_from(allowed), [each.strip() for each in allowed.split(",")])


@pytest.mark.parametrize("unit", ["umpire-web", "umpire-worker"])
def test_units_do_not_start_on_a_database_that_is_not_migrated(unit: str) -> None:
    text = (DEPLOY / "systemd" / f"{unit}.service").read_text(encoding="utf-8")
    assert re.search(r"^ExecStartPre=\S+/python manage.py migrate --check$", text, re.M)


def test_the_guide_tells_the_steps_in_their_order() -> None:
    several = GUIDE[GUIDE.index("## Several machines") :]
    steps = [
        "createuser",
        "createdb",
        "daemon-reload",
        "manage.py migrate",
        "sign_in_link",
        "systemctl enable --now",
    ]
    places = [several.index(step) for step in steps]
    assert places == sorted(places)


def test_what_play_keeps_is_copied_while_it_runs(tmp_path: Path) -> None:
    kept, key, place = tmp_path / "umpire.sqlite3", tmp_path / "secret_key", tmp_path / "stick" / "monday"
    key.write_text("a secret")
    with closing(sqlite3.connect(kept)) as running:
        running.execute("PRAGMA journal_mode=WAL")
        running.execute("CREATE TABLE battle (id TEXT)")
        running.execute("INSERT INTO battle VALUES ('one')")
        running.commit()
        keep(kept, key, place)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE((place / "umpire.sqlite3").stat().st_mode) == 0o600
    assert (place / "secret_key").read_text() == "a secret"
    with closing(sqlite3.connect(place / "umpire.sqlite3")) as copied:
        assert copied.execute("SELECT id FROM battle").fetchall() == [("one",)]
