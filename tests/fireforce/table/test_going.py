"""Going along a path, worked by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from fireforce.table.going import legs, point_along, spend
from fireforce.table.ground import ground
from fireforce.table.region import visible_stretches
from fireforce.table.route import reachable, route
from fireforce.table.terrain import Point, Road, Table
from tests.fireforce.table.tables import SIDE, area, house, points, table, tables

# Infantry, tactical: 6" good, 4" bad, 8" road.
TACTICAL = {"good": 600, "bad": 400, "road": 800}
HALF = Fraction(1, 2)


@pytest.mark.rule("fireforce movement")
@pytest.mark.parametrize(
    ("rates", "reached"), [(TACTICAL, (1600, 1000)), ({"good": 800, "bad": 600, "road": 1000}, (1800, 1000))]
)
def test_good_going(rates: dict[str, int], reached: Point) -> None:
    move = spend(ground(table()), [(1000, 1000), (3000, 1000)], rates)
    assert (move.reached, move.spent, move.complete) == (reached, 1, False)
    assert move.stopped_by == "the move is used up"


@pytest.mark.rule("fireforce movement")
def test_three_inches_of_good_going_leave_two_of_bad() -> None:
    field = ground(table(area("bush", 1300, 500, 3000, 1500)))
    move = spend(field, [(1000, 1000), (3000, 1000)], TACTICAL)
    assert (move.reached, move.distance, move.spent) == ((1500, 1000), 500, 1)
    assert [(leg.begin, leg.end, leg.going, leg.key) for leg in move.legs] == [
        (0, 300, "good", ""),
        (300, 500, "bad", "bush"),
    ]


@pytest.mark.rule("fireforce movement", "fireforce motivation")
def test_half_a_move_over_mixed_ground() -> None:
    # Half a move: 1.5" good is a quarter; the quarter left is 1" of bad.
    field = ground(table(area("marsh", 1150, 500, 3000, 1500)))
    move = spend(field, [(1000, 1000), (3000, 1000)], TACTICAL, HALF)
    assert (move.reached, move.spent, move.stopped_by) == ((1250, 1000), HALF, "1/2 of a move is used up")


@pytest.mark.rule("fireforce movement")
def test_bad_then_good_then_bad() -> None:
    # 1" bad = 1/4, 3" good = 1/2, and the last quarter 1" bad.
    field = ground(table(area("rocks", 900, 900, 1100, 1100, "a"), area("rocks", 1400, 900, 2000, 1100, "b")))
    move = spend(field, [(1000, 1000), (3000, 1000)], TACTICAL)
    assert move.reached == (1500, 1000)
    assert [leg.length for leg in move.legs] == [100, 300, 100]


@pytest.mark.rule("fireforce movement")
def test_a_move_that_ends_within_its_allowance_is_complete_and_costs_what_it_walked() -> None:
    move = spend(ground(table()), [(1000, 1000), (1300, 1400)], TACTICAL)
    assert (move.complete, move.distance, move.spent, move.reached) == (True, 500, Fraction(5, 6), (1300, 1400))
    exact = spend(ground(table()), [(1000, 1000), (1360, 1480)], TACTICAL)
    assert (exact.complete, exact.spent) == (True, 1)


@pytest.mark.rule("fireforce movement")
def test_along_a_road_and_across_it() -> None:
    road = Road("track", "the track", ((500, 1000), (3000, 1000)), 100)
    field = ground(table(area("jungle", 0, 0, SIDE, SIDE), road))
    along = spend(field, [(1000, 1000), (3000, 1000)], TACTICAL)
    assert (along.reached, along.legs[0].road, along.legs[0].key) == ((1800, 1000), True, "track")
    # Across: 1" of the track is good going (1/6), the rest bad: 1.5" to it and, with 1 - 3/8 - 1/6, 1.83" beyond.
    across = spend(field, [(1000, 800), (1000, 3000)], TACTICAL)
    assert [(leg.going, leg.length, leg.road) for leg in across.legs] == [
        ("bad", 150, False),
        ("good", 100, False),
        ("bad", 183, False),
    ]
    assert across.reached == (1000, 1233)
    # Beside it, parallel: no road.
    assert spend(field, [(1000, 1100), (3000, 1100)], TACTICAL).reached == (1400, 1100)


@pytest.mark.rule("fireforce movement")
def test_a_road_ends_where_its_line_does() -> None:
    """Six inches of open ground lead to its first point; from 3 inches before it half of 8 are left on the road."""
    road = Road("track", "the track", ((1600, 1000), (3000, 1000)), 200)
    move = spend(ground(table(area("marsh", 2900, 0, SIDE, SIDE), road)), [(1000, 1000), (2000, 1000)], TACTICAL)
    assert (move.reached, [leg.going for leg in move.legs]) == ((1600, 1000), ["good"])
    move = spend(ground(table(road)), [(1300, 1000), (2500, 1000)], TACTICAL)
    assert (move.reached, [leg.length for leg in move.legs]) == ((2000, 1000), [300, 400])


def test_a_bend_of_the_road_is_followed() -> None:
    road = Road("track", "the track", ((500, 1000), (1400, 1000), (1400, 2000)), 100)
    move = spend(
        ground(table(area("jungle", 0, 0, SIDE, SIDE), road)), [(1000, 1000), (1400, 1000), (1400, 2000)], TACTICAL
    )
    assert (move.reached, {leg.going for leg in move.legs}) == ((1400, 1400), {"road"})


def test_a_ford_eases_the_river() -> None:
    river, ford = area("river", 1000, 500, 1200, 1500), area("ford", 1000, 900, 1200, 1100)
    field = ground(table(river, ford))
    assert [leg.going for leg in legs(field, [(900, 1000), (1300, 1000)])] == ["good", "good", "good"]
    assert [leg.going for leg in legs(field, [(900, 700), (1300, 700)])] == ["good", "bad", "good"]


def test_impassable_ground_stops_and_is_named() -> None:
    field = ground(table(area("water", 1300, 500, 2000, 1500)))
    move = spend(field, [(1000, 1000), (1500, 1000)], TACTICAL)
    assert (move.reached, move.spent, move.complete) == ((1300, 1000), HALF, False)
    assert move.stopped_by == "impassable going (water) at (1300, 1000) cannot be entered"
    assert spend(field, [(1400, 1000), (1500, 1000)], TACTICAL).reached == (1400, 1000)


def test_a_going_without_a_rate_cannot_be_entered() -> None:
    field = ground(table(area("marsh", 1300, 500, 2000, 1500)))
    assert spend(field, [(1000, 1000), (1500, 1000)], {"good": 600}).stopped_by.startswith("bad going (marsh)")


def test_the_edge_of_the_table_stops() -> None:
    move = spend(ground(table()), [(300, 1000), (-300, 1000)], TACTICAL)
    assert (move.reached, move.spent, move.complete) == ((0, 1000), HALF, False)
    assert move.stopped_by == "the path leaves the table at (0, 1000)"


def test_bad_paths_are_refused() -> None:
    with pytest.raises(ValueError, match="off the table; x runs from 0 to 4800"):
        spend(ground(table()), [(-1, 5), (10, 10)], TACTICAL)
    with pytest.raises(ValueError, match="at least 1 point"):
        spend(ground(table()), [], TACTICAL)


def test_a_path_of_one_point_is_a_move_of_nothing() -> None:
    move = spend(ground(table()), [(5, 5)], TACTICAL)
    assert (move.reached, move.distance, move.spent, move.complete) == ((5, 5), 0, 0, True)


def test_a_point_along_a_path_is_rounded_towards_its_start() -> None:
    # A third of the way of (0, 0) -> (100, 100) would be 33.3.
    assert point_along([(0, 0), (100, 100)], 47) == (33, 33)
    assert point_along([(100, 100), (0, 0)], 47) == (67, 67)
    assert point_along([(0, 0), (300, 0), (300, 400)], 350) == (300, 50)
    assert point_along([(0, 0), (300, 0)], 900) == (300, 0)


@settings(max_examples=80, deadline=None)
@given(
    tables(kinds=("bush", "jungle", "rocks", "marsh", "water")),
    st.lists(points(0, SIDE), min_size=1, max_size=4),
    st.sampled_from((Fraction(1), HALF)),
)
def test_what_must_hold_of_every_move(lay: Table, path: list[Point], fraction: Fraction) -> None:
    field = ground(lay)
    whole = legs(field, path)
    move = spend(field, path, TACTICAL, fraction)
    assert move.spent == sum((Fraction(leg.length, TACTICAL[leg.going]) for leg in move.legs), Fraction(0))
    assert move.spent <= fraction
    assert move.distance == sum(leg.length for leg in move.legs)
    assert all(one.end == other.begin for one, other in pairwise(whole))
    assert move.complete == (move.stopped_by == "")
    if len(path) > 1:
        assert shapely.LineString(path).distance(shapely.Point(move.reached)) < 2
    # Going on from the point reached with the rest of a full move never comes farther than in one go.
    farther = spend(field, path, TACTICAL)
    assert farther.distance >= move.distance


@pytest.mark.rule("fireforce movement")
def test_what_one_move_reaches() -> None:
    start = (2000, 2000)
    field = ground(table(area("bush", 2000, 0, SIDE, SIDE), area("water", 0, 2250, 1900, SIDE)))
    ring = shapely.Polygon(reachable(field, start, TACTICAL))
    for inside in ((1420, 2000), (2380, 2000), (2000, 1650)):
        assert ring.covers(shapely.Point(inside)), inside
    for outside in ((1390, 2000), (2450, 2000), (1800, 2400)):
        assert not ring.covers(shapely.Point(outside)), outside
    half = shapely.Polygon(reachable(field, start, TACTICAL, HALF))
    assert ring.buffer(1).covers(half)
    with pytest.raises(ValueError, match="off the table"):
        reachable(field, (5000, 1), TACTICAL)


def test_reach_stays_on_the_table() -> None:
    ring = reachable(ground(table()), (100, 100), TACTICAL)
    assert all(0 <= x <= SIDE and 0 <= y <= SIDE for x, y in ring)


def test_a_route_goes_around_water_and_spend_can_walk_it() -> None:
    field = ground(table(area("water", 2000, 0, 2400, 4000)))
    found = route(field, (1000, 1000), (3500, 1000), TACTICAL)
    assert found is not None
    assert max(y for _, y in found.path) >= 4000
    assert spend(field, found.path, TACTICAL, Fraction(100)).complete
    assert route(ground(table(area("water", 2000, 0, 2400, SIDE))), (1000, 1000), (3500, 1000), TACTICAL) is None


def test_a_straight_way_is_a_straight_route() -> None:
    found = route(ground(table()), (1000, 1000), (3500, 1700), TACTICAL)
    assert found is not None
    assert found.path == ((1000, 1000), (3500, 1700))
    assert found.moves == pytest.approx(2596 / 600, abs=0.01)


@pytest.mark.rule("fireforce umpire")
def test_a_concealed_route_keeps_behind_a_house() -> None:
    # The watcher stands north of a long house; the straight way passes before it, a way south of it is hidden.
    field = ground(table(house(1500, 2000, 3500, 2200)))
    watcher = (2500, 3000)
    start, goal = (1600, 1900), (3400, 1900)
    open_way = route(field, (1400, 2300), (3600, 2300), TACTICAL)
    hidden = route(field, (1400, 2300), (3600, 2300), TACTICAL, observers=[watcher])
    assert open_way is not None
    assert hidden is not None
    assert min(y for _, y in open_way.path) >= 2200

    def seen(path: tuple[Point, ...]) -> int:
        (stretches,) = visible_stretches(field, path, [watcher])
        return sum(end - begin for begin, end in stretches)

    assert seen(hidden.path) < seen(open_way.path) / 2
    behind = route(field, start, goal, TACTICAL, observers=[watcher])
    assert behind is not None
    assert behind.seen == 0


def test_a_route_needs_ends_on_the_table() -> None:
    with pytest.raises(ValueError, match="off the table"):
        route(ground(table()), (0, 0), (9000, 0), TACTICAL)
    with pytest.raises(ValueError, match="zero or more"):
        route(ground(table()), (0, 0), (900, 0), TACTICAL, exposure=-1)
