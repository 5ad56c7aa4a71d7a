"""The three parts of a state, slices of it, and the gate that keeps the truth out of what serves a seat.

A rules package subclasses `Public`, `CommandPart`, `UmpirePart` and `State` with its own fields, and `Believed` beside
its own `State` (`class Believed(State, kernel.Belief)`); whatever serves a seat takes a `Believed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

Place = tuple[int, ...]
"""A place in the package's own integers: hundredths of an inch, or column and row of a hex."""
Scalar = str | int | bool


class Contact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was perceived at a place: a stack, a card, a noise, a dummy, a message and an umpire's lie are all contacts.

    `looks` holds what was perceived and nothing else; `since` and `seen` are turns. A contact in sight may bind rules,
    a remembered or heard one does not.
    """

    alias: str = ""
    kind: str
    at: Place
    looks: Mapping[str, Scalar] = field(default_factory=dict)
    since: int = 0
    seen: int = 0
    status: Literal["in_sight", "remembered", "heard", "told"] = "in_sight"


class Public(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What everybody sees. `setting` is the digest of the setting's public half."""

    setting: str


class CommandPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one command has that is not open, and what it knows."""

    contacts: Mapping[str, Contact] = field(default_factory=dict)


class UmpirePart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What only the umpire knows.

    `setting` is the digest of the setting's other half; `aliases[command][subject]` is the alias under which a command
    knows a true thing now; `sightings[command]` counts the aliases drawn for it, so that the next has its own name.
    """

    setting: str = ""
    aliases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sightings: Mapping[str, int] = field(default_factory=dict)


class State(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The state of a battle: an immutable value. Only a package's `apply` makes the next one."""

    public: Public
    commands: Mapping[str, CommandPart]
    umpire: UmpirePart


class Belief:
    """Marks the `Believed` of a package: a state built from a slice alone."""

    __slots__ = ()


class Seat(Struct, frozen=True, kw_only=True):
    """A chair at the table. A player leads one command or more, an observer none; the umpire acts for those named."""

    name: str
    role: Literal["player", "umpire", "observer"] = "player"
    commands: tuple[str, ...] = ()


class Slice(Struct, frozen=True, kw_only=True):
    """The public part and the parts of a seat's own commands; the rest of the state is not in here."""

    public: Any
    commands: Mapping[str, Any]


class Leak(TypeError):
    """A function that serves a seat was handed the truth."""


def slice_of(state: State, commands: tuple[str, ...]) -> Slice:
    """The slice of whoever leads `commands` (keys of `state.commands`; none for an observer)."""
    return Slice(public=state.public, commands={name: state.commands[name] for name in sorted(commands)})


def is_same(one: State, other: State, commands: tuple[str, ...]) -> bool:
    """Whether two states hold the very same objects for whoever leads `commands`, so that he believes the same and is
    shown the same. Equal objects may be taken for different."""
    return one.public is other.public and all(one.commands[name] is other.commands[name] for name in commands)


def gate(believed: object) -> None:
    """Refuses the truth at run time, as mypy does before. Raises Leak."""
    if not isinstance(believed, Belief):
        raise Leak(f"{type(believed).__name__} is the truth; a seat is served from its Believed only")
