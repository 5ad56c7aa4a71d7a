"""How the men of a force follow their guide on the way of its plan: beside him, each as far as he may go, each team
together. `fireforce umpire`, `fireforce motivation`, `fireforce organisation`
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from fireforce.rules.hidden.blinds import until
from fireforce.rules.men.coherency import out_of_touch
from fireforce.rules.men.squads import body_of
from fireforce.rules.movement.advance import share
from fireforce.rules.movement.allowance import Allowance, allowance, measured
from fireforce.rules.movement.legs import Stage
from fireforce.rules.movement.marching import Way
from fireforce.state.battle import (
    Figure,
    Place,
    Squad,
    State,
)
from fireforce.state.finding import (
    team_of,
)
from fireforce.state.setting import setting_of

CLOSE = 60
"""How near to whom he keeps with a man goes who cannot keep his place beside him."""
SHARES = (4, 3, 2, 1)
"""Quarters of the guide's way that are tried, until all of a team keep together."""


def in_touch(state: State, unit: Squad, men: Sequence[Figure]) -> frozenset[str]:
    """Those of some men who keep together with the others of their teams. `fireforce organisation`"""
    teams = ([man for man in men if team_of(unit, man.id) == name] for name in unit.teams)
    return frozenset(piece for mates in teams for piece in body_of(state, mates, {}))


def ways_of(
    state: State, unit: Squad, men: Sequence[Figure], guide: Figure, stage: Stage, length: int, foes: Sequence[Place]
) -> list[Way]:
    """The ways of men who go with a guide, as far as he and they may go and each team keeps together; who has lost
    touch with his team comes to it meanwhile. Whom the ground alone keeps back is left to follow.
    `fireforce motivation`, `fireforce organisation`"""
    allowed = {man.id: allowance(state, man) for man in men}
    teams = [[man for man in men if team_of(unit, man.id) == name] for name in unit.teams]
    body = in_touch(state, unit, men)
    leads: dict[str, Figure] = {}
    for mates in teams:
        lead = guide if guide in mates else next((man for man in mates if man.id in body), guide)
        leads |= {man.id: lead for man in mates}
    going = _Going(state, guide, stage, allowed, foes, body, leads)
    length = going.held(next(mates for mates in teams if guide in mates), length)
    return [each for mates in teams for each in _together(going, mates, going.held(mates, length))]


def _together(going: _Going, men: Sequence[Figure], length: int) -> list[Way]:
    """The ways of a team, as much of the guide's as it can go without losing anybody."""
    whole: list[Way] = []
    for quarters in SHARES if length else (0,):
        ways = list(going.ways(men, length * quarters // 4))
        ends = {each.figure: each.made.reached for each in ways if each.made is not None}
        movers = [man for man in men if man.id in ends]
        if not movers or not any(out_of_touch(going.state, movers, ends)):
            return ways
        whole = whole or ways
    if any(each.fraction < going.allowed[each.figure].full for each in whole):
        return list(going.ways([man for man in men if man.id not in going.body], 0))
    return whole


class _Going(NamedTuple):
    """Men who go with their guide along a stage of their plan."""

    state: State
    guide: Figure
    stage: Stage
    allowed: Mapping[str, Allowance]
    foes: Sequence[Place]
    body: frozenset[str]
    leads: Mapping[str, Figure]

    def ways(self, men: Sequence[Figure], length: int) -> Iterator[Way]:
        """The ways of those who go anywhere."""
        for man in men:
            each = self.way(man, length)
            if each is not None and each.made is not None and each.made.distance > 0:
                yield each

    def held(self, men: Sequence[Figure], length: int) -> int:
        """How far a team goes with those of its men whom motivation holds back: no farther than they."""
        bound = [man for man in men if length and man.id in self.body and self.allowed[man.id].advance != "full"]
        made = [each for man in bound if (each := self.way(man, length)) is not None]
        held = [each.made.distance for each in made if each.made and each.fraction < self.allowed[each.figure].full]
        return min((length, *held))

    def way(self, man: Figure, length: int) -> Way | None:
        """The way of one of them where the guide goes so far, as far as he may go: the guide's own; beside him; to
        whom he keeps with for who has lost touch or finds no way beside him; in the tracks of that one where this is
        blocked too."""
        ahead = until((self.guide.at, *self.stage.path), length) if length else ()
        if man.id == self.guide.id:
            return self._limited(man, ahead) if ahead else None
        if man.id in self.body and not ahead:
            return None
        lead = self.leads[man.id]
        tracks = (lead.at, *self._beside(lead, ahead))
        dx, dy = man.at[0] - lead.at[0], man.at[1] - lead.at[1]
        apart = max(1, round(math.hypot(dx, dy)))
        near = min(CLOSE, apart)
        x, y = tracks[-1]
        to_him = on_table(self.state, (x + dx * near // apart, y + dy * near // apart))
        ways = [(to_him,), tracks]
        if man.id in self.body:
            ways.insert(0, self._beside(man, ahead))
        first = self._limited(man, ways[0])
        # Another way is measured only where the one before is blocked: mostly none is.
        others = (self._limited(man, path) for path in ways[1:])
        return next((each for each in chain((first,), others) if not self._is_blocked(each)), first)

    def _beside(self, man: Figure, ahead: Sequence[Place]) -> tuple[Place, ...]:
        dx, dy = man.at[0] - self.guide.at[0], man.at[1] - self.guide.at[1]
        return tuple(on_table(self.state, (x + dx, y + dy)) for x, y in ahead)

    def _limited(self, man: Figure, path: tuple[Place, ...]) -> Way:
        limit = share(self.state, man, path, self.stage.manner, self.allowed[man.id], self.foes)
        made = measured(self.state, (man.at, *path), self.stage.manner, limit)
        return Way(figure=man.id, path=path, manner=self.stage.manner, fraction=limit, made=made)

    def _is_blocked(self, way: Way) -> bool:
        return way.made is not None and not way.made.complete and way.made.spent < way.fraction


def on_table(state: State, at: Place) -> Place:
    table = setting_of(state).table
    return (min(max(at[0], 0), table.width), min(max(at[1], 0), table.depth))
