"""What of a battle a campaign carries on. `core 5.1`"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lnl.campaign import goes_on
from lnl.package import PACKAGE
from lnl.state.battle import Loss
from tests.lnl.building import CLEAR, battle

SQUAD = "squad 1-6-4-5"


@pytest.mark.rule("core 5.1")
def test_every_unit_goes_on_with_what_became_of_it() -> None:
    woods = CLEAR.removesuffix(". " * 10) + "F " * 10
    fight = battle(
        woods, f"us a {SQUAD} E3 bar\nus w leader morale=6 A1 wounded\nge g {SQUAD} F3\nge h {SQUAD} J8 hidden"
    )
    dice = [("attack", 6), ("defence", 1), ("damage check g", 6)]
    fight.give("us", "Fire", dice, units=["a"], target=[6, 3, 0])
    found = PACKAGE.outcome(fight.state).goes_on
    assert {key: each.fate for key, each in found.items()} == {"a": "fit", "g": "killed", "h": "fit", "w": "wounded"}
    assert (found["a"].weapons, found["a"].role) == (("bar",), "squad")
    known = PACKAGE.outcome(fight.play.believed("us")).goes_on
    assert set(known) == {"a", "w", "g"}


def test_a_hero_whose_counter_came_in_again_goes_on_as_he_stands() -> None:
    """The counter of a hero who fell may be drawn again: the one on the board is the one that goes on. `core 11.2`"""
    fight = battle(CLEAR, f"us a {SQUAD} E3\nge g {SQUAD} F3\nge h {SQUAD} J8")
    fallen = Loss(unit="g", side="ge", command="ge", counter="ge_grenadier", turn=1)
    public = replace(fight.state.public, losses=(fallen,))
    found = goes_on(replace(fight.state, public=public))
    assert {key: each.fate for key, each in found.items()} == {"a": "fit", "g": "fit", "h": "fit"}
