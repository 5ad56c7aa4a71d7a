"""Leaders: what their leadership is, and that one of a place uses it at a time. `core 11.1`"""

from __future__ import annotations

from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, is_leader, units_at
from lnl.state.setting import tables_of

RULE = "core 11.1"
LED = "led"
"""Among a unit's attempts: it has used its leadership to rally somebody in this Rally Phase."""
OUTLIVED = "outlived"
"""Among a unit's attempts: one who led in its place in this Rally Phase is dead."""


def leadership(state: State, each: Unit) -> int:
    """The leadership modifier that a man has now: one less when he is wounded, none when he is Shaken. `core 5.1`"""
    if each.is_shaken:
        return 0
    value = counter_of(state, each).leadership
    if each.is_wounded:
        value += tables_of(state).number("wounded_leadership")
    return max(0, value)


def lent(state: State, each: Unit) -> int:
    """The leadership modifier that a man has for others beside fire and rallying: none under an Ops Complete marker,
    which takes all of it. `core 4.1` (L71)"""
    return 0 if each.ops_complete else leadership(state, each)


def leadership_range(state: State, each: Unit) -> int:
    """Within how many hexes a leader activates others. `core 11.1`, `core 5.1`, `core 4.0`"""
    if each.is_shaken or not is_leader(state, each):
        return 0
    printed = counter_of(state, each).leadership_range
    value = tables_of(state).number("activation_range") if printed is None else printed
    if each.is_wounded:
        value += tables_of(state).number("wounded_leadership")
    return max(0, value)


def good_order_leaders(state: State, each: Unit) -> tuple[Unit, ...]:
    """The Good Order leaders of its side in a unit's place, itself left out."""
    there = units_at(state, each.at, each.side)
    return tuple(other for other in there if other.id != each.id and other.is_good_order and is_leader(state, other))


def another_has_led(state: State, leader: Unit) -> bool:
    """Whether another one in his place has used his leadership in this Rally Phase, be he dead since. `core 11.1`"""
    return OUTLIVED in leader.attempts or any(
        LED in other.attempts for other in units_at(state, leader.at, leader.side) if other.id != leader.id
    )
