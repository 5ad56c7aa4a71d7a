"""What a battle is fought with and never changes: map, book, options, sides and forces, as two halves.

The public half is what every seat may know; the umpire's half has the hidden forces, their plans and all texts about
them. A state carries the digests; `setting_of` and `secrets_of` give the halves. Keys are those of the scenario file;
the first state gives each thing its true id.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Struct, field

from fireforce.book.rows import Hour, Mode, Quality, WeaponKind
from fireforce.book.tables import Tables
from fireforce.state.battle import CardKind, Place, Plan, Role, State, Stores, Weather
from fireforce.table.ground import Ground, ground
from fireforce.table.terrain import Table
from umpire.kernel.book.book import Book
from umpire.kernel.settings import BY_HAND, BY_PLANS, asked, half


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be chosen when a battle is made. `hidden`: cards on the table, or nothing but the umpire's map."""

    hidden: Annotated[
        Mode,
        asked(
            "What stands for the hidden force?",
            cards="Cards on the table, face down, half of them dummies",
            map="Nothing: the umpire keeps it on his map until it is seen",
        ),
    ] = "map"
    dice: Literal["server", "typed"] = "server"
    hour: Annotated[Hour, asked("Day or night?")] = "day"
    weather: Weather = "clear"
    desperate_gamble: Annotated[
        bool, asked("The desperate gamble", note="Once a game a good leader may urge his men on and roll again.")
    ] = True
    random_hits: Annotated[
        bool, asked("Hits fall at random", note="Otherwise the side that is hit says who takes them.")
    ] = False
    ambush_interrupt: Annotated[
        bool, asked("An ambush may interrupt a move", note="Otherwise it waits for its own phase.")
    ] = False
    plans_only: Annotated[bool, asked(BY_PLANS, note=BY_HAND)] = False


class Side(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side; of two regular ones dice decide who begins."""

    key: str
    name: str
    kind: Literal["regular", "indigenous"]
    colour: str = ""


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one player leads. Forces of an open command are public."""

    key: str
    side: str
    name: str
    is_open: bool = True


class Assume(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What players assume of an enemy in sight beyond what his model shows; `weapons` by the kind that it shows."""

    quality: Quality = "trained"
    body_armour: bool = False
    weapons: Mapping[str, str] = field(default_factory=dict)


class Zone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the table that matters: an objective, a place to enter."""

    key: str
    name: str
    polygon: tuple[Place, ...]


class Objective(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What scores beside the printed deeds. `zone_held`: at the end fit figures of the side are in the zone and none of
    the enemy's; `figures_in_zone`: for each fit figure in it; `figures_off`: left to the umpire to award."""

    key: str
    side: str
    deed: Literal["zone_held", "figures_in_zone", "umpire"]
    points: int
    name: str
    zone: str = ""


class Man(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One figure of a unit; without a quality he has the unit's, without a place he stands in its formation."""

    key: str
    name: str = ""
    role: Role = "rifleman"
    quality: Quality | None = None
    weapons: tuple[str, ...] = ()
    rating: int | None = None
    body_armour: bool = False
    traits: tuple[str, ...] = ()
    at: Place | None = None


class Unit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A squad as the scenario has it. `is_placed`: on the table from the start though its command is hidden. `arrives`:
    the turn in which it comes in (0: there from the start), `zone` where."""

    key: str
    command: str
    name: str
    quality: Quality
    at: Place
    men: tuple[Man, ...]
    is_flakey: bool = False
    has_special_motivation: bool = False
    may_split: bool = True
    may_form_gun_group: bool = False
    is_under_platoon_control: bool = True
    is_prepared: bool = False
    is_placed: bool = False
    traits: tuple[str, ...] = ()
    arrives: int = 0
    zone: str = ""


class Deck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card as the scenario has it; `squad` the key of the unit beneath."""

    key: str
    command: str
    kind: CardKind
    at: Place
    squad: str = ""
    stores: Stores = Stores()


class PublicSetting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """What every seat may know. `scenario` is the key that players may see; `units` are those of open commands."""

    scenario: str
    title: str
    description: str = ""
    author: str = ""
    teaches: str = ""
    victory: str = ""
    turns: int
    wind: int = 0
    options: Options
    table: Table
    book: Book
    sides: Mapping[str, Side]
    commands: Mapping[str, Command]
    zones: Mapping[str, Zone] = field(default_factory=dict)
    objectives: Mapping[str, Objective] = field(default_factory=dict)
    assume: Mapping[str, Assume] = field(default_factory=dict)
    units: Mapping[str, Unit] = field(default_factory=dict)


class UmpireSetting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What only the umpire knows: his own title and texts, hidden units, cards and plans."""

    title: str = ""
    description: str = ""
    notes: tuple[str, ...] = ()
    units: Mapping[str, Unit] = field(default_factory=dict)
    cards: Mapping[str, Deck] = field(default_factory=dict)
    plans: Mapping[str, Plan] = field(default_factory=dict)
    objectives: Mapping[str, Objective] = field(default_factory=dict)
    plans_only: tuple[str, ...] = ()


def setting_of(state: State) -> PublicSetting:
    """The public half of the setting, in truth and in belief alike."""
    found: PublicSetting = half(state.public.setting)
    return found


def kind_of_side(state: State, side: str) -> Literal["regular", "indigenous"]:
    """Whether a side is regular or indigenous."""
    return setting_of(state).sides[side].kind


def turns_of(state: State) -> int:
    """How many turns the battle has: as the scenario says, or as the umpire has set it."""
    return state.public.turns or setting_of(state).turns


def secrets_of(state: State) -> UmpireSetting:
    """The umpire's half. Raises LookupError for a belief, which does not know its digest."""
    if not state.umpire.setting:
        raise LookupError("a belief has no umpire's half")
    found: UmpireSetting = half(state.umpire.setting)
    return found


def tables_of(state: State) -> Tables:
    """The book of this battle as functions."""
    return tables_named(state.public.setting)


def ground_of(state: State) -> Ground:
    """The table with what lies on it now, ready for questions; remembered by map and overlays of *this* state."""
    setting = setting_of(state)
    return ground(setting.table, state.public.overlays, tables_named(state.public.setting).kinds)


@lru_cache(maxsize=64)
def tables_named(digest: str) -> Tables:
    """The book of the battles with this public setting."""
    public: PublicSetting = half(digest)
    return Tables(public.book)


def assumed(setting: PublicSetting, side: str) -> Assume:
    """What is assumed of figures of a side."""
    return setting.assume.get(side, Assume())


def weapon_assumed(setting: PublicSetting, side: str, kind: str) -> str:
    """The weapon, a key of the book, that a model with this kind of weapon is assumed to carry; "" for none."""
    named = assumed(setting, side).weapons.get(kind)
    if named is not None or not kind:
        return named or ""
    rows: Mapping[str, Any] = setting.book.tables.get("weapons", {})
    return next((key for key, row in rows.items() if row["kind"].value == kind), "")


def weapon_kind(setting: PublicSetting, key: str) -> WeaponKind:
    """The kind of a weapon as a model shows it. Raises KeyError."""
    kind: WeaponKind = setting.book.tables["weapons"][key]["kind"].value  # type: ignore[assignment]
    return kind
