"""Movement: how far units go, what a step may not be, what can be reached. `core 6.0` to `core 6.4`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from operator import le

from msgspec import Struct

from lnl.board.hexes import Place
from lnl.finding import (
    counter_of,
    enemies_at,
    has_kind,
    is_leader,
    is_single_man,
    traits_of,
)
from lnl.rules.going import RULE, Walker, cost_of, going, is_nearer
from lnl.rules.melee_strength import eligible_at, is_eligible
from lnl.rules.stacking import room_for, too_many
from lnl.setting import setting_of, tables_of
from lnl.state import Manner, State, Unit
from umpire.kernel.modifiers import Modifier, Refusal, total
from umpire.kernel.points import One

__all__ = ["Step", "allowance", "cost_of", "made", "reachable", "refusal"]

double_time_bonus: One[[State, Unit], int] = One("double-time", rule="core 6.2")
"""How many movement points more a unit has at double-time."""


@double_time_bonus.printed
def _double_time(rule: str, state: State, each: Unit) -> int:
    return 0 if has_kind(state, each, "weapon_team") else tables_of(state).number("double_time")


# How far


def allowance(
    state: State, each: Unit, manner: Manner = "move", double_time: bool = False, stack: Sequence[Unit] = ()
) -> tuple[int, tuple[Modifier, ...]]:
    """The movement points of a unit that moves with `stack`, and what they consist of. At double-time, which a Good
    Order leader among them must lead, no more than his printed movement. `core 6.0`, `core 6.1`, `core 6.2`,
    `core 6.4`, `core 1.6.1`"""
    tables = tables_of(state)
    row = counter_of(state, each)
    parts = [Modifier(row.movement, row.name, RULE)]
    if is_single_man(state, each) and each.weapons and row.movement:
        parts.append(Modifier(-tables.number("single_man_portage_cost"), "carries a weapon", "core 1.6.1"))
    leads = [counter_of(state, other).movement for other in (each, *stack) if can_lead(state, other)]
    if double_time and leads:
        more = double_time_bonus(setting_of(state).active, traits_of(state, each), state, each)
        parts.append(Modifier(more, "double-time", "core 6.2"))
    points = max(0, total(parts))
    if manner == "assault":
        points = -(-points // tables.number("assault_move_divisor"))
        parts.append(Modifier(points - max(0, total(parts)), "half, rounded up", "core 6.1"))
    elif manner == "stealth":
        points //= tables.number("stealth_divisor")
        parts.append(Modifier(points - max(0, total(parts)), "half, fractions dropped", "core 6.4"))
    if double_time and leads and points > max(leads):
        parts.append(Modifier(max(leads) - points, "no farther than the leader's movement", "core 6.2"))
        points = max(leads)
    return points, tuple(parts)


def can_lead(state: State, each: Unit) -> bool:
    """Whether a unit can lead others at double-time. `core 6.2`"""
    return each.is_good_order and is_leader(state, each)


# One step


class Step(Struct, frozen=True, kw_only=True):
    """What comes of a step: `spent` by each mover in this move with it, `points` of it in the place entered; or in one
    word why it cannot be made, with the words and the rule for a refusal."""

    spent: Mapping[str, int] = {}
    points: int = 0
    why: str = ""
    reason: str = ""
    rule: str = RULE


def made(
    state: State,
    stack: Sequence[Unit],
    origin: Place,
    to: Place,
    *,
    manner: Manner = "move",
    double_time: bool = False,
    spent: Mapping[str, int],
    entered: Sequence[Place] = (),
) -> Step:
    """A step of units that move together, as far as this state knows what is there: the truth in a ruling, what is
    believed in a check. `core 6.0`"""
    side = stack[0].side
    prices = {each.id: Walker(state, each, stack, hurries=double_time).cost(origin, to, entered) for each in stack}
    if any(price is None for price in prices.values()):
        if going(state).way(side, origin, to) is not None:
            reason = "A big gun enters no building and crosses no wall, hedge or bocage."
            return Step(why="no_way", reason=reason, rule="core 1.6.3")
        return Step(why="no_way", reason="There is no way from there to there in one step.")
    if any(each.is_shaken and _comes_nearer(state, each, origin, to) for each in stack):
        return Step(why="shaken", reason="Shaken units go no closer to enemies whom they see.", rule="core 5.1")
    if enemies_at(state, to, side) and (no := _not_into_melee(state, stack, manner, to)):
        return no
    if why := room_for(state, to, side, [each.id for each in stack]):
        return Step(why="full", reason=why, rule="core 1.3")
    after: dict[str, int] = {}
    for each in stack:
        price, before = prices[each.id], spent.get(each.id, 0)
        assert price is not None
        points = allowance(state, each, manner, double_time, stack)[0]
        whole = points if manner == "move" else allowance(state, each, "move", double_time, stack)[0]
        paid = _paid(price, points - before, whole, manner, is_first=not entered)
        if paid is None:
            left = points - before
            return Step(why="cost", reason=f"That costs {price} movement points, {left} are left.")
        after[each.id] = before + paid
    return Step(spent=dict(sorted(after.items())), points=max(after[each.id] - spent.get(each.id, 0) for each in stack))


def _paid(price: int, left: int, whole: int, manner: Manner, *, is_first: bool) -> int | None:
    """What a unit pays for a step, None where it cannot. Who can move may always move one hex, but not by a low crawl
    or as an assault (or stealth) move if that takes all the points it has. `core 6.0`"""
    if manner == "move":
        if price <= left:
            return price
        return left if is_first and left >= 1 else None
    return None if price > left or (is_first and price >= whole) else price


def _not_into_melee(state: State, stack: Sequence[Unit], manner: Manner, to: Place) -> Step | None:
    """Nobody enters melee by an assault move or a low crawl (L14), nor where no friend fights those alone who cannot:
    leaders without a weapon that is ready, medics, the Shaken. `core 8.0`, `core 11.1`, `core 8.1.1`, `core 5.1`"""
    if manner in ("assault", "low_crawl"):
        how = "an assault move" if manner == "assault" else "a low crawl"
        return Step(why="contact", reason=f"Nobody enters melee by {how}.", rule="core 8.0")
    if not any(is_eligible(state, each) for each in stack) and not eligible_at(state, to, (stack[0].side,)):
        return Step(why="contact", reason="They cannot fight a melee, and do not enter one alone.", rule="core 11.1")
    return None


def _comes_nearer(state: State, each: Unit, origin: Place, to: Place) -> bool:
    """Whether a step brings a Shaken unit closer to an enemy whom its command perceives in its line of sight.
    `core 5.1`, `core 6.0`"""
    return any(is_nearer(state, origin, to, enemy) for enemy in going(state).seen_enemies(each, origin))


# What can be reached


def reachable(
    state: State, stack: Sequence[Unit], manner: Manner = "move", double_time: bool = False
) -> dict[Place, int]:
    """The places that units moving together can reach as far as this state knows, with the points that the one with
    the fewest of them has spent there. Melee ends a move. `core 6.0`"""
    side, start = stack[0].side, stack[0].at
    ground = going(state)
    classes = _classes(state, stack, manner, double_time)
    if all(each.walker.is_plain for each in classes) and len({each.walker.kind for each in classes}) == 1:
        limit, whole = min(each.limit for each in classes), min(each.whole for each in classes)
        return _reached_alike(state, stack, manner, _Class(classes[0].walker, limit, whole))
    tightest = min(range(len(classes)), key=lambda number: classes[number].limit)
    remembering = [each.walker for each in classes if not each.walker.is_plain]
    free = _Free(state, stack, manner)
    found: dict[Place, int] = {}
    memories: dict[Place, list[tuple[int, ...]]] = {}
    waiting: list[tuple[int, tuple[int, ...], Place, tuple[Place, ...]]] = [(0, (0,) * len(classes), start, ())]
    while waiting:
        used, spent, place, entered = heappop(waiting)
        is_first = place == start
        # Where the way so far matters a place is worth coming to again from a way after which something costs less.
        memory = tuple(price for walker in remembering for price in walker.memory(entered))
        known = memories.setdefault(place, [])
        if any(all(map(le, other, memory)) for other in known):
            continue
        known.append(memory)
        if not is_first:
            found.setdefault(place, used)
            if manner == "low_crawl" or (place in ground.units and ground.enemies(place, side)):
                continue
        prices = [ground.prices(each.walker, place, entered) for each in classes]
        for number, to in enumerate(ground.around(place)):
            if to == start or to in (entered if remembering else found):
                continue
            after = _after(classes, spent, [each[number] for each in prices], manner, is_first=is_first)
            if after is not None and free.is_free(place, to):
                heappush(waiting, (after[tightest], after, to, (*entered, to) if remembering else ()))
    return found


def _reached_alike(state: State, stack: Sequence[Unit], manner: Manner, tightest: _Class) -> dict[Place, int]:
    """The same for a stack of which all pay the same for each step, whatever their way: the one with the fewest points
    decides. (If it spends all on a first step that it cannot pay for, it goes no farther, and nor do the others.)"""
    side, start = stack[0].side, stack[0].at
    ground, free = going(state), _Free(state, stack, manner)
    walker, limit, whole = tightest.walker, tightest.limit, tightest.whole
    found: dict[Place, int] = {}
    best: dict[Place, int] = {start: -1}
    waiting: list[tuple[int, Place]] = [(0, start)]
    while waiting:
        used, place = heappop(waiting)
        is_first = place == start
        if not is_first:
            if place in found:
                continue
            found[place] = used
            if manner == "low_crawl" or (place in ground.units and ground.enemies(place, side)):
                continue
        for to, price in ground.priced(walker, place):
            after = used + price
            if is_first:
                paid = _paid(price, limit, whole, manner, is_first=True)
                after = limit + 1 if paid is None else paid
            if after <= limit and after < best.get(to, limit + 1) and free.is_free(place, to):
                best[to] = after
                heappush(waiting, (after, to))
    return found


class _Class(Struct, frozen=True):
    """Units of a stack that pay alike: the points they have, and those they would have without their manner."""

    walker: Walker
    limit: int
    whole: int


def _classes(state: State, stack: Sequence[Unit], manner: Manner, double_time: bool) -> list[_Class]:
    found: dict[object, _Class] = {}
    for each in stack:
        walker = Walker(state, each, stack, hurries=double_time)
        limit = allowance(state, each, manner, double_time, stack)[0]
        whole = limit if manner == "move" else allowance(state, each, "move", double_time, stack)[0]
        found[walker.kind if walker.is_plain else each.id, limit, whole] = _Class(walker, limit, whole)
    return list(found.values())


def _after(
    classes: Sequence[_Class], spent: Sequence[int], prices: Sequence[int | None], manner: Manner, *, is_first: bool
) -> tuple[int, ...] | None:
    after: list[int] = []
    for each, before, price in zip(classes, spent, prices, strict=True):
        if price is None:
            return None
        paid = _paid(price, each.limit - before, each.whole, manner, is_first=is_first)
        if paid is None:
            return None
        after.append(before + paid)
    return tuple(after)


class _Free:
    """Where a stack may be, whatever the way there costs: remembered place by place."""

    def __init__(self, state: State, stack: Sequence[Unit], manner: Manner) -> None:
        self.state, self.stack, self.manner = state, stack, manner
        self.ground = going(state)
        self.ids = {each.id for each in stack}
        self.shaken = [each for each in stack if each.is_shaken]
        self.fits_alone = not too_many(state, stack[0].at, stack)
        self.known: dict[Place, bool] = {}

    def is_free(self, origin: Place, to: Place) -> bool:
        known = self.known.get(to)
        if known is None:
            known = self.known[to] = self._is_free(to)
        if not (known and self.shaken):
            return known
        return not any(_comes_nearer(self.state, each, origin, to) for each in self.shaken)

    def _is_free(self, to: Place) -> bool:
        ground, side = self.ground, self.stack[0].side
        if to not in ground.units and (to[0], to[1]) not in ground.works:
            return self.fits_alone
        if ground.enemies(to, side) and _not_into_melee(self.state, self.stack, self.manner, to):
            return False
        if "bunker" in ground.kinds_at((to[0], to[1])):
            return not room_for(self.state, to, side, self.ids)
        there = [each for each in ground.units.get(to, ()) if each.side == side and each.id not in self.ids]
        return not too_many(self.state, to, (*there, *self.stack))


def refusal(step: Step) -> Refusal:
    """A step that cannot be made as the refusal of an order."""
    return Refusal(step.reason, step.rule, "path")
