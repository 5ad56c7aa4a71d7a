"""Slices, the gate, contacts and aliases, maps in key order, settings in two halves."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from tests.kernel.tables import setting
from umpire.kernel import settings as halves
from umpire.kernel.codec import codec_of, digest_of, encode, state_digest
from umpire.kernel.events import (
    Changed,
    FoundEmpty,
    Heard,
    Lost,
    Report,
    Sighted,
    Told,
    alias_of,
    learn,
    needs_alias,
    subject_of,
)
from umpire.kernel.settings import BadInput, Setting
from umpire.kernel.states import Contact, Leak, gate, slice_of
from umpire.kernel.values import maps
from umpire.testing.skirmish import PACKAGE
from umpire.testing.skirmish.state import Believed, State

STATE: State = PACKAGE.begin(setting(blind=True), lambda key: key)
CONTACT = Contact(alias="c1", kind="unit", at=(5, 0))


# Slices


def test_a_slice_holds_the_public_part_and_ones_own_commands() -> None:
    known = slice_of(STATE, ("blue_1",))
    assert known.public is STATE.public
    assert list(known.commands) == ["blue_1"]
    assert not hasattr(known, "umpire")
    assert slice_of(STATE, ()).commands == {}
    assert list(slice_of(STATE, ("red_1", "blue_1")).commands) == ["blue_1", "red_1"]
    with pytest.raises(KeyError):
        slice_of(STATE, ("nobody",))


def test_the_gate_lets_belief_pass_and_nothing_else() -> None:
    gate(PACKAGE.believed(slice_of(STATE, ("blue_1",))))
    for truth in (STATE, slice_of(STATE, ("blue_1",)), None, {}):
        with pytest.raises(Leak, match="is the truth"):
            gate(truth)


def test_belief_survives_a_change() -> None:
    believed = PACKAGE.believed(slice_of(STATE, ("blue_1",)))
    after = replace(believed, public=replace(believed.public, turn=2))
    assert type(after) is Believed
    gate(after)
    assert isinstance(after, State)


# Contacts


def test_a_sighting_begins_changes_and_ends() -> None:
    seen = learn(STATE, Sighted(command="blue_1", contact=CONTACT, subject="rowan"))
    assert alias_of(seen, "blue_1", "rowan") == "c1"
    assert subject_of(seen, "blue_1", "c1") == "rowan"
    assert alias_of(seen, "red_1", "rowan") is None
    moved = learn(seen, Changed(command="blue_1", contact=replace(CONTACT, at=(4, 0))))
    assert moved.commands["blue_1"].contacts["c1"].at == (4, 0)
    assert alias_of(moved, "blue_1", "rowan") == "c1"
    lost = learn(moved, Lost(command="blue_1", alias="c1"))
    assert lost.commands["blue_1"].contacts["c1"].status == "remembered"
    assert alias_of(lost, "blue_1", "rowan") is None
    assert subject_of(lost, "blue_1", "c1") is None
    empty = learn(lost, FoundEmpty(command="blue_1", alias="c1"))
    assert empty.commands["blue_1"].contacts == {}
    assert empty.umpire.sightings == {**STATE.umpire.sightings, "blue_1": 1}
    assert STATE.commands["blue_1"].contacts == {}  # values: the first state is as it was


def test_each_sighting_and_each_noise_counts_for_the_name_of_the_next() -> None:
    state = learn(STATE, Heard(command="blue_1", contact=replace(CONTACT, kind="noise", status="heard")))
    assert state.umpire.sightings["blue_1"] == 1
    assert state.umpire.aliases == {}
    lie = learn(state, Sighted(command="blue_1", contact=replace(CONTACT, alias="c2")))
    assert lie.umpire.sightings["blue_1"] == 2
    assert lie.umpire.aliases == {}
    assert list(lie.commands["blue_1"].contacts) == ["c1", "c2"]


def test_what_is_told_changes_no_state() -> None:
    assert learn(STATE, Told(command="blue_1", report=Report(key="rolled"))) is STATE


@pytest.mark.parametrize(
    "event",
    [
        Lost(command="blue_1", alias="nothing"),
        FoundEmpty(command="blue_1", alias="nothing"),
        Changed(command="blue_1", contact=CONTACT),
        Lost(command="nobody", alias="c1"),
    ],
)
def test_knowledge_about_what_is_not_there_is_a_fault(event: Any) -> None:
    with pytest.raises(KeyError):
        learn(STATE, event)


def test_the_kernel_draws_the_aliases_that_are_left_to_it() -> None:
    nameless = replace(CONTACT, alias="")
    assert needs_alias(Sighted(command="blue_1", contact=nameless))
    assert needs_alias(Heard(command="blue_1", contact=nameless))
    assert not needs_alias(Sighted(command="blue_1", contact=CONTACT))
    assert not needs_alias(Changed(command="blue_1", contact=nameless))


# Maps

ITEMS = st.dictionaries(st.text(max_size=3), st.integers(), max_size=6)


@given(ITEMS, st.text(max_size=3), st.integers())
def test_maps_stay_in_key_order(items: dict[str, int], key: str, value: int) -> None:
    ordered = maps.ordered(items)
    more = maps.put(ordered, key, value)
    assert maps.is_ordered(more)
    assert dict(more) == {**items, key: value}
    assert dict(ordered) == items
    less = maps.drop(more, key)
    assert maps.is_ordered(less)
    assert dict(less) == {name: each for name, each in items.items() if name != key}
    assert dict(maps.change(more, key, lambda each: each + 1)) == {**items, key: value + 1}


def test_maps_refuse_what_is_not_there() -> None:
    for act in (lambda: maps.drop({"a": 1}, "b"), lambda: maps.change({"a": 1}, "b", lambda each: each)):
        with pytest.raises(KeyError):
            act()
    assert not maps.is_ordered({"b": 1, "a": 2})


# Bytes


def test_a_decoded_state_is_the_same_value_with_the_same_bytes() -> None:
    data = encode(STATE)
    decoded = codec_of(PACKAGE).state.decode(data)
    assert decoded == STATE
    assert encode(decoded) == data
    assert state_digest(decoded) == state_digest(STATE) == digest_of(data)


def test_unknown_fields_are_an_error() -> None:
    plain = msgspec.json.decode(encode(STATE))
    plain["public"]["weather"] = "rain"
    with pytest.raises(msgspec.ValidationError, match="weather"):
        codec_of(PACKAGE).state.decode(msgspec.json.encode(plain))
    with pytest.raises(msgspec.ValidationError, match="haste"):
        codec_of(PACKAGE).order({"verb": "end_turn", "command": "blue_1", "haste": 1})
    with pytest.raises(msgspec.ValidationError, match="fly"):
        codec_of(PACKAGE).order({"verb": "fly"})
    with pytest.raises(msgspec.ValidationError, match="unit"):
        codec_of(PACKAGE).correction({"verb": "remove"})


def test_what_has_no_place_in_a_state_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no place in a state"):
        encode(object())


# Settings


class Half(Struct, frozen=True):
    text: str


def test_a_setting_is_kept_by_the_digests_of_its_halves() -> None:
    public, secret = halves.remember(Setting(public=Half("open"), umpire=Half("secret")))
    assert public == digest_of(encode(Half("open")))
    assert public != secret
    assert halves.half(public) == Half("open")
    assert halves.half(secret) == Half("secret")


def test_a_state_names_both_halves_and_a_slice_the_public_one() -> None:
    assert halves.half(STATE.public.setting).title == "A table"
    assert halves.half(STATE.umpire.setting).units
    assert STATE.umpire.setting not in encode(slice_of(STATE, ("blue_1", "red_1"))).decode()
    assert PACKAGE.believed(slice_of(STATE, ("blue_1",))).umpire.setting == ""


def test_a_store_may_supply_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halves, "_loaders", [])
    with pytest.raises(LookupError, match="no setting with digest nowhere is known"):
        halves.half("nowhere")
    asked: list[str] = []

    def load(digest: str) -> Any:
        asked.append(digest)
        return Half("from afar") if digest == "far" else None

    halves.add_loader(load)
    assert halves.half("far") == Half("from afar")
    assert halves.half("far") == Half("from afar")
    assert asked == ["far"]  # it is kept


def test_bad_input_says_what_where_and_what_would_be_right() -> None:
    error = BadInput("there is no unit", file="lane.toml", where="units[2]", right="There are: ash")
    assert str(error) == "lane.toml: units[2]: there is no unit. There are: ash"
    assert (error.file, error.where, error.right) == ("lane.toml", "units[2]", "There are: ash")
