"""What the rules cost, against the budgets: exact odds of a large attack, and what of it a screen asks beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lnl.package import PACKAGE, install
from lnl.scenarios.parsing import read
from lnl.state.finding import carried, unit
from umpire.kernel.codec import codec_of
from umpire.kernel.odds import odds_of
from umpire.kernel.states import Seat
from umpire.testing import benching
from umpire.testing.play.battle import Play

PLAIN = "grid = '''\n" + "\n".join([". " * 10] * 8) + '\n\'\'\'\n[legend]\n"." = "clear"\n'
ATTACKERS = {"a": "us_airborne", "b": "us_airborne", "c": "us_airborne", "lt": "us_medrow"}
TARGETS = {"x": "ge_grenadier", "y": "ge_grenadier", "z": "ge_grenadier", "ld": "ge_koch"}
SIDES = ("us", "ge")
FIRE = {"verb": "Fire", "units": ["a", "b", "c"], "target": [2, 5, 0]}


def _facing() -> Mapping[str, Any]:
    """Three squads with a machine gun and a leader, and as many enemies in the open before them, who may bring heroes
    forth."""
    forces = [{"key": key, "command": "us", "counter": counter, "at": "B2"} for key, counter in ATTACKERS.items()]
    forces[2]["weapons"] = ["bar"]  # type: ignore[assignment]
    forces += [{"key": key, "command": "ge", "counter": counter, "at": "B5"} for key, counter in TARGETS.items()]
    return {
        "scenario": {"key": "facing", "title": "Facing", "turns": 6, "map": PLAIN, "initiative": "us"},
        "side": [
            {"key": "us", "name": "United States", "nation": "us"},
            {"key": "ge", "name": "Germany", "nation": "ge"},
        ],
        "command": [{"key": "us", "side": "us", "name": "us"}, {"key": "ge", "side": "ge", "name": "ge"}],
        "force": forces,
    }


def odds() -> Iterator[benching.Row]:
    """Three squads and a leader fire at three squads and a leader: exact odds, and the forms of one of the squads."""
    install()
    yardstick = benching.yardstick()
    state = PACKAGE.begin(read(_facing(), file="bench", options={}), lambda key: key)
    seats = {name: Seat(name=name, commands=(name,)) for name in SIDES}
    play = Play(PACKAGE, state, seats, secret=b"bench")
    while play.state.public.phase == "rally":
        play.order(play.state.public.active, {"verb": "EndRally"})
    believed, seat = play.believed("us"), seats["us"]
    gun = carried(play.state, unit(play.state, "c"))[0]
    order = codec_of(PACKAGE).order({**FIRE, "weapons": [gun]})
    if refused := PACKAGE.check(believed, seat, order):
        raise RuntimeError(f"the bench's order is refused: {refused[0].reason}")
    found = odds_of(PACKAGE, believed, seat, order)
    if not found.exact:
        raise RuntimeError("the odds are sampled, not exact")
    taken = benching.best_of(3, lambda: odds_of(PACKAGE, believed, seat, order))
    name = f"lnl: odds of three squads and a leader at as many ({found.branches} runs)"
    yield benching.row(name, round(taken * 1000, 2), "ms", 300, yardstick)
    asked = benching.best_of(3, lambda: PACKAGE.options(believed, seat, "a"))
    yield benching.row("lnl: options of one squad that may fire and move", round(asked * 1000, 3), "ms", 3, yardstick)


benching.register("lnl.engine", lambda: list(odds()))
