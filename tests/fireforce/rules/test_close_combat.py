"""Close combat: who fights whom, how often, and what follows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fireforce.happening.fire import CloseCombatFought
from fireforce.orders.orders import CloseCombat
from fireforce.package import PACKAGE
from fireforce.rules.fire.close_combat import fight_modifiers
from fireforce.state.finding import (
    figure,
)
from tests.fireforce.rules.from_lines import Table, battle, believed, happened, seat, told
from umpire.kernel.odds import odds_of
from umpire.kernel.values.modifiers import total

PAIR = """
regular    r1  trained m16   10,20     squad 1
guerrilla  g1  trained ak47  10.5,20   squad 9
guerrilla  g2  trained ak47  9.5,20    squad 9
guerrilla  g3  trained ak47  12,20     squad 9
"""
FIGHT = {"phase": "close combat"}


@pytest.mark.rule("fireforce close-combat")
@pytest.mark.parametrize(
    ("further", "target", "may"),
    [
        ((), "g1", True),
        ((), "g3", False),
        (("g1 hidden",), "g1", False),
        (("r1 pinned",), "g1", False),
        (("r1 running",), "g1", True),
        (("g1 pinned",), "g1", True),
        (("r1 must withdraw",), "g1", False),
        (("g1 must withdraw",), "g1", False),
        (("g1 at 10.51,20",), "g1", False),
    ],
)
def test_who_may_be_fought(further: tuple[str, ...], target: str, may: bool) -> None:
    table = Table(battle(PAIR, *further, **FIGHT))
    assert (table.refused("regular", "CloseCombat", figure="r1", target=target) == []) == may
    forms = PACKAGE.options(believed(table.state, "regular"), seat("regular"), "r1")
    offered = [form for form in forms if form.verb == "CloseCombat"]
    names = {choice.id for form in offered for choice in form.slots[0].choices}  # type: ignore[union-attr]
    assert (target in names) == may


@pytest.mark.rule("fireforce close-combat")
def test_several_against_one_are_fought_pair_by_pair() -> None:
    """He beats the first by one, who must withdraw, and is killed by the second: no third fight is left."""
    table = Table(battle(PAIR, **FIGHT))
    table.order("regular", "CloseCombat", "close combat r1 4", "close combat g1 3", figure="r1", target="g1")
    assert table.refused("regular", "CloseCombat", figure="r1", target="g1") != []
    table.order(
        "regular",
        "CloseCombat",
        "close combat r1 1",
        "close combat g2 6",
        figure="r1",
        target="g2",
        answers=[("guerrilla", ("killed",))],
    )
    assert figure(table.state, "r1").status == "casualty"
    assert PACKAGE.outcome(table.state).points == {"guerrilla": 2, "regular": 0}


@pytest.mark.rule("fireforce close-combat")
@pytest.mark.parametrize(
    ("further", "expected"),
    [((), 0), (("r1 fierce",), 1), (("r1 civilian",), -2), (("squad 1 dropped 1",), 0)],
)
def test_what_is_added(further: tuple[str, ...], expected: int) -> None:
    state = battle(PAIR, *further, **FIGHT)
    assert total(fight_modifiers(state, figure(state, "r1"))) == expected


@pytest.mark.rule("fireforce close-combat")
def test_elite_troops_that_have_cracked_are_elite_no_more() -> None:
    pieces = PAIR.replace("r1  trained", "r1  elite")
    assert total(fight_modifiers(battle(pieces, **FIGHT), figure(battle(pieces, **FIGHT), "r1"))) == 1
    state = battle(pieces, "squad 1 dropped 1", **FIGHT)
    assert total(fight_modifiers(state, figure(state, "r1"))) == 0


@pytest.mark.rule("fireforce close-combat")
@pytest.mark.parametrize(
    ("at", "terrain", "expected"),
    [
        ("10,20", "", {(700, 2000)}),
        ("2,20", "", {(200, 1700), (200, 2300)}),
        ("10,20", "cliff 6,15 to 9,25", {(1000, 1700), (1000, 2300)}),
        ("10,20", "cliff 6,15 to 9,25\ncliff 9.5,16 to 11,18", {(1000, 2300)}),
        ("10,20", "jungle 6,15 to 9,25", {(700, 2000)}),
    ],
)
def test_the_way_back_is_straight_or_as_near_to_it_as_the_ground_allows(
    at: str, terrain: str, expected: set[tuple[int, int]]
) -> None:
    """Three inches whatever the going; not off the table, nor where nobody can go."""
    x, y = at.split(",")
    pieces = f"regular r1 trained m16 {at} squad 1\nguerrilla g1 trained ak47 {float(x) + 0.5},{y} squad 9"
    table = Table(battle(pieces, terrain=terrain, **FIGHT))
    table.order("regular", "CloseCombat", "close combat r1 3", "close combat g1 3", figure="r1", target="g1")
    assert figure(table.state, "r1").at in expected
    assert figure(table.state, "r1").pinned == "fire"


@pytest.mark.rule("fireforce close-combat")
def test_the_enemys_true_worth_shows_in_no_list_of_mine() -> None:
    """A hidden elite enemy: my roll has my modifiers, and my preview what I assume of him."""
    pieces = PAIR.replace("g1  trained", "g1  elite")
    state = battle(pieces, assume={"guerrilla": {"quality": "poor"}}, **FIGHT)
    known = believed(state, "regular")
    assert PACKAGE.preview(known, seat("regular"), CloseCombat(figure="r1", target="g1")).modifiers == ()
    table = Table(state)
    entries = table.order("regular", "CloseCombat", "close combat r1 3", "close combat g1 2", figure="r1", target="g1")
    assert happened(entries, CloseCombatFought)[0].target_score == 3
    assert any("falls back" in line for line in told(entries, "regular"))


@pytest.mark.rule("fireforce close-combat")
def test_odds_of_two_equal_figures() -> None:
    """Even scores 6 of 36; one or two better 5 + 4; three or more 3 + 2 + 1; the winner takes prisoners by default."""
    known = believed(battle(PAIR, **FIGHT), "regular")
    odds = odds_of(PACKAGE, known, seat("regular"), CloseCombat(figure="r1", target="g1"))
    assert {f"{fate.piece} {fate.what}": chance for fate, chance in odds.fates.items()} == {
        "r1 pinned": Fraction(6, 36),
        "r1 withdraws": Fraction(9, 36),
        "g1 withdraws": Fraction(9, 36),
        "r1 captured": Fraction(6, 36),
        "g1 captured": Fraction(6, 36),
    }


@pytest.mark.rule("fireforce close-combat")
@pytest.mark.parametrize(
    ("further", "to", "is_running"),
    [
        ((), 16, False),
        (("squad 9 result good",), 16, False),
        (("squad 9 result demoralised",), 16, False),
        (("squad 9 result broken",), 18, True),
        (("squad 9 result broken", "g1 pinned"), 16, False),
    ],
)
def test_who_must_withdraw_goes_a_full_move_and_runs_with_a_broken_squad(
    further: tuple[str, ...], to: int, is_running: bool
) -> None:
    """Away from the only enemy, 6 inches at a walk or 8 at a run."""
    pair = "regular r1 trained m16 2,20\nguerrilla g1 trained ak47 10,20 squad 9, must withdraw"
    table = Table(battle(pair, *further, phase="movement", active="guerrilla"))
    table.order("guerrilla", "EndPhase", *([] if further else ["motivation 6"]))
    man = figure(table.state, "g1")
    assert man.at == (100 * to, 2000)
    assert (man.moved == "running") == is_running
    assert not man.must_withdraw
