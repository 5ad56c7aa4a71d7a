"""Files that people write: what is wrong is said with its place and what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pytest
from msgspec import Struct

from umpire.kernel.settings import BadInput
from umpire.kernel.values.written import near, parsed, typed


class Man(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    key: str
    rank: Literal["private", "sergeant"] = "private"
    age: int = 20


class Squad(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    key: str
    men: tuple[Man, ...] = ()
    leader: Man | None = None


class Army(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    squad: tuple[Squad, ...]
    notes: Mapping[str, str] = {}


class Order(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    force: str
    turns: int = 0


class Plans(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    plan: tuple[Order, ...]


def test_what_is_right_becomes_structs() -> None:
    army = typed(parsed('[[squad]]\nkey = "a"\nmen = [{ key = "x", age = 30 }]', "army.toml"), Army, "army.toml")
    assert army.squad[0].men == (Man(key="x", age=30),)


@pytest.mark.parametrize(
    ("data", "where", "right"),
    [
        ({}, "the file", "It is needed"),
        ({"squad": [{"men": []}]}, "squad[0]", "It is needed"),
        ({"squad": [], "note": {}}, "note", "Did you mean 'notes'?"),
        ({"squad": [{"key": "a", "mn": []}]}, "squad 'a'.mn", "Did you mean 'men'?"),
        ({"squad": [{"key": "a", "men": [{"key": "x", "rank": "sargent"}]}]}, "squad 'a'.men 'x'.rank", "'sergeant'"),
        ({"squad": [{"key": "a", "men": [{"key": "x", "age": "old"}]}]}, "squad 'a'.men 'x'.age", "int"),
        ({"squad": [{"key": "a", "leader": {"key": "x", "agee": 1}}]}, "squad 'a'.leader.agee", "Did you mean 'age'?"),
        ({"squad": [{"key": 3}]}, "squad 3.key", "str"),
    ],
)
def test_what_is_wrong_is_named_by_the_keys_of_the_things_around_it(
    data: dict[str, Any], where: str, right: str
) -> None:
    with pytest.raises(BadInput) as raised:
        typed(data, Army, "army.toml")
    assert (raised.value.file, raised.value.where) == ("army.toml", where)
    assert right in raised.value.right


def test_things_may_be_named_by_another_key() -> None:
    with pytest.raises(BadInput) as raised:
        typed({"plan": [{"force": "north", "turns": "x"}]}, Plans, "p.toml", names=("key", "force"))
    assert raised.value.where == "plan 'north'.turns"


def test_what_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BadInput, match="line 2"):
        parsed("a = 1\nb = = 2", "army.toml")


def test_the_nearest_word_is_named_or_all_there_are() -> None:
    assert near("sargent", ["private", "sergeant"]) == "Did you mean 'sergeant'?"
    assert near("x", ["b", "a"]) == "There are a, b"
    assert near("x", []) == "There are none"
