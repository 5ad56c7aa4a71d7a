"""Nurses: they rally up to two units of their nation, or heal one. `core 11.10`"""

from __future__ import annotations

from lnl.rules.men.leaders import LED
from lnl.state.battle import State, Unit
from lnl.state.belonging import nation_of
from lnl.state.finding import has_kind
from lnl.state.setting import tables_of

RULE = "core 11.10"
HEALED = "heal"
"""Among a unit's attempts: it has tended somebody in this Rally Phase, well or in vain."""


def rallies(state: State, nurse: Unit, each: Unit) -> bool:
    """Whether a nurse may rally a unit: any of her nation, up to two in a phase, and not if she has tended somebody.
    `core 11.10`"""
    return (
        has_kind(state, nurse, "nurse")
        and nurse.is_good_order
        and nation_of(state, nurse) == nation_of(state, each)
        and HEALED not in nurse.attempts
        and nurse.attempts.count(LED) < tables_of(state).number("nurse_rallies")
    )


def may_treat(state: State, medic: Unit, each: Unit) -> bool:
    """Whether somebody who tends others tends this one: a medic all of his side, a nurse those of her nation.
    `core 11.10`"""
    return not has_kind(state, medic, "nurse") or nation_of(state, medic) == nation_of(state, each)


def may_heal(state: State, nurse: Unit) -> bool:
    """Whether a nurse has rallied nobody in this phase, so that she may tend somebody. `core 11.10`"""
    return LED not in nurse.attempts
