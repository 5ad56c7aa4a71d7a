"""Watches a battle that plays itself: what people see and are told after each act, as far as it has changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from umpire.kernel.ledger import Answered, Asked, Corrected, Drawn, Happened, Thrown
from umpire.kernel.registry import RulesPackage
from umpire.kernel.rulings import Roll
from umpire.kernel.running import Done, Step
from umpire.testing.conformance.fixture import new_id
from umpire.testing.play import selfplay
from umpire.testing.play.battle import Play
from umpire.testing.play.choosing import Chooser
from umpire.testing.play.moments import Act
from umpire.testing.play.random_play import do

ODDS = 25
"""Each so-manieth act of a game the odds of its order are asked for."""
THOUGHTS = 1500
"""Choices after which a game is left, with those that are passed over."""

Texts = dict[str, Any]
"""What came of an act, by what it is of ("alpha: lines", "dice"): plain JSON."""


class Game(Struct, frozen=True, kw_only=True):
    """A game that can be played: by whom ("" for chance), and for how many acts at the most."""

    scenario: str
    options: Mapping[str, Any]
    generals: str
    seed: int
    acts: int

    @property
    def name(self) -> str:
        chosen = [f"{key}={value}" for key, value in self.options.items()]
        return " ".join([self.scenario, *chosen, f"by {self.generals or 'chance'}", f"seed {self.seed}"])


class _Watched(Play[Any]):
    """A battle in memory that keeps the steps of each act until they are taken."""

    def _keep(self, done: Done) -> None:
        self.__dict__.setdefault("fresh", []).extend(done.steps)
        super()._keep(done)

    def taken(self) -> list[Step]:
        steps: list[Step] = self.__dict__.pop("fresh", [])
        return steps


class Watch:
    """Watches a battle of a game. Its orders are asked about before they are given, and odd ones made of them are
    tried."""

    def __init__(self, package: RulesPackage[Any, Any], game: Game) -> None:
        self.package, self.seed = package, f"course {game.name}"
        plot = selfplay.plot_of(package, game.scenario, game.options, self.seed, level="none", generals=game.generals)
        state = package.begin(plot.setting, lambda key: new_id(Random(f"{self.seed} {key}")))
        self.battle = _Watched(package, state, plot.seats, secret=self.seed.encode())
        self.chooser = Chooser(self.battle, self.seed, game.generals, THOUGHTS)
        self.number = 0
        self.was: dict[str, bytes] = {}
        self.values: defaultdict[str, list[Any]] = defaultdict(list)
        """By field what orders have held so far: from these odd orders are made."""

    def beginning(self) -> Texts:
        scenes = {f"{name}: scene": self.battle.scene(name) for name in self._told}
        return {**scenes, **self._after({})}

    def done(self, act: Act) -> Texts:
        """Does an act and tells what came of it. Raises Broken where it is refused."""
        self.number += 1
        texts = self._asked_before(act) if act["act"] == "order" and self.battle.position.open is None else {}
        do(self.battle, act)
        return self._after(texts)

    @property
    def _told(self) -> list[str]:
        return [name for name, seat in self.battle.seats.items() if seat.role != "umpire"]

    def _asked_before(self, act: Act) -> Texts:
        """What the giver is told of an order beforehand, and why an odd one is refused."""
        seat, order = act["seat"], act["order"]
        texts: Texts = {"preview": self.battle.preview(seat, order)}
        if self.number % ODDS == 0:
            fates = self.battle.odds(seat, order).fates
            texts["odds"] = sorted((fate.piece, fate.what, round(float(chance), 6)) for fate, chance in fates.items())
        random = Random(f"{self.seed} odd {self.number}")
        others = [name for name, other in self.battle.seats.items() if other.role == "player"]
        odd = dict(order)
        for field in sorted(order):
            if field == "verb":
                continue
            if self.values[field]:
                odd[field] = random.choice([order[field], *self.values[field]])
            if order[field] not in self.values[field]:
                self.values[field].append(order[field])
        giver = random.choice([seat, seat, *others])
        if odd != order or giver != seat:
            try:
                refusals: Any = self.battle.check(giver, odd)
            except msgspec.ValidationError:
                refusals = "no order"
            texts["odd order"] = [giver, odd, refusals]
        return texts

    def _after(self, texts: Texts) -> Texts:
        battle, package = self.battle, self.package
        steps = battle.taken()
        texts["dice"] = [_dice(step.entry) for step in steps if isinstance(step.entry, Thrown | Drawn)]
        texts["questions"] = [
            step.entry.questions
            if isinstance(step.entry, Asked)
            else [step.entry.command, step.entry.choices, step.entry.how]
            for step in steps
            if isinstance(step.entry, Asked | Answered)
        ]
        for name in self._told:
            texts[f"{name}: lines"] = [news.lines for news in battle.news[name]]
            battle.news[name].clear()
            self._view(texts, name, battle.view(name))
        texts["umpire: chronicle"] = list(self._chronicle(steps))
        self._view(texts, "umpire", battle.truth())
        outcome = package.outcome(battle.state)
        if outcome.is_over:
            texts["outcome"] = outcome
        return {what: text for what, text in texts.items() if text != []}

    def _view(self, texts: Texts, seat: str, view: Mapping[str, Any]) -> None:
        """The parts of a view that have changed, or are gone."""
        there = {f"{seat}: view {part}" for part in view}
        for what in [what for what in self.was if what.startswith(f"{seat}: view ") and what not in there]:
            texts[what] = "gone"
            del self.was[what]
        for part, value in view.items():
            what, data = f"{seat}: view {part}", bytes_of(value)
            if self.was.get(what) != data:
                self.was[what] = data
                texts[what] = value

    def _chronicle(self, steps: Sequence[Step]) -> Iterator[Any]:
        for step in steps:
            if isinstance(step.entry, Happened | Corrected):
                yield self.package.chronicle(step.entry.event, step.after)
            elif isinstance(step.entry, Thrown | Drawn):
                yield self.package.chronicle(step.entry, step.after)


def _dice(entry: Thrown | Drawn) -> list[Any]:
    """What fell, with what shaped it, without the names of the pieces that it was for."""
    if isinstance(entry, Drawn):
        return [entry.draw.purpose, entry.draw.by, entry.taken]
    roll: Roll = entry.roll
    return [roll.purpose, roll.by, roll.count, roll.sides, entry.faces, roll.bands, roll.modifiers, roll.rule]


def bytes_of(value: Any) -> bytes:
    """The JSON of a value, its keys in order."""
    return msgspec.json.encode(value, order="deterministic")
