"""Ranges, bursts, hearing, coherency: worked checks."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from fireforce.table.blast import in_circle, in_cone, in_rectangle
from fireforce.table.formation import groups, stragglers
from fireforce.table.hearing import Noise, heard, octant
from fireforce.table.ranges import base_to_base, bearing, distance, nearest, within
from fireforce.table.terrain import Point

places = st.tuples(st.integers(0, 7200), st.integers(0, 4800))


def at(origin: Point, length: int, degrees: float) -> Point:
    """The point at a distance and bearing, in whole hundredths."""
    angle = math.radians(degrees)
    return round(origin[0] + length * math.sin(angle)), round(origin[1] + length * math.cos(angle))


@pytest.mark.rule("fireforce conventions")
def test_ranges_run_from_base_to_base() -> None:
    assert distance((0, 0), (300, 400)) == 500
    assert base_to_base((0, 0), (300, 400)) == 450
    assert base_to_base((0, 0), (300, 400), 0, 100) == 400
    assert base_to_base((0, 0), (50, 0)) == 0
    assert base_to_base((0, 0), (10, 0)) == 0


def test_within_counts_the_limit_in_and_measures_as_told() -> None:
    row = [(100, 0), (350, 0), (351, 0), (300, 0)]
    assert within(row, (0, 0), 300) == (0, 1, 3)
    assert within(row, (0, 0), 300, measured="centres") == (0, 3)


def test_nearest_is_the_first_of_equals() -> None:
    assert nearest([(5, 0), (0, 3), (3, 0)], (0, 0)) == 1
    assert nearest([], (0, 0)) is None


@pytest.mark.parametrize(
    ("to", "expected"), [((0, 9), 0), ((9, 9), 450), ((9, 0), 900), ((0, -9), 1800), ((-9, 0), 2700)]
)
def test_bearings_run_clockwise_from_north(to: Point, expected: int) -> None:
    assert bearing((0, 0), to) == expected


@pytest.mark.rule("fireforce direct-he")
def test_a_burst_catches_those_on_its_edge() -> None:
    assert in_circle([(100, 0), (60, 80), (101, 0), (0, 0)], (0, 0), 100) == (0, 1, 3)


@pytest.mark.rule("fireforce mines")
def test_the_cone_of_a_claymore() -> None:
    mine = (2000, 2000)
    men = [
        at(mine, 490, 134),
        at(mine, 490, 136),
        at(mine, 500, 90),
        at(mine, 502, 90),
        mine,
        at(mine, 300, 45),
        at(mine, 50, 270),
    ]
    assert in_cone(men, mine, 900, 500) == (0, 2, 4, 5)


@pytest.mark.rule("fireforce mines")
def test_a_cone_that_faces_north_holds_both_sides_of_it() -> None:
    men = [at((2000, 2000), 400, degrees) for degrees in (316, 0, 44, 314, 46)]
    assert in_cone(men, (2000, 2000), 0, 500) == (0, 1, 2)


@pytest.mark.rule("fireforce artillery")
def test_a_beaten_zone_lies_along_its_bearing() -> None:
    # 10" by 8" along the east: 500 either way to east and west, 400 to north and south.
    men = [(500, 400), (501, 0), (0, 401), (-500, -400), (0, 0)]
    assert in_rectangle(men, (0, 0), 1000, 800, 900) == (0, 3, 4)
    assert in_rectangle(men, (0, 0), 1000, 800, 0) == (2, 4)
    # Turned by 45 degrees its corner along the bearing lies 500 out.
    assert in_rectangle([at((0, 0), 499, 45), at((0, 0), 503, 45), at((0, 0), 403, 135)], (0, 0), 1000, 800, 450) == (
        0,
    )


@given(st.lists(places, max_size=8), places, st.integers(0, 3599))
def test_a_square_zone_is_the_same_after_a_quarter_turn(men: list[Point], centre: Point, facing: int) -> None:
    turned = in_rectangle(men, centre, 1000, 1000, (facing + 900) % 3600)
    assert in_rectangle(men, centre, 1000, 1000, facing) == turned


@pytest.mark.rule("fireforce visibility")
def test_a_noise_is_heard_to_its_limit_from_base_to_base() -> None:
    # Regulars moving are heard at 8"; two bases are half an inch.
    here = (1000, 1000)
    assert heard([here], (1000, 1850), 800) == Noise(800, here)
    assert heard([here], (1000, 1851), 800) is None
    assert heard([here], here, 800) == Noise(0, here)


@pytest.mark.rule("fireforce visibility")
def test_a_way_is_heard_from_its_nearest_place() -> None:
    """Past a corner, at its end, and in the middle of a stretch."""
    way = [(0, 1000), (1000, 1000), (1000, 2000)]
    assert heard(way, (333, 1050), 0) == Noise(0, (333, 1000))
    assert heard(way, (1200, 900), 200) == Noise(174, (1000, 1000))
    assert heard(way, (1000, 2450), 400) == Noise(400, (1000, 2000))
    assert heard(way, (1000, 2451), 400) is None


@given(st.lists(places, min_size=1, max_size=4), places)
def test_what_is_heard_of_a_way_is_its_distance(way: list[Point], ear: Point) -> None:
    away = shapely.LineString([way[0], *way]).distance(shapely.Point(ear))
    found = heard(way, ear, 10_000_000)
    assert found is not None
    assert abs(found.distance - max(0, away - 50)) <= 1


@pytest.mark.parametrize(
    ("degrees", "name"),
    [
        (0, "north"),
        (22, "north"),
        (23, "north-east"),
        (90, "east"),
        (180, "south"),
        (337, "north-west"),
        (338, "north"),
    ],
)
def test_octants(degrees: int, name: str) -> None:
    assert octant((5000, 5000), at((5000, 5000), 4000, degrees)) == name


@pytest.mark.rule("fireforce organisation")
def test_a_squad_keeps_within_three_inches() -> None:
    # Bases of 1/2": middles 3.5" apart are 3" apart.
    row = [(0, 0), (350, 0), (700, 0), (1051, 0), (1401, 0)]
    assert groups(row) == ((0, 1, 2), (3, 4))
    assert stragglers(row) == (3, 4)
    assert stragglers(row, leader=4) == (0, 1, 2)
    assert groups([]) == ()
    assert stragglers([(0, 0)]) == ()


@given(st.lists(places, max_size=8))
def test_every_figure_is_in_one_group(men: list[Point]) -> None:
    found = groups(men)
    assert sorted(index for group in found for index in group) == list(range(len(men)))
    for one in found:
        for other in found:
            if one is not other:
                assert all(base_to_base(men[a], men[b]) > 300 for a in one for b in other)
