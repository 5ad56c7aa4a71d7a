"""The form of a scenario file, as people write it: TOML, places by their names on the map. `docs/scenarios.md`"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from lnl.state.battle import WorkKind
from lnl.state.setting import Options

Turns = Annotated[int, Meta(le=99)]
Many = Annotated[int, Meta(le=99)]
Points = Annotated[int, Meta(ge=-999, le=999)]


class Form(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file."""


class HeadForm(Form, frozen=True, kw_only=True):
    key: str
    title: str
    turns: Turns
    map: str
    description: str = ""
    author: str = ""
    teaches: str = ""
    victory: str = ""
    special_rules: tuple[str, ...] = ()
    initiative: str = ""
    first: str = ""
    tie: str = ""
    deck: tuple[str, ...] | None = None
    modules: tuple[str, ...] = ()


class SideForm(Form, frozen=True, kw_only=True):
    key: str
    name: str
    nation: str
    colour: str = ""
    assume: str = ""


class CommandForm(Form, frozen=True, kw_only=True):
    key: str
    side: str
    name: str
    plans_only: bool = False


class ForceForm(Form, frozen=True, kw_only=True):
    """`count` alike are KEY-1, KEY-2, ..."""

    key: str
    command: str
    counter: str
    name: str = ""
    at: str = ""
    zone: str = ""
    facing: Annotated[int, Meta(le=6)] = 0
    shaken: bool = False
    hidden: bool = False
    arrives: int | Literal["never"] = 0
    weapons: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    count: Many = 1


class WeaponForm(Form, frozen=True, kw_only=True):
    key: str
    command: str
    counter: str
    at: str
    hidden: bool = False


class WorkForm(Form, frozen=True, kw_only=True):
    """One in each of the hexes."""

    key: str
    command: str
    kind: WorkKind
    at: str
    facing: Annotated[int, Meta(le=6)] = 0
    strength: Many = 1
    hidden: bool = False


class ZoneForm(Form, frozen=True, kw_only=True):
    key: str
    name: str
    hexes: str


class ObjectiveForm(Form, frozen=True, kw_only=True):
    key: str
    side: str
    deed: Literal["control", "exit", "loss_mmc", "loss_smc", "handicap", "umpire"]
    points: Points
    name: str
    zone: str = ""
    needed: Points = 0
    secret: bool = False


class MarkerForm(Form, frozen=True, kw_only=True):
    key: str
    kind: Literal["occupied", "seen"]
    at: str
    side: str = ""


class ActionForm(Form, frozen=True, kw_only=True):
    kind: Literal["place", "reinforce", "reveal", "rally", "points", "text", "umpire"]
    forces: tuple[str, ...] = ()
    side: str = ""
    points: Points = 0
    text: str = ""
    at: str = ""


class HappeningForm(Form, frozen=True, kw_only=True):
    key: str
    marker: str = ""
    turn: Turns = 0
    lost: Many = 0
    side: str = ""
    actions: tuple[ActionForm, ...]


class LegForm(Form, frozen=True, kw_only=True):
    path: str = ""
    pace: Literal["move", "assault", "low_crawl", "stealth"] = "move"
    halt: Turns = 0


class PlanForm(Form, frozen=True, kw_only=True):
    force: str
    legs: tuple[LegForm, ...] = ()
    held: bool = False
    on_contact: Literal["hold", "go_on"] = "hold"
    on_signal: Mapping[str, Literal["go", "hold"]] = field(default_factory=dict)
    note: str = ""


class UmpireForm(Form, frozen=True, kw_only=True):
    title: str = ""
    description: str = ""
    notes: tuple[str, ...] = ()


class ScenarioFile(Form, frozen=True, kw_only=True):
    """The whole file."""

    scenario: HeadForm
    options: Options = Options()
    side: tuple[SideForm, ...]
    command: tuple[CommandForm, ...]
    force: tuple[ForceForm, ...]
    weapon: tuple[WeaponForm, ...] = ()
    work: tuple[WorkForm, ...] = ()
    zone: tuple[ZoneForm, ...] = ()
    objective: tuple[ObjectiveForm, ...] = ()
    marker: tuple[MarkerForm, ...] = ()
    happening: tuple[HappeningForm, ...] = ()
    plan: tuple[PlanForm, ...] = ()
    control: Mapping[str, str] = field(default_factory=dict)
    terrain: Mapping[str, str] = field(default_factory=dict)
    umpire: UmpireForm = UmpireForm()
    book: Mapping[str, Any] = field(default_factory=dict)
