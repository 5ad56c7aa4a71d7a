"""Movement: how far units go, what a step may not be, what can be reached. `core 6.0` to `core 6.4`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from msgspec import Struct

from lnl.board.hexes import Place
from lnl.finding import (
    counter_of,
    enemies_at,
    has_kind,
    is_leader,
    is_single_man,
    traits_of,
    weapon_row,
    weapons_of,
)
from lnl.rules.going import RULE, Walker, cost_of, going, is_nearer
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
    prices = {each.id: Walker(state, each, stack).cost(origin, to, entered) for each in stack}
    if any(price is None for price in prices.values()):
        if going(state).way(side, origin, to) is not None:
            reason = "A big gun enters no building and crosses no wall, hedge or bocage."
            return Step(why="no_way", reason=reason, rule="core 1.6.3")
        return Step(why="no_way", reason="There is no way from there to there in one step.")
    if enemies_at(state, to, side) and (no := _not_into_melee(state, stack, manner)):
        return no
    if why := room_for(state, to, side, [each.id for each in stack]):
        return Step(why="full", reason=why, rule="core 1.3")
    if any(each.is_shaken and _comes_nearer(state, each, origin, to) for each in stack):
        return Step(why="shaken", reason="Shaken units go no closer to enemies whom they see.", rule="core 5.1")
    after: dict[str, int] = {}
    for each in stack:
        price, before = prices[each.id], spent.get(each.id, 0)
        assert price is not None
        points, _ = allowance(state, each, manner, double_time, stack)
        paid = _paid(state, each, manner, double_time, stack, price, points - before, is_first=not entered)
        if paid is None:
            left = points - before
            return Step(why="cost", reason=f"That costs {price} movement points, {left} are left.")
        after[each.id] = before + paid
    return Step(spent=dict(sorted(after.items())), points=max(after[each.id] - spent.get(each.id, 0) for each in stack))


def _paid(
    state: State,
    each: Unit,
    manner: Manner,
    double_time: bool,
    stack: Sequence[Unit],
    price: int,
    left: int,
    *,
    is_first: bool,
) -> int | None:
    """What a unit pays, None where it cannot. Who can move may always move one hex, but not by a low crawl or as an
    assault (or stealth) move if that takes all its points. `core 6.0`"""
    if manner == "move":
        if price <= left:
            return price
        return left if is_first and left >= 1 else None
    whole, _ = allowance(state, each, "move", double_time, stack)
    if price > left or (is_first and price >= whole):
        return None
    return price


def _not_into_melee(state: State, stack: Sequence[Unit], manner: Manner) -> Step | None:
    """Nobody enters melee by an assault move or a low crawl (L14), nor a leader without a weapon alone. `core 8.0`,
    `core 11.1`"""
    if manner in ("assault", "low_crawl"):
        how = "an assault move" if manner == "assault" else "a low crawl"
        return Step(why="contact", reason=f"Nobody enters melee by {how}.", rule="core 8.0")
    if not any(_fights(state, each) for each in stack):
        return Step(why="contact", reason="They cannot fight a melee, and do not enter one alone.", rule="core 11.1")
    return None


def _fights(state: State, each: Unit) -> bool:
    if has_kind(state, each, "leader", "commissar", "advisor"):
        return any(weapon_row(state, gun).melee for gun in weapons_of(state, each))
    return not has_kind(state, each, "medic", "chaplain", "nurse", "sniper")


def _comes_nearer(state: State, each: Unit, origin: Place, to: Place) -> bool:
    """Whether a step brings a Shaken unit closer to an enemy whom its command perceives in its line of sight.
    `core 5.1`, `core 6.0`"""
    return any(is_nearer(state, origin, to, enemy) for enemy in going(state).seen_enemies(each.command, origin))


# What can be reached


def reachable(
    state: State, stack: Sequence[Unit], manner: Manner = "move", double_time: bool = False
) -> dict[Place, int]:
    """The places that units moving together can reach as far as this state knows, with the points that the one with
    the fewest left has spent there. Melee ends a move. `core 6.0`"""
    side, start = stack[0].side, stack[0].at
    ground = going(state)
    walkers = [Walker(state, each, stack) for each in stack]
    limits = [allowance(state, each, manner, double_time, stack)[0] for each in stack]
    tightest = min(range(len(stack)), key=lambda number: limits[number])
    ids = {each.id for each in stack}
    found: dict[Place, int] = {}
    room: dict[Place, bool] = {}
    waiting: list[tuple[int, tuple[int, ...], Place, tuple[Place, ...]]] = [(0, (0,) * len(stack), start, ())]
    while waiting:
        used, spent, place, entered = heappop(waiting)
        if place in found or (entered and place == start):
            continue
        if entered:
            found[place] = used
            if ground.enemies(place, side) or manner == "low_crawl":
                continue
        for to in ground.around(place):
            if to in found or to == start:
                continue
            after = _after(state, stack, walkers, limits, spent, place, to, entered, manner, double_time)
            if after is None or not _is_free(state, stack, place, to, ids, room, manner):
                continue
            heappush(waiting, (after[tightest], after, to, (*entered, to)))
    return found


def _after(
    state: State,
    stack: Sequence[Unit],
    walkers: Sequence[Walker],
    limits: Sequence[int],
    spent: Sequence[int],
    place: Place,
    to: Place,
    entered: Sequence[Place],
    manner: Manner,
    double_time: bool,
) -> tuple[int, ...] | None:
    after: list[int] = []
    for each, walker, limit, before in zip(stack, walkers, limits, spent, strict=True):
        price = walker.cost(place, to, entered)
        if price is None:
            return None
        if price > limit - before or manner != "move":
            paid = _paid(state, each, manner, double_time, stack, price, limit - before, is_first=not entered)
            if paid is None:
                return None
            price = paid
        after.append(before + price)
    return tuple(after)


def _is_free(
    state: State,
    stack: Sequence[Unit],
    origin: Place,
    to: Place,
    ids: set[str],
    room: dict[Place, bool],
    manner: Manner,
) -> bool:
    ground = going(state)
    side = stack[0].side
    if to not in room:
        there = [each for each in ground.units.get(to, ()) if each.side == side and each.id not in ids]
        is_plain = not there and "bunker" not in ground.kinds_at((to[0], to[1]))
        fits = not too_many(state, to, stack) if is_plain else not room_for(state, to, side, ids)
        enemies = ground.enemies(to, side)
        room[to] = fits and not (enemies and _not_into_melee(state, stack, manner))
    return room[to] and not any(each.is_shaken and _comes_nearer(state, each, origin, to) for each in stack)


def refusal(step: Step) -> Refusal:
    """A step that cannot be made as the refusal of an order."""
    return Refusal(step.reason, step.rule, "path")
