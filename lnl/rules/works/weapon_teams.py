"""Weapon teams in fire: what they can bear on. `core 1.6.3`

Those with a red arrow fire in one direction only; recoilless rifles not out of buildings. Whoever is inside a bunker
fires through its front. `core 21.1`
"""

from __future__ import annotations

from lnl.board.ground import BUNKER
from lnl.board.hexes import Place, arc
from lnl.rules.fire.target_modifiers import sides_crossed
from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, terrain_at, works_at


def out_of_arc(state: State, each: Unit, target: Place) -> str:
    """Why a unit cannot bear on a place from where it is, "" if it can. `core 1.6.3`, `core 21.1`"""
    row = counter_of(state, each)
    at, to = (each.at[0], each.at[1]), (target[0], target[1])
    if row.recoilless and each.at[2] != BUNKER and terrain_at(state, each.at).is_building:
        return "does not fire out of a building."
    if row.facing and each.facing and at != to and not arc(at, each.facing)(to):
        return "does not face that way."
    if each.at[2] == BUNKER and at != to:
        fronts = [work.facing for work in works_at(state, each.at, "bunker") if work.facing]
        if fronts and not any(set(sides_crossed(to, at)) & set(front_sides(front)) for front in fronts):
            return "fires out of the front of the bunker only."
    return ""


def front_sides(facing: int) -> tuple[int, int, int]:
    """The three sides of a bunker's front: that which its arrow points to, and the two beside it. `core 21.1`"""
    return (facing - 2) % 6 + 1, facing, facing % 6 + 1
