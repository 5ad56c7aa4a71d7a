"""What a squad counts as, who leads its teams, and who of it keeps together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fireforce.book.rows import Quality
from fireforce.state.battle import (
    Figure,
    Place,
    Squad,
    State,
)
from fireforce.state.finding import (
    members_of,
)
from fireforce.state.setting import tables_of
from fireforce.table.formation import groups

# What a squad is


def quality_of(state: State, unit: Squad) -> Quality:
    """The quality that a squad counts as, of several teams the worst: the printed one less the levels it has lost.
    `fireforce motivation`"""
    return tables_of(state).dropped(unit.quality, unit.dropped)


def team_named(unit: Squad, team: str) -> str | None:
    """The team that an order means; "" stands for the only one. None where there is no such team."""
    if team:
        return team if team in unit.teams else None
    return next(iter(unit.teams)) if len(unit.teams) == 1 else None


def leader_of(state: State, unit: Squad, team: str) -> Figure | None:
    """Who leads a team: the squad leader if he is with it, else the assistant if he is: of his own fire team, of the
    squad when its leader is down, or of those with whom he goes on while the leader stays behind.
    `fireforce motivation-rating`"""
    men = members_of(state, unit, team)
    by_role = {man.role: man for man in reversed(men)}
    return by_role.get("leader") or by_role.get("assistant")


# Keeping together


def body_of(
    state: State, men: Sequence[Figure], places: Mapping[str, Place], left: Collection[str] = ()
) -> frozenset[str]:
    """The figures that keep together: the chain that holds their leader, or else the largest; no gap in it is wider
    than the coherency distance. Who may be left behind makes no chain the body of the others.
    `fireforce organisation`"""
    if not men:
        return frozenset()
    gap = tables_of(state).distance("coherency")
    found = groups([places.get(man.id, man.at) for man in men], gap)
    for role in ("leader", "assistant"):
        index = next((index for index, man in enumerate(men) if man.role == role and man.id not in left), None)
        if index is not None:
            return frozenset(men[each].id for each in next(group for group in found if index in group))
    body = max(found, key=lambda group: sum(men[each].id not in left for each in group))
    return frozenset(men[each].id for each in body)


def stragglers(state: State, unit: Squad, team: str) -> tuple[str, ...]:
    """The fit figures of a team out of touch with its body; they rejoin, or wait for it. `fireforce organisation`"""
    men = members_of(state, unit, team)
    body = body_of(state, men, {})
    return tuple(man.id for man in men if man.id not in body)
