"""Odds against rulings at random, and counted positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import sqrt
from random import Random
from typing import Any

from umpire.kernel import running
from umpire.kernel.codec import codec_of, encode
from umpire.kernel.dice import RandomDice, alias_by_name
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.forms import ChoiceSlot, FlagSlot, Form, NumberSlot, PathSlot, PointSlot, order_of
from umpire.kernel.ledger import Begun
from umpire.kernel.odds import odds_of
from umpire.kernel.registry import Fate, RulesPackage
from umpire.kernel.rulings import Ask, Draw, Offer, Overtaken, Question, Roll, Ruling, Tell, read
from umpire.kernel.states import Place, Seat, State
from umpire.testing.conformance.fixture import Attack, Broken, Conformance, Perft

RULINGS = 20_000


def odds_agree(conformance: Conformance, attack: Attack, rulings: int = RULINGS) -> None:
    """The exact odds of an attack agree with many rulings at random, asides included: each fate within five standard
    deviations, and none that the odds do not have."""
    package = conformance.package
    order = codec_of(package).order(attack.order)
    if refusals := package.check(attack.believed, attack.seat, order):
        raise Broken("a sample attack is an order", f"{attack.name}: {refusals}")
    odds = odds_of(package, attack.believed, attack.seat, order)
    if not odds.exact:
        raise Broken("odds are exact", f"{attack.name} was sampled")
    source, counts = RandomDice(Random(attack.name)), dict.fromkeys(odds.fates, 0)
    for _ in range(rulings):
        ruling = package.resolve(attack.believed, attack.seat, order)
        after = _at_random(package, attack.believed, ruling, source)
        for fate in set(package.fates(attack.believed, after)):
            if fate not in counts:
                raise Broken("odds agree with rulings at random", f"{attack.name}: {fate} is not among the odds")
            counts[fate] += 1
    for fate, times in counts.items():
        _agrees(attack, fate, float(odds.fates[fate]), times, rulings)


def _at_random(package: RulesPackage[Any, Any], state: Any, ruling: Ruling[Any], source: RandomDice) -> Any:
    """The state after one ruling with each die at random, those aside too, and questions answered by their defaults.

    Written anew, so that a fault of the odds is not a fault of what they are compared with."""
    answer: Any = None
    try:
        while True:
            match ruling.send(answer):
                case Tell(event=event):
                    if not isinstance(event, KnowledgeEvent):
                        state = package.apply(state, event)
                    answer = state
                case Roll() as roll:
                    answer = read(roll, source.roll(roll, 0) or ())
                case Draw() as draw:
                    answer = source.draw(draw, 0)
                case Ask(question=question):
                    answer = (state, question.default)
                case Offer(questions=questions):
                    taker = next((command for command, asked in questions.items() if asked.default), None)
                    answer = (state, taker, questions[taker].default if taker else ())
    except (StopIteration, Overtaken):
        return state


def _agrees(attack: Attack, fate: Fate, chance: float, times: int, rulings: int) -> None:
    deviation = sqrt(rulings * chance * (1 - chance))
    if abs(times - rulings * chance) > 5 * deviation + 1e-6:
        text = f"{attack.name}: {fate} has {chance:.4f} by the odds and came {times} times in {rulings}"
        raise Broken("odds agree with rulings at random", text)


class _Needs(BaseException):
    """A ruling needs chance or an answer that the path so far does not have: what may come."""

    def __init__(self, ways: Sequence[Any]) -> None:
        super().__init__()
        self.ways = ways


class _Along:
    """Dice and answers along a path of what came."""

    def __init__(self, path: Sequence[Any]) -> None:
        self.path = list(reversed(path))

    def _next(self, ways: Sequence[Any]) -> Any:
        if not self.path:
            raise _Needs(ways)
        return self.path.pop()

    def roll(self, roll: Roll, n: int) -> tuple[int, ...] | None:
        faces: tuple[int, ...] = self._next(list(product(range(1, roll.sides + 1), repeat=roll.count)))
        return faces

    def draw(self, draw: Draw, n: int) -> str | None:
        taken: str = self._next(draw.among)
        return taken

    def answer(self, command: str, question: Question, state: Any) -> tuple[str, ...] | None:
        ways: list[tuple[str, ...]] = [()] if question.least == 0 else []
        ways.extend((choice.id,) for choice in question.choices if not question.faults((choice.id,)))
        choices: tuple[str, ...] = self._next(ways)
        return choices

    def alias(self, command: str, n: int, subject: str) -> str:
        return alias_by_name(b"perft", command, n)


def perft(package: RulesPackage[Any, Any], state: State, seats: Mapping[str, Seat], orders: int) -> list[int]:
    """The number of distinct states after 1, 2, … orders: all on offer, all faces, all answers of one choice."""
    states: dict[bytes, Any] = {encode(state): state}
    counts = []
    for _ in range(orders):
        after: dict[bytes, Any] = {}
        for each in states.values():
            for seat in seats.values():
                for order in _orders(package, each, seat):
                    for end in _ends(package, each, seat, order):
                        after[encode(end)] = end
        states = after
        counts.append(len(states))
    return counts


def _orders(package: RulesPackage[Any, Any], state: State, seat: Seat) -> Iterator[Mapping[str, Any]]:
    believed = running.believed_of(package, state, seat)
    for subject in (None, *package.subjects(believed, seat)):
        for form in package.options(believed, seat, subject):
            for values in product(*(_values(form, slot) for slot in form.slots)):
                yield order_of(form, {slot.name: value for slot, value in zip(form.slots, values, strict=True)})


def _values(form: Form, slot: Any) -> list[Any]:
    match slot:
        case ChoiceSlot(choices=choices, many=False):
            return [choice.id for choice in choices]
        case NumberSlot(low=low, high=high):
            return list(range(low, high + 1))
        case FlagSlot():
            return [False, True]
        case PointSlot(places=places):
            return [list(each) for each in places]
        case PathSlot(start=start, steps=steps, most=most):
            return [[list(each) for each in path] for path in _paths(start, steps, most)]
        case _:
            raise ValueError(f"perft cannot count the slot {slot.name!r} of {form.verb}")


def _paths(start: Place, steps: Mapping[str, tuple[Place, ...]], most: int) -> Iterator[tuple[Place, ...]]:
    for step in steps.get(",".join(map(str, start)), ()) if most > 0 else ():
        yield (step,)
        for rest in _paths(step, steps, most - 1):
            yield (step, *rest)


def _ends(package: RulesPackage[Any, Any], state: State, seat: Seat, order: Mapping[str, Any]) -> Iterator[State]:
    begun = Begun(kind="order", giver=seat.name, commands=seat.commands, order=order)
    todo: list[tuple[Any, ...]] = [()]
    while todo:
        path = todo.pop()
        source = _Along(path)
        try:
            done = running.begin(package, running.Position(state=state), begun, lambda _, source=source: source)  # type: ignore[misc]
        except _Needs as needs:
            todo.extend((*path, way) for way in needs.ways)
            continue
        if done.position.open is not None:
            raise Broken("nothing hangs", f"{order}: {done.position.open}")
        yield done.position.state


def counts_are(conformance: Conformance, case: Perft) -> None:
    """A tiny set-up has the number of distinct states that was counted by hand."""
    state = conformance.package.begin(case.setting(), lambda key: key)
    counted = perft(conformance.package, state, case.seats, len(case.counts))
    if tuple(counted) != case.counts:
        raise Broken("small set-ups have a counted number of states", f"{case.name}: {counted}, not {case.counts}")
