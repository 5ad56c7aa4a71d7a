"""Broken men who surrender: before they would run, and to whoever comes up to them. `fireforce motivation`"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fireforce.book.rows import MotivationResult
from fireforce.orders.dispatch import at as at_moment
from fireforce.rules.hidden.reveal import put_on_table
from fireforce.rules.men.conduct import conduct
from fireforce.rules.men.losses import captured
from fireforce.rules.men.motivation import hostiles
from fireforce.state.battle import (
    Figure,
    State,
    Team,
)
from fireforce.state.finding import (
    by_place,
    enemy_commands,
    figure,
    members_of,
    squads,
)
from fireforce.state.setting import setting_of, tables_of
from fireforce.table.ranges import base_to_base, distance
from umpire.kernel.rulings import Ruling


def surrender(state: State, men: Sequence[str]) -> Ruling[State]:
    """Of the figures of a broken team those near an enemy in sight surrender to him. `fireforce motivation`"""
    reach = tables_of(state).distance("surrender")
    for piece in men:
        man = figure(state, piece)
        row = conduct(state, man).row
        if row is None or not row.surrenders or not man.is_fit:
            continue
        near = [
            foe for foe in hostiles(state, man.command) if base_to_base(man.at, foe.at, man.radius, foe.radius) <= reach
        ]
        if near:
            taker = min(near, key=lambda foe: (distance(man.at, foe.at), foe.at, foe.id))
            # Of an enemy in a belief nobody can tell the command: any of his side will do.
            by = taker.command or next(iter(enemy_commands(state, man.command)), "")
            state = yield from put_on_table(state, [piece], "surrendered")
            state = yield from captured(state, piece, by)
    return state


def surrender_to_movers(state: State, movers: Iterable[str]) -> Ruling[State]:
    """Figures have moved: broken enemies to whom they have come near surrender, and so do those of themselves who have
    run to where an enemy is. `fireforce motivation`"""
    moved = set(movers)
    sides = {figure(state, piece).side for piece in moved}
    men = [man.id for man in _broken(state) if man.id in moved or man.side not in sides]
    return (yield from surrender(state, by_place(state, men))) if men else state


@at_moment("visibility", "begins", order=2)
def surrender_to_those_found(state: State) -> Ruling[State]:
    """Broken men near whom an enemy has shown up surrender to him. `fireforce motivation`"""
    return (yield from surrender(state, by_place(state, [man.id for man in _broken(state)])))


def _broken(state: State) -> list[Figure]:
    """The fit men of teams that have broken, or partly so."""
    results = setting_of(state).book.table("motivation_results", MotivationResult)
    broken = {key for key, row in results.items() if row.surrenders}

    def has_broken(team: Team) -> bool:
        return team.result in broken or any(each.result in broken for each in team.rolled)

    return [
        man
        for unit in squads(state)
        for name, team in unit.teams.items()
        if has_broken(team)
        for man in members_of(state, unit, name)
    ]
