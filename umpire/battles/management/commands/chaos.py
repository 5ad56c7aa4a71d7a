"""`manage.py chaos --minutes N`: processes killed and frozen at random under load, and what must be true afterwards."""

import random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.chaos.run import FORMS, run
from umpire.chaos.table import TOY
from umpire.kernel.registry import packages


class Command(BaseCommand):
    help = (
        "Starts a server on ports and databases of its own, lets tablets play on it, and kills and freezes its "
        "processes at random. Afterwards each acknowledged order must be there exactly once, each stream without gaps, "
        "each view the same on all processes. The hosted form needs redis-server and PostgreSQL's initdb. Exit status "
        "1 for a fault."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--minutes", type=float, default=1.0, help="how long in each form (default: 1)")
        parser.add_argument("--form", choices=sorted(FORMS), help="one form alone (default: all)")
        parser.add_argument("--system", default=TOY, choices=sorted(packages()), help=f"whose battles (default: {TOY})")
        parser.add_argument("--seed", type=int, help="for the same blows in the same order")

    def handle(
        self, *args: Any, minutes: float, form: str | None, system: str, seed: int | None, **options: Any
    ) -> None:
        if not 0 < minutes <= 24 * 60:
            raise CommandError("--minutes is more than 0, and a day at most")
        seed = random.randrange(10_000) if seed is None else seed
        faults: list[str] = []
        for name in [form] if form else sorted(FORMS):
            self.stdout.write(f"{name}, {system}, {minutes:g} minutes, seed {seed}")
            try:
                found = run(name, minutes * 60, seed, lambda line: self.stdout.write(line), system)
            except (FileNotFoundError, RuntimeError, TimeoutError) as failure:
                raise CommandError(str(failure)) from None
            for fault in found:
                self.stdout.write(f"  FAULT: {fault}")
            faults += found
        if faults:
            raise CommandError(f"{len(faults)} faults")
        self.stdout.write("every acknowledged order once, no gap in any stream, the same views everywhere")
