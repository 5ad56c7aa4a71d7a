"""What the settings read from outside: addresses in environment variables, and the secret key's file."""

import os
import secrets
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


def kept_secret(path: Path) -> str:
    """The secret kept in the file `path`, made on first use and readable by its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_text(encoding="ascii").strip()
        if len(secret) < 50:
            raise ImproperlyConfigured(
                f"The secret in {path} is too short; delete the file to have a new one."
            ) from None
        return secret
    secret = secrets.token_urlsafe(64)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secret + "\n")
    return secret
