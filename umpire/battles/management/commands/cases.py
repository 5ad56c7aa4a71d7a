"""`manage.py cases [PATH…]`: runs case files."""

from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.kernel.settings import BadInput
from umpire.testing.cases import running as cases


class Command(BaseCommand):
    help = (
        "Runs case files (docs/cases.md): those at the paths given, or all in tests/cases. Exit status 1 if one fails."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, help="case files or folders of them")
        parser.add_argument("--json", action="store_true", help="print a list of objects: file, case, title, fault, …")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = cases.files(options["paths"] or [Path(settings.BASE_DIR) / "tests" / "cases"])
        except BadInput as fault:
            raise CommandError(str(fault)) from fault
        if not found:
            raise CommandError("there are no case files at these paths")
        results = []
        for path in found:
            result = cases.run_file(path)
            results.append(result)
            if not options["json"]:
                mark = self.style.ERROR("FAILED") if result.fault else self.style.SUCCESS("ok    ")
                self.stdout.write(f"{mark} {result.case}: {result.title or path}")
                if result.fault:
                    self.stdout.write(f"       {path}: {result.fault}")
        failed = sum(bool(result.fault) for result in results)
        if options["json"]:
            self.stdout.write(msgspec.json.encode(results).decode())
        else:
            self.stdout.write(f"{len(results) - failed} passed, {failed} failed")
        if failed:
            raise SystemExit(1)
