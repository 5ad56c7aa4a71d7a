"""Melee: markers, and the rounds that are fought."""

from __future__ import annotations

from lnl.board.hexes import Place
from lnl.happening.register import happens, says
from lnl.state.battle import Melee, State, place_key
from lnl.words.line import line
from lnl.words.naming import names_of, place_words
from umpire.kernel.events import Event
from umpire.kernel.parts import with_public
from umpire.kernel.registry import LogLine
from umpire.kernel.values.maps import drop, put


class MeleeMarked(Event, frozen=True, kw_only=True, tag="melee_marked"):
    """Units are locked in Melee here. `core 8.1`"""

    melee: Melee


@happens(MeleeMarked, public="where_open")
def _melee_marked(state: State, event: MeleeMarked) -> State:
    return with_public(state, melees=put(state.public.melees, place_key(event.melee.at), event.melee))


@says(MeleeMarked)
def _melee_marked_words(state: State, event: MeleeMarked) -> LogLine:
    at = event.melee.at
    return line(f"Melee at {place_words(state, at)}.", "melee", "core 8.1", at=(at,))


class MeleeOver(Event, frozen=True, kw_only=True, tag="melee_over"):
    """A Melee marker is taken off. `core 8.1`"""

    at: Place


@happens(MeleeOver, public="where_open")
def _melee_over(state: State, event: MeleeOver) -> State:
    return with_public(state, melees=drop(state.public.melees, place_key(event.at)))


@says(MeleeOver)
def _melee_over_words(state: State, event: MeleeOver) -> LogLine:
    return line(f"The melee at {place_words(state, event.at)} is over.", "melee", "core 8.1", at=(event.at,))


class MeleeFought(Event, frozen=True, kw_only=True, tag="melee_fought"):
    """A round of Melee: who attacked whom, the odds, what was needed and rolled. `core 8.0`"""

    command: str
    at: Place
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    odds: str
    needed: int
    total: int
    is_won: bool


@happens(MeleeFought, public="where_open", perceived=True)
def _melee_fought(state: State, event: MeleeFought) -> State:
    return state


@says(MeleeFought)
def _melee_fought_words(state: State, event: MeleeFought) -> LogLine:
    what = "the defenders fall" if event.is_won else "no effect"
    text = (
        f"Melee at {place_words(state, event.at)}: {names_of(state, event.attackers)} against "
        f"{names_of(state, event.defenders)} at {event.odds}: {event.total}, {event.needed} needed: {what}."
    )
    return line(text, "melee", "core 8.0", (*event.attackers, *event.defenders), (event.at,))
