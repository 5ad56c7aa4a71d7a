"""Cards and counters on their way: what stands for troops moves as they would, and is found out where it is seen.

A face-down card that is seen moving in the open is turned up where it is seen first: its men go on from there on the
table, a dummy is taken away. A counter is taken up where an enemy whom its command has in sight sees it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from fireforce.book.rows import Manner
from fireforce.happening.blinds import CardMoved, CounterMoved
from fireforce.happening.movement import Moved
from fireforce.happening.rulings import tell
from fireforce.rules.hidden.hearing import noise_of_movement
from fireforce.rules.hidden.reveal import beneath, stand_in, take_up, turn_up, under
from fireforce.rules.hidden.spotting import seen_on_the_way
from fireforce.rules.men.motivation import hostiles
from fireforce.rules.movement.allowance import measured
from fireforce.rules.movement.marching import Way, first_met, first_within, leave_positions, march, traps_on_the_way
from fireforce.rules.works.traps import springs, tested, uncover, withdraws_from
from fireforce.state.battle import (
    Card,
    Counter,
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    card,
    enemies_of,
    figure,
)
from fireforce.state.setting import setting_of
from fireforce.table.going import point_along
from fireforce.table.ranges import distance
from umpire.kernel.rulings import Ruling

RULE = "fireforce cards"
WHOLE = Fraction(1)


def manner_for(state: State, start: Place, path: Sequence[Place], fraction: Fraction) -> Manner:
    """A card or counter goes at a walk where that is enough, else at a run."""
    return "tactical" if measured(state, (start, *path), "tactical", fraction).complete else "running"


# Cards


def march_card(
    state: State, piece: str, path: Sequence[Place], manner: Manner, fraction: Fraction = WHOLE
) -> Ruling[State]:
    """A card moves along a path, as far as a fraction of a move leads, with its men beneath it. `fireforce cards`,
    `fireforce visibility`"""
    each = card(state, piece)
    whole = (each.at, *path)
    made = measured(state, whole, manner, fraction)
    ghost = stand_in(state, each)
    touching = (
        first_within(whole, foe.at, ghost.radius + foe.radius, made.distance)
        for foe in enemies_of(state, each.command)
        if not foe.is_civilian and distance(each.at, foe.at) > ghost.radius + foe.radius
    )
    touched = min((length for length in touching if length is not None), default=None)
    end = made.distance if touched is None else touched
    seen = seen_on_the_way(state, ghost, whole, end)
    length = seen[0][0] if seen else end
    if made.distance <= 0:
        return state
    men = beneath(state, each)
    state, trapped = yield from _meets_trap(state, men, whole, length, manner)
    if trapped is not None:
        length = trapped.length
    at = point_along(whole, length)
    places = shifted(state, men, each.at, at)
    state = yield from tell(CardMoved(card=each.id, at=at, path=until(whole, length), figures=places, distance=length))
    state = yield from _have_moved(state, places, manner, length)
    if trapped is not None:
        return (yield from _is_trapped(state, each, trapped, manner))
    if seen:
        state = yield from turn_up(state, piece, "seen_in_open")
        spent = measured(state, (each.at, *until(whole, length)), manner, fraction).spent
        ends = shifted(state, men, each.at, point_along(whole, end))
        left = fraction - spent
        ways = [Way(figure=man, path=(place,), manner=manner, fraction=left) for man, place in ends.items() if left > 0]
        state = yield from march(state, ways)
    elif touched is not None:
        state = yield from turn_up(state, piece, "contacted")
    return state


class _Trapped(Struct, frozen=True, kw_only=True):
    """Which man beneath a card or counter has set a trap off or detected it, after how much of its way, and his own."""

    length: int
    man: str
    way: tuple[Place, ...]
    trap: Card
    is_off: bool


def _meets_trap(
    state: State, men: Sequence[Figure], whole: Sequence[Place], end: int, manner: Manner
) -> Ruling[tuple[State, _Trapped | None]]:
    """The first booby trap that stops a card or counter: its men come near to traps as if they walked beside it.
    `fireforce mines`"""
    near: list[tuple[int, Place, Place, str, Card, tuple[Place, ...]]] = []
    for man in men:
        way = (man.at, *_beside(state, man, whole, manner, WHOLE).path)
        near.extend(
            (length, man.at, trap.at, man.id, trap, way) for length, trap in traps_on_the_way(state, man, way, end)
        )
    for length, _, _, piece, trap, way in sorted(near, key=lambda each: each[:4]):
        state, outcome = yield from tested(state, piece, trap, f"{piece} {trap.id}", secret=True)
        if outcome != "passed":
            gone = (way[0], *until(way, length)) if length else way[:1]
            return state, _Trapped(length=length, man=piece, way=gone, trap=trap, is_off=outcome == "goes off")
    return state, None


def _is_trapped(state: State, each: Card | Counter, trapped: _Trapped, manner: Manner) -> Ruling[State]:
    """A trap that goes off turns the card up, or takes the counter up; one that is detected stops it."""
    if not trapped.is_off:
        return (yield from uncover(state, trapped.trap, "detected"))
    if isinstance(each, Card):
        state = yield from turn_up(state, each.id, "set_off")
    else:
        state = yield from take_up(state, each.id, "set_off")
    state = yield from springs(state, trapped.man, trapped.trap)
    return (yield from withdraws_from(state, trapped.man, trapped.trap, trapped.way, manner))


def _have_moved(state: State, places: Mapping[str, Place], manner: Manner, length: int) -> Ruling[State]:
    """The men have been carried along already: it is noted how they moved."""
    if length:
        state = yield from leave_positions(state, [figure(state, man) for man in places])
    for man, place in places.items():
        before = figure(state, man).distance
        state = yield from tell(Moved(figure=man, at=place, manner=manner, distance=before + length))
    return state


def until(whole: Sequence[Place], length: int) -> tuple[Place, ...]:
    """The corners of a path (with its start) after the start and up to a distance, and the place there."""
    found: list[Place] = []
    walked = 0
    for a, b in pairwise(whole):
        walked += distance(a, b)
        if walked >= length:
            break
        found.append(b)
    return (*found, point_along(whole, length))


def shifted(state: State, men: Sequence[Figure], start: Place, end: Place) -> Mapping[str, Place]:
    """Where men are when all of them go as far and in the same direction, kept on the table."""
    table = setting_of(state).table
    dx, dy = end[0] - start[0], end[1] - start[1]
    return {
        man.id: (min(max(man.at[0] + dx, 0), table.width), min(max(man.at[1] + dy, 0), table.depth))
        for man in sorted(men, key=lambda man: man.id)
    }


# Counters


def march_counter(
    state: State, piece: Counter, path: Sequence[Place], manner: Manner, fraction: Fraction = WHOLE
) -> Ruling[State]:
    """A counter moves along a path with the men for whom it stands. Where an enemy sees it, or its men meet one, it is
    taken up, and they go on as themselves; by traps it is stopped as a card is. `fireforce visibility`,
    `fireforce mines`"""
    whole = (piece.at, *path)
    made = measured(state, whole, manner, fraction)
    if made.distance <= 0:
        return state
    men = under(state, piece)
    lookers = hostiles(state, piece.command)
    seen = seen_on_the_way(state, stand_in(state, piece), whole, made.distance, lookers)
    met = first_met(state, [_beside(state, man, whole, manner, fraction) for man in men])
    ends = [length for length in (seen[0][0] if seen else None, met) if length is not None]
    is_met = met is not None and met == min(ends)
    length = max(min([made.distance, *ends]) - (1 if is_met else 0), 0)
    state, trapped = yield from _meets_trap(state, men, whole, length, manner)
    if trapped is not None:
        length = trapped.length
    at = point_along(whole, length) if length else piece.at
    places = shifted(state, men, piece.at, at)
    state = yield from tell(
        CounterMoved(counter=piece.id, at=at, path=until(whole, length), figures=places, distance=length)
    )
    if trapped is not None or not ends:
        gone = (piece.at, *until(whole, length)) if length else (piece.at,)
        ways = [(man.id, (man.at, *_beside(state, man, gone, manner, fraction).path)) for man in men]
        state = yield from _have_moved(state, places, manner, length)
        state = yield from noise_of_movement(state, ways)
        return state if trapped is None else (yield from _is_trapped(state, piece, trapped, manner))
    state = yield from take_up(state, piece.id, "contacted" if is_met else "seen_in_open")
    left = fraction - measured(state, (piece.at, *until(whole, length)), manner, fraction).spent
    rest = (at, *_after(whole, length))
    state = yield from march(state, [_beside(state, figure(state, man), rest, manner, left) for man in places])
    unmoved = {man: figure(state, man).at for man in places if not figure(state, man).moved}
    return (yield from _have_moved(state, unmoved, manner, length))


def _beside(state: State, man: Figure, whole: Sequence[Place], manner: Manner, fraction: Fraction) -> Way:
    """The way of a man who goes beside a path (with its start) as he stands to it now."""
    dx, dy = man.at[0] - whole[0][0], man.at[1] - whole[0][1]
    table = setting_of(state).table
    path = tuple((min(max(x + dx, 0), table.width), min(max(y + dy, 0), table.depth)) for x, y in whole[1:])
    return Way(figure=man.id, path=path, manner=manner, fraction=fraction)


def _after(whole: Sequence[Place], length: int) -> tuple[Place, ...]:
    """The corners of a path (with its start) beyond a distance."""
    found: list[Place] = []
    walked = 0
    for a, b in pairwise(whole):
        walked += distance(a, b)
        if walked > length:
            found.append(b)
    return tuple(found)
