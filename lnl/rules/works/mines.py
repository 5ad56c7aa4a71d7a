"""Mines: each marker attacks the enemies who move into its hex. `core 21.4`"""

from __future__ import annotations

from collections.abc import Sequence

from lnl.board.hexes import Hex
from lnl.happening.rulings import tell
from lnl.happening.seeing import Revealed
from lnl.rules.fire.damage_checks import check_damage
from lnl.rules.movement.opposed import opposed
from lnl.state.battle import State
from lnl.state.finding import is_open, present, work, works_at
from umpire.kernel.rulings import Ruling
from umpire.kernel.values.modifiers import Modifier

RULE = "core 21.4"


def entered(state: State, movers: Sequence[str], at: Hex) -> Ruling[State]:
    """Units have moved into a hex: every enemy mine marker there attacks them all at once, with its printed firepower
    and without a Target Modifier; one that nobody knew of is known now. `core 21.4`"""
    there = present(state, movers)
    if not there:
        return state
    side = there[0].side
    for mine in sorted(each.id for each in works_at(state, at, "mines") if each.side != side):
        targets = present(state, movers)
        if not targets:
            return state
        if not is_open(state, mine):
            state = yield from tell(Revealed(pieces=(mine,)))
        found = work(state, mine)
        adds = (Modifier(found.strength, "mines", RULE),)
        state, differences = yield from opposed(
            state, "mine", found.command, (*at, 0), adds, {each.id: () for each in targets}, rule=RULE
        )
        state = yield from check_damage(state, differences, by=found.command, cause="mine")
    return state
