"""What a ruling yields, and the words with which a chapter of rules yields it.

A ruling is a generator that reads like the rulebook. It yields chance (`Roll`, `Draw`), decisions (`Ask`, `Offer`) and
events (`Tell`), and is sent what came of each. It must be deterministic: no clock, no randomness, no I/O.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct, field

from umpire.kernel.events import Event
from umpire.kernel.values.modifiers import Modifier

S = TypeVar("S")
T = TypeVar("T")


class Overtaken(Exception):
    """A ruling cannot go on because an umpire's override took away what it was about; its order ends here."""


class Band(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Faces (of one die, or totals of several) from `low` to `high` that give `result`."""

    low: int
    high: int
    result: str


class Roll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag="roll"):
    """Dice to be thrown. The ruling branches on results, never on faces.

    `count` dice of `sides`, read together by their total, one by one where `each`, or by the highest alone where
    `highest`; `bands` cover every face (or
    total) once, natural, before modifiers: the modifiers that shaped the bands go along to be shown. `purpose` and
    `subject` name the roll; `by` is the command that throws; `aside` does not bear on the question asked of the odds;
    `secret` is thrown by server or umpire also where people type their dice.

    Two promises keep the odds of many pieces small. `apart`: what hangs on this roll bears on the fates of the piece of
    this name alone, and on no roll that is not apart with the same name. `forgets`: the roll just before it, of this
    purpose, bears on nothing any more beyond the result of this one.
    """

    count: int = 1
    sides: int = 6
    purpose: str
    subject: str = ""
    by: str = ""
    bands: tuple[Band, ...] = ()
    each: bool = False
    highest: bool = False
    modifiers: tuple[Modifier, ...] = ()
    rule: str = ""
    aside: bool = False
    secret: bool = False
    apart: str = ""
    forgets: str = ""


class Rolled(Struct, frozen=True, kw_only=True):
    """What came of a roll: its faces and its results (one, or one a die where the roll is read die by die).

    `state` is the state in which they fell: where dice are typed in, an override may have come while they were waited
    for. None where nothing can come between (odds)."""

    faces: tuple[int, ...]
    results: tuple[str, ...]
    state: Any = None

    @property
    def result(self) -> str:
        return self.results[0]

    @property
    def total(self) -> int:
        return sum(self.faces)


class Draw(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag="draw"):
    """One of several things taken at random, all alike likely."""

    among: tuple[str, ...]
    purpose: str
    subject: str = ""
    by: str = ""
    rule: str = ""
    aside: bool = False
    secret: bool = False


class Choice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One of the things that may be chosen; `pieces` and `at` let a client highlight it."""

    id: str
    label: str
    note: str = ""
    pieces: tuple[str, ...] = ()
    at: tuple[int, ...] | None = None


class Bar(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Choices that may not all be taken together (where none of `without` is), and why."""

    choices: tuple[str, ...]
    reason: str
    without: tuple[str, ...] = ()

    def holds(self, answer: Sequence[str]) -> bool:
        return set(self.choices) <= set(answer) and not set(self.without) & set(answer)


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A decision put to one command: between `least` and `most` different choices, none of which `bars` keep apart.

    `default` is what a deadline, an absent seat, simple play and the odds answer. `kind` lets standing orders and
    clients know it again; `order` names the verb of the order that a choice of an offer stands for, if any.
    """

    kind: str
    prompt: str
    choices: tuple[Choice, ...]
    default: tuple[str, ...] = ()
    least: int = 1
    most: int = 1
    about: tuple[str, ...] = ()
    rule: str = ""
    bars: tuple[Bar, ...] = ()

    def faults(self, answer: Sequence[str]) -> list[str]:
        """What is wrong with an answer, in words; empty if it will do."""
        known = {choice.id for choice in self.choices}
        faults = [
            f"{taken!r} is not among the choices ({', '.join(sorted(known))})" for taken in answer if taken not in known
        ]
        if len(set(answer)) != len(answer):
            faults.append("a choice is named twice")
        if not self.least <= len(answer) <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            faults.append(f"{wanted} choices are wanted, {len(answer)} came")
        faults.extend(dict.fromkeys(bar.reason for bar in self.bars if bar.holds(answer)))
        return faults


class Ask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="ask"):
    """A decision by one command."""

    command: str
    question: Question


class Offer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="offer"):
    """The same put to several commands at once: the first taker, or all decline (an empty answer declines)."""

    questions: Mapping[str, Question] = field(default_factory=dict)


class Tell(Struct, frozen=True, kw_only=True, tag="tell"):
    """An event: the kernel applies it, writes what is noticed, and hands back the new state."""

    event: Any


Step = Roll | Draw | Ask | Offer | Tell
Ruling = Generator[Step, Any, T]


def tell(event: Event) -> Ruling[Any]:
    """Let an event happen. Gives the state after it. (`Words` has it with a package's own State as the type.)"""
    return (yield Tell(event=event))


def roll(
    dice: str,
    purpose: str,
    *,
    subject: str = "",
    by: str = "",
    bands: Sequence[tuple[int, int, str]] = (),
    each: bool = False,
    highest: bool = False,
    modifiers: Sequence[Modifier] = (),
    rule: str = "",
    aside: bool = False,
    secret: bool = False,
    apart: str = "",
    forgets: str = "",
) -> Ruling[Rolled]:
    """Throw dice ("1d6", "3d10") and get their faces and results.

    `bands` are (low, high, result); without them every face, total or highest die is its own result. Raises ValueError
    if the bands do not cover each face (or total) exactly once.
    """
    count, _, sides = dice.partition("d")
    made = Roll(
        count=int(count),
        sides=int(sides),
        purpose=purpose,
        subject=subject,
        by=by,
        bands=tuple(Band(low=low, high=high, result=result) for low, high, result in bands),
        each=each,
        highest=highest,
        modifiers=tuple(modifiers),
        rule=rule,
        aside=aside,
        secret=secret,
        apart=apart,
        forgets=forgets,
    )
    _check_bands(made)
    rolled: Rolled = yield made
    return rolled


def draw(
    among: Sequence[str],
    purpose: str,
    *,
    subject: str = "",
    by: str = "",
    rule: str = "",
    aside: bool = False,
    secret: bool = False,
) -> Ruling[str]:
    """Take one of several things at random. Raises ValueError where there is nothing to draw from."""
    if not among:
        raise ValueError(f"nothing to draw from for {purpose!r}")
    drawn: str = yield Draw(
        among=tuple(among), purpose=purpose, subject=subject, by=by, rule=rule, aside=aside, secret=secret
    )
    return drawn


def ask(command: str, question: Question) -> Ruling[tuple[Any, tuple[str, ...]]]:
    """Put a decision to one command. Gives the state (an override may have come meanwhile) and the choices taken."""
    answered: tuple[Any, tuple[str, ...]] = yield Ask(command=command, question=question)
    return answered


def offer(questions: Mapping[str, Question]) -> Ruling[tuple[Any, str | None, tuple[str, ...]]]:
    """Put a decision to several commands. Gives the state, who took it (None: all declined), and the choices."""
    taken: tuple[Any, str | None, tuple[str, ...]] = yield Offer(questions=dict(sorted(questions.items())))
    return taken


class Words(Generic[S]):
    """What a package's rulings are written with, with its own State as the type: `words: Words[State] = Words()`."""

    def tell(self, event: Event) -> Ruling[S]:
        """Let an event happen. Gives the state after it."""
        state: S = yield Tell(event=event)
        return state

    def ask(self, command: str, question: Question) -> Ruling[tuple[S, tuple[str, ...]]]:
        """Put a decision to one command. Gives the state (an override may have come meanwhile) and the choices."""
        return (yield from ask(command, question))

    def offer(self, questions: Mapping[str, Question]) -> Ruling[tuple[S, str | None, tuple[str, ...]]]:
        """Put a decision to several commands. Gives the state, who took it (None: all declined), and the choices."""
        return (yield from offer(questions))

    def fallen(self, made: Rolled, state: S) -> S:
        """The state in which dice fell: an override may have come while they were waited for."""
        return state if made.state is None else made.state


def read(made: Roll, faces: Sequence[int]) -> Rolled:
    """The faces of a roll with their results. Raises ValueError for a wrong number of dice or a face out of range."""
    if len(faces) != made.count or not all(1 <= face <= made.sides for face in faces):
        raise ValueError(
            f"{made.purpose}: {made.count} dice with faces 1 to {made.sides} are wanted, not {list(faces)}"
        )
    values = list(faces) if made.each else [max(faces) if made.highest else sum(faces)]
    return Rolled(faces=tuple(faces), results=tuple(_result(made, value) for value in values))


def _result(made: Roll, value: int) -> str:
    for band in made.bands:
        if band.low <= value <= band.high:
            return band.result
    return str(value)


def _check_bands(made: Roll) -> None:
    if not made.bands:
        return
    low, high = (1, made.sides) if made.each or made.highest else (made.count, made.count * made.sides)
    for value in range(low, high + 1):
        hits = [band.result for band in made.bands if band.low <= value <= band.high]
        if len(hits) != 1:
            raise ValueError(f"{made.purpose}: {value} is in {len(hits)} bands of {made.bands}")
