"""What troops do that do not do as ordered: they retreat, run, surrender; and moves that are over unused."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from fireforce.book.rows import Manner
from fireforce.happening.movement import FireForgotten, MustWithdraw, TeamMoved
from fireforce.happening.rulings import tell
from fireforce.happening.searching import BrokeOff
from fireforce.rules.hidden.blinds import march_card
from fireforce.rules.hidden.reveal import take_up
from fireforce.rules.men.conduct import is_made_to_go
from fireforce.rules.men.surrender import surrender
from fireforce.rules.movement.advance import dangers, gap, leads_away, threats
from fireforce.rules.movement.allowance import Allowance, allowance, measured, rates
from fireforce.rules.movement.marching import Way, march
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    card_over,
    counter_over,
    figure,
    figures,
    members_of,
    squad,
    squads,
)
from fireforce.table.ranges import nearest
from umpire.kernel.rulings import Ruling

RULE = "fireforce motivation"
TURNS = (0, 30, -30, 60, -60, 90, -90)
"""Degrees by which a way back is tried to either side of the straight one."""


def manner_of(allowed: Allowance) -> Manner:
    """Whoever retreats makes a tactical move, whoever breaks runs. `fireforce motivation`"""
    return "running" if allowed.withdraws == "run" else "tactical"


def way_back(state: State, man: Figure, allowed: Allowance, foes: Sequence[Place]) -> tuple[Place, ...]:
    """The straight way that leads a full move away from the enemies in sight, or from where the enemy is taken to be:
    the one that ends farthest from whoever of them is nearest then; no way where none leads away.
    `fireforce motivation`"""
    known = dangers(state, man, foes)
    if not known:
        return ()
    danger = known[nearest(known, man.at) or 0]
    manner = manner_of(allowed)
    reach = max(rates(state, manner).values())
    away = math.atan2(man.at[1] - danger[1], man.at[0] - danger[0])
    best: tuple[Place, ...] = ()
    best_gap = -1
    for turn in TURNS:
        angle = away + math.radians(turn)
        goal = (man.at[0] + round(reach * math.cos(angle)), man.at[1] + round(reach * math.sin(angle)))
        way = (measured(state, (man.at, goal), manner, allowed.full).reached,)
        if (far := gap(state, man, way[-1], foes)) > best_gap and leads_away(state, man, way, foes):
            best, best_gap = way, far
    return best


def withdraw(state: State, men: Sequence[str]) -> Ruling[State]:
    """Those of the figures that must withdraw do so, each on his own straight way; men under a card together with it,
    men under a counter on the table. `fireforce motivation`"""
    state = yield from break_off(state, men)
    ways: list[Way] = []
    moved_cards: set[str] = set()
    for piece in men:
        man = figure(state, piece)
        allowed = allowance(state, man)
        if not allowed.is_dictated:
            continue
        covered = card_over(state, man.squad) if man.squad else None
        at = man if covered is None else replace(man, at=covered.at)
        path = way_back(state, at, allowed, threats(state, man.command))
        if not path:
            continue
        if covered is not None:
            if covered.id not in moved_cards:
                moved_cards.add(covered.id)
                state = yield from march_card(state, covered.id, path, manner_of(allowed), allowed.full)
            continue
        over = counter_over(state, piece)
        if over is not None:
            state = yield from take_up(state, over.id, "withdrawn")
        ways.append(Way(figure=piece, path=path, manner=manner_of(allowed), fraction=allowed.full, why="withdrawal"))
    state = yield from march(state, ways)
    return (yield from has_withdrawn(state, men))


def break_off(state: State, men: Iterable[str]) -> Ruling[State]:
    """Whoever is made to go leaves undone what he was busy with. `fireforce motivation`"""
    busy = [man for piece in men if (man := figure(state, piece)).searching or man.destroying]
    if going := tuple(man.id for man in busy if is_made_to_go(state, man)):
        state = yield from tell(BrokeOff(figures=going))
    return state


def has_withdrawn(state: State, men: Iterable[str]) -> Ruling[State]:
    """Whoever had to withdraw from close combat has done so. `fireforce close-combat`"""
    for piece in men:
        man = figure(state, piece)
        if man.must_withdraw and man.is_fit:
            state = yield from tell(MustWithdraw(figure=piece, must_withdraw=False))
    return state


def close_moves(state: State, command: str, but: str = "") -> Ruling[State]:
    """The moves of a command's teams that have been rolled for are over; with `but`, of all squads but this one. What
    they are made to do and have not done they do now. `fireforce motivation`"""
    ends_phase = not but
    for unit in [each for each in squads(state) if each.command == command and each.id != but]:
        for name in unit.teams:
            team = squad(state, unit.id).teams[name]
            waits = not (team.result or ends_phase)
            if team.has_moved or (waits and all(each.has_moved for each in team.rolled)):
                continue
            # Of a team that has still to roll those go who have rolled apart.
            men = [
                man.id for man in members_of(state, squad(state, unit.id), name) if not waits or man.id not in team.own
            ]
            state = yield from surrender(state, [man for man in men if not figure(state, man).moved])
            if dictated := [man for man in men if allowance(state, figure(state, man)).is_dictated]:
                state = yield from withdraw(state, dictated)
            if members_of(state, squad(state, unit.id), name):
                state = yield from tell(TeamMoved(squad=unit.id, team=name, only_rolled=waits))
    if ends_phase:
        alone = [man.id for man in figures(state) if man.command == command and not man.squad and man.must_withdraw]
        state = yield from withdraw(state, alone)
        state = yield from _forget_fire(state, command)
    return state


def _forget_fire(state: State, command: str) -> Ruling[State]:
    """Who rolls for nothing is under fire until his own move is over: as long as a roll would have asked for it.
    `fireforce motivation`"""
    for unit in [each for each in squads(state) if each.command == command]:
        for name, team in unit.teams.items():
            if not team.result and (team.is_under_fire or team.was_under_fire):
                state = yield from tell(FireForgotten(squad=unit.id, team=name))
    return state
