"""Losses: what follows when a figure is a casualty or a prisoner, whatever the cause.

Every chapter that takes figures out of the battle goes through here: the squad's casualties are counted, what he
carried lies where he fell, and the points are scored.
"""

from __future__ import annotations

from fireforce.happening.men import BecameCasualty, Captured, Loss
from fireforce.happening.rulings import tell
from fireforce.rules.turn.victory_points import score_captured, score_killed
from fireforce.rules.works.stores import drop
from fireforce.state.battle import (
    State,
)
from fireforce.state.finding import (
    figure,
    squad,
)
from umpire.kernel.rulings import Ruling


def casualty(state: State, piece: str, by: str = "", cause: str = "fire") -> Ruling[State]:
    """A figure is out of the battle. `by` is the side that did it, "" for an accident. `fireforce saving-throws`,
    `fireforce victory-points`"""
    state = yield from drop(state, piece)
    man = figure(state, piece)
    state = yield from tell(BecameCasualty(figure=piece, loss=_loss(state, piece), by=by, cause=cause))
    return (yield from score_killed(state, man, by))


def captured(state: State, piece: str, by: str) -> Ruling[State]:
    """A figure is taken prisoner by a command. `fireforce close-combat`, `fireforce victory-points`"""
    state = yield from drop(state, piece)
    man = figure(state, piece)
    state = yield from tell(Captured(figure=piece, by=by, loss=_loss(state, piece)))
    return (yield from score_captured(state, man, by))


def _loss(state: State, piece: str) -> Loss | None:
    """The casualties of his squad with this one; an enemy's squad nobody can tell in a belief."""
    unit = figure(state, piece).squad
    return Loss(squad=unit, casualties=squad(state, unit).casualties + 1) if unit else None
