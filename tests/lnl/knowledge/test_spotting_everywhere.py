"""What is spotted, and what may be tried to spot, on every place of the shipped maps, against the plain rule."""

from __future__ import annotations

from itertools import islice

import pytest

from lnl.board.hexes import Place, distance
from lnl.knowledge.sighting import knowledge_of
from lnl.orders.orders import Spot
from lnl.package import PACKAGE
from lnl.state.battle import Believed, State, Unit, hex_key
from lnl.state.finding import melee_at, perceives, terrain_at, units, units_of, works
from lnl.state.setting import ground_of
from tests.lnl.fighting import SCENARIOS, fighting
from umpire.kernel import running
from umpire.kernel.forms import PointSlot

LEVELS = (-1, 0, 1)
ACTS, EVERY = 150, 12


def together(place: Place) -> tuple[Place, ...]:
    """A bunker and what is on top of it are spotted as one."""
    column, row, level = place
    return (place,) if level == 1 else ((column, row, 0), (column, row, -1))


def adjacent(state: State, a: Place, b: Place) -> bool:
    """Neighbouring hexes and levels of one hex, but for different floors of two multi-storey buildings."""
    ground, apart = ground_of(state), distance(a[:2], b[:2])
    are_tall = len(ground.levels(a[:2])) > 1 and len(ground.levels(b[:2])) > 1
    return apart == 0 or (apart == 1 and not (are_tall and (a[2] == 1) != (b[2] == 1)))


def spotted(state: State, command: str, side: str, place: Place) -> bool:
    part, public, there = state.commands[command], state.public, together(place)
    foes = [each for each in units(state) if each.side != side and each.is_placed and each.at in there]
    foes = [each for each in foes if perceives(state, command, each.id)]
    if any(at in (*public.spotted, *part.spotted) or melee_at(state, at) for at in there):
        return True
    if any(not each.is_moving and (each.fired or each.moved in ("move", "assault")) for each in foes):
        return True
    known = {*public.pieces, *part.pieces, *state.umpire.aliases.get(command, {})}
    in_trench = any(each.kind == "trench" and each.at == place[:2] and each.id in known for each in works(state))
    if terrain_at(state, place).sight == "open" and hex_key(place) not in public.smoke and not in_trench:
        return True
    if foes and all(each.moved == "stealth" for each in foes):
        return False
    return any(adjacent(state, each.at, place) for each in _own(state, command, side) if each.is_good_order)


def _own(state: State, command: str, side: str) -> list[Unit]:
    found = [each for each in units_of(state.public) if each.side == side]
    return [each for each in (*found, *units_of(state.commands[command])) if each.is_placed]


@pytest.mark.rule("core 10.1", "core 6.4", "core 7.0", "core 21.1")
@pytest.mark.parametrize("play", ["open", "blind"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_place_is_spotted_as_the_rule_says(scenario: str, play: str) -> None:
    found = {True: 0, False: 0}
    for battle in islice(fighting(scenario, play, ACTS, "spotted"), 5, None, EVERY):
        for name, seat in battle.seats.items():
            for state in (battle.state, running.believed_of(PACKAGE, battle.state, seat)) if seat.commands else ():
                knows = knowledge_of(state, name)
                places = [
                    (*at, level) for at in (each.at for each in ground_of(state).hexes.values()) for level in LEVELS
                ]
                for place in places:
                    is_spotted = spotted(state, name, knows.side, place)
                    assert knows.is_spotted(place) == is_spotted, f"{place} for {name}"
                    found[is_spotted] += 1
                real = [each for each in sorted(places) if each[2] in ground_of(state).levels(each[:2])]
                assert list(knows.unspotted) == [each for each in real if not knows.is_spotted(each)]
    assert min(found.values()) > 1000


@pytest.mark.rule("core 10.1", "core 10.3", "core 20.0")
@pytest.mark.parametrize("play", ["open", "blind"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_may_be_tried_is_what_is_accepted(scenario: str, play: str) -> None:
    offered = 0
    for battle in islice(fighting(scenario, play, ACTS, "tried"), 5, None, EVERY // 2):
        for seat in battle.seats.values():
            believed: Believed = running.believed_of(PACKAGE, battle.state, seat)
            places = sorted(ground_of(believed).places())
            for subject in PACKAGE.subjects(believed, seat):
                forms = [form for form in PACKAGE.options(believed, seat, subject) if form.verb == "Spot"]
                slots = [slot for form in forms for slot in form.slots if isinstance(slot, PointSlot)]
                found = [place for slot in slots for place in slot.places]
                orders = {place: Spot(unit=subject, target=place) for place in places}
                assert found == [place for place in places if not PACKAGE.check(believed, seat, orders[place])]
                offered += len(found)
    assert offered >= (0 if play == "open" else 30)
