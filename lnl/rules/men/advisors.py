"""Advisors: those whom they advise stand firmer beside them. `core 11.6`"""

from __future__ import annotations

from collections.abc import Iterable

from lnl.rules.men.morale import morale
from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, has_kind, traits_of, units_at
from lnl.state.setting import tables_of
from umpire.kernel.values.modifiers import Modifier

RULE = "core 11.6"
ADVISED = "advised"
"""The trait of troops whom advisors of their side help."""


@morale.printed
def advised(rule: str, state: State, each: Unit) -> Iterable[Modifier]:
    """One more for those advised, while a Good Order advisor stands with them; a second one adds nothing. `core 11.6`,
    `core 5.1`"""
    if not each.is_placed or ADVISED not in traits_of(state, each):
        return
    for other in units_at(state, each.at, each.side):
        if other.is_good_order and has_kind(state, other, "advisor"):
            yield Modifier(tables_of(state).number("advisor_morale"), f"with {counter_of(state, other).name}", RULE)
            return
