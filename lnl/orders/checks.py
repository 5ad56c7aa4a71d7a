"""Refusals that chapters share: all from what the giver of an order can know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lnl.board.hexes import Place
from lnl.state.battle import Believed, State
from lnl.state.finding import has_ended, has_unit, piece_of, side_of, unit
from lnl.state.setting import ground_of, setting_of
from lnl.words.naming import PHASE_NAMES
from umpire.kernel.chapters import Verb
from umpire.kernel.pieces.finding import part_of
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "core 2.0"
"""What is wrong with an order whatever its chapter."""


def active_commands(state: State, seat: Seat) -> tuple[str, ...]:
    """The seat's commands whose side's turn it is and that are not done with the phase."""
    public = state.public
    return tuple(name for name in seat.commands if side_of(state, name) == public.active and not has_ended(state, name))


def out_of_turn(believed: Believed, seat: Seat, verb: Verb) -> Iterator[Refusal]:
    """Why a verb may not be used now at all, whatever the order says. `core 2.0`"""
    public = believed.public
    if public.result is not None:
        yield Refusal("The battle is over.", RULE)
    elif not seat.commands:
        yield Refusal("You lead nobody in this battle.", RULE)
    elif verb.phases:
        if public.phase not in verb.phases:
            wanted = " or ".join(f"the {PHASE_NAMES[phase]}" for phase in PHASE_NAMES if phase in verb.phases)
            yield Refusal(f"This is the {PHASE_NAMES[public.phase]}; that belongs to {wanted}.", RULE)
        elif not any(side_of(believed, name) == public.active for name in seat.commands):
            side = setting_of(believed).sides.get(public.active)
            yield Refusal(f"It is the turn of {side.name if side else 'nobody yet'}.", RULE)
        elif not active_commands(believed, seat):
            yield Refusal("You are done with this phase.", RULE)


def not_ours(believed: Believed, seat: Seat, pieces: Iterable[str], field: str, rule: str = RULE) -> Iterator[Refusal]:
    """Refusals for pieces that are not there for this seat, or not its own.

    A hidden piece of others and one that does not exist get the same words."""
    for piece in pieces:
        if command_of(believed, piece) not in seat.commands:
            yield Refusal(f"There is no piece {piece!r} of yours.", rule, field)


def not_our_units(
    believed: Believed, seat: Seat, pieces: Sequence[str], field: str, rule: str = RULE
) -> Iterator[Refusal]:
    """Refusals for what is no unit of this seat, not on the map, or whose command is done with the phase."""
    if found := list(not_ours(believed, seat, pieces, field, rule)):
        yield from found
        return
    for piece in pieces:
        if not has_unit(believed, piece):
            yield Refusal(f"{piece!r} is no unit.", rule, field)
        elif not unit(believed, piece).is_placed:
            yield Refusal("It is not on the map.", rule, field)
        elif unit(believed, piece).side != believed.public.active:
            yield Refusal("It is the turn of the other side.", rule, field)
        elif has_ended(believed, unit(believed, piece).command):
            yield Refusal("Its command is done with this phase.", rule, field)


def repeated(pieces: Sequence[str], field: str, rule: str = RULE) -> Iterator[Refusal]:
    """A refusal where a piece is named twice or none is."""
    if not pieces:
        yield Refusal("Name at least one.", rule, field)
    elif len(set(pieces)) != len(pieces):
        yield Refusal("A piece is named twice.", rule, field)


def is_on_map(state: State, place: Place) -> bool:
    """Whether there is such a hex, and such a level of it (a bunker's inside is wherever a bunker is). `core 10.2`"""
    at, level = (place[0], place[1]), place[2]
    ground = ground_of(state)
    return ground.at(at) is not None and (level == -1 or level in ground.levels(at))


def off_map(state: State, places: Iterable[Place], field: str, rule: str = RULE) -> Iterator[Refusal]:
    """A refusal where a place lies off the map."""
    for place in places:
        if not is_on_map(state, place):
            yield Refusal(f"There is no place {list(place)} on the map.", rule, field)
            return


def command_of(state: State, piece: str) -> str | None:
    """The command that leads a piece which the state holds, or None."""
    try:
        return part_of(state, piece) if part_of(state, piece) != "public" else piece_of(state, piece).command
    except KeyError:
        return None
