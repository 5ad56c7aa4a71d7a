"""Who is heard: feet and gunfire. A noise tells what kind of sound and from where, no more. `fireforce visibility`

Nobody stands for a group: each of those who make a noise is heard wherever he makes it, by each who listens.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from fireforce.happening.rulings import tell
from fireforce.happening.turn import PlayerTurnBegan
from fireforce.happening.visibility import GunfireHeard, NoiseMade, Prepared
from fireforce.orders.dispatch import notices
from fireforce.rules.hidden.spotting import is_hidden, observers
from fireforce.state.battle import (
    Figure,
    Place,
    State,
)
from fireforce.state.finding import (
    counter_over,
    figure,
    figures,
    side_of,
    squad,
    team_of,
)
from fireforce.state.setting import kind_of_side, setting_of, tables_of
from fireforce.table.hearing import OCTANTS, heard, octant
from umpire.kernel.events import FoundEmpty, Heard, KnowledgeEvent
from umpire.kernel.rulings import Ruling
from umpire.kernel.states import Contact

NOISES = {
    "vehicle": "vehicle",
    "regular_moving": "troops moving",
    "indigenous_moving": "troops moving",
    "weapon_fire": "gunfire",
    "helicopter": "helicopter",
}
"""Noises as they sound: nobody hears whose feet they are."""

NOISE_TURNS = 2
"""Noises are forgotten after so many turns (house)."""


class Source(Struct, frozen=True, kw_only=True):
    """Who makes a noise, and all along which way (with its start; one place for who stands)."""

    man: Figure
    way: tuple[Place, ...]


class Overheard(Struct, frozen=True, kw_only=True, order=True):
    """A noise as one listener has it: how far off it came at its nearest, and where that was."""

    distance: int
    listener: str
    at: Place


# Who hears


def overheard(sources: Sequence[Source], ears: Iterable[Figure], reach: int) -> list[Overheard]:
    """What each of these listeners hears of all who make a noise: his own nearest, wherever on any of their ways that
    is. The order of either makes no difference. `fireforce visibility`"""
    if not sources:
        return []
    x, y = ([place[axis] for source in sources for place in source.way] for axis in (0, 1))
    widest = max(source.man.radius for source in sources)
    west, east, south, north = min(x), max(x), min(y), max(y)
    found: list[Overheard] = []
    for ear in ears:
        far = reach + widest + ear.radius + 1
        if not (west - far <= ear.at[0] <= east + far and south - far <= ear.at[1] <= north + far):
            continue
        noises = [
            Overheard(distance=noise.distance, listener=ear.id, at=noise.at)
            for source in sources
            if (noise := heard(source.way, ear.at, reach, source.man.radius, ear.radius)) is not None
        ]
        if noises:
            found.append(min(noises))
    return found


def listeners(state: State, command: str) -> tuple[Figure, ...]:
    """The men of a command who listen: those who are fit, and no civilians."""
    return tuple(man for man in figures(state) if man.command == command and man.is_fit and not man.is_civilian)


# Feet


def noise_of_movement(state: State, walks: Iterable[tuple[str, Sequence[Place]]]) -> Ruling[State]:
    """Figures have walked, each (by id) all along a way with its start. Those whom no enemy sees, hidden ones and those
    beneath a counter, make one noise; one on the table who has been heard does not begin to hide.
    `fireforce visibility`"""
    moved = [Source(man=figure(state, piece), way=tuple(way)) for piece, way in walks if len(way) > 1]
    unseen = [each for each in moved if is_hidden(state, each.man) or counter_over(state, each.man.id) is not None]
    hiding = [each for each in moved if each.man.is_placed and each.man.hidden_turns]
    if not unseen and not hiding:
        return state
    man = moved[0].man
    kind = f"{kind_of_side(state, man.side)}_moving"
    reach = tables_of(state).hearing(kind)
    ears = observers(state, man.command)
    nearest = min(overheard(unseen, ears, reach), default=None)
    if nearest is not None:
        state = yield from tell(_noise(kind, unseen, reach, nearest.at))
    return (yield from _is_heard(state, hiding, reach))


def _noise(kind: str, sources: Sequence[Source], reach: int, at: Place) -> NoiseMade:
    return NoiseMade(
        kind=kind,
        at=at,
        distance=reach,
        side=sources[0].man.side,
        figures=tuple(each.man.id for each in sources),
        count=len(sources),
        ways=tuple(each.way for each in sources),
    )


def _is_heard(state: State, hiding: Sequence[Source], reach: int) -> Ruling[State]:
    """Of those on the table who are out of sight the time of hiding begins anew for whom an enemy has heard."""
    for each in hiding:
        if overheard([each], observers(state, each.man.command), reach):
            state = yield from tell(Prepared(figures=(each.man.id,), is_prepared=each.man.is_prepared))
    return state


# Gunfire


def gunfire(state: State, men: Sequence[str]) -> Ruling[State]:
    """The shots of these figures are heard: it bears on the motivation of whoever hears one of them.
    `fireforce visibility`, `fireforce motivation`"""
    sources = [Source(man=man, way=(man.at,)) for man in (figure(state, each) for each in men)]
    if not sources:
        return state
    reach = tables_of(state).hearing("weapon_fire")
    nearest = min(overheard(sources, observers(state, sources[0].man.command), reach), default=None)
    at = min(each.man.at for each in sources) if nearest is None else nearest.at
    state = yield from tell(_noise("weapon_fire", sources, reach, at))
    teams = _teams_that_hear(state, sources, reach)
    state = yield from tell(GunfireHeard(commands=(), teams=teams, player_turn=state.public.player_turn))
    return (yield from _is_heard(state, [each for each in sources if each.man.hidden_turns], reach))


def _teams_that_hear(state: State, sources: Sequence[Source], reach: int) -> dict[str, tuple[str, ...]]:
    """The teams of which a man hears it, by squad: each rolls for motivation by what it hears itself."""
    ears = [man for name in state.commands for man in listeners(state, name) if man.squad]
    teams: dict[str, set[str]] = {}
    for each in overheard(sources, ears, reach):
        unit = squad(state, figure(state, each.listener).squad)
        teams.setdefault(unit.id, set()).add(team_of(unit, each.listener))
    return {unit: tuple(sorted(teams[unit])) for unit in sorted(teams)}


# What is told of it


@notices(NoiseMade)
def _hear(before: State, event: NoiseMade, after: State) -> Iterator[KnowledgeEvent]:
    """An enemy command within hearing of somebody whom it does not see hears what kind of sound it is and from which
    eighth of the compass as the nearest of its men has it, and no more. The place is a guess made from these alone."""
    made = [
        Source(man=figure(after, piece), way=way)
        for piece, way in zip(event.figures, event.ways, strict=True)
        if piece not in after.public.pieces
    ]
    for command in after.commands:
        if side_of(after, command) == event.side:
            continue
        known = after.umpire.aliases.get(command, {})
        unseen = [each for each in made if each.man.id not in known]
        nearest = min(overheard(unseen, listeners(after, command), event.distance), default=None)
        if nearest is None:
            continue
        ear = figure(after, nearest.listener)
        bearing = octant(ear.at, nearest.at)
        turn = after.public.turn
        looks = {"noise": NOISES.get(event.kind, event.kind)}
        if bearing is not None:
            looks["bearing"] = bearing
        guess = _guessed(after, ear.at, bearing, event.distance // 2)
        yield Heard(
            command=command,
            contact=Contact(
                kind="noise", at=guess, looks=dict(sorted(looks.items())), since=turn, seen=turn, status="heard"
            ),
        )


def _guessed(state: State, at: Place, bearing: str | None, away: int) -> Place:
    if bearing is None:
        return at
    angle = math.radians(45 * OCTANTS.index(bearing))
    table = setting_of(state).table
    x, y = at[0] + round(away * math.sin(angle)), at[1] + round(away * math.cos(angle))
    return (min(max(x, 0), table.width), min(max(y, 0), table.depth))


@notices(PlayerTurnBegan)
def _forget(before: State, event: PlayerTurnBegan, after: State) -> Iterator[KnowledgeEvent]:
    """Noises are forgotten after some turns."""
    for command, part in after.commands.items():
        for alias, contact in part.contacts.items():
            if contact.status == "heard" and event.turn - contact.seen >= NOISE_TURNS:
                yield FoundEmpty(command=command, alias=alias)
