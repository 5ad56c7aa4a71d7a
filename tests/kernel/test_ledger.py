"""The ledger: a tree from which nothing is deleted, and which every later version can read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umpire.kernel.codec import codec_of, encode, state_digest
from umpire.kernel.events import Lost
from umpire.kernel.ledger import Begun, Ended, Entry, Happened, Tree, fold, is_cut, open_order, upcast
from umpire.testing.skirmish import PACKAGE, Skirmish
from umpire.testing.skirmish.events import Fell, Placed
from umpire.testing.skirmish.state import Unit, of_one_map, units

SAMPLES = Path(__file__).parent / "samples"


def placed(at: int) -> Entry:
    return Happened(event=Placed(unit="ash", at=at))


NOTICED = Happened(event=Lost(command="blue_1", alias="x"))
BEGUN = Begun(kind="order", giver="blue_1")


# The tree


def test_a_rewind_begins_a_new_line_and_deletes_nothing() -> None:
    tree = Tree()
    tree.append([placed(number) for number in range(5)])
    whole = tree.path()
    line = tree.rewind(2, fresh=False)
    assert (line.number, line.parent, line.fork, line.dice) == (1, 0, 2, 0)
    assert tree.path() == whole[:2]
    tree.append([placed(9)])
    assert tree.path() == [*whole[:2], placed(9)]
    assert tree.path(0) == whole
    again = tree.rewind(1, fresh=True)
    assert (again.number, again.parent, again.dice) == (2, 1, 2)
    assert tree.path(1) == [*whole[:2], placed(9)]
    kept = tree.rewind(1, fresh=False)
    assert kept.dice == 2  # "keep" keeps the dice line that was


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 12), st.booleans()), max_size=12))
@settings(max_examples=100, deadline=None)
def test_the_path_is_what_was_appended_and_not_rewound(steps: list[tuple[int, int, bool]]) -> None:
    tree, model, lines = Tree(), [], {}
    for number, (more, depth, fresh) in enumerate(steps):
        new = [placed(number * 10 + each) for each in range(more)]
        tree.append(new)
        model = model + new
        lines[tree.head] = list(model)
        if depth <= len(model):
            tree.rewind(depth, fresh=fresh)
            model = model[:depth]
            lines[tree.head] = list(model)
    assert tree.path() == model
    for line, path in lines.items():
        assert tree.path(line) == path


@given(st.lists(st.tuples(st.sampled_from(["a", "b", ""]), st.integers(0, 12), st.booleans()), max_size=16))
@settings(max_examples=100, deadline=None)
def test_depth_and_end_of_a_line_and_the_rulings_on_it_are_those_of_its_path(
    steps: list[tuple[str, int, bool]],
) -> None:
    tree = Tree()
    for number, (giver, depth, rewinds) in enumerate(steps):
        tree.append([Begun(kind="order", giver=giver) if giver else placed(number)])
        if rewinds and depth <= len(tree.path()):
            tree.rewind(depth, fresh=False)
        path = tree.path()
        assert tree.depth == len(path)
        assert all(tree.since(least) == path[least:] for least in range(len(path) + 2))
        if number % 3:
            for name in ("a", "b", "nobody"):
                assert tree.rulings(name) == sum(isinstance(each, Begun) and each.giver == name for each in path)


def test_an_event_and_what_was_noticed_of_it_are_not_cut_apart() -> None:
    tree = Tree()
    tree.append([BEGUN, placed(1), NOTICED, placed(2), Ended()])
    assert [depth for depth in range(6) if is_cut(tree.path(), depth)] == [0, 1, 3, 4, 5]
    with pytest.raises(ValueError, match="cannot be cut after entry 2 of 5"):
        tree.rewind(2, fresh=False)
    for depth in (-1, 6):
        with pytest.raises(ValueError, match=f"cannot be cut after entry {depth} of 5"):
            tree.rewind(depth, fresh=False)


def test_whether_a_battle_waits_is_read_from_its_line() -> None:
    assert open_order([]) is None
    assert open_order([BEGUN, placed(1)]) == 0
    assert open_order([BEGUN, placed(1), Ended()]) is None
    assert open_order([BEGUN, Ended(), BEGUN]) == 2


# Versions: a sample ledger of each stands in `samples` and is never changed


def sample(version: int) -> Any:
    return json.loads((SAMPLES / f"skirmish-{version}.json").read_text())


def older(entry: dict[str, Any]) -> dict[str, Any]:
    """Version 1 called what is now `placed` `moved_to`, and counted hexes from 1."""
    event = entry.get("event")
    if isinstance(event, dict) and event["event"] == "moved_to":
        entry = {**entry, "event": {"event": "placed", "unit": event["unit"], "at": event["hex"] - 1}}
    return entry


def oldest(entry: dict[str, Any]) -> dict[str, Any]:
    """Version 0 did not say in an entry how a ruling ended."""
    return {**entry, "how": "done"} if entry["entry"] == "ended" and "how" not in entry else entry


class Later(Skirmish):
    """The toy game after three changes of its ledger, of which the last was of its states alone."""

    ledger_version = 3
    upcasters = {0: oldest, 1: older, 2: lambda entry: entry}
    first_upcasters = {2: of_one_map}


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_sample_ledgers_of_every_version_fold(version: int) -> None:
    package = Later()
    found, codec = sample(version), codec_of(package)
    state = codec.read_first(encode(found["state"]), version)
    entries = [codec.read_entry(encode(entry), version) for entry in found["entries"]]
    assert [type(entry).__name__ for entry in entries] == ["Begun", "Happened", "Thrown", "Happened", "Ended"]
    after = fold(package, state, entries)
    if version == Later.ledger_version:
        assert state_digest(after) == found["after"]
    assert units(after) == {
        "ash": Unit(id="ash", command="blue_1", side="blue", name="Ash", at=(2, 0)),
        "birch": Unit(id="birch", command="blue_1", side="blue", name="Birch", at=(1, 0)),
    }
    assert {encode(entry) for entry in entries if isinstance(entry, Happened)} == {
        encode(Happened(event=Placed(unit="ash", at=2))),
        encode(Happened(event=Fell(unit="rowan"))),
    }


def test_there_is_a_sample_of_each_version_of_the_toy() -> None:
    assert (SAMPLES / f"skirmish-{Later.ledger_version}.json").exists()
    assert (SAMPLES / f"skirmish-{PACKAGE.ledger_version}.json").exists()


def test_a_missing_step_between_versions_is_an_error_in_words() -> None:
    with pytest.raises(LookupError, match="no upcaster from version 1 of the ledger to 2"):
        upcast({"entry": "ended"}, 0, {0: oldest}, 2)
    with pytest.raises(msgspec.ValidationError):
        codec_of(PACKAGE).read_entry(encode(sample(1)["entries"][1]), PACKAGE.ledger_version)


def test_a_renamed_field_is_an_error_and_not_its_default() -> None:
    entry = {"entry": "happened", "event": {"event": "placed", "unit": "ash", "hex": 2}}
    with pytest.raises(msgspec.ValidationError, match="hex"):
        codec_of(PACKAGE).entry.decode(encode(entry))
