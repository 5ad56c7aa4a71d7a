"""The form of case files, and what a game system says to them: its vocabulary. `docs/cases.md`"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

from msgspec import Struct, field

from umpire.kernel.dice import ScriptedDice
from umpire.kernel.ledger import Entry, Thrown
from umpire.kernel.odds import Odds
from umpire.kernel.registry import RulesPackage
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.states import Seat, State
from umpire.kernel.values.modifiers import Modifier
from umpire.kernel.values.spelling import get_close_matches
from umpire.testing.play.battle import Play

S = TypeVar("S", bound=State)


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: an order, a correction, a question of the rules lawyer or the beginning of the battle, with its dice
    and what must follow."""

    order: Mapping[str, Any] | None = None
    umpire: Mapping[str, Any] | None = None
    ask: Mapping[str, Any] | None = None
    begins: bool | None = None
    afresh: bool = False
    says: str = ""
    given: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    working: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    odds: Mapping[str, str] = field(default_factory=dict)
    then: tuple[str, ...] = ()
    is_: Any = field(default=None, name="is")
    refused: str = ""


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case as its file has it."""

    case: str
    title: str
    system: str
    rules: tuple[str, ...]
    given: Mapping[str, Any]
    step: tuple[Step, ...]
    module: str = ""
    source: str = ""


class CaseFault(AssertionError):
    """A case that fails or cannot be read: what is wrong, in which line, and the nearest word where one is near."""

    def __init__(self, text: str, *, at: str = "", known: Iterable[str] = ()) -> None:
        word = at.split()[0] if at.split() else at
        nearest = get_close_matches(at, list(known), n=1) or get_close_matches(word, list(known), n=1)
        super().__init__(f"{text}; did you mean {nearest[0]!r}?" if nearest else text)
        self.at = at


class Vocabulary(ABC, Generic[S]):
    """The words of a game system in case files."""

    package: RulesPackage[S, Any]

    @abstractmethod
    def set_up(self, case: Case, given: Mapping[str, Any], further: Sequence[str], standing: Sequence[str]) -> S:
        """The battle of `[given]`, with a step's further lines and standing orders. Names are true ids. Raises
        CaseFault."""

    @abstractmethod
    def seats(self, state: S) -> Mapping[str, Seat]:
        """Who may stand behind `seat` in an order and before the colon of an answer."""

    def leads_in(self, play: Play[S], seat: Seat, order: Mapping[str, Any]) -> bool:
        """Does what goes without saying before an order. Whether the order itself has followed already."""
        return False

    @abstractmethod
    def order(self, state: S, seat: Seat, order: Mapping[str, Any]) -> Mapping[str, Any]:
        """The order as the API takes it: names of what belongs to others become what the seat calls them; inches
        become the package's integers."""

    @abstractmethod
    def holds(self, before: S, state: S, entries: Sequence[Entry], line: str) -> str:
        """Nothing if a line of `then` holds, else what is so instead. Raises CaseFault for words it does not know."""

    @abstractmethod
    def ask(self, state: S, ask: Mapping[str, Any], source: ScriptedDice) -> Any:
        """The value asked for. Raises CaseFault for a value it does not know."""

    def workings(self, entries: Sequence[Entry]) -> Mapping[str, Sequence[Modifier]]:
        """The modifiers of what was rolled, by the roll's purpose."""
        return {entry.roll.purpose: entry.roll.modifiers for entry in entries if isinstance(entry, Thrown)}

    def worked(self, before: S, state: S, entries: Sequence[Entry], purpose: str, wanted: Sequence[str]) -> str:
        """Nothing if the working of a purpose is what these lines say, else what it is. Raises CaseFault for a purpose
        for which nothing was worked out."""
        workings = self.workings(entries)
        if purpose not in workings:
            raise CaseFault(f"nothing was worked out for {purpose!r}", at=purpose, known=workings)
        made = sorted(f"{modifier.reason} {modifier.value:+d}" for modifier in workings[purpose] if modifier.value)
        return "" if made == sorted(" ".join(line.split()) for line in wanted) else str(made)

    def is_roll(self, wanted: str, roll: Roll) -> bool:
        """Whether a name in `dice` means this roll: its purpose and subject, or the purpose alone."""
        return wanted in (f"{roll.purpose} {roll.subject}".strip(), roll.purpose)

    def next_die(self, names: Sequence[str], roll: Roll) -> int | None:
        """Which of the dice that are left (by their names, in order) a roll takes, None for none of them: the first, if
        it has no name or one that means this roll."""
        return 0 if names and (not names[0] or self.is_roll(names[0], roll)) else None

    def drawn(self, draw: Draw) -> str | None:
        """What is drawn where the case leaves it open; None where it must say it."""
        return None

    def meant(self, draw: Draw, words: str | None) -> str | None:
        """Which of the things among which chance draws the word of a case means."""
        return words

    def choices(self, state: S, question: Question, words: str) -> tuple[str, ...]:
        """The choices that the words of an answer name. Raises CaseFault."""
        return choices_named(question, words)

    def rest(self, question: Question, words: str, taken: Sequence[str]) -> str:
        """What of the words of an answer is left, after these choices, for this command's next question."""
        return ""

    def following(self, state: S, question: Question, words: str) -> tuple[str, ...] | None:
        """What the answer just given to this command's last question says to this one too, None for nothing."""
        return None

    def goes_without_asking(self, state: S, entries: Sequence[Entry], answer: str) -> bool:
        """Whether an answer (`SEAT: …`) for which nobody was asked says what came of itself, since there was no
        choice."""
        return False

    def chances(self, state: S, seat: Seat, odds: Odds) -> Mapping[str, Fraction]:
        """Chances by the words of `odds`."""
        return {f"{fate.piece} {fate.what}": chance for fate, chance in odds.fates.items()}

    def fate(self, state: S, words: str) -> None:
        """Raises CaseFault where words of `odds` are none that a chance could have."""

    def is_refused_by(self, wanted: str, rule: str) -> bool:
        """Whether a refusal by a rule is what `refused` says."""
        return wanted == rule

    def agrees(self, value: Any, wanted: Any) -> bool:
        """Whether a value asked for is what `is` says."""
        return bool(plain(value) == plain(wanted))


def plain(value: Any) -> Any:
    """Numbers and words as a TOML file writes them."""
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value.lower() if isinstance(value, str) else value


def choices_named(question: Question, words: str) -> tuple[str, ...]:
    """The choices that the words of an answer name: by label, by id, or a list of these after "… on"."""
    if words in ("none", "decline", "nothing") and question.least == 0:
        return ()
    by_name = {choice.label.lower(): choice.id for choice in question.choices}
    by_name |= {choice.id.lower(): choice.id for choice in question.choices}
    if words.lower() in by_name:
        return (by_name[words.lower()],)
    _, on, listed = words.partition(" on ")
    names = [part.strip() for part in (listed if on else words).replace(" and ", ",").split(",") if part.strip()]
    taken = []
    for name in names:
        if name.lower() not in by_name:
            raise CaseFault(f"{name!r} is none of the choices: {', '.join(by_name)}", at=name, known=by_name)
        taken.append(by_name[name.lower()])
    return tuple(taken)
