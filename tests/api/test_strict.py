"""Bad input gets a clear error: what is wrong, where, and what would be right."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from umpire.api.problems import Fault, Problem
from umpire.api.strict import convert, parse


class Move(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="verb", tag="move"):
    figures: tuple[str, ...]
    path: tuple[tuple[int, int], ...] = ()
    pace: Literal["tactical", "running"] = "tactical"
    count: Annotated[int, Meta(ge=1, le=6)] = 1


class EndPhase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="verb", tag="end_phase"):
    pass


def faults_of(value: object, at: str = "") -> list[Fault]:
    with pytest.raises(Problem) as raised:
        convert(value, Move | EndPhase, at)
    assert raised.value.document.type == "/problems/invalid"
    assert raised.value.document.status == 422
    return list(raised.value.document.errors)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "empty"),
        (b"{", "line 1, column 2"),
        (b'{\n "verb": move}', "line 2, column 10"),
        (b'{"a": 1, "a": 2}', "'a' stands twice"),
        (b'{"a": NaN}', "NaN is no number"),
        (b'{"a": "\\ud800"}', "half a pair"),
        (b'{"a": "\\u0000"}', "NUL"),
        (b'{"a": 9007199254740993}', "2^53"),
        (b'"\xff"', "byte 1 cannot be read"),
        (b"[" * 100_000, "deep"),
        (b"[" * 40 + b"]" * 40, "deep"),
        (b"1" * 5000, "digits"),
    ],
)
def test_what_is_not_json_says_where(body: bytes, said: str) -> None:
    with pytest.raises(Problem) as raised:
        parse(body)
    assert raised.value.document.status == 400
    assert said in raised.value.document.detail


def test_whole_json_is_read() -> None:
    assert parse('{"a": [1, -2.5, "é", null, true]}'.encode()) == {"a": [1, -2.5, "é", None, True]}


def test_an_unknown_verb_is_named_with_the_nearest_one() -> None:
    [fault] = faults_of({"verb": "mov", "figures": []})
    assert fault.pointer == "/verb"
    assert "move" in fault.right


def test_a_verb_like_no_other_gets_the_list() -> None:
    [fault] = faults_of({"verb": "teleport"})
    assert fault.right == "One of move, end_phase is wanted."


def test_an_unknown_field_is_named_with_the_nearest_one() -> None:
    [fault] = faults_of({"verb": "move", "figures": ["a"], "paht": []})
    assert (fault.pointer, fault.right) == ("/paht", "Perhaps 'path'?")


def test_all_faults_are_told_at_once() -> None:
    found = faults_of({"verb": "move", "figures": ["a", 3], "path": [[0, 1], [2]], "pace": "runing", "count": 9})
    assert [fault.pointer for fault in found] == ["/figures/1", "/path/1", "/pace", "/count"]
    assert found[2].right == "Perhaps 'running'?"


def test_missing_fields_and_verbs_are_named() -> None:
    assert [fault.pointer for fault in faults_of({"verb": "move"})] == ["/figures"]
    assert [fault.pointer for fault in faults_of({"figures": []})] == ["/verb"]


@pytest.mark.parametrize("value", [[], "move", 3, None])
def test_what_is_no_object_is_said_to_be_none(value: object) -> None:
    [fault] = faults_of(value, "/order")
    assert fault.pointer == "/order"
    assert fault.right == "An object is wanted."


def test_true_is_no_number() -> None:
    [fault] = faults_of({"verb": "move", "figures": [], "count": True}, "/order")
    assert fault.pointer == "/order/count"


def test_what_is_right_is_converted() -> None:
    order = convert({"verb": "move", "figures": ["a"], "path": [[1, 2]]}, Move | EndPhase)
    assert order == Move(figures=("a",), path=((1, 2),))
