"""What a seat may order, and what the umpire may do by his own hand.

Orders name own pieces by id and everything else by the alias under which the seat sees it. The tag is the verb.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct, field

from fireforce.book.rows import Quality
from fireforce.state.battle import At, Leg, Phase, Place, Plan, Rating, Role, Standing, Traits, Weapons
from umpire.kernel.hand import corrections as hand
from umpire.kernel.hand.fields import Between, Key, Words
from umpire.kernel.registry import Correction, Order

# Motivation, movement, organisation


class Motivate(Order, frozen=True, kw_only=True, tag="Motivate"):
    """Roll for a squad's motivation, or for one of its teams. `fireforce motivation`"""

    squad: str
    team: str = ""


class DesperateGamble(Order, frozen=True, kw_only=True, tag="DesperateGamble"):
    """The leader urges his men on: roll again, once a game. `fireforce desperate-gamble`"""

    squad: str
    team: str = ""


class Move(Order, frozen=True, kw_only=True, tag="Move"):
    """Move figures of one team. The first follows `path` (places after its start); each other one the same path beside
    him, by his own offset, but for those with a path of their own in `paths`. `fireforce movement`"""

    figures: tuple[str, ...]
    path: tuple[Place, ...] = ()
    manner: Literal["tactical", "running"] = "tactical"
    paths: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)


class Split(Order, frozen=True, kw_only=True, tag="Split"):
    """Split a squad into two fire teams; `second` goes with the assistant leader (empty: every other man).
    `fireforce organisation`"""

    squad: str
    second: tuple[str, ...] = ()


class Join(Order, frozen=True, kw_only=True, tag="Join"):
    """Teams of a squad become one again: `team` joins `into` (empty: all become the whole squad).
    `fireforce organisation`"""

    squad: str
    team: str = ""
    into: str = ""


class FormGunGroup(Order, frozen=True, kw_only=True, tag="FormGunGroup"):
    """A gunner and his mates are a gun group: they go `at` a place, or where they are led in this player turn, and
    stay there until they are told to rejoin. `fireforce organisation`"""

    squad: str
    figures: tuple[str, ...]
    at: Place | None = None


class DropOff(Order, frozen=True, kw_only=True, tag="DropOff"):
    """Men are dropped off to stay where they are. `fireforce organisation`"""

    squad: str
    figures: tuple[str, ...]


class SetPlatoonControl(Order, frozen=True, kw_only=True, tag="SetPlatoonControl"):
    """A squad acts under the platoon commander's control, or independently. `fireforce motivation-rating`"""

    squad: str
    under_control: bool = True


# Cards, counters, searching


class MoveCard(Order, frozen=True, kw_only=True, tag="MoveCard"):
    """Move a face-down card. `fireforce cards`"""

    card: str
    path: tuple[Place, ...]


class TurnCard(Order, frozen=True, kw_only=True, tag="TurnCard"):
    """Turn one's own card face up. `fireforce cards`"""

    card: str


class PlaceCounter(Order, frozen=True, kw_only=True, tag="PlaceCounter"):
    """Replace figures that no enemy sees by a counter; without figures place a dummy at `at`. `fireforce visibility`"""

    command: str
    figures: tuple[str, ...] = ()
    at: Place | None = None


class MoveCounter(Order, frozen=True, kw_only=True, tag="MoveCounter"):
    """Move a counter with the figures it stands for. `fireforce visibility`"""

    counter: str
    path: tuple[Place, ...]
    manner: Literal["tactical", "running"] = "tactical"


class PickUpCounter(Order, frozen=True, kw_only=True, tag="PickUpCounter"):
    """Put the figures back in the place of their counter, or take a dummy away. `fireforce visibility`"""

    counter: str


class Search(Order, frozen=True, kw_only=True, tag="Search"):
    """Search a card on which the figures stand, or with `card` empty the ground where they stand.
    `fireforce searching`"""

    figures: tuple[str, ...]
    card: str = ""


class TakeStores(Order, frozen=True, kw_only=True, tag="TakeStores"):
    """Take up what can be carried of the stores found. `fireforce searching`"""

    figures: tuple[str, ...]
    card: str


class DestroyStores(Order, frozen=True, kw_only=True, tag="DestroyStores"):
    """Spend a whole move destroying stores. `fireforce searching`"""

    figures: tuple[str, ...]
    card: str


class DropStores(Order, frozen=True, kw_only=True, tag="DropStores"):
    """Put down what figures carry. `fireforce searching`"""

    figures: tuple[str, ...]


# Fire and close combat


class Fire(Order, frozen=True, kw_only=True, tag="Fire"):
    """Fire at a target and those near it: aimed, or prophylactic. `fireforce small-arms`"""

    figures: tuple[str, ...]
    target: str
    aimed: bool = True


class CloseCombat(Order, frozen=True, kw_only=True, tag="CloseCombat"):
    """Fight an enemy in contact. `fireforce close-combat`"""

    figure: str
    target: str


# Plans, standing orders, phases


class GivePlan(Order, frozen=True, kw_only=True, tag="GivePlan"):
    """Give a hidden force of one's own a plan. `fireforce umpire`"""

    force: str
    legs: tuple[Leg, ...] = ()
    is_held: bool = False
    on_contact: Literal["hold", "ambush", "withdraw", "go_on"] = "hold"
    on_signal: Mapping[str, str] = field(default_factory=dict)
    withdraw_to: Place | None = None
    fire: Literal["hold", "within_range", "free"] = "hold"
    fire_range: int = 1500
    targets: Literal["any", "leaders", "gunners"] = "any"
    note: str = ""


class CancelPlan(Order, frozen=True, kw_only=True, tag="CancelPlan"):
    """A force follows no plan any more. `fireforce umpire`"""

    force: str


class Signal(Order, frozen=True, kw_only=True, tag="Signal"):
    """Give an audible signal to one's own plans. `fireforce communications`"""

    command: str
    signal: str


class GiveStandingOrders(Order, frozen=True, kw_only=True, tag="GiveStandingOrders"):
    """What answers for a squad, or with `force` empty for a whole command."""

    command: str
    force: str = ""
    standing: Standing


class SetPlansOnly(Order, frozen=True, kw_only=True, tag="SetPlansOnly"):
    """Let a command be moved by its plans alone, or take it in hand again."""

    command: str
    plans_only: bool = True


class EndPhase(Order, frozen=True, kw_only=True, tag="EndPhase"):
    """Done with this phase, for one command or (empty) for all of one's own. `fireforce turn-sequence`"""

    command: str = ""


# The umpire's hand; what all games have of it stands in `umpire.kernel.hand.corrections`

Piece = Annotated[str, Key(hand.PIECE)]


class MoveTo(Correction, frozen=True, kw_only=True, tag="MoveTo"):
    """Put a figure, card or counter at a place; a squad with its men (the first there, the others as they stood); one
    off the table comes in there now."""

    piece: Piece
    at: At


class Reveal(Correction, frozen=True, kw_only=True, tag="Reveal"):
    """Put a hidden figure, squad or card on the table, where enemies see it."""

    piece: Piece


class Conceal(Correction, frozen=True, kw_only=True, tag="Conceal"):
    """Take a hidden command's figure, squad or card off the table."""

    piece: Piece


class Kill(Correction, frozen=True, kw_only=True, tag="Kill"):
    """A figure becomes a casualty."""

    figure: Annotated[str, Key("figure")]


class Heal(Correction, frozen=True, kw_only=True, tag="Heal"):
    """A casualty or prisoner is fit again."""

    figure: Annotated[str, Key("figure")]


class Men(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Men alike of a squad that is added."""

    role: Role = "rifleman"
    weapons: Weapons = ()
    count: Annotated[int, Between(1, 30, "men")] = 1
    name: Annotated[str, Words(60)] = ""
    quality: Quality | None = None
    rating: Rating | None = None
    body_armour: bool = False
    traits: Traits = ()


class Add(Correction, frozen=True, kw_only=True, tag="Add"):
    """Add a squad to a command: on the table around a place, or with `arrives` off it until that turn, or (with
    `waits`) until it is brought in. Of a hidden command it is hidden as its others are, but for who sees it there.
    `fireforce visibility`
    """

    command: hand.Command
    name: Annotated[str, Words(60, 1)]
    quality: Quality = "trained"
    men: tuple[Men, ...]
    at: At
    arrives: Annotated[int, Between(0, 99, "turn")] = 0
    waits: bool = False
    zone: Annotated[str, Key("zone", True)] = ""
    is_placed: bool = False


class TakeOff(Correction, frozen=True, kw_only=True, tag="TakeOff"):
    """Take a squad off the table: it waits there until a turn, or (without `arrives`) until it is brought in."""

    squad: Annotated[str, Key("squad")]
    arrives: Annotated[int, Between(0, 99, "turn")] = 0


class Remove(Correction, frozen=True, kw_only=True, tag="Remove"):
    """Take a figure, squad, card or counter out of the battle."""

    piece: Piece


class SetPhase(Correction, frozen=True, kw_only=True, tag="SetPhase"):
    """Go to a phase of a side's player turn in this game turn."""

    side: hand.Side
    phase: Phase


class SetPlan(Correction, frozen=True, kw_only=True, tag="SetPlan"):
    """Give a hidden force a plan of the umpire's, or change the one it follows."""

    plan: Plan


class DropPlan(Correction, frozen=True, kw_only=True, tag="DropPlan"):
    """A force follows no plan any more."""

    force: Annotated[str, Key("squad or card")]
