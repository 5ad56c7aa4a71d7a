"""The entries of a battle's ledger, its tree of lines, and the fold.

An order's entries are `Begun`, then what its ruling told, rolled, drew and asked in order, then `Ended`. A battle waits
for something exactly when the last `Begun` of its line has no `Ended`. Nothing is deleted: a rewind begins a new line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec import Struct, field

from umpire.kernel.events import Event, KnowledgeEvent, learn
from umpire.kernel.rulings import Draw, Question, Roll
from umpire.kernel.states import State

if TYPE_CHECKING:
    from umpire.kernel.registry import RulesPackage

S = TypeVar("S", bound=State)


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="entry", omit_defaults=True):
    """One entry of a ledger."""


class Begun(Body, frozen=True, kw_only=True, tag="begun"):
    """A ruling begins. `giver` is the seat, force or "rules" that caused it, `number` the how-manieth of that giver on
    this line; `order` is the order as given; `version` the version of the rules that resolve it; `before` the digest of
    the state before it; `dice` the dice line on which it began (what is drawn after a rewind into its middle comes from
    the dice line of the ledger's line)."""

    kind: Literal["order", "advance", "carry"]
    giver: str
    commands: tuple[str, ...] = ()
    number: int = 0
    order: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    before: str = ""
    dice: int = 0


class Thrown(Body, frozen=True, kw_only=True, tag="thrown"):
    """Dice that fell; `by` says whose hand: "server", or the seat that typed them."""

    roll: Roll
    faces: tuple[int, ...]
    by: str = "server"


class Drawn(Body, frozen=True, kw_only=True, tag="drawn"):
    """One of several things was taken at random."""

    draw: Draw
    taken: str


class Asked(Body, frozen=True, kw_only=True, tag="asked"):
    """A question was put; to several where `offer`."""

    questions: Mapping[str, Question]
    offer: bool = False


class Answered(Body, frozen=True, kw_only=True, tag="answered"):
    """A command's answer; an empty answer to an offer declines. `how` is "given", "standing", "default" or "umpire"."""

    command: str
    choices: tuple[str, ...] = ()
    by: str = ""
    how: Literal["given", "standing", "default", "umpire"] = "given"


class Happened(Body, frozen=True, kw_only=True, tag="happened"):
    """An event of the package, or a knowledge event of the kernel."""

    event: Any


class Corrected(Body, frozen=True, kw_only=True, tag="corrected"):
    """An event by the umpire's hand, with its reason."""

    event: Any
    by: str
    reason: str


class Ended(Body, frozen=True, kw_only=True, tag="ended"):
    """The end of a ruling: "done", "overtaken" by an override, or "stopped" by the umpire."""

    how: Literal["done", "overtaken", "stopped"] = "done"
    reason: str = ""


Entry = Begun | Thrown | Drawn | Asked | Answered | Happened | Corrected | Ended


def applied(package: RulesPackage[S, Any], state: S, event: Event) -> S:
    """The next state: knowledge is the kernel's to write, everything else the package's."""
    if isinstance(event, KnowledgeEvent):
        return learn(state, event)
    return package.apply(state, event)


def fold(package: RulesPackage[S, Any], state: S, entries: Iterable[Entry]) -> S:
    """The state after these entries. Holds no rule: a battle folds alike whatever becomes of the rules."""
    for entry in entries:
        if isinstance(entry, Happened | Corrected):
            state = applied(package, state, entry.event)
    return state


def is_cut(entries: Sequence[Entry], depth: int) -> bool:
    """Whether a line may be cut after its first `depth` entries: never between an event and what was noticed of it."""
    if depth >= len(entries):
        return depth == len(entries)
    following = entries[depth]
    return not (isinstance(following, Happened) and isinstance(following.event, KnowledgeEvent))


def open_order(entries: Sequence[Entry]) -> int | None:
    """The depth of the `Begun` that has no `Ended` on this line, or None if the battle waits for nothing."""
    for depth in range(len(entries) - 1, -1, -1):
        match entries[depth]:
            case Ended():
                return None
            case Begun():
                return depth
    return None


Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


def upcast(entry: dict[str, Any], version: int, upcasters: Mapping[int, Upcaster], current: int) -> dict[str, Any]:
    """An entry written by an older version, as the current one reads it. Raises LookupError where a step is missing."""
    for step in range(version, current):
        if step not in upcasters:
            raise LookupError(f"no upcaster from version {step} of the ledger to {step + 1}")
        entry = upcasters[step](entry)
    return entry


def first_upcast(
    first: dict[str, Any], version: int, upcasters: Mapping[int, Upcaster], current: int
) -> dict[str, Any]:
    """A first state of an older version, as the current one reads it; versions without a step left it as it was."""
    for step in range(version, current):
        if step in upcasters:
            first = upcasters[step](first)
    return first


def _givers(entries: Iterable[Entry]) -> Iterator[str]:
    """Who gave each ruling that begins among these entries."""
    return (entry.giver for entry in entries if isinstance(entry, Begun))


class Line(Struct, frozen=True, kw_only=True):
    """A line of the tree: it leaves `parent` after `fork` of that line's entries (counted from the root).

    `dice` names its dice: a rewind that keeps the dice keeps the name, "fresh" dice take the line's own number."""

    number: int
    parent: int | None = None
    fork: int = 0
    dice: int = 0


class Tree(Struct):
    """Lines and their own entries, in memory. Depth counts entries from the root of the battle."""

    lines: dict[int, Line] = field(default_factory=lambda: {0: Line(number=0)})
    own: dict[int, list[Entry]] = field(default_factory=lambda: {0: []})
    head: int = 0
    counted: dict[int, tuple[int, Counter[str]]] = field(default_factory=dict)
    """By line how many of its own entries have been looked at for `rulings`, and the rulings of each giver so far."""

    @property
    def depth(self) -> int:
        """How many entries the head's line has."""
        return self.lines[self.head].fork + len(self.own[self.head])

    def since(self, depth: int) -> list[Entry]:
        """The entries of the head's line after its first `depth`."""
        fork = self.lines[self.head].fork
        return self.own[self.head][depth - fork :] if depth >= fork else self.path()[depth:]

    def rulings(self, giver: str) -> int:
        """How many rulings of a giver stand on the head's line. Entries are only added, so each is looked at once."""
        looked, count = self.counted.get(self.head) or (0, Counter(_givers(self.path()[: self.lines[self.head].fork])))
        own = self.own[self.head]
        if looked < len(own):
            count.update(_givers(own[looked:]))
        self.counted[self.head] = (len(own), count)
        return count[giver]

    def path(self, line: int | None = None) -> list[Entry]:
        """All entries from the root to the end of a line (the head's by default)."""
        current = self.lines[self.head if line is None else line]
        if current.parent is None:
            return list(self.own[current.number])
        return self.path(current.parent)[: current.fork] + self.own[current.number]

    def append(self, entries: Iterable[Entry]) -> None:
        self.own[self.head].extend(entries)

    def rewind(self, depth: int, *, fresh: bool) -> Line:
        """A new line from the head's first `depth` entries; it becomes the head. Raises ValueError at no cut."""
        path = self.path()
        if not 0 <= depth <= len(path) or not is_cut(path, depth):
            raise ValueError(f"the ledger cannot be cut after entry {depth} of {len(path)}")
        number = max(self.lines) + 1
        dice = number if fresh else self.lines[self.head].dice
        self.lines[number] = Line(number=number, parent=self.head, fork=depth, dice=dice)
        self.own[number] = []
        self.head = number
        return self.lines[number]
