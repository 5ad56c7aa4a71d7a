"""`manage.py selfplay SYSTEM SCENARIO --games N --seed S`: whole battles at random or by generals, with every invariant
checked."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from umpire.kernel.registry import RulesPackage, package_of
from umpire.kernel.settings import BadInput
from umpire.serving import garbage_collection
from umpire.testing.play.selfplay import LEVELS, MOST, Game, Plot, play_game, plot_of, replay

EVERY = 5.0
"""Seconds between two lines of progress."""


class Command(BaseCommand):
    help = (
        "Plays battles to their end with random legal orders of all seats, or with those of generals, and checks every "
        "invariant. A failure is written to var/selfplay as a file that --replay plays again. Exit status 1 if a game "
        "fails."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", nargs="?", help="a game system, such as fireforce")
        parser.add_argument("scenario", nargs="?", help="a bundled scenario of it")
        parser.add_argument("--games", type=int, default=10, help="how many battles (default: 10)")
        parser.add_argument("--seed", default="0", help="the run's seed: the same seed gives the same battles")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="an option of the scenario, such as hidden=cards",
        )
        parser.add_argument(
            "--generals", default="", metavar="NAME", help="who leads all seats, such as plain (default: chance)"
        )
        parser.add_argument("--jobs", type=int, default=1, help="processes to play in (default: 1)")
        parser.add_argument("--check", choices=LEVELS, default="light", help="full: all checks after each act (slow)")
        parser.add_argument(
            "--corrections", type=float, default=0.0, help="the share of acts that are the umpire's hand (default: 0)"
        )
        parser.add_argument("--most", type=int, default=MOST, help=f"acts after which a battle is endless ({MOST})")
        parser.add_argument("--json", action="store_true", help="print one object: games, failures, orders, winners, …")
        parser.add_argument(
            "--replay", type=Path, metavar="FILE", help="play a failure again; exit status 1 if it still fails"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["replay"] is not None:
            self._again(options["replay"], options["json"])
            return
        if not options["system"] or not options["scenario"]:
            raise CommandError("name a SYSTEM and a SCENARIO, or a FILE to --replay")
        if options["games"] < 1 or options["jobs"] < 1:
            raise CommandError("--games and --jobs are 1 or more")
        plots = self._plots(options)
        garbage_collection.tune()
        start = time.perf_counter()
        games: list[Game] = []
        files: list[str] = []
        shown = start
        for game in _played(options["system"], plots, options["jobs"]):
            games.append(game)
            if game.fault:
                files.append(_written(options, len(games), game))
                self.stderr.write(self.style.ERROR(f"game {len(games)}: {game.fault}\n  {files[-1]}"))
            if options["verbosity"] and time.perf_counter() - shown > EVERY:
                shown = time.perf_counter()
                orders = sum(each.orders for each in games)
                self.stderr.write(f"{len(games)} of {len(plots)} games, {orders} orders")
        found = summary(options, games, files, time.perf_counter() - start)
        if options["json"]:
            self.stdout.write(msgspec.json.encode(found).decode())
        else:
            self._print(found)
        if files:
            raise SystemExit(1)

    def _plots(self, options: dict[str, Any]) -> list[Plot]:
        try:
            package = package_of(options["system"])
            chosen = dict(_option(text) for text in options["option"])
            more = {name: options[name] for name in ("corrections", "most", "generals")}
            seeds = [f"{options['seed']} {number}" for number in range(1, options["games"] + 1)]
            first = plot_of(package, options["scenario"], chosen, seeds[0], level=options["check"], **more)
        except (LookupError, BadInput) as fault:
            raise CommandError(str(fault.args[0] if fault.args else fault)) from fault
        return [msgspec.structs.replace(first, seed=seed) for seed in seeds]

    def _again(self, file: Path, as_json: bool) -> None:
        try:
            dump = msgspec.json.decode(file.read_bytes())
            game = replay(package_of(dump["system"]), dump)
        except OSError as fault:
            raise CommandError(f"{file}: {fault.strerror}") from fault
        except (msgspec.DecodeError, KeyError, TypeError, LookupError) as fault:
            raise CommandError(f"{file} is no file of selfplay that can be played here: {fault}") from fault
        if as_json:
            found = {"file": str(file), "acts": game.acts, "fault": game.fault, "was": dump["fault"]}
            self.stdout.write(msgspec.json.encode(found).decode())
        else:
            self.stdout.write(f"was: {dump['fault']}")
            self.stdout.write(f"now: {game.fault or 'nothing is broken'} (after {game.acts} acts)")
        if game.fault:
            raise SystemExit(1)

    def _print(self, found: dict[str, Any]) -> None:
        self.stdout.write(
            f"{found['games']} games of {found['scenario']} ({found['system']}), {found['failed']} failed"
        )
        self.stdout.write(
            f"{found['orders']} orders, {found['carried']} plans carried on, in {found['seconds']} s: "
            f"{found['orders_per_second']} orders/s, {found['bare_orders_per_second']} without checking"
        )
        winners = ", ".join(f"{side or 'nobody'} {count}" for side, count in found["winners"].items())
        points = ", ".join(f"{side} {value}" for side, value in found["average_points"].items())
        self.stdout.write(f"won: {winners}; turns on average {found['average_turns']}; points: {points}")
        self.stdout.write("orders: " + ", ".join(f"{verb} {count}" for verb, count in found["verbs"].items()))


def _option(text: str) -> tuple[str, Any]:
    """NAME=VALUE; the value is JSON where it can be read so (true, 3), else the word itself."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise LookupError(f"an option is NAME=VALUE, and this is {text!r}")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _played(system: str, plots: list[Plot], jobs: int) -> Iterator[Game]:
    package = package_of(system)
    if jobs == 1:
        for plot in plots:
            yield play_game(package, plot)
        return
    # Forked, so that packages registered and settings loaded here are there as they are here.
    _forked[:] = [(package, plot) for plot in plots]
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        yield from pool.map(_one, range(len(plots)))


_forked: list[tuple[RulesPackage[Any, Any], Plot]] = []


def _one(number: int) -> Game:
    return play_game(*_forked[number])


def _written(options: dict[str, Any], number: int, game: Game) -> str:
    """The path of the file that plays the game again."""
    folder = Path(settings.VAR_DIR) / "selfplay"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{options['system']}-{options['scenario']}-{options['seed']}-{number}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(game.dump), indent=1))
    return str(path)


def summary(options: dict[str, Any], games: list[Game], files: list[str], seconds: float) -> dict[str, Any]:
    """What is printed of a run, as plain JSON."""
    done = [game for game in games if not game.fault]
    orders = sum(game.orders for game in games)
    bare = sum(game.seconds for game in games)
    sides = sorted({side for game in done for side in game.points})
    verbs: Counter[str] = sum((game.verbs for game in games), Counter())
    faults = [game for game in games if game.fault]
    return {
        "system": options["system"],
        "scenario": options["scenario"],
        "options": options["option"],
        "seed": options["seed"],
        "check": options["check"],
        "generals": options["generals"],
        "games": len(games),
        "failed": len(faults),
        "failures": [
            {"seed": game.seed, "acts": game.acts, "fault": game.fault, "file": file}
            for game, file in zip(faults, files, strict=True)
        ],
        "orders": orders,
        "carried": sum(game.carried for game in games),
        "acts": sum(game.acts for game in games),
        "seconds": round(seconds, 1),
        "orders_per_second": round(orders / seconds, 1) if seconds else 0.0,
        "bare_orders_per_second": round(orders / bare, 1) if bare else 0.0,
        "winners": dict(sorted(Counter(game.winner for game in done).items())),
        "average_turns": round(sum(game.turns for game in done) / len(done), 1) if done else 0.0,
        "average_points": {
            side: round(sum(game.points.get(side, 0) for game in done) / len(done), 1) for side in sides
        },
        "verbs": dict(verbs.most_common()),
    }
