"""The judge of twin worlds excuses no more than it must: leaks that it once passed over are found. `docs/secrecy.md`"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lnl.board.hexes import neighbours
from lnl.happening.changing import placed
from lnl.happening.fire import Called, Fired
from lnl.happening.movement import Entered
from lnl.happening.register import apply, happening
from lnl.happening.turn import Ended
from lnl.rules.men.heroes import create
from lnl.rules.men.skill_cards import deck_of, used
from lnl.state.battle import State
from lnl.state.finding import units_of
from lnl.testing.conformance import CONFORMANCE
from lnl.testing.judgement import may_tell
from tests.lnl.building import Battle, battle
from umpire.kernel.codec import encode
from umpire.kernel.events import Event
from umpire.kernel.rulings import Draw, Ruling, Tell
from umpire.kernel.states import slice_of
from umpire.testing.conformance.fixture import Broken
from umpire.testing.conformance.twins import Pair

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
    seen_by_all = replace(happening.kinds[Entered], perceived=True)
    monkeypatch.setitem(happening.kinds, Entered, seen_by_all)
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
    after = replace(before, commands={**before.commands, "ge": replace(part, pieces={**part.pieces, "g": hidden})})
    assert may_tell(before, Entered(units=("g",), at=fight.at("E2"), spent={"g": 1}), after, "us") == "new"
    assert may_tell(after, Fired(units=("g",), at=fight.at("H1")), after, "us") == "nothing"


def told_by(state: State, ruling: Ruling[State]) -> tuple[State, list[Event]]:
    """A ruling in which the first of each draw is taken: the state after it, and its events."""
    found: list[Event] = []
    step = next(ruling)
    while True:
        try:
            if isinstance(step, Draw):
                step = ruling.send(step.among[0])
            else:
                assert isinstance(step, Tell)
                found.append(step.event)
                state = apply(state, step.event)
                step = ruling.send(state)
        except StopIteration:
            return state, found


@pytest.mark.rule("core 11.2", "core 12.0")
def test_a_hidden_hero_and_his_skill_card_change_nothing_for_others() -> None:
    """He stands up unseen with a card of the common deck, and uses it up: what the enemy's seat has stays the same."""
    pieces = "us a squad 2-5-4-6 A1\nge g squad 1-6-4-5 H6"
    fight = battle("\n".join(["F F F F F F F F"] * 6), pieces, options={"play": "blind"}, head={"deck": ["lucky"]})
    before = fight.state
    assert deck_of(before) == ("lucky",)
    risen, told = told_by(before, create(before, fight.unit("g"), stops=False, is_open=False))
    assert [may_tell(before, event, risen, "us") for event in told] == ["nothing"]
    (hero,) = [each for each in units_of(risen.commands["ge"]) if each.id != "g"]
    assert hero.skills == ("lucky",)
    assert deck_of(risen) == ()
    spent, told = told_by(risen, used(risen, hero.id, "lucky"))
    assert [may_tell(risen, event, spent, "us") for event in told] == ["nothing"]
    assert deck_of(spent) == ("lucky",)
    for state in (risen, spent):
        assert encode(slice_of(state, ("us",))) == encode(slice_of(before, ("us",)))
    # Who had his card from the scenario gives it to a deck that did not hold it.
    given = placed(before, "g", skills=("lucky",))
    spent, told = told_by(given, used(given, "g", "lucky"))
    assert deck_of(spent) == ("lucky", "lucky")
    assert encode(slice_of(spent, ("us",))) == encode(slice_of(before, ("us",)))
