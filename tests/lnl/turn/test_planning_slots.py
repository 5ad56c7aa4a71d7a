"""A plan drawn from its form alone is one that is taken."""

from __future__ import annotations

from random import Random

import pytest

from lnl.package import PACKAGE
from tests.lnl.building import battle
from umpire.kernel.forms import ListSlot, PathSlot
from umpire.kernel.states import slice_of

BOARD = """
. . . . . .
. . H . . .
. . . . S .
. . . . . .
"""
EXTRA = """
[[building]]
key = "inn"
name = "Inn"
hexes = "E3"
storeys = 2
"""


@pytest.mark.rule("core 4.0")
def test_every_plan_that_the_form_allows_is_taken() -> None:
    fight = battle(BOARD, "us a squad 1-5-4-6 A1\nge g squad 1-5-4-6 E3 hidden", map_extra=EXTRA)
    seat = fight.play.seats["ge"]
    believed = PACKAGE.believed(slice_of(fight.state, ("ge",)))
    form = next(each for each in PACKAGE.options(believed, seat, "g") if each.verb == "GivePlan")
    legs = next(slot for slot in form.slots if isinstance(slot, ListSlot) and slot.goes_on)
    path = next(slot for part in legs.parts for slot in part.slots if isinstance(slot, PathSlot))
    assert set(path.steps["5,3,0"]) == {(5, 2, 0), (6, 3, 0), (6, 4, 0), (5, 4, 0), (4, 4, 0), (4, 3, 0), (5, 3, 1)}
    assert path.start == (5, 3, 0)
    for seed in range(40):
        order = PACKAGE.sample(believed, seat, form, Random(seed))
        assert fight.play.check("ge", order) == []


def test_an_open_unit_has_no_plan() -> None:
    fight = battle(BOARD, "us a squad 1-5-4-6 A1\nge g squad 1-5-4-6 F3")
    believed = PACKAGE.believed(slice_of(fight.state, ("ge",)))
    assert not [form for form in PACKAGE.options(believed, fight.play.seats["ge"], "g") if form.verb == "GivePlan"]
