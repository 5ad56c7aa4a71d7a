"""The values of Skirmish: the setting's halves, the state's parts, and what is asked of them everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from msgspec import Struct, field

from umpire.kernel import states
from umpire.kernel.pieces.finding import find, held, of_kind, standing, standing_at
from umpire.kernel.pieces.joining import joined_maps
from umpire.kernel.pieces.piece import Piece
from umpire.kernel.pieces.ways import WayOfHolding, Ways, sees
from umpire.kernel.settings import half
from umpire.kernel.values.maps import ordered

ALLOWANCE = 3
"""Hexes that a unit may enter in a turn."""
RANGE = 2
STACK = 2
"""Units that a hex holds; all of one command."""
ROOM = 2
"""Units that a wagon carries."""
WAYS: Ways = {
    "inside": WayOfHolding(name="inside", shown="nothing"),
    "in_back": WayOfHolding(name="in the back", shown="how_many"),
    "on_top": WayOfHolding(name="on top", sees=True, shown="looks"),
}
"""How a wagon carries units: who is inside is not seen, of who is in the back how many, of who is on top each."""
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
    """A unit as the scenario sets it up. A reserve is hidden in an open battle too. `aboard` is the key of the wagon
    that carries it, `how` in which way."""

    key: str
    command: str
    at: int
    name: str
    steps: int = 2
    reserve: bool = False
    plan: Plan | None = None
    kind: Literal["unit", "wagon"] = "unit"
    aboard: str = ""
    how: str = "inside"


class Secrets(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The umpire's half: who starts where, and what is met at which hex."""

    units: tuple[Start, ...]
    events: Mapping[str, str] = field(default_factory=dict)


class Unit(Piece, frozen=True, kw_only=True, tag="unit"):
    """`exposed`: it has got out of the wagon of this id, whose journey is not over, and may be shot at in its place."""

    name: str
    at: tuple[int, int]
    steps: int = 2
    spent: int = 0
    fired: bool = False
    hero: str = ""
    exposed: str = ""

    @property
    def hex(self) -> int:
        return self.at[0]


class Wagon(Unit, frozen=True, kw_only=True, tag="wagon"):
    """It carries units."""


class Public(states.Public, frozen=True, kw_only=True):
    """`pieces` are the open forces; `done` the commands that have ended their turn."""

    turn: int = 1
    side: str
    done: tuple[str, ...] = ()
    pieces: Mapping[str, Unit | Wagon] = field(default_factory=dict)
    is_over: bool = False
    winner: str = ""


class Part(states.CommandPart, frozen=True, kw_only=True):
    """`pieces` are the hidden forces; `fire` the standing orders for opportunity fire."""

    pieces: Mapping[str, Unit | Wagon] = field(default_factory=dict)
    fire: WhenToFire = "ask"


class Umpire(states.UmpirePart, frozen=True, kw_only=True):
    """`events` are the hexes where something still waits to be met."""

    pieces: Mapping[str, Unit | Wagon] = field(default_factory=dict)
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
    return ordered({unit.id: unit for unit in of_kind(state, Unit)})


def roots(state: State) -> Mapping[str, Unit]:
    """The units that stand on the lane by themselves, in order of their ids: no passengers."""
    return ordered({unit.id: unit for unit in standing(state, Unit)})


def lookouts(state: State, command: str) -> Iterator[Unit]:
    """The units of a command that look around: also those who ride on top."""
    return (unit for unit in of_kind(state, Unit) if unit.command == command and sees(WAYS, state, unit))


def has_room(state: State, wagon: Unit) -> bool:
    return len(held(state, wagon.id)) < ROOM


def at_hex(state: State, at: int) -> tuple[Unit, ...]:
    return standing_at(state, place(at), Unit)


def is_open(state: State, unit: str) -> bool:
    return unit in state.public.pieces


def hidden_ids(state: State) -> set[str]:
    return {unit for part in state.commands.values() for unit in part.pieces}


def place(at: int) -> tuple[int, int]:
    return (at, 0)


def unit_of(state: State, unit: str) -> Unit:
    """A unit that must be there. Raises KeyError: an event about a thing that is gone is a fault."""
    return find(state, unit, Unit)


def of_one_map(first: dict[str, Any]) -> dict[str, Any]:
    """A first state of ledger version 1, whose parts had a map of units, and units the number of their hex."""
    joined = joined_maps(first, {"units": "unit"}, lists=())
    for part in (joined["public"], *joined["commands"].values()):
        for unit in part["pieces"].values():
            unit["at"] = [unit["at"], 0]
    return joined
