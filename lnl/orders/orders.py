"""What a seat may order, and what the umpire may do by his own hand.

Orders name own pieces by id and everything else by the alias (or place) under which the seat knows it. Places are
[column, row, level]. The tag is the verb.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import field

from lnl.board.hexes import Hex, Place
from lnl.state.battle import At, Leg, Phase, Plan, Standing
from umpire.kernel.hand import corrections as hand
from umpire.kernel.hand.fields import Between, Key, Words
from umpire.kernel.registry import Correction, Order

# Set-up and rally


class PlaceUnit(Order, frozen=True, kw_only=True, tag="PlaceUnit"):
    """Set a unit up within its zone. `core 1.3`"""

    unit: str
    at: Place
    facing: int = 0


class EndSetUp(Order, frozen=True, kw_only=True, tag="EndSetUp"):
    """Done with set-up."""


class Rally(Order, frozen=True, kw_only=True, tag="Rally"):
    """Try to rally a Shaken unit; `by`: the leader, hero, chaplain or nurse who helps ("" : the best there is).
    `core 3.0`"""

    unit: str
    by: str = ""


class RallyAll(Order, frozen=True, kw_only=True, tag="RallyAll"):
    """Try to rally every unit that may, leaders first. `core 3.0`"""


class FightOrDie(Order, frozen=True, kw_only=True, tag="FightOrDie"):
    """A commissar makes a unit that has failed try again. `core 11.9`"""

    commissar: str
    unit: str


class Heal(Order, frozen=True, kw_only=True, tag="Heal"):
    """A medic or nurse tends a wounded man, or brings a Shaken squad round. `core 11.3`, `core 11.10`"""

    medic: str
    unit: str


class Combine(Order, frozen=True, kw_only=True, tag="Combine"):
    """Two half-squads form a squad. `core 3.0`"""

    units: tuple[str, str]


class PickUp(Order, frozen=True, kw_only=True, tag="PickUp"):
    """A unit takes a weapon that lies in its place. `core 3.0`"""

    unit: str
    weapon: str


class HandOver(Order, frozen=True, kw_only=True, tag="HandOver"):
    """A unit gives a weapon to another one in its place; in exchange for one of its own, where both hold one.
    `core 3.0`"""

    weapon: str
    unit: str
    exchange: str = ""


class Drop(Order, frozen=True, kw_only=True, tag="Drop"):
    """A unit drops a weapon. `core 3.0`"""

    weapon: str


class Flip(Order, frozen=True, kw_only=True, tag="Flip"):
    """A tripod weapon (or the 51 mm mortar) is set up, or made ready to move; a jam is cleared. `core 1.6.1.01`"""

    weapon: str


class EndRally(Order, frozen=True, kw_only=True, tag="EndRally"):
    """Done with rallying. `core 3.0`"""


# Operations


class Activate(Order, frozen=True, kw_only=True, tag="Activate"):
    """Declare what this impulse activates: the first place by itself, others by leaders; `leaders`: by these, where it
    matters (those who do nothing else are Ops Complete). `core 4.0`"""

    places: tuple[Place, ...]
    leaders: tuple[str, ...] = ()


class EndImpulse(Order, frozen=True, kw_only=True, tag="EndImpulse"):
    """The impulse is over. `core 4.0`"""


class Pass(Order, frozen=True, kw_only=True, tag="Pass"):
    """Pass the impulse. `core 4.0`"""


class Move(Order, frozen=True, kw_only=True, tag="Move"):
    """Move units of one place together along `path` (places after the start). `core 6.0`"""

    units: tuple[str, ...]
    path: tuple[Place, ...]
    double_time: bool = False
    facing: int = 0


class AssaultMove(Order, frozen=True, kw_only=True, tag="AssaultMove"):
    """Move by half, and be able to fire afterwards. `core 6.1`"""

    units: tuple[str, ...]
    path: tuple[Place, ...]
    double_time: bool = False
    facing: int = 0


class LowCrawl(Order, frozen=True, kw_only=True, tag="LowCrawl"):
    """Crawl one hex. `core 6.3`"""

    units: tuple[str, ...]
    path: tuple[Place, ...]


class StealthMove(Order, frozen=True, kw_only=True, tag="StealthMove"):
    """Move by half, unspotted. `core 6.4`"""

    units: tuple[str, ...]
    path: tuple[Place, ...]


class Face(Order, frozen=True, kw_only=True, tag="Face"):
    """A weapon team turns within its hex. `core 1.6.3`"""

    unit: str
    facing: int


class ExitBoard(Order, frozen=True, kw_only=True, tag="ExitBoard"):
    """Units leave the board from a hex of their exit zone."""

    units: tuple[str, ...]


class Fire(Order, frozen=True, kw_only=True, tag="Fire"):
    """Units of one place fire at a place together. `weapons`: the support weapons that fire, by id; `holding`: units
    that fire their weapons only (their own firepower stays out); `leader`: who aids ("" : the best that may, "none":
    nobody). `core 5.0`, `core 5.2`"""

    units: tuple[str, ...]
    target: Place
    weapons: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    leader: str = ""


class FireMortar(Order, frozen=True, kw_only=True, tag="FireMortar"):
    """A mortar fires indirectly at a place that a caller sees; `star_shell`: it lights the place up instead.
    `core 1.6.22`, `core 18.1`, `core 20.1`"""

    mortar: str
    target: Place
    caller: str
    star_shell: bool = False


class PlaceSniper(Order, frozen=True, kw_only=True, tag="PlaceSniper"):
    """A sniper shows up, at any time between rulings; with `target` he fires at once. `core 11.4`"""

    unit: str
    at: Place
    target: Place | None = None


class Spot(Order, frozen=True, kw_only=True, tag="Spot"):
    """A unit tries to spot a place. `core 10.1`"""

    unit: str
    target: Place


class LaySmoke(Order, frozen=True, kw_only=True, tag="LaySmoke"):
    """A unit tries to lay smoke in its own or an adjacent hex. `core 7.0`"""

    unit: str
    at: Hex


class FireStarShell(Order, frozen=True, kw_only=True, tag="FireStarShell"):
    """A single man tries to light up a hex within three. `core 20.1`"""

    unit: str
    at: Hex


class FightMelee(Order, frozen=True, kw_only=True, tag="FightMelee"):
    """A round of a Melee that goes on from an earlier turn. `targets`: whom the giver attacks (empty: all he may).
    `core 8.1`"""

    at: Place
    targets: tuple[str, ...] = ()


class Withdraw(Order, frozen=True, kw_only=True, tag="Withdraw"):
    """Units try to leave a Melee along `path`. `core 8.1`"""

    units: tuple[str, ...]
    path: tuple[Place, ...]


class DeployClaymore(Order, frozen=True, kw_only=True, tag="DeployClaymore"):
    """Units deploy a claymore that one of them carries. `core 21.5`"""

    units: tuple[str, ...]
    weapon: str


class UseSkill(Order, frozen=True, kw_only=True, tag="UseSkill"):
    """Use a skill card. `core 12.0`"""

    unit: str
    skill: str
    target: str = ""


# At any time


class GiveStandingOrders(Order, frozen=True, kw_only=True, tag="GiveStandingOrders"):
    """What answers for a unit ("" : for the whole command) when it may take opportunity fire. `core 5.3`"""

    command: str
    unit: str = ""
    standing: Standing


class GivePlan(Order, frozen=True, kw_only=True, tag="GivePlan"):
    """A hidden force is to follow these legs by itself."""

    force: str
    legs: tuple[Leg, ...]
    on_contact: Literal["hold", "go_on"] = "hold"
    on_signal: Mapping[str, str] = field(default_factory=dict)
    is_held: bool = False


class CancelPlan(Order, frozen=True, kw_only=True, tag="CancelPlan"):
    """A force follows no plan any more."""

    force: str


class Signal(Order, frozen=True, kw_only=True, tag="Signal"):
    """A signal to forces with plans."""

    command: str
    signal: str


# The umpire's hand; what all games have of it stands in `umpire.kernel.hand.corrections`

Piece = Annotated[str, Key(hand.PIECE)]
Force = Annotated[str, Key("unit")]


class MoveTo(Correction, frozen=True, kw_only=True, tag="MoveTo"):
    """Put a unit, a loose weapon or a work at a place."""

    piece: Piece
    at: At


class Reveal(Correction, frozen=True, kw_only=True, tag="Reveal"):
    """Make a hidden unit or work open to everybody."""

    piece: Piece


class Conceal(Correction, frozen=True, kw_only=True, tag="Conceal"):
    """Hide an open unit again, with what it possesses."""

    piece: Piece


class Add(Correction, frozen=True, kw_only=True, tag="Add"):
    """Add a unit of a counter to a command, with its weapons: at a place, or off the board until a later turn.

    Without `is_open` it is as the battle has it: in a blind one hidden, but for whom sees it there by the rules.
    `core 10.1`
    """

    command: hand.Command
    counter: Annotated[str, Key("counter")]
    at: At
    name: Annotated[str, Words(60)] = ""
    weapons: tuple[Annotated[str, Key("support weapon")], ...] = ()
    arrives: Annotated[int, Between(0, 99, "turn")] = 0
    zone: Annotated[str, Key("zone", True)] = ""
    is_open: bool | None = None


class Remove(Correction, frozen=True, kw_only=True, tag="Remove"):
    """Take a piece out of the battle; nobody has lost it."""

    piece: Piece


class SetPhase(Correction, frozen=True, kw_only=True, tag="SetPhase"):
    """Go to a phase of this turn; `active` is whose rally or impulse it is."""

    active: Annotated[str, Key(hand.SIDE, True)]
    phase: Phase


class SetPlan(Correction, frozen=True, kw_only=True, tag="SetPlan"):
    """Give a hidden force a plan of the umpire's, or change the one it follows."""

    plan: Plan


class DropPlan(Correction, frozen=True, kw_only=True, tag="DropPlan"):
    """A force follows no plan any more."""

    force: Force


class SetPlansOnly(Correction, frozen=True, kw_only=True, tag="SetPlansOnly"):
    """A command is moved by plans alone, or played again."""

    command: hand.Command
    plans_only: bool


class Happen(Correction, frozen=True, kw_only=True, tag="Happen"):
    """An event of the scenario happens by the umpire's word. `core 1.7`"""

    key: Annotated[str, Key("event")]
