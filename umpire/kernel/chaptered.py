"""A rules package made of chapters: what the kernel asks of its verbs, questions, log and files is the same for all.

Such a package names its `chapters` and its `log`, says when a verb is out of turn and draws random values for a form;
the rest of `RulesPackage` stays its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace

from umpire.kernel.book.book import Book
from umpire.kernel.book.layers import Layer, parse_file
from umpire.kernel.book.shipped import texts
from umpire.kernel.chapters import Chapters, Verb
from umpire.kernel.codec import codec_of
from umpire.kernel.events import Event
from umpire.kernel.forms import Form
from umpire.kernel.log import Log
from umpire.kernel.registry import LogLine, Order, Preview, RulesPackage
from umpire.kernel.rulings import Question, Ruling
from umpire.kernel.states import Seat, State
from umpire.kernel.values.modifiers import Refusal

S = TypeVar("S", bound=State)
B = TypeVar("B")

TRIES = 40
"""Orders drawn from one form before the form is at fault: a form offers no order that is always refused."""


class ChapteredPackage(RulesPackage[S, B]):
    """What of a package's duties its chapters do."""

    chapters: ClassVar[Chapters[Any, Any]]
    log: ClassVar[Log]
    private: ClassVar[tuple[type[Order], ...]] = ()
    """The orders that only set values in the part of their giver's own command."""

    @abstractmethod
    def shipped_book(self, *layers: Layer) -> Book:
        """The shipped tables with these layers laid over them. Raises `BookError` where they cannot be played."""

    @abstractmethod
    def out_of_turn(self, believed: B, seat: Seat, verb: Verb) -> Iterable[Refusal]:
        """Why a verb may not be used now at all, whatever the order says."""

    @abstractmethod
    def draw(self, form: Form, random: Random) -> dict[str, Any]:
        """An order with random values for all slots of a form."""

    def scenarios(self) -> Mapping[str, str]:
        return texts(f"{self.system}.scenarios")

    def book(self, layers: Sequence[tuple[str, str]] = ()) -> Book | None:
        return self.shipped_book(*(Layer(name, (parse_file(name, text),)) for name, text in layers))

    def is_private(self, order: Any) -> bool:
        return isinstance(order, self.private)

    def describe(self, event: Event, believed: B) -> LogLine | None:
        return self.log.describe(event, believed)

    def chronicle(self, event: Any, state: S) -> LogLine:
        return self.log.chronicle(event, state)

    def options(self, believed: B, seat: Seat, subject: str | None) -> Sequence[Form]:
        found: list[Form] = []
        for verb in self._in_turn(believed, seat):
            forms = verb.options(believed, seat, subject)
            found.extend(forms if not verb.role else (replace(form, role=verb.role) for form in forms))
        return found

    def idle(self, believed: B, seat: Seat, subject: str) -> Sequence[Refusal]:
        return [
            why for verb in self._in_turn(believed, seat) if verb.idle for why in verb.idle(believed, seat, subject)
        ]

    def answer_words(self, kind: str) -> tuple[str, str]:
        return self.chapters.answer_words.get(kind, ("", ""))

    def _in_turn(self, believed: B, seat: Seat) -> Iterator[Verb]:
        """The verbs that are not out of turn."""
        is_barred: dict[tuple[str, ...], bool] = {}
        for verb in self.chapters.verbs.values():
            if verb.phases not in is_barred:
                is_barred[verb.phases] = any(self.out_of_turn(believed, seat, verb))
            if not is_barred[verb.phases]:
                yield verb

    def sample(self, believed: B, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
        verb = self.chapters.verb_named(form.verb)
        if verb is None:
            raise ValueError(f"no chapter carries out {form.verb!r}")
        if verb.sample is not None:
            return verb.sample(believed, seat, form, random)
        for _ in range(TRIES):
            order = self.draw(form, random)
            if not self.check(believed, seat, codec_of(self).order(order)):
                return order
        raise ValueError(f"{TRIES} orders drawn from the form {form.label!r} are all refused")

    def check(self, believed: B, seat: Seat, order: Any) -> Sequence[Refusal]:
        verb = self.chapters.verbs.get(type(order))
        if verb is None:
            return [Refusal(f"{type(order).__name__} is not played in this battle.")]
        found = list(self.out_of_turn(believed, seat, verb)) or list(verb.check(believed, seat, order))
        # Shared refusals know no rule of their own: then it is the verb's.
        return [each if each.rule else Refusal(each.reason, verb.rule, each.field) for each in found]

    def preview(self, believed: B, seat: Seat, order: Any) -> Preview:
        refusals = tuple(self.check(believed, seat, order))
        verb = self.chapters.verbs.get(type(order))
        if refusals or verb is None or verb.preview is None:
            return Preview(refusals=refusals)
        return verb.preview(believed, seat, order)

    def resolve(self, state: S, seat: Seat, order: Any) -> Ruling[S]:
        return self.chapters.verbs[type(order)].resolve(state, seat, order)

    def reply(self, believed: B, question: Question) -> tuple[str, ...] | None:
        replier = self.chapters.repliers.get(question.kind)
        return replier(believed, question) if replier is not None else None

    def overrule(self, state: S, correction: Any) -> Sequence[Event]:
        return self.chapters.hand.deeds[type(correction)].events(state, correction)

    def rule_text(self) -> Mapping[str, str]:
        return titles(self.system)


@cache
def titles(package: str) -> Mapping[str, str]:
    """Titles of the rules by key, from the index of sections (`titles.tsv`) in a game's folder."""
    rows = (files(package) / "titles.tsv").read_text("utf-8").splitlines()[1:]
    return {f"{book} {section}": title for book, section, title, *_ in (row.split("\t") for row in rows)}
