"""What the settings read from outside."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from umpire.settings import environment

ROOT = Path(__file__).resolve().parents[2]
HOSTED = {
    "SECRET_KEY": "x9" + "qwertzuiop-asdfghjkl_yxcvbnm.QWERTZUIOP+ASDFGHJKL*1234567890",
    "DATABASE_URL": "postgresql://umpire:pass@db.example.org/umpire",
    "REDIS_URL": "redis://redis.example.org:6379/0",
    "ALLOWED_HOSTS": "play.example.org",
}


def manage(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**kept, "DJANGO_SETTINGS_MODULE": "umpire.settings.production", **environ},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_sqlite_address_names_a_file() -> None:
    relative = environment.database("sqlite:///var/umpire.sqlite3")
    assert relative["NAME"] == "var/umpire.sqlite3"
    assert environment.database("sqlite:////srv/umpire.sqlite3")["NAME"] == "/srv/umpire.sqlite3"
    assert relative["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in relative["OPTIONS"]["init_command"]


def test_a_postgresql_address_is_taken_apart() -> None:
    found = environment.database("postgresql://um%40pire:p%2Fw@db.example.org:6543/games?sslmode=require")
    assert found == {
        "ENGINE": "umpire.postgres",
        "NAME": "games",
        "USER": "um@pire",
        "PASSWORD": "p/w",
        "HOST": "db.example.org",
        "PORT": "6543",
        "OPTIONS": {"sslmode": "require"},
    }


def test_a_postgresql_address_without_host_means_the_local_socket() -> None:
    assert environment.database("postgresql:///games")["HOST"] == ""


@pytest.mark.parametrize(
    "url", ["", "mysql://u:p@h/d", "postgresql://host", "sqlite://", "/srv/file", "postgres://h:x/d"]
)
def test_another_address_is_refused_and_its_password_not_shown(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        environment.database(url)


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret_key"
    first = environment.kept_secret(path)
    assert environment.kept_secret(path) == first
    assert len(first) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert environment.kept_secret(tmp_path / "another") != first


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    path.write_text("short\n")
    with pytest.raises(ImproperlyConfigured, match="too short"):
        environment.kept_secret(path)


def test_deployment_checks_find_nothing() -> None:
    done = manage("check", "--deploy", "--fail-level", "INFO", **HOSTED)
    assert done.returncode == 0, done.stderr
    assert "no issues (0 silenced)" in done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(HOSTED))
def test_a_hosted_server_does_not_start_without(name: str) -> None:
    done = manage("check", **{key: value for key, value in HOSTED.items() if key != name})
    assert done.returncode != 0
    assert f"environment variable {name} is not set" in done.stderr


@pytest.mark.parametrize("what", ["a file in the way", "a damaged database", "a key that is none"])
def test_what_keeps_play_from_starting_is_one_line(tmp_path: Path, free_port: int, what: str) -> None:
    (tmp_path / "there").write_text("x")
    var = tmp_path / "there" / "var" if what == "a file in the way" else tmp_path
    if what == "a damaged database":
        (tmp_path / "umpire.sqlite3").write_bytes(b"no database " * 1000)
    if what == "a key that is none":
        (tmp_path / "secret_key").write_bytes(b"\xff" * 90)
    done = manage("play", "--port", str(free_port), DJANGO_SETTINGS_MODULE="umpire.settings.play", UMPIRE_VAR=str(var))
    assert done.returncode == 1
    [line] = [said for said in (done.stdout + done.stderr).splitlines() if said]
    assert str(var) in line


def test_what_a_battle_keeps_is_its_owners_alone(tmp_path: Path) -> None:
    var = tmp_path / "var"
    environment.private_place(var)
    file = var / "umpire.sqlite3"
    for mode in (None, 0o644):
        if mode is not None:
            file.chmod(mode)
        environment.private_database(environment.database(f"sqlite:///{file}"))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(var.stat().st_mode) == 0o700
