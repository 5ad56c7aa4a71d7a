"""Forms become orders, and samples of slots are what the slots allow."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from umpire.kernel.forms import (
    ChoiceSlot,
    FlagSlot,
    Form,
    ListSlot,
    NumberSlot,
    Part,
    PathSlot,
    PointSlot,
    TextSlot,
    order_of,
    sample,
)
from umpire.kernel.rulings import Choice
from umpire.testing.conformance.instances import matches

CHOICES = tuple(Choice(id=name, label=name) for name in "abc")
STEPS = {"0,0": ((1, 0),), "1,0": ((0, 0), (2, 0)), "2,0": ()}
SLOTS = (
    ChoiceSlot(name="one", label="", choices=CHOICES),
    ChoiceSlot(name="some", label="", choices=CHOICES, many=True, least=2, most=9),
    NumberSlot(name="number", label="", low=3, high=5),
    PointSlot(name="point", label="", places=((1, 0), (2, 0))),
    PathSlot(name="path", label="", start=(0, 0), steps=STEPS, most=3),
    TextSlot(name="text", label=""),
    FlagSlot(name="flag", label=""),
    ListSlot(
        name="legs",
        label="",
        parts=(
            Part(label="", slots=(PathSlot(name="path", label="", start=(0, 0), steps=STEPS, most=3),)),
            Part(label="", fixed={"pace": "halt"}, slots=(NumberSlot(name="turns", label="", low=1, high=2),)),
        ),
        least=1,
        most=3,
    ),
    ListSlot(
        name="on",
        label="",
        parts=(
            Part(
                label="",
                slots=(
                    ChoiceSlot(name="signal", label="", choices=CHOICES),
                    NumberSlot(name="does", label="", low=1, high=2),
                ),
            ),
        ),
        most=2,
        by="signal",
    ),
)
FORM = Form(verb="do", label="", fixed={"unit": "ash"}, slots=SLOTS)


def test_samples_of_a_form_are_instances_of_it() -> None:
    seen: dict[str, set[str]] = {}
    for seed in range(200):
        values = {slot.name: sample(slot, Random(seed)) for slot in SLOTS}
        order = order_of(FORM, values)
        assert order["verb"] == "do"
        assert order["unit"] == "ash"
        assert matches(FORM, order)
        for name, value in values.items():
            seen.setdefault(name, set()).add(str(value))
    assert seen["one"] == {"a", "b", "c"}
    assert seen["number"] == {"3", "4", "5"}
    assert len(seen["path"]) == 4  # [1], [1,0], [1,2], [1,0,1]


def test_a_value_inside_of_what_is_fixed_is_set_by_a_name_with_a_dot() -> None:
    form = Form(verb="wait", label="", fixed={"standing": {"fire": "free", "within": 99}, "places": [[1, 1]]})
    assert order_of(form, {"standing.within": 4, "places": [[2, 2]]}) == {
        "verb": "wait",
        "standing": {"fire": "free", "within": 4},
        "places": [[2, 2]],
    }
    assert form.fixed["standing"]["within"] == 99


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("one", "d"),
        ("some", ["a"]),
        ("some", ["a", "a"]),
        ("number", 6),
        ("point", [3, 0]),
        ("path", [[2, 0]]),
        ("path", []),
        ("path", [[1, 0], [0, 0], [1, 0], [0, 0]]),
        ("text", "x" * 501),
        ("text", ""),
        ("flag", 1),
        ("legs", []),
        ("legs", [{"turns": 1}]),
        ("legs", [{"pace": "halt", "turns": 3}]),
        ("legs", [{"path": [[2, 0]]}]),
        ("legs", [{"path": [[1, 0]], "turns": 1}]),
        ("legs", [{"path": [[1, 0]]}] * 4),
        ("on", {"d": 1}),
        ("on", {"a": 3}),
        ("on", {"a": 1, "b": 1, "c": 1}),
    ],
)
def test_what_a_slot_does_not_allow_is_no_instance(name: str, value: object) -> None:
    good = order_of(FORM, {slot.name: sample(slot, Random(1)) for slot in SLOTS})
    assert matches(FORM, good)
    assert not matches(FORM, {**good, name: value})


def test_other_fixed_values_verbs_and_missing_slots_are_no_instance() -> None:
    good = order_of(FORM, {slot.name: sample(slot, Random(1)) for slot in SLOTS})
    assert not matches(FORM, {**good, "unit": "birch"})
    assert not matches(FORM, {**good, "verb": "undo"})
    assert not matches(FORM, {**good, "more": 1})
    assert not matches(FORM, {key: value for key, value in good.items() if key != "number"})


def test_a_path_ends_where_it_cannot_go_on() -> None:
    slot = PathSlot(name="path", label="", start=(1, 0), steps=STEPS, most=9)
    for seed in range(30):
        path = [(1, 0), *map(tuple, sample(slot, Random(seed)))]
        assert all(to in STEPS[f"{at[0]},0"] for at, to in pairwise(path))


def test_regions_need_the_sampler_of_the_package() -> None:
    with pytest.raises(ValueError, match="'place' needs the package's own sampler"):
        sample(PointSlot(name="place", label="", region=(((0, 0), (1, 0), (0, 1)),)), Random(1))


def test_legs_go_on_where_the_one_before_ended() -> None:
    leg = Part(label="", slots=(PathSlot(name="path", label="", start=(0, 0), steps=STEPS, most=2),))
    form = Form(verb="plan", label="", slots=(ListSlot(name="legs", label="", parts=(leg,), most=3, goes_on=True),))
    for seed in range(100):
        legs = sample(form.slots[0], Random(seed))
        walk = [(0, 0), *(tuple(step) for leg in legs for step in leg["path"])]
        assert all(to in STEPS[f"{at[0]},0"] for at, to in pairwise(walk))
        assert matches(form, order_of(form, {"legs": legs}))
    assert not matches(form, {"verb": "plan", "legs": [{"path": [[1, 0]]}, {"path": [[1, 0]]}]})
