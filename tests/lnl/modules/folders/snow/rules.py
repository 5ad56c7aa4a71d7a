"""What the module changes."""

from __future__ import annotations

from lnl.rules.men.heroes import brings_heroes
from lnl.state.battle import State, Unit
from tests.lnl.modules.folders.snow import MODULE


@brings_heroes.change(MODULE, trait="frozen", rule="hid 13.1.2")
def never(rule: str, state: State, parent: Unit) -> bool:
    return False
