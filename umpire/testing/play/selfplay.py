"""Whole battles played at random or by generals, each from a seed of its own: what `manage.py selfplay` plays, and
plays again.

Random numbers are drawn by name (the game's seed and the number of the act), so that an act, a choice and a sampled
check come out the same when a failure is played again from its file.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from umpire.kernel.codec import encode
from umpire.kernel.forms import Form
from umpire.kernel.ledger import Answered, Begun, Drawn, Thrown
from umpire.kernel.registry import General, RulesPackage, Wish
from umpire.kernel.settings import Setting, remember
from umpire.kernel.states import Seat
from umpire.testing.conformance.fixture import Broken, new_id
from umpire.testing.play import trials
from umpire.testing.play.battle import Play
from umpire.testing.play.moments import Act, Check
from umpire.testing.play.random_play import answer_act, before_act, do

Level = Literal["full", "light", "none"]
LEVELS: tuple[Level, ...] = ("full", "light", "none")
PART = 0.06
"""The share of all orders up to which a verb is not held back."""
MOST = 20_000
"""Acts after which a battle that is still not over is said to have no end."""


class Plot(Struct, frozen=True, kw_only=True):
    """What a game is made of: enough to play it again. `corrections` is the share of acts that the umpire does by his
    own hand; `generals` names who leads all seats, "" for random play."""

    setting: Setting
    seats: Mapping[str, Seat]
    seed: str
    level: Level = "light"
    corrections: float = 0.0
    most: int = MOST
    generals: str = ""


class Game(Struct, kw_only=True):
    """What came of a game. `seconds` are those of the processor for the play alone, `checking` for the checks."""

    seed: str
    acts: int = 0
    orders: int = 0
    carried: int = 0
    seconds: float = 0.0
    checking: float = 0.0
    turns: int = 0
    winner: str = ""
    points: dict[str, int] = {}
    verbs: Counter[str] = field(default_factory=Counter)
    fault: str = ""
    dump: dict[str, Any] = {}


def seats_of(package: RulesPackage[Any, Any], state: Any) -> dict[str, Seat]:
    """A player for each command, who acts also for hidden ones, an umpire and an observer."""
    seats = {name: Seat(name=name, role="player", commands=(name,)) for name in state.commands}
    return {**seats, "umpire": Seat(name="umpire", role="umpire"), "observer": Seat(name="observer", role="observer")}


def plot_of(package: RulesPackage[Any, Any], scenario: str, options: Mapping[str, Any], seed: str, **more: Any) -> Plot:
    """The plot of a bundled scenario. Raises LookupError for one that there is not and for unknown generals, BadInput
    for a wrong option."""
    texts = package.scenarios()
    if scenario not in texts:
        raise LookupError(f"no scenario {scenario!r}; there are: {', '.join(sorted(texts))}")
    setting = package.load(texts[scenario], file=scenario, options=options)
    remember(setting)
    state = package.begin(setting, lambda key: key)
    general_of(package, more.get("generals", ""))
    return Plot(setting=setting, seats=seats_of(package, state), seed=seed, **more)


def general_of(package: RulesPackage[Any, Any], name: str) -> General[Any] | None:
    """The generals of this name, None for random play. Raises LookupError naming those there are."""
    if name and name not in package.generals:
        raise LookupError(f"{package.system} has no generals {name!r}; it has: {', '.join(package.generals) or 'none'}")
    return package.generals[name] if name else None


def play_game(package: RulesPackage[Any, Any], plot: Plot) -> Game:
    """Plays one game to its end, or to the first thing that is broken: then `fault` and `dump` say what."""
    game = Game(seed=plot.seed)
    acts: list[Act] = []
    battle: Play[Any] | None = None
    doing = "begins"
    try:
        battle = battle_of(package, plot)
        player = Player(plot.seed, general_of(package, plot.generals))
        for number in range(plot.most):
            doing = "chooses"
            start = time.process_time()
            act = player.next_act(battle, number, _corrector(package, plot))
            game.seconds += time.process_time() - start
            if act is None:
                _ended(package, plot, battle, game)
                return game
            acts.append(act)
            doing = "acts"
            _do(package, plot, battle, act, number, game)
            player.note(battle, act)
        raise Broken("every battle ends", f"it is not over after {plot.most} acts, in turn {_turn(battle)}")
    except Exception as error:
        game.fault = f"{type(error).__name__}: {error}"
        game.dump = _dump(package, plot, battle, acts, doing, game.fault)
    return game


def replay(package: RulesPackage[Any, Any], dump: Mapping[str, Any]) -> Game:
    """Plays a dump of `play_game` again with the checks that it was played with. `fault` is what is broken, if it still
    is."""
    plot = plot_from(package, dump)
    game = Game(seed=plot.seed)
    try:
        battle = battle_of(package, plot)
        player = Player(plot.seed, general_of(package, plot.generals))
        for number, act in enumerate(dump["acts"]):
            player.next_act(battle, number, _corrector(package, plot), act)
            _do(package, plot, battle, act, number, game)
            player.note(battle, act)
        if dump["doing"] == "chooses":
            if player.next_act(battle, len(dump["acts"]), _corrector(package, plot)) is None:
                _ended(package, plot, battle, game)
    except Exception as error:
        game.fault = f"{type(error).__name__}: {error}"
    return game


def plot_from(package: RulesPackage[Any, Any], dump: Mapping[str, Any]) -> Plot:
    """The plot of a dump. Raises msgspec.ValidationError where the package has other settings now."""
    setting = Setting(
        public=msgspec.convert(dump["setting"]["public"], package.public_setting),
        umpire=msgspec.convert(dump["setting"]["umpire"], package.umpire_setting),
    )
    remember(setting)
    return Plot(
        setting=setting,
        seats={name: msgspec.convert(seat, Seat) for name, seat in dump["seats"].items()},
        seed=dump["seed"],
        level=dump["level"],
        corrections=dump["corrections"],
        most=dump["most"],
        generals=dump.get("generals", ""),
    )


class Player:
    """Chooses what is done next, for all seats. What a seat has done often since the last thing that followed by itself
    is chosen less and less, so that phases end, and so is what makes up much of the whole game; how patient the players
    are is drawn for each game. With a general it is his choice instead, for every seat by itself."""

    def __init__(self, seed: str, general: General[Any] | None = None) -> None:
        self.seed, self.general = seed, general
        self.patience = Random(f"{seed} patience").choice((2, 3, 5, 10))
        self.state: Any = None
        self.idle: set[str] = set()
        """The seats whose last order came to nothing, without that anything has happened since."""
        self.done: Counter[tuple[str, str]] = Counter()
        self.game: Counter[str] = Counter()
        self.depth = 0

    def next_act(
        self,
        play: Play[Any],
        number: int,
        correct: Callable[[Any, Random], Sequence[Mapping[str, Any]]] | None,
        act: Act | None = None,
    ) -> Act | None:
        """Something that may be done now, `act` if it is given; None when the battle is over. Raises Broken where
        nobody can do anything."""
        random = Random(f"{self.seed} act {number}")
        if act is not None:
            return act
        if play.waiting is not None:
            return answer_act(play, random) if self.general is None else _answer(play, self.general, random)
        if play.position.open is not None:
            raise Broken("nothing hangs", f"a ruling cannot go on: {play.position.open.fault}")
        if play.package.outcome(play.state).is_over:
            return None
        if correct is not None and (corrections := correct(play.state, random)):
            return {"act": "correct", "correction": random.choice(list(corrections))}
        if due := play.package.due(play.state):
            return {"act": "carry", "force": due[0]}
        if self.general is not None and (act := _wished(play, self.general, self.idle, random)) is not None:
            return act
        return self._order(play, random)

    def note(self, play: Play[Any], act: Act) -> None:
        """Takes note of what was done: whether anything came of it or followed by itself, and who ordered what."""
        if play.state is not self.state:
            self.state, self.idle = play.state, set()
        elif act["act"] == "order":
            self.idle.add(act["seat"])
        entries = play.tree.own[play.tree.head]
        if any(isinstance(entry, Begun) and entry.kind == "advance" for entry in entries[self.depth :]):
            self.done.clear()
        self.depth = len(entries)
        if act["act"] == "order":
            self.done[act["seat"], act["order"]["verb"]] += 1
            self.done[act["seat"], ""] += 1
            self.game[act["order"]["verb"]] += 1

    def _rarity(self, verb: str) -> float:
        """1 for what makes up no more than its part of the game, less for what makes up more."""
        part = self.game[verb] / (self.game.total() + 10)
        return min(1.0, PART / part) if part else 1.0

    def _order(self, play: Play[Any], random: Random) -> Act:
        seats = [name for name, seat in play.seats.items() if seat.role == "player"]
        subjects = {seat: play.subjects(seat) for seat in seats}
        weights = [(1.0 if subjects[seat] else 0.05) / (1 + self.done[seat, ""]) for seat in seats]
        for seat in _shuffled(seats, weights, random):
            if (order := self._of_seat(play, seat, subjects[seat], random)) is not None:
                return {"act": "order", "seat": seat, "order": order}
        raise Broken("somebody can always act", f"none of {', '.join(seats)} is offered anything, and nothing is due")

    def _of_seat(self, play: Play[Any], seat: str, subjects: Sequence[str], random: Random) -> dict[str, Any] | None:
        """A random order of a seat. Options are asked for one piece at a time, as a client does."""
        pieces: list[str | None] = random.sample(list(subjects), len(subjects))
        pieces.insert(0 if random.random() * self.patience < 1 else len(pieces), None)
        form: Form | None = None
        for piece in pieces:
            forms = play.options(seat, piece)
            if not forms:
                continue
            weights = [(self._rarity(each.verb) / (1 + self.done[seat, each.verb])) ** 2 for each in forms]
            form = random.choices(forms, weights)[0]
            if random.random() < self._rarity(form.verb) / (1 + (self.done[seat, form.verb] / self.patience) ** 2):
                break
        return None if form is None else play.package.sample(play.believed(seat), play.seats[seat], form, random)


def _wished(play: Play[Any], general: General[Any], idle: Collection[str], random: Random) -> Act | None:
    """The order that is worth most to the seat that gives it, the first of those alike; None where none wishes any."""
    wishes: dict[str, Wish] = {}
    for name, seat in play.seats.items():
        if seat.role != "player" or name in idle:
            continue
        wish = general.order(play.believed(name), seat, partial(play.options, name), random)
        if wish is not None:
            wishes[name] = wish
    if not wishes:
        return None
    most = max(wishes, key=lambda name: wishes[name].worth)
    return {"act": "order", "seat": most, "order": wishes[most].order}


def _answer(play: Play[Any], general: General[Any], random: Random) -> Act:
    """What the first of those who are asked answers; dice fall at random."""
    waiting = play.waiting
    assert waiting is not None
    if waiting.roll is not None:
        return answer_act(play, random)
    command, question = next(iter(waiting.questions.items()))
    seat = next(name for name, seat in play.seats.items() if seat.role == "player" and command in seat.commands)
    choices = general.answer(play.believed(seat), command, question, random)
    return {"act": "answer", "command": command, "choices": list(choices)}


def _shuffled(items: Sequence[str], weights: Sequence[float], random: Random) -> Iterator[str]:
    """All items in a random order in which heavy ones come early."""
    keys = {item: random.random() ** (1 / weight) for item, weight in zip(items, weights, strict=True)}
    yield from sorted(items, key=lambda item: -keys[item])


def battle_of(package: RulesPackage[Any, Any], plot: Plot, *, play: Callable[..., Play[Any]] = Play) -> Play[Any]:
    """The battle of a plot before its first act."""
    names = Random(f"{plot.seed} names")
    state = package.begin(plot.setting, lambda key: new_id(names))
    return play(package, state, plot.seats, secret=f"{plot.seed} secret".encode())


def _corrector(
    package: RulesPackage[Any, Any], plot: Plot
) -> Callable[[Any, Random], Sequence[Mapping[str, Any]]] | None:
    if not plot.corrections:
        return None
    fixture = trials.fixture_of(package)

    def correct(state: Any, random: Random) -> Sequence[Mapping[str, Any]]:
        if fixture is None or random.random() >= plot.corrections:
            return ()
        return fixture.corrections(state, random)

    return correct


def _do(package: RulesPackage[Any, Any], plot: Plot, battle: Play[Any], act: Act, number: int, game: Game) -> None:
    """Does an act, counts it and checks what must hold after it."""
    start = time.process_time()
    checks: tuple[Check, ...] = ()
    moment = None
    if plot.level != "none":
        checks = trials.checks(package, plot.level)
        moment = before_act(battle, act, number, Random(f"{plot.seed} check {number}"))
    begun = time.process_time()
    do(battle, act)
    ended = time.process_time()
    game.acts += 1
    if act["act"] == "order":
        game.orders += 1
        game.verbs[act["order"]["verb"]] += 1
    elif act["act"] == "carry":
        game.carried += 1
    if moment is not None:
        for check in checks:
            check(moment)
    game.seconds += ended - begun
    game.checking += begun - start + time.process_time() - ended
    opened = battle.position.open
    if opened is not None and opened.fault is not None:
        raise Broken("no ruling raises", f"after {encode(act).decode()}: {opened.fault.how}: {opened.fault.text}")


def _ended(package: RulesPackage[Any, Any], plot: Plot, battle: Play[Any], game: Game) -> None:
    outcome = package.outcome(battle.state)
    game.turns, game.winner, game.points = _turn(battle), outcome.winner, dict(outcome.points)
    limit = getattr(plot.setting.public, "turns", None)
    if limit is not None and game.turns > limit:
        raise Broken("every battle ends", f"it ends in turn {game.turns}, and the scenario has {limit}")


def _turn(battle: Play[Any]) -> int:
    return int(getattr(battle.state.public, "turn", 0))


def _dump(
    package: RulesPackage[Any, Any],
    plot: Plot,
    battle: Play[Any] | None,
    acts: Sequence[Act],
    doing: str,
    fault: str,
) -> dict[str, Any]:
    """All that plays the game again, and for whoever reads it the dice and answers that fell."""
    entries = battle.tree.path() if battle is not None else []
    fallen = [entry for entry in entries if isinstance(entry, Thrown | Drawn | Answered)]
    plain: dict[str, Any] = msgspec.json.decode(
        encode(
            {
                "system": package.system,
                "seed": plot.seed,
                "level": plot.level,
                "corrections": plot.corrections,
                "most": plot.most,
                "generals": plot.generals,
                "doing": doing,
                "fault": fault,
                "seats": dict(plot.seats),
                "acts": list(acts),
                "dice": fallen,
                "setting": {"public": plot.setting.public, "umpire": plot.setting.umpire},
            }
        )
    )
    return plain
