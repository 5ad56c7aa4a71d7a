"""What the kernel itself costs, measured on the toy game: a ruling run again, and random legal play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from umpire.kernel import running
from umpire.kernel.dice import ServerDice, no_answer
from umpire.kernel.ledger import Answered, Begun
from umpire.kernel.rulings import Choice, Question, Ruling, ask
from umpire.testing import benching
from umpire.testing.play.selfplay import play_game, plot_of
from umpire.testing.skirmish import PACKAGE, Skirmish, firing
from umpire.testing.skirmish.events import StandingOrdersGiven
from umpire.testing.skirmish.state import State

ANSWERS = 100
GAMES = 6


class Curious(Skirmish):
    """The toy game with an order that asks a hundred times, and tells something after each answer."""

    def resolve(self, state: State, seat: Any, order: Any) -> Ruling[State]:
        choices = (Choice(id="hold", label="hold"), Choice(id="any", label="any"))
        for number in range(ANSWERS):
            question = Question(kind="again", prompt=f"And the {number}th?", choices=choices, default=("hold",))
            state, taken = yield from ask("blue_1", question)
            fire: Literal["any", "hold"] = "any" if "any" in taken else "hold"
            state = yield from firing.tell(StandingOrdersGiven(command="blue_1", fire=fire))
        return state


def run_again() -> Iterator[benching.Row]:
    """An order that waits at its last question, with a hundred answers given, read from its ledger and run again."""
    package = Curious()
    setting = package.load(package.scenarios()["the-lane"], file="the-lane", options={})
    state = package.begin(setting, lambda key: key)

    def sources(begun: Begun) -> ServerDice:
        return ServerDice(b"bench", 0, begun.giver, begun.number, "", False, no_answer)

    order = {"verb": "end_turn", "command": "blue_1"}
    begun = Begun(kind="order", giver="blue_1", commands=("blue_1",), order=order)
    done = running.begin(package, running.Position(state=state), begun, sources)
    entries = list(done.entries)
    for number in range(ANSWERS - 1):
        answered = Answered(command="blue_1", choices=(("hold", "any")[number % 2],))
        refusals, more = running.answer(package, done.position, answered, sources)
        if more is None:
            raise RuntimeError(str(refusals))
        done = more
        entries.extend(done.entries)
    last = Answered(command="blue_1", choices=("hold",))
    waiting = running.position_of(package, state, entries, sources)

    def again() -> None:
        running.answer(package, waiting, last, sources)

    _, ended = running.answer(package, waiting, last, sources)
    if ended is None or ended.position.open is not None:
        raise RuntimeError("the order does not end with its hundredth answer")
    yardstick = benching.yardstick()
    name = f"engine: a ruling run again with {ANSWERS} answers given"
    yield benching.row(name, benching.best_of(5, again) * 1000, "ms", 20, yardstick)


def random_play() -> Iterator[benching.Row]:
    """Orders of random legal play a second, of whole battles of the toy game."""
    yardstick = benching.yardstick()
    orders, seconds = 0, 0.0
    for number in range(GAMES):
        game = play_game(PACKAGE, plot_of(PACKAGE, "the-lane", {}, f"bench {number}", level="none"))
        if game.fault:
            raise RuntimeError(game.fault)
        orders, seconds = orders + game.orders, seconds + game.seconds
    yield benching.row(
        "engine: random legal play, skirmish", round(orders / seconds, 1), "orders/s", 300, yardstick, is_floor=True
    )


benching.register("engine.run_again", lambda: list(run_again()))
benching.register("engine.random_play", lambda: list(random_play()))
