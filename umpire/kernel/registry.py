"""What a rules package is, and the table of those registered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from msgspec import Struct, field

from umpire.kernel.book.book import Book
from umpire.kernel.events import Event, KnowledgeEvent
from umpire.kernel.forms import Form
from umpire.kernel.ledger import Drawn, Thrown, Upcaster
from umpire.kernel.rulings import Question, Ruling
from umpire.kernel.settings import Setting
from umpire.kernel.states import Place, Seat, Slice, State
from umpire.kernel.values.modifiers import Modifier, Refusal
from umpire.kernel.views import Scene, View

S = TypeVar("S", bound=State)
B = TypeVar("B")
K = TypeVar("K", contravariant=True)


class Order(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="verb", omit_defaults=True):
    """An order. Packages subclass it with a verb as tag."""


class Correction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="verb", omit_defaults=True):
    """Something the umpire does by his own hand. Packages subclass it."""


class Refused(ValueError):
    """Raised by `overrule` for a correction that makes no sense (an unknown piece)."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("; ".join(refusal.reason for refusal in refusals))
        self.refusals = tuple(refusals)


class LogLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sentence of a seat's log, with its working: the answer to *Why?*"""

    text: str
    kind: str = ""
    rule: str = ""
    modifiers: tuple[Modifier, ...] = ()
    faces: tuple[int, ...] = ()
    pieces: tuple[str, ...] = ()
    at: tuple[tuple[int, ...], ...] = ()


class Preview(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an order not yet given would cost and reach, as far as its giver can know."""

    refusals: tuple[Refusal, ...] = ()
    cost: str = ""
    path: tuple[tuple[int, ...], ...] = ()
    notes: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    warnings: tuple[str, ...] = ()


class Route(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A proposed way of a hidden force: its places without the start, and in words what of it would be seen."""

    path: tuple[tuple[int, ...], ...]
    note: str = ""


class SightObstacle(Struct, frozen=True, kw_only=True):
    """What bears on a line of sight: where, how ("blocks", "degrades", "shadow"), what it is and by which rule."""

    at: str
    effect: str
    what: str
    rule: str


class SightLine(Struct, frozen=True, kw_only=True):
    """A line of sight between two places, its obstacles in their order, and in words what comes of them."""

    is_blocked: bool
    degrading: int
    distance: int
    obstacles: tuple[SightObstacle, ...]
    why: str


class Sightings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is seen from a place: of each place of the map (its numbers joined by commas) whether its line is open,
    degraded or blocked, or whether it lies in the dark; and the line that was asked about."""

    field: Mapping[str, Literal["open", "degraded", "blocked", "dark"]]
    line: SightLine | None = None


class Fate(Struct, frozen=True, kw_only=True, order=True):
    """What becomes of a piece: ("g2", "casualty"). Odds add up the chances of each."""

    piece: str
    what: str


class GoesOn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A man or a cache that a campaign carries on: whose it is, what a roster says of it, and what became of it.

    `fate` of a man is fit, wounded, killed, captured or missing; of a cache kept or found (by an enemy). `squad` is a
    name, `quality`, `role` and `weapons` are words of the system.
    """

    kind: Literal["man", "cache"] = "man"
    side: str
    command: str
    fate: Literal["fit", "wounded", "killed", "captured", "missing", "kept", "found"] = "fit"
    squad: str = ""
    name: str = ""
    quality: str = ""
    role: str = ""
    motivation_rating: int | None = None
    weapons: tuple[str, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Points by side with the lines that make them up, the winner when it is over, and why; and by id what goes on to a
    campaign (of a belief, what its commands know)."""

    points: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, tuple[Modifier, ...]] = field(default_factory=dict)
    is_over: bool = False
    winner: str = ""
    why: str = ""
    goes_on: Mapping[str, GoesOn] = field(default_factory=dict)


class Wish(Struct, frozen=True, kw_only=True):
    """An order that a general would give now, as plain JSON. Of several seats the one to whom its order is worth most
    gives it; 0 is worth doing where nobody has anything better (a pass, the end of a phase)."""

    order: Mapping[str, Any]
    worth: float = 0.0


class General(Protocol[K]):
    """Chooses orders and answers in self-play from what a seat believes and is offered, never from the truth. What may
    be ordered with a piece (None: with none) `offered` says, as `RulesPackage.options` does."""

    def order(
        self, believed: K, seat: Seat, offered: Callable[[str | None], Sequence[Form]], random: Random
    ) -> Wish | None:
        """What the seat would order now; None for nothing of its own accord. Where no seat wishes anything a random
        legal order is given."""

    def answer(self, believed: K, command: str, question: Question, random: Random) -> tuple[str, ...]:
        """The choices of a command that is asked."""


class RulesPackage(ABC, Generic[S, B]):
    """A game system. All methods are pure. `B` is the package's `Believed`, a subclass of its State `S`."""

    system: ClassVar[str]
    title: ClassVar[str]
    is_example: ClassVar[bool] = False
    """Whether it is there to learn from and to prove the server with, not to be offered to people."""
    version: ClassVar[int] = 1
    """Version of the rules; an order records it, and runs again only under the same."""
    ledger_version: ClassVar[int] = 1
    state_type: ClassVar[Any]
    happening: ClassVar[Any]
    """The register of its own events (`umpire.kernel.happenings.Happenings`)."""
    events: ClassVar[Any]
    """Tagged union of these events."""
    orders: ClassVar[Any]
    """Tagged union of its orders."""
    corrections: ClassVar[Any]
    """Tagged union of what the umpire may do by hand."""
    hand: ClassVar[Any]
    """What the fields of corrections and pieces may name (`umpire.kernel.hand.corrections.Hand`)."""
    views: ClassVar[Any]
    """The struct that a view is."""
    scenes: ClassVar[Any]
    """The struct that a scene is."""
    public_setting: ClassVar[Any]
    umpire_setting: ClassVar[Any]
    upcasters: ClassVar[Mapping[int, Upcaster]] = {}
    first_upcasters: ClassVar[Mapping[int, Upcaster]] = {}
    """The same for the first state of a battle, from which its ledger is folded. A version that has none here left the
    form of states as it was."""
    setting_upcasters: ClassVar[Mapping[int, Mapping[Literal["public", "umpire"], Upcaster]]] = {}
    """The same for the halves of a setting, each apart. A half is read so under its old digest: whatever it lacked (a
    table of the book that came later) stands in it as it was when it came."""
    concedes: ClassVar[tuple[str, ...]] = ()
    """What blind play cannot help telling, in words."""
    generals: ClassVar[Mapping[str, General[Any]]] = {}
    """Who may lead the seats in self-play, by name; without one it is played at random."""
    variants: ClassVar[Sequence[Mapping[str, Any]]] = ({},)
    """Options with which each scenario is played where the rules are tried as a whole: the usual ones, and those that
    make another game of it."""

    @abstractmethod
    def scenarios(self) -> Mapping[str, str]:
        """Bundled scenarios: key to the text of its file."""

    def book(self, layers: Sequence[tuple[str, str]] = ()) -> Book | None:
        """The shipped tables with a group's own files (name, text) laid over them; None for a system without tables.
        Raises BadInput."""
        return None

    @abstractmethod
    def load(
        self, text: str, *, file: str, options: Mapping[str, Any], layers: Sequence[tuple[str, str]] = ()
    ) -> Setting:
        """The setting of a scenario file with the options chosen (name to value) and a group's own data files (name,
        text). Raises BadInput with file, key, and what would be right."""

    @abstractmethod
    def begin(self, setting: Setting, name: Callable[[str], str]) -> S:
        """The first state. `name` turns a key of the scenario into a true id, which is random."""

    @abstractmethod
    def believed(self, known: Slice) -> B:
        """The state as a seat knows it."""

    @abstractmethod
    def subjects(self, believed: B, seat: Seat) -> tuple[str, ...]:
        """The pieces that this seat may order about now."""

    @abstractmethod
    def options(self, believed: B, seat: Seat, subject: str | None) -> Sequence[Form]:
        """What may be ordered now with a piece; with None what needs no piece (end of phase, plans)."""

    def idle(self, believed: B, seat: Seat, subject: str) -> Sequence[Refusal]:
        """Why nothing may be ordered now with a piece of the seat's own, where there is something to say of it."""
        return ()

    @abstractmethod
    def sample(self, believed: B, seat: Seat, form: Form, random: Random) -> dict[str, Any]:
        """A random order from a form, one that `check` accepts."""

    @abstractmethod
    def check(self, believed: B, seat: Seat, order: Any) -> Sequence[Refusal]:
        """Why the order is not accepted; empty if it is."""

    def preview(self, believed: B, seat: Seat, order: Any) -> Preview:
        """What the order would cost and reach."""
        return Preview(refusals=tuple(self.check(believed, seat, order)))

    @abstractmethod
    def resolve(self, state: S, seat: Seat, order: Any) -> Ruling[S]:
        """The ruling of an order. It never refuses."""

    def is_private(self, order: Any) -> bool:
        """Whether an order, whatever else is so, only sets values in the part of its giver's own command: it rolls and
        asks nothing, and giving it twice is giving it once. It is taken also while another ruling waits, so that its
        being taken tells nothing of that ruling."""
        return False

    def lets_type(self, state: S) -> bool:
        """Whether people may throw their own dice in this battle; not where it tells of the hidden that dice are waited
        for, by whom, and which faces matter."""
        return True

    @abstractmethod
    def advance(self, state: S) -> Ruling[S]:
        """The ruling of what follows by itself; one that yields nothing where nothing does."""

    def due(self, state: S) -> tuple[str, ...]:
        """The forces whose plans are to be carried on now, in their fixed order."""
        return ()

    def carry(self, state: S, force: str) -> Ruling[S]:
        """The ruling of one quantum of a hidden force's plan."""
        raise NotImplementedError(f"{self.system} has no hidden movement")

    def route(self, state: S, force: str, goal: Place, weight: int) -> Route | None:
        """A concealed way of a force to a goal, for the umpire's plans; `weight` is how many percent of the usual being
        seen counts. None where there is none, or where the system proposes none. Raises KeyError for no such force."""
        return None

    @abstractmethod
    def notice(self, before: S, cause: Event | Thrown | Drawn, after: S) -> Sequence[KnowledgeEvent]:
        """The knowledge events that a world event, a roll or a draw causes. The kernel draws the aliases."""

    @abstractmethod
    def look(self, before: S | None, after: S) -> Iterable[KnowledgeEvent]:
        """The knowledge events that bring the contacts of all commands in line with what they perceive in a state,
        given that they were in line in the one before; of no state before, everything is looked at. The kernel looks
        after each event until nothing more is found: a settled state is one in which there is nothing."""

    def publishes(self, before: S, event: Event) -> bool:
        """Whether a world event is public as it stands (it happened to open forces and names nothing hidden)."""
        is_public: bool = self.happening.publishes(before, event)
        return is_public

    def reply(self, believed: B, question: Question) -> tuple[str, ...] | None:
        """What the standing orders of the command answer, or nothing."""
        return None

    def answer_words(self, kind: str) -> tuple[str, str]:
        """What the buttons under a kind of question are called: to answer it, and to let it pass; "" for the usual."""
        return ("", "")

    def apply(self, state: S, event: Event) -> S:
        """The next state. Holds no rule and reads no table. Raises KeyError for a piece that is not there."""
        after: S = self.happening.apply(state, event)
        return after

    @abstractmethod
    def overrule(self, state: S, correction: Any) -> Sequence[Event]:
        """The events of an umpire's correction whose fields have been checked:
        `umpire.kernel.hand.corrections.overruled` is the gate. Raises Refused."""

    @abstractmethod
    def view(self, believed: B, seat: Seat) -> View:
        """What the client draws."""

    @abstractmethod
    def truth(self, state: S) -> View:
        """What the umpire's desk draws: the truth in the form of a view, with who knows what."""

    @abstractmethod
    def scene(self, believed: B) -> Scene:
        """What does not change and needs not be sent twice: the map, and tables a client shows."""

    def sightings(self, believed: B, origin: Place, target: Place | None) -> Sightings:
        """What is seen from a place, and the line to another, as far as a seat knows the ground. Raises KeyError for a
        place that is not there."""
        raise NotImplementedError(f"{self.system} does not say what is seen")

    @abstractmethod
    def describe(self, event: Event, believed: B) -> LogLine | None:
        """The log line of a public or knowledge event for a seat."""

    @abstractmethod
    def chronicle(self, event: Any, state: S) -> LogLine:
        """The log line of any event, roll or draw for the umpire."""

    @abstractmethod
    def fates(self, before: B, after: B) -> Sequence[Fate]:
        """What became of each piece between two believed states."""

    @abstractmethod
    def impossible(self, state: S) -> Sequence[str]:
        """What no battle can be, in words: pieces that are nowhere, twice, another's, off the map."""

    def breaches(self, state: S) -> Sequence[str]:
        """What the rules allow nobody and the umpire may order all the same (stacking, where men may stand, limits of a
        side), in words that stay the same while it lasts."""
        return ()

    def problems(self, state: S) -> Sequence[str]:
        """Every broken invariant, in words: none after any order, but for what an umpire has overruled."""
        return [*self.impossible(state), *self.breaches(state)]

    @abstractmethod
    def outcome(self, state: S) -> Outcome:
        """Points, winner, and what goes on to a campaign; for a seat from its believed state."""

    def rule_text(self) -> Mapping[str, str]:
        """Titles of the rules by key, for screens."""
        return {}


_packages: dict[str, RulesPackage[Any, Any]] = {}


def register(package: RulesPackage[Any, Any]) -> None:
    """Makes a package known. The same system twice is a fault."""
    if package.system in _packages and type(_packages[package.system]) is not type(package):
        raise ValueError(f"two rules packages are called {package.system!r}")
    _packages[package.system] = package


def package_of(system: str) -> RulesPackage[Any, Any]:
    """The package of a system. Raises LookupError naming those there are."""
    if system not in _packages:
        raise LookupError(f"no rules package {system!r}; there are: {', '.join(sorted(_packages)) or 'none'}")
    return _packages[system]


def packages() -> Mapping[str, RulesPackage[Any, Any]]:
    """All registered packages in order of their names."""
    return dict(sorted(_packages.items()))
