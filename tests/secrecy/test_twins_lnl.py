"""Twin worlds of Lock 'n Load on the shipped scenarios, in blind battles; and what of an impulse's end could tell."""

from __future__ import annotations

import os
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from lnl.board.hexes import Hex, distance
from lnl.package import PACKAGE, install
from lnl.rules.movement.stacking import room_for
from lnl.state.battle import State, Unit
from lnl.state.finding import melee_at, unit, units, units_at
from lnl.state.setting import ground_of, tables_of
from lnl.testing.conformance import CONFORMANCE
from tests.lnl.building import battle
from umpire.kernel.states import Seat
from umpire.testing.conformance.fixture import Broken, Conformance
from umpire.testing.conformance.twins import twin_worlds
from umpire.testing.play.battle import Play

install()
SEEDS = int(os.environ.get("CONFORMANCE_SEEDS", "1"))
NEAR = 6
"""Hexes within which a side has come to its enemies when the twins begin."""
FOREST = "\n".join(["F F F F F F F F F F"] * 8)


def in_the_thick(state: State, seats: Mapping[str, Seat], random: Random) -> State:
    """Now and then the first state; else one in which a side has come near the other, and some have fired."""
    if random.random() < 0.15:
        return state
    play = Play(PACKAGE, state, seats)
    sides = sorted({each.side for each in units(state)})
    play.correct({"verb": "SetPhase", "active": sides[0], "phase": "rally"}, "further on")
    attacker = random.choice(sides)
    foes = [each.at for each in units(play.state) if each.side != attacker and each.is_placed]
    for piece in [each.id for each in units(play.state) if each.side == attacker]:
        at = _near(play.state, unit(play.state, piece), random.choice(foes)[:2], random)
        if random.random() < 0.7 and at is not None:
            play.correct({"verb": "MoveTo", "piece": piece, "at": list(at)}, "further on")
    for piece in [each.id for each in units(play.state) if each.is_placed]:
        if random.random() < 0.25:
            play.correct({"verb": "Change", "piece": piece, "field": "fired", "value": True}, "further on")
    phase = random.choice(("rally", "operations", "operations", "operations"))
    play.correct({"verb": "SetPhase", "active": random.choice(sides), "phase": phase}, "further on")
    return play.state


def _near(state: State, each: Unit, foe: Hex, random: Random) -> tuple[int, int, int] | None:
    """A place near an enemy where a unit may be put."""
    if each.is_placed and melee_at(state, each.at) is not None:
        return None
    hexes = [here for here in ground_of(state).hexes.values() if 1 <= distance(here.at, foe) <= NEAR]
    for here in random.sample(hexes, min(4, len(hexes))):
        place = (*here.at, random.choice(ground_of(state).levels(here.at)))
        is_held = any(other.side != each.side for other in units_at(state, place))
        can_stand = tables_of(state).terrain(here.terrain).leg >= 0 and not is_held
        if can_stand and not room_for(state, place, each.side, (each.id,)):
            return place
    return None


def conformance_of_scenario(name: str) -> Conformance:
    setting = PACKAGE.load(PACKAGE.scenarios()[name], file=name, options={"play": "blind"})
    seats = {key: Seat(name=key, commands=(key,)) for key in setting.public.commands}
    seats["gallery"] = Seat(name="gallery", role="observer")
    return replace(CONFORMANCE, settings={name: lambda: setting}, seats=seats, further=in_the_thick)


@pytest.mark.parametrize("seed", range(2 * SEEDS))
@pytest.mark.parametrize("name", sorted(PACKAGE.scenarios()))
def test_twin_worlds_of_the_shipped_scenarios_are_alike(name: str, seed: int) -> None:
    assert twin_worlds(conformance_of_scenario(name), name, seed, steps=12) > 0


class HowManyActed(Play[State]):
    """When an impulse is over a view counts who has moved in it, seen or not."""

    def view(self, seat: str) -> dict[str, Any]:
        view = dict(super().view(seat))
        if not any(part.impulse for part in self.shown.commands.values()):
            view["acted"] = sum(each.moved == "move" for each in units(self.shown))
        return view


@pytest.mark.parametrize(("leak", "is_found"), [(Play, False), (HowManyActed, True)])
def test_what_the_end_of_a_hidden_impulse_tells_is_found(leak: type[Play[State]], is_found: bool) -> None:
    """Everybody stands alone: each order ends its impulse, which is conceded, and so none is hidden altogether."""
    men = "us a squad 2-5-4-6 A1\nus b squad 2-5-4-6 A3\nge g squad 1-6-4-5 J8\nge h squad 1-6-4-5 H8"
    fight = battle(FOREST, f"{men}\nge i squad 1-6-4-5 J5", options={"play": "blind"})
    seats = {name: seat for name, seat in fight.play.seats.items() if seat.role == "player"}
    conformance = replace(
        CONFORMANCE,
        settings={"small": lambda: fight.setting},
        seats=seats,
        further=lambda state, seats, random: fight.state,
    )
    said = []
    for seed in range(10):
        try:
            twin_worlds(conformance, "small", seed, play=leak)
        except Broken as broken:
            said.append(broken.text)
    assert bool(said) is is_found
    assert all('"acted"' in each for each in said)
