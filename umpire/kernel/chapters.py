"""Where the chapters of a rulebook plug in: orders, moments, plans, log lines, notices, answers, and the umpire's hand.

A package makes one `Chapters` and its chapters register with it; nobody lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from umpire.kernel.codec import union_of
from umpire.kernel.events import KnowledgeEvent, Report
from umpire.kernel.forms import Form, Role
from umpire.kernel.hand.corrections import Hand
from umpire.kernel.registry import LogLine, Order, Preview
from umpire.kernel.rulings import Question, Ruling
from umpire.kernel.states import Seat, State
from umpire.kernel.telling import TELLERS
from umpire.kernel.values.modifiers import Refusal

S = TypeVar("S", bound=State)
B = TypeVar("B")
F = TypeVar("F", bound=Callable[..., Any])

When = Literal["begins", "ends"]


class Verb(Struct, frozen=True, kw_only=True):
    """One verb of the orders, as a chapter carries it out. `role`: where its forms belong on a screen; `idle`: why a
    piece is not offered it, where that is worth saying."""

    kind: type[Order]
    check: Callable[[Any, Seat, Any], Iterable[Refusal]]
    resolve: Callable[[Any, Seat, Any], Ruling[Any]]
    options: Callable[[Any, Seat, str | None], Iterable[Form]]
    phases: tuple[str, ...] = ()
    rule: str = ""
    role: Role = ""
    preview: Callable[[Any, Seat, Any], Preview] | None = None
    sample: Callable[[Any, Seat, Form, Random], dict[str, Any]] | None = None
    idle: Callable[[Any, Seat, str], Iterable[Refusal]] | None = None


def _told(line: Callable[[Report], LogLine], report: Report, state: Any) -> LogLine:
    return line(report)


class Chapters(Generic[S, B]):
    """The tables in which the chapters of one package register."""

    def __init__(self) -> None:
        self.verbs: dict[type[Order], Verb] = {}
        self.tellers: dict[str, Callable[[Report, Any], LogLine | None]] = {
            key: partial(_told, line) for key, line in TELLERS.items()
        }
        self.noticers: dict[type[Any], list[Callable[[S, Any, S], Iterable[KnowledgeEvent]]]] = {}
        self.hand: Hand[S] = Hand()
        self.repliers: dict[str, Callable[[B, Question], tuple[str, ...] | None]] = {}
        self.answer_words: dict[str, tuple[str, str]] = {}
        self.endings: list[Callable[[S], str]] = []
        self._moments: dict[tuple[str, When], list[tuple[int, str, Callable[[S], Ruling[S]]]]] = {}

    def handles(
        self,
        kind: type[Order],
        *,
        check: Callable[[B, Seat, Any], Iterable[Refusal]],
        resolve: Callable[[S, Seat, Any], Ruling[S]],
        options: Callable[[B, Seat, str | None], Iterable[Form]],
        phases: Sequence[str] = (),
        rule: str = "",
        role: Role = "",
        preview: Callable[[B, Seat, Any], Preview] | None = None,
        sample: Callable[[B, Seat, Form, Random], dict[str, Any]] | None = None,
        idle: Callable[[B, Seat, str], Iterable[Refusal]] | None = None,
    ) -> None:
        """Registers how a verb is carried out. Twice is a fault."""
        _once(self.verbs, kind, kind.__name__)
        self.verbs[kind] = Verb(
            kind=kind,
            check=check,
            resolve=resolve,
            options=options,
            phases=tuple(phases),
            rule=rule,
            role=role,
            preview=preview,
            sample=sample,
            idle=idle,
        )

    def orders(self) -> Any:
        """The tagged union of all orders, in whatever order the chapters were loaded."""
        return union_of(self.verbs)

    def arrange(self, names: Sequence[str]) -> None:
        """Puts the verbs into the order in which they are offered, whichever chapter was loaded first. Raises
        ValueError where one is missing or not known."""
        named = {kind.__name__: (kind, verb) for kind, verb in self.verbs.items()}
        if differing := {*names} ^ {*named}:
            raise ValueError(f"these verbs are not both named and handled: {', '.join(sorted(differing))}")
        self.verbs = dict(named[name] for name in names)

    def verb_named(self, name: str) -> Verb | None:
        """The verb with this name, as orders and forms have it."""
        return next((verb for kind, verb in self.verbs.items() if kind.__name__ == name), None)

    def at(self, phase: str, when: When, *, order: int = 0) -> Callable[[F], F]:
        """Registers a ruling for the moment when a phase begins or ends."""

        def register(ruling: F) -> F:
            name = f"{ruling.__module__}.{getattr(ruling, '__qualname__', '')}"
            self._moments.setdefault((phase, when), []).append((order, name, ruling))
            return ruling

        return register

    def moments(self, phase: str, when: When) -> tuple[Callable[[S], Ruling[S]], ...]:
        """The rulings of a moment in their fixed order."""
        there = sorted(self._moments.get((phase, when), []), key=lambda each: (each[0], each[1]))
        return tuple(ruling for _, _, ruling in there)

    def tells(self, key: str) -> Callable[[F], F]:
        """Registers the log line of a kind of report; sentences, rolls and messages have theirs."""
        return _registering(self.tellers, key)

    def notices(self, kind: type[Any]) -> Callable[[F], F]:
        """Registers what commands come to know of an event (or of a roll: `Thrown`) beside contacts and log lines."""

        def register(function: F) -> F:
            self.noticers.setdefault(kind, []).append(function)
            return function

        return register

    def replies(self, kind: str) -> Callable[[F], F]:
        """Registers what standing orders answer to a kind of question."""
        return _registering(self.repliers, kind)

    def words(self, kind: str, *, answer: str, decline: str) -> None:
        """Registers what the buttons under a kind of question are called: to answer it, and to let it pass."""
        _once(self.answer_words, kind, kind)
        self.answer_words[kind] = (answer, decline)

    def ends_battle(self, function: Callable[[S], str]) -> Callable[[S], str]:
        """Registers a reason for which the battle may be over before its last turn ("" for none)."""
        self.endings.append(function)
        return function


def _registering(table: dict[Any, Any], key: Any) -> Callable[[F], F]:
    def register(function: F) -> F:
        _once(table, key, str(getattr(key, "__name__", key)))
        table[key] = function
        return function

    return register


def _once(table: Mapping[Any, Any], key: Any, name: str) -> None:
    if key in table:
        raise ValueError(f"{name} is registered twice")
