"""What is an advance, and what leads away from the enemy; how much of a move a figure may use on its way.

The enemy is whoever its command has in sight on the table: everybody can measure that, and nobody needs to know more
than he sees. `fireforce motivation`
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from fireforce.book.rows import Manner
from fireforce.rules.hidden.blinds import until
from fireforce.rules.men.motivation import hostiles, is_in_cover
from fireforce.rules.movement.allowance import Allowance, measured
from fireforce.state.battle import Figure, Place, State
from fireforce.state.setting import PublicSetting, ground_of, tables_of
from fireforce.table.ranges import distance
from umpire.kernel.settings import half


def threats(state: State, command: str) -> tuple[Place, ...]:
    """Where the enemies stand that a command has in sight."""
    return tuple(man.at for man in hostiles(state, command))


def dangers(state: State, man: Figure, foes: Sequence[Place]) -> tuple[Place, ...]:
    """The places that it is an advance to come nearer to: all enemies in sight; where there are none, the enemy's part
    of the table. None where nobody can tell."""
    if foes:
        return tuple(foes)
    taken = front(state, man.side)
    return () if taken is None else (taken,)


def is_advance(state: State, man: Figure, path: Sequence[Place], foes: Sequence[Place]) -> bool:
    """Whether a way is an advance: anywhere on it the figure is nearer to one of the enemies in sight than where it
    stands (house). `fireforce motivation`"""
    whole = (man.at, *path)
    return any(_nearest_on(whole, danger) < distance(man.at, danger) for danger in dangers(state, man, foes))


def gap(state: State, man: Figure, at: Place, foes: Sequence[Place]) -> int:
    """How far a place is from the nearest of the enemies in sight, or from where they are taken to be."""
    return min((distance(at, danger) for danger in dangers(state, man, foes)), default=0)


def leads_away(state: State, man: Figure, path: Sequence[Place], foes: Sequence[Place]) -> bool:
    """Whether a way leads away from the enemy: it ends farther from whoever of them is nearest then, and on it the
    figure is never nearer to any than the nearest was (house). `fireforce motivation`"""
    if not path or not dangers(state, man, foes):
        return bool(path)
    here = gap(state, man, man.at, foes)
    whole = (man.at, *path)
    nearest = min((_nearest_on(whole, danger) for danger in dangers(state, man, foes)), default=0)
    return nearest >= here < gap(state, man, path[-1], foes)


def share(
    state: State, man: Figure, path: Sequence[Place], manner: Manner, allowed: Allowance, foes: Sequence[Place]
) -> Fraction:
    """How much of a move a figure may use on a way: less, or nothing, where motivation limits it and the way, as far as
    it would lead, is an advance. `fireforce motivation`"""
    if allowed.advance == "full":
        return allowed.full
    made = measured(state, (man.at, *path), manner, allowed.full)
    walked = until((man.at, *path), made.distance)
    if not is_advance(state, man, walked, foes):
        return allowed.full
    if allowed.advance == "half":
        return allowed.full / tables_of(state).number("half_move_divisor")
    if allowed.advance == "cover" and not why_not_to_cover(state, man, walked, "wavering_cover", foes):
        return allowed.full
    return Fraction(0)


def why_not_to_cover(state: State, man: Figure, path: Sequence[Place], reach: str, foes: Sequence[Place]) -> str:
    """Why a way is none into cover near by: "far", "open", or "" where it is one. `fireforce motivation`,
    `fireforce saving-throws`"""
    if sum(math.dist(a, b) for a, b in pairwise((man.at, *path))) > tables_of(state).distance(reach) + 0.5:
        return "far"
    return "" if is_in_cover(ground_of(state), path[-1], foes) else "open"


def _nearest_on(whole: Sequence[Place], danger: Place) -> int:
    """How near a way (with its start) comes to a place, in whole hundredths."""
    best = float(distance(whole[0], danger))
    for (ax, ay), (bx, by) in pairwise(whole):
        run = (bx - ax) ** 2 + (by - ay) ** 2
        along = min(max(((danger[0] - ax) * (bx - ax) + (danger[1] - ay) * (by - ay)) / run, 0.0), 1.0) if run else 0.0
        best = min(best, math.hypot(ax + along * (bx - ax) - danger[0], ay + along * (by - ay) - danger[1]))
    return round(best)


def front(state: State, side: str) -> Place | None:
    """Where a side takes the enemy to be before it has seen any: the middle of the places where open enemies begin the
    battle; where none do, the place across the table from its own beginning."""
    return _front(state.public.setting, side)


@lru_cache(maxsize=256)
def _front(digest: str, side: str) -> Place | None:
    setting: PublicSetting = half(digest)
    own = [unit.at for unit in setting.units.values() if setting.commands[unit.command].side == side]
    theirs = [unit.at for unit in setting.units.values() if setting.commands[unit.command].side != side]
    if theirs:
        return _middle(theirs)
    if not own:
        return None
    x, y = _middle(own)
    return (setting.table.width - x, setting.table.depth - y)


def _middle(places: Sequence[Place]) -> Place:
    return (sum(x for x, _ in places) // len(places), sum(y for _, y in places) // len(places))
