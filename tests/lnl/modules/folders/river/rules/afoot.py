"""Who is at home there."""

from __future__ import annotations

from lnl.rules.movement.movement import double_time_bonus
from lnl.state.battle import State, Unit
from tests.lnl.modules.folders.river import MODULE


@double_time_bonus.change(MODULE, trait="boatman", rule="hid 13.1.1")
def one(rule: str, state: State, each: Unit) -> int:
    """Men of the river gain one point only."""
    return 1
