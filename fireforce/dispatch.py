"""Where chapters plug in: orders, moments, plans, log lines, notices, corrections, answers. See `fireforce.rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal, TypeVar

from msgspec import Struct

from fireforce.state import Believed, Phase, Score, State
from umpire.kernel.events import Event, KnowledgeEvent, Report
from umpire.kernel.forms import Form
from umpire.kernel.modifiers import Refusal
from umpire.kernel.registry import Correction, LogLine, Order, Preview
from umpire.kernel.rulings import Question, Ruling
from umpire.kernel.states import Seat

F = TypeVar("F", bound=Callable[..., Any])

Moment = Callable[[State], Ruling[State]]
Carrier = Callable[[State, str], Ruling[State]]
When = Literal["begins", "ends"]


class Verb(Struct, frozen=True, kw_only=True):
    """One verb of the orders, as a chapter carries it out."""

    kind: type[Order]
    check: Callable[[Believed, Seat, Any], Iterable[Refusal]]
    resolve: Callable[[State, Seat, Any], Ruling[State]]
    options: Callable[[Believed, Seat, str | None], Iterable[Form]]
    phases: tuple[Phase, ...] = ()
    rule: str = ""
    preview: Callable[[Believed, Seat, Any], Preview] | None = None
    sample: Callable[[Believed, Seat, Form, Random], dict[str, Any]] | None = None


class Describer(Struct, frozen=True):
    """How an event reads, and whether enemies who see all that it names perceive it."""

    line: Callable[[Any, State], LogLine | None]
    is_perceived: bool


verbs: dict[type[Order], Verb] = {}
describers: dict[type[Event], Describer] = {}
tellers: dict[str, Callable[[Report, State], LogLine | None]] = {}
noticers: dict[type[Any], list[Callable[[State, Any, State], Iterable[KnowledgeEvent]]]] = {}
overrulers: dict[type[Correction], Callable[[State, Any], Sequence[Event]]] = {}
repliers: dict[str, Callable[[Believed, Question], tuple[str, ...] | None]] = {}
carriers: dict[Phase, Carrier] = {}
endings: list[Callable[[State], str]] = []
final_scores: list[Callable[[State], Iterable[Score]]] = []
_moments: dict[tuple[Phase, When], list[tuple[int, str, Moment]]] = {}


def handles(
    kind: type[Order],
    *,
    check: Callable[[Believed, Seat, Any], Iterable[Refusal]],
    resolve: Callable[[State, Seat, Any], Ruling[State]],
    options: Callable[[Believed, Seat, str | None], Iterable[Form]],
    phases: Sequence[Phase] = (),
    rule: str = "",
    preview: Callable[[Believed, Seat, Any], Preview] | None = None,
    sample: Callable[[Believed, Seat, Form, Random], dict[str, Any]] | None = None,
) -> None:
    """Registers how a verb is carried out. Twice is a fault."""
    _once(verbs, kind, kind.__name__)
    verbs[kind] = Verb(
        kind=kind,
        check=check,
        resolve=resolve,
        options=options,
        phases=tuple(phases),
        rule=rule,
        preview=preview,
        sample=sample,
    )


def verb_named(name: str) -> Verb | None:
    """The verb with this name, as orders and forms have it."""
    return next((verb for kind, verb in verbs.items() if kind.__name__ == name), None)


def at(phase: Phase, when: When, *, order: int = 0) -> Callable[[Moment], Moment]:
    """Registers a ruling for the moment when a phase begins or ends."""

    def register(ruling: Moment) -> Moment:
        name = f"{ruling.__module__}.{getattr(ruling, '__qualname__', '')}"
        _moments.setdefault((phase, when), []).append((order, name, ruling))
        return ruling

    return register


def moments(phase: Phase, when: When) -> tuple[Moment, ...]:
    """The rulings of a moment in their fixed order."""
    return tuple(
        ruling for _, _, ruling in sorted(_moments.get((phase, when), []), key=lambda each: (each[0], each[1]))
    )


def carries(phase: Phase) -> Callable[[Carrier], Carrier]:
    """Registers the ruling of one quantum of a plan in a phase."""

    def register(ruling: Carrier) -> Carrier:
        _once(carriers, phase, phase)
        carriers[phase] = ruling
        return ruling

    return register


def describes(kind: type[Event], *, perceived: bool = False) -> Callable[[F], F]:
    """Registers the log line of an event."""

    def register(function: F) -> F:
        _once(describers, kind, kind.__name__)
        describers[kind] = Describer(function, perceived)
        return function

    return register


def tells(key: str) -> Callable[[F], F]:
    """Registers the log line of a kind of report."""
    return _registering(tellers, key)


def notices(kind: type[Any]) -> Callable[[F], F]:
    """Registers what commands come to know of an event (or of a roll: `Thrown`) beside contacts and log lines."""

    def register(function: F) -> F:
        noticers.setdefault(kind, []).append(function)
        return function

    return register


def overrules(kind: type[Correction]) -> Callable[[F], F]:
    """Registers the events of a correction."""
    return _registering(overrulers, kind)


def replies(kind: str) -> Callable[[F], F]:
    """Registers what standing orders answer to a kind of question."""
    return _registering(repliers, kind)


def ends_battle(function: Callable[[State], str]) -> Callable[[State], str]:
    """Registers a reason for which the battle may be over before its last turn."""
    endings.append(function)
    return function


def scores(function: Callable[[State], Iterable[Score]]) -> Callable[[State], Iterable[Score]]:
    """Registers points that are counted when the battle is over."""
    final_scores.append(function)
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
