"""What of a battle a campaign carries on. `core 5.1`"""

from __future__ import annotations

import pytest

from lnl.package import PACKAGE
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
