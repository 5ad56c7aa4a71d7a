"""Chaplains: leadership for rallying and nothing else. `core 11.5`"""

from __future__ import annotations

from lnl.state.battle import State, Unit
from lnl.state.belonging import is_of_his_force
from lnl.state.finding import has_kind

RULE = "core 11.5"


def rallies(state: State, chaplain: Unit, each: Unit) -> bool:
    """Whether a chaplain may rally a unit: as a leader would, in Good Order and one of his own. `core 11.5`"""
    return has_kind(state, chaplain, "chaplain") and chaplain.is_good_order and is_of_his_force(state, chaplain, each)
