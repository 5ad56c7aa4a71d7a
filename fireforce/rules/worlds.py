"""Invariants of a state, and fates for odds."""

from __future__ import annotations

from collections.abc import Iterator

from fireforce.state.battle import (
    AnyPiece,
    Believed,
    Figure,
    Place,
    Squad,
    State,
)
from fireforce.state.finding import (
    cards,
    counters,
    figure,
    figures,
    has_figure,
    squads,
)
from fireforce.state.setting import ground_of, setting_of
from fireforce.table.ground import Ground
from fireforce.words.naming import name_of
from umpire.kernel.pieces.finding import maps_of
from umpire.kernel.pieces.problems import problems
from umpire.kernel.registry import Fate
from umpire.kernel.values.maps import is_ordered


def impossible(state: State) -> Iterator[str]:
    """What no battle can be, in words."""
    setting = setting_of(state)
    table = setting.table
    yield from problems(state)
    for where, pieces in maps_of(state):
        if not is_ordered(pieces):
            yield f"the pieces of {where} are not in the order of their ids"
    placed: list[AnyPiece] = [*figures(state), *cards(state), *counters(state)]
    for each in placed:
        if not (0 <= each.at[0] <= table.width and 0 <= each.at[1] <= table.depth):
            yield f"{each.id} is off the table at {each.at}"
    for man in figures(state):
        yield from _of_figure(state, man)
    for unit in squads(state):
        yield from _of_squad(state, unit)
    for name, command in setting.commands.items():
        if not command.is_open and any(each.command == name for each in state.public.pieces.values()):
            yield f"figures of the hidden command {name} are public"
    yield from _of_contacts(state)


def breaches(state: State) -> Iterator[str]:
    """What no rule allows and the umpire may order, in words that he reads. `fireforce movement`"""
    ground = ground_of(state)
    out = [man for man in figures(state) if man.is_fit and _is_inside_impassable(ground, man.at)]
    for piece in dict.fromkeys(man.squad or man.id for man in out):
        yield f"{name_of(state, piece)} on impassable ground"


def _is_inside_impassable(ground: Ground, at: Place) -> bool:
    """Whether nobody can have walked there: up to the very edge of such ground one may."""
    x, y = at
    around = [at, (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return all(ground.going_at(each) == "impassable" for each in around if ground.is_on_table(each))


def _of_figure(state: State, man: Figure) -> Iterator[str]:
    if man.squad:
        unit = next((unit for unit in squads(state) if unit.id == man.squad), None)
        if unit is None or man.id not in unit.members:
            yield f"{man.id} is in no squad {man.squad}"
    if not man.is_fit and man.pinned:
        yield f"{man.id} is out of the battle and pinned"
    if bool(man.pinned) != bool(man.pinned_until):
        yield f"{man.id} is pinned without an end, or not pinned with one"
    if man.pinned and man.pinned_until < state.public.turn and state.public.result is None:
        yield f"{man.id} is pinned beyond its time"


def _of_squad(state: State, unit: Squad) -> Iterator[str]:
    of_teams = sorted(man for team in unit.teams.values() for man in team.members)
    if of_teams != sorted(unit.members):
        yield f"the teams of {unit.id} are not its members, each in one"
    for man in unit.members:
        if not has_figure(state, man):
            yield f"{unit.id} has a member {man} who is nowhere"
    lost = sum(1 for man in unit.members if has_figure(state, man) and not figure(state, man).is_fit)
    if unit.casualties < lost:
        yield f"{unit.id} has lost {lost} men and counts {unit.casualties} casualties"


def _of_contacts(state: State) -> Iterator[str]:
    for command, known in state.umpire.aliases.items():
        contacts = state.commands[command].contacts
        if len(set(known.values())) != len(known):
            yield f"{command} knows two things under one alias"
        for subject, alias in known.items():
            if alias not in contacts:
                yield f"{command} has an alias {alias} without a contact"
            elif contacts[alias].status == "in_sight" and not _is_there(state, subject):
                yield f"{command} sees {alias}, and nothing is there"


def _is_there(state: State, subject: str) -> bool:
    if has_figure(state, subject):
        return figure(state, subject).is_fit
    return any(each.id == subject for each in (*cards(state), *counters(state)))


def fates(before: Believed, after: Believed) -> tuple[Fate, ...]:
    """What became of figures and squads between two beliefs: casualty, captured, pinned, a result of motivation."""
    found: list[Fate] = []
    for man in figures(after):
        if not has_figure(before, man.id):
            continue
        old = figure(before, man.id)
        if man.status != old.status:
            found.append(Fate(piece=man.id, what=man.status))
        elif man.pinned and not old.pinned:
            found.append(Fate(piece=man.id, what="pinned"))
        elif man.must_withdraw and not old.must_withdraw:
            found.append(Fate(piece=man.id, what="withdraws"))
    earlier = {unit.id: unit for unit in squads(before)}
    for unit in squads(after):
        for name, team in unit.teams.items():
            old_team = earlier[unit.id].teams.get(name) if unit.id in earlier else None
            if team.result and (old_team is None or (team.result, team.score) != (old_team.result, old_team.score)):
                piece = unit.id if len(unit.teams) == 1 else f"{unit.id} {name}"
                found.append(Fate(piece=piece, what=team.result))
    return tuple(found)
