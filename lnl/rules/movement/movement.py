"""Movement: how far units go, what a step may not be. `core 6.0` to `core 6.4`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from lnl.board.hexes import Place
from lnl.rules.melee.strength import eligible_at, is_eligible
from lnl.rules.movement.going import RULE, Walker, going, is_nearer
from lnl.rules.movement.stacking import room_for
from lnl.state.battle import Manner, State, Unit
from lnl.state.finding import carried, counter_of, enemies_at, has_kind, is_leader, is_single_man, traits_of
from lnl.state.setting import setting_of, tables_of
from umpire.kernel.book.points import One
from umpire.kernel.values.modifiers import Modifier, Refusal, total

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
    if is_single_man(state, each) and carried(state, each) and row.movement:
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
    if any(each.is_shaken and comes_nearer(state, each, origin, to) for each in stack):
        return Step(why="shaken", reason="Shaken units go no closer to enemies whom they see.", rule="core 5.1")
    if enemies_at(state, to, side) and (no := not_into_melee(state, stack, manner, to)):
        return no
    if why := room_for(state, to, side, [each.id for each in stack]):
        return Step(why="full", reason=why, rule="core 1.3")
    after: dict[str, int] = {}
    for each in stack:
        price, before = prices[each.id], spent.get(each.id, 0)
        assert price is not None
        points = allowance(state, each, manner, double_time, stack)[0]
        whole = points if manner == "move" else allowance(state, each, "move", double_time, stack)[0]
        paid = paid_for(price, points - before, whole, manner, is_first=not entered)
        if paid is None:
            left = points - before
            return Step(why="cost", reason=f"That costs {price} movement points, {left} are left.")
        after[each.id] = before + paid
    return Step(spent=dict(sorted(after.items())), points=max(after[each.id] - spent.get(each.id, 0) for each in stack))


def paid_for(price: int, left: int, whole: int, manner: Manner, *, is_first: bool) -> int | None:
    """What a unit pays for a step, None where it cannot. Who can move may always move one hex, but not by a low crawl
    or as an assault (or stealth) move if that takes all the points it has. `core 6.0`"""
    if manner == "move":
        if price <= left:
            return price
        return left if is_first and left >= 1 else None
    return None if price > left or (is_first and price >= whole) else price


def not_into_melee(state: State, stack: Sequence[Unit], manner: Manner, to: Place) -> Step | None:
    """Nobody enters melee by an assault move or a low crawl (L14), nor where no friend fights those alone who cannot:
    leaders without a weapon that is ready, medics, the Shaken. `core 8.0`, `core 11.1`, `core 8.1.1`, `core 5.1`"""
    if manner in ("assault", "low_crawl"):
        how = "an assault move" if manner == "assault" else "a low crawl"
        return Step(why="contact", reason=f"Nobody enters melee by {how}.", rule="core 8.0")
    if not any(is_eligible(state, each) for each in stack) and not eligible_at(state, to, (stack[0].side,)):
        return Step(why="contact", reason="They cannot fight a melee, and do not enter one alone.", rule="core 11.1")
    return None


def comes_nearer(state: State, each: Unit, origin: Place, to: Place) -> bool:
    """Whether a step brings a Shaken unit closer to an enemy whom its command perceives in its line of sight.
    `core 5.1`, `core 6.0`"""
    return any(is_nearer(state, origin, to, enemy) for enemy in going(state).seen_enemies(each, origin))


def refusal(step: Step) -> Refusal:
    """A step that cannot be made as the refusal of an order."""
    return Refusal(step.reason, step.rule, "path")
