"""Who is heard: feet and gunfire. A noise tells what kind of sound and from where, no more. `fireforce visibility`"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from fireforce import events
from fireforce.dispatch import notices
from fireforce.rules.allowance import kind_of_side
from fireforce.rules.spotting import is_hidden, observers
from fireforce.rulings import tell
from fireforce.setting import setting_of, tables_of
from fireforce.state import Place, State, figure, figures, side_of
from fireforce.table.going import point_along
from fireforce.table.hearing import OCTANTS, octant
from fireforce.table.ranges import distance
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
STEP = 100
"""How finely a way is listened to."""


def noise_of_movement(state: State, walks: Sequence[tuple[str, Sequence[Place], int]]) -> Ruling[State]:
    """What hidden figures have walked (id, path with its start, length) makes one noise, where it came nearest to an
    enemy. `fireforce visibility`"""
    hidden = [each for each in walks if each[2] > 0 and is_hidden(state, figure(state, each[0]))]
    if not hidden:
        return state
    first = figure(state, hidden[0][0])
    kind = f"{kind_of_side(state, first.side)}_moving"
    reach = tables_of(state).hearing(kind)
    ears = [man.at for man in observers(state, first.command)]
    best: tuple[int, Place] | None = None
    for _, path, length in hidden:
        for walked in (*range(0, length, STEP), length):
            at = point_along(path, walked)
            away = min((distance(at, ear) for ear in ears), default=reach + 1)
            if away <= reach and (best is None or away < best[0]):
                best = (away, at)
    if best is None:
        return state
    men = tuple(each[0] for each in hidden)
    return (
        yield from tell(
            events.NoiseMade(kind=kind, at=best[1], distance=reach, side=first.side, figures=men, count=len(men))
        )
    )


def gunfire(state: State, men: Sequence[str]) -> Ruling[State]:
    """The shots of these figures are heard: it bears on the motivation of whoever hears them. `fireforce visibility`,
    `fireforce motivation`"""
    if not men:
        return state
    first = figure(state, men[0])
    reach = tables_of(state).hearing("weapon_fire")
    state = yield from tell(
        events.NoiseMade(
            kind="weapon_fire", at=first.at, distance=reach, side=first.side, figures=tuple(men), count=len(men)
        )
    )
    heard = tuple(
        name
        for name in state.commands
        if any(each.command == name and each.is_fit and distance(each.at, first.at) <= reach for each in figures(state))
    )
    return (yield from tell(events.GunfireHeard(commands=heard, player_turn=state.public.player_turn)))


@notices(events.NoiseMade)
def _hear(before: State, event: events.NoiseMade, after: State) -> Iterator[KnowledgeEvent]:
    """Enemy commands within hearing that see none of those who made the noise hear it: what kind of sound, from which
    eighth of the compass as their nearest man has it, and no more. The place is a guess made from these alone."""
    for command in after.commands:
        if side_of(after, command) == event.side:
            continue
        known = after.umpire.aliases.get(command, {})
        if any(man in known or man in after.public.figures for man in event.figures):
            continue
        listeners = [man for man in figures(after) if man.command == command and man.is_fit]
        nearest = min(listeners, key=lambda man: (distance(man.at, event.at), man.id), default=None)
        if nearest is None or distance(nearest.at, event.at) > event.distance:
            continue
        bearing = octant(nearest.at, event.at)
        turn = after.public.turn
        looks = {"noise": NOISES.get(event.kind, event.kind)}
        if bearing is not None:
            looks["bearing"] = bearing
        guess = _guessed(after, nearest.at, bearing, event.distance // 2)
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


@notices(events.PlayerTurnBegan)
def _forget(before: State, event: events.PlayerTurnBegan, after: State) -> Iterator[KnowledgeEvent]:
    """Noises are forgotten after some turns."""
    for command, part in after.commands.items():
        for alias, contact in part.contacts.items():
            if contact.status == "heard" and event.turn - contact.seen >= NOISE_TURNS:
                yield FoundEmpty(command=command, alias=alias)
