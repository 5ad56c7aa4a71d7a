"""Victory points that are counted when the battle is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from fireforce.rules.turn.victory_points import abandoned_casualties, captured_caches, objectives
from fireforce.state.battle import Score, State
from tests.fireforce.rules.from_lines import Table, battle


def points(count: Callable[[State], Iterable[Score]], state: State) -> dict[str, int]:
    found: dict[str, int] = {}
    for score in count(state):
        found[score.side] = found.get(score.side, 0) + score.points * score.times
    return found


CACHES = """
regular    r*2  trained m16   10,20   squad 1
guerrilla  c1   card cache    10,20.5  face up, searched by regular, heavy 3
guerrilla  g1   trained ak47  40,20
"""


@pytest.mark.rule("fireforce victory-points")
@pytest.mark.parametrize(
    ("further", "expected"),
    [
        ((), {}),
        (("c1 arms 1",), {"regular": 20}),
        (("c1 arms 1", "g1 at 12,20"), {}),
        (("c1 arms 1", "r1 at 30,20", "r2 at 30,21"), {}),
        (("r1 at 30,20, carrying arms 1", "r2 at 30,21"), {"regular": 20}),
        (("r1 carrying arms 1", "r2 carrying food 1"), {"regular": 20}),
        (("c1 arms 1, searched by guerrilla",), {}),
    ],
)
def test_a_cache_is_captured_that_is_held_or_carried_off(further: tuple[str, ...], expected: dict[str, int]) -> None:
    assert points(captured_caches, battle(CACHES, *further)) == expected


@pytest.mark.rule("fireforce victory-points")
@pytest.mark.parametrize(("at", "expected"), [("16.5,20", {}), ("16.51,20", {"regular": -2})])
def test_a_casualty_with_nobody_near_is_abandoned(at: str, expected: dict[str, int]) -> None:
    pieces = f"regular r1 trained m16 10,20 squad 1, casualty\nregular r2 trained m16 {at} squad 1\n"
    state = battle(pieces + "guerrilla g1 trained ak47 40,20 casualty\nguerrilla g2 trained ak47 60,20")
    assert points(abandoned_casualties, state) == expected


ZONE = {"key": "hill", "name": "the hill", "polygon": [[20, 20], [30, 20], [30, 30], [20, 30]]}


@pytest.mark.rule("fireforce victory-points")
@pytest.mark.parametrize(
    ("deed", "further", "expected"),
    [
        ("zone_held", ("r1 at 25,25",), {"regular": 10}),
        ("zone_held", ("r1 at 25,25", "g1 at 21,21"), {}),
        ("zone_held", ("r1 at 25,25, casualty",), {}),
        ("zone_held", ("r1 at 25,25", "g1 at 21,21, civilian"), {"regular": 10}),
        ("figures_in_zone", ("r1 at 25,25", "r2 at 30,30"), {"regular": 20}),
        ("umpire", ("r1 at 25,25",), {}),
    ],
)
def test_what_the_scenario_asks_for(deed: str, further: tuple[str, ...], expected: dict[str, int]) -> None:
    objective = {"key": "hill", "side": "regular", "deed": deed, "points": 10, "name": "the hill", "zone": "hill"}
    pieces = "regular r*2 trained m16 10,10 squad 1\nguerrilla g1 trained ak47 40,40"
    state = battle(pieces, *further, zone=[ZONE], objective=[objective])
    assert points(objectives, state) == expected


@pytest.mark.rule("fireforce victory-points", "fireforce turn-sequence")
def test_at_the_end_all_is_added_and_the_highest_score_wins() -> None:
    state = battle(
        CACHES, "c1 arms 1", "squad 1 special motivation", phase="close combat", active="guerrilla", turn=3, turns=3
    )
    table = Table(state)
    table.order("guerrilla", "EndPhase")
    result = table.state.public.result
    assert result is not None
    assert (result.winner, result.points) == ("regular", {"guerrilla": 0, "regular": 20})
    assert [line.reason for line in result.lines["regular"]] == ["1 × cache captured"]
