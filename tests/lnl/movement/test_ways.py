"""Forms say of each place that can be reached where one comes from: a client draws the cheapest way without a rule."""

from __future__ import annotations

import pytest

from lnl.board.hexes import Place
from lnl.package import PACKAGE
from tests.lnl.building import battle
from umpire.kernel.forms import PathSlot
from umpire.kernel.states import slice_of

PIECES = "us a squad 2-5-4-6 am H7\nus lt leader morale=6 lm=1 mf=6 H7\nge g ge_grenadier P3"


@pytest.mark.rule("core 6.0")
@pytest.mark.parametrize("verb", ["Move", "AssaultMove", "LowCrawl"])
@pytest.mark.parametrize("hurried", [False, True])
def test_the_way_back_from_each_place_costs_what_is_said(verb: str, hurried: bool) -> None:
    fight = battle("saint-aubin", PIECES)
    believed = PACKAGE.believed(slice_of(fight.state, ("us",)))
    forms = PACKAGE.options(believed, fight.play.seats["us"], "a")
    form = next((f for f in forms if f.verb == verb and bool(f.fixed.get("double_time")) == hurried), None)
    if form is None:
        assert (verb, hurried) == ("LowCrawl", True)
        return
    slot = next(slot for slot in form.slots if isinstance(slot, PathSlot))
    spent = {point[:3]: point[3] for (point,) in slot.region}
    came = {point[:3]: point[4:] for (point,) in slot.region}
    assert spent
    for place in spent:
        path: list[Place] = [place]  # type: ignore[list-item]
        while came[path[0]] != slot.start:
            path.insert(0, came[path[0]])  # type: ignore[arg-type]
        units = ["a", "lt"] if hurried else ["a"]
        order = {"verb": verb, "units": units, "path": path, **({"double_time": True} if hurried else {})}
        found = fight.play.preview("us", order)
        assert found.refusals == (), place
        assert int(found.cost.split()[0]) == spent[place]


@pytest.mark.rule("core 5.3")
def test_a_way_in_sight_of_enemies_who_may_fire_is_one_to_think_about() -> None:
    fight = battle(
        "saint-aubin", "us a squad 2-5-4-6 J9\nge g ge_grenadier J3\nge h ge_grenadier J2 fired\nge b ge_grenadier A2"
    )

    def warned(where: str) -> tuple[str, ...]:
        return fight.play.preview("us", {"verb": "Move", "units": ["a"], "path": [list(fight.at(where))]}).warnings

    # Along the road they look each other in the face; behind the smithy nobody does.
    assert warned("J8") == ("In sight of enemies who have not fired: Grenadier squad (J3).",)
    assert warned("I9") == ()
