"""What a battle costs, against the budgets: events, options, a move under many eyes, random play.

`crowded` is what is measured: open ground with some cover on which sixty units of a side stand against thirty, or a
hidden stack of four comes into the sight of thirty.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from lnl.board.hexes import hex_name
from lnl.book.tables import Tables
from lnl.package import PACKAGE, install
from lnl.rules.movement.step_costs import StepContext, terrain_cost
from lnl.scenarios.parsing import read
from lnl.state.battle import State
from lnl.state.finding import units, units_of
from umpire.kernel import running
from umpire.kernel.book.points import Module
from umpire.kernel.codec import codec_of
from umpire.kernel.dice import ServerDice
from umpire.kernel.ledger import Begun, Corrected, Happened, fold
from umpire.kernel.settings import Setting
from umpire.kernel.states import Seat
from umpire.testing import benching
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import do
from umpire.testing.play.selfplay import Player, play_game, plot_of, seats_of

GAMES = 3
"""Whole battles that the rate of random play is measured over."""
SCENARIOS = ("crossroads-at-saint-aubin", "the-bridge-below-the-hill", "the-farm-by-night")
MODES = ("open", "blind")
ACTS = 300
"""Acts of the battle of which the events are applied."""
COLUMNS, ROWS = 32, 14
TIMES = 5
"""How often options are asked for, of which the fastest counts."""
AGAIN = 10
"""How often whichever unit is the slowest so far is asked once more: of sixty, other work on the machine meets some."""
STACK = 4
"""Units in a hex: three squads and a leader."""


WOODS = Module("bench: the woods")
"""A module of which the scouts of a side make use, as modules of the books do."""
WOODSMAN = "bench_woodsman"


@terrain_cost.change(WOODS, trait=WOODSMAN, rule="hid 13.3.2")
def _in_light_woods(rule: str, tables: Tables, context: StepContext) -> int:
    return 1 if context.terrain == "light_woods" else tables.terrain(context.terrain).leg


def crowded(play: str, ours: int, theirs: int, *, at: Sequence[str] = (), module: bool = False) -> Setting:
    """So many units of each side, four to a hex in two lines that face each other; ours `at` these hexes instead. With
    a module every second stack of ours goes through light woods by a rule of its own."""
    places = at or [hex_name((2 * n + 2, 5)) for n in range(ours // STACK)]
    forces = [each for name in places for each in _stack("us", name, "us_airborne", "us_medrow", "bar")]
    for n in range(theirs // (STACK - 1)):
        forces += _stack("ge", hex_name((3 * n + 2, 9)), "ge_grenadier", "ge_koch", "mg42")[: STACK - 1]
    scenario = {"key": "crowded", "title": "Crowded", "turns": 99, "map": _plain(), "initiative": "us"}
    if module:
        scenario["modules"] = [WOODS.name]
        for each in (each for n, each in enumerate(forces) if each["command"] == "us" and n // STACK % 2):
            each["traits"] = [WOODSMAN]
    return read(
        {
            "scenario": scenario,
            "options": {"play": play},
            "side": [{"key": key, "name": key, "nation": key} for key in ("us", "ge")],
            "command": [{"key": key, "side": key, "name": key} for key in ("us", "ge")],
            "force": forces,
        },
        file="bench",
    )


def _stack(side: str, at: str, squad: str, leader: str, gun: str) -> list[dict[str, Any]]:
    squads = [{"key": f"{side}-{at}-{n}", "command": side, "counter": squad, "at": at} for n in range(STACK - 1)]
    return [{**squads[0], "weapons": [gun]}, *squads[1:], {**squads[0], "key": f"{side}-{at}", "counter": leader}]


def _plain() -> str:
    """Fields, with a wood or a bush here and there between the lines, by a fixed rule."""
    rows = [" ".join(_token(column, row) for column in range(1, COLUMNS + 1)) for row in range(1, ROWS + 1)]
    return "grid = '''\n" + "\n".join(rows) + "\n'''\n[legend]\n'.' = 'clear'\nw = 'light_woods'\nb = 'brush'\n"


def _token(column: int, row: int) -> str:
    if row in (5, 6, 8, 9):
        return "."
    return "w" if (7 * column + 5 * row) % 11 == 0 else "b" if (3 * column + row) % 13 == 0 else "."


def begun(setting: Setting) -> Play[State]:
    """A battle in its first Operations Phase: nobody has anything to rally."""
    state = PACKAGE.begin(setting, lambda key: key)
    play = Play(PACKAGE, state, seats_of(PACKAGE, state), secret=b"bench")
    while play.state.public.phase == "rally":
        play.order(play.state.public.active, {"verb": "EndRally"})
    return play


# Events


def engine() -> Iterator[benching.Row]:
    """An event applied, on average over a battle of random play."""
    yardstick = benching.yardstick()
    setting = plot_of(PACKAGE, SCENARIOS[1], {"play": "blind"}, "ledger").setting
    state = PACKAGE.begin(setting, lambda key: key)
    play = Play(PACKAGE, state, seats_of(PACKAGE, state), secret=b"bench")
    player = Player("bench")
    for number in range(ACTS):
        act = player.next_act(play, number, None)
        if act is None:
            break
        do(play, act)
        player.note(play, act)
    times: list[float] = []
    state = play.first
    for entry in play.tree.path():
        after = fold(PACKAGE, state, (entry,))
        if isinstance(entry, Happened | Corrected):
            times.append(benching.best_of(2, partial(fold, PACKAGE, state, (entry,))))
        state = after
    yield benching.row("lnl: one event applied", round(sum(times) / len(times) * 1e6, 2), "us", 20, yardstick)


# Options


def options() -> Iterator[benching.Row]:
    """The options of one unit, and of a side of sixty, that faces thirty in sight, in both modes of play."""
    yardstick = benching.yardstick()
    for mode, module in ((mode, module) for module in (False, True) for mode in MODES):
        play, of = begun(crowded(mode, 60, 30, module=module)), f"{mode}, a module" if module else mode
        if play.state.public.active != "us":
            raise RuntimeError(f"it is the impulse of {play.state.public.active}")
        seat = play.seats["us"]
        believed = _afresh(play, seat)
        subjects = PACKAGE.subjects(believed, seat)
        if sum(each in {each.id for each in units(believed)} for each in subjects) != 60:
            raise RuntimeError("it is not a side of sixty")
        taken = {each: _least(play, seat, (each,)) for each in subjects}
        for _ in range(AGAIN):
            slowest = max(taken, key=lambda each: taken[each])
            taken[slowest] = min(taken[slowest], _least(play, seat, (slowest,)))
        most = max(taken.values()) * 1000
        yield benching.row(f"lnl: options of one unit, the slowest, {of}", most, "ms", 3, yardstick)
        whole = _least(play, seat, (None, *subjects)) * 1000
        yield benching.row(f"lnl: options of a side of 60, {of}", whole, "ms", 40, yardstick)


def _afresh(play: Play[State], seat: Seat) -> Any:
    """What a seat believes, as of a state that nothing was asked about yet."""
    state = replace(play.state, public=replace(play.state.public))
    return running.believed_of(PACKAGE, state, seat)


def _least(play: Play[State], seat: Seat, subjects: Sequence[str | None]) -> float:
    """The least seconds of computing that the options of all of these take, each time of a state that is new."""
    found: list[float] = []
    for _ in range(TIMES):
        believed = _afresh(play, seat)
        start = time.thread_time()
        for subject in subjects:
            PACKAGE.options(believed, seat, subject)
        found.append(time.thread_time() - start)
    return min(found)


# A stack under thirty eyes


def eyes() -> Iterator[benching.Row]:
    """A hidden stack of three squads and a leader goes four hexes across the open in sight of thirty."""
    yardstick = benching.yardstick()
    setting = crowded("blind", STACK, 30, at=("P4",))
    state = begun(setting).state
    seat = Seat(name="us", commands=("us",))
    units = [each.id for each in units_of(state.commands["us"])]
    path = [[16, 5, 0], [16, 6, 0], [17, 6, 0], [18, 6, 0]]
    order = {"verb": "Move", "units": units, "path": path}
    given = Begun(kind="order", giver="us", commands=("us",), order=order)

    def sources(_: Begun) -> ServerDice:
        return ServerDice(b"bench", 0, "us", 0, "", False)

    def move() -> running.Done:
        return running.begin(PACKAGE, running.Position(state=state), given, sources)

    def check() -> Sequence[Any]:
        return PACKAGE.check(running.believed_of(PACKAGE, state, seat), seat, codec_of(PACKAGE).order(order))

    done = move()
    seen = done.position.state.umpire.aliases.get("ge", {})
    if check() or len(seen) != len(units) or done.position.open is not None:
        raise RuntimeError(f"not all of the stack were seen to move: {check()}, {done.position.open}")
    yield benching.row(
        "lnl: a stack of four moved under 30 eyes", benching.best_of(5, move) * 1000, "ms", 50, yardstick
    )
    yield benching.row("lnl: that move checked", benching.best_of(3, check) * 1000, "ms", 50, yardstick)


# Random play


def random_play() -> Iterator[benching.Row]:
    """Orders a second of whole battles at random, nothing checked."""
    yardstick = benching.yardstick()
    for scenario in SCENARIOS:
        for mode in MODES:
            orders, seconds = 0, 0.0
            for number in range(GAMES):
                game = play_game(PACKAGE, plot_of(PACKAGE, scenario, {"play": mode}, f"bench {number}", level="none"))
                if game.fault:
                    raise RuntimeError(game.fault)
                orders, seconds = orders + game.orders, seconds + game.seconds
            name = f"lnl: random legal play, {scenario}, {mode}"
            yield benching.row(name, round(orders / seconds, 1), "orders/s", 300, yardstick, is_floor=True)


install()
benching.register("lnl.events", lambda: list(engine()))
benching.register("lnl.options", lambda: list(options()))
benching.register("lnl.eyes", lambda: list(eyes()))
benching.register("lnl.random_play", lambda: list(random_play()))
