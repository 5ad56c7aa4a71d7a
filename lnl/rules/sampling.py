"""Random orders from forms, for play at random."""

from __future__ import annotations

from random import Random
from typing import Any

from lnl.board.hexes import Hex
from lnl.rules.turn.victory import objectives
from lnl.state.battle import State
from lnl.state.finding import perceived_enemies, side_of
from lnl.state.setting import setting_of
from umpire.kernel import forms
from umpire.kernel.forms import Form

AIMED = 0.6
"""The share of marches that lead somewhere; the others go where they will."""


def sample(form: Form, random: Random) -> dict[str, Any]:
    """Values for all slots of a form: a hex game's slots list what will do."""
    return forms.order_of(form, {slot.name: forms.sample(slot, random) for slot in form.slots})


def goal(state: State, command: str, random: Random) -> Hex | None:
    """Where a random march of a command leads, so that battles come to blows: to an enemy whom it has before its eyes,
    or to what scores for its side. None for a march that leads anywhere."""
    if random.random() >= AIMED:
        return None
    foes = {each.at[:2] for each in perceived_enemies(state, command)}
    side = side_of(state, command)
    zones = {each.zone for each in objectives(state) if each.side == side and each.zone}
    scoring = {at for zone in zones for at in setting_of(state).zones[zone].hexes}
    kinds = [sorted(kind) for kind in (foes, scoring) if kind]
    return random.choice(random.choice(kinds)) if kinds else None
