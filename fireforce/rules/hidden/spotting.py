"""Who sees hidden troops, where they stand and on their way: distances, lines of sight, exact stretches of a path.

The house list (G3) stands for the printed one, which is lost. Everything here is asked of the truth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

import shapely

from fireforce.book.kinds import Save
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    card_over,
    counter_over,
    enemies_of,
)
from fireforce.state.setting import ground_of, kind_of_side, setting_of, tables_of
from fireforce.table.ground import Ground, Memory
from fireforce.table.ranges import base_to_base, distance
from fireforce.table.region import Stretch, glimpsed, visible_stretches
from fireforce.table.sight import Eye, see_each_other

RULE = "fireforce visibility"
Limit = int | Literal["sight"] | None

GLIMPSE_GAP = 100
"""Stretches in sight with less than this between them are one sighting (house)."""


# Who is hidden, and who looks


def is_hidden(state: State, man: Figure) -> bool:
    """Whether a fit figure is where enemies do not see it: of a hidden command, not placed, under no card that lies on
    the table (which is found out otherwise) and no counter."""
    return (
        man.is_fit
        and not man.is_placed
        and man.id not in state.public.pieces
        and counter_over(state, man.id) is None
        and (not man.squad or card_over(state, man.squad) is None)
    )


def may_be_off_table(state: State, man: Figure) -> bool:
    """Whether a figure may be elsewhere than on the table: indigenous troops, and others in prepared positions.
    `fireforce visibility`"""
    return man.is_prepared or kind_of_side(state, man.side) == "indigenous"


def observers(state: State, command: str, *, unpinned: bool = False) -> tuple[Figure, ...]:
    """The fit enemies of a command that can look: no civilians, and with `unpinned` nobody who keeps his head down."""
    return tuple(man for man in enemies_of(state, command) if not man.is_civilian and not (unpinned and man.is_pinned))


def is_moving(state: State, man: Figure) -> bool:
    """Whether a figure has moved in this player turn, which is its own side's."""
    return bool(man.moved) and man.side == state.public.active


def spotting_limit(state: State, man: Figure, place: Save, *, moving: bool) -> Limit:
    """How near an enemy finds a hidden figure that is on such ground. `fireforce visibility`"""
    target = f"{kind_of_side(state, man.side)}_{'moving' if moving else 'stationary'}"
    where: Save | Literal["prepared"] = "prepared" if man.is_prepared and not moving else place
    mode = setting_of(state).options.hidden
    found = tables_of(state).spotting(target, where, mode, state.public.hour)
    if found is None and moving and place == "open":
        return "sight"  # moving in the open in sight of an enemy is a reason of its own, with cards too
    return found


_SEEN = Memory(50_000)
"""Whether two bases see each other, by ground and both."""
_ASKED = (1, 4, 8)
"""How many are asked for a line of sight together, round after round, before all others are."""
_FIRST = (3, 9)
"""The same where the first is looked for: mostly he is among the nearest."""


def is_in_sight_of(state: State, man: Figure, others: Sequence[Figure]) -> bool:
    """Whether any of these figures has a line of sight to him."""
    return bool(in_sight_of(state, [man], others))


def in_sight_of(state: State, men: Sequence[Figure], others: Sequence[Figure]) -> frozenset[str]:
    """Those of some men to whom any of these figures has a line of sight."""
    found: set[str] = set()
    rest = {man.id: sorted(others, key=lambda each: (distance(man.at, each.at), each.id)) for man in men}
    for many in (*_ASKED, len(others)):
        left = [man for man in men if man.id not in found]
        pairs = [(man, other) for man in left for other in _spread(rest[man.id], many)]
        if not pairs:
            break
        verdicts = _see_each_other(ground_of(state), pairs)
        found.update(man.id for (man, _), sees in zip(pairs, verdicts, strict=True) if sees)
    return frozenset(found)


def first_in_sight_of(state: State, men: Sequence[Figure], others: Sequence[Figure]) -> Figure | None:
    """The first of some men to whom any of these figures has a line of sight; few of the others are asked for."""
    ground, start = ground_of(state), 0
    for many in (*_FIRST, len(men)):
        pairs = [(man, other) for man in men[start : start + many] for other in others]
        if not pairs:
            break
        verdicts = _see_each_other(ground, pairs)
        if any(verdicts):
            return pairs[verdicts.index(True)][0]
        start += many
    return None


def _spread(others: list[Figure], many: int) -> list[Figure]:
    """Takes about so many out of these: the first, and others at even distances. Whom a wood hides from those near him
    is mostly seen by one of those farther away."""
    step = -(-len(others) // many) if others else 1
    asked = others[::step]
    del others[::step]
    return asked


def _see_each_other(ground: Ground, pairs: Sequence[tuple[Figure, Figure]]) -> list[bool]:
    """Whether the two of each pair have a line of sight; remembered."""
    eyes = [(Eye(man.at, man.radius), Eye(other.at, other.radius)) for man, other in pairs]
    keys = [(ground, one.point, one.radius, other.point, other.radius) for one, other in eyes]
    return _SEEN.together(keys, lambda new: see_each_other(ground, [eyes[index] for index in new]))


# Standing where one is


def finder_of(state: State, man: Figure, moving: bool | None = None) -> Figure | None:
    """The enemy that finds a hidden figure where it stands: within the spotting distance and with a line of sight, the
    nearest first; only unpinned ones but for a figure that moves in the open. `fireforce visibility`"""
    return finders_of(state, [man], moving).get(man.id)


def finders_of(state: State, men: Iterable[Figure], moving: bool | None = None) -> dict[str, Figure]:
    """`finder_of` of several figures, by their ids; of those that nobody finds nothing."""
    enemies: dict[str, tuple[Figure, ...]] = {}
    pairs: list[tuple[Figure, Figure]] = []
    for man in men:
        if man.command not in enemies:
            enemies[man.command] = observers(state, man.command)
        pairs.extend((man, each) for each in _near_enough(state, man, moving, enemies[man.command]))
    found: dict[str, Figure] = {}
    for (man, each), sees in zip(pairs, _see_each_other(ground_of(state), pairs), strict=True):
        if sees:
            found.setdefault(man.id, each)
    return found


def _near_enough(state: State, man: Figure, moving: bool | None, lookers: Sequence[Figure]) -> list[Figure]:
    """The enemies that find a hidden figure where it stands if they have a line of sight, the nearest first."""
    moves = is_moving(state, man) if moving is None else moving
    place = ground_of(state).save_at(man.at, man.radius)
    limit = spotting_limit(state, man, place, moving=moves)
    if limit is None:
        return []
    near = [
        (distance(man.at, each.at), each.id, each)
        for each in lookers
        if limit == "sight" or (not each.is_pinned and base_to_base(man.at, each.at, man.radius, each.radius) <= limit)
    ]
    return [each for _, _, each in sorted(near)]


# On the way


def open_stretches(ground: Ground, path: Sequence[Place], length: int) -> dict[Save, tuple[Stretch, ...]]:
    """The stretches of a path by the kind of ground that its middle line crosses: the best cover counts."""
    covered: dict[Save, list[tuple[float, float]]] = {"soft": [], "jungle": []}
    start = 0.0
    for a, b in pairwise(path):
        run = math.dist(a, b)
        if run:
            line = shapely.LineString([a, b])
            for index in ground.area_tree.query(line, predicate="intersects"):
                save = ground.areas[index].kind.save
                if save == "open":
                    continue
                for part in shapely.get_parts(shapely.intersection(line, ground.shapes[index])):
                    if part.geom_type == "LineString":
                        ends = sorted((math.dist(a, part.coords[0]), math.dist(a, part.coords[-1])))
                        covered[save].append((start + ends[0], start + ends[1]))
        start += run
    jungle = _joined(covered["jungle"], length)
    soft = _without(_joined(covered["soft"], length), jungle)
    opened = _without(_without(((0, length),), jungle), soft)
    return {"open": opened, "soft": soft, "jungle": jungle}


def seen_on_the_way(
    state: State, man: Figure, path: Sequence[Place], length: int, lookers: Sequence[Figure] | None = None
) -> tuple[Stretch, ...]:
    """The stretches of its move on which enemies see a hidden figure: exactly, from middle to middle.
    `fireforce visibility`

    `path` begins where it stands; `length` is how much of it is walked; `lookers` are those who may see it, all enemies
    that can look if they are not named.
    """
    if lookers is None:
        lookers = observers(state, man.command)
    if not lookers or length <= 0:
        return ()
    ground = ground_of(state)
    found: list[tuple[float, float]] = []
    for save, stretches in open_stretches(ground, path, length).items():
        if not stretches:
            continue
        limit = spotting_limit(state, man, save, moving=True)
        if limit is None:
            continue
        if limit == "sight":
            found.extend(_any_sees(ground, path, lookers, stretches))
            continue
        for each in lookers:
            if each.is_pinned:
                continue
            near = _within(path, each.at, limit + man.radius + each.radius)
            common = _common(stretches, near)
            if common:
                found.extend(_common(common, visible_stretches(ground, path, [each.at])[0]))
    merged: list[Stretch] = []
    for begin, end in _joined(found, length):
        if merged and begin - merged[-1][1] < GLIMPSE_GAP:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((begin, end))
    return tuple(merged)


def in_sight_on_the_way(
    state: State, path: Sequence[Place], length: int, lookers: Sequence[Figure]
) -> tuple[Stretch, ...]:
    """The stretches of a path on which any of these figures has a line of sight to who walks it, in cover or not."""
    if not lookers or length <= 0:
        return ()
    return _any_sees(ground_of(state), path, lookers, ((0, length),))


def to_be_found(state: State, command: str) -> tuple[tuple[Figure, int | Literal["sight"]], ...]:
    """The hidden enemies of a command that a man of its could find, with the distance at which he would."""
    ground = ground_of(state)
    found: list[tuple[Figure, int | Literal["sight"]]] = []
    for other in enemies_of(state, command):
        if is_hidden(state, other):
            place = ground.save_at(other.at, other.radius)
            limit = spotting_limit(state, other, place, moving=is_moving(state, other))
            if limit is not None:
                found.append((other, limit))
    return tuple(found)


def found_on_the_way(
    state: State,
    man: Figure,
    path: Sequence[Place],
    length: int,
    hidden: Sequence[tuple[Figure, int | Literal["sight"]]],
) -> Iterator[tuple[int, str]]:
    """Of the hidden enemies those that an unpinned figure finds on its way, each with the distance walked.
    `fireforce visibility`"""
    if man.is_pinned or man.is_civilian or length <= 0:
        return
    ground = ground_of(state)
    for other, limit in hidden:
        near: Sequence[Stretch] = ((0, length),)
        if limit != "sight":
            near = _common(near, _within(path, other.at, limit + man.radius + other.radius))
        if not near:
            continue
        common = _common(near, visible_stretches(ground, path, [other.at])[0])
        if common:
            yield common[0][0], other.id


NEAREST = 6
"""Lookers that are asked where they see the path before any other: mostly they see what is to be seen."""


def _any_sees(
    ground: Ground, path: Sequence[Place], lookers: Sequence[Figure], wanted: Sequence[Stretch]
) -> tuple[Stretch, ...]:
    """What at least one of the figures sees of some stretches of a path."""
    points = sorted({each.at for each in lookers}, key=lambda each: (distance(path[0], each), each))
    left = tuple(wanted)
    for point in points[:NEAREST]:
        left = _without(left, visible_stretches(ground, path, [point])[0])
        if not left:
            return tuple(wanted)
    rest = points[NEAREST:]
    if rest:
        # Most of those farther off see nothing of what is left, which is told much faster than where.
        seeing = glimpsed(ground, path, left, rest)
        those = [point for point, sees in zip(rest, seeing, strict=True) if sees]
        for seen in visible_stretches(ground, path, those):
            left = _without(left, seen)
    return _without(wanted, left)


def _within(path: Sequence[Place], centre: Place, reach: int) -> tuple[Stretch, ...]:
    """The stretches of a path no farther than `reach` from a place."""
    found: list[tuple[float, float]] = []
    start = 0.0
    for a, b in pairwise(path):
        run = math.dist(a, b)
        if run:
            dx, dy = (b[0] - a[0]) / run, (b[1] - a[1]) / run
            along = (centre[0] - a[0]) * dx + (centre[1] - a[1]) * dy
            off = (centre[0] - a[0]) ** 2 + (centre[1] - a[1]) ** 2 - along**2
            half_chord = reach**2 - off
            if half_chord >= 0:
                low, high = max(along - math.sqrt(half_chord), 0.0), min(along + math.sqrt(half_chord), run)
                if low <= high:
                    found.append((start + low, start + high))
        start += run
    return _joined(found, round(start))


def _joined(stretches: Iterable[tuple[float, float]], length: int) -> tuple[Stretch, ...]:
    """Whole hundredths, in order, within the length; stretches that touch are one."""
    joined: list[Stretch] = []
    for begin, end in sorted((math.ceil(a - 1e-6), math.floor(b + 1e-6)) for a, b in stretches):
        begin, end = max(begin, 0), min(end, length)
        if begin > end:
            continue
        if joined and begin <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return tuple(joined)


def _common(some: Sequence[Stretch], others: Sequence[Stretch]) -> tuple[Stretch, ...]:
    return tuple((max(a, c), min(b, d)) for a, b in some for c, d in others if max(a, c) <= min(b, d))


def _without(some: Sequence[Stretch], others: Sequence[Stretch]) -> tuple[Stretch, ...]:
    left = list(some)
    for c, d in others:
        cut: list[Stretch] = []
        for a, b in left:
            if d < a or c > b:
                cut.append((a, b))
                continue
            if a < c:
                cut.append((a, c - 1))
            if d < b:
                cut.append((d + 1, b))
        left = cut
    return tuple(left)
