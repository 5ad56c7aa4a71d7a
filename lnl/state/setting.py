"""What a battle is fought with and never changes: map, book, options, sides, forces and events, as two halves.

The public half is what every seat may know; the umpire's half has hidden forces, event texts and plans. Keys are
those of the scenario file; the first state gives each thing its true id.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from lnl.board.ground import Ground
from lnl.board.hexes import Hex, Place
from lnl.board.sight import Overlay, Sight, sight_of
from lnl.book.tables import Tables
from lnl.state.battle import Plan, State, WorkKind, hex_of
from umpire.kernel.book.book import Book
from umpire.kernel.book.points import Active
from umpire.kernel.settings import BY_HAND, BY_PLANS, asked, half


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be chosen when a battle is made. `play`: open, or blind (each command sees what `core 10.1` lets it
    see); `set_up`: as printed, or by the players within their zones."""

    play: Annotated[
        Literal["open", "blind"],
        asked(
            "Who sees what?",
            open="Open: everybody sees every counter",
            blind="Blind: each command sees what its troops see",
        ),
    ] = "open"
    dice: Literal["server", "typed"] = "server"
    hour: Annotated[Literal["day", "night"], asked("Day or night?")] = "day"
    set_up: Annotated[
        Literal["printed", "players"],
        asked("Who sets up?", printed="The scenario: as printed", players="The players, within their zones"),
    ] = "printed"
    visibility: Annotated[
        int, Meta(ge=0, le=99), asked("How far one sees at night, in hexes", only_if={"hour": "night"})
    ] = 2
    plans_only: Annotated[bool, asked(BY_PLANS, note=BY_HAND)] = False


class Side(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side; `nation` is a row of the book."""

    key: str
    name: str
    nation: str
    colour: str = ""


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one player leads."""

    key: str
    side: str
    name: str


class Gun(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A support weapon as the scenario has it, with a unit or lying somewhere. `side`: whose it was ("" : of the
    side that has it); another's is captured. `core 1.6.1`"""

    key: str
    counter: str
    side: str = ""
    is_set_up: bool = False


class Force(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit as the scenario has it. `hidden`: not open even in an open battle. `arrives`: the turn in whose Operations
    Phase it enters (0: there from the start, `NEVER`: when an event brings it in); a sniper is placed in play. `zone`:
    where its player may set it up, or where it comes in."""

    key: str
    command: str
    counter: str
    name: str = ""
    at: Place
    facing: int = 0
    is_shaken: bool = False
    hidden: bool = False
    arrives: int = 0
    zone: str = ""
    weapons: tuple[Gun, ...] = ()
    skills: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()


class LooseWeapon(Gun, frozen=True, kw_only=True):
    """A support weapon that lies somewhere."""

    command: str
    at: Place
    hidden: bool = False


class Fortification(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A work as the scenario has it."""

    key: str
    command: str
    kind: WorkKind
    at: Hex
    facing: int = 0
    strength: int = 1
    hidden: bool = False


class Zone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hexes that matter: a set-up area, an edge to enter or leave by, an objective."""

    key: str
    name: str
    hexes: tuple[Hex, ...]


class Objective(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What scores. `control`: at the end, for each hex of the zone that the side controls (Good Order MMC or Hero in
    it, or the last to have been); `exit`: for each MMC that has left by the zone; `loss`: for each enemy of these kinds
    (MMC, SMC) lost, `half` for a squad reduced; `umpire`: by his word. `needed`: points with which the side wins at
    once."""

    key: str
    side: str
    deed: Literal["control", "exit", "loss_mmc", "loss_smc", "handicap", "umpire"]
    points: int
    name: str
    zone: str = ""
    needed: int = 0


class EventMarker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event marker on the map: its place is public, its text is not. `core 1.7`"""

    key: str
    kind: Literal["occupied", "seen"]
    at: Hex
    side: str = ""


class Action(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A thing that an event does. `reinforce`, `place`: the forces named (that arrive never until then) come in;
    `reveal`: the forces named are open; `rally`: those named that are Shaken (or all of `side`) rally; `points`;
    `text`: words that all (or `side`) read; `umpire`: what does not fit is put to the umpire as text."""

    kind: Literal["place", "reinforce", "reveal", "rally", "points", "text", "umpire"]
    forces: tuple[str, ...] = ()
    side: str = ""
    points: int = 0
    text: str = ""
    at: Place | None = None


class Happening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event: its trigger and what it does. `marker`: the event marker whose trigger it is; `turn`: when this turn
    begins; `loss`: when `side` has lost `count` MMC."""

    key: str
    trigger: Literal["occupied", "seen", "turn", "loss"]
    marker: str = ""
    turn: int = 0
    side: str = ""
    count: int = 0
    actions: tuple[Action, ...] = ()


class Assume(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What players assume of an enemy in sight whose counter they cannot read: a row of the book."""

    counter: str = ""


class PublicSetting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """What every seat may know. `scenario` is the key that players may see; `forces` and `works` are the open ones.
    `initiative` is the side that holds it in turn 1 ("" : rolled for), `first` the one that sets up first, `tie` the
    one that wins where points are equal ("" : nobody). `victory`: in words."""

    scenario: str
    title: str
    description: str = ""
    author: str = ""
    teaches: str = ""
    victory: str = ""
    special_rules: tuple[str, ...] = ()
    turns: int
    initiative: str = ""
    first: str = ""
    tie: str = ""
    options: Options
    ground: Ground
    terrain: Mapping[str, str] = field(default_factory=dict)
    book: Book
    active: Active = Active()
    sides: Mapping[str, Side]
    commands: Mapping[str, Command]
    zones: Mapping[str, Zone] = field(default_factory=dict)
    objectives: Mapping[str, Objective] = field(default_factory=dict)
    control: Mapping[str, str] = field(default_factory=dict)
    markers: Mapping[str, EventMarker] = field(default_factory=dict)
    assume: Mapping[str, Assume] = field(default_factory=dict)
    forces: Mapping[str, Force] = field(default_factory=dict)
    works: Mapping[str, Fortification] = field(default_factory=dict)
    weapons: Mapping[str, LooseWeapon] = field(default_factory=dict)
    deck: tuple[str, ...] = ()


class UmpireSetting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What only the umpire knows."""

    title: str = ""
    description: str = ""
    notes: tuple[str, ...] = ()
    forces: Mapping[str, Force] = field(default_factory=dict)
    works: Mapping[str, Fortification] = field(default_factory=dict)
    weapons: Mapping[str, LooseWeapon] = field(default_factory=dict)
    happenings: Mapping[str, Happening] = field(default_factory=dict)
    plans: Mapping[str, Plan] = field(default_factory=dict)
    objectives: Mapping[str, Objective] = field(default_factory=dict)
    plans_only: tuple[str, ...] = ()


def setting_of(state: State) -> PublicSetting:
    """The public half of the setting, in truth and in belief alike."""
    found: PublicSetting = half(state.public.setting)
    return found


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
    """The map as printed; what lies on it now is in `sight` and `lnl.state.finding`."""
    return setting_of(state).ground


def sight(state: State) -> Sight:
    """Lines of sight as the ground is now, from the overlays that *this* state holds (belief never reads the
    truth's)."""
    public = state.public
    return _sight(public.setting, tuple(public.smoke), tuple(public.terrain.items()))


@lru_cache(maxsize=64)
def tables_named(digest: str) -> Tables:
    """The book of the battles with this public setting."""
    public: PublicSetting = half(digest)
    return Tables(public.book)


@lru_cache(maxsize=256)
def _sight(digest: str, smoke: tuple[str, ...], terrain: tuple[tuple[str, str], ...]) -> Sight:
    public: PublicSetting = half(digest)
    overlays = [Overlay(hex=hex_of(key), kind="smoke") for key in smoke]
    overlays += [Overlay(hex=hex_of(key), kind=kind) for key, kind in terrain]
    return sight_of(public.ground, tables_named(digest).ground, tuple(overlays))
