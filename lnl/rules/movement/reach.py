"""What can be reached, as far as a state knows: by units that go together, in a manner of moving. `core 6.0`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from operator import le

from msgspec import Struct
from msgspec.structs import replace

from lnl.board.hexes import Place
from lnl.rules.melee.strength import is_eligible
from lnl.rules.movement.alike import alike
from lnl.rules.movement.cheapest_ways import FAR, Bounds, CheapestWays, Reached
from lnl.rules.movement.going import Going, Walker, going
from lnl.rules.movement.movement import allowance, comes_nearer, not_into_melee, paid_for
from lnl.rules.movement.stacking import counts, room_for, too_many
from lnl.state.battle import Manner, State, Unit
from umpire.kernel.values.memo import Memo

UNDIVIDED = ("move", "low_crawl")
"""The manners that leave a unit all its movement points."""


def reachable(
    state: State, stack: Sequence[Unit], manner: Manner = "move", double_time: bool = False
) -> Mapping[Place, int]:
    """The places that units moving together can reach as far as this state knows, with the points that the one with
    the fewest of them has spent there. Melee ends a move. `core 6.0`"""
    return reach(state, stack, manner, double_time).spent


def reach(state: State, stack: Sequence[Unit], manner: Manner = "move", double_time: bool = False) -> Reached:
    """The same with the place that each is come to from."""
    return _memo.of(state).reach(tuple(stack), manner, double_time)


def points(state: State, stack: Sequence[Unit], manner: Manner = "move", double_time: bool = False) -> int:
    """The movement points of the first of units that move together. `core 6.0`"""
    return _memo.of(state).points(tuple(stack), manner, double_time)


class _Class(Struct, frozen=True):
    """Units of a stack that pay alike: the points they have, and those they would have without their manner."""

    walker: Walker
    limit: int
    whole: int


class _Need(Struct, frozen=True):
    """What decides where units may come to: whether one of them can fight, how much room they take, who of them is
    Shaken."""

    fights: bool
    room: tuple[object, ...]
    shaken: tuple[Unit, ...]


class _Reaches:
    """What was worked out of a state for units that are alike. Where none pays by the way so far, reach itself is
    worked out once for all that pay alike for each step and may come to the same places, in whichever manner they go
    and however far."""

    def __init__(self, state: State) -> None:
        self.state, self.ground, self._alike = state, going(state), alike(state)
        self._points: dict[tuple[object, ...], int] = {}
        self._classes: dict[tuple[object, ...], tuple[_Class, ...]] = {}
        self._needs: dict[tuple[object, ...], _Need] = {}
        self._free: dict[tuple[object, ...], _Free] = {}
        self._whence: dict[tuple[object, ...], CheapestWays] = {}
        self._reached: dict[tuple[object, ...], Reached] = {}

    def points(self, stack: tuple[Unit, ...], manner: Manner, double_time: bool) -> int:
        key = (manner, double_time, *map(self._alike.of, stack))
        found = self._points.get(key)
        if found is None:
            found = self._points[key] = allowance(self.state, stack[0], manner, double_time, stack)[0]
        return found

    def reach(self, stack: tuple[Unit, ...], manner: Manner, double_time: bool) -> Reached:
        key = (stack[0].at, manner, double_time, *map(self._alike.of, stack))
        found = self._reached.get(key)
        if found is None:
            classes = self._paying(stack, manner, double_time)
            if _pay_alike(classes):
                found = self._plainly(stack, manner, classes)
            else:
                found = _searched(self.state, stack, manner, classes)
            self._reached[key] = found
        return found

    def _paying(self, stack: tuple[Unit, ...], manner: Manner, double_time: bool) -> tuple[_Class, ...]:
        key = (manner, double_time, *map(self._alike.of, stack))
        known = self._classes.get(key)
        if known is not None:
            return known
        found: dict[object, _Class] = {}
        for number, each in enumerate(stack):
            together = (each, *stack[:number], *stack[number + 1 :])
            walker = Walker(self.state, each, stack, hurries=double_time)
            limit = self.points(together, manner, double_time)
            whole = limit if manner in UNDIVIDED else self.points(together, "move", double_time)
            found[walker.mover, limit, whole] = _Class(walker, limit, whole)
        return self._classes.setdefault(key, tuple(found.values()))

    def _plainly(self, stack: tuple[Unit, ...], manner: Manner, classes: Sequence[_Class]) -> Reached:
        """The one with the fewest points decides, a big gun about the ways. (If one spends all its points on a first
        step that it cannot pay for, it goes no farther, and nor do the others.)"""
        walker = next((each.walker for each in classes if each.walker.mover.is_big), classes[0].walker)
        limit, whole = min(each.limit for each in classes), min(each.whole for each in classes)
        if limit < 1:
            return Reached(self.ground, stack[0].at, {}, {})
        whence = self._from(stack, walker, FAR, FAR)
        if manner == "low_crawl":
            return whence.next_door(limit, whole)
        if manner == "move":
            if any(price > limit for _, price in whence.first):
                whence = self._from(stack, walker, limit, FAR)
            return whence.within(limit)
        if any(whole <= price <= limit for _, price in whence.first):
            whence = self._from(stack, walker, FAR, whole)
        return whence.within(limit, enters_ends=manner == "stealth")

    def _from(self, stack: tuple[Unit, ...], walker: Walker, at_most: int, below: int) -> CheapestWays:
        ground, start, need = self.ground, stack[0].at, self._needed(stack)
        shaken = tuple((each.command, each.side) for each in need.shaken)
        key = (start, walker.mover, need.fights, need.room, shaken, at_most, below)
        found = self._whence.get(key)
        if found is None:
            like = (walker.mover.side, need.fights, need.room)
            free = self._free.get(like)
            if free is None:
                free = self._free[like] = _Free(self.state, stack)
            found = self._whence[key] = CheapestWays(
                ground,
                ground.layout.number[start],
                Bounds(
                    ground.occupied if free.fits_alone else range(len(ground.layout.places)),
                    free,
                    ground.ends(walker.mover.side),
                    partial(self._bars, need.shaken) if need.shaken else None,
                ),
                walker,
                at_most=at_most,
                below=below,
            )
        return found

    def _needed(self, stack: tuple[Unit, ...]) -> _Need:
        """The room is what units count for; it is themselves where modules may ask for anything, and where they count
        together with others of their own hex."""
        is_shared = not self._alike.is_by_place and "bunker" not in self.ground.kinds_at(stack[0].at[:2])
        key = tuple(map(self._alike.of, stack)) if is_shared else tuple(each.id for each in stack)
        found = self._needs.get(key)
        if found is None:
            fights = any(is_eligible(self.state, each) for each in stack)
            room = counts(self.state, stack) if is_shared else tuple(sorted(each.id for each in stack))
            shaken = {(each.command, each.side): each for each in stack if each.is_shaken}
            found = self._needs[key] = _Need(fights, room, tuple(shaken.values()))
        return found

    def _bars(self, shaken: Sequence[Unit], origin: int, to: int) -> bool:
        places = self.ground.layout.places
        return any(comes_nearer(self.state, each, places[origin], places[to]) for each in shaken)


_memo: Memo[State, _Reaches] = Memo(_Reaches)


class _Free(dict[int, bool]):
    """Where units like these may come to, whatever the way there costs: worked out place by place, but for the place
    where they are, and for melees that nobody enters by their manner of moving."""

    def __init__(self, state: State, stack: Sequence[Unit]) -> None:
        self.state, self.stack = state, stack
        self.ground = going(state)
        self.ids = {each.id for each in stack}
        self.fits_alone = not too_many(state, stack[0].at, stack)
        self._is_by_place = alike(state).is_by_place
        self._fits: dict[tuple[str, ...], bool] = {}

    def __missing__(self, number: int) -> bool:
        found = self[number] = self._is_free(self.ground.layout.places[number])
        return found

    def _is_free(self, to: Place) -> bool:
        ground, side = self.ground, self.stack[0].side
        if to not in ground.units and (to[0], to[1]) not in ground.works:
            return self.fits_alone
        if ground.enemies(to, side) and not_into_melee(self.state, self.stack, "move", to):
            return False
        if ground.works and "bunker" in ground.kinds_at((to[0], to[1])):
            return not room_for(self.state, to, side, self.ids)
        return self._fits_beside(to, [each for each in ground.units.get(to, ()) if each.side == side])

    def _fits_beside(self, to: Place, there: Sequence[Unit]) -> bool:
        """Whether there is room beside others: the same wherever those of the same counters stand, but for modules."""
        key = () if self._is_by_place else tuple([each.counter for each in there])
        found = self._fits.get(key) if key else None
        if found is None:
            found = not too_many(self.state, to, (*there, *self.stack))
            if key:
                self._fits[key] = found
        return found


# Where units pay differently, or the way so far matters


def _pay_alike(classes: Sequence[_Class]) -> bool:
    """Whether a step costs all of them the same (but that it may bar a big gun), whatever was entered before."""
    movers = {replace(each.walker.mover, is_big=False) for each in classes}
    return len(movers) == 1 and all(each.walker.is_plain for each in classes)


def _searched(state: State, stack: Sequence[Unit], manner: Manner, classes: Sequence[_Class]) -> Reached:
    """The same where units pay differently, or what a step costs depends on the way so far: a place is worth coming to
    again from a way that has cost somebody less, or after which something costs less."""
    side, start = stack[0].side, stack[0].at
    ground = going(state)
    tightest = min(range(len(classes)), key=lambda number: classes[number].limit)
    remembering = [each.walker for each in classes if not each.walker.is_plain]
    free = _Free(state, stack)
    shaken = [each for each in stack if each.is_shaken]
    found: dict[Place, int] = {}
    memories: dict[Place, list[tuple[int, ...]]] = {}
    waiting: list[tuple[int, tuple[int, ...], Place, tuple[Place, ...]]] = [(0, (0,) * len(classes), start, ())]
    while waiting:
        used, spent, place, entered = heappop(waiting)
        is_first = place == start
        memory = (*spent, *(price for walker in remembering for price in walker.memory(entered)))
        known = memories.setdefault(place, [])
        if any(all(map(le, other, memory)) for other in known):
            continue
        known.append(memory)
        if not is_first:
            found.setdefault(place, used)
            if manner == "low_crawl" or ground.enemies(place, side):
                continue
        prices = [ground.prices(each.walker, place, entered) for each in classes]
        for number, to in enumerate(ground.around(place)):
            if to == start or to in entered:
                continue
            after = _after(classes, spent, [each[number] for each in prices], manner, is_first=is_first)
            if after is None or not free[ground.layout.number[to]]:
                continue
            if manner in ("assault", "low_crawl") and ground.enemies(to, side):
                continue
            if not any(comes_nearer(state, each, place, to) for each in shaken):
                heappush(waiting, (after[tightest], after, to, (*entered, to)))
    reached = dict(sorted(found.items()))
    return Reached(ground, start, reached, _before(ground, classes[0].walker, stack[0], reached))


def _after(
    classes: Sequence[_Class], spent: Sequence[int], prices: Sequence[int | None], manner: Manner, *, is_first: bool
) -> tuple[int, ...] | None:
    after: list[int] = []
    for each, before, price in zip(classes, spent, prices, strict=True):
        if price is None:
            return None
        paid = paid_for(price, each.limit - before, each.whole, manner, is_first=is_first)
        if paid is None:
            return None
        after.append(before + paid)
    return tuple(after)


def _before(ground: Going, walker: Walker, first: Unit, reached: Mapping[Place, int]) -> dict[Place, Place]:
    """From where the first of a stack comes to each place for the points that are spent there."""
    found: dict[Place, Place] = {}
    for place, spent in sorted({first.at: 0, **reached}.items(), key=lambda item: (item[1], item[0])):
        if place != first.at and ground.enemies(place, first.side):
            continue
        for to, price in zip(ground.around(place), ground.prices(walker, place, ()), strict=True):
            if price is not None and reached.get(to) == spent + price:
                found.setdefault(to, place)
    return found
