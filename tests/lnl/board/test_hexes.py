"""The geometry of hexes."""

from __future__ import annotations

import pytest

from lnl.board.hexes import (
    DIRECTIONS,
    SPINES,
    Hex,
    arc,
    centre,
    column_name,
    direction_of,
    directions_toward,
    distance,
    hex_at,
    hex_name,
    hexes_within,
    neighbour,
    neighbours,
    opposite,
    spines_turned,
)

I5, J5, J6 = (9, 5), (10, 5), (10, 6)


@pytest.mark.rule("core 1.4")
def test_columns_of_odd_letters_lie_half_a_hex_lower() -> None:
    assert {J5, J6} <= set(neighbours(I5))
    assert {(9, 4), (9, 5), (11, 4), (11, 5)} <= set(neighbours(J5))


def test_directions_run_clockwise_from_the_north() -> None:
    assert neighbours(J5) == ((10, 4), (11, 4), (11, 5), (10, 6), (9, 5), (9, 4))
    assert neighbours(I5) == ((9, 4), (10, 5), (10, 6), (9, 6), (8, 6), (8, 5))


@pytest.mark.parametrize("at", [I5, J5])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_neighbour_lies_where_it_was_sought(at: Hex, direction: int) -> None:
    there = neighbour(at, direction)
    assert direction_of(at, there) == direction
    assert distance(at, there) == 1
    assert neighbour(there, (direction + 2) % 6 + 1) == at


def test_hexes_apart_have_no_direction() -> None:
    with pytest.raises(ValueError, match="not neighbours"):
        direction_of(I5, (9, 7))


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [((5, 3), (7, 2), 2), ((1, 3), (6, 1), 5), ((11, 6), (11, 4), 2), (I5, (11, 5), 2), (I5, I5, 0)],
)
def test_the_range_is_the_steps_between(a: Hex, b: Hex, hexes: int) -> None:
    assert distance(a, b) == distance(b, a) == hexes
    at = a
    for _ in range(hexes):
        at = neighbour(at, directions_toward(at, b)[0])
    assert at == b
    assert directions_toward(b, b) == ()


@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_within_a_range_lie_so_many_hexes(radius: int) -> None:
    found = hexes_within(J5, radius)
    assert len(set(found)) == len(found) == 1 + 3 * radius * (radius + 1)
    assert max(distance(J5, each) for each in found) == radius


def test_dots_stand_for_their_hexes() -> None:
    assert all(hex_at(centre(at)) == at for at in hexes_within(J5, 3))
    with pytest.raises(ValueError, match="the dot of no hex"):
        hex_at((181, 120))


@pytest.mark.rule("core 15.1")
def test_an_arc_lies_between_the_rows_beside_its_spine() -> None:
    covers = arc(J5, 2)
    assert [at for at in neighbours(J5) if covers(at)] == [(11, 4), (11, 5)]
    assert covers((12, 5))
    assert covers((12, 4))
    assert covers((12, 6))
    assert not covers((12, 3))
    assert not covers((12, 7))
    assert not covers(J5)


@pytest.mark.rule("core 14.0")
def test_the_arcs_of_all_spines_cover_all_around() -> None:
    arcs = [arc(I5, spine) for spine in SPINES]
    for at in hexes_within(I5, 4):
        covering = sum(covers(at) for covers in arcs)
        on_a_row = any(at == walked for direction in DIRECTIONS for walked in _row(I5, direction))
        assert covering == (0 if at == I5 else 2 if on_a_row else 1)


def _row(at: Hex, direction: int) -> list[Hex]:
    found = []
    for _ in range(4):
        at = neighbour(at, direction)
        found.append(at)
    return found


@pytest.mark.rule("core 15.1")
def test_pivots_are_counted_the_shorter_way() -> None:
    assert [spines_turned(1, other) for other in SPINES] == [0, 1, 2, 3, 2, 1]
    assert [opposite(spine) for spine in SPINES] == [4, 5, 6, 1, 2, 3]


def test_columns_have_letters() -> None:
    assert [column_name(column) for column in (1, 26, 27, 28, 52)] == ["A", "Z", "AA", "AB", "AZ"]
    assert hex_name((8, 6)) == "H6"
