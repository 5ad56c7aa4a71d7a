"""`manage.py replay BATTLE`: folds a stored battle's ledger and runs its rulings again."""

import time
from collections import Counter
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.battles.errors import NotYours
from umpire.battles.replaying import Found, replay

EVERY = 5.0
"""Seconds between two lines of progress."""


class Command(BaseCommand):
    help = (
        "Plays a stored battle again, on all lines of its ledger: the fold must give the stored hash at every ruling, "
        "snapshot and head, and each ruling run again with its recorded dice and answers must tell what stands in the "
        "ledger. A ruling is run again only by the version of the rules that made it. Exit status 1 if one differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("battle", help="the battle's id")
        parser.add_argument("--fold-only", action="store_true", help="do not run the rulings again")
        parser.add_argument("--json", action="store_true", help="a list of objects: what, line, depth, fault, rules")

    def handle(self, *args: Any, **options: Any) -> None:
        found: list[Found] = []
        shown = time.monotonic()
        try:
            for each in replay(options["battle"], rulings=not options["fold_only"]):
                found.append(each)
                if time.monotonic() - shown > EVERY:
                    shown = time.monotonic()
                    self.stderr.write(f"line {each.line}, depth {each.depth} …")
        except NotYours:
            raise CommandError(f"no battle has the id {options['battle']!r}") from None
        faults = [each for each in found if each.fault]
        if options["json"]:
            self.stdout.write(msgspec.json.encode(found).decode())
        else:
            for each in faults:
                self.stdout.write(f"{each.what} at line {each.line}, depth {each.depth}: {each.fault}")
            counts = Counter(each.what for each in found if each.rules is None)
            for rules, count in sorted(Counter(each.rules for each in found if each.rules is not None).items()):
                self.stdout.write(f"{count} rulings are of version {rules} of the rules: folded, not run again")
            looked = ", ".join(f"{count} {what}s" for what, count in sorted(counts.items()))
            self.stdout.write(f"{looked}: {len(faults)} differ" if faults else f"{looked}: all as stored")
        if faults:
            raise SystemExit(1)
