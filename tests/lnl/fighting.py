"""Battles of the shipped scenarios under way, by random play."""

from __future__ import annotations

from collections.abc import Iterator

from lnl.package import PACKAGE
from lnl.state.battle import State
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import do
from umpire.testing.play.selfplay import Player, plot_of

SCENARIOS = ("crossroads-at-saint-aubin", "the-bridge-below-the-hill", "the-farm-by-night")


def fighting(scenario: str, play: str, acts: int, seed: str) -> Iterator[Play[State]]:
    """A battle after each of so many random acts, as long as it lasts."""
    plot = plot_of(PACKAGE, scenario, {"play": play}, seed)
    battle = Play(PACKAGE, PACKAGE.begin(plot.setting, lambda key: key), plot.seats, secret=b"reach")
    player = Player(seed)
    for number in range(acts):
        act = player.next_act(battle, number, None)
        if act is None:
            return
        do(battle, act)
        player.note(battle, act)
        yield battle


def fought(scenario: str, play: str, acts: int, seed: str) -> Play[State]:
    """A battle after so many random acts, or at its end."""
    *_, battle = fighting(scenario, play, acts, seed)
    return battle
