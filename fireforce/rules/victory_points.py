"""Victory points: what each side scores, when, and for what.

Losses and destroyed caches score when they happen, for everybody to see; captured caches, casualties left behind and
what the scenario asks for are counted when the battle is over. The highest score wins.
"""

from __future__ import annotations

from fireforce.events import PointsScored
from fireforce.rules.fire_points import is_hidden, side_kind
from fireforce.rulings import tell
from fireforce.setting import setting_of, tables_of
from fireforce.state import Figure, Score, State
from umpire.kernel.rulings import Ruling

RULE = "fireforce victory-points"


def scores_for(state: State, side: str, enemy: str, deed: str, times: int = 1) -> tuple[Score, ...]:
    """What a side scores for a deed against another; nothing where the table has no line for it.
    `fireforce victory-points`"""
    rows = tables_of(state).victory_points(side_kind(state, side), side_kind(state, enemy), {deed: times})
    return tuple(
        Score(
            side=side,
            deed=deed,
            points=row.value // times,
            times=times,
            reason=row.reason.partition(" ")[2],
            rule=row.rule,
            status=row.status,
        )
        for row in rows
    )


def score(state: State, side: str, enemy: str, deed: str, *, known: bool = True) -> Ruling[State]:
    """Points for a deed, as soon as it is done. `fireforce victory-points`"""
    for each in scores_for(state, side, enemy, deed):
        state = yield from tell(PointsScored(score=each, known=known))
    return state


def score_killed(state: State, man: Figure, by: str) -> Ruling[State]:
    """Points for a man killed by a side: regulars count against those who kill their own, and peasants whom regulars
    kill for the other side; an accident is nobody's deed. `fireforce victory-points`"""
    known = not is_hidden(state, man)
    if not by or by not in setting_of(state).sides:
        return state
    if man.is_civilian:
        if side_kind(state, by) == "regular" and by != man.side:
            state = yield from score(state, man.side, by, "peasant_killed", known=known)
        return state
    if by == man.side:
        return (yield from score(state, man.side, man.side, "friendly_fire", known=known))
    return (yield from score(state, by, man.side, f"{side_kind(state, man.side)}_killed", known=known))


def score_captured(state: State, man: Figure, by: str) -> Ruling[State]:
    """Points for a man taken prisoner by a command. `fireforce victory-points`"""
    side = setting_of(state).commands[by].side
    if man.is_civilian or side == man.side:
        return state
    return (yield from score(state, side, man.side, f"{side_kind(state, man.side)}_captured"))
