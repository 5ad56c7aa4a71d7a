"""Reinforcements: in the turn in which they arrive they stand at their entry when the Operations Phase begins, and act
like all others from then on.

Their player may choose among the places of their entry zone in the Rally Phase before (house, L52).
"""

from __future__ import annotations

from lnl.board.hexes import Place
from lnl.happening.movement import Arrived
from lnl.happening.rulings import tell
from lnl.happening.weapons import WeaponFlipped
from lnl.orders.dispatch import at as at_moment
from lnl.rules.men.heroes import waits_for_a_hero
from lnl.rules.movement.stacking import room_for
from lnl.rules.turn.set_up import is_due, places_of_zone
from lnl.rules.works.support_weapons import can_be_flipped
from lnl.state.battle import State, Unit
from lnl.state.finding import enemies_at, unit, units, weapons_of
from umpire.kernel.rulings import Ruling


def entries(state: State, each: Unit) -> tuple[Place, ...]:
    """Where a unit may come in: the place that was chosen first, then the others of its zone."""
    return (each.at, *(at for at in places_of_zone(state, each) if at != each.at))


@at_moment("operations", "begins", order=-5)
def arrive(state: State) -> Ruling[State]:
    """Whoever is due comes in where there is room and no enemy stands; else he waits for the next turn. So does a hero
    while his nation has its two on the board. `core 11.2`"""
    for piece in [each.id for each in units(state) if is_due(state, each)]:
        each = unit(state, piece)
        if waits_for_a_hero(state, each):
            continue
        for at in entries(state, each):
            if not enemies_at(state, at, each.side) and not room_for(state, at, each.side, (piece,)):
                state = yield from come_in(state, piece, at)
                break
    return state


def come_in(state: State, piece: str, at: Place) -> Ruling[State]:
    """A unit comes onto the board; its weapons that stand on a tripod are carried in. `core 1.6.1.01`"""
    each = unit(state, piece)
    state = yield from tell(Arrived(unit=piece, at=at, facing=each.facing))
    for gun in weapons_of(state, each):
        if gun.is_set_up and can_be_flipped(state, gun):
            state = yield from tell(WeaponFlipped(weapon=gun.id, is_set_up=False))
    return state
