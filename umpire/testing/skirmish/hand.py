"""What the umpire of Skirmish may do by his own hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from umpire.kernel.events import Event, Sighted
from umpire.kernel.hand.corrections import PIECE, Hand
from umpire.kernel.hand.fields import Between, Key
from umpire.kernel.pieces.events import PutDown
from umpire.kernel.registry import Correction
from umpire.kernel.states import Contact
from umpire.testing.skirmish import events
from umpire.testing.skirmish.state import State, Unit, Wagon, lane_of, place, units


class Place(Correction, frozen=True, kw_only=True, tag="place"):
    """Put a unit into another hex."""

    unit: Annotated[str, Key(PIECE)]
    at: Annotated[int, Key("hex")]


class Remove(Correction, frozen=True, kw_only=True, tag="remove"):
    unit: Annotated[str, Key(PIECE)]


class SetSteps(Correction, frozen=True, kw_only=True, tag="set_steps"):
    unit: Annotated[str, Key(PIECE)]
    steps: Annotated[int, Between(1, 2)]


class Lie(Correction, frozen=True, kw_only=True, tag="lie"):
    """Let a command see something that is not there."""

    command: Annotated[str, Key("command")]
    at: Annotated[int, Key("hex")]
    side: Annotated[str, Key("side")]


HAND: Hand[State] = Hand()
HAND.pieces.update({Unit: "unit", Wagon: "wagon"})


@HAND.finds
def _find(state: State, piece: str) -> Unit:
    return units(state)[piece]


@HAND.kind(PIECE)
def _pieces(state: State) -> Mapping[str, str]:
    return {unit.id: unit.name for unit in units(state).values()}


@HAND.kind("hex")
def _no_hex(state: State, at: int) -> str:
    return "" if 0 <= at < lane_of(state).length else f"There is no hex {at}."


@HAND.kind("command")
def _commands(state: State) -> Mapping[str, str]:
    return {key: key for key in state.commands}


@HAND.kind("side")
def _sides(state: State) -> Mapping[str, str]:
    return {key: key for key in lane_of(state).sides}


@HAND.does(Place, "Move", on=("unit", "wagon"), subject="unit")
def _place(state: State, correction: Place) -> Sequence[Event]:
    """Who is carried is put down there."""
    found = units(state)[correction.unit]
    if found.hold is not None:
        return [PutDown(pieces=(found.id,), places=(place(correction.at),), why="umpire")]
    return [events.Placed(unit=correction.unit, at=correction.at)]


@HAND.does(Remove, "Remove", on=("unit", "wagon"), subject="unit")
def _remove(state: State, correction: Remove) -> Sequence[Event]:
    return [events.Fell(unit=correction.unit)]


@HAND.does(SetSteps, "Set its steps", on=("unit", "wagon"), subject="unit")
def _set_steps(state: State, correction: SetSteps) -> Sequence[Event]:
    return [events.Hit(unit=correction.unit, steps=correction.steps)]


@HAND.does(Lie, "Show a unit that is not there")
def _lie(state: State, correction: Lie) -> Sequence[Event]:
    turn = state.public.turn
    contact = Contact(kind="unit", at=place(correction.at), looks={"side": correction.side}, since=turn, seen=turn)
    return [Sighted(command=correction.command, contact=contact)]
