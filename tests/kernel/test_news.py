"""Merge patches keep their laws; news and tags move with what a seat sees and with nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.tables import ORDER, play_of
from umpire.kernel.codec import encode
from umpire.kernel.news import encoded_patch, merge_patch, merged, tag_of
from umpire.kernel.rulings import Ruling, tell
from umpire.testing.skirmish.events import Placed, PlanGiven
from umpire.testing.skirmish.state import Plan, State

LEAVES = st.integers(-3, 3) | st.text(max_size=3) | st.lists(st.integers(0, 2), max_size=2)
VIEWS = st.dictionaries(
    st.sampled_from("abcd"),
    st.recursive(LEAVES, lambda inner: st.dictionaries(st.sampled_from("xyz"), inner, max_size=3), max_leaves=8),
    max_size=4,
)


@given(VIEWS, VIEWS)
@settings(max_examples=120, deadline=None)
def test_a_patch_leads_from_one_view_to_the_next(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert merged(before, merge_patch(before, after)) == after


@given(VIEWS, VIEWS)
@settings(max_examples=80, deadline=None)
def test_a_patch_is_empty_exactly_for_equal_views(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert (merge_patch(before, after) == {}) is (before == after)
    assert merge_patch(before, before) == {}


@given(VIEWS, VIEWS, st.booleans())
@settings(max_examples=200, deadline=None)
def test_the_patch_of_encoded_views_is_that_of_the_views(
    before: dict[str, Any], after: dict[str, Any], is_turned: bool
) -> None:
    stored = dict(reversed(before.items())) if is_turned else before
    assert encoded_patch(encode(stored), encode(after)) == merge_patch(before, after)
    assert encoded_patch(encode(stored), encode(before)) == {}


@given(VIEWS, VIEWS)
@settings(max_examples=80, deadline=None)
def test_a_patch_may_come_twice(before: dict[str, Any], after: dict[str, Any]) -> None:
    patch = merge_patch(before, after)
    assert merged(merged(before, patch), patch) == after


@given(VIEWS, VIEWS, VIEWS)
@settings(max_examples=80, deadline=None)
def test_patches_in_turn_lead_to_the_last_view(a: dict[str, Any], b: dict[str, Any], c: dict[str, Any]) -> None:
    assert merged(merged(a, merge_patch(a, b)), merge_patch(b, c)) == c


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": None}}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({"a": 2}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": 1, "b": 2}, {"b": 2}, {"a": None}),
        ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
    ],
)
def test_patches_by_hand(before: Any, after: Any, patch: Any) -> None:
    assert merge_patch(before, after) == patch
    assert merged(before, patch) == after


@pytest.mark.parametrize(
    ("document", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_patches_are_applied_as_rfc_7396_has_it(document: Any, patch: Any, result: Any) -> None:
    """Examples of the RFC's appendix."""
    assert merged(document, patch) == result


def test_tags_are_of_view_and_number_alone() -> None:
    assert tag_of({"a": 1}, 3) == tag_of({"a": 1}, 3)
    assert len({tag_of({"a": 1}, 3), tag_of({"a": 2}, 3), tag_of({"a": 1}, 4), tag_of({"a": True}, 3)}) == 4


def hidden(state: State) -> Ruling[State]:
    """Something that no seat may notice."""
    return (yield from tell(PlanGiven(unit="rowan", plan=Plan(goal=1))))


def seen(state: State) -> Ruling[State]:
    return (yield from tell(Placed(unit="rowan", at=4)))


def test_what_is_hidden_moves_no_number() -> None:
    play = play_of(hidden, blind=True)
    tags = {name: play.tag(name) for name in play.seats}
    play.order("blue_1", ORDER)
    assert len(play.tree.path()) == 3
    assert {name: play.tag(name) for name in play.seats} == tags
    assert all(news == [] for news in play.news.values())


def test_what_happens_in_the_open_is_news_to_all_at_once() -> None:
    play = play_of(seen)
    play.order("blue_1", ORDER)
    assert {name: len(news) for name, news in play.news.items()} == {
        "blue_1": 1,
        "red_1": 1,
        "gallery": 1,
        "umpire": 0,
    }
    (news,) = play.news["gallery"]
    assert news.patch["pieces"]["rowan"]["at"] == [4, 0]
    assert [line.text for line in news.lines] == ["Rowan placed hex 4"]


def test_a_rewind_is_news_and_numbers_go_on() -> None:
    play = play_of(seen)
    first = play.tag("blue_1")
    play.order("blue_1", ORDER)
    play.rewind(0)
    assert [number for number, _ in play.numbered("blue_1")] == [1, 2]
    assert play.view("blue_1")["pieces"]["rowan"]["at"] == [5, 0]
    assert play.tag("blue_1") != first  # the old tag does not come back to life


def test_a_steady_battle_shows_all_at_its_release() -> None:
    play = play_of(seen, steady=True)
    before = play.view("red_1")
    play.order("blue_1", ORDER)
    assert play.view("red_1") == before
    assert play.news["red_1"] == []
    play.release()
    assert play.view("red_1")["pieces"]["rowan"]["at"] == [4, 0]
    assert len(play.news["red_1"]) == 1
    play.release()
    assert len(play.news["red_1"]) == 1
