"""Exact odds: a ruling run on a believed state through every branch of its dice, the chances summed as fractions.

Odds walk results, not faces; what is marked `aside` is walked as one branch; another's question is answered by its
default. Over `EXACT` branches a sample of rulings is taken, seeded from the believed state and the order, so that the
same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, TypeVar

from msgspec import Struct

from umpire.kernel.codec import digest_of, encode
from umpire.kernel.dice import RandomDice, default_answer
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.registry import Fate, RulesPackage
from umpire.kernel.rulings import Ask, Draw, Offer, Overtaken, Roll, Rolled, Ruling, Tell, read
from umpire.kernel.states import Seat, State, gate

S = TypeVar("S", bound=State)

EXACT = 5_000
SAMPLE = 4_000


class Odds(Struct, frozen=True, kw_only=True):
    """The chance of each fate as a fraction; `exact` False says that it comes from `branches` sampled rulings.

    `assumes` lists whose questions were answered by their default."""

    fates: Mapping[Fate, Fraction]
    exact: bool
    branches: int
    assumes: tuple[str, ...] = ()


class _Branch(Exception):
    """More than one thing can happen here: the ways with their chances."""

    def __init__(self, ways: list[tuple[Any, Fraction]]) -> None:
        super().__init__()
        self.ways = ways


class _TooMany(Exception):
    pass


def odds_of(package: RulesPackage[Any, Any], believed: Any, seat: Seat, order: Any) -> Odds:
    """The odds of an order as its giver believes the battle to be. Raises Leak for anything but a believed state."""
    gate(believed)
    return walk(package, believed, lambda: package.resolve(believed, seat, order), name=encode(order))


def walk(
    package: RulesPackage[Any, Any], believed: Any, begin: Callable[[], Ruling[Any]], *, name: bytes, most: int = EXACT
) -> Odds:
    """The odds of any ruling on a believed state."""
    try:
        return _exact(package, believed, begin, most)
    except _TooMany:
        return _sampled(package, believed, begin, digest_of(encode(believed) + name))


def _exact(package: RulesPackage[Any, Any], believed: Any, begin: Callable[[], Ruling[Any]], most: int) -> Odds:
    chances: dict[Fate, Fraction] = {}
    assumes: set[str] = set()
    todo: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    runs = 0
    while todo:
        path, chance = todo.pop()
        runs += 1
        if runs + len(todo) > most:
            raise _TooMany
        try:
            after = _play(package, believed, begin(), list(path), assumes)
        except _Branch as branch:
            todo.extend(((*path, way), chance * share) for way, share in branch.ways)
            continue
        for fate in set(package.fates(believed, after)):
            chances[fate] = chances.get(fate, Fraction(0)) + chance
    return Odds(fates=dict(sorted(chances.items())), exact=True, branches=runs, assumes=tuple(sorted(assumes)))


def _play(package: RulesPackage[Any, Any], state: Any, ruling: Ruling[Any], path: list[Any], assumes: set[str]) -> Any:
    """Runs along a path of results; raises _Branch at the first chance that the path does not decide."""
    answer: Any = None
    path.reverse()
    try:
        while True:
            step = ruling.send(answer)
            match step:
                case Tell(event=event):
                    if not isinstance(event, KnowledgeEvent):
                        state = package.apply(state, event)
                    answer = state
                case Roll() | Draw():
                    ways = _ways(step)
                    if len(ways) == 1:
                        answer = ways[0][0]
                    elif path:
                        answer = path.pop()
                    else:
                        raise _Branch(ways)
                case Ask(command=command, question=question):
                    assumes.add(command)
                    answer = (state, question.default)
                case Offer(questions=questions):
                    assumes.update(questions)
                    taker = next((name for name, asked in questions.items() if asked.default), None)
                    answer = (state, taker, questions[taker].default if taker else ())
    except (StopIteration, Overtaken):
        return state
    finally:
        ruling.close()


def _ways(step: Roll | Draw) -> list[tuple[Any, Fraction]]:
    if isinstance(step, Draw):
        if step.aside:
            return [(step.among[0], Fraction(1))]
        kinds = {name: step.among.count(name) for name in step.among}
        return [(name, Fraction(times, len(step.among))) for name, times in kinds.items()]
    if step.aside:
        middle = (step.sides + 1) // 2
        return [(read(step, (middle,) * step.count), Fraction(1))]
    return _ways_of_each(step) if step.each else _ways_of_total(step)


def _ways_of_total(step: Roll) -> list[tuple[Any, Fraction]]:
    totals: dict[int, int] = {0: 1}
    for _ in range(step.count):
        following: dict[int, int] = {}
        for total, times in totals.items():
            for face in range(1, step.sides + 1):
                following[total + face] = following.get(total + face, 0) + times
        totals = following
    every = step.sides**step.count
    results: dict[str, tuple[Rolled, int]] = {}
    for total, times in totals.items():
        made = read(step, _faces(total, step.count, step.sides))
        first, before = results.get(made.result, (made, 0))
        results[made.result] = (first, before + times)
    return [(made, Fraction(times, every)) for made, times in results.values()]


def _faces(total: int, count: int, sides: int) -> tuple[int, ...]:
    """Some faces with this total."""
    faces = []
    for left in range(count - 1, -1, -1):
        face = max(1, min(sides, total - left))
        faces.append(face)
        total -= face
    return tuple(faces)


def _ways_of_each(step: Roll) -> list[tuple[Any, Fraction]]:
    shares: dict[str, tuple[int, int]] = {}
    for face in range(1, step.sides + 1):
        result = read(step, (face,) * step.count).results[0]
        first, times = shares.get(result, (face, 0))
        shares[result] = (first, times + 1)
    if len(shares) ** step.count > EXACT:
        raise _TooMany
    ways: list[tuple[Any, Fraction]] = []
    for pick in product(shares.values(), repeat=step.count):
        chance = Fraction(1)
        for _, times in pick:
            chance *= Fraction(times, step.sides)
        ways.append((read(step, [face for face, _ in pick]), chance))
    return ways


def _sampled(package: RulesPackage[Any, Any], believed: Any, begin: Callable[[], Ruling[Any]], seed: str) -> Odds:
    source = RandomDice(Random(seed))
    counts: dict[Fate, int] = {}
    assumes: set[str] = set()
    for _ in range(SAMPLE):
        after = play_out(package, believed, begin(), source, assumes)
        for fate in set(package.fates(believed, after)):
            counts[fate] = counts.get(fate, 0) + 1
    fates = {fate: Fraction(times, SAMPLE) for fate, times in sorted(counts.items())}
    return Odds(fates=fates, exact=False, branches=SAMPLE, assumes=tuple(sorted(assumes)))


def play_out(
    package: RulesPackage[Any, Any], state: Any, ruling: Ruling[Any], source: RandomDice, assumes: set[str]
) -> Any:
    """The state after one ruling with random dice, questions answered by their defaults."""
    answer: Any = None
    try:
        while True:
            step = ruling.send(answer)
            match step:
                case Tell(event=event):
                    if not isinstance(event, KnowledgeEvent):
                        state = package.apply(state, event)
                    answer = state
                case Roll():
                    answer = read(step, source.roll(step, 0) or ())
                case Draw():
                    answer = source.draw(step, 0)
                case Ask(command=command, question=question):
                    assumes.add(command)
                    answer = (state, default_answer(command, question, state))
                case Offer(questions=questions):
                    assumes.update(questions)
                    taker = next((name for name, asked in questions.items() if asked.default), None)
                    answer = (state, taker, questions[taker].default if taker else ())
    except (StopIteration, Overtaken):
        return state
    finally:
        ruling.close()


def fraction_text(chance: Fraction, over: int = 0) -> str:
    """A chance as a fraction of whole numbers ("26/36"), over a given denominator where it divides."""
    if over and over % chance.denominator == 0:
        return f"{chance.numerator * (over // chance.denominator)}/{over}"
    return f"{chance.numerator}/{chance.denominator}"
