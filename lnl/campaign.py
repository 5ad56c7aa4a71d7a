"""What of a battle goes on to a campaign: its units with what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from lnl.rules.turn.victory import losses
from lnl.state.battle import State, Unit
from lnl.state.finding import counter_of, units, weapons_of
from lnl.words.naming import counter_name, name_of
from umpire.kernel.registry import GoesOn

Fate = Literal["fit", "wounded", "killed", "captured", "missing"]


def goes_on(state: State) -> Mapping[str, GoesOn]:
    """Every unit that somebody leads, by id, and those that are lost; of a belief its own and the open ones. Who has
    left the board, or never came, is fit. Where a hero's counter has come in again after its loss, it is the man on the
    board that goes on. `core 5.1`, `core 8.1`, `core 11.2`"""
    found = {**dict(_lost(state)), **dict(_left(state))}
    return dict(sorted(found.items(), key=lambda each: each[0]))


def _left(state: State) -> Iterator[tuple[str, GoesOn]]:
    for each in units(state):
        if each.command:
            yield (
                each.id,
                GoesOn(
                    side=each.side,
                    command=each.command,
                    fate=_fate(each),
                    name=name_of(state, each.id),
                    role=counter_of(state, each).kind,
                    quality=each.counter,
                    weapons=tuple(gun.counter for gun in weapons_of(state, each)),
                ),
            )


def _fate(each: Unit) -> Fate:
    return "wounded" if each.is_wounded else "fit"


def _lost(state: State) -> Iterator[tuple[str, GoesOn]]:
    fates: dict[str, Fate] = {"eliminated": "killed", "surrendered": "captured", "removed": "missing", "exited": "fit"}
    for loss in losses(state):
        if loss.how in fates:
            name = counter_name(state, loss.counter)
            yield (
                loss.unit,
                GoesOn(side=loss.side, command=loss.command, fate=fates[loss.how], name=name, quality=loss.counter),
            )
