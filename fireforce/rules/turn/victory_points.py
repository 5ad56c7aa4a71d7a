"""Victory points: what each side scores, when, and for what.

Losses and destroyed caches score when they happen, for everybody to see; captured caches, casualties left behind and
what the scenario asks for are counted when the battle is over. The highest score wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import shapely

from fireforce.happening.rulings import tell
from fireforce.happening.turn import PointsScored
from fireforce.orders.dispatch import scores
from fireforce.rules.fire.fire_points import is_hidden, side_kind
from fireforce.rules.works.stores import can_be_carried, carried_off, is_held, was_dropped
from fireforce.state.battle import (
    Card,
    Figure,
    Score,
    State,
)
from fireforce.state.finding import (
    cards,
    figures,
)
from fireforce.state.setting import Objective, secrets_of, setting_of, tables_of
from fireforce.table.ranges import base_to_base
from umpire.kernel.rulings import Ruling

RULE = "fireforce victory-points"
OBJECTIVES = "fireforce victory-points"


def scores_for(state: State, side: str, enemy: str, deed: str, times: int = 1) -> tuple[Score, ...]:
    """What a side scores for a deed against another; nothing where the table has no line for it.
    `fireforce victory-points`"""
    if not times:
        return ()
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


# As soon as it is done


def score(state: State, side: str, enemy: str, deed: str, *, known: bool = True) -> Ruling[State]:
    """Points for a deed, as soon as it is done. `fireforce victory-points`"""
    for each in scores_for(state, side, enemy, deed):
        state = yield from tell(PointsScored(score=each, known=known))
    return state


def score_killed(state: State, man: Figure, by: str) -> Ruling[State]:
    """Points for a man killed by a side: regulars count against those who kill their own, and peasants whom regulars
    kill for the indigenous side; an accident is nobody's deed. `fireforce victory-points`"""
    known = not is_hidden(state, man)
    if not by or by not in setting_of(state).sides:
        return state
    if man.is_civilian:
        if side_kind(state, by) == "regular":
            for side in _peoples(state, man):
                state = yield from score(state, side, by, "peasant_killed", known=known)
        return state
    if by == man.side:
        return (yield from score(state, man.side, man.side, "friendly_fire", known=known))
    return (yield from score(state, by, man.side, f"{side_kind(state, man.side)}_killed", known=known))


def _peoples(state: State, man: Figure) -> tuple[str, ...]:
    """The sides for whom a peasant's death counts: his own if it is indigenous, else all that are."""
    if side_kind(state, man.side) == "indigenous":
        return (man.side,)
    return tuple(side for side in setting_of(state).sides if side_kind(state, side) == "indigenous")


def score_captured(state: State, man: Figure, by: str) -> Ruling[State]:
    """Points for a man taken prisoner by a command. `fireforce victory-points`"""
    commands = setting_of(state).commands
    if by not in commands or man.is_civilian or commands[by].side == man.side:
        return state
    return (yield from score(state, commands[by].side, man.side, f"{side_kind(state, man.side)}_captured"))


# When the battle is over


@scores
def captured_caches(state: State) -> Iterable[Score]:
    """Caches that a side has searched and of which it holds at the end what can be carried, or has carried it off. Each
    cache counts once: one that is destroyed is not there any more, what was taken from it and put down again is no
    other cache, and rice that nobody carries is destroyed or left. `fireforce victory-points`"""
    for side in setting_of(state).sides:
        gone = carried_off(state, side)
        for enemy in _others(state, side):
            found = [each for each in cards(state) if each.kind == "cache" and _side(state, each.command) == enemy]
            caches = [each for each in found if _searched(state, each, side) and not was_dropped(state, each)]
            taken = sum(
                is_held(state, each, side) if can_be_carried(each.stores) else each.id in gone for each in caches
            )
            yield from scores_for(state, side, enemy, "cache_captured", taken)


@scores
def abandoned_casualties(state: State) -> Iterable[Score]:
    """Casualties with whom none of their own is at the end. `fireforce victory-points`"""
    for side in setting_of(state).sides:
        for enemy in _others(state, side)[:1]:
            left = [man for man in figures(state) if man.side == side and is_abandoned(state, man)]
            yield from scores_for(state, side, enemy, "casualty_abandoned", len(left))


def is_abandoned(state: State, man: Figure) -> bool:
    """Whether a casualty is left behind: no fit man of his side is within a tactical move of him."""
    if man.status != "casualty" or man.is_civilian:
        return False
    reach = tables_of(state).move_rate("tactical", "good")
    return not any(base_to_base(man.at, other.at, man.radius, other.radius) <= reach for other in _fit(state, man.side))


@scores
def objectives(state: State) -> Iterable[Score]:
    """What the scenario itself asks for, openly and of the umpire's knowledge. `fireforce victory-points`"""
    setting = setting_of(state)
    for each in (*setting.objectives.values(), *secrets_of(state).objectives.values()):
        times = _times(state, each)
        if times:
            yield Score(
                side=each.side, deed=each.key, points=each.points, times=times, reason=each.name, rule=OBJECTIVES
            )


def _times(state: State, each: Objective) -> int:
    """How often an objective is met; one that is the umpire's to award never is by itself."""
    if each.deed == "umpire":
        return 0
    zone = setting_of(state).zones[each.zone]
    area = shapely.Polygon(zone.polygon)
    inside = [man for man in figures(state) if man.is_fit and not man.is_civilian and _is_in(area, man)]
    mine = [man for man in inside if man.side == each.side]
    if each.deed == "figures_in_zone":
        return len(mine)
    return 1 if mine and len(mine) == len(inside) else 0


def _is_in(area: shapely.Polygon, man: Figure) -> bool:
    return bool(area.covers(shapely.Point(man.at)))


def _fit(state: State, side: str) -> Iterator[Figure]:
    return (man for man in figures(state) if man.side == side and man.is_fit and not man.is_civilian)


def _side(state: State, command: str) -> str:
    return setting_of(state).commands[command].side


def _others(state: State, side: str) -> list[str]:
    return [other for other in setting_of(state).sides if other != side]


def _searched(state: State, cache: Card, side: str) -> bool:
    return cache.is_face_up and any(_side(state, command) == side for command in cache.searched_by)
