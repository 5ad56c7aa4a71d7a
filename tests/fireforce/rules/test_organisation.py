"""Organisation: gun groups."""

from __future__ import annotations

import pytest

from tests.fireforce.rules.from_lines import Table, battle

SQUAD = """
regular    sl   trained m16   10,20   squad 1, leader, may form a gun group
regular    g1   trained {}   10,21   squad 1, gunner
regular    r*2  trained m16   10,22   squad 1
guerrilla  f1   trained ak47  60,20   squad 9
"""


@pytest.mark.rule("fireforce organisation")
@pytest.mark.parametrize(
    ("weapon", "may"),
    [("m60", True), ("rpk", True), ("minimi", True), ("lsw", True), ("m2", False), ("pkm", False), ("m16", False)],
)
def test_a_gun_group_is_one_with_an_lmg_or_a_saw(weapon: str, may: bool) -> None:
    """Heavy machine guns have a line of their own in the weapon table."""
    table = Table(battle(SQUAD.format(weapon), phase="movement"))
    assert (table.refused("regular", "FormGunGroup", squad="squad 1", figures=("g1", "r1")) == []) == may
