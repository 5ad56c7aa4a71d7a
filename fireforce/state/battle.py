"""The state of a FireForce battle, and how to find one's way in it.

Pieces of open commands (regulars) stand in `public`; those of the others in the part of their own command, whether
they are on the table or not, and so do cards, counters with the men for whom they stand, and whatever waits. What
enemies see of a hidden command are contacts in their own part.
Lengths are hundredths of an inch, x to the right and y up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct, field

from fireforce.book.rows import Hour, Quality
from fireforce.table.ranges import BASE_RADIUS
from fireforce.table.terrain import Terrain
from umpire.kernel import states
from umpire.kernel.hand.fields import Between, Fixed, Key, Words
from umpire.kernel.pieces import piece as pieces
from umpire.kernel.pieces.piece import Remains
from umpire.kernel.states import Belief
from umpire.kernel.values.modifiers import Modifier

Place = tuple[int, int]

Phase = Literal["upkeep", "motivation_movement", "visibility", "searching", "firing", "close_combat", "end"]
PHASES: tuple[Phase, ...] = (
    "upkeep",
    "motivation_movement",
    "visibility",
    "searching",
    "firing",
    "close_combat",
    "end",
)
"""The house sequence of a player turn. `fireforce turn-sequence`"""
PLAYED: tuple[Phase, ...] = ("motivation_movement", "searching", "firing", "close_combat")
"""The phases that the commands of the active side end themselves; the others pass by themselves."""

Role = Literal["platoon_commander", "platoon_sergeant", "leader", "assistant", "gunner", "rifleman", "civilian"]
CardKind = Literal["troops", "cache", "booby_trap", "dummy", "peasants"]
Weather = Literal["clear", "rain"]

At = Annotated[Place, Key("place")]
Turns = Annotated[int, Between(0, 99, "turns")]
Distance = Annotated[int, Between(0, 6000, "hundredths of an inch")]
Traits = tuple[Annotated[str, Words(40, 1)], ...]
Weapons = tuple[Annotated[str, Key("weapon")], ...]
Stock = Annotated[int, Between(0, 99)]
Rating = Annotated[int, Between(-9, 9)]
ComesIn = Fixed("It is taken off the table, and comes in.")
Waits = Fixed("It is set while it waits off the table.")
InSquad = Fixed("Men join a squad by being added, and leave it by being removed.")


NEVER = 999
"""The turn of a force that comes in when the umpire brings it in, and not before."""


class Piece(pieces.Piece, frozen=True, kw_only=True):
    """What figures, squads, cards and counters share: a true id, and the command that leads it. What waits off the
    table is part of the battle, and no rule sees it but that by which it comes in."""

    is_off: Annotated[bool, ComesIn] = False


class Stores(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Loads of stores. Heavy ones (rice) are left or destroyed, never carried. `fireforce searching`"""

    arms: Stock = 0
    food: Stock = 0
    heavy: Stock = 0

    @property
    def is_empty(self) -> bool:
        return not (self.arms or self.food or self.heavy)


class Figure(Piece, frozen=True, kw_only=True, tag="figure"):
    """One man. `quality` is the printed one; his squad may count as less.

    `pinned` is what pinned him; he is free at the end of his side's player turn of game turn `pinned_until`. `moved`,
    `fired`, `searching` and the like speak of his side's last player turn and stand until its next begins.
    `taken_from` is where the cache lies of which he carries stores ("x,y"), "" where that is not known.
    """

    squad: Annotated[str, InSquad] = ""
    name: Annotated[str, Words(60)] = ""
    role: Role = "rifleman"
    quality: Quality = "trained"
    weapons: Weapons = ()
    at: At
    radius: Annotated[int, Between(10, 200, "hundredths of an inch")] = BASE_RADIUS
    motivation_rating: Rating | None = None
    body_armour: bool = False
    traits: Traits = ()
    status: Literal["fit", "casualty", "captured"] = "fit"
    captured_by: Annotated[str, Key("command", True)] = ""
    pinned: Literal["", "fire", "he"] = ""
    pinned_until: Turns = 0
    moved: Literal["", "tactical", "running"] = ""
    distance: Distance = 0
    fired: Literal["", "aimed", "prophylactic", "held"] = ""
    searching: Annotated[str, Key("card or place", True)] = ""
    destroying: Annotated[str, Key("card", True)] = ""
    carrying: Stores = Stores()
    in_combat: bool = False
    must_withdraw: bool = False
    is_placed: bool = False
    is_prepared: bool = False
    has_fired_from_ambush: bool = False
    has_gambled: bool = False
    hidden_turns: Turns = 0
    taken_from: Annotated[str, Key("card or place", True)] = ""

    @property
    def is_fit(self) -> bool:
        return self.status == "fit"

    @property
    def is_civilian(self) -> bool:
        return self.role == "civilian"

    @property
    def is_pinned(self) -> bool:
        return self.pinned != ""


class Rolled(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Men of a team who rolled for motivation in this player turn, or let their move pass, apart from the others whom
    they have joined since: what they rolled is theirs alone. `fireforce motivation`"""

    members: tuple[Annotated[str, Key("figure")], ...]
    result: Annotated[str, Key("result of motivation", True)] = ""
    score: Annotated[int, Between(-99, 99)] = 0
    has_moved: bool = False
    dropped: Annotated[int, Between(0, 4)] = 0


class Team(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Figures that keep together and roll for motivation together: the whole squad, a fire team, a gun group, or men
    dropped off. `result` is the row of the motivation table rolled in this side's last player turn, "" for none yet;
    `dropped` the levels of quality that these troops have lost; `is_under_fire` whether they were fired at since they
    rolled; `was_under_fire` and `was_dropped` what was so when they first did, for a second roll asks for the same.
    `heard_fire`: the player turn in which they last heard gunfire. `rolled`: those of them who rolled with others.
    A gun group formed in player turn `formed` may go where it is wanted in that turn, and later on only nearer to the
    `place` it was told to go to. `fireforce organisation`, `fireforce motivation`
    """

    members: tuple[Annotated[str, Key("figure")], ...]
    kind: Literal["whole", "fire_team", "gun_group", "dropped_off"] = "whole"
    result: Annotated[str, Key("result of motivation", True)] = ""
    score: Annotated[int, Between(-99, 99)] = 0
    has_moved: bool = False
    is_under_fire: bool = False
    was_under_fire: bool = False
    dropped: Annotated[int, Between(0, 4)] = 0
    was_dropped: Annotated[int, Between(0, 4)] = 0
    heard_fire: Annotated[int, Between(0, 999)] = 0
    rolled: tuple[Rolled, ...] = ()
    formed: Annotated[int, Between(0, 999)] = 0
    place: At | None = None

    @property
    def lowered(self) -> int:
        """The levels of quality that its troops have lost, those who rolled apart with them: the most."""
        return max(self.dropped, *(each.dropped for each in self.rolled)) if self.rolled else self.dropped

    @property
    def own(self) -> tuple[str, ...]:
        """The members for whom the team's own roll counts."""
        apart = {man for each in self.rolled for man in each.members}
        return tuple(man for man in self.members if man not in apart)

    def roll_of(self, man: str) -> Team | Rolled:
        """The roll that counts for one of its members."""
        return next((each for each in self.rolled if man in each.members), self)


class Squad(Piece, frozen=True, kw_only=True, tag="squad"):
    """A squad. `members` in their printed order and `teams` (by the names "whole", or "first", "second", "gun",
    "dropped 1"...; each member in one of them) include its casualties: `members_of` gives the fit.
    It is nowhere, its men stand somewhere; while it waits off the table (`is_off`) it comes in in the upkeep of its
    side's player turn of game turn `arrives` at `at`, where it has a `zone` in it as near to there as there is room.
    `fireforce organisation`, `fireforce turn-sequence`"""

    at: Annotated[tuple[int, ...], Waits] = ()
    arrives: Annotated[int, Waits] = 0
    zone: Annotated[str, Waits] = ""
    name: Annotated[str, Words(60, 1)]
    quality: Quality = "trained"
    members: Annotated[tuple[str, ...], InSquad]
    teams: Mapping[Annotated[str, Words(40, 1)], Team]
    casualties: Stock = 0
    is_flakey: bool = False
    has_special_motivation: bool = False
    is_under_platoon_control: bool = True
    may_split: bool = True
    may_form_gun_group: bool = False
    traits: Traits = ()

    @property
    def dropped(self) -> int:
        """The levels of quality that its troops have lost, of several teams the most. `fireforce motivation`"""
        return max((team.lowered for team in self.teams.values()), default=0)


class Card(Piece, frozen=True, kw_only=True, tag="card"):
    """A 2" card, or in map mode the thing itself. `is_on_table`: enemies see it as a card, all alike until it is
    `is_face_up`; `squad` is what lies beneath; `taken_from` where the cache lies of which these stores, put
    down by somebody, are. Its `side` is that of its command, and not said again. `fireforce cards`"""

    side: Annotated[str, Remains] = ""
    kind: CardKind
    at: At
    squad: Annotated[str, Key("squad", True)] = ""
    stores: Stores = Stores()
    is_on_table: bool = False
    is_face_up: bool = False
    has_moved: bool = False
    searched_by: tuple[Annotated[str, Key("command")], ...] = ()
    taken_from: Annotated[str, Key("card or place", True)] = ""


class Counter(Piece, frozen=True, kw_only=True, tag="counter"):
    """A counter for troops the enemy cannot see; a dummy has no figures. Its `side` is that of its command, and not
    said again. `fireforce visibility`"""

    side: Annotated[str, Remains] = ""

    at: At
    figures: Annotated[tuple[str, ...], Fixed("Take the counter up, and lay another.")] = ()
    has_moved: bool = False


AnyPiece = Figure | Squad | Card | Counter


class Reserve(Struct, frozen=True, kw_only=True):
    """A squad off the table together with its men, as rules and the umpire's hand ask for it: no piece of its own, but
    read from these (`fireforce.state.finding.reserves`). `fireforce turn-sequence`"""

    id: Annotated[str, Remains]
    command: Annotated[str, Remains]
    squad: Annotated[Squad, Fixed("Set its values once it is on the table.")]
    figures: Annotated[tuple[Figure, ...], Fixed("Set their values once they are on the table.")]
    arrives: Annotated[int, Between(1, NEVER, "turn")]
    zone: Annotated[str, Key("zone", True)] = ""
    at: At


class Leg(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a plan: along `path` at a pace, or a halt of some turns."""

    path: tuple[At, ...] = ()
    pace: Literal["tactical", "running", "halt"] = "tactical"
    turns: Turns = 0


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a hidden force (a squad, or a card without one) is to do by itself. `fireforce umpire`

    `leg` and `along` say where it stands in its legs (distance on the leg's path, or turns halted); `step` counts the
    quanta carried; `carried` is the player turn and phase ("3 firing") of the last. `fire`: hold, at enemies within
    `fire_range` (first shot from ambush), or freely. `on_signal` maps a signal to what begins then: "go", "hold",
    "withdraw".
    """

    force: Annotated[str, Key("squad or card")]
    command: Annotated[str, Key("command")]
    by: Literal["umpire", "command"] = "umpire"
    legs: tuple[Leg, ...] = ()
    leg: Turns = 0
    along: Annotated[int, Between(0, 999_999)] = 0
    is_held: bool = False
    on_contact: Literal["hold", "ambush", "withdraw", "go_on"] = "hold"
    on_signal: Mapping[Annotated[str, Words(40, 1)], Annotated[str, Key("thing to do on a signal")]] = field(
        default_factory=dict
    )
    withdraw_to: At | None = None
    fire: Literal["hold", "within_range", "free"] = "hold"
    fire_range: Annotated[int, Between(1, 6000)] = 1500
    targets: Literal["any", "leaders", "gunners"] = "any"
    status: Literal["running", "in_contact", "done", "stopped"] = "running"
    step: Annotated[int, Between(0, 9999)] = 0
    carried: Annotated[str, Words(40)] = ""
    note: Annotated[str, Words(500)] = ""


class Standing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What answers for a squad (or, under "", for all of a command) when nobody is asked.

    `fire` answers whether to fire when it may out of turn; `criticals` whether to take them; `losses` who takes hits.
    """

    fire: Literal["hold", "free"] = "hold"
    fire_range: int = 1500
    criticals: Literal["take", "forgo", "ask"] = "take"
    losses: Literal["riflemen_first", "in_order", "ask"] = "riflemen_first"


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Points that a side has for a deed, `times` over. `deed` is a key of the table of victory points, or of the
    scenario's own. `fireforce victory-points`"""

    side: str
    deed: str
    points: int
    times: int = 1
    reason: str = ""
    rule: str = "fireforce victory-points"
    status: str = ""


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the battle ended; `winner` is a side, "" for a draw. `lines` are those that everybody may read."""

    winner: str = ""
    why: str = ""
    points: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, tuple[Modifier, ...]] = field(default_factory=dict)


class Public(states.Public, frozen=True, kw_only=True):
    """What everybody sees. `active` is the side whose player turn it is, the `player_turn`-th of all; `order` the
    sides in their order of play; `ended` the open commands that have ended this phase; `turns` how many turns the
    battle has where the umpire has changed it (0: as many as the scenario says)."""

    turn: Annotated[int, Between(1, 99)] = 0
    turns: Annotated[int, Between(1, 99)] = 0
    player_turn: int = 0
    order: tuple[str, ...] = ()
    active: str = ""
    phase: Phase = "upkeep"
    ended: tuple[str, ...] = ()
    hour: Hour = "day"
    weather: Weather = "clear"
    wind: Annotated[int, Between(0, 3599, "tenths of a degree")] = 0
    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)
    overlays: tuple[Terrain, ...] = ()
    scores: tuple[Score, ...] = ()
    result: Result | None = None


class CommandPart(states.CommandPart, frozen=True, kw_only=True):
    """What one command has that is not open: forces, cards, plans and standing orders by its player.

    `has_plans_only`: nobody plays it; plans move it and its phases pass when they are carried out. `signals` are those
    given and not yet acted on; `heard_fire` is the player turn in which it last heard gunfire. `has_ended`: it is done
    with this phase, where others are not told of it.
    """

    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)
    plans: Mapping[str, Plan] = field(default_factory=dict)
    standing: Mapping[str, Standing] = field(default_factory=dict)
    signals: tuple[str, ...] = ()
    heard_fire: int = 0
    has_plans_only: bool = False
    has_ended: bool = False


class UmpirePart(states.UmpirePart, frozen=True, kw_only=True):
    """What only the umpire knows: his plans for hidden forces (a player's own plan goes before), points nobody sees."""

    pieces: Mapping[str, AnyPiece] = field(default_factory=dict)
    plans: Mapping[str, Plan] = field(default_factory=dict)
    scores: tuple[Score, ...] = ()


class State(states.State, frozen=True, kw_only=True):
    """The whole battle."""

    public: Public
    commands: Mapping[str, CommandPart]
    umpire: UmpirePart


class Believed(State, Belief, frozen=True, kw_only=True):
    """A battle as a seat knows it: `fireforce.knowledge.belief.believed` builds it. Contacts in sight stand in
    `public.pieces` under their aliases, filled up by assumption."""
