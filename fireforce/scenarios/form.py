"""The form of a scenario file, as people write it: TOML, lengths in inches, one table a thing.

    [scenario]   key, title, description, author, teaches, victory, turns, wind
    [options]    hidden = "map" or "cards", hour, weather, ... (what may be chosen when a battle is made)
    [table]      width, depth
    [[terrain]]  key, name, kind, polygon = [[x, y], ...], height
    [[road]]     key, name, line, width        [[building]]  key, name, polygon, storeys
    [[line]]     key, name, kind, line         [[zone]]      key, name, polygon
    [[side]]     key, name, kind = "regular" or "indigenous", colour, assume = { quality, weapons = { rifle = "ak47" } }
    [[command]]  key, side, name, open, plans_only
    [[squad]]    key, command, name, quality, at, men = [{ key, role, weapons, rating, count }, ...],
                 arrives = 3 or "never" (off the table until then), zone
    [[card]]     key, command, kind, at, squad, stores = { arms, food, heavy }
    [[plan]]     force, legs = [{ path, pace }, { halt = 2 }], on_contact, on_signal, fire, range, withdraw_to
    [[objective]] key, side, deed, points, name, zone, secret
    [umpire]     title, description, notes
    [book.TABLE.ROW]  special rules: rows laid over the tables

Squads, cards and plans of commands that are not open go into the umpire's half of the setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from fireforce.book.rows import Quality
from fireforce.state.battle import CardKind, Role
from fireforce.state.setting import Options

Inches = float | int
At = tuple[Inches, Inches]


Turns = Annotated[int, Meta(le=99)]
Many = Annotated[int, Meta(le=99)]
Points = Annotated[int, Meta(ge=-999, le=999)]


class Form(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file."""


class HeadForm(Form, frozen=True, kw_only=True):
    key: str
    title: str
    turns: Turns
    description: str = ""
    author: str = ""
    teaches: str = ""
    victory: str = ""
    wind: Annotated[int, Meta(ge=0, le=3599)] = 0


class TableForm(Form, frozen=True, kw_only=True):
    width: Inches
    depth: Inches


class TerrainForm(Form, frozen=True, kw_only=True):
    key: str
    kind: str
    polygon: tuple[At, ...]
    name: str = ""
    height: Inches | None = None


class RoadForm(Form, frozen=True, kw_only=True):
    key: str
    line: tuple[At, ...]
    name: str = ""
    width: Inches = 1


class BuildingForm(Form, frozen=True, kw_only=True):
    key: str
    polygon: tuple[At, ...]
    name: str = ""
    storeys: Many = 1


class LineForm(Form, frozen=True, kw_only=True):
    key: str
    kind: str
    line: tuple[At, ...]
    name: str = ""


class ZoneForm(Form, frozen=True, kw_only=True):
    key: str
    name: str
    polygon: tuple[At, ...]


class AssumeForm(Form, frozen=True, kw_only=True):
    quality: Quality = "trained"
    body_armour: bool = False
    weapons: Mapping[str, str] = field(default_factory=dict)


class SideForm(Form, frozen=True, kw_only=True):
    key: str
    name: str
    kind: Literal["regular", "indigenous"]
    colour: str = ""
    assume: AssumeForm = AssumeForm()


class CommandForm(Form, frozen=True, kw_only=True):
    key: str
    side: str
    name: str
    open: bool = True
    plans_only: bool = False


class ManForm(Form, frozen=True, kw_only=True):
    """`count` men alike are KEY-1, KEY-2, ..."""

    key: str
    name: str = ""
    role: Role = "rifleman"
    quality: Quality | None = None
    weapons: tuple[str, ...] = ()
    rating: Annotated[int, Meta(ge=-9, le=9)] | None = None
    body_armour: bool = False
    traits: tuple[str, ...] = ()
    at: At | None = None
    count: Many = 1


class SquadForm(Form, frozen=True, kw_only=True):
    """Men of a hidden command begin off the table, regulars only if they are `prepared`; `placed` ones begin on it."""

    key: str
    command: str
    name: str
    quality: Quality = "trained"
    at: At
    men: tuple[ManForm, ...]
    flakey: bool = False
    special_motivation: bool = False
    may_split: bool = True
    may_form_gun_group: bool = False
    platoon_control: bool = True
    prepared: bool = False
    placed: bool = False
    traits: tuple[str, ...] = ()
    arrives: int | Literal["never"] = 0
    zone: str = ""


class StoresForm(Form, frozen=True, kw_only=True):
    arms: Many = 0
    food: Many = 0
    heavy: Many = 0


class CardForm(Form, frozen=True, kw_only=True):
    key: str
    command: str
    kind: CardKind
    at: At
    squad: str = ""
    stores: StoresForm = StoresForm()


class LegForm(Form, frozen=True, kw_only=True):
    path: tuple[At, ...] = ()
    pace: Literal["tactical", "running"] = "tactical"
    halt: Turns = 0


class PlanForm(Form, frozen=True, kw_only=True):
    force: str
    legs: tuple[LegForm, ...] = ()
    held: bool = False
    on_contact: Literal["hold", "ambush", "withdraw", "go_on"] = "hold"
    on_signal: Mapping[str, Literal["go", "hold", "withdraw"]] = field(default_factory=dict)
    withdraw_to: At | None = None
    fire: Literal["hold", "within_range", "free"] = "hold"
    range: Inches = 15
    targets: Literal["any", "leaders", "gunners"] = "any"
    note: str = ""


class ObjectiveForm(Form, frozen=True, kw_only=True):
    key: str
    side: str
    deed: Literal["zone_held", "figures_in_zone", "umpire"]
    points: Points
    name: str
    zone: str = ""
    secret: bool = False


class UmpireForm(Form, frozen=True, kw_only=True):
    title: str = ""
    description: str = ""
    notes: tuple[str, ...] = ()


class ScenarioFile(Form, frozen=True, kw_only=True):
    """The whole file."""

    scenario: HeadForm
    options: Options = Options()
    table: TableForm
    terrain: tuple[TerrainForm, ...] = ()
    road: tuple[RoadForm, ...] = ()
    building: tuple[BuildingForm, ...] = ()
    line: tuple[LineForm, ...] = ()
    zone: tuple[ZoneForm, ...] = ()
    side: tuple[SideForm, ...]
    command: tuple[CommandForm, ...]
    squad: tuple[SquadForm, ...] = ()
    card: tuple[CardForm, ...] = ()
    plan: tuple[PlanForm, ...] = ()
    objective: tuple[ObjectiveForm, ...] = ()
    umpire: UmpireForm = UmpireForm()
    book: Mapping[str, Any] = field(default_factory=dict)
