"""The register of what happens in a game: of each event what it makes of the state, who may read it, and its words.

A package makes one `Happenings`, and the module that defines an event registers it there; nobody lists events. The
union for the codec is joined from the register (`union`) when all of the package's modules are loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from umpire.kernel.codec import union_of
from umpire.kernel.events import Event
from umpire.kernel.registry import LogLine
from umpire.kernel.states import State
from umpire.kernel.telling import named

S = TypeVar("S", bound=State)
B = TypeVar("B", bound=State)
E = TypeVar("E", bound=Event)

Publicity = Literal["never", "where_open", "always"]
"""Whether everybody may read an event as it stands: never, where it names nothing hidden, always."""
Line = Callable[[S, E], LogLine | None]
"""A sentence about an event in the state after it; of a belief in the words of whoever believes it."""


class Happening(Struct, frozen=True, kw_only=True):
    """One kind of event.

    `apply` makes the next state. `public` is a `Publicity`, or a function of the state before it and the event.
    `perceived`: whether enemies who see all that it names can tell it from looking on; a function gives what they see
    of it (or None), from the event in their words, their belief, and whether they still see all that it names. `told`:
    the commands that are told of it where it is not public, by the states before and after; None for those that have
    what it names.
    """

    kind: type[Event]
    apply: Callable[[Any, Any], Any]
    public: Publicity | Callable[[Any, Any], bool]
    perceived: bool | Callable[[Any, Any, bool], Any] = False
    told: Callable[[Any, Any, Any], Collection[str]] | None = None


class Happenings(Generic[S]):
    """The events of one package. `hidden` gives the ids of all that is hidden in a state."""

    def __init__(self, hidden: Callable[[S], Collection[str]]) -> None:
        self.hidden = hidden
        self.kinds: dict[type[Event], Happening] = {}
        self.lines: dict[type[Event], Callable[[Any, Any], LogLine | None]] = {}
        self.notes: dict[type[Event], Callable[[Any, Any], LogLine | None]] = {}

    def happens(
        self,
        kind: type[E],
        *,
        public: Publicity | Callable[[S, E], bool],
        perceived: bool | Callable[[E, Any, bool], E | None] = False,
        told: Callable[[S, E, S], Collection[str]] | None = None,
    ) -> Callable[[Callable[[S, E], S]], Callable[[S, E], S]]:
        """Registers a kind of event with the function that applies it: (state, event) -> the next state, which holds no
        rule and reads no table. Twice is a fault."""

        def register(function: Callable[[S, E], S]) -> Callable[[S, E], S]:
            _once(self.kinds, kind)
            self.kinds[kind] = Happening(kind=kind, apply=function, public=public, perceived=perceived, told=told)
            return function

        return register

    def says(self, kind: type[E]) -> Callable[[Line[S, E]], Line[S, E]]:
        """Registers the line in which seats and umpire read an event: (state, event) -> the line, None for none."""

        def register(function: Line[S, E]) -> Line[S, E]:
            _once(self.lines, kind)
            self.lines[kind] = function
            return function

        return register

    def noted(self, kind: type[E]) -> Callable[[Line[S, E]], Line[S, E]]:
        """Registers the line that the umpire alone reads, where `says` has none."""

        def register(function: Line[S, E]) -> Line[S, E]:
            _once(self.notes, kind)
            self.notes[kind] = function
            return function

        return register

    def apply(self, state: B, event: Event) -> B:
        """The next state; a belief stays a belief. Raises what the function does, such as KeyError for a piece that is
        not there."""
        before: Any = state
        after: B = self.kinds[type(event)].apply(before, event)
        return after

    def publishes(self, before: S, event: Event) -> bool:
        """Whether everybody may read an event as it stands."""
        public = self.kinds[type(event)].public
        if callable(public):
            return public(before, event)
        return public == "always" or (public == "where_open" and not self.named_hidden(before, event))

    def named_hidden(self, state: S, event: Event) -> tuple[str, ...]:
        """The hidden pieces that an event names, in order."""
        return named(event, self.hidden(state))

    def line(self, state: State, event: Event) -> LogLine | None:
        """The line of an event for a seat; None where it is told in none."""
        found = self.lines.get(type(event))
        return found(state, event) if found is not None else None

    def note(self, state: S, event: Event) -> LogLine | None:
        """The line of an event for the umpire."""
        line, found = self.line(state, event), self.notes.get(type(event))
        return line if line is not None or found is None else found(state, event)

    def union(self) -> Any:
        """The tagged union of all kinds, in the order of their tags, in whatever order they were loaded."""
        return union_of(self.kinds)

    def lacking(self, root: str) -> list[str]:
        """What of the events that the modules of a package (`root`) define is not registered whole, in words."""
        defined = {kind for kind in _kinds_of(Event) if f"{kind.__module__}.".startswith(f"{root}.")}
        found = [f"{kind.__name__} has no applier and no publicity" for kind in defined - {*self.kinds}]
        spoken = {*self.lines, *self.notes}
        found += [f"{kind.__name__} has no words" for kind in {*self.kinds} - spoken]
        found += [f"{kind.__name__} has words and no applier" for kind in spoken - {*self.kinds}]
        return sorted(found)


def _kinds_of(kind: type[Event]) -> set[type[Event]]:
    """The classes of events below one, but for those on which others stand."""
    below = kind.__subclasses__()
    found = {inner for each in below for inner in _kinds_of(each)}
    return found | {each for each in below if not each.__subclasses__()}


def _once(table: Mapping[type[Event], Any], kind: type[Event]) -> None:
    if kind in table:
        raise ValueError(f"{kind.__name__} is registered twice")
