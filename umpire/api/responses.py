"""What answers carry, as structs: views build them, and the same structs stand in the OpenAPI schema.

What the rules packages draw (views, scenes, forms) is handed on as it is; its parts are described in docs/api.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from umpire.api import words
from umpire.kernel.forms import Form
from umpire.kernel.registry import LogLine, Preview, Sightings
from umpire.kernel.rulings import Choice, Question, Roll
from umpire.kernel.values.modifiers import Modifier, Refusal
from umpire.kernel.views import ViewContact

Role = Literal["player", "umpire", "observer"]


class Body(Struct, frozen=True, kw_only=True):
    """The body of an answer."""


class Optional(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The body of an answer in which what is empty is left out."""


# Who and where


class You(Optional, frozen=True, kw_only=True):
    """A seat as its holder sees it."""

    id: str
    name: str
    role: Role
    commands: tuple[str, ...] = ()


class Account(Optional, frozen=True, kw_only=True):
    """Who sends this request: an account, or a device on a seat. `csrf` goes into X-CSRFToken beside a cookie."""

    kind: Literal["account", "seat"]
    name: str
    csrf: str = ""
    seat: You | None = None
    battle: str = ""


class StartAnswer(Body, frozen=True, kw_only=True):
    """What the start page has to know before anybody has signed in."""

    has_umpire: bool
    """Whether somebody has ever signed in as an umpire here."""


class Address(Optional, frozen=True, kw_only=True):
    """An address at which other devices may find this server; `opened`: one of them has."""

    address: str
    opened: bool = False


class Picture(Body, frozen=True, kw_only=True):
    """A QR code as SVG."""

    svg: str


class DeviceToken(Body, frozen=True, kw_only=True):
    """The token is shown this once."""

    token: str
    device: str
    id: str


class BattleCard(Optional, frozen=True, kw_only=True):
    """A battle as its seats know it."""

    id: str
    title: str
    system: str
    status: Literal["preparing", "running", "finished"]
    created: str
    commitment: str
    """The SHA-256 of the secret from which the server's dice are drawn; the record shows the secret itself."""
    is_open: bool = False
    you: You | None = None
    scenario: str = ""
    """For the umpire only: its name may tell what is hidden."""
    archived: bool = False
    """For the umpire only: whether it is put away."""


class Joined(Body, frozen=True, kw_only=True):
    """The token is shown this once."""

    token: str
    seat: You
    battle: BattleCard


class Invite(Optional, frozen=True, kw_only=True):
    """A seat with the code that lets people in; `code`, `link` and `qr` (SVG) are shown once."""

    id: str
    name: str
    role: Role
    commands: tuple[str, ...] = ()
    revoked: bool = False
    admits_witnesses: bool = False
    """Whether its code lets in who has seen everything of the battle."""
    handed_over: bool = False
    """Whether the device that joins next takes the seat from those that sit there."""
    online: bool = False
    """Whether one of its devices has been heard of in the last minutes."""
    code: str = ""
    link: str = ""
    qr: str = ""
    devices: tuple[DeviceCard, ...] = ()


class DeviceCard(Optional, frozen=True, kw_only=True):
    """A device that holds a seat, or a client of an account."""

    id: str
    label: str
    created: str
    last_seen: str = ""
    online: bool = False
    revoked: bool = False
    has_seen_everything: bool = False
    """It sits on a player's seat and has been shown the battle's truth, on this seat's browser or before."""


class NewBattleMade(Body, frozen=True, kw_only=True):
    battle: BattleCard
    seats: tuple[Invite, ...]


# The gallery


class SystemCard(Body, frozen=True, kw_only=True):
    """A game system that this server plays."""

    system: str
    title: str
    version: int


class ScenarioCard(Optional, frozen=True, kw_only=True):
    """A scenario as the gallery shows it."""

    system: str
    key: str
    title: str
    description: str = ""
    victory: str = ""
    sides: tuple[str, ...] = ()
    length: str = ""
    teaches: str = ""
    author: str = ""


class Option(Optional, frozen=True, kw_only=True, tag_field="kind"):
    """Something that may be chosen when a battle is made; its value goes into the battle's `options` under `name`.
    It is asked only where the options in `only_if` have the values that stand there."""

    name: str
    label: str
    note: str = ""
    only_if: Mapping[str, str] = field(default_factory=dict)


class ChoiceOption(Option, frozen=True, kw_only=True, tag="choice"):
    """One of several things."""

    choices: tuple[Choice, ...]
    default: str


class NumberOption(Option, frozen=True, kw_only=True, tag="number"):
    """A whole number."""

    low: int | None = None
    high: int | None = None
    default: int


class FlagOption(Option, frozen=True, kw_only=True, tag="flag"):
    """Yes or no."""

    default: bool


class TextOption(Option, frozen=True, kw_only=True, tag="text"):
    """Words."""

    default: str


ScenarioOption = ChoiceOption | NumberOption | FlagOption | TextOption


class Scenario(ScenarioCard, frozen=True, kw_only=True):
    """A scenario with what may be chosen and the picture of its map."""

    options: tuple[ScenarioOption, ...] = ()
    picture: words.Scene


# The table


class ViewAnswer(Body, frozen=True, kw_only=True):
    """What the seat sees; `news` is the number of its last news."""

    system: str
    view: words.View
    news: int
    now: str


class OptionsAnswer(Optional, frozen=True, kw_only=True):
    """What may be ordered with a piece; without one what needs none, and which pieces may be ordered about; where `all`
    is asked for, the forms of each of those in `units`. Of a piece that is offered no order `why` says what there is to
    say of it."""

    forms: tuple[Form, ...]
    why: tuple[Refusal, ...] = ()
    subjects: tuple[str, ...]
    units: Mapping[str, tuple[Form, ...]] = field(default_factory=dict)


class HandAnswer(Body, frozen=True, kw_only=True):
    """What the umpire may do by hand with a piece; without one with the battle. A form's `note` says what a value is
    now, or who will see it."""

    forms: tuple[Form, ...]


class FateChance(Body, frozen=True, kw_only=True):
    """The chance of a fate as a fraction of whole numbers."""

    piece: str
    what: str
    chance: str


class OddsAnswer(Body, frozen=True, kw_only=True):
    """Odds as the giver believes the battle to be. `assumes` lists whose questions were answered by their defaults."""

    fates: tuple[FateChance, ...]
    exact: bool
    branches: int
    assumes: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


# Orders and questions


class OrderCard(Optional, frozen=True, kw_only=True):
    """An order and what became of it.

    In the answer to whoever gives it, `lines` are the log lines that he got by it, and `etag` and `last` are the tag of
    his view and the number of his last news afterwards. In lists `changed` numbers its last change."""

    id: str
    system: str
    order: words.Order
    status: Literal["given", "done", "ended", "refused", "withdrawn", "taken_back"]
    created: str
    seat: str = ""
    refusals: tuple[Refusal, ...] = ()
    lines: tuple[LogLine, ...] = ()
    etag: str = ""
    last: int = 0
    changed: int = 0
    taken_back: bool = False


class Released(Body, frozen=True, kw_only=True):
    """How many orders were let go."""

    released: int


class QuestionCard(Optional, frozen=True, kw_only=True):
    """A question that waits for this seat, or dice to be thrown at the table (`roll`). `answer` and `decline` are what
    its buttons are called, where they are not called as usual."""

    id: str
    since: str
    command: str = ""
    question: Question | None = None
    roll: Roll | None = None
    offer: bool = False
    answer: str = ""
    decline: str = ""


# News


class NewsItem(Optional, frozen=True, kw_only=True):
    """A piece of news. `patch` is a JSON merge patch (RFC 7396) of the view; the newest carries the view's `etag`."""

    number: int
    kind: Literal["news", "rewind", "message"]
    at: str
    lines: tuple[LogLine, ...] = ()
    patch: Mapping[str, Any] = field(default_factory=dict)
    etag: str = ""


class NewsAnswer(Body, frozen=True, kw_only=True):
    """The news after a number; `etag` is that of the view after the last of them all."""

    news: tuple[NewsItem, ...]
    last: int
    etag: str


class SyncAnswer(Optional, frozen=True, kw_only=True):
    """What a tablet that was away lacks: nothing, the news since, or the whole view; of the orders those that changed
    since the number it gave, and whether there are more of them."""

    system: str
    status: Literal["current", "news", "whole"]
    etag: str
    last: int
    now: str
    news: tuple[NewsItem, ...] = ()
    view: words.View | None = None
    questions: tuple[QuestionCard, ...] = ()
    orders: tuple[OrderCard, ...] = ()
    more_orders: bool = False
    messages: tuple[MessageCard, ...] = ()


class TicketAnswer(Body, frozen=True, kw_only=True):
    """Opens one event stream, once, within a minute."""

    ticket: str
    expires: str
    url: str


class MessageCard(Optional, frozen=True, kw_only=True):
    """A message as its sender, its receiver or the umpire knows it; only he gets `status`, `due` and `delivered`."""

    id: str
    to: str
    text: str
    sent: int = 0
    sender: str = ""
    status: str = ""
    due: int = 0
    delivered: str = ""


# The umpire's desk


class LedgerLine(Optional, frozen=True, kw_only=True):
    """An entry of the ledger; `cut` says that the battle may be rewound to before the next entry."""

    depth: int
    line: int
    kind: str
    text: str
    at: str = ""
    rule: str = ""
    cut: bool = False
    working: Any = None


class LedgerAnswer(Body, frozen=True, kw_only=True):
    """Entries of the ledger, oldest first, and how many there are."""

    entries: tuple[LedgerLine, ...]
    depth: int


class Waiting(Optional, frozen=True, kw_only=True, tag_field="kind"):
    """Something that waits for the umpire."""

    since: str


class WaitingQuestion(Waiting, frozen=True, kw_only=True, tag="question"):
    """A question that nobody has answered yet, or dice to be thrown at the table (`roll`)."""

    id: str
    command: str
    offer: bool
    question: Question | None = None
    roll: Roll | None = None


class WaitingOrder(Waiting, frozen=True, kw_only=True, tag="order"):
    """An order that is held for the umpire, or sealed until its turn."""

    id: str
    seat: str
    order: words.Order
    status: Literal["held", "sealed"]


class WaitingMessage(Waiting, frozen=True, kw_only=True, tag="message"):
    """A message on its way."""

    id: str
    to: str
    text: str
    sent: int
    sender: str
    status: str
    due: int
    delivered: str = ""


class WaitingStopped(Waiting, frozen=True, kw_only=True, tag="stopped"):
    """An order that cannot go on."""

    depth: int
    fault: str


class WaitingAbsent(Waiting, frozen=True, kw_only=True, tag="absent"):
    """A seat whose devices have been silent for a while."""

    seat: str


WaitingItem = WaitingQuestion | WaitingOrder | WaitingMessage | WaitingStopped | WaitingAbsent


class Belief(Body, frozen=True, kw_only=True):
    """What a player's seat believes to be where, and the tag of its view."""

    commands: tuple[str, ...]
    contacts: Mapping[str, ViewContact]
    tag: str


class DeskAnswer(Optional, frozen=True, kw_only=True):
    """What waits for the umpire, oldest first; what each seat believes; the last of the ledger; and what is wrong with
    the order that cannot go on."""

    system: str
    waiting: tuple[WaitingItem, ...]
    beliefs: Mapping[str, Belief]
    ledger: tuple[LedgerLine, ...]
    fault: str = ""


class PlansAnswer(Body, frozen=True, kw_only=True):
    """The plans of the hidden forces, by force."""

    system: str
    plans: Mapping[str, words.Plan]


class RecordHead(Body, frozen=True, kw_only=True):
    """Where the battle ended: the line of the ledger, its depth, the digest of the last state."""

    line: int
    depth: int
    digest: str


class RecordLine(Optional, frozen=True, kw_only=True):
    """A line of the ledger: what forked where from its parent, and whose dice fall on it."""

    number: int
    fork: int
    dice: int
    reason: str
    parent: int | None = None


class RecordEntry(Body, frozen=True, kw_only=True):
    """An entry of the ledger, as it was written under a version of the rules."""

    line: int
    depth: int
    at: str
    version: int
    entry: Mapping[str, Any]


class ChronicleLine(Body, frozen=True, kw_only=True):
    """A line of the chronicle, with the depth of its entry in the ledger."""

    depth: int
    at: str
    line: LogLine


class RecordAnswer(Body, frozen=True, kw_only=True):
    """The whole record of a battle that is finished and opened; `chronicle` is the line that was played to the end, in
    words."""

    battle: str
    system: str
    scenario: str
    head: RecordHead
    commitment: str
    secret: str
    lines: tuple[RecordLine, ...]
    entries: tuple[RecordEntry, ...]
    chronicle: tuple[ChronicleLine, ...]


class Schema(Body, frozen=True, kw_only=True):
    """An OpenAPI document."""

    openapi: str
    info: Mapping[str, Any]
    servers: tuple[Mapping[str, Any], ...]
    paths: Mapping[str, Any]
    components: Mapping[str, Any]


class PreviewAnswer(Preview, frozen=True, kw_only=True):
    """What the order would cost and reach, as far as its giver can know."""


class SightAnswer(Sightings, frozen=True, kw_only=True):
    """What is seen from a place."""


class RouteAnswer(Optional, frozen=True, kw_only=True):
    """A proposed way: its places without the start, and in words what of it would be seen."""

    path: tuple[tuple[int, ...], ...]
    note: str = ""


class Done(Body, frozen=True, kw_only=True):
    """It is done."""

    done: bool = True


Modifiers = Sequence[Modifier]
