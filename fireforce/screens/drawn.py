"""What a client draws of FireForce, as structs over the kernel's. Places are hundredths of an inch, x right, y up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from fireforce.book.kinds import Cover, Going, Save
from fireforce.book.rows import Hour, WeaponKind
from fireforce.state.battle import Phase, Weather
from fireforce.table.terrain import Point
from umpire.kernel import views
from umpire.kernel.views import Drawn, HouseValue, ViewGroup


class ViewPhase(views.ViewPhase, frozen=True, kw_only=True):
    """The phase, and which commands have `ended` it."""

    key: Phase
    ended: Mapping[str, bool]


class ViewConditions(Drawn, frozen=True, kw_only=True):
    """The hour, the weather, and where the wind blows to, in tenths of a degree."""

    hour: Hour
    weather: Weather
    wind: int


class ViewPiece(views.ViewPiece, frozen=True, kw_only=True):
    """A figure (its `group` is its squad), a card or a counter; a face-down card looks the same whatever it is."""

    kind: str
    radius: int | UnsetType = UNSET


class ViewFeature(Drawn, frozen=True, kw_only=True):
    """A zone, or what has come to lie over the ground."""

    kind: str
    ring: tuple[Point, ...]
    label: str


class ViewPlan(views.ViewMarch, frozen=True, kw_only=True):
    """A plan of a hidden squad or card."""

    on_contact: Literal["hold", "ambush", "withdraw", "go_on"]
    fire: Literal["hold", "within_range", "free"]
    fire_range: int
    targets: Literal["any", "leaders", "gunners"]
    withdraw_to: Point | UnsetType = UNSET


class View(views.View, frozen=True, kw_only=True):
    """What a seat sees of a battle of FireForce."""

    phase: ViewPhase
    conditions: ViewConditions
    pieces: Mapping[str, ViewPiece]
    groups: Mapping[str, ViewGroup]
    features: Mapping[str, ViewFeature]
    plans: Mapping[str, ViewPlan] | UnsetType = UNSET


class SceneTerrain(Drawn, frozen=True, kw_only=True):
    """An area of a kind; of a building its `storeys`."""

    key: str
    name: str
    kind: str
    ring: tuple[Point, ...]
    height: int
    storeys: int | UnsetType = UNSET


class SceneRoad(Drawn, frozen=True, kw_only=True):
    """A road along a line."""

    key: str
    name: str
    line: tuple[Point, ...]
    width: int


class SceneLine(Drawn, frozen=True, kw_only=True):
    """A wall or hedge along a line."""

    key: str
    name: str
    kind: str
    line: tuple[Point, ...]


class GroundKind(Drawn, frozen=True, kw_only=True):
    """A kind of ground, or of wall or hedge, which has nothing but its cover."""

    label: str
    cover: Cover
    going: Going | UnsetType = UNSET
    save: Save | UnsetType = UNSET


class SceneWeapon(Drawn, frozen=True, kw_only=True):
    """What a screen shows of a weapon."""

    name: str
    kind: WeaponKind
    range: int
    fire_points: int
    prophylactic: bool
    on_the_move: Literal["yes", "no", "mounted"]


class Scene(views.Scene, frozen=True, kw_only=True):
    """The table of a battle of FireForce, and rows of its book; `unit` of its lengths make an inch."""

    kind: Literal["inches"]
    width: int
    depth: int
    unit: int
    description: str
    victory: str
    terrain: tuple[SceneTerrain, ...]
    roads: tuple[SceneRoad, ...]
    lines: tuple[SceneLine, ...]
    kinds: Mapping[str, GroundKind]
    weapons: Mapping[str, SceneWeapon]
    house: tuple[HouseValue, ...]
