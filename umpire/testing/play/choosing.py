"""Chooses the acts of games that are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from umpire.kernel.codec import codec_of
from umpire.testing.play import selfplay
from umpire.testing.play.battle import Play
from umpire.testing.play.moments import Act
from umpire.testing.play.random_play import next_act

PRIVATE = 3
"""How many private orders of a verb are given by chance: they rule nothing, and random players love them."""


class Chooser:
    """Chooses the acts of a game that is kept: as in self-play, but by chance as likely as not what has odds (or else
    nothing would ever be fired at), and few private orders."""

    def __init__(self, battle: Play[Any], seed: str, generals: str, most: int) -> None:
        self.battle, self.seed, self.most = battle, seed, most
        self.player = selfplay.Player(seed, selfplay.general_of(battle.package, generals))
        self.number = 0
        self.private: Counter[str] = Counter()

    def next_act(self) -> Act | None:
        """What is done next; None at the end of the battle, or when `most` acts have been thought of."""
        while self.number < self.most:
            number, self.number = self.number, self.number + 1
            act = self.player.next_act(self.battle, number, None)
            if number % 2 and self.player.general is None:
                act = act and next_act(self.battle, Random(f"{self.seed} {number}"))
            if act is None or act["act"] != "order" or not self._is_one_too_many(act["order"]):
                return act
        return None

    def note(self, act: Act) -> None:
        self.player.note(self.battle, act)

    def _is_one_too_many(self, order: Mapping[str, Any]) -> bool:
        package = self.battle.package
        if self.player.general is not None or not package.is_private(codec_of(package).order(order)):
            return False
        self.private[order["verb"]] += 1
        return self.private[order["verb"]] > PRIVATE
