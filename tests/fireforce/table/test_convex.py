"""Rays and convex outlines by their signs, against Shapely."""

from random import Random

import numpy as np
import pytest
import shapely

from fireforce.table.convex import all_run_inside, corners_of, covers_all, length_inside, touched

pytestmark = pytest.mark.rule("fireforce visibility")


def outlines(seed: int) -> list[shapely.Polygon]:
    """Convex outlines of three to a dozen whole corners, turned either way."""
    random = Random(seed)
    found = []
    while len(found) < 40:
        points = [(random.randrange(0, 40), random.randrange(0, 40)) for _ in range(random.randrange(3, 14))]
        hull = shapely.MultiPoint(points).convex_hull
        if hull.geom_type == "Polygon":
            found.append(shapely.Polygon(list(hull.exterior.coords)[:: random.choice((1, -1))]))
    return found


def rays(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rays on a grid so narrow that every tenth one only touches a corner or runs along a side."""
    ends = np.random.default_rng(seed).integers(-5, 45, size=(2, 600, 2)).astype(np.float64)
    return ends[0], ends[1]


@pytest.mark.parametrize("seed", range(5))
def test_touched_is_what_shapely_says(seed: int) -> None:
    a, b = rays(seed)
    lines = shapely.linestrings(np.stack([a, b], axis=1))
    grazing = 0
    for outline in outlines(seed):
        corners = corners_of(outline)
        assert corners is not None
        assert (touched(corners, a, b) == shapely.intersects(outline, lines)).all()
        grazing += int(shapely.touches(outline, lines).sum())
    assert grazing > 100


@pytest.mark.parametrize("seed", range(5))
def test_length_inside_is_what_shapely_says(seed: int) -> None:
    a, b = rays(seed)
    lines = shapely.linestrings(np.stack([a, b], axis=1))
    for outline in outlines(seed):
        corners = corners_of(outline)
        assert corners is not None
        expected = shapely.length(shapely.intersection(lines, outline))
        assert np.allclose(length_inside(corners, a, b), expected, atol=1e-9)


def test_what_covers_all_is_touched_by_every_ray() -> None:
    rim = np.array([(0, 0), (3, 0), (-3, 0), (0, 3), (0, -3), (2, 2), (2, -2), (-2, 2), (-2, -2)], dtype=np.float64)
    covered = blocked = 0
    for seed in range(5):
        a, b = rays(seed)
        every = [(a + one, b + other) for one in rim for other in rim]
        for outline in outlines(seed):
            corners = corners_of(outline)
            assert corners is not None
            all_touched = np.logical_and.reduce([touched(corners, *ends) for ends in every])
            known = covers_all(corners, a, b, rim)
            assert not (known & ~all_touched).any()
            apart = shapely.distance(shapely.points(a), outline) > 3
            apart &= shapely.distance(shapely.points(b), outline) > 3
            covered += int(known.sum())
            blocked += int((all_touched & apart).sum())
    assert covered >= blocked * 0.9 > 1000  # else it would spare no work


def test_of_what_is_known_to_run_inside_every_ray_does() -> None:
    rim = np.array([(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)], dtype=np.float64)
    known = deep = 0
    for seed in range(5):
        a, b = rays(seed)
        every = [(a + one, b + other) for one in rim for other in rim]
        for outline in outlines(seed):
            corners = corners_of(outline)
            assert corners is not None
            least = np.min([length_inside(corners, *ends) for ends in every], axis=0)
            length = np.full(len(a), 12.0)
            told = all_run_inside(corners, a, b, rim, length)
            assert (least[told] >= length[told] - 1e-9).all()
            based = (shapely.distance(shapely.points(a), outline.exterior) >= 2) & shapely.contains_xy(outline, *a.T)
            known += int(told.sum())
            deep += int((based & (least >= length)).sum())
    assert known >= deep * 0.7 > 1000  # else it would spare no work


def test_a_ray_without_length() -> None:
    corners = corners_of(shapely.box(0, 0, 10, 10))
    assert corners is not None
    points = np.array([(5.0, 5.0), (10.0, 3.0), (11.0, 3.0)])
    assert touched(corners, points, points).tolist() == [True, True, False]
    assert length_inside(corners, points, points).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "shape",
    [
        shapely.Polygon([(0, 0), (10, 0), (10, 10), (5, 2)]),
        shapely.Polygon([(0, 0), (10, 0), (10.5, 10)]),
        shapely.Polygon([(0, 0), (10, 0), (10, 10), (0, 10)], [[(2, 2), (4, 2), (4, 4)]]),
        shapely.LineString([(0, 0), (4, 4)]),
    ],
    ids=["hollow", "between whole hundredths", "with a hole", "a line"],
)
def test_no_other_shape_has_corners(shape: shapely.Geometry) -> None:
    assert corners_of(shape) is None
