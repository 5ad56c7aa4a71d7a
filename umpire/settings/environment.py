"""What the settings read from outside: addresses in environment variables, and the secret key's file."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SQLITE_OPTIONS: dict[str, Any] = {
    # A transaction that will write takes the lock when it begins: upgraded later, it could only fail.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
}


def required(name: str) -> str:
    """The environment variable `name`; ImproperlyConfigured where it is missing or empty."""
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(
            f"The environment variable {name} is not set; deploy/README.md lists what is needed."
        )
    return value


def listed(name: str) -> list[str]:
    """The comma-separated environment variable `name` as a list, empty where it is missing."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def number(name: str, default: int) -> int:
    """The environment variable `name` as a whole number that is not negative; an empty one counts as missing."""
    value = os.environ.get(name, "") or str(default)
    if not (value.isascii() and value.isdecimal()):
        raise ImproperlyConfigured(f"The environment variable {name} is {value!r}, and a whole number is wanted.")
    return int(value)


LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def log_level(default: str) -> str:
    """LOG_LEVEL, in capitals; an empty one counts as missing."""
    value = os.environ.get("LOG_LEVEL", "").upper() or default
    if value not in LEVELS:
        raise ImproperlyConfigured(f"LOG_LEVEL is {value!r}, and one of {', '.join(LEVELS)} is wanted.")
    return value


def database(url: str) -> dict[str, Any]:
    """Django's settings for a database address.

    `sqlite:///relative/file`, `sqlite:////absolute/file`, or `postgresql://user:password@host:port/name?option=value`;
    a PostgreSQL address without a host means the local socket. Raises ImproperlyConfigured for anything else.
    """
    parts = urlsplit(url)
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme not in ("sqlite", "postgresql", "postgres") or not name:
        raise ImproperlyConfigured(
            "DATABASE_URL must read sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME; "
            f"its scheme is {parts.scheme or 'missing'!r} and its database name {name or 'missing'!r}."
        )
    if parts.scheme == "sqlite":
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": name, "OPTIONS": dict(SQLITE_OPTIONS)}
    try:
        port = parts.port
    except ValueError:
        raise ImproperlyConfigured("The port in DATABASE_URL is not a number between 0 and 65535.") from None
    return {
        "ENGINE": "umpire.postgres",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def private_place(path: Path) -> None:
    """Makes the folder `path`, for its owner alone. ImproperlyConfigured where it cannot be had."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as refusal:
        raise ImproperlyConfigured(
            f"The folder {path} cannot be made ({refusal.strerror}); the variable UMPIRE_VAR names another."
        ) from None


def private_database(settings: Mapping[str, Any]) -> None:
    """Sees to it that the file of a SQLite database is its owner's alone, and what SQLite lays beside it too: it holds
    what players must not see and the secrets of the dice. ImproperlyConfigured where it cannot be written."""
    if settings["ENGINE"] != "django.db.backends.sqlite3" or str(settings["NAME"]).startswith((":memory:", "file:")):
        return
    path = Path(settings["NAME"])
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for kept in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            if kept.exists() and kept.stat().st_mode & 0o077:
                kept.chmod(0o600)
    except OSError as refusal:
        raise ImproperlyConfigured(f"The database {path} cannot be written ({refusal.strerror}).") from None


def kept_secret(path: Path) -> str:
    """The secret kept in the file `path`, made on first use and readable by its owner alone. ImproperlyConfigured where
    it cannot be kept or read."""
    private_place(path.parent)
    try:
        return _kept(path)
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it holds something else"
        raise ImproperlyConfigured(
            f"The secret in {path} cannot be used ({why}); delete the file to have a new one, and new codes for seats."
        ) from None


def _kept(path: Path) -> str:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_text(encoding="ascii").strip()
        if len(secret) < 50:
            raise ImproperlyConfigured(
                f"The secret in {path} is too short; delete the file to have a new one, and new codes for seats."
            ) from None
        return secret
    secret = secrets.token_urlsafe(64)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secret + "\n")
    return secret
