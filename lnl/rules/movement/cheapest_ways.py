"""What can be reached from a place: the cheapest ways over steps that cost whole points. `core 6.0`"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Container, Mapping
from functools import cached_property

from msgspec import Struct

from lnl.board.hexes import Place
from lnl.rules.movement.going import Going, Walker

FAR = 1 << 30
"""More points than any way costs."""
NOWHERE = -1
"""For the place before one where the points spent there are not those of the step."""


class Reached(Struct, frozen=True, dict=True):
    """Where units come to from `start`: the points spent in each place, in the order of places; and the place `before`
    it on a way there, where the points of that place and the step make up all of them."""

    ground: Going
    start: Place
    spent: Mapping[Place, int]
    before: Mapping[Place, Place]

    @cached_property
    def region(self) -> tuple[tuple[Place, ...], ...]:
        """Each place with the points spent there, and behind them the place before it, as for a `PathSlot`."""
        before = self.before
        return tuple([((*place, points, *before.get(place, ())),) for place, points in self.spent.items()])

    @cached_property
    def steps(self) -> Mapping[str, tuple[Place, ...]]:
        """The steps from each place to others that are reached, by its key, as for a `PathSlot`."""
        places = [*self.spent]
        insort(places, self.start)
        is_reached, is_within = self.spent.__contains__, set(self.spent).issuperset
        ground, known, key = self.ground, self.ground.known.around, self.ground.layout.keys
        found: dict[str, tuple[Place, ...]] = {}
        for place in places:
            steps = known.get(place) or ground.around(place)
            found[key[place]] = steps if is_within(steps) else tuple(filter(is_reached, steps))
        return found


class Bounds(Struct, frozen=True):
    """Where a search may lead, places being numbers. `is_free` is asked of the `doubtful` alone; nobody goes on from
    the `ends`; what `bars` a step, whatever it costs."""

    doubtful: Container[int]
    is_free: Mapping[int, bool]
    ends: Container[int]
    bars: Callable[[int, int], bool] | None = None

    def allow(self, origin: int, to: int) -> bool:
        if to in self.doubtful and not self.is_free[to]:
            return False
        return self.bars is None or not self.bars(origin, to)


class _Front(Struct, frozen=True):
    """How far a search has come: the points spent in places and the places before them (of those further on, the best
    that was found), who is reached in the order of points, how many of them with 0 points, 1 and so on, and from where
    it goes on, by points. Never changed once it is finished: threads may ask at the same time."""

    spent: list[int]
    before: list[int]
    order: list[int]
    counts: list[int]
    waiting: dict[int, list[int]]

    def copy(self) -> _Front:
        waiting = {used: batch[:] for used, batch in self.waiting.items()}
        return _Front(self.spent[:], self.before[:], self.order[:], self.counts[:], waiting)


class CheapestWays:
    """The cheapest ways from a place, worked out as far as was asked for: each place once, in the order of the points
    spent there, so that what few points reach is the beginning of what more points do.

    `at_most` and `below` bear on first steps alone: dearer ones cost `at_most`, those that cost `below` or more are not
    made.
    """

    def __init__(
        self, ground: Going, start: int, bounds: Bounds, walker: Walker, *, at_most: int = FAR, below: int = FAR
    ) -> None:
        self._ground, self._start, self._bounds, self._walker = ground, start, bounds, walker
        self._reached: dict[tuple[int, bool], Reached] = {}
        self.first = tuple(step for step in ground.steps(walker, start) if bounds.allow(start, step[0]))
        """The first steps that may be made, and what each costs."""
        size = len(ground.layout.places)
        front = _Front([FAR] * size, [start] * size, [], [], {})
        front.spent[start] = 0
        for to, price in self.first:
            if price < below:
                front.spent[to] = min(price, at_most)
                front.before[to] = start if price <= at_most else NOWHERE
                front.waiting.setdefault(front.spent[to], []).append(to)
        self._front = front

    def within(self, points: int, *, enters_ends: bool = True) -> Reached:
        """What is reached with so many points, with or without the places that end a way."""
        known = self._reached.get((points, enters_ends))
        if known is not None:
            return known
        front = self._front
        if len(front.counts) <= points:
            front = self._front = self._further(front.copy(), points)
        found = sorted(front.order[: front.counts[points]])
        if not enters_ends:
            found = [each for each in found if each not in self._bounds.ends]
        places, spent, before = self._ground.layout.places, front.spent, front.before
        reached = Reached(
            self._ground,
            places[self._start],
            {places[each]: spent[each] for each in found},
            {places[each]: places[before[each]] for each in found if before[each] != NOWHERE},
        )
        return self._reached.setdefault((points, enters_ends), reached)

    def next_door(self, points: int, below: int) -> Reached:
        """What is reached by one step that costs less than `below`, nothing that ends a way among it."""
        places, start = self._ground.layout.places, self._ground.layout.places[self._start]
        ends, most = self._bounds.ends, min(points, below - 1)
        spent = {places[to]: price for to, price in sorted(self.first) if price <= most and to not in ends}
        return Reached(self._ground, start, spent, dict.fromkeys(spent, start))

    def _further(self, front: _Front, points: int) -> _Front:
        """Takes a search on to all that is reached with so many points."""
        ground, walker, known = self._ground, self._walker, self._ground.known.steps(self._walker.mover)
        spent, before, order, waiting = front.spent, front.before, front.order, front.waiting
        doubtful, is_free = self._bounds.doubtful, self._bounds.is_free
        ends, bars = self._bounds.ends, self._bounds.bars
        for used in range(len(front.counts), points + 1):
            while batch := waiting.pop(used, None):
                for place in sorted(batch):
                    if spent[place] != used:
                        continue
                    order.append(place)
                    if place in ends:
                        continue
                    steps = known.get(place)
                    for to, price in ground.steps(walker, place) if steps is None else steps:
                        after = used + price
                        if after < spent[to] and (to not in doubtful or is_free[to]):
                            if bars is not None and bars(place, to):
                                continue
                            spent[to] = after
                            before[to] = place
                            waiting.setdefault(after, []).append(to)
            front.counts.append(len(order))
        return front
