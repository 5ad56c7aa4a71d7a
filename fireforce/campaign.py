"""What of a battle goes on to a campaign: the men with their fates, and the caches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from fireforce.rules.turn.victory_points import is_abandoned
from fireforce.rules.works.stores import was_dropped
from fireforce.state.battle import (
    Card,
    Figure,
    State,
)
from fireforce.state.finding import (
    cards,
    figures,
    reserves,
    side_of,
    squad,
)
from umpire.kernel.registry import GoesOn


def goes_on(state: State) -> Mapping[str, GoesOn]:
    """Every man (also off the table) and every cache that somebody leads, by id; of a belief its own and the open ones.

    What is in sight of a belief is not there: nobody can tell of a contact who it is. Peasants and stores that a man
    has put down are of this battle alone. A casualty is wounded, how badly the umpire says; one whom his side has left
    behind is missing (house). `fireforce saving-throws`, `fireforce searching`, `fireforce victory-points`
    """
    return dict(sorted((*_men(state), *_caches(state))))


def _men(state: State) -> Iterator[tuple[str, GoesOn]]:
    there = [(man, squad(state, man.squad).name if man.squad else "") for man in figures(state) if man.command]
    waiting = [(man, each.squad.name) for each in reserves(state) for man in each.figures]
    for man, unit in (*there, *waiting):
        if not man.is_civilian:
            yield (
                man.id,
                GoesOn(
                    side=man.side,
                    command=man.command,
                    fate=_fate(state, man),
                    squad=unit,
                    name=man.name,
                    quality=man.quality,
                    role=man.role,
                    motivation_rating=man.motivation_rating,
                    weapons=man.weapons,
                ),
            )


def _fate(state: State, man: Figure) -> Literal["fit", "wounded", "captured", "missing"]:
    if man.status == "casualty":
        return "missing" if is_abandoned(state, man) else "wounded"
    return man.status


def _caches(state: State) -> Iterator[tuple[str, GoesOn]]:
    for lying in cards(state):
        if lying.kind == "cache" and not was_dropped(state, lying):
            side = side_of(state, lying.command)
            yield (
                lying.id,
                GoesOn(
                    kind="cache", side=side, command=lying.command, fate="found" if _is_found(state, lying) else "kept"
                ),
            )


def _is_found(state: State, cache: Card) -> bool:
    """Whether an enemy has searched it: then it is found, whatever he did with it."""
    side = side_of(state, cache.command)
    return cache.is_face_up and any(side_of(state, command) != side for command in cache.searched_by)
