"""Keeping together: who of a team may be left, who comes along, and who has to rejoin. `fireforce organisation`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fireforce.rules.men.squads import body_of
from fireforce.rules.movement.allowance import Allowance, allowance
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    members_of,
    squad_of,
    team_of,
)
from fireforce.state.setting import tables_of
from fireforce.table.ranges import distance
from fireforce.words.naming import name_of
from umpire.kernel.values.modifiers import Refusal

RULE = "fireforce organisation"


def out_of_touch(state: State, men: Sequence[Figure], ends: Mapping[str, Place]) -> Iterator[Refusal]:
    """Why men of one team may not end a move at these places: nobody who could come along is left behind, nobody leaves
    the others, and who has lost touch comes nearer. Pinned men, and those who are made to go, do as they must: neither
    are they bound, nor do they bind the others. `fireforce organisation`"""
    unit = squad_of(state, men[0])
    if unit is None:
        return
    team = members_of(state, unit, team_of(unit, men[0].id))
    allowed = {man.id: allowance(state, man) for man in team}
    free = {man.id for man in team if not (allowed[man.id].is_dictated or man.is_pinned)}
    if not any(man.id in ends for man in team if man.id in free):
        return
    left = {man.id for man in team if man.id not in free or (man.id not in ends and _is_left(man, allowed[man.id]))}
    before = body_of(state, team, {}, left)
    after = body_of(state, team, ends, left)
    gap = tables_of(state).distance("coherency") / 100
    for man in team:
        if man.id in after or man.id not in free:
            continue
        who = name_of(state, man.id)
        if man.id in before:
            if man.id in ends:
                yield Refusal(f'{who} would be more than {gap:g}" from the others.', RULE, "path")
                return
            if man.id not in left:
                yield Refusal(f'{who} would be left more than {gap:g}" behind: move him too.', RULE, "figures")
                return
        elif man.id in ends and not _comes_nearer(man, ends, team, after):
            yield Refusal(f"{who} has lost touch: he rejoins, or waits.", RULE, "path")
            return


def _is_left(man: Figure, mine: Allowance) -> bool:
    """Whether the others may go on without him: he cannot move in this turn. Not one who has moved, nor one who could
    come along when his team has been rolled for."""
    return mine.barred is not None and not man.moved and not mine.waits


def _comes_nearer(man: Figure, ends: Mapping[str, Place], team: Sequence[Figure], body: Iterable[str]) -> bool:
    others = [mate for mate in team if mate.id in body]
    if not others:
        return True
    here = min(distance(man.at, ends.get(mate.id, mate.at)) for mate in others)
    there = min(distance(ends[man.id], ends.get(mate.id, mate.at)) for mate in others)
    return there < here
