"""What is remembered of the things asked about last."""

from __future__ import annotations

from umpire.kernel.values.memo import Memo, Recent


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


def test_of_keys_those_asked_about_last_are_kept() -> None:
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    recent: Recent[str, str] = Recent(kept=2)
    assert [recent.of(key, lambda key=key: make(key)) for key in ("a", "b", "a", "c", "a", "b")] == [*"ABACAB"]  # type: ignore[misc]
    assert made == ["a", "b", "c", "b"], "b was asked about longest ago when c came"
    assert recent.put("a", "other") == recent.of("a", lambda: "never made") == "other"
