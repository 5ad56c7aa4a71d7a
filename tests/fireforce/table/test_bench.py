"""The benchmarks measure what they say; whether budgets are met is for `bench`, not for a test."""

from __future__ import annotations

from fireforce.table.ground import ground
from fireforce.table.sight import Eye, can_see
from fireforce.table.validate import validate
from fireforce.testing import bench_table as bench


def test_the_crowded_table_is_playable_and_crowded() -> None:
    lay = bench.crowded_table()
    assert validate(lay) == []
    assert len(lay.terrain) + len(lay.buildings) == 45
    men = bench.figures()
    assert len(set(men)) == 60
    seen = sum(can_see(ground(lay), Eye(men[0]), [Eye(man) for man in men[1:]]))
    assert 0 < seen < 59


def test_rows_carry_budget_and_yardstick() -> None:
    rows = bench.rows()
    assert len({row.name for row in rows}) == len(rows) == 7
    assert all(row.value > 0 and row.budget > 0 and row.ratio > 0 and row.unit == "ms" for row in rows)
