"""Who could leave the board from where he stands."""

from __future__ import annotations

from lnl.rules.movement.movement import allowance
from lnl.state.battle import Impulse, State, Unit
from lnl.state.finding import melee_at
from lnl.state.setting import setting_of


def exit_zone(state: State, each: Unit) -> str:
    """The zone by which a unit's side leaves the board and in which it stands, "" for none."""
    setting = setting_of(state)
    here = (each.at[0], each.at[1])
    zones = (aim.zone for aim in setting.objectives.values() if aim.deed == "exit" and aim.side == each.side)
    return next((zone for zone in zones if zone and here in setting.zones[zone].hexes), "")


def has_come(state: State, each: Unit, impulse: Impulse | None) -> bool:
    """Whether a unit has moved to where it stands in this impulse, in Good Order and with a point left (L16)."""
    return (
        impulse is not None
        and each.id in impulse.acted
        and each.moved == "move"
        and each.is_good_order
        and not each.fired
        and melee_at(state, each.at) is None
        and each.spent < allowance(state, each)[0]
    )
