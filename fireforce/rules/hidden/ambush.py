"""Ambushes: who has lain in wait long enough; and interrupting the enemy's move, a switch that a scenario turns on.

Without it an ambush is sprung in the own turn of whoever lies in it. `fireforce turn-sequence`
"""

from __future__ import annotations

from collections.abc import Sequence

from fireforce.happening.rulings import tell
from fireforce.happening.visibility import Prepared
from fireforce.orders.dispatch import at as at_moment
from fireforce.rules.fire import small_arms
from fireforce.rules.fire.fire_points import Shot, is_hidden, is_in_ambush, shot_at
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    enemy_commands,
    figure,
    has_figure,
    has_squad,
    members_of,
    plan_of,
    plans,
    side_of,
    squad,
    squads,
    visible_enemies,
)
from fireforce.state.setting import setting_of
from fireforce.table.ranges import base_to_base
from umpire.kernel.rulings import Ruling


def spring(state: State, moved: Sequence[str]) -> Ruling[State]:
    """When enemies have moved, each squad that lies hidden in a prepared position takes its first shot at the nearest
    of them within its range, if its plan or its standing orders say so; nobody is asked. Villagers spring none."""
    if not setting_of(state).options.ambush_interrupt or not moved:
        return state
    named = [piece for piece in moved if has_figure(state, piece)]
    for command in enemy_commands(state, figure(state, named[0]).command) if named else ():
        for unit in [each.id for each in squads(state) if each.command == command]:
            men = [man for man in members_of(state, squad(state, unit)) if is_in_ambush(state, man)]
            reach = _range(state, unit, command)
            if men and reach:
                # Nobody fires at whom he does not see, be he hidden still or beneath a card or counter.
                seen = {foe.id for foe in visible_enemies(state, command)}
                state = yield from _fire(state, men, [piece for piece in named if piece in seen], reach)
    return state


@at_moment("end", "ends", order=-1)
def lie_in_ambush(state: State) -> Ruling[State]:
    """Troops whose plan is an ambush, and who have lain hidden for the whole of their own player turn without moving or
    firing, are in a prepared position from now on. `fireforce small-arms`, `fireforce visibility`"""
    for plan in plans(state).values():
        if plan.on_contact != "ambush" or side_of(state, plan.command) != state.public.active:
            continue
        if not has_squad(state, plan.force):
            continue
        still = tuple(
            man.id
            for man in members_of(state, squad(state, plan.force))
            if is_hidden(state, man) and not (man.is_prepared or man.moved or man.fired or man.is_pinned)
        )
        if still:
            state = yield from tell(Prepared(figures=still, is_prepared=True))
    return state


def _range(state: State, unit: str, command: str) -> int:
    """Within which distance a squad opens fire by itself; 0 where it does not."""
    plan = plan_of(state, unit)
    if plan is not None:
        return plan.fire_range if plan.fire != "hold" else 0
    standing = state.commands[command].standing
    orders = standing.get(unit) or standing.get("")
    return orders.fire_range if orders is not None and orders.fire == "free" else 0


def _fire(state: State, men: Sequence[Figure], movers: Sequence[str], reach: int) -> Ruling[State]:
    near: list[tuple[int, Place, str]] = []
    for piece in movers:
        foe = figure(state, piece)
        away = min(base_to_base(man.at, foe.at, man.radius, foe.radius) for man in men)
        if foe.is_fit and not foe.is_civilian and away <= reach:
            near.append((away, foe.at, piece))
    for _, _, target in sorted(near):
        shooters = [man.id for man in men if isinstance(shot_at(state, man, figure(state, target), True), Shot)]
        if shooters:
            return (yield from small_arms.fire(state, shooters, target, True))
    return state
