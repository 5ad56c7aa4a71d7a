"""`manage.py cases [PATH…]`: runs case files."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.kernel.settings import BadInput
from umpire.testing.cases.conversion import converted
from umpire.testing.cases.form import files
from umpire.testing.cases.mutants import mutants, shares
from umpire.testing.cases.running import run_file


class Command(BaseCommand):
    help = (
        "Runs case files (docs/cases.md): those at the paths given, or all in tests/cases. Exit status 1 if one fails."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, help="case files or folders of them")
        parser.add_argument(
            "--convert", action="store_true", help="rewrite files of the former language in today's words"
        )
        parser.add_argument("--mutate", action="store_true", help="change each file a little: it must fail then")
        parser.add_argument("--json", action="store_true", help="print a list of objects: file, case, title, fault, …")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = files(options["paths"] or [Path(settings.BASE_DIR) / "tests" / "cases"])
        except BadInput as fault:
            raise CommandError(str(fault)) from fault
        if not found:
            raise CommandError("there are no case files at these paths")
        if options["mutate"]:
            self._mutate(found)
            return
        if options["convert"]:
            for path in found:
                old = path.read_text(encoding="utf-8")
                new = converted(old)
                if new != old:
                    path.write_text(new, encoding="utf-8")
                    self.stdout.write(f"rewritten {path}")
            return
        results = []
        for path in found:
            result = run_file(path)
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

    def _mutate(self, found: list[Path]) -> None:
        made = [mutant for path in found for mutant in mutants(path, Random(path.stem))]
        for each in made:
            if not each.is_killed:
                self.stdout.write(f"survives {each.file}: {each.kind}, {each.change}")
        for kind, (killed, number) in shares(made).items():
            self.stdout.write(f"{kind}: {killed} of {number} killed" + (f" ({killed / number:.1%})" if number else ""))
