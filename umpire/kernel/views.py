"""What a client draws, as structs: a view, and a scene, which stays. Each package has its own over these.

Whatever there are many of stands in an object by name, and what is empty is left out, so that a JSON merge patch leads
from one view to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from umpire.kernel.book.book import Book, Cell
from umpire.kernel.states import Place
from umpire.kernel.values.modifiers import Modifier


class Drawn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a view or a scene."""


class ViewPhase(Drawn, frozen=True, kw_only=True):
    """The phase that goes on: which side or command is active, and whether it is the reader's turn to act."""

    key: str
    label: str
    active: str
    mine: bool
    rule: str


class ViewYou(Drawn, frozen=True, kw_only=True):
    """Whom the reader leads; `side` where all of them are of one."""

    commands: tuple[str, ...]
    side: str | UnsetType = UNSET


class ViewSide(Drawn, frozen=True, kw_only=True):
    """A side; `kind` is what the system calls its sort (a nation, government or insurgents)."""

    name: str
    kind: str
    colour: str


class ViewCommand(Drawn, frozen=True, kw_only=True):
    """What one player leads; `own` by the reader."""

    name: str
    side: str
    own: bool


class Mark(Drawn, frozen=True, kw_only=True):
    """A marker on a piece or a group, with its words."""

    key: str
    label: str


class ViewPiece(Drawn, frozen=True, kw_only=True):
    """A piece in sight, or of one's own. `facts` are words for people.

    Only the umpire is told what is `hidden`, and which commands it is `seen_by`."""

    side: str
    own: bool
    at: Place = ()
    label: str
    marks: tuple[Mark, ...]
    facts: Mapping[str, str]
    may_act: bool
    command: str = ""
    group: str | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET
    seen_by: tuple[str, ...] | UnsetType = UNSET


class ViewGroup(Drawn, frozen=True, kw_only=True):
    """Pieces that are ordered about together."""

    name: str
    command: str
    pieces: tuple[str, ...]
    marks: tuple[Mark, ...]
    facts: Mapping[str, str]


class ViewContact(Drawn, frozen=True, kw_only=True):
    """What the reader knows of a thing seen, heard or told of; `since` and `seen` are turns, `facts` words."""

    kind: str
    at: Place
    status: Literal["in_sight", "remembered", "heard", "told"]
    since: int
    seen: int
    label: str
    facts: Mapping[str, str]


class ViewPoints(Drawn, frozen=True, kw_only=True):
    """The points of a side, and what they are made of."""

    total: int
    lines: tuple[Modifier, ...]


class ViewOutcome(Drawn, frozen=True, kw_only=True):
    """The end."""

    is_over: bool
    winner: str
    why: str


class ViewPlan(Drawn, frozen=True, kw_only=True):
    """A plan of a hidden force, as the umpire and its command see it."""

    on_contact: str


class ViewLeg(Drawn, frozen=True, kw_only=True):
    """A part of a plan: along a path at a pace, or a halt of some turns."""

    path: tuple[Place, ...]
    pace: str
    turns: int


class ViewMarch(ViewPlan, frozen=True, kw_only=True):
    """A plan of legs. `leg` and `along` say where the force stands in them, `step` counts what was carried out."""

    command: str
    by: Literal["umpire", "command"]
    legs: tuple[ViewLeg, ...]
    leg: int
    along: int
    is_held: bool
    on_signal: Mapping[str, str]
    status: Literal["running", "in_contact", "done", "stopped"]
    step: int
    note: str


class View(Drawn, frozen=True, kw_only=True):
    """What a seat sees now, or the umpire in the truth. Own pieces stand under their ids, others under aliases."""

    turn: int
    turns: int
    phase: ViewPhase
    you: ViewYou
    sides: Mapping[str, ViewSide]
    commands: Mapping[str, ViewCommand]
    pieces: Mapping[str, ViewPiece]
    groups: Mapping[str, ViewGroup] = field(default_factory=dict)
    contacts: Mapping[str, ViewContact]
    points: Mapping[str, ViewPoints]
    prompts: Mapping[str, str]
    plans: Mapping[str, ViewPlan] | UnsetType = UNSET
    outcome: ViewOutcome | UnsetType = UNSET


class HouseValue(Drawn, frozen=True, kw_only=True):
    """A value of the book that is our own proposal, by table, row and column."""

    key: str
    what: str
    value: Cell


class Scene(Drawn, frozen=True, kw_only=True):
    """What does not change and need not be sent twice: the map, and tables to show. `rules` are titles by key, `system`
    is set by who sends it."""

    system: str | UnsetType = UNSET
    title: str
    rules: Mapping[str, str]
    digest: str = ""


SHARED = (Mark, ViewYou, ViewSide, ViewCommand, ViewGroup, ViewContact, ViewPoints, ViewOutcome, ViewLeg, HouseValue)
"""Those that every package has as they are here."""


def marks_of(marks: Mapping[str, str]) -> tuple[Mark, ...]:
    """Marks from their words by key."""
    return tuple(Mark(key=key, label=label) for key, label in marks.items())


def house_values(book: Book) -> tuple[HouseValue, ...]:
    """What of a book is our own proposal."""
    return tuple(
        HouseValue(key=line.key, what=line.origin.source, value=line.origin.value) for line in book.house_values()
    )
