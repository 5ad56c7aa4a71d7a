"""Casualties as each side reads of them."""

from __future__ import annotations

import pytest

from tests.fireforce.rules.from_lines import Table, battle

PIECES = """
regular    r*4   veteran galil   10,10   squad 1
guerrilla  g*6   trained ak47    20,10   squad 9, in the open
"""


@pytest.mark.rule("fireforce saving-throws", "fireforce visibility")
def test_the_firer_reads_who_fell_but_not_of_which_squad() -> None:
    table = Table(battle(PIECES))
    target = next(alias for alias, each in table.state.commands["regular"].contacts.items() if each.kind == "figure")
    table.order("regular", "Fire", "hits 1", "save 2", figures=["r1", "r2", "r3", "r4"], target=target, aimed=False)
    lines = [line for news in table.play.news["regular"] for line in news.lines]
    fallen = [line for line in lines if line.kind == "casualty"]
    assert len(fallen) == 1
    assert fallen[0].text.startswith("Casualty: enemy with")
    assert fallen[0].pieces == (target,)  # what he calls the man, and no squad
    own = [line for news in table.play.news["guerrilla"] for line in news.lines if line.kind == "casualty"]
    assert len(own) == 1
