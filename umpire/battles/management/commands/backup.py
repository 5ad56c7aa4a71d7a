"""`manage.py backup FOLDER`: copies what `make play` keeps, also while it runs."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone


class Command(BaseCommand):
    help = (
        "Copies the battles of make play (its database as it is at one moment, and its secret key) into a new folder "
        "in FOLDER, for its owner alone. On PostgreSQL use pg_dump (deploy/README.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="where the new folder is made, such as a stick's")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("This database is not of make play: use pg_dump (deploy/README.md).")
        place = folder / f"umpire-{timezone.now():%Y-%m-%d-%H%M%S}"
        try:
            keep(Path(settings.DATABASES["default"]["NAME"]), Path(settings.VAR_DIR) / "secret_key", place)
        except (OSError, sqlite3.Error) as fault:
            raise CommandError(f"The backup in {place} failed: {fault}") from None
        self.stdout.write(f"Kept in {place}")


def keep(database: Path, key: Path, place: Path) -> None:
    """Copies a database that may be in use, and the key beside it, into a new folder."""
    place.mkdir(mode=0o700, parents=True)
    copy = place / database.name
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(database)) as kept, closing(sqlite3.connect(copy)) as to:
        kept.backup(to)
    if key.exists():
        shutil.copy2(key, place / key.name)
