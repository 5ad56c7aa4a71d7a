"""What requests carry, as structs: read strictly, and the same structs stand in the OpenAPI schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from umpire.api import words

Name = Annotated[str, Meta(min_length=1, max_length=120)]
Reason = Annotated[str, Meta(min_length=1, max_length=500)]
Text = Annotated[str, Meta(min_length=1, max_length=2000)]
Number = Annotated[int, Meta(ge=0, le=2**31)]


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request, or its query."""


class Spoken(Body, frozen=True, kw_only=True):
    """What is in the words of a system: that of the battle, which `system` names for clients that know several."""

    system: str = ""


class Nothing(Body, frozen=True, kw_only=True):
    """An empty object."""


class SignIn(Body, frozen=True, kw_only=True):
    """An umpire's account."""

    username: Name
    password: Annotated[str, Meta(min_length=1, max_length=200)]


class SignInLink(Body, frozen=True, kw_only=True):
    """What a sign-in link carries; `name` is what the account is to be called from now on."""

    token: Annotated[str, Meta(min_length=1, max_length=200)]
    name: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


class AccountChange(Body, frozen=True, kw_only=True):
    """What is to be otherwise with one's account."""

    name: Annotated[str, Meta(min_length=1, max_length=100)] | None = None
    password: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class BattleChange(Body, frozen=True, kw_only=True):
    """What is to be otherwise with a battle: its title, whether it is put away."""

    title: Name | None = None
    archived: bool | None = None


class BattleCopy(Body, frozen=True, kw_only=True):
    """What the copy of a battle is called; without a title as the battle itself."""

    title: Annotated[str, Meta(max_length=120)] = ""


class PictureOf(Body, frozen=True, kw_only=True):
    """What a picture is to say."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class SeatChange(Body, frozen=True, kw_only=True):
    """Another name for a seat."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]


class NewDevice(Body, frozen=True, kw_only=True):
    """What a further client of an account is called."""

    device: Annotated[str, Meta(min_length=1, max_length=80)]


class Join(Body, frozen=True, kw_only=True):
    """Takes a seat with its code; `device` is what the umpire's list of devices calls this one."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]
    device: Annotated[str, Meta(max_length=80)] = ""


class NewBattle(Body, frozen=True, kw_only=True):
    """A new battle. `options` are those of the scenario; `layers` are a group's own data files (name to text)."""

    system: Name
    scenario: Name
    title: Annotated[str, Meta(max_length=120)] = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    layers: Mapping[str, str] = field(default_factory=dict)


class OrderBody(Spoken, frozen=True, kw_only=True):
    """An order of the battle's system; `for` names the seat or command that the umpire acts for."""

    order: words.Order
    acting_for: Annotated[str, Meta(min_length=1, max_length=120)] | None = field(default=None, name="for")


class Release(Body, frozen=True, kw_only=True):
    """Which order is let go; none means all that wait."""

    order: str | None = None


class AskedOrder(Spoken, frozen=True, kw_only=True):
    """An order that is only asked about."""

    order: words.Order
    acting_for: Annotated[str, Meta(min_length=1, max_length=120)] | None = field(default=None, name="for")


class Answer(Body, frozen=True, kw_only=True):
    """Choices for a question, or the faces of dice thrown at the table: one of the two."""

    choices: tuple[str, ...] | None = None
    faces: tuple[Annotated[int, Meta(ge=1, le=1000)], ...] | None = None


class CorrectionBody(Spoken, frozen=True, kw_only=True):
    """Something the umpire does by hand, and why."""

    correction: words.Correction
    reason: Reason


class AskedCorrection(Spoken, frozen=True, kw_only=True):
    """Something that the umpire might do by hand."""

    correction: words.Correction


class Rewind(Body, frozen=True, kw_only=True):
    """Back to the first `depth` entries of the ledger, with the same dice to come or fresh ones."""

    depth: Number
    dice: Literal["keep", "fresh"] = "keep"
    reason: Reason


class OpenOrder(Body, frozen=True, kw_only=True):
    """What becomes of an order that cannot go on."""

    do: Literal["stop", "take_back", "again", "go_on"]
    reason: Reason


class Finish(Body, frozen=True, kw_only=True):
    """Ends the battle; `open` lets every seat read its whole record."""

    open: bool = False


class NewMessage(Body, frozen=True, kw_only=True):
    """Words to the umpire ("umpire") or to a command."""

    to: Name
    text: Text


class Delivery(Body, frozen=True, kw_only=True):
    """Delivers a message, in the umpire's words where `text` is given."""

    text: Text | None = None


class Delay(Body, frozen=True, kw_only=True):
    """In which turn a message is due."""

    due: Annotated[int, Meta(ge=0, le=10000)]


class NewSeat(Body, frozen=True, kw_only=True):
    """A further seat: a player of some commands (also of those that another seat leads), an observer, who sees what all
    see, or another umpire."""

    name: Name
    role: Literal["player", "observer", "umpire"] = "observer"
    commands: tuple[str, ...] = ()


class NewCode(Body, frozen=True, kw_only=True):
    """A new code for a seat. With `admits_witnesses` it lets in also who has seen everything of the battle; with
    `hands_over` the device that joins with it takes the seat from those that sit there."""

    admits_witnesses: bool = False
    hands_over: bool = False


class NewPlan(Spoken, frozen=True, kw_only=True):
    """A plan for a hidden force, in the words of the battle's system."""

    force: Name
    plan: words.PlanFields
    acting_for: Annotated[str, Meta(min_length=1, max_length=120)] | None = field(default=None, name="for")


class AskRoute(Body, frozen=True, kw_only=True):
    """Asks for a concealed path to a goal; `weight` says how much exposure counts against distance, in percent."""

    force: Name
    goal: tuple[int, int]
    weight: Annotated[int, Meta(ge=0, le=1000)] = 100


class AsQuery(Body, frozen=True, kw_only=True):
    """`as` names the seat, by its id or name, that the umpire looks over the shoulder of."""

    seat: str | None = field(default=None, name="as")


class OptionsQuery(AsQuery, frozen=True, kw_only=True):
    """The forms for a piece, those that need none, or `all` of them at once. `as` may also name a command."""

    unit: str | None = None
    all: bool = False


class OrdersQuery(AsQuery, frozen=True, kw_only=True):
    """Orders in the order in which they changed: after a number, or else the last of them."""

    after: Number | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 100


class HandQuery(Body, frozen=True, kw_only=True):
    """The forms for a piece, or those for the battle."""

    unit: str | None = None


class SightQuery(Body, frozen=True, kw_only=True):
    origin: str = field(name="from")
    to: str = ""


class MessagesQuery(AsQuery, frozen=True, kw_only=True):
    """The last messages, or the last before one."""

    before: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 100


class NewsQuery(AsQuery, frozen=True, kw_only=True):
    after: Number = 0


class SyncQuery(AsQuery, frozen=True, kw_only=True):
    """What is known already: the number of the last news and the tag of the view, and the number of the last change of
    an order. Without `after` nothing is."""

    after: Number | None = None
    tag: str = ""
    orders: Number | None = None


class LedgerQuery(Body, frozen=True, kw_only=True):
    before: Number | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100
