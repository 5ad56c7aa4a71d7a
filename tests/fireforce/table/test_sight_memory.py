"""What is remembered of lines of sight is what would be computed."""

from __future__ import annotations

from fireforce.book.kinds import kinds
from fireforce.table.ground import Ground
from fireforce.table.sight import Eye, fresh_sights, sights
from fireforce.testing.bench_table import crowded_table, figures


def test_remembered_is_computed() -> None:
    table = Ground(crowded_table(), (), kinds())
    eyes = [Eye(place) for place in figures(20)]
    first = sights(table, eyes[0], eyes[1:8])
    again = sights(table, eyes[0], eyes[1:])
    assert again[:7] == first
    assert again == fresh_sights(table, eyes[0], eyes[1:])
    assert sights(table, eyes[1], [eyes[0]]) == fresh_sights(table, eyes[1], [eyes[0]])
    assert sights(table, eyes[0], []) == ()
