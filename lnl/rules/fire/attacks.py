"""An attack on the Direct Fire Table, as it is declared: who fires what, from where, at whom. `core 5.0`"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from lnl.board.hexes import Place


class Attack(Struct, frozen=True, kw_only=True):
    """Units of one place fire together at a place; all by true id (in a belief by what they are called there).

    `weapons`: the support weapons that fire. `holding`: units whose inherent firepower stays out. `leader`: who aids,
    "" for nobody. `targets`: whom it hits. `sheltered`: movers who go from trench to trench. `how`: "sniper" and
    "indirect" throw other dice. `core 5.2`, `core 5.3`, `core 21.6`
    """

    command: str
    place: Place
    units: tuple[str, ...]
    weapons: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    leader: str = ""
    target: Place
    targets: tuple[str, ...] = ()
    sheltered: tuple[str, ...] = ()
    how: Literal["direct", "opportunity", "indirect", "sniper"] = "direct"
