"""Exact odds: a ruling run on a believed state through every branch of its dice, the chances summed as fractions.

Odds walk results, not faces; what is marked `aside` is walked as one branch; another's question is answered by its
default. Over `EXACT` branches a sample of rulings is taken, seeded from the believed state and the order, so that the
same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from umpire.kernel.codec import digest_of, encode
from umpire.kernel.dice import RandomDice
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.registry import Fate, RulesPackage
from umpire.kernel.rulings import Ask, Draw, Offer, Overtaken, Roll, Rolled, Ruling, Tell, read
from umpire.kernel.states import Seat, State, gate

S = TypeVar("S", bound=State)

EXACT = 3_000
SAMPLE = 1_000
PROBES = 8
PROBES_SAY = 4
"""Where a few descents say that there are this many times more branches than are walked, none is walked."""


class Odds(Struct, frozen=True, kw_only=True):
    """The chance of each fate as a fraction; `exact` False says that it comes from `branches` sampled rulings.

    `assumes` lists whose questions were answered by their default."""

    fates: Mapping[Fate, Fraction]
    exact: bool
    branches: int
    assumes: tuple[str, ...] = ()


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
    """Walks the tree depth first: each run goes on into the first way at a new chance and leaves the others to do.

    Pieces whose fates hang on rolls of their own alone are walked one at a time, each while the rolls of the others
    come out in their first way. Paths that a roll makes alike go on as one.
    """
    if _estimated(package, believed, begin) > PROBES_SAY * most:
        raise _TooMany
    chances: dict[Fate, Fraction] = {}
    assumes: set[str] = set()
    walk = _Walk(todo=[_Path()])
    runs = 0
    while path := walk.following():
        runs += 1
        if runs + len(walk.todo) + len(walk.alike) > most:
            raise _TooMany
        descent = _Descent(path, walk)
        try:
            after = _play(package, believed, begin(), descent, assumes)
        except _Waits:
            continue
        for fate in set(package.fates(believed, after)):
            if fate.piece == path.about if path.about else fate.piece not in descent.others:
                chances[fate] = chances.get(fate, Fraction(0)) + descent.share
    return Odds(fates=dict(sorted(chances.items())), exact=True, branches=runs, assumes=tuple(sorted(assumes)))


class _Waits(Exception):
    """A run ends where others come to the same; they go on together."""


class _Path(Struct, frozen=True):
    """The ways taken at the chances so far, with the purposes of the rolls, and how likely they are; `about`: the piece
    whose own rolls are walked."""

    ways: tuple[tuple[str, Any], ...] = ()
    share: Fraction = Fraction(1)
    about: str = ""


class _Walk:
    """What is left to walk: paths to go on, and those that wait for others that come to the same."""

    def __init__(self, todo: list[_Path]) -> None:
        self.todo = todo
        self.alike: dict[tuple[Any, ...], _Path] = {}

    def following(self) -> _Path | None:
        """The next path; those that have waited when nobody else can join them."""
        if not self.todo and self.alike:
            self.todo, self.alike = list(self.alike.values()), {}
        return self.todo.pop() if self.todo else None

    def joins(self, key: tuple[Any, ...], path: _Path) -> None:
        there = self.alike.get(key)
        self.alike[key] = path if there is None else replace(there, share=there.share + path.share)


class _Descent:
    """Goes along a path, then into the first way at each further chance; the other ways are put down to do."""

    def __init__(self, path: _Path, walk: _Walk) -> None:
        self.path, self.walk = path, walk
        self.taken, self.share = list(path.ways), path.share
        self.at = 0
        self.others: set[str] = set()

    def __call__(self, step: Roll | Draw, ways: Sequence[tuple[Any, Fraction]]) -> Any:
        apart = step.apart if isinstance(step, Roll) else ""
        if apart and apart != self.path.about:
            if not self.path.about and apart not in self.others and self.at == len(self.taken):
                self.walk.todo.append(_Path(ways=tuple(self.taken), share=self.share, about=apart))
            self.others.add(apart)
            return ways[0][0]
        if self.at < len(self.taken):
            self.at += 1
            return self.taken[self.at - 1][1]
        if isinstance(step, Roll) and step.forgets:
            self._waits(step, ways)
        before = tuple(self.taken)
        self.walk.todo.extend(
            _Path(ways=(*before, (step.purpose, way)), share=self.share * part, about=self.path.about)
            for way, part in ways[1:]
        )
        way, part = ways[0]
        self.taken.append((step.purpose, way))
        self.at += 1
        self.share *= part
        return way

    def _waits(self, step: Roll, ways: Sequence[tuple[Any, Fraction]]) -> NoReturn:
        before = tuple(self.taken)
        is_last = bool(before) and before[-1][0] == step.forgets
        kept = before[:-1] if is_last else before
        for way, part in ways:
            path = _Path(ways=(*before, (step.purpose, way)), share=self.share * part, about=self.path.about)
            self.walk.joins((self.path.about, _names(kept), way.results), path)
        raise _Waits


def _names(ways: Sequence[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    """Ways as they are told apart: a roll by its results."""
    return tuple((purpose, way.results if isinstance(way, Rolled) else way) for purpose, way in ways)


def _estimated(package: RulesPackage[Any, Any], believed: Any, begin: Callable[[], Ruling[Any]]) -> float:
    """About how many branches there are: the mean over a few random descents."""
    random = Random(PROBES)
    return sum(_product(package, believed, begin, random) / PROBES for _ in range(PROBES))


def _product(package: RulesPackage[Any, Any], believed: Any, begin: Callable[[], Ruling[Any]], random: Random) -> int:
    """The product of the ways on one random descent; those of pieces with rolls of their own are added up."""
    shared = 1
    apart: dict[str, int] = {}

    def choose(step: Roll | Draw, ways: Sequence[tuple[Any, Fraction]]) -> Any:
        nonlocal shared
        about = step.apart if isinstance(step, Roll) else ""
        if about:
            apart[about] = apart.get(about, 1) * len(ways)
        else:
            shared *= len(ways)
        return random.choice(ways)[0]

    _play(package, believed, begin(), choose, set())
    return shared * (1 + sum(apart.values()))


Chooser = Callable[[Roll | Draw, Sequence[tuple[Any, Fraction]]], Any]
"""Which way to go at a chance that has more than one."""


def _play(package: RulesPackage[Any, Any], state: Any, ruling: Ruling[Any], choose: Chooser, assumes: set[str]) -> Any:
    """The state after a ruling whose chances are chosen; questions are answered by their defaults."""
    answer: Any = None
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
                    answer = ways[0][0] if len(ways) == 1 else choose(step, ways)
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


@lru_cache(maxsize=4096)
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
    totals = _times_of_highest(step) if step.highest else _times_of_total(step)
    every = step.sides**step.count
    results: dict[str, tuple[Rolled, int]] = {}
    for total, times in totals.items():
        faces = (total,) * step.count if step.highest else _faces(total, step.count, step.sides)
        made = read(step, faces)
        first, before = results.get(made.result, (made, 0))
        results[made.result] = (first, before + times)
    return [(made, Fraction(times, every)) for made, times in results.values()]


def _times_of_total(step: Roll) -> dict[int, int]:
    """In how many ways each total comes up."""
    totals: dict[int, int] = {0: 1}
    for _ in range(step.count):
        following: dict[int, int] = {}
        for total, times in totals.items():
            for face in range(1, step.sides + 1):
                following[total + face] = following.get(total + face, 0) + times
        totals = following
    return totals


def _times_of_highest(step: Roll) -> dict[int, int]:
    """In how many ways each face is the highest."""
    return {face: face**step.count - (face - 1) ** step.count for face in range(1, step.sides + 1)}


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
    counts: dict[Fate, int] = {}
    assumes: set[str] = set()
    source = RandomDice(Random(seed))
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

    def choose(step: Roll | Draw, ways: Sequence[tuple[Any, Fraction]]) -> Any:
        if isinstance(step, Draw):
            return source.draw(step, 0)
        return read(step, source.roll(step, 0) or ())

    return _play(package, state, ruling, choose, assumes)


def fraction_text(chance: Fraction, over: int = 0) -> str:
    """A chance as a fraction of whole numbers ("26/36"), over a given denominator where it divides."""
    if over and over % chance.denominator == 0:
        return f"{chance.numerator * (over // chance.denominator)}/{over}"
    return f"{chance.numerator}/{chance.denominator}"
