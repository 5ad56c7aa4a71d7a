"""Server dice are uniform, named and committed; scripts and records give what they hold."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umpire.kernel.dice import (
    RandomDice,
    RecordedDice,
    ScriptedDice,
    ScriptFault,
    ServerDice,
    alias_by_name,
    commitment,
    default_answer,
    faces_by_name,
    index_by_name,
    no_answer,
    sample_answer,
)
from umpire.kernel.rulings import Bar, Choice, Draw, Question, Roll

ROLL = Roll(count=2, purpose="fire", subject="ash")


def dice(**made: object) -> ServerDice:
    named = {"secret": b"s", "line": 0, "giver": "blue_1", "number": 3, "digest": "d", **made}
    return ServerDice(**named)  # type: ignore[arg-type]


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 100, 256, 300, 1000])
def test_named_dice_are_uniform(sides: int) -> None:
    """Chi squared against the uniform distribution, six standard deviations wide."""
    throws = 60 * sides if sides <= 20 else 12 * sides
    faces = [faces_by_name(b"secret", ("roll", n), 1, sides)[0] for n in range(throws)]
    counts = Counter(faces)
    assert set(counts) <= set(range(1, sides + 1))
    expected = throws / sides
    chi = sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert chi < (sides - 1) + 6 * (2 * (sides - 1)) ** 0.5 + 6


def test_many_dice_of_one_roll_are_independent_of_how_many_are_asked_for() -> None:
    assert faces_by_name(b"secret", ("a",), 3, 6) == faces_by_name(b"secret", ("a",), 200, 6)[:3]
    assert len(Counter(faces_by_name(b"secret", ("a",), 200, 6))) == 6


@pytest.mark.parametrize(
    "other",
    [
        {"secret": b"t"},
        {"line": 1},
        {"giver": "red_1"},
        {"number": 4},
        {"digest": "e"},
    ],
)
def test_every_part_of_the_name_matters(other: dict[str, object]) -> None:
    many = Roll(count=40, purpose="fire", subject="ash")
    assert dice().roll(many, 0) == dice().roll(many, 0)
    assert dice().roll(many, 0) != dice(**other).roll(many, 0)
    assert dice().roll(many, 0) != dice().roll(many, 1)
    assert dice().roll(many, 0) != dice().roll(Roll(count=40, purpose="fire", subject="birch"), 0)
    assert dice().roll(many, 0) != dice().roll(Roll(count=40, purpose="melee", subject="ash"), 0)


@given(st.lists(st.text(max_size=4), min_size=2, max_size=4))
@settings(max_examples=60, deadline=None)
def test_names_do_not_run_into_each_other(parts: list[str]) -> None:
    joined = ("".join(parts), *[""] * (len(parts) - 1))
    if tuple(parts) != joined and "\x1f" not in "".join(parts):
        assert faces_by_name(b"s", parts, 30, 6) != faces_by_name(b"s", joined, 30, 6)


def test_a_roll_is_not_moved_by_those_before_it() -> None:
    source = dice()
    alone = source.roll(ROLL, 0)
    source.roll(Roll(purpose="hidden", subject="x", secret=True), 0)
    source.draw(Draw(among=("a", "b"), purpose="card"), 0)
    assert source.roll(ROLL, 0) == alone


def test_the_secret_is_committed() -> None:
    assert commitment(b"secret") == hashlib.sha256(b"secret").hexdigest()


def test_draws_are_uniform_and_among_what_there_is() -> None:
    counts = Counter(index_by_name(b"secret", ("draw", n), 5) for n in range(2_000))
    assert set(counts) == set(range(5))
    assert max(counts.values()) < 500
    assert dice().draw(Draw(among=("a", "b", "c"), purpose="card"), 0) in ("a", "b", "c")


def test_where_dice_are_typed_only_secret_ones_are_thrown_here() -> None:
    typed = dice(typed=True)
    assert typed.roll(ROLL, 0) is None
    assert typed.roll(Roll(purpose="mine", secret=True), 0) is not None
    assert typed.draw(Draw(among=("a",), purpose="card"), 0) == "a"


def test_the_order_of_aliases_says_nothing() -> None:
    aliases = [alias_by_name(b"secret", "red_1", n) for n in range(400)]
    assert len(set(aliases)) == 400
    rising = sum(first < second for first, second in pairwise(aliases))
    assert 150 < rising < 250
    assert aliases != [alias_by_name(b"secret", "red_2", n) for n in range(400)]
    assert {len(alias) for alias in aliases} == {8}


def test_scripted_dice_come_in_order_of_play() -> None:
    script = ScriptedDice([("fire ash", (1, 2)), ("fire", (3, 4))], [("blue_1", ("x",))], [("card", "b")])
    question = Question(
        kind="k", prompt="?", choices=(Choice(id="x", label="x"), Choice(id="y", label="y")), default=("y",)
    )
    assert script.roll(ROLL, 0) == (1, 2)
    assert script.roll(ROLL, 1) == (3, 4)
    with pytest.raises(ScriptFault, match="the script has no more dice"):
        script.roll(ROLL, 2)
    assert script.answer("red_1", question, None) == ("y",)  # not the one of the script: the default
    assert script.answer("blue_1", question, None) == ("x",)
    assert script.draw(Draw(among=("a", "b"), purpose="card"), 0) == "b"
    with pytest.raises(ScriptFault, match="'fire ash' was made where the script has 'melee'"):
        ScriptedDice([("melee", (1,))]).roll(ROLL, 0)
    with pytest.raises(ScriptFault, match="'card' was drawn where the script has 'hero'"):
        ScriptedDice(draws=[("hero", "a")]).draw(Draw(among=("a",), purpose="card"), 0)
    waits = ScriptedDice(otherwise=no_answer)
    assert waits.answer("blue_1", question, None) is None


def test_recorded_dice_fall_back_where_they_do_not_fit() -> None:
    other = RandomDice(Random(1))
    recorded = RecordedDice(source=other, faces={("fire", "ash", 0): (6, 6)}, taken={("card", "", 0): "z"})
    assert recorded.roll(ROLL, 0) == (6, 6)
    assert recorded.roll(Roll(count=3, purpose="fire", subject="ash"), 0) is not None
    assert len(recorded.roll(Roll(count=3, purpose="fire", subject="ash"), 0) or ()) == 3
    assert max(recorded.roll(Roll(count=2, sides=4, purpose="fire", subject="ash"), 0) or ()) <= 4
    assert recorded.draw(Draw(among=("a",), purpose="card"), 0) == "a"
    assert recorded.alias("red_1", 0, "") == other.alias("red_1", 0, "")


def test_random_answers_will_do() -> None:
    random = Random(2)
    choices = tuple(Choice(id=name, label=name) for name in "abcd")
    question = Question(kind="k", prompt="?", choices=choices, least=1, most=3)
    sizes = set()
    for _ in range(100):
        answer = sample_answer(question, random)
        assert question.faults(answer) == []
        sizes.add(len(answer))
    assert sizes == {1, 2, 3}
    assert RandomDice(random, wait=True).answer("blue_1", question, None) is None
    assert default_answer("blue_1", question, None) == ()


def test_an_answer_takes_nothing_together_that_is_barred() -> None:
    choices = tuple(Choice(id=each, label=each) for each in "abc")
    bars = (Bar(choices=("a", "b"), reason="too many"), Bar(choices=("c",), without=("a", "b"), reason="not alone"))
    question = Question(kind="what", prompt="What?", choices=choices, default=("a",), most=3, bars=bars)
    assert question.faults(("a", "c")) == question.faults(("b",)) == []
    assert question.faults(("c",)) == ["not alone"]
    assert question.faults(("a", "b", "c")) == ["too many"]
    random = Random(1)
    drawn = {"".join(sorted(sample_answer(question, random))) for _ in range(60)}
    assert drawn == {"a", "b", "ac", "bc"}
