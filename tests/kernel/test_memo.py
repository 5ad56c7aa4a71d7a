"""What is remembered of the things asked about last."""

from __future__ import annotations

from umpire.kernel.values.memo import Memo


def test_things_are_told_apart_as_objects_and_few_are_remembered() -> None:
    made: list[list[int]] = []

    def make(thing: list[int]) -> int:
        made.append(thing)
        return len(thing)

    memo = Memo(make, kept=2)
    one, same, third = [1], [1], [1, 2]
    assert [memo.of(one), memo.of(one), memo.of(same), memo.of(one)] == [1, 1, 1, 1]
    assert len(made) == 2
    assert memo.of(third) == 2
    assert memo.of(one) == 1
    assert len(made) == 4
