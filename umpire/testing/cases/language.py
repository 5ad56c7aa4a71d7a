"""What a game system says to its case files: how a battle is set up, and what its own words are. `docs/cases.md`

Orders, rolls, events and fields have the names that the engine has for them; a language adds what no type can say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from umpire.kernel.events import alias_of
from umpire.kernel.ledger import Asked, Corrected, Entry, Happened, Thrown
from umpire.kernel.registry import RulesPackage
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.states import Seat, State
from umpire.kernel.values.modifiers import Modifier, Refusal
from umpire.testing.cases.form import Case
from umpire.testing.cases.marks import Marks
from umpire.testing.cases.words import CaseFault, group, listed, plain, unknown
from umpire.testing.play.battle import Play

S = TypeVar("S", bound=State)
Fact = Callable[[Any, Sequence[Entry]], Any]
"""What a step has come to, by the state and the entries of the step; None for nothing."""


def events_of(entries: Sequence[Entry], kind: type[Any] = object) -> list[Any]:
    """The events of a kind among some entries."""
    found = [entry.event for entry in entries if isinstance(entry, Happened | Corrected)]
    return [event for event in found if isinstance(event, kind)]


def last(kind: type[Any], name: str) -> Fact:
    """A field of the last event of a kind."""
    return lambda state, entries: next((getattr(each, name) for each in reversed(events_of(entries, kind))), None)


def number_of(kind: type[Any]) -> Fact:
    """How many events of a kind there were."""
    return lambda state, entries: len(events_of(entries, kind))


def rolled(entry: Thrown) -> int:
    """The total of a roll with its modifiers."""
    dice = max(entry.faces) if entry.roll.highest else sum(entry.faces)
    return dice + sum(modifier.value for modifier in entry.roll.modifiers)


def _questions(state: Any, entries: Sequence[Entry]) -> int:
    return sum(len(entry.questions) for entry in entries if isinstance(entry, Asked))


class Language(ABC, Generic[S]):
    """The words of a game system in case files.

    `marks` are words for fields of pieces, by kind of piece; `patterns` words that something must be worked out for;
    `facts` what a step has come to (`WORD = VALUE`); `values` what may be asked, each a function whose parameters are
    read by their types, with `readers`; `verbs` what orders are called beside their names, with what goes with it;
    `inches` fields that are lengths; `together` purposes of rolls that several throw one after the other in no order;
    `general` rules by which orders of any verb are refused, `printed_in` the rules that all print the condition of a
    refusal in these words; `reasons` further words for modifiers, `implied` those that need not be named; `fates`
    further words for what odds speak of.
    """

    package: RulesPackage[S, Any]
    marks: ClassVar[Mapping[type[Any], Marks]] = {}
    patterns: ClassVar[Mapping[type[Any], Mapping[str, Callable[..., Any]]]] = {}
    facts: Mapping[str, Fact] = {}
    values: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    verbs: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    readers: ClassVar[Mapping[Any, Callable[[Any, Any], Any]]] = {}
    inches: ClassVar[Sequence[str]] = ()
    together: ClassVar[Sequence[Sequence[str]]] = ()
    general: ClassVar[Sequence[str]] = ()
    printed_in: ClassVar[Mapping[str, set[str]]] = {}
    reasons: ClassVar[Mapping[str, str]] = {}
    fates: ClassVar[Mapping[str, str]] = {}
    implied: ClassVar[Sequence[str]] = ()
    common: ClassVar[Mapping[str, Fact]] = {
        "rolls": lambda state, entries: sum(isinstance(entry, Thrown) for entry in entries),
        "questions": _questions,
        "over": lambda state, entries: "yes" if state.public.result is not None else "no",
        "winner": lambda state, entries: None if (won := state.public.result) is None else won.winner or "nobody",
    }

    def __init__(self) -> None:
        self._known: set[str] = set()

    # What each game has of its own

    @abstractmethod
    def set_up(self, case: Case, given: Mapping[str, Any], further: Sequence[str], standing: Sequence[str]) -> S:
        """The battle of `[given]`, with a step's further lines and standing orders. Names are true ids. Raises
        CaseFault."""

    @abstractmethod
    def setting(self, state: S) -> Any:
        """The setting, with its `sides` and `commands`."""

    @abstractmethod
    def names(self, state: S) -> Sequence[str]:
        """What there is on the table, and what has been there."""

    @abstractmethod
    def pieces(self, state: S, name: str) -> Sequence[Any]:
        """What bears a name, as the state has it: the piece first, then what it belongs to; nothing if it is gone."""

    @abstractmethod
    def place(self, state: S, text: Any) -> Any:
        """A place as the engine has it. Raises CaseFault."""

    @abstractmethod
    def place_words(self, state: S, at: Any) -> str:
        """A place in the words of cases."""

    @abstractmethod
    def standing(self, said: str) -> Mapping[str, Any]:
        """Standing orders in words."""

    @abstractmethod
    def sees(self, state: S, command: str, name: str) -> Any:
        """Where a command sees a piece, or None."""

    def looks(self, state: S, command: str, name: str) -> set[str]:
        """What a piece shows to a command, as words."""
        return set()

    def path(self, value: Any) -> list[Any]:
        """The places of a path in words."""
        return value.replace(" to ", " ").split() if isinstance(value, str) else list(value)

    def adapted(self, state: S, seat: Seat, order: dict[str, Any]) -> dict[str, Any]:
        """An order with what goes without saying."""
        return order

    def leads_in(self, play: Play[S], seat: Seat, order: Mapping[str, Any]) -> bool:
        """Does what goes without saying before an order; whether the order itself has followed already."""
        return False

    def line(self, before: S, state: S, entries: Sequence[Entry], text: str) -> str | None:
        """As `follows.holds`, for lines that only this game has; None for others."""
        return None

    def subjects(self, state: S, roll: Roll, chosen: Sequence[str]) -> list[str]:
        """What the subject of a roll may be called beside its name; `chosen` was named in the last answer."""
        return []

    def drawn(self, draw: Draw) -> str | None:
        """What is drawn where the case leaves it open; None where it must say it."""
        return None

    def choices(self, state: S, question: Question, words: str) -> tuple[tuple[str, ...], str]:
        """The choices that the words of an answer name, and what is left of the words for the next question. Raises
        CaseFault."""
        return chosen(question, words), ""

    def following(self, state: S, question: Question, words: str) -> tuple[str, ...] | None:
        """What the answer just given to this command's last question says to this one too, None for nothing."""
        return None

    def goes_without_asking(self, state: S, entries: Sequence[Entry], seat: Seat, words: str) -> bool:
        """Whether an answer for which nobody was asked says what came of itself, since there was no choice."""
        return False

    def made(self, before: S, entries: Sequence[Entry], purpose: str) -> Sequence[Modifier] | None:
        """The working of a purpose that is no roll's; None where there is none of this name."""
        return None

    def may_be_said(self, entries: Sequence[Entry], roll: Roll) -> set[str]:
        """What is true of a roll beside its modifiers."""
        return set()

    def called(self, state: S, modifier: Modifier) -> set[str]:
        """What a modifier may be called beside its name: words of which some will do."""
        return set()

    def chances(self, state: S, found: dict[str, Fraction]) -> None:
        """Adds chances that follow from others."""

    def fated(self, state: S, name: str) -> str:
        """The name in cases of what odds speak of, perhaps a place."""
        return name

    def read_by_all(self, state: S, entries: Sequence[Entry], command: str) -> list[str]:
        """What of these entries everybody reads, and this command with them."""
        return []

    def refused_in_turn(self, believed: Any, seat: Seat, order: Any) -> Sequence[Refusal]:
        """What would refuse an order that nobody may give now, could it be given."""
        return ()

    def rule_of(self, verb: str) -> str:
        """The rule of an order's verb."""
        return ""

    def same(self, word: str) -> str:
        """One of the words that mean the same value."""
        return word

    # What all games have in common

    def seats(self, state: S) -> Mapping[str, Seat]:
        """Who may stand behind `seat` in an order and before the colon of an answer."""
        setting = self.setting(state)
        found = {name: Seat(name=name, commands=(name,)) for name in setting.commands}
        for side in setting.sides:
            found[side] = Seat(name=side, commands=self.commands(state, side))
        return {**found, "umpire": Seat(name="umpire", role="umpire", commands=tuple(setting.commands))}

    def commands(self, state: S, name: str) -> tuple[str, ...]:
        """The commands that a name means: itself, those of a side, or all for `nobody`. Raises CaseFault."""
        setting = self.setting(state)
        if name == "nobody":
            return tuple(setting.commands)
        if name in setting.sides:
            return tuple(key for key, command in setting.commands.items() if command.side == name)
        return (name,) if name in setting.commands else unknown("the side", name, (*setting.commands, *setting.sides))

    def side(self, state: S, command: str) -> str:
        found: str = self.setting(state).commands[command].side
        return found

    def alias(self, state: S, seat: Seat, name: str) -> str:
        """What a seat calls a piece: by its alias where it is another's and hidden."""
        if seat.role == "umpire":
            return name
        return next((alias for each in seat.commands if (alias := alias_of(state, each, name))), name)

    def true_names(self, state: S, commands: Sequence[str]) -> dict[str, str]:
        """True names by the aliases under which commands know them."""
        known = {name: alias_of(state, each, name) for each in commands for name in self.names(state)}
        return {alias: name for name, alias in known.items() if alias}

    def meaning(self, state: S, word: str) -> list[str]:
        """The names that a word means."""
        return group(word, self.names(state))

    def known(self, state: S) -> set[str]:
        """All names that pieces of this case have, what is gone too, and aliases."""
        self._known |= {*self.names(state), *self.true_names(state, tuple(state.commands))}
        return self._known

    def the_names(self, state: S, words: Any) -> list[str]:
        """The names that words mean. Raises CaseFault."""
        found: list[str] = []
        for word in listed(words):
            found += self.meaning(state, word) or [unknown("the piece", word, self.names(state))]
        return found


def chosen(question: Question, words: str) -> tuple[str, ...]:
    """The choices that the words of an answer name: by label or id, a list of these perhaps after "… on"; `none`
    declines. Raises CaseFault."""
    by_name = {choice.label.lower(): choice.id for choice in question.choices}
    by_name |= {choice.id.lower(): choice.id for choice in question.choices}
    if words.lower() in by_name:
        return (by_name[words.lower()],)
    if plain(words) in ("none", "decline", "nothing") and question.least == 0:
        return ()
    _, on, after = words.partition(" on ")
    taken = []
    for name in listed(after if on else words):
        if name.lower() not in by_name:
            raise CaseFault(f"{name!r} is none of the choices: {', '.join(by_name)}", at=name, known=by_name)
        taken.append(by_name[name.lower()])
    return tuple(taken)
