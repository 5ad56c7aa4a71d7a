"""What counters are: men in numbers and single men, and the weapons that they carry.

`core 1.1`, `core 1.6`, `core 11.0`
"""

from __future__ import annotations

import pytest

from lnl.rules.men.morale import morale_of
from lnl.rules.works.support_weapons import portage
from lnl.state.finding import is_leader, is_multi_man, is_single_man
from tests.lnl.building import CLEAR, battle

SQUAD = "squad 1-6-4-5"
FOE = f"\nge g {SQUAD} F3"


@pytest.mark.rule("core 1.1", "core 11.0")
@pytest.mark.parametrize(
    ("kind", "is_many"),
    [
        *((kind, True) for kind in ("squad", "half_squad", "crew", "weapon_team")),
        *((kind, False) for kind in ("leader", "advisor", "hero", "sniper", "chaplain", "medic", "commissar", "scout")),
        ("nurse", False),
    ],
)
def test_multi_man_and_single_man_counters(kind: str, is_many: bool) -> None:
    fight = battle(CLEAR, f"us a {kind} 1-4-4-5 B2\nus b {SQUAD} A1{FOE}")
    each = fight.unit("a")
    assert is_multi_man(fight.state, each) is is_many
    assert is_single_man(fight.state, each) is not is_many
    assert is_leader(fight.state, each) is (kind in ("leader", "commissar"))


@pytest.mark.rule("core 1.6", "core 1.6.1", "core 1.6.3")
def test_a_support_weapon_is_carried_and_goes_where_its_owner_goes_a_weapon_team_is_men_and_weapon() -> None:
    fight = battle(CLEAR, f"us a {SQUAD} B2 bar\nus b {SQUAD} A8\nus t weapon_team 2-20-2-6 A7{FOE}")
    fight.give("us", "Move", units=["a"], path=[[3, 2, 0]])
    assert (fight.weapon("a.1").owner, fight.weapon("a.1").at) == ("a", (3, 2, 0))
    assert portage(fight.state, fight.unit("t")) == 0


@pytest.mark.rule("core 11.12", "core 12.0")
def test_a_scenario_gives_a_leader_a_skill_card_that_raises_his_morale() -> None:
    fight = battle(CLEAR, f"us lt leader morale=6 B2 skill iron_nerve\nus a {SQUAD} B2{FOE}")
    level, changed = morale_of(fight.state, fight.unit("lt"))
    assert level == 7
    assert [(change.value, change.status) for change in changed] == [(1, "house")]
