"""Battles for tests of single rules, set up by the lines of case files (`docs/cases.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fireforce.package import PACKAGE
from fireforce.state.battle import Believed, State
from fireforce.testing.cases.language import LANGUAGE
from umpire.kernel.codec import codec_of
from umpire.kernel.dice import ScriptedDice
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.ledger import Entry, Happened
from umpire.kernel.states import Seat, slice_of
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.cases.form import Case
from umpire.testing.cases.orders import read
from umpire.testing.play.battle import Play

WORDS = LANGUAGE()


def battle(pieces: str, *further: str, standing: Sequence[str] = (), **given: Any) -> State:
    """The battle of these lines, in the firing phase of the regulars if nothing else is said."""
    case = Case(case="test", title="test", system="fireforce", rules=(), given={}, step=())
    return WORDS.set_up(case, {"pieces": pieces, **given}, further, standing)


class Table:
    """A battle with scripted dice, draws and answers; what is not scripted is answered by standing orders, or by
    default."""

    def __init__(self, state: State) -> None:
        self.script = ScriptedDice()
        self.play = Play(PACKAGE, state, WORDS.seats(state), source=lambda begun: self.script)
        self.asked: list[tuple[str, Any]] = []
        self.script.otherwise = self._answer

    def _answer(self, command: str, question: Any, state: Any) -> tuple[str, ...]:
        self.asked.append((command, question))
        return self.play.reply(command, question, state) or question.default

    @property
    def state(self) -> State:
        return self.play.state

    def order(
        self,
        seat: str,
        verb: str,
        *dice: str,
        answers: Sequence[tuple[str, tuple[str, ...]]] = (),
        draws: Sequence[tuple[str, str]] = (),
        **order: Any,
    ) -> list[Entry]:
        """Carries an order out with dice such as "hits 12" or "save g1 3"; gives the entries that it added."""
        depth = len(self.play.tree.path())
        self.script.dice = [(name, (int(face),)) for name, _, face in (each.rpartition(" ") for each in dice)]
        self.script.answers, self.script.draws = list(answers), list(draws)
        refusals = self.refused(seat, verb, **order)
        assert refusals == [], refusals
        assert self.play.order(seat, self._given(seat, verb, order)) == []
        entries = self.play.tree.path()[depth:]
        waits = self.play.position.open
        assert waits is None, waits.fault if waits else ""
        assert not self.script.dice, self.script.dice
        assert list(PACKAGE.problems(self.state)) == []
        return entries

    def refused(self, seat: str, verb: str, **order: Any) -> list[Refusal]:
        """Why an order would be refused."""
        typed = codec_of(PACKAGE).order(self._given(seat, verb, order))
        chair = self.play.seats[seat]
        return list(PACKAGE.check(believed(self.state, *chair.commands), chair, typed))

    def _given(self, seat: str, verb: str, order: dict[str, Any]) -> dict[str, Any]:
        given = {"verb": verb, **{key: list(each) if isinstance(each, tuple) else each for key, each in order.items()}}
        return read(WORDS, self.state, self.play.seats[seat], given)


def believed(state: State, *commands: str) -> Believed:
    """What whoever leads these commands believes."""
    return PACKAGE.believed(slice_of(state, commands))


def seat(*commands: str) -> Seat:
    return Seat(name="-".join(commands), commands=commands)


def happened(entries: Sequence[Entry], kind: type[Any]) -> list[Any]:
    """The events of a kind among some entries."""
    return [entry.event for entry in entries if isinstance(entry, Happened) and isinstance(entry.event, kind)]


def told(entries: Sequence[Entry], command: str) -> list[str]:
    """The sentences that a command was told."""
    events = [entry.event for entry in entries if isinstance(entry, Happened)]
    return [
        str(event.report.values.get("text", event.report.key))
        for event in events
        if isinstance(event, KnowledgeEvent) and event.command == command and hasattr(event, "report")
    ]
