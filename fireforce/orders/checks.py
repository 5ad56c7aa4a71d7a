"""Refusals that chapters share: all from what the giver of an order can know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fireforce.orders.dispatch import Verb
from fireforce.state.battle import (
    PHASES,
    Believed,
    Place,
    State,
)
from fireforce.state.finding import (
    figure,
    has_ended,
    has_figure,
    side_of,
)
from fireforce.state.setting import setting_of
from umpire.kernel.pieces.finding import find
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal

RULE = "fireforce conventions"
"""What is wrong with an order whatever its chapter."""

PHASE_NAMES: Mapping[str, str] = {
    "upkeep": "Upkeep",
    "motivation_movement": "Motivation and Movement",
    "visibility": "Visibility",
    "searching": "Searching",
    "firing": "Firing",
    "close_combat": "Close Combat",
    "end": "End of the player turn",
}
assert tuple(PHASE_NAMES) == PHASES


def active_commands(state: State, seat: Seat) -> tuple[str, ...]:
    """The seat's commands whose side's player turn it is and who are not done with the phase."""
    public = state.public
    return tuple(name for name in seat.commands if side_of(state, name) == public.active and not has_ended(state, name))


def out_of_turn(believed: Believed, seat: Seat, verb: Verb) -> Iterator[Refusal]:
    """Why a verb may not be used now at all, whatever the order says."""
    public = believed.public
    rule = "fireforce turn-sequence"
    if public.result is not None:
        yield Refusal("The battle is over.", rule)
    elif not seat.commands:
        yield Refusal("You lead nobody in this battle.", rule)
    elif verb.phases:
        wanted = " or ".join(PHASE_NAMES[phase] for phase in verb.phases)
        if not any(side_of(believed, name) == public.active for name in seat.commands):
            side = setting_of(believed).sides.get(public.active)
            yield Refusal(f"It is the player turn of {side.name if side else 'nobody yet'}.", rule)
        elif public.phase not in verb.phases:
            yield Refusal(f"The phase is {PHASE_NAMES[public.phase]}; this belongs to {wanted}.", rule)
        elif not active_commands(believed, seat):
            yield Refusal("You are done with this phase.", rule)


def not_ours(believed: Believed, seat: Seat, pieces: Iterable[str], field: str, rule: str = RULE) -> Iterator[Refusal]:
    """Refusals for pieces that are not there for this seat, not its own, or done with the phase.

    A hidden piece of others and one that does not exist get the same words."""
    for piece in pieces:
        command = command_of(believed, piece)
        if command is None or command not in seat.commands:
            yield Refusal(f"There is no piece {piece!r} of yours.", rule, field)
        elif side_of(believed, command) == believed.public.active and has_ended(believed, command):
            yield Refusal("Its command is done with this phase.", "fireforce turn-sequence", field)


def not_fit(believed: Believed, men: Iterable[str], field: str, rule: str = RULE) -> Iterator[Refusal]:
    """Refusals for figures that are casualties or prisoners, and for what is no figure."""
    for man in men:
        if not has_figure(believed, man):
            yield Refusal(f"{man!r} is no figure.", rule, field)
        elif not figure(believed, man).is_fit:
            yield Refusal(f"{figure(believed, man).name or 'He'} is out of the battle.", rule, field)


def repeated(men: Sequence[str], field: str) -> Iterator[Refusal]:
    """A refusal where a piece is named twice or none is."""
    if not men:
        yield Refusal("Name at least one.", RULE, field)
    elif len(set(men)) != len(men):
        yield Refusal("A piece is named twice.", RULE, field)


def off_table(state: State, places: Iterable[Place], field: str) -> Iterator[Refusal]:
    """A refusal where a place lies off the table."""
    table = setting_of(state).table
    for x, y in places:
        if not (0 <= x <= table.width and 0 <= y <= table.depth):
            reach = f"x runs from 0 to {table.width}, y from 0 to {table.depth} hundredths of an inch"
            yield Refusal(f"({x}, {y}) lies off the table: {reach}.", RULE, field)
            return


def command_of(state: State, piece: str) -> str | None:
    """The command that leads a piece which the state holds, or None."""
    try:
        return find(state, piece).command
    except KeyError:
        return None
