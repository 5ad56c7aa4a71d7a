"""Whose a piece is and whom it serves: the one place where this is asked (L170).

* *Ours* are the units of one side, whichever of its commands they belong to. The book speaks of friendly units, of the
  units of a hex, of a player: whatever helps, hinders, is counted or hit asks this.
* *Mine* are those of the commands that a seat leads. Who does something because of an order (moves, fires, aids fire,
  calls it, tends, activates, gives and takes) is one of them; whom something is done to need only be ours.
* *Of one force* are those of one nation and troop, as the background of their counters shows, with the troops that a
  counter leads beside its own. Leaders aid the fire and the spotting of their force, and rally no other.
* *Of one nation* are all troops of it: allies of another one act in other impulses.

What of one's side a seat need not know (in a blind battle commands of a side do not see each other) is not named in its
orders, nor does it change what they are refused for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lnl.board.hexes import Place
from lnl.state.battle import Impulse, State, Unit
from lnl.state.finding import commands_of, counter_of, impulse_of, perceives, side_of, traits_of, units_at
from lnl.state.setting import setting_of
from umpire.kernel.book.points import One
from umpire.kernel.states import Seat

of_one_force: One[[State, Unit, Unit], bool] = One("one force", rule="core 5.01")
"""Whether a unit is of the force of one who leads: unit, then leader. Leaders of the French lead the Corps Franc too,
`hid 13.1.2`."""


@of_one_force.printed
def _by_background(rule: str, state: State, each: Unit, leader: Unit) -> bool:
    """One nation, and the same background or one that his counter leads too; a counter that prints none goes with all
    of its nation. `core 3.0`, `core 5.01`, `core 11.9`"""
    its, his = counter_of(state, each), counter_of(state, leader)
    return its.nation == his.nation and (not its.troop or not his.troop or its.troop in (his.troop, *his.leads))


def is_of_his_force(state: State, leader: Unit, each: Unit) -> bool:
    """Whether a unit is of the force of one who leads. `core 3.0`, `core 5.01`, `core 11.11`"""
    return of_one_force(setting_of(state).active, traits_of(state, each), state, each, leader)


def nation_of(state: State, each: Unit) -> str:
    """The nation of a unit. `core 13.0`"""
    return counter_of(state, each).nation


def is_mine(seat: Seat, each: Unit) -> bool:
    """Whether a unit is one that a seat may order."""
    return each.command in seat.commands


def mine_at(state: State, commands: Sequence[str], place: Place) -> tuple[Unit, ...]:
    """The units in a place of the commands of one seat, by id."""
    return tuple(each for each in units_at(state, place) if each.command in commands)


def is_known(state: State, commands: Iterable[str], each: Unit) -> bool:
    """Whether the commands of a seat have a unit of their side before their eyes: it is one of theirs, open, or a
    contact in sight. The same in truth and in belief."""
    return any(each.command == name or perceives(state, name, each.id) for name in commands)


def allied(state: State, command: str) -> tuple[str, ...]:
    """The commands of the side of one, itself among them; of a contact in a belief none is known."""
    return commands_of(state, side_of(state, command)) if command in setting_of(state).commands else ()


def impulse_of_side(state: State, command: str) -> Impulse | None:
    """The impulse of a command's side, whichever of its commands has begun it; in a belief as far as it is known there.
    `core 4.0`"""
    return impulse_of(state, allied(state, command) or (command,))
