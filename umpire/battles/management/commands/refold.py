"""`manage.py refold BATTLE`, `manage.py refold --all`: states kept as caches are folded again from the ledger."""

import time
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.battles.errors import NotYours
from umpire.battles.models import Battle
from umpire.battles.refolding import Progress, Refolded, refold

EVERY = 5.0
"""Seconds between two lines of progress."""


class Command(BaseCommand):
    help = (
        "Folds the ledger of a battle, or of all, again and stores what comes out in the place of the states that are "
        "kept as caches (the head's and the snapshots), for an upgrade that has changed the form of a state. Players "
        "notice nothing. A battle that cannot be folded is named with the reason and left as it was. Exit status 1 if "
        "there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("battle", nargs="?", help="the battle's id")
        parser.add_argument("--all", action="store_true", help="all battles")
        parser.add_argument("--dry-run", action="store_true", help="only say what would change")
        parser.add_argument(
            "--json", action="store_true", help="a list of objects: battle, title, entries, changed, fault"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["all"] == bool(options["battle"]):
            raise CommandError("name one battle, or give --all")
        found: list[Refolded] = []
        battles = [options["battle"]] if options["battle"] else list(self._all())
        for number, battle in enumerate(battles, 1):
            try:
                each = refold(battle, dry_run=options["dry_run"], progress=self._progress(number, len(battles), battle))
            except NotYours:
                if options["all"]:  # it has been deleted meanwhile
                    continue
                raise CommandError(f"no battle has the id {battle!r}") from None
            found.append(each)
            if not options["json"]:
                self.stdout.write(said(each, dry_run=options["dry_run"]))
        faults = sum(bool(each.fault) for each in found)
        if options["json"]:
            self.stdout.write(msgspec.json.encode(found).decode())
        else:
            self.stdout.write(f"{len(found)} looked at, {faults} cannot be folded")
        if faults:
            raise SystemExit(1)

    def _all(self) -> list[str]:
        return list(Battle.objects.order_by("created", "id").values_list("id", flat=True))

    def _progress(self, number: int, count: int, battle: str) -> Progress:
        shown = time.monotonic()

        def progress(line: int, depth: int) -> None:
            nonlocal shown
            if time.monotonic() - shown > EVERY:
                shown = time.monotonic()
                self.stderr.write(f"battle {number} of {count} ({battle}): line {line}, depth {depth} …")

        return progress


def said(each: Refolded, *, dry_run: bool) -> str:
    """One battle in words."""
    name = f"{each.battle} {each.title}"
    if each.fault:
        return f"{name}: cannot be folded, left as it was: {each.fault}"
    if not each.changed:
        return f"{name}: as stored ({each.entries} entries)"
    verb = "would change" if dry_run else "changed"
    return f"{name}: {verb} {', '.join(each.changed)} ({each.entries} entries)"
