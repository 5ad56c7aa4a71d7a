"""What a client draws of Skirmish, as structs over the kernel's. Places are (hex, 0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from umpire.kernel import views
from umpire.kernel.states import Place
from umpire.kernel.views import Drawn


class ViewPiece(views.ViewPiece, frozen=True, kw_only=True):
    """A unit, or a wagon; who rides says in his facts how."""

    kind: Literal["unit", "wagon"]


class ViewPlan(views.ViewPlan, frozen=True, kw_only=True):
    """A plan of a hidden unit: where to, and in which turn it was last carried on."""

    legs: tuple[Place, ...]
    carried: int


class View(views.View, frozen=True, kw_only=True):
    """What a seat sees of a battle of Skirmish."""

    pieces: Mapping[str, ViewPiece]
    plans: Mapping[str, ViewPlan] | UnsetType = UNSET


class SceneWoods(Drawn, frozen=True, kw_only=True):
    """A hex of the lane that is wooded."""

    key: str
    kind: Literal["woods"]
    at: Place


class Scene(views.Scene, frozen=True, kw_only=True):
    """The lane."""

    kind: Literal["lane"]
    length: int
    terrain: tuple[SceneWoods, ...]
