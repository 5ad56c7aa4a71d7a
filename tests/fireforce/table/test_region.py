"""Regions of sight and seen stretches, against worked figures and against pairs."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from fireforce.book.kinds import kinds
from fireforce.table.ground import Ground, ground
from fireforce.table.region import glimpsed, outline, visible_region, visible_stretches
from fireforce.table.sight import Eye, can_see
from fireforce.table.terrain import Point, Table, Terrain
from tests.fireforce.table.tables import SIDE, area, house, points, table, tables

CLOSE = 2
"""Hundredths of an inch around the edge of a region within which a pair may differ from it."""


def agree(lay: Table, observer: Point, places: list[Point], height: int | None = None) -> int:
    field = ground(lay)
    region = visible_region(field, observer, height)
    verdicts = can_see(field, Eye(observer, 0, height), [Eye(place, 0) for place in places])
    judged = 0
    for place, seen in zip(places, verdicts, strict=True):
        at = shapely.Point(place)
        if region.boundary.distance(at) > CLOSE:
            assert region.covers(at) == seen, (observer, place)
            judged += 1
    return judged


def test_an_empty_table_is_seen_whole() -> None:
    assert visible_region(ground(table()), (1000, 1000)).equals(shapely.box(0, 0, SIDE, SIDE))


@pytest.mark.rule("fireforce visibility")
def test_the_shadow_of_a_house_is_exact() -> None:
    # From (1000, 1000) a house 1000 to the east, 1000 wide: its front corners lie at slopes of 1/2 either way,
    # so behind it all is hidden between those two lines, and the house itself, whoever is in it, is seen.
    region = visible_region(ground(table(house(2000, 500, 2100, 1500))), (1000, 1000))
    # The rear corners lie within the shadow of the front: (1000, 1000) -> slope 1/2 from the front corners.
    hidden = shapely.Polygon([(2000, 500), (1000 + 2000, 0), (SIDE, 0), (SIDE, 2900), (2000, 1500)])
    hidden = hidden.difference(shapely.box(2000, 500, 2100, 1500))
    assert region.symmetric_difference(shapely.box(0, 0, SIDE, SIDE).difference(hidden)).area == pytest.approx(0, abs=1)


def test_close_behind_a_long_wall_half_the_table_is_hidden() -> None:
    # Seen from 1/20" off its middle the house fills all but a sliver of half a circle.
    region = visible_region(ground(table(house(1000, 2000, 3800, 2100))), (2400, 1995))
    assert not region.intersects(shapely.box(0, 2101, SIDE, SIDE))
    assert region.covers(shapely.box(0, 0, SIDE, 1994))


@pytest.mark.rule("fireforce visibility")
def test_a_path_behind_a_house_is_seen_before_and_after_it() -> None:
    # Observer at (1000, 1000), house 1000..1100 east and 100 to either side; the path runs north 2000 east of him:
    # hidden where |y - 1000| <= 200, that is from 800 to 1200 along a path that begins at y = 0.
    field = ground(table(house(2000, 900, 2100, 1100)))
    path = [(3000, 0), (3000, 500), (3000, 2000)]
    assert visible_stretches(field, path, [(1000, 1000), (2900, 1000)]) == (((0, 800), (1200, 2000)), ((0, 2000),))


def test_a_path_into_jungle_is_seen_for_eight_inches() -> None:
    field = ground(table(area("jungle", 2000, 500, 4000, 1500)))
    ((stretch,),) = visible_stretches(field, [(1500, 1000), (3500, 1000)], [(1000, 1000)])
    assert stretch == (0, 1300)


@pytest.mark.rule("fireforce visibility")
@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("is_mirrored", [False, True])
def test_how_far_one_sees_past_a_lobe_of_jungle_is_exact_in_every_direction(turns: int, is_mirrored: bool) -> None:
    # Seen from the east a jungle has a lobe whose far side slants: to the left of a line a little off straight west it
    # is more than 8" deep, and sight ends in it; to the right less, and sight goes on into the jungle behind it.
    lobed = [
        (2500, 1300),
        (2500, 2520),
        (2200, 2520),
        (1200, 2320),
        (1200, 1420),
        (600, 1420),
        (600, 3420),
        (200, 3420),
    ]
    lobed.append((200, 1300))
    behind = [(570, y) for y in range(2340, 2540, 4)]

    def placed(point: Point) -> Point:
        x, y = point
        if is_mirrored:
            y = SIDE - y
        for _ in range(turns):
            x, y = y, SIDE - x
        return (x, y)

    jungle = Terrain("jungle", "the jungle", "jungle", tuple(map(placed, lobed)), None)
    lay = table(jungle)
    observer = placed((4700, 2400))
    assert agree(lay, observer, [placed(each) for each in behind]) >= 45
    verdicts = can_see(ground(lay), Eye(observer, 0), [Eye(placed(each), 0) for each in behind])
    assert verdicts[0] != verdicts[-1]


def test_from_within_smoke_nothing_is_seen() -> None:
    smoke = area("smoke", 900, 900, 1100, 1100)
    assert visible_region(ground(table(), (smoke,)), (1000, 1000)).area == pytest.approx(0, abs=1)


def test_a_path_needs_two_points() -> None:
    with pytest.raises(ValueError, match="at least 2 points"):
        visible_stretches(ground(table()), [(0, 0)], [(1, 1)])
    assert visible_stretches(ground(table()), [(0, 0), (1, 1)], []) == ()


def test_a_region_is_remembered_and_equals_what_is_computed() -> None:
    lay = table(house(2000, 900, 2100, 1100), area("jungle", 2000, 2000, 3500, 3500))
    field = ground(lay)
    first = visible_region(field, (1000, 1000))
    assert visible_region(field, (1000, 1000)) is first
    assert visible_region(ground(lay), (1000, 1000)) is first
    assert visible_region(Ground(lay, (), kinds()), (1000, 1000)).equals_exact(first)


def test_an_outline_is_whole_points_with_holes() -> None:
    # A jungle 20" square seen from its south: what lies deep in it, and behind it, is out.
    region = visible_region(ground(table(house(2000, 900, 2100, 1100))), (1000, 1000))
    rings = outline(region)
    assert all(isinstance(x, int) and isinstance(y, int) for part in rings for ring in part for x, y in ring)
    whole = sum(shapely.Polygon(part[0], part[1:]).area for part in rings)
    assert whole == pytest.approx(region.area, rel=1e-3)


@pytest.mark.parametrize(
    "lay",
    [
        table(area("jungle", 1500, 1500, 3300, 3300)),
        table(area("hill", 1500, 1500, 3300, 3300), area("hill", 2000, 2000, 2800, 2800, key="top")),
        # Woods all around a hill: seen from its top they are a ring with a hole.
        table(
            area("forest", 1000, 1000, 3800, 3800), area("hill", 1800, 1800, 3000, 3000), house(2500, 500, 2700, 700)
        ),
        table(
            area("hill", 1500, 1500, 3300, 3300, height=300),
            house(3400, 2000, 3600, 2400),
            house(1200, 200, 1400, 900, "b"),
        ),
    ],
    ids=["jungle", "hills", "wooded hill", "over houses"],
)
def test_regions_and_pairs_agree_all_over_the_table(lay: Table) -> None:
    grid = [(x, y) for x in range(50, SIDE, 173) for y in range(70, SIDE, 191)]
    judged = [agree(lay, at, grid) for at in ((600, 700), (1510, 2400), (2400, 2400), (2900, 2100), (3500, 1600))]
    assert min(judged) > 500


@settings(max_examples=60, deadline=None)
@given(tables(), points(), st.lists(points(0, SIDE), min_size=30, max_size=30), st.sampled_from((None, 20, 250)))
def test_regions_and_pairs_agree_on_random_tables(
    lay: Table, observer: Point, places: list[Point], height: int | None
) -> None:
    agree(lay, observer, places, height)


@settings(max_examples=30, deadline=None)
@given(tables(), points(), st.lists(points(0, SIDE), min_size=2, max_size=4, unique=True))
def test_seen_stretches_are_where_pairs_see(lay: Table, observer: Point, path: list[Point]) -> None:
    field = ground(lay)
    (stretches,) = visible_stretches(field, path, [observer])
    line = shapely.LineString(path)
    places = [line.interpolate(distance) for distance in range(0, int(line.length), 97)]
    edge = visible_region(field, observer).boundary
    inner = [(at, distance) for at, distance in zip(places, range(0, int(line.length), 97), strict=True)]
    asked = [(at, distance) for at, distance in inner if edge.distance(at) > CLOSE + 1]
    verdicts = can_see(field, Eye(observer, 0), [Eye((round(at.x), round(at.y)), 0) for at, _ in asked])
    for (_, distance), seen in zip(asked, verdicts, strict=True):
        assert any(begin <= distance <= end for begin, end in stretches) == seen


@pytest.mark.rule("fireforce visibility")
def test_who_sees_only_the_end_of_a_path_glimpses_that_and_not_its_middle() -> None:
    # As above: the observer sees 0 to 800 and 1200 to 2000; who stands behind the house from all of it sees nothing.
    field = ground(table(house(2000, 900, 2100, 1100)))
    path = [(3000, 0), (3000, 2000)]
    near, far = (1000, 1000), (2900, 1000)
    assert glimpsed(field, path, [(900, 1100)], [near, far]) == (False, True)
    assert glimpsed(field, path, [(1300, 1400)], [near, far]) == (True, True)
    assert glimpsed(field, path, [(900, 1100), (1199, 1210)], [near]) == (True,)


@settings(max_examples=40, deadline=None)
@given(
    tables(),
    st.lists(points(), min_size=1, max_size=4),
    st.lists(points(0, SIDE), min_size=2, max_size=4, unique=True),
    st.integers(0, 90),
)
def test_whoever_sees_a_stretch_glimpses_it(lay: Table, observers: list[Point], path: list[Point], share: int) -> None:
    field = ground(lay)
    length = int(shapely.LineString(path).length)
    begin = length * share // 100
    end = min(length, begin + 40)
    seen = visible_stretches(field, path, observers)
    for told, stretches in zip(glimpsed(field, path, [(begin, end)], observers), seen, strict=True):
        if any(max(begin, a) <= min(end, b) for a, b in stretches):
            assert told
        elif not any(max(begin - 3, a) <= min(end + 3, b) for a, b in stretches):
            assert not told
