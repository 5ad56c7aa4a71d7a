"""The shipped maps, and the crowded ones that are measured."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from lnl.board.ground import Ground
from lnl.board.hexes import neighbours
from lnl.board.lines import line_table
from lnl.board.parsing import read_map
from lnl.board.sight import sight_of
from lnl.maps import bundled
from lnl.testing import bench
from tests.lnl.board.boards import tables
from umpire.testing import benching

NAMES = ("hill-and-stream", "saint-aubin", "the-bocage")


@cache
def shipped(name: str) -> Ground:
    return read_map(bundled()[name], file=f"{name}.toml", tables=tables())


def test_these_maps_are_shipped() -> None:
    assert tuple(bundled()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_map_can_be_played_on(name: str) -> None:
    ground = shipped(name)
    assert ground.width >= 15
    assert ground.height >= 10
    assert ground.title
    assert sum(bool(here.label) for here in ground.hexes.values()) >= 4
    kinds = tables().terrain
    passable = {here.at for here in ground.hexes.values() if kinds[here.terrain].leg > 0}
    found, todo = set(), [min(passable)]
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += [each for each in neighbours(at) if each in passable]
    assert found == passable


@pytest.mark.rule("core 10.2")
@pytest.mark.parametrize("name", NAMES)
def test_large_stone_buildings_have_two_storeys(name: str) -> None:
    ground = shipped(name)
    extent = Counter(here.building for here in ground.hexes.values() if here.terrain == "stone_building")
    assert max(extent.values()) >= 3
    for here in ground.hexes.values():
        assert here.storeys == (2 if extent.get(here.building, 0) >= 3 else 1)


@pytest.mark.rule("core 1.4")
def test_the_two_boards_share_a_column() -> None:
    ground = shipped("hill-and-stream")
    assert ground.hex_named("31Q9") == ground.hex_named("32A9")
    assert {here.elevation for here in ground.hexes.values()} == {0, 1, 2}
    assert set(ground.streams.values()) == {"stream_1", "stream_2", "stream_3"}
    assert ground.is_road(ground.hex_named("31P9"), ground.hex_named("32A9"))
    assert ground.is_road(ground.hex_named("32A9"), ground.hex_named("32B9"))


@pytest.mark.parametrize("size", [(9, 6), (12, 11)])
def test_the_measured_maps_are_crowded(size: tuple[int, int]) -> None:
    ground = bench.crowded(*size)
    own = {each.at for each in ground.silhouettes if not each.spills_from}
    assert 0.2 < len(own) / len(ground.hexes) < 0.45
    assert any(each.spills_from for each in ground.silhouettes)
    assert any(here.storeys == 2 for here in ground.hexes.values())
    sight = sight_of(ground, tables(), ())
    seen = [len(field.seen()) for _, field in sight.whole()]
    assert 1 < sum(seen) / len(seen) < len(ground.places())
    assert "sight.hexes" in benching.benches()


def test_a_map_too_large_for_exact_numbers_is_refused() -> None:
    ground = bench.crowded(151, 2)
    with pytest.raises(ValueError, match="too large"):
        sight_of(ground, tables(), ())


def test_the_table_of_lines_is_made_once_for_a_size() -> None:
    assert line_table(9, 6) is line_table(9, 6)
