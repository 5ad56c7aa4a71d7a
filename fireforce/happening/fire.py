"""Fire, hits, saves, and close combat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fireforce.happening.changing import with_men, with_team
from fireforce.happening.register import happens, unchanged
from fireforce.state.battle import Place, State
from umpire.kernel.events import Event
from umpire.kernel.pieces.changing import with_piece
from umpire.kernel.values.modifiers import Modifier


class Fired(Event, frozen=True, kw_only=True, tag="fired"):
    """Figures have fired at a target and those near it (`area`), standing at `at`. `from_ambush`: it was their first
    shot from a prepared position, which is used now."""

    figures: tuple[str, ...]
    target: str
    area: tuple[str, ...] = ()
    mode: Literal["aimed", "prophylactic"] = "aimed"
    at: Place
    from_ambush: bool = False


@happens(Fired, public="where_open", perceived=True)
def _fired(state: State, event: Fired) -> State:
    changes: dict[str, Any] = {"fired": event.mode}
    if event.from_ambush:
        changes["has_fired_from_ambush"] = True
    return with_men(state, event.figures, **changes)


class FireHeld(Event, frozen=True, kw_only=True, tag="fire_held"):
    """Poorly trained troops let the opportunity pass: these figures do not fire this turn."""

    figures: tuple[str, ...]


@happens(FireHeld, public="where_open")
def _fire_held(state: State, event: FireHeld) -> State:
    return with_men(state, event.figures, fired="held")


class CameUnderFire(Event, frozen=True, kw_only=True, tag="came_under_fire"):
    """Teams have been fired at (squad id to names of its teams)."""

    teams: Mapping[str, tuple[str, ...]]


@happens(CameUnderFire, public="where_open")
def _came_under_fire(state: State, event: CameUnderFire) -> State:
    for unit, teams in event.teams.items():
        for team in teams:
            state = with_team(state, unit, team, is_under_fire=True)
    return state


class HitsScored(Event, frozen=True, kw_only=True, tag="hits_scored"):
    """What a fire came to: its points and their working, hits, and how many may be critical."""

    figures: tuple[str, ...]
    target: str
    fire_points: int
    hits: int
    criticals: int = 0
    working: tuple[Modifier, ...] = ()


happens(HitsScored, public="where_open", perceived=True)(unchanged)


class HitsAllocated(Event, frozen=True, kw_only=True, tag="hits_allocated"):
    """Who has been hit, once for each hit; `criticals` those chosen by the firer."""

    target: str
    figures: tuple[str, ...]
    criticals: tuple[str, ...] = ()


happens(HitsAllocated, public="where_open", perceived=True)(unchanged)


class Saved(Event, frozen=True, kw_only=True, tag="saved"):
    """A figure that was hit is saved."""

    figure: str


happens(Saved, public="where_open", perceived=True)(unchanged)


class Pinned(Event, frozen=True, kw_only=True, tag="pinned"):
    """A figure is pinned until the end of its side's player turn in game turn `until`."""

    figure: str
    by: Literal["fire", "he"] = "fire"
    until: int


@happens(Pinned, public="where_open", perceived=True)
def _pinned(state: State, event: Pinned) -> State:
    return with_piece(state, event.figure, pinned=event.by, pinned_until=event.until)


class Unpinned(Event, frozen=True, kw_only=True, tag="unpinned"):
    """Figures are pinned no more."""

    figures: tuple[str, ...]


@happens(Unpinned, public="where_open")
def _unpinned(state: State, event: Unpinned) -> State:
    return with_men(state, event.figures, pinned="", pinned_until=0)


class CloseCombatFought(Event, frozen=True, kw_only=True, tag="close_combat_fought"):
    """Two figures have fought: their scores with all modifiers, and what came of it."""

    figure: str
    target: str
    score: int
    target_score: int
    result: str = ""


happens(CloseCombatFought, public="where_open", perceived=True)(unchanged)
