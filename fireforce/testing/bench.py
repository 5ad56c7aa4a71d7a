"""What a battle of FireForce costs, against the budgets: events, the ledger, options, a move under many eyes, play.

`crowded` is the scenario that is measured: the ground of the bundled one, sixty men on foot against many hidden squads
with running plans. `fireforce.testing.bench_table` measures the table's own questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

from msgspec.structs import replace

from fireforce.happening.changing import with_team
from fireforce.package import PACKAGE
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    figures,
    squads,
)
from fireforce.testing import bench_table as table
from fireforce.testing.parts import having_figures
from umpire.kernel import running
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import ServerDice
from umpire.kernel.ledger import Begun, Corrected, Entry, Happened, fold
from umpire.kernel.parts import with_public
from umpire.kernel.registry import RulesPackage
from umpire.kernel.settings import Setting
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal
from umpire.testing import benching
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import do
from umpire.testing.play.selfplay import Player, play_game, plot_of, seats_of

SCENARIO = "patrol-to-the-ford"
BANDS = 40
EVENTS = 5_000
GAMES = 4
"""Whole battles that the rate of random play is measured over."""


def crowded(bands: int = BANDS, *, by_hand: bool = False, men: int = 3) -> Setting:
    """Seven squads of eight and a headquarters of four against so many hidden squads, each with a plan that runs."""
    ground, mark, _ = PACKAGE.scenarios()[SCENARIO].partition("# The platoon")
    if not mark:
        raise ValueError(f"{SCENARIO} has no line '# The platoon' any more")
    if by_hand:
        ground = ground.replace("plans_only = true\n", "")
    parts = [ground.replace('key = "patrol-to-the-ford"', 'key = "crowded"').replace("turns = 10", "turns = 99")]
    parts.append(_squad("hq", "platoon", (4, 20), 4, '["slr"]'))
    parts.extend(_squad(f"s{n}", "platoon", (7 + n % 2 * 5, 8 + 4 * n), 8, '["slr"]') for n in range(7))
    for n in range(bands):
        at = (20 + n % 8 * 6, 3 + n // 8 * 9)
        parts.append(_squad(f"b{n}", "cell", at, men, '["ak47"]'))
        to = (max(2, min(70, at[0] + 12 * (-1) ** n)), max(2, min(46, at[1] + 5)))
        parts.append(
            f'[[plan]]\nforce = "b{n}"\non_contact = "go_on"\nlegs = [{{ path = [[{to[0]}, {to[1]}], [40, 24]] }}]'
        )
    parts.append('[umpire]\ntitle = "Crowded"\ndescription = "Many bands."')
    return PACKAGE.load("\n\n".join(parts), file="crowded", options={"hidden": "map"})


def _squad(key: str, command: str, at: tuple[int, int], men: int, weapons: str) -> str:
    lines = [f'    {{ key = "{key}-0", name = "Leader", role = "leader", weapons = {weapons}, rating = 1 }},']
    lines += [f'    {{ key = "{key}-{n}", name = "Man", weapons = {weapons} }},' for n in range(1, men)]
    told = "\n".join(lines)
    return (
        f'[[squad]]\nkey = "{key}"\ncommand = "{command}"\nname = "Squad {key}"\nat = [{at[0]}, {at[1]}]\n'
        f"men = [\n{told}\n]"
    )


def played(setting: Setting, acts: int) -> Play[State]:
    """A battle of a setting after some random acts."""
    state = PACKAGE.begin(setting, lambda key: f"p{key}")
    play = Play(PACKAGE, state, seats_of(PACKAGE, state), secret=b"bench")
    player = Player("bench")
    for number in range(acts):
        act = player.next_act(play, number, None)
        if act is None:
            break
        do(play, act)
        player.note(play, act)
    return play


# Events and the ledger


def _ledger() -> tuple[State, Sequence[Entry]]:
    """A first state and the entries of a battle that hold at least so many events, as one ledger."""
    play = played(plot_of(PACKAGE, SCENARIO, {"hidden": "cards"}, "ledger").setting, 400)
    return play.first, play.tree.path()


def engine() -> Iterator[benching.Row]:
    """An event applied; five thousand events read and folded."""
    yardstick = benching.yardstick()
    first, entries = _ledger()
    happened = [entry for entry in entries if isinstance(entry, Happened | Corrected)]
    times: list[float] = []
    state = first
    for entry in happened:
        after = fold(PACKAGE, state, (entry,))
        times.append(benching.best_of(2, partial(fold, PACKAGE, state, (entry,))))
        state = after
    yield benching.row("fireforce: one event applied", round(sum(times) / len(times) * 1e6, 2), "us", 20, yardstick)
    decode = codec_of(PACKAGE).entry.decode
    stored = [encode(entry) for entry in happened]
    rounds, rest = divmod(EVENTS, len(stored))

    def replayed() -> None:
        for data in (*[stored] * rounds, stored[:rest]):
            fold(PACKAGE, first, [decode(each) for each in data])

    yield benching.row(
        "fireforce: 5,000 events read and folded", benching.best_of(3, replayed) * 1000, "ms", 150, yardstick
    )


# Options


def options() -> Iterator[benching.Row]:
    """The options of one man or squad, and of a side of sixty, in each phase that is played by hand."""
    yardstick = benching.yardstick()
    met, seat = in_contact(), Seat(name="platoon", commands=("platoon",))
    one, whole = 0.0, 0.0
    slowest = ("", "")
    for phase in ("motivation_movement", "searching", "firing", "close_combat"):
        state = with_public(met, active="government", phase=phase, ended=())
        believed = running.believed_of(PACKAGE, state, seat)
        subjects = PACKAGE.subjects(believed, seat)

        def ask(subject: str | None, believed: Any = believed) -> None:
            PACKAGE.options(believed, seat, subject)

        def ask_all(subjects: Sequence[str] = subjects, ask: Callable[[str | None], None] = ask) -> None:
            for subject in (None, *subjects):
                ask(subject)

        for subject in subjects:
            if (taken := benching.best_of(2, partial(ask, subject))) > one:
                one, slowest = taken, (phase, subject)
        whole = max(whole, benching.best_of(2, ask_all))
    name = f"fireforce: options of one unit (the slowest, {slowest[0].replace('_', ' ')})"
    yield benching.row(name, one * 1000, "ms", 3, yardstick)
    yield benching.row("fireforce: options of a side of 60", whole * 1000, "ms", 40, yardstick)


def in_contact() -> State:
    """Sixty men who have all rolled a good motivation, with four bands of the enemy in sight."""
    play = played(crowded(4), 1)
    for unit in squads(play.state):
        if unit.command == "cell":
            play.correct({"verb": "Reveal", "piece": unit.id}, "to be measured")
    state = play.state
    for unit in squads(state):
        state = with_team(state, unit.id, "whole", result="good")
    return state


# A squad of ten under thirty eyes


def eyes() -> Iterator[benching.Row]:
    """A hidden squad of ten runs across the open in sight of thirty men, who see it as it goes."""
    yardstick = benching.yardstick()
    state, order = under_eyes()
    cell = Seat(name="cell", commands=("cell",))
    # What is seen of a path is remembered: each time another is walked, a hundredth off.
    orders = ({**order, "path": [[2900, 2150], [3150, 2200 + n]]} for n in count())

    def check() -> Sequence[Refusal]:
        return PACKAGE.check(running.believed_of(PACKAGE, state, cell), cell, _read(next(orders)))

    def sources(_: Begun) -> ServerDice:
        return ServerDice(b"bench", 0, "cell", 0, "", False)

    def move() -> running.Done:
        begun = Begun(kind="order", giver="cell", commands=("cell",), order=next(orders))
        return running.begin(PACKAGE, running.Position(state=state), begun, sources)

    refused, done = check(), move()
    seen = done.position.state.umpire.aliases.get("platoon", {})
    if refused or not seen:
        raise RuntimeError(f"nobody has seen the squad move: {refused or done.position.open}")
    yield benching.row(
        "fireforce: a squad of ten moved under 30 eyes", benching.best_of(5, move) * 1000, "ms", 50, yardstick
    )
    yield benching.row("fireforce: that move checked", benching.best_of(3, check) * 1000, "ms", 50, yardstick)


def _read(order: dict[str, Any]) -> Any:
    return codec_of(PACKAGE).order(order)


def under_eyes() -> tuple[State, dict[str, Any]]:
    """A state in which it is the cell's turn to move, with the order of its squad of ten but for the path."""
    setting = crowded(1, by_hand=True, men=10)
    state = PACKAGE.begin(setting, lambda key: f"p{key}")
    play = Play(PACKAGE, state, seats_of(PACKAGE, state), secret=b"bench")
    state = with_public(play.state, active="guerrilla", phase="motivation_movement", ended=(), turn=1, player_turn=2)
    band = next(unit for unit in squads(state) if unit.command == "cell")
    regulars = [man for man in figures(state) if man.command == "platoon"]
    lookers = [replace(man, at=_post(n)) for n, man in enumerate(regulars[:30])]
    away = [replace(man, at=(100 + 40 * n, 4700), status="casualty") for n, man in enumerate(regulars[30:])]
    men = [_in_line(man, n) for n, man in enumerate(man for man in figures(state) if man.squad == band.id)]
    state = having_figures(state, [*lookers, *away, *men])
    state = with_team(state, band.id, "whole", result="good")
    return state, {"verb": "Move", "figures": list(band.members), "manner": "running"}


def _post(n: int) -> Place:
    return (2000 + n % 10 * 150, 1600 + n // 10 * 60)


def _in_line(man: Figure, n: int) -> Figure:
    return replace(man, at=(2500 + n % 5 * 90, 2100 + n // 5 * 90), is_prepared=False)


# Random play


def rate(package: RulesPackage[Any, Any], scenario: str, options: dict[str, Any], games: int) -> float:
    """Orders of random legal play in a second, of whole battles, nothing checked."""
    orders, seconds = 0, 0.0
    for number in range(games):
        game = play_game(package, plot_of(package, scenario, options, f"bench {number}", level="none"))
        if game.fault:
            raise RuntimeError(game.fault)
        orders, seconds = orders + game.orders, seconds + game.seconds
    return orders / seconds


def random_play() -> Iterator[benching.Row]:
    """Orders a second in both modes."""
    yardstick = benching.yardstick()
    for mode in ("map", "cards"):
        name = f"fireforce: random legal play, {mode}"
        found = rate(PACKAGE, SCENARIO, {"hidden": mode}, GAMES)
        yield benching.row(name, round(found, 1), "orders/s", 300, yardstick, is_floor=True)


benching.register("fireforce.table", table.rows)
benching.register("fireforce.engine", lambda: list(engine()))
benching.register("fireforce.options", lambda: list(options()))
benching.register("fireforce.eyes", lambda: list(eyes()))
benching.register("fireforce.random_play", lambda: list(random_play()))
