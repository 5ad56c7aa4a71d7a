"""Steps are paid for by the class of who makes them: on foot or on tracks, with or without a module."""

from __future__ import annotations

import pytest

from lnl.rules.movement.going import Walker, cost_of, going
from lnl.rules.movement.reach import reachable
from lnl.rules.movement.step_costs import way_cost, words_that_matter
from tests.lnl.building import Battle, battle
from umpire.kernel.book.points import Module
from umpire.kernel.values.modifiers import Modifier

CARRIER = """
[counters.test_half_track]
like = "us_airborne"
name = "Test half-track"
movement = 8
going = "tracked"
source = "tests"
status = "house"

[terrain.test_field]
like = "clear"
name = "Test field"
leg = 1
tracked = 2
source = "tests"
status = "house"

[terrain.test_wood]
like = "forest"
name = "Test wood"
leg = 2
tracked = -1
source = "tests"
status = "house"

[terrain.test_scrub]
like = "brush"
name = "Test scrub"
leg = 2
tracked = 1
source = "tests"
status = "house"
"""
BOARD = """
f s s f
f w f f
f f f f
"""
LEGEND = {"f": "test_field", "w": "test_wood", "s": "test_scrub"}
IDLE = Module("step costs: of nothing in play")


@way_cost.change(IDLE, trait="nobody has this", rule="hona 10.7")
def idle(rule: str, *_: object) -> tuple[Modifier, ...]:
    return (Modifier(9, "nothing", rule),)


def fought(*modules: str) -> Battle:
    pieces = "us a us_airborne A1\nus t test_half_track A1\nge g ge_grenadier D3 hidden"
    head = {"modules": list(modules)} if modules else {}
    return battle(BOARD, pieces, layers=[("ours.toml", CARRIER)], legend=LEGEND, head=head)


@pytest.mark.rule("core 10.4")
@pytest.mark.parametrize("modules", [(), (IDLE.name,)])
def test_a_squad_and_a_half_track_on_the_same_hexes_pay_each_its_own(modules: tuple[str, ...]) -> None:
    fight = fought(*modules)
    for _ in range(2):  # also when all of it is remembered
        for who, prices in (("a", {"B1": 2, "A2": 1}), ("t", {"B1": 1, "A2": 2})):
            found = {to: cost_of(fight.state, fight.unit(who), fight.at("A1"), fight.at(to))[0] for to in prices}
            assert found == prices
        into_wood = [cost_of(fight.state, fight.unit(who), fight.at("B1"), fight.at("B2"))[0] for who in ("a", "t")]
        assert into_wood == [2, None]


@pytest.mark.rule("core 10.4", "core 6.0")
@pytest.mark.parametrize("modules", [(), (IDLE.name,)])
def test_what_each_of_them_reaches_is_its_own_and_together_what_both_can_pay_for(modules: tuple[str, ...]) -> None:
    fight = fought(*modules)
    squad, carrier = fight.unit("a"), fight.unit("t")
    assert reachable(fight.state, [squad])[fight.at("C1")] == 4
    assert reachable(fight.state, [carrier])[fight.at("C1")] == 2
    assert fight.at("B2") in reachable(fight.state, [squad])
    together = reachable(fight.state, [squad, carrier])
    assert fight.at("B2") not in together
    assert together[fight.at("C1")] == 4, "the squad, which has the fewer points, has spent these"


@pytest.mark.rule("core 10.4")
def test_with_a_module_what_was_worked_out_of_the_ground_is_kept_and_shared() -> None:
    """A module in play switches no memory off: the next state on the same map begins with what is known."""
    fight, again = fought(IDLE.name), fought(IDLE.name)
    reachable(fight.state, [fight.unit("a")])
    assert going(again.state).known is going(fight.state).known
    walker = Walker(again.state, again.unit("a"))
    assert going(again.state).known.steps(walker.mover)
    assert walker.is_plain
    assert words_that_matter(again.state.public.setting) == {"nobody has this"}
