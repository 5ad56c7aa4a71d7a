"""The values of Skirmish: the setting's halves, the state's parts, and what is asked of them everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, cast

from msgspec import Struct, field

from umpire.kernel import states
from umpire.kernel.settings import half
from umpire.kernel.states import Place
from umpire.kernel.values.maps import ordered

ALLOWANCE = 3
"""Hexes that a unit may enter in a turn."""
RANGE = 2
STACK = 2
"""Units that a hex holds; all of one command."""
HEROES = ("a crack shot", "a born leader", "a madman")
SOMEBODY = "?"
"""In a believed state: the command of whoever is only seen."""

WhenToFire = Literal["ask", "hold", "near", "any"]


class Lane(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public half: the lane with its woods, who commands for which side, how long it lasts."""

    title: str
    length: int
    turns: int
    blind: bool
    commands: Mapping[str, str]
    woods: tuple[int, ...] = ()

    @property
    def sides(self) -> list[str]:
        return sorted(set(self.commands.values()))


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hidden unit goes one hex a turn towards `goal`. `turn` is the turn in which it was carried on last."""

    goal: int
    on_contact: Literal["halt", "ask"] = "halt"
    turn: int = 0


class Start(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit as the scenario sets it up. A reserve is hidden in an open battle too."""

    key: str
    command: str
    at: int
    name: str
    steps: int = 2
    reserve: bool = False
    plan: Plan | None = None


class Secrets(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The umpire's half: who starts where, and what is met at which hex."""

    units: tuple[Start, ...]
    events: Mapping[str, str] = field(default_factory=dict)


class Unit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    command: str
    side: str
    name: str
    at: int
    steps: int = 2
    spent: int = 0
    fired: bool = False
    hero: str = ""


class Public(states.Public, frozen=True, kw_only=True):
    """`units` are the open forces; `done` the commands that have ended their turn."""

    turn: int = 1
    side: str
    done: tuple[str, ...] = ()
    units: Mapping[str, Unit] = field(default_factory=dict)
    is_over: bool = False
    winner: str = ""


class Part(states.CommandPart, frozen=True, kw_only=True):
    """`units` are the hidden forces; `fire` the standing orders for opportunity fire."""

    units: Mapping[str, Unit] = field(default_factory=dict)
    fire: WhenToFire = "ask"


class Umpire(states.UmpirePart, frozen=True, kw_only=True):
    """`events` are the hexes where something still waits to be met."""

    plans: Mapping[str, Plan] = field(default_factory=dict)
    events: tuple[int, ...] = ()


class State(states.State, frozen=True, kw_only=True):
    public: Public
    commands: Mapping[str, Part]
    umpire: Umpire


class Believed(State, states.Belief, frozen=True, kw_only=True):
    """What a seat knows, as a state: units that are only seen stand under their alias with the command `SOMEBODY`."""


def lane_of(state: State) -> Lane:
    return cast(Lane, half(state.public.setting))


def units(state: State) -> Mapping[str, Unit]:
    """All units of a state, in order of their ids."""
    found = dict(state.public.units)
    for part in state.commands.values():
        found.update(part.units)
    return ordered(found)


def at_hex(state: State, at: int) -> Iterator[Unit]:
    return (unit for unit in units(state).values() if unit.at == at)


def is_open(state: State, unit: str) -> bool:
    return unit in state.public.units


def hidden_ids(state: State) -> set[str]:
    return {unit for part in state.commands.values() for unit in part.units}


def place(at: int) -> Place:
    return (at, 0)


def unit_of(state: State, unit: str) -> Unit:
    """A unit that must be there. Raises KeyError: an event about a thing that is gone is a fault."""
    return units(state)[unit]
