"""Random play with every kind of man and weapon in one small fight: no order fails, and what the book forbids at all
times never stands on the map."""

from __future__ import annotations

from random import Random

import pytest

from lnl.package import PACKAGE
from lnl.rules.movement.stacking import too_many
from lnl.state.battle import State
from lnl.state.finding import melee_at, units, units_at
from tests.lnl.building import battle
from umpire.kernel.dice import RandomDice
from umpire.kernel.forms import Form
from umpire.kernel.states import slice_of
from umpire.testing.play.battle import Play

BOARD = """
. . w . F . . b . .
. F . S S . w . . .
. . . . S . . F . .
w . b . . . . . H .
. . . F . g . . . .
. c . . . . . w . .
. . . . b . F . . .
. . H . . . . . . .
"""
HALL = '[[building]]\nkey = "hall"\nname = "Hall"\nhexes = "D2 E2 E3"\nstoreys = 2\n'
PIECES = """
us a us_airborne D4 flamethrower, us_satchel
us b us_airborne D4 m1919a4 packed
us lt us_hale D4
us sg us_medrow D4 flamethrower
us c half_squad 0-4-4-5 combines=1-4-4-5 E5 mg42
us med medic morale=6 mf=5 E5
us h hero 1-4-5-6 E5 us_satchel
us m us_mortar C7
us ch chaplain morale=6 lm=1 mf=5 C7
us s sniper 1-12-0-6 A1
us sc us_scout B4
ge g ge_grenadier D3 mg42, ge_satchel
ge k ge_grenadier D3 mg42_tripod
ge ko ge_koch D3 mg34
ge p ge_pioneer F4 ge_flamethrower, ge_satchel
ge z squad 0-4-4-5 F4 ge_flamethrower
ge pl ge_plassmann F4
ge q ge_second_line E2 upstairs
ge ss squad 1-4-4-5 am troop=ss reduces=0-3-4-4 F5
ge me medic morale=6 mf=5 F5
ge gm ge_mortar H7
ge gs sniper 1-12-0-6 J8
ge r ge_second_line_half G3 bar
ge x mines C3
ge loose mg34 E4
"""
WEIGHTS = {
    "Fire": 3.0,
    "Move": 3.0,
    "FightMelee": 3.0,
    "Withdraw": 3.0,
    "Pass": 0.3,
    "EndImpulse": 0.3,
    "EndRally": 0.3,
}
ORDERS = 40


def _weight(form: Form) -> float:
    return WEIGHTS.get(form.verb, 0.3 if form.verb.startswith("Give") else 1.0)


def _forbidden(state: State) -> list[str]:
    found = list(PACKAGE.problems(state))
    for each in units(state):
        if each.is_placed:
            found += [why for why in (too_many(state, each.at, units_at(state, each.at, each.side)),) if why]
            if melee_at(state, each.at) is None and any(other.side != each.side for other in units_at(state, each.at)):
                found.append(f"{each.id} stands among enemies without a melee")
    return found


@pytest.mark.rule("core 1.3", "core 8.0", "core 4.0", "core 3.0")
@pytest.mark.parametrize(("seed", "play"), [(1, "open"), (2, "blind"), (3, "open"), (4, "blind")])
def test_no_order_fails_and_nothing_forbidden_comes_of_it(seed: int, play: str) -> None:
    random = Random(seed)
    fight = battle(BOARD, PIECES, map_extra=HALL, standing="ask", options={"play": play}, turns=4)
    going = Play(PACKAGE, fight.state, fight.play.seats, source=lambda begun: RandomDice(random=random))
    given = 0
    for _ in range(ORDERS):
        state = going.state
        if state.public.result is not None:
            break
        seat = going.seats[state.public.active]
        believed = PACKAGE.believed(slice_of(state, seat.commands))
        subjects = (None, *PACKAGE.subjects(believed, seat))
        forms = [form for subject in subjects for form in PACKAGE.options(believed, seat, subject)]
        form = random.choices(forms, [_weight(each) for each in forms])[0]
        order = PACKAGE.sample(believed, seat, form, random)
        assert going.order(seat.name, order) == [], order
        opened = going.position.open
        assert opened is None or opened.fault is None, (order, opened)
        assert _forbidden(going.state) == [], order
        given += 1
    assert given > ORDERS // 2
