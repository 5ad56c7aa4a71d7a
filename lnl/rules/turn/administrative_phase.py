"""The Administrative Phase: markers come off, smoke ages. It passes by itself. `core 9.0`"""

from __future__ import annotations

from lnl.happening.melee import MeleeOver
from lnl.happening.rulings import tell
from lnl.happening.turn import MarkersRemoved
from lnl.orders.dispatch import at
from lnl.state.battle import State
from lnl.state.finding import units_at
from umpire.kernel.rulings import Ruling
from umpire.kernel.values.maps import ordered

RULE = "core 9.0"
LAST_STAGE = 2
"""Smoke 1 becomes Smoke 2, which is removed. `core 7.0`"""


@at("administrative", "begins")
def tidy(state: State) -> Ruling[State]:
    """All markers of the turn come off, with star shells and Fire For Effect; each smoke marker ages once; a Melee
    marker goes where one side is alone. `core 9.0`, `core 8.1`, `core 18.2`, `core 20.1`"""
    aged = {key: stage + 1 for key, stage in state.public.smoke.items() if stage < LAST_STAGE}
    state = yield from tell(MarkersRemoved(smoke=ordered(aged)))
    for melee in state.public.melees.values():
        if len({each.side for each in units_at(state, melee.at)}) < 2:
            state = yield from tell(MeleeOver(at=melee.at))
    return state
