"""Saving throws, pins and losses."""

from __future__ import annotations

from typing import Any

import pytest

from fireforce.happening.fire import Saved
from fireforce.happening.men import BecameCasualty
from fireforce.happening.register import apply
from fireforce.happening.turn import PointsScored
from fireforce.package import PACKAGE
from fireforce.rules.fire.saving_throws import Cause, save, throw
from fireforce.rules.men.motivation import leaders_of
from fireforce.state.battle import (
    Card,
    State,
)
from fireforce.state.finding import (
    figure,
    squad,
)
from fireforce.testing.parts import of
from tests.fireforce.rules.from_lines import Table, battle, happened
from umpire.kernel.rulings import Roll, Tell, read

TWO = """
regular    r1  trained m16   10,20   squad 1
guerrilla  g1  trained ak47  20,20   squad 9
guerrilla  g2  trained ak47  20,21   squad 9
"""


def saved(state: State, hits: dict[str, int], cause: Cause, *faces: int) -> tuple[State, list[Any]]:
    """The state and the events of saves with these faces."""
    ruling, answer, left, told = save(state, hits, cause), None, list(faces), []
    try:
        while True:
            step = ruling.send(answer)
            if isinstance(step, Roll):
                answer = read(step, (left.pop(0),))
            else:
                assert isinstance(step, Tell)
                state = apply(state, step.event)
                told.append(step.event)
                answer = state
    except StopIteration:
        assert left == []
        return state, told


@pytest.mark.rule("fireforce saving-throws")
def test_several_hits_are_saved_one_by_one_until_he_falls() -> None:
    state = battle(TWO)
    after, _ = saved(state, {"g1": 3}, Cause(kinds=("rifle",), by="regular"), 7, 6)
    assert figure(after, "g1").status == "casualty"
    after, _ = saved(state, {"g1": 2}, Cause(kinds=("rifle",), by="regular"), 7, 7)
    assert figure(after, "g1").pinned == "fire"


@pytest.mark.rule("fireforce saving-throws")
def test_hits_of_one_fire_fall_together() -> None:
    """The pin of the first save does not help with the second: 5 + 2 would be enough, and is not."""
    after, _ = saved(battle(TWO), {"g1": 2}, Cause(kinds=("rifle",), by="regular"), 7, 5)
    assert figure(after, "g1").status == "casualty"


@pytest.mark.rule("fireforce saving-throws")
@pytest.mark.parametrize("active", ["regular", "guerrilla"])
def test_a_pin_lasts_for_the_rest_of_this_turn_and_the_whole_of_the_next_of_his_own(active: str) -> None:
    """Regulars play first. Guerrillas pinned in the regulars' turn 3 are free after their own turn 3; regulars pinned
    in the guerrillas' turn 3 after their turn 4."""
    turn = 3
    state = battle(TWO, active=active, turn=turn)
    after, _ = saved(state, {"g1": 1, "r1": 1}, Cause(kinds=("rifle",)), 7, 7)
    assert figure(after, "g1").pinned_until == (turn if active == "regular" else turn + 1)
    assert figure(after, "r1").pinned_until == turn + 1


@pytest.mark.rule("fireforce saving-throws")
def test_who_is_pinned_by_a_blast_stays_so_when_fire_pins_him_again() -> None:
    state = battle(TWO, "g1 pinned by a blast")
    after, told = saved(state, {"g1": 1}, Cause(kinds=("rifle",)), 5)
    assert figure(after, "g1").pinned == "he"
    assert [type(event) for event in told] == [Saved]
    after, _ = saved(battle(TWO), {"g1": 1}, Cause(kinds=("he",)), 7)
    assert figure(after, "g1").pinned == "he"


@pytest.mark.rule("fireforce saving-throws")
def test_armour_helps_only_if_it_does_against_every_weapon_that_fired() -> None:
    state = battle(TWO, "g1 body armour")
    assert throw(state, figure(state, "g1"), Cause(kinds=("smg", "pistol"))).natural == 6
    assert throw(state, figure(state, "g1"), Cause(kinds=("smg", "rifle"))).natural == 7


@pytest.mark.rule("fireforce saving-throws")
def test_a_wall_is_hard_cover_against_those_on_its_other_side_alone() -> None:
    state = battle(TWO, terrain="wall 19.6,18 to 19.6,24")
    man = figure(state, "g1")
    assert throw(state, man, Cause(kinds=("rifle",), firers=("r1",))).row == "jungle"
    assert throw(state, man, Cause(kinds=("rifle",), firers=("g2",))).row == "open"
    assert throw(state, man, Cause(kinds=("he",))).row == "open"


@pytest.mark.rule("fireforce saving-throws")
def test_cover_counts_from_the_nearest_who_sees_him() -> None:
    """The house between them hides him from r1 altogether; r2, farther off, has a hedge before him."""
    ground = "building 12,19 to 18,20.6\nhedge 19.6,20.2 to 19.6,24"
    state = battle(f"{TWO}regular r2 trained m16 8,26 squad 1", terrain=ground)
    assert throw(state, figure(state, "g1"), Cause(kinds=("rifle",), firers=("r1", "r2"))).row == "soft"


@pytest.mark.rule("fireforce saving-throws")
def test_a_dropped_quality_saves_in_its_own_column() -> None:
    state = battle(TWO, "squad 9 dropped 1")
    assert throw(state, figure(state, "g1"), Cause(kinds=("rifle",))).natural == 8


@pytest.mark.rule("fireforce saving-throws", "fireforce victory-points")
def test_a_casualty_counts_for_his_squad_and_scores_for_the_other_side() -> None:
    table = Table(battle(TWO))
    entries = table.order(
        "regular",
        "Fire",
        "hits row 2 11",
        "save g1 2",
        answers=[("regular", ("forgo",)), ("guerrilla", ("g1",))],
        figures=("r1",),
        target="g1",
    )
    assert squad(table.state, "squad 9").casualties == 1
    assert happened(entries, BecameCasualty)[0].by == "regular"
    score = happened(entries, PointsScored)[0].score
    assert (score.side, score.deed, score.points, score.reason) == (
        "regular",
        "indigenous_killed",
        2,
        "indigenous killed",
    )
    assert "g1" not in table.play.view("regular")["pieces"]


@pytest.mark.rule("fireforce victory-points")
@pytest.mark.parametrize(
    ("killed", "by", "expected"),
    [
        ("r1", "guerrilla", {"guerrilla": 2, "regular": 0}),
        ("g1", "regular", {"guerrilla": 0, "regular": 2}),
        ("p1", "regular", {"guerrilla": 2, "regular": 0}),
        ("p1", "guerrilla", {"guerrilla": 0, "regular": 0}),
        ("r1", "regular", {"guerrilla": 0, "regular": -3}),
        ("g1", "guerrilla", {"guerrilla": 0, "regular": 0}),
        ("r1", "", {"guerrilla": 0, "regular": 0}),
    ],
)
def test_who_scores_for_whom(killed: str, by: str, expected: dict[str, int]) -> None:
    state = battle(TWO + "guerrilla p1 civilian 30,20")
    after, _ = saved(state, {killed: 1}, Cause(kinds=("rifle",), by=by), 1)
    assert PACKAGE.outcome(after).points == expected


@pytest.mark.rule("fireforce motivation-rating")
def test_a_dead_leader_counts_no_more() -> None:
    state = battle(TWO, "g1 leader, MR +2", "g2 assistant, MR +1")
    assert leaders_of(state, squad(state, "squad 9"), "whole") == (("g1, squad 9", 2),)
    after, _ = saved(state, {"g1": 1}, Cause(kinds=("rifle",), by="regular"), 1)
    assert leaders_of(after, squad(after, "squad 9"), "whole") == (("g2, squad 9", 1),)


@pytest.mark.rule("fireforce searching")
def test_what_a_casualty_carried_lies_where_he_fell() -> None:
    state = battle(TWO, "r1 carrying arms 1")
    after, _ = saved(state, {"r1": 1}, Cause(kinds=("rifle",), by="guerrilla"), 1)
    lying = next(iter(of(after.commands["guerrilla"], Card).values()))
    assert (lying.at, lying.stores.arms, lying.is_face_up, lying.is_on_table) == ((1000, 2000), 1, True, True)
    assert figure(after, "r1").carrying.is_empty
