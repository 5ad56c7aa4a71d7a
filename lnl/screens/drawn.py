"""What a client draws of Lock 'n Load, as structs over the kernel's. Places are (column, row, level), both from 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from lnl.board.hexes import Place
from lnl.state.battle import Phase
from umpire.kernel import states, views
from umpire.kernel.views import Drawn, ViewGroup

FeatureKind = Literal[
    "smoke", "terrain", "star_shell", "barrage", "melee", "spotted", "objective", "exit", "event_marker"
]


class ViewPhase(views.ViewPhase, frozen=True, kw_only=True):
    """The phase: which side `held` the initiative, how many have passed, and which commands have `ended` it."""

    key: Phase
    held: str
    passes: int
    ended: Mapping[str, bool]


class ViewConditions(Drawn, frozen=True, kw_only=True):
    """By day or by night."""

    hour: Literal["day", "night"]


class ViewPiece(views.ViewPiece, frozen=True, kw_only=True):
    """A unit, a weapon (its `group` is the unit that possesses it), or a work; who is not on the map is nowhere."""

    kind: Literal["unit", "weapon", "work"]


class ViewFeature(Drawn, frozen=True, kw_only=True):
    """What lies on the map. `stage` is how thick smoke is, `radius` is in hexes; an objective is of a `side` and `held`
    by one."""

    kind: FeatureKind
    at: states.Place
    label: str
    stage: int | UnsetType = UNSET
    terrain: str | UnsetType = UNSET
    firepower: int | UnsetType = UNSET
    radius: int | UnsetType = UNSET
    side: str | UnsetType = UNSET
    held: str | UnsetType = UNSET
    points: int | UnsetType = UNSET


class ViewImpulse(Drawn, frozen=True, kw_only=True):
    """The impulse that goes on: the places activated, who has acted, and whether spotting was tried."""

    command: str
    places: tuple[Place, ...]
    acted: tuple[str, ...]
    tried_spotting: bool


class ViewPlan(views.ViewMarch, frozen=True, kw_only=True):
    """A plan of a hidden unit."""

    on_contact: Literal["hold", "go_on"]


class View(views.View, frozen=True, kw_only=True):
    """What a seat sees of a battle of Lock 'n Load."""

    phase: ViewPhase
    conditions: ViewConditions
    pieces: Mapping[str, ViewPiece]
    features: Mapping[str, ViewFeature]
    groups: Mapping[str, ViewGroup]
    plans: Mapping[str, ViewPlan] | UnsetType = UNSET
    impulse: ViewImpulse | UnsetType = UNSET
