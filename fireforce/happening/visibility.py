"""Who is seen and heard: figures on and off the table, prepared positions, noises."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field
from msgspec.structs import replace

from fireforce.happening.changing import with_men, with_team
from fireforce.happening.register import happens, unchanged
from fireforce.state.battle import Place, State
from umpire.kernel.events import Event
from umpire.kernel.parts import with_part


class Placed(Event, frozen=True, kw_only=True, tag="placed"):
    """Hidden figures are put on the table: enemies see them from now on. `why` is a key ("fired", "seen_in_open",
    "spotted", "searched", "contacted", "umpire")."""

    figures: tuple[str, ...]
    why: str


@happens(Placed, public="where_open")
def _placed(state: State, event: Placed) -> State:
    return with_men(state, event.figures, is_placed=True, hidden_turns=0)


class Concealed(Event, frozen=True, kw_only=True, tag="concealed"):
    """Figures are taken off the table: enemies see them no more."""

    figures: tuple[str, ...]


@happens(Concealed, public="never")
def _concealed(state: State, event: Concealed) -> State:
    return with_men(state, event.figures, is_placed=False)


class Prepared(Event, frozen=True, kw_only=True, tag="prepared"):
    """Figures lie in a prepared position, or have left it. `hidden_turns`: own turns out of sight so far."""

    figures: tuple[str, ...]
    is_prepared: bool
    hidden_turns: int = 0


@happens(Prepared, public="where_open")
def _prepared(state: State, event: Prepared) -> State:
    return with_men(state, event.figures, is_prepared=event.is_prepared, hidden_turns=event.hidden_turns)


class Spotted(Event, frozen=True, kw_only=True, tag="spotted"):
    """An observer has found a hidden figure or card; it is put on the table by `Placed` or `CardPlaced`."""

    observer: str
    target: str
    why: str = ""


happens(Spotted, public="never")(unchanged)


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


happens(NoiseMade, public="never")(unchanged)


class GunfireHeard(Event, frozen=True, kw_only=True, tag="gunfire_heard"):
    """These teams (squad id to names of its teams) have heard gunfire in this player turn (it bears on motivation);
    `commands` have as a whole."""

    commands: tuple[str, ...]
    player_turn: int
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@happens(GunfireHeard, public="never")
def _gunfire_heard(state: State, event: GunfireHeard) -> State:
    for name in event.commands:
        state = with_part(state, name, replace(state.commands[name], heard_fire=event.player_turn))
    for unit, teams in event.teams.items():
        for team in teams:
            state = with_team(state, unit, team, heard_fire=event.player_turn)
    return state
