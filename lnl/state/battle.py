"""The state of a Lock 'n Load battle.

Units of open commands stand in `public`; those that are hidden (a whole command in a blind battle, a hidden set-up or a
reserve in an open one) in the part of their command. What enemies see of hidden ones are contacts in their own part. A
place is (column, row, level): level 0 is the ground, 1 an upper storey, -1 the inside of a bunker. `lnl.state.finding`
is how one finds one's way in a state, `lnl.happening.changing` is for what happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct, field

from lnl.board.hexes import Hex, Place
from umpire.kernel import states
from umpire.kernel.hand.fields import Between, Fixed, Key, Words
from umpire.kernel.pieces import piece as pieces
from umpire.kernel.states import Belief
from umpire.kernel.values.modifiers import Modifier

Phase = Literal["set_up", "rally", "operations", "administrative"]
PHASES: tuple[Phase, ...] = ("rally", "operations", "administrative")
"""The phases of a game turn; set-up comes once, before the first. `core 2.0`"""
NEVER = 999
"""The turn of a force that arrives when an event brings it in, and not before."""
Manner = Literal["move", "assault", "low_crawl", "stealth"]
"""How units move, and the marker that stays with them. `core 6.0`"""
WorkKind = Literal["foxhole", "trench", "bunker", "wire", "mines", "claymore"]

At = Annotated[Place, Key("place")]
AtHex = Annotated[Hex, Key("hex")]
HexKey = Annotated[str, Key("hex by key")]
Facing = Annotated[int, Between(0, 6)]
Turns = Annotated[int, Between(0, 99, "turns")]
Traits = tuple[Annotated[str, Words(40, 1)], ...]


class Piece(pieces.Piece, frozen=True, kw_only=True, tag="piece"):
    """What units, weapons and works share: a true id, the command that has it, a side, and who holds it."""

    is_off: Annotated[bool, Fixed("Set whether it is placed.")] = False


class Unit(Piece, frozen=True, kw_only=True, tag="unit"):
    """A counter of men; `counter` is its row in the book.

    `moved`, `fired` and `ops_complete` are its markers until the Administrative Phase; `is_moving`: the move is not
    over, and `spent` are the points of it. `attempts`: what it has tried in this Rally Phase ("rally", "second",
    "heal"). `has_called`: it has called mortar fire this turn. `is_off`: it is off the board (a sniper, a reserve);
    `arrives` is the turn in which it comes in, `zone` where it may be set up or comes in.
    `facing`: a spine, 0 for none. `core 1.1`, `core 4.0`
    """

    at: At
    counter: Annotated[str, Key("counter")]
    name: Annotated[str, Words(60)] = ""
    is_shaken: bool = False
    is_wounded: bool = False
    moved: Literal["", "move", "assault", "low_crawl", "stealth"] = ""
    fired: bool = False
    ops_complete: bool = False
    is_moving: bool = False
    spent: Annotated[int, Between(0, 99)] = 0
    facing: Facing = 0
    skills: tuple[Annotated[str, Key("skill card")], ...] = ()
    attempts: tuple[Annotated[str, Key("attempt")], ...] = ()
    has_called: bool = False
    traits: Traits = ()
    arrives: Annotated[int, Between(0, NEVER)] = 0
    zone: Annotated[str, Key("zone", True)] = ""

    @property
    def is_placed(self) -> bool:
        """Whether it is on the board."""
        return not self.is_off

    @property
    def is_good_order(self) -> bool:
        return not self.is_shaken


class Weapon(Piece, frozen=True, kw_only=True, tag="weapon"):
    """A support weapon: possessed by its `owner`, or (owner "") lying at `at`. `side` is whose it was at first:
    another's is captured. `is_set_up`: its set-up side is up. `core 1.6.1`"""

    at: At
    counter: Annotated[str, Key("support weapon")]
    is_set_up: bool = False
    is_jammed: bool = False
    traits: Traits = ()

    @property
    def owner(self) -> str:
        """The unit that possesses it, "" for none."""
        return self.hold.by if self.hold is not None else ""


class Work(Piece, frozen=True, kw_only=True, tag="work"):
    """A fortification, a mine or a claymore. `strength`: printed firepower of mines. `core 21.0`"""

    at: AtHex
    kind: WorkKind
    facing: Facing = 0
    strength: Annotated[int, Between(1, 12)] = 1


AnyPiece = Unit | Weapon | Work
"""The union by which pieces are read back, told apart by their tags."""
POSSESSED = "possessed"
"""How a unit holds a weapon."""


class Impulse(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The impulse that a command has begun: the places that it activates, and what was done from them.

    `leaders`: those whose activation brought other places in. `moved_from`: places from which units have moved (and may
    not again in this impulse), `fired_from`: place and target of direct fire. `brought_by`: for each of the places the
    leader who brings it in, "" for the first. `tried_spotting`, the `spotter` who did, and `spotted`: (unit, place) of
    the attempt that succeeded. `aids`: leaders who aid fire from their place in this impulse. `acted`: who has done
    something, `acted_at`: where each of them stood then. `allies`: other commands of the side with men in these places
    who may act too. `core 4.0`, `core 10.1`
    """

    command: str
    places: tuple[Place, ...] = ()
    leaders: tuple[str, ...] = ()
    brought_by: tuple[str, ...] = ()
    moved_from: tuple[Place, ...] = ()
    fired_from: tuple[tuple[Place, Place], ...] = ()
    tried_spotting: bool = False
    spotter: str = ""
    spotted: tuple[tuple[str, Place], ...] = ()
    aids: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    acted_at: Mapping[str, Place] = field(default_factory=dict)
    allies: tuple[str, ...] = ()


class Melee(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Melee marker; `fought`: its round of this turn is over. `core 8.1`"""

    at: Place
    fought: bool = True


class Barrage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Fire For Effect that stays until the Administrative Phase. `core 18.1`"""

    at: AtHex
    firepower: Annotated[int, Between(0, 30)]
    radius: Annotated[int, Between(0, 6)] = 0
    by: Annotated[str, Key("command", True)] = ""


class Loss(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A unit that is no more; `squads` of it: "reduced" stands for a squad that became a half-squad."""

    unit: str
    side: str
    command: str
    counter: str
    turn: int
    how: Literal["eliminated", "reduced", "surrendered", "removed", "exited"] = "eliminated"
    by: str = ""


class Leg(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a plan: along `path`, or a halt of some turns."""

    path: tuple[At, ...] = ()
    pace: Literal["move", "assault", "low_crawl", "stealth", "halt"] = "move"
    turns: Turns = 0


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a hidden unit is to do by itself each Operations Phase. `leg` and `along` say where it stands (places of the
    leg's path already entered, or turns halted); `step` counts quanta, `carried` is the turn of the last one."""

    force: Annotated[str, Key("unit")]
    command: Annotated[str, Key("command")]
    by: Literal["umpire", "command"] = "umpire"
    legs: tuple[Leg, ...] = ()
    leg: Turns = 0
    along: Turns = 0
    is_held: bool = False
    on_contact: Literal["hold", "go_on"] = "hold"
    on_signal: Mapping[Annotated[str, Words(40, 1)], Annotated[str, Key("thing to do on a signal")]] = field(
        default_factory=dict
    )
    status: Literal["running", "in_contact", "done", "stopped"] = "running"
    step: Annotated[int, Between(0, 9999)] = 0
    carried: Annotated[int, Between(0, 999)] = 0
    note: Annotated[str, Words(500)] = ""


class Standing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What answers for a unit (or, under "", for a command) when nobody is asked: whether it takes opportunity fire,
    within how many hexes; whether heroes who stand up on the way go along; and whether the Rally Phase waits for the
    command."""

    fire: Literal["hold", "free", "ask"] = "ask"
    within: int = 99
    losses: Literal["weakest_first", "ask"] = "ask"
    heroes: Literal["along", "stay", "ask"] = "ask"
    rally: Literal["", "wait"] = ""


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Points that a side has."""

    side: str
    points: int
    reason: str
    rule: str = ""
    key: str = ""


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the battle ended; `winner` is a side, "" for a draw."""

    winner: str = ""
    why: str = ""
    points: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, tuple[Modifier, ...]] = field(default_factory=dict)


class Public(states.Public, frozen=True, kw_only=True):
    """What everybody sees. `active` is the side whose impulse (or rally) it is, `held` the side with the initiative,
    `passes` those in a row; `ended` the open commands that are done with set-up or rally. `turns`: how many the battle
    has where the umpire has changed it (0: as many as the scenario says). Keys of `smoke` and `control` are
    "column,row", of `melees` "column,row,level". `impulse`: what all see of the one that goes on."""

    turn: Annotated[int, Between(1, 99)] = 0
    turns: Annotated[int, Between(1, 99)] = 0
    phase: Phase = "set_up"
    held: Annotated[str, Key("side", True)] = ""
    active: str = ""
    passes: Annotated[int, Between(0, 9)] = 0
    impulses: int = 0
    ended: tuple[str, ...] = ()
    impulse: Impulse | None = None
    hour: Literal["day", "night"] = "day"
    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)
    smoke: Mapping[HexKey, Annotated[int, Between(1, 2)]] = field(default_factory=dict)
    star_shells: tuple[AtHex, ...] = ()
    spotted: tuple[At, ...] = ()
    melees: Mapping[str, Melee] = field(default_factory=dict)
    barrages: tuple[Barrage, ...] = ()
    terrain: Mapping[HexKey, Annotated[str, Key("terrain")]] = field(default_factory=dict)
    control: Mapping[HexKey, Annotated[str, Key("side")]] = field(default_factory=dict)
    happened: tuple[str, ...] = ()
    deck: tuple[Annotated[str, Key("skill card")], ...] = ()
    losses: tuple[Loss, ...] = ()
    scores: tuple[Score, ...] = ()
    result: Result | None = None


class CommandPart(states.CommandPart, frozen=True, kw_only=True):
    """What one command has that is not open. `spotted`: the places on which it has put Spotted markers that the others
    do not see; `impulse`: its own, where others see none or less of it; `has_plans_only`: nobody plays it;
    `has_ended`: it is done with set-up or rally, where others are not told of it; `drawn` and `returned`: the skill
    cards that its hidden men have taken out of the deck, and given back to it."""

    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)
    spotted: tuple[Place, ...] = ()
    impulse: Impulse | None = None
    losses: tuple[Loss, ...] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    standing: Mapping[str, Standing] = field(default_factory=dict)
    signals: tuple[str, ...] = ()
    has_plans_only: bool = False
    has_ended: bool = False
    drawn: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()


class UmpirePart(states.UmpirePart, frozen=True, kw_only=True):
    """What only the umpire knows: his plans, which secret events have happened, control and points that nobody sees.
    `names`: the true ids of the forces that events of the scenario speak of, by their keys there. `pieces`: weapons
    that lie somewhere and are not open; who had them last does not know whether they are still there."""

    plans: Mapping[str, Plan] = field(default_factory=dict)
    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)
    happened: tuple[str, ...] = ()
    control: Mapping[str, str] = field(default_factory=dict)
    scores: tuple[Score, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)


class State(states.State, frozen=True, kw_only=True):
    """The whole battle."""

    public: Public
    commands: Mapping[str, CommandPart]
    umpire: UmpirePart


class Believed(State, Belief, frozen=True, kw_only=True):
    """A battle as a seat knows it: `lnl.knowledge.belief.believed` builds it. Contacts in sight stand in
    `public.pieces` under their aliases, filled up by assumption."""


def hex_key(place: tuple[int, ...]) -> str:
    """The key of a hex in maps of the state: "column,row"."""
    return f"{place[0]},{place[1]}"


def hex_of(key: str) -> Hex:
    """The hex of such a key."""
    column, row = key.split(",")
    return int(column), int(row)


def place_key(place: Place) -> str:
    """The key of a place in maps of the state: "column,row,level"."""
    return f"{place[0]},{place[1]},{place[2]}"
