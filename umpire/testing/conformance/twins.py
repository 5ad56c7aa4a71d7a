"""Secrecy: worlds that are equal in a seat's slice are equal in every byte that the seat can fetch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from umpire.kernel.codec import encode
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.hand.corrections import fresh
from umpire.kernel.ledger import Begun, Drawn, Happened, Thrown
from umpire.kernel.news import lines_of
from umpire.kernel.running import Step
from umpire.kernel.states import Seat, slice_of
from umpire.testing.conformance.courses import course, states_since, told
from umpire.testing.conformance.fixture import Broken, Conformance, begin
from umpire.testing.conformance.serving import difference, served
from umpire.testing.play.battle import Play
from umpire.testing.play.moments import Act
from umpire.testing.play.random_play import Quiet, answer_act, do, forms_of, next_act, order_act, settled

Plays = Callable[..., Play[Any]]
SECRET = b"twin worlds"
PAIRS = 3
"""Pairs of worlds that are tried from one start."""
CANDIDATES = 5
"""Things that might be done next, until one is found that may tell something."""


def somewhere(conformance: Conformance, setting: str, random: Random, most: int = 80) -> Any:
    """A state reached by some random play, in which nothing waits and the battle goes on."""
    battle = Quiet(conformance.package, begin(conformance, setting, random), conformance.seats, secret=SECRET)
    for _ in range(int(most * random.random() ** 2)):  # early positions, where most is hidden, more often
        settled(battle, random)
        was = battle.state
        players = [seat.name for seat in conformance.players]
        # Plans that are due are not always carried on: hidden activity has something left to do.
        act = _order_act(battle, random, players, chancy=0.5) if random.random() < 0.4 else next_act(battle, random)
        if act is None:
            return was
        do(battle, act)
        settled(battle, random)
        if conformance.package.outcome(battle.state).is_over:
            return was
    return battle.state


def some_player(conformance: Conformance, state: Any, random: Random) -> Seat:
    """A seat that leads one command, more often than not one that may order something with a chance in it."""
    players = conformance.players
    play = Play(conformance.package, state, conformance.seats)
    busy = [seat for seat in players if any(form.odds for form in forms_of(play, seat.name))]
    return random.choice(busy if busy and random.random() < 0.7 else players)


class Pair:
    """Two worlds with the same slice of one seat, and the observers beside it."""

    def __init__(self, conformance: Conformance, seat: Seat, one: Play[Any], other: Play[Any], seed: int) -> None:
        self.conformance, self.seat, self.one, self.other, self.seed = conformance, seat, one, other, seed
        self.command = seat.commands[0]
        self.watchers = [seat.name, *(name for name, each in one.seats.items() if each.role == "observer")]
        self.compared = 0
        self.hidden_givers: set[str] = set()

    def compare(self, when: str) -> None:
        """Everything that the seat and the observers can fetch is the same."""
        self.compared += 1
        for name in self.watchers:
            seed = self.seed + self.compared
            first = served(self.conformance, self.one, name, seed)
            second = served(self.conformance, self.other, name, seed)
            if text := difference(first, second):
                raise Broken("twin worlds", f"{name} can tell them apart {when}: {text}")

    def both(self, do_it: Callable[[Play[Any]], Any], when: str, may_part: Callable[[], bool] = lambda: False) -> bool:
        """Does the same in both worlds and compares. False when the worlds may part from here on: where the seat has
        rightly learnt something new that is not the same in both, or (`may_part`) dice need not be the same."""
        befores = [(play.state, play.tree.depth) for play in (self.one, self.other)]
        answers = [do_it(play) for play in (self.one, self.other)]
        if encode(answers[0]) != encode(answers[1]):
            raise Broken("twin worlds", f"{self.seat.name} is answered {answers[0]!r} or {answers[1]!r} {when}")
        if not self.is_one_course(*befores):
            if may_part():
                return False
            lines = [self._said(play, *before) for play, before in zip((self.one, self.other), befores, strict=True)]
            if any(is_new for _, is_new in lines):
                for first, second in zip(lines[0][0], lines[1][0], strict=False):
                    if first != second:
                        raise Broken("twin worlds", f"{self.seat.name} is told {first!r} or {second!r} {when}")
                return False
        if encode(self.conformance.conceded(self.one.state)) != encode(self.conformance.conceded(self.other.state)):
            return False
        self.compare(when)
        return True

    def is_one_course(self, *befores: tuple[Any, int]) -> bool:
        """Whether what has happened since then may tell the seat the same in both worlds."""
        one, other = (
            course(self.conformance, play, *before, self.command)
            for play, before in zip((self.one, self.other), befores, strict=True)
        )
        return one == other

    def _said(self, play: Play[Any], state: Any, depth: int) -> tuple[list[bytes], bool]:
        """The log lines of the seat since `depth`, up to what it rightly learns anew, and whether it does."""
        steps: list[Step] = []
        for before, event, after in states_since(play, state, depth):
            if not isinstance(event, KnowledgeEvent):
                if self.conformance.tells(before, event, after, self.command) == "new":
                    return [encode(line) for line in lines_of(play.package, steps, self.seat)], True
            steps.append(Step(Happened(event=event), before, after))
        return [encode(line) for line in lines_of(play.package, steps, self.seat)], False

    def wait_alike(self, when: str) -> None:
        """Nobody notices that he waits in one world and not in the other."""
        if (self.one.position.open is None) is not (self.other.position.open is None):
            raise Broken("twin worlds", f"an order of {self.seat.name} waits in one world {when}")


def twin_worlds(
    conformance: Conformance, setting: str, seed: int, *, play: Plays = Play, steps: int = 8, steady: bool = False
) -> int:
    """Non-interference: for two states that are equal in a seat's slice, hidden activity in one of them leaves every
    byte that the seat can fetch equal until something hidden is rightly met. `steady` battles hold results back until
    nothing waits; in others nothing that waits may tell. Gives how often the worlds were compared."""
    random = Random(seed)
    start = somewhere(conformance, setting, random)
    return sum(_twins(conformance, start, seed + number, play, steps, steady, random) for number in range(PAIRS))


def _twins(
    conformance: Conformance, start: Any, seed: int, play: Plays, steps: int, steady: bool, random: Random
) -> int:
    package = conformance.package
    seat = some_player(conformance, start, random)
    command = seat.commands[0]
    try:
        twin = conformance.another(start, command, random)
    except LookupError:
        return 0
    if encode(slice_of(start, (command,))) != encode(slice_of(twin, (command,))):
        raise Broken("another world has the same slice", f"{command}, seed {seed}")
    if problems := [*package.impossible(twin), *fresh(package.problems, start, twin)]:
        raise Broken("another world is a proper one", "; ".join(problems))
    plays = [play(package, state, conformance.seats, secret=SECRET, steady=steady) for state in (start, twin)]
    pair = Pair(conformance, seat, plays[0], plays[1], seed)
    pair.compare("at the start")
    for number in range(steps):
        kind = ("hidden", "own", "elsewhere", "hidden", "own", "public")[number % 6]
        if package.outcome(pair.one.state).is_over or not _step(pair, kind, random):
            break
    return pair.compared


def _step(pair: Pair, kind: str, random: Random) -> bool:
    """One more thing happens: something hidden in one world, or the same in both. False when the worlds may part."""
    if kind == "hidden":
        return _hidden(pair, random)
    if kind == "elsewhere":
        return _elsewhere(pair, random)
    names = [pair.seat.name]
    if kind == "public":
        names = [seat.name for seat in pair.conformance.players if seat.name != pair.seat.name]
    act = _order_act(pair.one, random, names, chancy=0.4 if kind == "own" else 0.0)
    if act is None:
        return True
    name, order = act["seat"], act["order"]
    copies = [play.copied() for play in (pair.one, pair.other)]
    if kind == "public":
        if not all(_may(play, act) for play in copies):
            return True
    depths = [play.tree.depth for play in (pair.one, pair.other)]
    if not pair.both(
        lambda play: play.order(name, order),
        f"after the order {order} of {name}",
        lambda: name in pair.hidden_givers and any(map(_has_chance, (pair.one, pair.other), depths)),
    ):
        return False
    if kind == "own":
        pair.wait_alike(f"after its order {order}")
    if not _answered(pair, random):
        return False
    if pair.one.steady:
        pair.one.release()
        pair.other.release()
        pair.compare(f"at the release after {order} of {name}")
    return True


def _has_chance(play: Play[Any], depth: int) -> bool:
    """Whether dice fell since `depth`. Whoever has given a hidden order in one world only has other dice from there
    on, for their names count his orders; no seat can tell from that."""
    return any(isinstance(entry, Thrown | Drawn) for entry in play.tree.since(depth))


def _answered(pair: Pair, random: Random) -> bool:
    """What waits openly is answered in both worlds alike, as long as both wait for the same."""
    for _ in range(20):
        opened = pair.one.position.open
        if opened is None and pair.other.position.open is None:
            return True
        if pair.one.waiting is None or pair.other.waiting is None:
            return False
        if set(pair.one.waiting.questions) != set(pair.other.waiting.questions):
            return False
        act = answer_act(pair.one, random)
        question = pair.other.waiting.questions.get(act.get("command", ""))
        if question is None or (act["choices"] and question.faults(act["choices"])):
            return False
        depths = [play.tree.depth for play in (pair.one, pair.other)]
        is_other = opened is not None and opened.begun.giver in pair.hidden_givers
        if not pair.both(
            lambda play, act=act: do(play, act),  # type: ignore[misc]
            f"after the answer {act}",
            lambda is_other=is_other, depths=depths: (  # type: ignore[misc]
                is_other and any(map(_has_chance, (pair.one, pair.other), depths))
            ),
        ):
            return False
    return False


def _hidden(pair: Pair, random: Random) -> bool:
    """Something happens in one world only, of which the seat may learn nothing; it learns nothing."""
    depth, before = pair.one.tree.depth, pair.one.state
    conceded = pair.conformance.conceded
    for _ in range(CANDIDATES):
        trial = pair.one.copied()
        what = _activity(pair, trial, random)
        if what is not None and (trial.position.open is not None or _has_chance(trial, depth)):
            break  # a question or hidden dice may tell the most
    if what is None:
        return True
    if not pair.one.steady:
        settled(trial, random)
    trial_told = told(pair.conformance, trial, before, depth, pair.command)
    if set(trial_told) - {"nothing"} or encode(conceded(trial.state)) != encode(conceded(before)):
        return True  # not hidden after all: it is left out
    pair.one = trial
    begun = [entry.giver for entry in trial.tree.since(depth) if isinstance(entry, Begun)]
    pair.hidden_givers.update(begun)
    pair.compare(f"after {what} in one world only")
    if trial.position.open is not None:
        return _while_waiting(pair, what, random)
    if pair.one.steady:
        pair.one.release()
        pair.other.release()
        pair.compare(f"at the release after {what} in one world only")
    return True


def _elsewhere(pair: Pair, random: Random) -> bool:
    """Another seat does one thing in one world and something else in the other, by which the battle goes on alike (an
    impulse ends, a phase is over) and of which the seat may learn the same: it is the same to it."""
    others = [seat.name for seat in pair.conformance.players if seat.name != pair.seat.name]
    worlds = (pair.one, pair.other)
    befores = [(play.state, play.tree.depth) for play in worlds]
    act = _order_act(pair.one, random, others)
    if act is None:
        return True
    pair.one = pair.one.copied()
    do(pair.one, act)
    settled(pair.one, random)
    first = course(pair.conformance, pair.one, *befores[0], pair.command)
    conceded = encode(pair.conformance.conceded(pair.one.state))
    for number in range(CANDIDATES):
        pair.other = worlds[1].copied()
        other = act if number == 0 and _may(pair.other, act) else _order_act(pair.other, random, [act["seat"]])
        if other is None:
            break
        do(pair.other, other)
        settled(pair.other, random)
        is_alike = encode(pair.conformance.conceded(pair.other.state)) == conceded
        if is_alike and course(pair.conformance, pair.other, *befores[1], pair.command) == first:
            pair.hidden_givers.add(act["seat"])
            pair.compare(f"after {act['order']} of {act['seat']} in one world and {other['order']} in the other")
            return True
    pair.one, pair.other = worlds
    return True


def _may(play: Play[Any], act: Act) -> bool:
    """Whether an order may be given in a world in which it was not offered."""
    try:
        return not play.check(act["seat"], act["order"])
    except (LookupError, msgspec.ValidationError):
        return False


def _while_waiting(pair: Pair, what: str, random: Random) -> bool:
    """A question waits in one world only: an order of the seat gets the same answer in both, and after it all is
    the same at the release."""
    act = _order_act(pair.one, random, [pair.seat.name])
    if act is None:
        return False
    order = act["order"]
    worlds = (pair.one, pair.other)
    befores = [(play.state, play.tree.depth) for play in worlds]
    answers = [play.order(pair.seat.name, order) for play in worlds]
    when = f"after its order {order} while {what} waits in one world only"
    if encode(answers[0]) != encode(answers[1]):
        raise Broken("twin worlds", f"{pair.seat.name} is answered {answers[0]!r} or {answers[1]!r} {when}")
    pair.compare(when)
    learnt = []
    for play, (state, depth) in zip(worlds, befores, strict=True):
        settled(play, random)
        found = told(pair.conformance, play, state, depth, pair.command)
        learnt.append([each for each in found if each != "nothing"])
    if learnt[0] != learnt[1] or "new" in learnt[0]:
        return False  # what waited was not hidden after all
    if encode(pair.conformance.conceded(pair.one.state)) != encode(pair.conformance.conceded(pair.other.state)):
        return False
    pair.one.release()
    pair.other.release()
    pair.compare(f"at the release {when}")
    return True


def _activity(pair: Pair, trial: Play[Any], random: Random) -> str | None:
    """Does something that may be hidden, on a copy; gives it in words."""
    conformance = pair.conformance
    kind = random.choice(("order", "order", "carry", "correct"))
    if kind == "carry":
        due = conformance.package.due(trial.state)
        if not due:
            return None
        trial.carry(due[0])
        return f"the plan of {due[0]}"
    if kind == "correct":
        corrections = conformance.corrections(trial.state, random)
        if not corrections:
            return None
        correction = random.choice(list(corrections))
        trial.correct(correction, "hidden")
        return f"the correction {correction}"
    others = [seat.name for seat in conformance.players if seat.name != pair.seat.name]
    act = _order_act(trial, random, others)
    if act is None:
        return None
    do(trial, act)
    return f"the order {act['order']}"


def _order_act(play: Play[Any], random: Random, seats: Sequence[str], *, chancy: float = 0.0) -> Act | None:
    """A random order of one of these seats; None where it is not for them to act."""
    has_forms = any(forms_of(play, seat) for seat in seats)
    return order_act(play, random, seats, chancy=chancy) if has_forms else None
