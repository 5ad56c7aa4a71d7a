"""The table in which a package registers what each of its events makes of the state, by the event's type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from umpire.kernel.events import Event
from umpire.kernel.states import State

S = TypeVar("S", bound=State)
B = TypeVar("B", bound=State)
E = TypeVar("E", bound=Event)


class Appliers(Generic[S]):
    """One function an event; two for one type are a fault."""

    def __init__(self) -> None:
        self._functions: dict[type[Event], Callable[[S, Any], S]] = {}

    def applies(self, kind: type[E]) -> Callable[[Callable[[S, E], S]], Callable[[S, E], S]]:
        """Registers the function that applies events of a type."""

        def register(function: Callable[[S, E], S]) -> Callable[[S, E], S]:
            if kind in self._functions:
                raise ValueError(f"two functions apply {kind.__name__}")
            self._functions[kind] = function
            return function

        return register

    def apply(self, state: B, event: Event) -> B:
        """The next state; a belief stays a belief. Raises what the function does, such as KeyError for a piece that is
        not there."""
        before: Any = state
        after: Any = self._functions[type(event)](before, event)
        result: B = after
        return result

    @property
    def types(self) -> frozenset[type[Event]]:
        """The events that have a function."""
        return frozenset(self._functions)
