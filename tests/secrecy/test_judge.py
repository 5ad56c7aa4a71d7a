"""The judge of twin worlds excuses no more than it must: leaks that it once passed over are found. `docs/secrecy.md`"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lnl import notice
from lnl.board.hexes import neighbours
from lnl.conformance import CONFORMANCE
from lnl.events import Called, Ended, Entered, Fired
from lnl.judgement import may_tell
from tests.lnl.building import Battle, battle
from umpire.kernel.testing.conformance import Broken
from umpire.kernel.testing.twins import Pair

WOODS = """
. . . . F . . .
. . . . F . F .
. . . . F . . .
. . . . . . . .
"""


def seen_by_the_wood() -> Battle:
    """A squad in sight of the Americans, which may crawl into the wood in two places."""
    pieces = "us a squad 2-5-4-6 A2\nge g squad 1-6-4-5 D2\nge h squad 1-6-4-5 H4"
    return battle(WOODS, pieces, options={"play": "blind"}, active="ge")


def crawls_apart(fight: Battle) -> None:
    seat = fight.play.seats["us"]
    seats = {name: each for name, each in fight.play.seats.items() if name in ("us", "ge")}
    one, other = fight.play.copied(), fight.play.copied()
    one.seats = other.seats = seats
    pair = Pair(replace(CONFORMANCE, seats=seats), seat, one, other, 1)
    befores = [(each.state, each.tree.depth) for each in (one, other)]
    first, second = [at for at in neighbours((4, 2)) if at[0] == 5]
    for play, at in ((one, first), (other, second)):
        assert play.order("ge", {"verb": "LowCrawl", "units": ["g"], "path": [[*at, 0]]}) == []
    assert pair.is_one_course(*befores)
    pair.compare("after a step out of sight")


def test_a_step_out_of_sight_is_one_course_wherever_it_leads() -> None:
    crawls_apart(seen_by_the_wood())


def test_where_it_leads_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "_as_perceived", lambda event, belief, is_seen: event)
    with pytest.raises(Broken, match="into E"):
        crawls_apart(seen_by_the_wood())


def test_what_hidden_troops_change_for_all_is_excused_only_where_it_is_conceded() -> None:
    fight = battle("\n".join(["F F F F F F F F"] * 6), "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 H6",
                   options={"play": "blind"})  # fmt: skip
    before = fight.state
    deck = replace(before, public=replace(before.public, deck=()))
    smoke = replace(before, public=replace(before.public, smoke={"8,6": 1}))
    assert may_tell(before, Called(unit="g"), deck, "us") == "nothing"
    assert may_tell(before, Called(unit="g"), smoke, "us") == "new"
    assert may_tell(before, Ended(command="ge"), before, "us") == "nothing"
    assert may_tell(before, Ended(command="us"), before, "us") == "known"


def test_who_was_seen_before_is_not_seen_still() -> None:
    fight = seen_by_the_wood()
    before = fight.state
    hidden = replace(fight.unit("g"), at=fight.at("E2"))
    part = before.commands["ge"]
    after = replace(before, commands={**before.commands, "ge": replace(part, units={**part.units, "g": hidden})})
    assert may_tell(before, Entered(units=("g",), at=fight.at("E2"), spent={"g": 1}), after, "us") == "new"
    assert may_tell(after, Fired(units=("g",), at=fight.at("H1")), after, "us") == "nothing"
