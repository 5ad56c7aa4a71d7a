"""What happens in a battle: world events. Each carries the new values, so that `fireforce.happening.apply` needs no
rule.

An event names pieces by their true ids, each in a field of its own (`figure`, `figures`, `squad`, `card`, `target`,
...), never inside a sentence: `publishes` looks for hidden ids there. What commands come to know of an event that names
hidden pieces is written by `fireforce.knowledge.notice`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from fireforce.state.battle import (
    Card,
    Counter,
    Figure,
    Phase,
    Place,
    Plan,
    Reserve,
    Result,
    Score,
    Squad,
    Standing,
    Stores,
    Team,
)
from umpire.kernel.events import Event
from umpire.kernel.hand.corrections import Altered as Altered
from umpire.kernel.values.modifiers import Modifier


class Loss(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A squad's casualties so far, told with the event that adds to them."""

    squad: str
    casualties: int


# The battle and its turns


class BattleBegan(Event, frozen=True, kw_only=True, tag="battle_began"):
    """The sides in their order of play."""

    order: tuple[str, ...]


class PlayerTurnBegan(Event, frozen=True, kw_only=True, tag="player_turn_began"):
    """A side's player turn begins with its first phase. What its figures, teams, cards and counters did in their last
    one is over: nobody has moved, fired or rolled yet."""

    turn: int
    player_turn: int
    side: str
    phase: Phase


class PhaseBegan(Event, frozen=True, kw_only=True, tag="phase_began"):
    """The next phase of a player turn. No command has ended it yet."""

    side: str
    phase: Phase


class PhaseEnded(Event, frozen=True, kw_only=True, tag="phase_ended"):
    """A command is done with the phase; `is_open`: everybody may know that it is."""

    command: str
    is_open: bool = True


class WeatherChanged(Event, frozen=True, kw_only=True, tag="weather_changed"):
    """Weather, hour and wind (tenths of a degree, where it blows from) are now these."""

    hour: Literal["day", "night"]
    weather: Literal["clear", "rain"]
    wind: int = 0


class PointsScored(Event, frozen=True, kw_only=True, tag="points_scored"):
    """A side has done something that scores. `known`: everybody sees it."""

    score: Score
    known: bool = True


class BattleEnded(Event, frozen=True, kw_only=True, tag="battle_ended"):
    """The battle is over."""

    result: Result


# Motivation and organisation


class MotivationRolled(Event, frozen=True, kw_only=True, tag="motivation_rolled"):
    """A team's result, a row of the motivation table, and the levels by which its quality is now lowered. It is under
    fire no more: the next roll asks for fire since this one. `is_gamble`: the second roll of a gamble."""

    squad: str
    team: str
    result: str
    score: int
    dropped: int
    is_gamble: bool = False


class GambleUsed(Event, frozen=True, kw_only=True, tag="gamble_used"):
    """A leader has used his one desperate gamble."""

    figure: str


class Regrouped(Event, frozen=True, kw_only=True, tag="regrouped"):
    """A squad has split, formed a gun group, dropped men off or joined again: its teams are now these."""

    squad: str
    teams: Mapping[str, Team]
    how: Literal["split", "joined", "gun_group", "dropped_off"] = "split"


class PlatoonControlChanged(Event, frozen=True, kw_only=True, tag="platoon_control_changed"):
    """A squad acts under the platoon commander's control, or independently."""

    squad: str
    is_under_platoon_control: bool


# Movement and being seen


class Moved(Event, frozen=True, kw_only=True, tag="moved"):
    """A figure has moved along `path` (the places after its start) and is at `at`; `distance` is what it has moved this
    turn in all. `why`: "" for its own move, "withdrawal", "close_combat", "booby_trap", "to_cover", "umpire": then it
    stood at `start`."""

    figure: str
    at: Place
    path: tuple[Place, ...] = ()
    manner: Literal["", "tactical", "running"] = "tactical"
    distance: int = 0
    why: str = ""
    start: Place | None = None
    party: int = 0


class Stopped(Event, frozen=True, kw_only=True, tag="stopped"):
    """A move ended before it was complete; `why` is a key ("contact", "impassable", "edge")."""

    figures: tuple[str, ...]
    why: str


class TeamMoved(Event, frozen=True, kw_only=True, tag="team_moved"):
    """A team has used its move, or let it pass; `only_rolled`: those of it who rolled apart from the others."""

    squad: str
    team: str
    only_rolled: bool = False


class FireForgotten(Event, frozen=True, kw_only=True, tag="fire_forgotten"):
    """A team that rolls for nothing is under fire no more: its own move is over, as a roll would have ended it."""

    squad: str
    team: str


class Placed(Event, frozen=True, kw_only=True, tag="placed"):
    """Hidden figures are put on the table: enemies see them from now on. `why` is a key ("fired", "seen_in_open",
    "spotted", "searched", "contacted", "umpire")."""

    figures: tuple[str, ...]
    why: str


class Concealed(Event, frozen=True, kw_only=True, tag="concealed"):
    """Figures are taken off the table: enemies see them no more."""

    figures: tuple[str, ...]


class Prepared(Event, frozen=True, kw_only=True, tag="prepared"):
    """Figures lie in a prepared position, or have left it. `hidden_turns`: own turns out of sight so far."""

    figures: tuple[str, ...]
    is_prepared: bool
    hidden_turns: int = 0


class Spotted(Event, frozen=True, kw_only=True, tag="spotted"):
    """An observer has found a hidden figure or card; it is put on the table by `Placed` or `CardPlaced`."""

    observer: str
    target: str
    why: str = ""


class NoiseMade(Event, frozen=True, kw_only=True, tag="noise_made"):
    """A noise: `kind` is a row of the table of hearing distances, `distance` how far it carries. Each of `figures` made
    it all along his way, of `ways` the one at the same index (with its start; one place for who stood); `at` is where
    it came nearest to an enemy. `notice` tells who hears it; it is never public."""

    kind: str
    at: Place
    distance: int
    side: str
    figures: tuple[str, ...] = ()
    count: int = 1
    ways: tuple[tuple[Place, ...], ...] = ()


class GunfireHeard(Event, frozen=True, kw_only=True, tag="gunfire_heard"):
    """These teams (squad id to names of its teams) have heard gunfire in this player turn (it bears on motivation);
    `commands` have as a whole."""

    commands: tuple[str, ...]
    player_turn: int
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


# Cards and counters


class CardMoved(Event, frozen=True, kw_only=True, tag="card_moved"):
    """A card has moved, and the figures beneath it with it (id to place)."""

    card: str
    at: Place
    path: tuple[Place, ...] = ()
    figures: Mapping[str, Place] = field(default_factory=dict)
    distance: int = 0
    start: Place | None = None


class CardTurned(Event, frozen=True, kw_only=True, tag="card_turned"):
    """A card is turned face up: everybody sees what it is. A card of troops goes: its figures are `Placed` next."""

    card: str
    why: str


class CardPlaced(Event, frozen=True, kw_only=True, tag="card_placed"):
    """A card is put on the table, or in map mode the thing found; or taken off it."""

    card: str
    is_on_table: bool = True
    is_face_up: bool = False


class CardRemoved(Event, frozen=True, kw_only=True, tag="card_removed"):
    """A card is used up and out of the battle."""

    card: str


class CardMade(Event, frozen=True, kw_only=True, tag="card_made"):
    """A new card (troops conceal themselves again)."""

    card: Card


class CounterPlaced(Event, frozen=True, kw_only=True, tag="counter_placed"):
    """Open figures out of all enemies' sight are replaced by a counter (or a dummy is placed): they are public no
    more."""

    counter: Counter


class CounterMoved(Event, frozen=True, kw_only=True, tag="counter_moved"):
    """A counter has moved, and the figures that it stands for with it."""

    counter: str
    at: Place
    path: tuple[Place, ...] = ()
    figures: Mapping[str, Place] = field(default_factory=dict)
    distance: int = 0
    start: Place | None = None


class CounterPickedUp(Event, frozen=True, kw_only=True, tag="counter_picked_up"):
    """A counter goes, and the figures that it stood for stand on the table again."""

    counter: str
    why: str = ""


# Searching and stores


class SearchBegan(Event, frozen=True, kw_only=True, tag="search_began"):
    """Figures search a card, or a place: they cannot fire this turn."""

    figures: tuple[str, ...]
    card: str = ""
    at: Place


class Searched(Event, frozen=True, kw_only=True, tag="searched"):
    """A search is over: `card` is what lay there ("" for nothing)."""

    figures: tuple[str, ...]
    card: str = ""
    at: Place


class StoresTaken(Event, frozen=True, kw_only=True, tag="stores_taken"):
    """Stores are taken up from a card: what it has left, what the figure now carries, and where the cache lies of which
    they are ("x,y")."""

    figure: str
    card: str
    left: Stores
    carrying: Stores
    taken_from: str = ""


class StoresDropped(Event, frozen=True, kw_only=True, tag="stores_dropped"):
    """A figure has put down what it carried."""

    figure: str
    at: Place


class DestructionBegan(Event, frozen=True, kw_only=True, tag="destruction_began"):
    """Figures spend their move destroying stores."""

    figures: tuple[str, ...]
    card: str


class BrokeOff(Event, frozen=True, kw_only=True, tag="broke_off"):
    """Figures leave undone what they were busy with: they are made to go."""

    figures: tuple[str, ...]


class StoresDestroyed(Event, frozen=True, kw_only=True, tag="stores_destroyed"):
    """Stores are destroyed: what is left of them."""

    figures: tuple[str, ...]
    card: str
    left: Stores


class PeasantsFound(Event, frozen=True, kw_only=True, tag="peasants_found"):
    """Civilians stand on the table now: new figures of the card's command."""

    card: str
    figures: tuple[Figure, ...]


# Fire


class Fired(Event, frozen=True, kw_only=True, tag="fired"):
    """Figures have fired at a target and those near it (`area`), standing at `at`. `from_ambush`: it was their first
    shot from a prepared position, which is used now."""

    figures: tuple[str, ...]
    target: str
    area: tuple[str, ...] = ()
    mode: Literal["aimed", "prophylactic"] = "aimed"
    at: Place
    from_ambush: bool = False


class FireHeld(Event, frozen=True, kw_only=True, tag="fire_held"):
    """Poorly trained troops let the opportunity pass: these figures do not fire this turn."""

    figures: tuple[str, ...]


class CameUnderFire(Event, frozen=True, kw_only=True, tag="came_under_fire"):
    """Teams have been fired at (squad id to names of its teams)."""

    teams: Mapping[str, tuple[str, ...]]


class HitsScored(Event, frozen=True, kw_only=True, tag="hits_scored"):
    """What a fire came to: its points and their working, hits, and how many may be critical."""

    figures: tuple[str, ...]
    target: str
    fire_points: int
    hits: int
    criticals: int = 0
    working: tuple[Modifier, ...] = ()


class HitsAllocated(Event, frozen=True, kw_only=True, tag="hits_allocated"):
    """Who has been hit, once for each hit; `criticals` those chosen by the firer."""

    target: str
    figures: tuple[str, ...]
    criticals: tuple[str, ...] = ()


class Saved(Event, frozen=True, kw_only=True, tag="saved"):
    """A figure that was hit is saved."""

    figure: str


class Pinned(Event, frozen=True, kw_only=True, tag="pinned"):
    """A figure is pinned until the end of its side's player turn in game turn `until`."""

    figure: str
    by: Literal["fire", "he"] = "fire"
    until: int


class Unpinned(Event, frozen=True, kw_only=True, tag="unpinned"):
    """Figures are pinned no more."""

    figures: tuple[str, ...]


class BecameCasualty(Event, frozen=True, kw_only=True, tag="became_casualty"):
    """A figure is out of the battle. `by` is the side that did it, "" for an accident."""

    figure: str
    loss: Loss | None = None
    by: str = ""
    cause: str = "fire"


class Captured(Event, frozen=True, kw_only=True, tag="captured"):
    """A figure is taken prisoner by a command."""

    figure: str
    by: str
    loss: Loss | None = None


class Returned(Event, frozen=True, kw_only=True, tag="returned"):
    """A casualty or prisoner is fit again (by the umpire's hand)."""

    figure: str
    loss: Loss | None = None


class CloseCombatFought(Event, frozen=True, kw_only=True, tag="close_combat_fought"):
    """Two figures have fought: their scores with all modifiers, and what came of it."""

    figure: str
    target: str
    score: int
    target_score: int
    result: str = ""


class MustWithdraw(Event, frozen=True, kw_only=True, tag="must_withdraw"):
    """A figure has lost a close combat and withdraws a full move in its next turn; or has done so."""

    figure: str
    must_withdraw: bool = True


# Plans and standing orders


class PlanGiven(Event, frozen=True, kw_only=True, tag="plan_given"):
    """A force has a plan, in the place of the one it had from the same hand."""

    plan: Plan


class PlanCarried(Event, frozen=True, kw_only=True, tag="plan_carried"):
    """One quantum of a plan is carried out: the plan as it stands now."""

    plan: Plan


class PlanChanged(Event, frozen=True, kw_only=True, tag="plan_changed"):
    """A plan goes on otherwise (held, in contact, signalled, edited)."""

    plan: Plan
    why: str = ""


class PlanCancelled(Event, frozen=True, kw_only=True, tag="plan_cancelled"):
    """A force has no plan any more."""

    force: str


class SignalGiven(Event, frozen=True, kw_only=True, tag="signal_given"):
    """A command has given an audible signal; its plans go on accordingly by `PlanChanged`."""

    command: str
    signal: str


class StandingOrdersGiven(Event, frozen=True, kw_only=True, tag="standing_orders_given"):
    """Standing orders for a squad, or under "" for all of a command."""

    command: str
    force: str
    standing: Standing


class PlansOnlySet(Event, frozen=True, kw_only=True, tag="plans_only_set"):
    """Whether a command is moved by plans alone, its phases passing by themselves."""

    command: str
    has_plans_only: bool


# The umpire's hand


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """New figures with their squad, in the part of their command or, for an open one, in public."""

    figures: tuple[Figure, ...]
    squads: tuple[Squad, ...] = ()
    is_open: bool = False


class ReserveAdded(Event, frozen=True, kw_only=True, tag="reserve_added"):
    """A squad waits off the table now, or waits otherwise; `was_to_arrive`: the turn in which it was to come in."""

    reserve: Reserve
    was_to_arrive: int = 0


class Arrived(Event, frozen=True, kw_only=True, tag="arrived"):
    """A squad that waited off the table comes in with its men, open where its command is; with cards on the table a
    hidden one under `card`. `fireforce turn-sequence`"""

    reserve: str
    squad: Squad
    figures: tuple[Figure, ...]
    card: Card | None = None
    is_open: bool = False


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    """A piece is taken out of the battle as if it had never been. `what` it was called."""

    piece: str
    what: str = ""


Events = (
    BattleBegan
    | PlayerTurnBegan
    | PhaseBegan
    | PhaseEnded
    | WeatherChanged
    | PointsScored
    | BattleEnded
    | MotivationRolled
    | GambleUsed
    | Regrouped
    | PlatoonControlChanged
    | Moved
    | Stopped
    | TeamMoved
    | FireForgotten
    | Placed
    | Concealed
    | Prepared
    | Spotted
    | NoiseMade
    | GunfireHeard
    | CardMoved
    | CardTurned
    | CardPlaced
    | CardRemoved
    | CardMade
    | CounterPlaced
    | CounterMoved
    | CounterPickedUp
    | SearchBegan
    | Searched
    | StoresTaken
    | StoresDropped
    | DestructionBegan
    | BrokeOff
    | StoresDestroyed
    | PeasantsFound
    | Fired
    | FireHeld
    | CameUnderFire
    | HitsScored
    | HitsAllocated
    | Saved
    | Pinned
    | Unpinned
    | BecameCasualty
    | Captured
    | Returned
    | CloseCombatFought
    | MustWithdraw
    | PlanGiven
    | PlanCarried
    | PlanChanged
    | PlanCancelled
    | SignalGiven
    | StandingOrdersGiven
    | PlansOnlySet
    | Altered
    | Added
    | ReserveAdded
    | Arrived
    | Removed
)
