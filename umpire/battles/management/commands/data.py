"""`manage.py data KEY`: a value of the tables, with status, source and the files that it passed through."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.kernel.book.book import UnknownKey
from umpire.kernel.registry import packages
from umpire.kernel.settings import BadInput


class Command(BaseCommand):
    help = "Prints values of the tables with status, source and files: by TABLE, TABLE.ROW, TABLE.ROW.COLUMN or word."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", nargs="?", help="what to look for; without it every house value is listed")
        parser.add_argument("--system", help="only the tables of this game system")
        parser.add_argument("--layer", action="append", type=Path, default=[], help="a file laid over the shipped ones")

    def handle(self, *args: Any, **options: Any) -> None:
        found = False
        nearest: list[str] = []
        layers = [(path.name, path.read_text(encoding="utf-8")) for path in options["layer"]]
        for system, package in packages().items():
            if options["system"] not in (None, system):
                continue
            try:
                book = package.book(layers)
                if book is None:
                    continue
                lines = book.describe(options["key"]) if options["key"] else book.house_values()
            except UnknownKey as fault:
                nearest.append(f"{system}: {fault}")
                continue
            except BadInput as fault:
                raise CommandError(str(fault)) from fault
            for line in lines:
                found = True
                self.stdout.write(f"{system} {line}")
        if not found:
            raise CommandError("; ".join(nearest) or "no game system has tables")
