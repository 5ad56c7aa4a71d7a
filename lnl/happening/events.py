"""What happens in a battle: world events. Each carries the new values, so that `lnl.happening.apply` needs no rule.

An event names pieces by their true ids, each in a field of its own, never inside a sentence. What commands come to know
of an event that names hidden pieces is written by `lnl.knowledge.notice`. Units in a list are in the order in which
they were named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import field

from lnl.board.hexes import Hex, Place
from lnl.state.battle import (
    Barrage,
    Impulse,
    Loss,
    Manner,
    Melee,
    Phase,
    Plan,
    Result,
    Score,
    Standing,
    Unit,
    Weapon,
    Work,
)
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import Altered as Altered

# The battle, its turns and impulses


class BattleBegan(Event, frozen=True, kw_only=True, tag="battle_began"):
    """The battle is set up for play; `phase` is set_up where players do it."""

    phase: Phase


class SetUp(Event, frozen=True, kw_only=True, tag="set_up"):
    """A unit was set up at a place."""

    unit: str
    at: Place
    facing: int = 0


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """A command is done with set-up or with its rallying; `is_open`: everybody may know that it is."""

    command: str
    is_open: bool = True


class TurnBegan(Event, frozen=True, kw_only=True, tag="turn_began"):
    """The turn marker is advanced. `core 9.0`"""

    turn: int


class PhaseBegan(Event, frozen=True, kw_only=True, tag="phase_began"):
    """A phase begins; `active` is whose rally or impulse comes first. No command has ended it, nobody has passed,
    and no impulse goes on."""

    phase: Phase
    active: str = ""


class InitiativeWon(Event, frozen=True, kw_only=True, tag="initiative_won"):
    """A side has the initiative this turn. `core 3.0`"""

    side: str


class RallyPassedOn(Event, frozen=True, kw_only=True, tag="rally_passed_on"):
    """The side with the initiative is done rallying; now it is this one's turn. `core 3.0`"""

    side: str


class ImpulseBegan(Event, frozen=True, kw_only=True, tag="impulse_began"):
    """A command declares what it activates. The passes in a row are over. `core 4.0`"""

    impulse: Impulse


class ImpulseChanged(Event, frozen=True, kw_only=True, tag="impulse_changed"):
    """What was done in an impulse so far."""

    impulse: Impulse


class ImpulseEnded(Event, frozen=True, kw_only=True, tag="impulse_ended"):
    """An impulse is over; `active` is whose turn it is now, `passes` how many in a row were passes. `core 4.0`"""

    command: str
    active: str
    passes: int = 0


class MarkersRemoved(Event, frozen=True, kw_only=True, tag="markers_removed"):
    """The Administrative Phase takes off all Move, Assault Move, Stealth, Low Crawl, Fired, Ops Complete and Spotted
    markers, star shells and barrages. `smoke` is what is left of it. `core 9.0`"""

    smoke: Mapping[str, int] = field(default_factory=dict)


class RallyMarksRemoved(Event, frozen=True, kw_only=True, tag="rally_marks_removed"):
    """A Rally Phase is over: what was tried in it no longer counts."""


class PointsScored(Event, frozen=True, kw_only=True, tag="points_scored"):
    """A side has points; `known`: everybody sees it."""

    score: Score
    known: bool = True


class ControlChanged(Event, frozen=True, kw_only=True, tag="control_changed"):
    """A hex is controlled by a side now; `known`: everybody sees it."""

    at: Hex
    side: str
    known: bool = True


class BattleEnded(Event, frozen=True, kw_only=True, tag="battle_ended"):
    """The battle is over."""

    result: Result


# Movement


class Started(Event, frozen=True, kw_only=True, tag="started"):
    """Units begin to move: they bear the marker of their manner, and are moving. `core 6.0`"""

    units: tuple[str, ...]
    manner: Manner
    double_time: bool = False


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    """Moving units are now here; `spent`: the points of this move that each has spent. `core 6.0`"""

    units: tuple[str, ...]
    at: Place
    spent: Mapping[str, int]


class Stopped(Event, frozen=True, kw_only=True, tag="stopped"):
    """Units end their move: it is over as ordered ("done"), or something made them stop. `moved`: the marker that they
    bear from now on, "" for the one they have. `core 8.0`"""

    units: tuple[str, ...]
    why: str = "done"
    moved: Literal["", "move"] = ""


class Faced(Event, frozen=True, kw_only=True, tag="faced"):
    """A unit faces this spine now. `core 1.6.3`"""

    unit: str
    facing: int


class Retreated(Event, frozen=True, kw_only=True, tag="retreated"):
    """A unit is forced back and bears a Move marker. `core 1.6.2`"""

    unit: str
    at: Place


class Arrived(Event, frozen=True, kw_only=True, tag="arrived"):
    """A unit comes onto the board; or the umpire puts it elsewhere from where it was (`start`)."""

    unit: str
    at: Place
    facing: int = 0
    start: Place | None = None


class Reinforced(Event, frozen=True, kw_only=True, tag="reinforced"):
    """Units come in in this turn. `core 1.7`"""

    units: tuple[str, ...]
    turn: int


class Exited(Event, frozen=True, kw_only=True, tag="exited"):
    """Units have left the board."""

    losses: tuple[Loss, ...]


# Being seen


class Spotted(Event, frozen=True, kw_only=True, tag="spotted"):
    """A command has spotted a place by an attempt: it bears a Spotted marker. `core 10.1`"""

    command: str
    at: Place


class SpottingFailed(Event, frozen=True, kw_only=True, tag="spotting_failed"):
    """A unit has tried to spot a place in vain. `core 10.1`"""

    unit: str
    at: Place


class SpottedMarkerRemoved(Event, frozen=True, kw_only=True, tag="spotted_marker_removed"):
    """All units have left a place that was spotted; `command`: whose own marker it is ("" : everybody's).
    `core 10.1`"""

    at: Place
    command: str = ""


class Looked(Event, frozen=True, kw_only=True, tag="looked"):
    """Units on the move that opportunity fire has left in Good Order look around: now they spot what is adjacent.
    `core 6.0`"""

    units: tuple[str, ...]


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """Hidden pieces (units with what they possess, works) are open from now on."""

    pieces: tuple[str, ...]


class Disclosed(Event, frozen=True, kw_only=True, tag="disclosed"):
    """Hidden pieces are made known to the commands of one side, and stay hidden from all others (L230)."""

    pieces: tuple[str, ...]
    side: str


# Markers and states of units


class Fired(Event, frozen=True, kw_only=True, tag="fired"):
    """Units have fired (or aided fire): they bear a Fired marker. `weapons` took part. `core 4.0`"""

    units: tuple[str, ...]
    weapons: tuple[str, ...] = ()
    at: Place | None = None
    how: Literal["direct", "opportunity", "indirect", "sniper", "aid", "claymore"] = "direct"


class OpsCompleted(Event, frozen=True, kw_only=True, tag="ops_completed"):
    """Units bear an Ops Complete marker. `core 4.1`"""

    units: tuple[str, ...]
    why: str = ""


class Shaken(Event, frozen=True, kw_only=True, tag="shaken"):
    """A unit is flipped to its Shaken side. `core 5.1`"""

    unit: str


class Wounded(Event, frozen=True, kw_only=True, tag="wounded"):
    """A single man is wounded; `is_shaken`: he is flipped too (a Hero is not). `core 5.1`"""

    unit: str
    is_shaken: bool = True


class Reduced(Event, frozen=True, kw_only=True, tag="reduced"):
    """A squad is now a Shaken half-squad of this counter. `core 5.1`"""

    unit: str
    counter: str
    loss: Loss


class Eliminated(Event, frozen=True, kw_only=True, tag="eliminated"):
    """A unit is no more. Its weapons lie in its hex. `core 1.6.1`"""

    unit: str
    loss: Loss


class HeroCreated(Event, frozen=True, kw_only=True, tag="hero_created"):
    """A hero stands up, open or hidden as his parent was; `deck` is what is left of the skill cards as all know them.
    `drawn`: the card of a hidden one, of which his command alone knows that it is gone. `core 11.2`"""

    unit: Unit
    parent: str = ""
    deck: tuple[str, ...] = ()
    is_open: bool = True
    drawn: str = ""


class SkillUsed(Event, frozen=True, kw_only=True, tag="skill_used"):
    """A skill card that is used up goes back into the deck; of a hidden unit's its command alone knows. `core 12.0`"""

    unit: str
    skill: str
    is_hidden: bool = False


class Rallied(Event, frozen=True, kw_only=True, tag="rallied"):
    """A unit is back in Good Order. `core 3.0`"""

    unit: str


class Healed(Event, frozen=True, kw_only=True, tag="healed"):
    """A wound is healed. `core 11.3`"""

    unit: str


class Attempted(Event, frozen=True, kw_only=True, tag="attempted"):
    """What a unit has tried in this Rally Phase. `core 3.0`"""

    unit: str
    attempts: tuple[str, ...]


class Combined(Event, frozen=True, kw_only=True, tag="combined"):
    """Two half-squads are one squad now: `into` takes the place of `units`. `core 3.0`"""

    units: tuple[str, str]
    into: Unit


class Called(Event, frozen=True, kw_only=True, tag="called"):
    """A unit has called indirect fire this turn. `core 18.1`"""

    unit: str


# Weapons


class WeaponTaken(Event, frozen=True, kw_only=True, tag="weapon_taken"):
    """A unit possesses a weapon now (picked up, handed over, captured). `core 1.6.1`, `core 3.0`"""

    weapon: str
    unit: str


class WeaponDropped(Event, frozen=True, kw_only=True, tag="weapon_dropped"):
    """A weapon lies in a place; the umpire has put it there from `start`. `core 1.6.1`"""

    weapon: str
    at: Place
    start: Place | None = None


class WeaponFlipped(Event, frozen=True, kw_only=True, tag="weapon_flipped"):
    """A weapon shows its set-up side, or its other one. `core 1.6.1.01`"""

    weapon: str
    is_set_up: bool


class WeaponJammed(Event, frozen=True, kw_only=True, tag="weapon_jammed"):
    """A weapon is jammed, or no longer. `core 1.6.1.1`"""

    weapon: str
    is_jammed: bool = True


class WeaponRemoved(Event, frozen=True, kw_only=True, tag="weapon_removed"):
    """A weapon is used up, or gone. `core 1.6.2`"""

    weapon: str


# Ground


class SmokePlaced(Event, frozen=True, kw_only=True, tag="smoke_placed"):
    """Smoke 1 (or 2) lies in a hex. `core 7.0`"""

    at: Hex
    stage: int = 1


class SmokeFailed(Event, frozen=True, kw_only=True, tag="smoke_failed"):
    """A unit has tried to lay smoke in vain. `core 7.0`"""

    unit: str
    at: Hex


class StarShellPlaced(Event, frozen=True, kw_only=True, tag="star_shell_placed"):
    """A star shell burns over a hex. `core 20.1`"""

    at: Hex


class BarragePlaced(Event, frozen=True, kw_only=True, tag="barrage_placed"):
    """Fire For Effect stays in a hex. `core 18.1`"""

    barrage: Barrage


class WorkPlaced(Event, frozen=True, kw_only=True, tag="work_placed"):
    """A work stands in a hex; `is_open`: everybody sees it. `core 21.0`"""

    work: Work
    is_open: bool = True
    weapon: str = ""


class WorkRemoved(Event, frozen=True, kw_only=True, tag="work_removed"):
    """A work is gone. `core 21.5`"""

    work: str


class MeleeMarked(Event, frozen=True, kw_only=True, tag="melee_marked"):
    """Units are locked in Melee here. `core 8.1`"""

    melee: Melee


class MeleeOver(Event, frozen=True, kw_only=True, tag="melee_over"):
    """A Melee marker is taken off. `core 8.1`"""

    at: Place


class MeleeFought(Event, frozen=True, kw_only=True, tag="melee_fought"):
    """A round of Melee: who attacked whom, the odds, what was needed and rolled. `core 8.0`"""

    command: str
    at: Place
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    odds: str
    needed: int
    total: int
    is_won: bool


# Events of the scenario, plans, standing orders, the umpire


class Happened(Event, frozen=True, kw_only=True, tag="lnl_happened"):
    """An event of the scenario has happened. `text`: what everybody (or `side`) reads. `core 1.7`"""

    key: str
    marker: str = ""
    side: str = ""
    text: str = ""


class StandingOrdersGiven(Event, frozen=True, kw_only=True, tag="standing_orders_given"):
    """What answers for a unit, or under "" for the whole command."""

    command: str
    unit: str = ""
    standing: Standing


class PlanGiven(Event, frozen=True, kw_only=True, tag="plan_given"):
    """A force has this plan now."""

    plan: Plan


class PlanCarried(Event, frozen=True, kw_only=True, tag="plan_carried"):
    """A quantum of a plan is done: it stands thus."""

    plan: Plan


class PlanDropped(Event, frozen=True, kw_only=True, tag="plan_dropped"):
    """A force has no plan any more."""

    force: str


class SignalGiven(Event, frozen=True, kw_only=True, tag="signal_given"):
    """A command gives a signal to its forces with plans."""

    command: str
    signal: str


class PlansOnlySet(Event, frozen=True, kw_only=True, tag="plans_only_set"):
    """A command is moved by plans alone, or played again."""

    command: str
    plans_only: bool


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """The umpire adds a piece; `is_open`: to what everybody sees."""

    unit: Unit | None = None
    weapon: Weapon | None = None
    is_open: bool = True


class Concealed(Event, frozen=True, kw_only=True, tag="concealed"):
    """The umpire hides open units again (with what they possess)."""

    units: tuple[str, ...]


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    """The umpire takes a piece out of the battle; nobody has lost it. `what` it was called."""

    piece: str
    what: str = ""


Events = (
    BattleBegan
    | SetUp
    | Ended
    | TurnBegan
    | PhaseBegan
    | InitiativeWon
    | RallyPassedOn
    | ImpulseBegan
    | ImpulseChanged
    | ImpulseEnded
    | MarkersRemoved
    | RallyMarksRemoved
    | PointsScored
    | ControlChanged
    | BattleEnded
    | Started
    | Entered
    | Stopped
    | Faced
    | Retreated
    | Arrived
    | Reinforced
    | Exited
    | Spotted
    | SpottingFailed
    | SpottedMarkerRemoved
    | Looked
    | Revealed
    | Disclosed
    | Fired
    | OpsCompleted
    | Shaken
    | Wounded
    | Reduced
    | Eliminated
    | HeroCreated
    | SkillUsed
    | Rallied
    | Healed
    | Attempted
    | Combined
    | Called
    | WeaponTaken
    | WeaponDropped
    | WeaponFlipped
    | WeaponJammed
    | WeaponRemoved
    | SmokePlaced
    | SmokeFailed
    | StarShellPlaced
    | BarragePlaced
    | WorkPlaced
    | WorkRemoved
    | MeleeMarked
    | MeleeOver
    | MeleeFought
    | Happened
    | StandingOrdersGiven
    | PlanGiven
    | PlanCarried
    | PlanDropped
    | SignalGiven
    | PlansOnlySet
    | Altered
    | Added
    | Concealed
    | Removed
)
