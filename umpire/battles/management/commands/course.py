"""`manage.py course [SYSTEM…]`: plays the games kept in tests/goldens/courses again and tells where they come out
otherwise, or records them."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.battles.management.commands.goldens import FOLDER
from umpire.kernel.registry import RulesPackage, packages
from umpire.serving import garbage_collection
from umpire.testing.play import courses
from umpire.testing.play.courses import Difference, Kept
from umpire.testing.play.watching import Game

SHOWN = 12
"""Differences shown of a game: one of each kind of thing, the earliest first."""


class Command(BaseCommand):
    help = (
        "Self-played games of every shipped scenario in every mode: acts, refusals, dice, questions, lines and views "
        "of all seats, kept as short marks in tests/goldens/courses. Plays them again and says which act, which seat "
        "and which part of the view comes out otherwise; exit status 1 if one does. With --dump DIR the whole course "
        "of each game is written as text, so that two checkouts can be compared with diff."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="only these systems, such as lnl")
        parser.add_argument("--record", action="store_true", help="record these games anew: what they do now is right")
        parser.add_argument(
            "--seeds", type=int, default=courses.SEEDS, help=f"games of each scenario and mode ({courses.SEEDS})"
        )
        parser.add_argument("--only", default="", metavar="WORDS", help="only games whose names hold this text")
        parser.add_argument("--jobs", type=int, default=1, help="processes to play in (default: 1)")
        parser.add_argument("--dump", type=Path, metavar="DIR", help="write the games there as text")

    def handle(self, *args: Any, **options: Any) -> None:
        garbage_collection.tune()
        chosen = {system: package for system, package in packages().items() if not package.is_example}
        if unknown := [system for system in options["systems"] if system not in chosen]:
            raise CommandError(f"no rules package {unknown[0]!r}; there are: {', '.join(chosen)}")
        differing = 0
        for system in options["systems"] or chosen:
            package = chosen[system]
            games = [game for game in courses.games_of(package, options["seeds"]) if options["only"] in game.name]
            if options["record"]:
                self._record(package, games, options["jobs"])
            elif options["dump"] is not None:
                self._dump(package, games, options["dump"])
            else:
                differing += self._compare(package, games, options["jobs"])
        if differing:
            raise SystemExit(1)

    def _record(self, package: RulesPackage[Any, Any], games: list[Game], jobs: int) -> None:
        recorded = _recorded(package)
        for game, each in zip(games, _all(_played, [(package, game) for game in games], jobs), strict=True):
            recorded[game.name] = each
            self.stdout.write(f"{package.system} {game.name}: {len(each.acts)} acts")
        path = courses.file_of(FOLDER, package.system)
        kept = tuple(recorded[game.name] for game in courses.games_of(package) if game.name in recorded)
        courses.write(path, courses.Recording(system=package.system, games=kept))
        self.stdout.write(f"{package.system}: {len(games)} games recorded in {path.name}")

    def _compare(self, package: RulesPackage[Any, Any], games: list[Game], jobs: int) -> int:
        """How many games come out otherwise."""
        recorded = _recorded(package)
        if lacking := [game.name for game in games if game.name not in recorded]:
            raise CommandError(f"{package.system}: no course of {lacking[0]} (record them with --record)")
        work = [(package, game, recorded[game.name]) for game in games]
        acts = differing = 0
        for game, found in zip(games, _all(_compared, work, jobs), strict=True):
            acts += len(recorded[game.name].acts)
            differing += bool(found)
            for difference in found[:SHOWN]:
                self.stdout.write(self.style.ERROR(f"{package.system} {game.name}: {difference}"))
            if len(found) > SHOWN:
                self.stdout.write(f"  and {len(found) - SHOWN} more kinds of things")
        self.stdout.write(f"{package.system}: {len(games)} games, {acts} acts, {differing} games come out otherwise")
        return differing

    def _dump(self, package: RulesPackage[Any, Any], games: list[Game], folder: Path) -> None:
        recorded = _recorded(package)
        folder.mkdir(parents=True, exist_ok=True)
        for game in games:
            kept = recorded.get(game.name)
            path = folder / f"{package.system} {game.name}.txt"
            with path.open("w") as file:
                try:
                    for line in courses.written(package, game, kept.acts if kept else None):
                        file.write(f"{line}\n")
                except Exception as fault:  # as far as it goes
                    file.write(f"=== ends here: {type(fault).__name__}: {fault}\n")
            self.stdout.write(str(path))


def _recorded(package: RulesPackage[Any, Any]) -> dict[str, Kept]:
    path = courses.file_of(FOLDER, package.system)
    return {kept.name: kept for kept in courses.read(path).games} if path.exists() else {}


_work: list[Any] = []
"""What forked processes play: packages cannot be sent to them."""


def _all(play: Any, work: list[Any], jobs: int) -> Iterator[Any]:
    """The results of `play` for each piece of work, in order."""
    if jobs == 1:
        yield from (play(*each) for each in work)
        return
    _work[:] = [(play, each) for each in work]
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        yield from pool.map(_one, range(len(work)))


def _one(number: int) -> Any:
    play, each = _work[number]
    return play(*each)


def _played(package: RulesPackage[Any, Any], game: Game) -> Kept:
    return courses.played(package, game)


def _compared(package: RulesPackage[Any, Any], game: Game, kept: Kept) -> list[Difference]:
    return courses.compared(package, game, kept)
