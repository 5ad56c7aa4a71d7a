"""`manage.py bench [NAME] --json`: measures speed and memory against the budgets."""

import importlib
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.testing import benching

MODULES = (
    "umpire.testing.bench_kernel",
    "umpire.benches.orders",
    "umpire.benches.inches",
    "umpire.benches.streams",
    "umpire.benches.play",
    "umpire.benches.hosted",
    "fireforce.testing.bench",
    "lnl.testing.bench",
    "lnl.testing.bench_battle",
    "lnl.testing.bench_engine",
)
"""Modules that register benchmarks when they are imported."""


class Command(BaseCommand):
    help = "Measures speed and memory. Exit status 1 if a budget is not met."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help="a benchmark, or the beginning of its name; all by default")
        parser.add_argument("--json", action="store_true", help="a list of objects: name, value, unit, budget, …")

    def handle(self, *args: Any, **options: Any) -> None:
        for module in MODULES:
            importlib.import_module(module)
        known = benching.benches()
        wanted = [name for name in known if name.startswith(options["name"] or "")]
        if not wanted:
            raise CommandError(f"no benchmark {options['name']!r}; there are: {', '.join(known)}")
        rows: list[benching.Row] = []
        for name in wanted:
            self.stderr.write(f"measuring {name} …")
            rows.extend(known[name]())
        if options["json"]:
            self.stdout.write(msgspec.json.encode(rows).decode())
        else:
            for row in rows:
                word = "at least" if row.is_floor else "at most"
                state = "ok" if row.ratio <= 1 else "OVER BUDGET"
                self.stdout.write(f"{row.name:58} {row.value:12.3f} {row.unit:6} ({word} {row.budget:g}) {state}")
        if any(row.ratio > 1 for row in rows):
            raise SystemExit(1)
