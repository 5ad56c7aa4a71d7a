"""`manage.py goldens [SYSTEM…]`: plays the goldens of the present rules again, or records them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.kernel.registry import RulesPackage, packages
from umpire.serving import garbage_collection
from umpire.testing.play import goldens, reading

FOLDER = Path(settings.BASE_DIR) / "tests" / "goldens"


class Command(BaseCommand):
    help = (
        "Goldens are battles kept as ledgers in tests/goldens, one file for each version of a system's rules. Plays "
        "those of the present version again and folds those of older ones; exit status 1 if one comes out otherwise, "
        "or if the present version has none yet. With --record it records them: from then on a ruling that differs "
        "needs another version. With --read it writes a playthrough of each scenario as text, where a change of the "
        "rules shows as a difference that a reviewer can read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="only these systems, such as lnl")
        parser.add_argument("--record", action="store_true", help="record what the present version lacks")
        parser.add_argument(
            "--again", action="store_true", help="record all anew, where the version has gone nowhere yet"
        )

        parser.add_argument(
            "--read", action="store_true", help="write the playthroughs to be read anew (tests/goldens/read)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        garbage_collection.tune()
        chosen = {system: package for system, package in packages().items() if not package.is_example}
        if unknown := [system for system in options["systems"] if system not in chosen]:
            raise CommandError(f"no rules package {unknown[0]!r}; there are: {', '.join(chosen)}")
        faults = 0
        for system in options["systems"] or chosen:
            if options["read"]:
                self._write(chosen[system])
                continue
            if options["record"] or options["again"]:
                self._record(chosen[system], again=options["again"])
            for line, is_fault in looked_at(chosen[system]):
                self.stdout.write(self.style.ERROR(line) if is_fault else line)
                faults += is_fault
        if faults:
            raise SystemExit(1)

    def _write(self, package: RulesPackage[Any, Any]) -> None:
        for game in reading.playthroughs(package):
            path = reading.file_of(FOLDER, package, game)
            path.parent.mkdir(exist_ok=True)
            path.write_text(reading.text_of(package, game), "utf-8")
            self.stdout.write(f"{path.name}: {game.name}")

    def _record(self, package: RulesPackage[Any, Any], *, again: bool) -> None:
        path = goldens.file_of(FOLDER, package.system, package.version)
        kept = goldens.none_yet(package) if again or not path.exists() else goldens.read(path)
        lacking = goldens.missing(package, kept)
        if not lacking:
            self.stdout.write(f"{package.system} rules {package.version}: nothing to record")
            return
        if any(fault for golden in kept.battles if (fault := goldens.plays_otherwise(package, kept, golden))):
            raise CommandError(
                f"{package.system} rules {package.version} play otherwise than recorded: raise `version` first"
            )
        more = [goldens.played(package, scenario, course) for scenario, course in lacking]
        goldens.write(path, goldens.joined(kept, more))
        self.stdout.write(f"{package.system} rules {package.version}: {len(more)} battles recorded in {path.name}")


def looked_at(package: RulesPackage[Any, Any]) -> Iterator[tuple[str, bool]]:
    """Each golden of a package in words, and whether something is wrong with it; last, what the present rules lack."""
    system, present = package.system, package.version
    for version in range(1, max(present, goldens.landed(FOLDER, system)) + 1):
        path = goldens.file_of(FOLDER, system, version)
        if not path.exists():
            continue
        kept = goldens.read(path)
        for golden in kept.battles:
            fault = goldens.folds_otherwise(package, kept, golden)
            if not fault and version == present:
                fault = goldens.plays_otherwise(package, kept, golden)
            said = fault or ("as recorded" if version == present else "folds as recorded; not played again")
            yield f"{system} rules {version}, {golden.name}: {said}", bool(fault)
        if version == present and (lacking := goldens.missing(package, kept)):
            yield f"{system} rules {version}: no goldens of {', '.join(sorted({each for each, _ in lacking}))}", True
    if goldens.landed(FOLDER, system) < present:
        yield f"{system} rules {present} are in the making: no goldens yet (record them with --record)", True
