"""`manage.py rules coverage`: which rule sections, and which statements of them, are proved by tests; `rules mutate`:
what share of changes in the functions that cite a rule its tests notice."""

from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from umpire.testing import audit, coverage, rule_mutants


class Command(BaseCommand):
    help = "Counts which rule sections are proved by which tests, against the index of sections."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["coverage", "mutate"])
        parser.add_argument("keys", nargs="*", help="with mutate: only these rules ('core 5.3')")
        parser.add_argument("--most", type=int, default=20, help="with mutate: at most so many changes of a rule")
        parser.add_argument("--book", action="append", default=[], help="only this book (fireforce, core, hid, …)")
        parser.add_argument(
            "--json", action="store_true", help="print objects: key, status, tests or reason, statements"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "mutate":
            self._mutate(options["keys"], options["most"])
            return
        counted = coverage.count(Path(settings.BASE_DIR), options["book"])
        if options["json"]:
            self.stdout.write(msgspec.json.encode([_plain(section) for section in counted.sections]).decode())
        else:
            for section in counted.sections:
                tests = f"{len(section.tests)} tests" if section.tests else ""
                proved, provable = audit.Audit(statements=section.statements, faults=()).share()
                statements = f"{proved} of {provable} statements" if section.statements else ""
                notes = "; ".join(note for note in (tests, statements, section.reason) if note)
                self.stdout.write(f"{section.status:8} {section.key:34} {section.title} {notes and f'({notes})'}")
            states = [section.status for section in counted.sections]
            self.stdout.write(", ".join(f"{states.count(state)} {state}" for state in ("covered", "open", "no_rule")))
            audited = counted.statements()
            proved, provable = audited.share()
            none = len(audited.statements) - provable
            share = f"{proved / provable:.1%}" if provable else "none"
            self.stdout.write(f"statements: {proved} of {provable} proved ({share}), {none} need no proof")
        for key, named_by in counted.unknown.items():
            named = ", ".join(named_by)
            self.stderr.write(self.style.ERROR(f"{key!r} is no section of the index; named by {named}"))
        for fault in counted.faults:
            self.stderr.write(self.style.ERROR(fault))
        if counted.unknown or counted.faults:
            raise SystemExit(1)

    def _mutate(self, keys: list[str], most: int) -> None:
        found: dict[str, list[bool]] = {}
        for mutant in rule_mutants.mutated(Path(settings.BASE_DIR), keys, most):
            found.setdefault(mutant.key, []).append(mutant.is_killed)
            if not mutant.is_killed:
                self.stdout.write(f"not noticed by {mutant.key}: {mutant.what}")
        for key, killed in found.items():
            self.stdout.write(f"{key:34} {sum(killed):3} of {len(killed):3} ({sum(killed) / len(killed):.0%})")


def _plain(section: coverage.Section) -> dict[str, Any]:
    plain: dict[str, Any] = {"key": section.key, "title": section.title, "status": section.status}
    if section.tests:
        plain["tests"] = section.tests
    if section.reason:
        plain["reason"] = section.reason
    if section.statements:
        plain["statements"] = [{"words": said.words, "status": said.status} for said in section.statements]
    return plain
