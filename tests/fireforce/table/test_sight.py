"""Sight: worked lines, and what must hold on every table."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fireforce.book.kinds import kinds
from fireforce.table.ground import Ground, ground
from fireforce.table.sight import Eye, Hindrance, can_see, line_of_sight, sights
from fireforce.table.terrain import Line, Point, Table, Terrain
from tests.fireforce.table.tables import BLOCKERS, SIDE, area, house, moved, pieces, points, table, tables

MANY = settings(max_examples=80, deadline=None)


def see(lay: Table, a: Point, b: Point, **more: int) -> bool:
    return line_of_sight(ground(lay), a, b, **more).clear


@pytest.mark.rule("fireforce visibility")
def test_nothing_in_between_is_clear() -> None:
    sight = line_of_sight(ground(table()), (1000, 1000), (2000, 1000))
    assert (sight.clear, sight.blocked_at, sight.by, sight.through, sight.cover) == (True, None, None, (), "none")


@pytest.mark.rule("fireforce visibility")
def test_a_house_blocks_and_the_place_and_reason_are_told() -> None:
    sight = line_of_sight(ground(table(house(1400, 800, 1600, 1200))), (1000, 1000), (2000, 1000))
    assert not sight.clear
    assert sight.blocked_at == (1500, 1000)
    assert sight.by == "house"
    assert sight.reason == "the house stands in between"
    assert sight.through == (Hindrance("house", "the house", "building", 200),)


def test_of_several_blocks_the_one_that_hides_most_is_named() -> None:
    lay = table(house(1200, 900, 1250, 1100, "hut"), house(1400, 800, 1600, 1200, "barn"))
    assert line_of_sight(ground(lay), (1000, 1000), (2000, 1000)).by == "barn"


def test_a_corner_that_is_touched_blocks_a_bare_line_but_not_bases() -> None:
    lay = table(house(1400, 1000, 1600, 1400))
    assert not see(lay, (1000, 1000), (2000, 1000), radius_a=0, radius_b=0)
    assert see(lay, (1000, 999), (2000, 999), radius_a=0, radius_b=0)
    assert see(lay, (1000, 1000), (2000, 1000))


def test_a_base_half_behind_a_corner_is_seen_in_cover() -> None:
    # The middles are hidden from each other by 10, the rims stand out by 25.
    sight = line_of_sight(ground(table(house(1400, 990, 1600, 1400))), (1000, 1000), (2000, 1000))
    assert sight.clear
    assert sight.cover == "hard"
    assert sight.cover_reason == "partly hidden: the house stands in between"
    assert not see(table(house(1400, 970, 1600, 1400)), (1000, 1000), (2000, 1000))


def test_who_is_in_a_house_sees_out_of_it_and_is_seen_in_hard_cover() -> None:
    lay = table(house(1400, 800, 1600, 1200), house(1800, 800, 1900, 1200, "other"))
    out = line_of_sight(ground(lay), (1000, 1000), (1500, 1000))
    assert (out.clear, out.cover, out.cover_reason) == (True, "hard", "in the house")
    assert line_of_sight(ground(lay), (1500, 1000), (1000, 1000)).cover == "none"
    assert line_of_sight(ground(lay), (1500, 1000), (2500, 1000)).by == "other"


@pytest.mark.rule("fireforce visibility")
@pytest.mark.parametrize(("inside", "clear"), [(800, True), (801, False)])
def test_sight_reaches_eight_inches_into_jungle(inside: int, clear: bool) -> None:
    lay = table(area("jungle", 2000, 500, 4000, 1500))
    into = line_of_sight(ground(lay), (1500, 1000), (2000 + inside, 1000), radius_a=0, radius_b=0)
    within = line_of_sight(ground(lay), (2500, 1000), (2500 + inside, 1000), radius_a=0, radius_b=0)
    assert (into.clear, within.clear) == (clear, clear)
    if not clear:
        assert into.reason == 'the jungle: sight reaches 8" into it, the line runs 8.01" inside'
        assert into.blocked_at == (2401, 1000)  # 2400.5, the half up


def test_nobody_sees_through_even_a_thin_wood() -> None:
    lay = table(area("jungle", 2000, 500, 2050, 1500))
    assert not see(lay, (1900, 1000), (2200, 1000))
    assert see(lay, (1900, 1000), (2040, 1000))
    assert see(lay, (2010, 1000), (2500, 1000))


@pytest.mark.rule("fireforce smoke")
def test_smoke_blocks_through_it_into_it_and_within_it() -> None:
    smoke = (area("smoke", 2000, 900, 2300, 1100),)
    field = ground(table(), smoke)
    assert not line_of_sight(field, (1500, 1000), (2500, 1000)).clear
    assert not line_of_sight(field, (1500, 1000), (2150, 1000)).clear
    assert not line_of_sight(field, (2100, 1000), (2200, 1000)).clear
    assert line_of_sight(field, (1500, 1200), (2500, 1200)).clear
    assert ground(table()) is not field


def test_bush_rocks_walls_and_hedges_do_not_block() -> None:
    lay = table(
        area("bush", 1200, 900, 1300, 1100),
        area("rocks", 1400, 900, 1500, 1100),
        Line("wall", "the wall", "wall", ((1600, 900), (1600, 1100))),
    )
    sight = line_of_sight(ground(lay), (1000, 1000), (2000, 1000))
    assert (sight.clear, sight.cover) == (True, "none")
    assert [(each.key, each.length) for each in sight.through] == [("bush", 100), ("rocks", 100), ("wall", 0)]


@pytest.mark.rule("fireforce saving-throws", "fireforce small-arms")
@pytest.mark.parametrize(
    ("kind", "cover"),
    [
        ("bush", "soft"),
        ("paddy", "soft"),
        ("village", "soft"),
        ("jungle", "hard"),
        ("rocks", "hard"),
        ("marsh", "none"),
    ],
)
def test_a_target_has_the_cover_it_stands_in(kind: str, cover: str) -> None:
    lay = table(area(kind, 1900, 900, 2100, 1100))
    assert line_of_sight(ground(lay), (1000, 1000), (2000, 1000)).cover == cover
    assert line_of_sight(ground(lay), (2000, 1000), (1000, 1000)).cover == "none"


@pytest.mark.rule("fireforce small-arms")
def test_a_wall_shelters_who_is_close_behind_it_and_not_who_shoots_over_it() -> None:
    lay = table(Line("wall", "the wall", "wall", ((1900, 500), (1900, 1500))))
    assert line_of_sight(ground(lay), (1000, 1000), (2025, 1000)).cover == "hard"  # 1" before the base
    assert line_of_sight(ground(lay), (1000, 1000), (2026, 1000)).cover == "none"
    assert line_of_sight(ground(lay), (1850, 1000), (2500, 1000)).cover == "none"
    hedge = table(Line("hedge", "the hedge", "hedge", ((1900, 500), (1900, 1500))))
    assert line_of_sight(ground(hedge), (1000, 1000), (2000, 1000)).cover_reason == "behind the hedge"


def test_the_cover_that_a_shooter_stands_in_does_not_shelter_his_target() -> None:
    lay = table(area("bush", 1000, 900, 1500, 1100))
    assert line_of_sight(ground(lay), (1450, 1000), (1560, 1000)).cover == "none"
    assert line_of_sight(ground(lay), (900, 1000), (1560, 1000)).cover == "soft"


def test_fire_from_a_height_comes_down_over_a_wall() -> None:
    # Eyes at 350, the target's feet at 0, the wall 100 before him and 40 high. From 1500 away the line to his
    # feet is at 23 over the wall, under its top; from 500 away at 70.
    hill = area("hill", 500, 500, 1500, 1500, height=300)
    far = table(hill, Line("wall", "the wall", "wall", ((2900, 500), (2900, 1500))))
    near = table(hill, Line("wall", "the wall", "wall", ((1900, 500), (1900, 1500))))
    assert line_of_sight(ground(far), (1500, 1000), (3000, 1000)).cover == "hard"
    assert line_of_sight(ground(near), (1500, 1000), (2000, 1000)).cover == "none"


@pytest.mark.rule("fireforce visibility")
@pytest.mark.parametrize(("away", "clear"), [(590, False), (610, True)])
def test_behind_a_crest_the_dead_ground_is_as_wide_as_the_way_to_the_crest(away: int, clear: bool) -> None:
    # Eyes at 150, crest 100 high and 300 away, target's eyes at 50: the line meets the crest's height half way.
    lay = table(area("hill", 1000, 500, 2000, 1500))
    assert see(lay, (1700, 1000), (1700 + away, 1000), radius_a=0, radius_b=0) is clear
    if not clear:
        blocked = line_of_sight(ground(lay), (1700, 1000), (1700 + away, 1000), radius_a=0, radius_b=0)
        assert blocked.reason == "the ground of the hill rises in between"


def test_who_stands_higher_looks_over_a_house() -> None:
    # Eyes at 250 on a hill of 200; the house (100) lies 400..500 away. The line to eyes at 50 falls to 100 at
    # three quarters: clear when the house ends before that, from 667 on.
    lay = table(area("hill", 500, 500, 1100, 1500, height=200), house(1400, 900, 1500, 1100))
    assert not see(lay, (1000, 1000), (1660, 1000), radius_a=0, radius_b=0)
    assert see(lay, (1000, 1000), (1675, 1000), radius_a=0, radius_b=0)
    assert not see(table(house(1400, 900, 1500, 1100)), (1000, 1000), (1675, 1000), radius_a=0, radius_b=0)


def test_steps_of_hills_add_up() -> None:
    lay = table(area("hill", 500, 500, 1500, 1500), area("hill", 700, 700, 1300, 1300, key="top"))
    field = ground(lay)
    assert [field.elevation_at(point) for point in ((400, 1000), (600, 1000), (1000, 1000))] == [0, 100, 200]
    # From the foot the upper step (200) hides what lies on the other side, and from the lower step as well.
    assert line_of_sight(field, (600, 1000), (1400, 1000)).by == "top"


def test_sight_of_one_from_its_own_place_is_clear() -> None:
    assert see(table(house(1400, 800, 1600, 1200)), (1000, 1000), (1000, 1000))


eyes = st.builds(Eye, points(), st.sampled_from((0, 25, 50)), st.sampled_from((None, 20, 150)))


@MANY
@given(tables(), eyes, eyes)
def test_sight_is_symmetric(lay: Table, a: Eye, b: Eye) -> None:
    there = sights(ground(lay), a, [b])[0]
    back = sights(ground(lay), b, [a])[0]
    assert (there.clear, there.blocked_at, there.reason, there.by, there.through) == (
        back.clear,
        back.blocked_at,
        back.reason,
        back.by,
        back.through,
    )
    assert there.clear == (there.by is None) == (there.blocked_at is None) == (there.reason == "")


@MANY
@given(tables(), st.data(), st.lists(eyes, min_size=2, max_size=6))
def test_a_blocker_more_never_opens_a_line(lay: Table, data: st.DataObject, figures: list[Eye]) -> None:
    more = data.draw(pieces("more", BLOCKERS))
    grown = table(*lay.terrain, *lay.buildings, more) if not isinstance(more, Terrain) else None
    field = ground(grown) if grown else ground(lay, (more,))
    before = can_see(ground(lay), figures[0], figures[1:])
    after = can_see(field, figures[0], figures[1:])
    assert all(was or not now for was, now in zip(before, after, strict=True))


TURNS = {
    "quarter turn": lambda point: (SIDE - point[1], point[0]),
    "half turn": lambda point: (SIDE - point[0], SIDE - point[1]),
    "mirror": lambda point: (SIDE - point[0], point[1]),
    "diagonal mirror": lambda point: (point[1], point[0]),
    "shift": lambda point: (point[0] + 713, point[1] - 402),
}


@pytest.mark.parametrize("name", TURNS)
@settings(max_examples=40, deadline=None)
@given(tables(), eyes, st.lists(eyes, min_size=1, max_size=4))
def test_sight_is_the_same_on_a_moved_table(name: str, lay: Table, viewer: Eye, targets: list[Eye]) -> None:
    move = TURNS[name]

    def put(eye: Eye) -> Eye:
        return Eye(move(eye.point), eye.radius, eye.height)

    here = sights(ground(lay), viewer, targets)
    there = sights(ground(moved(lay, move)), put(viewer), [put(target) for target in targets])
    for one, other in zip(here, there, strict=True):
        assert (one.clear, one.cover, one.by, one.through) == (other.clear, other.cover, other.by, other.through)
        if one.blocked_at and other.blocked_at:
            x, y = move(one.blocked_at)
            assert abs(x - other.blocked_at[0]) <= 1
            assert abs(y - other.blocked_at[1]) <= 1


@MANY
@given(tables(), eyes, st.lists(eyes, min_size=1, max_size=5))
def test_many_at_once_are_each_by_itself_and_remembered_is_computed(
    lay: Table, viewer: Eye, targets: list[Eye]
) -> None:
    together = sights(ground(lay), viewer, targets)
    fresh = Ground(lay, (), kinds())
    assert together == tuple(sights(fresh, viewer, [target])[0] for target in targets)
    assert tuple(each.clear for each in together) == can_see(fresh, viewer, targets)


def turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def touches(a: Point, b: Point, ring: tuple[Point, ...]) -> bool:
    """In integers: whether a segment meets a convex polygon, its outline included."""

    def between(p: Point, q: Point, r: Point) -> bool:
        return min(p[0], q[0]) <= r[0] <= max(p[0], q[0]) and min(p[1], q[1]) <= r[1] <= max(p[1], q[1])

    def cross(p: Point, q: Point) -> bool:
        one, two, three, four = turn(p, q, a), turn(p, q, b), turn(a, b, p), turn(a, b, q)
        if (one > 0) != (two > 0) and (three > 0) != (four > 0) and 0 not in (one, two, three, four):
            return True
        return (
            (one == 0 and between(p, q, a))
            or (two == 0 and between(p, q, b))
            or (three == 0 and between(a, b, p))
            or (four == 0 and between(a, b, q))
        )

    return any(cross(p, q) for p, q in zip(ring, (*ring[1:], ring[0]), strict=True)) or holds(a, ring)


def holds(point: Point, ring: tuple[Point, ...]) -> bool:
    sides = [turn(p, q, point) for p, q in zip(ring, (*ring[1:], ring[0]), strict=True)]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


@settings(max_examples=200, deadline=None)
@given(tables(kinds=()), st.data())
def test_bare_lines_on_flat_ground_agree_with_integer_arithmetic(lay: Table, data: st.DataObject) -> None:
    # Ends on corners of houses are where floats would go wrong.
    corners = [corner for each in lay.buildings for corner in each.polygon]
    ends = st.one_of(points(), st.sampled_from(corners)) if corners else points()
    a, b = data.draw(ends), data.draw(ends)
    if a == b:
        return
    blocked = any(
        touches(a, b, each.polygon) and not holds(a, each.polygon) and not holds(b, each.polygon)
        for each in lay.buildings
    )
    assert see(lay, a, b, radius_a=0, radius_b=0) is not blocked
