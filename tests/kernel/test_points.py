"""The three kinds of point, each with a module that changes it."""

from __future__ import annotations

import types
from collections.abc import Generator, Iterable

import pytest

from umpire.kernel.book.points import Active, Gathered, Module, One, Steps, Sum, check_book, points_in
from umpire.kernel.values.modifiers import Modifier, Refusal, total

motherland = Module("motherland")
defiance = Module("defiance")


def chapter() -> types.ModuleType:
    """A chapter with a point of each kind, and what two modules change there."""
    made = types.ModuleType("chapter")

    target_modifier: Sum[[int]] = Sum("target modifier", rule="core 5.0")

    @target_modifier.printed
    def forest(rule: str, at: int) -> Iterable[Modifier | Refusal]:
        if at == 2:
            yield Modifier(2, "forest", rule)

    @target_modifier.change(motherland, trait="partisan", rule="hotm 13.1.1")
    def partisans(rule: str, at: int) -> Iterable[Modifier | Refusal]:
        yield Modifier(1, "partisan", rule)
        if at == 3:
            yield Refusal("a partisan is never fired at there", rule)

    @target_modifier.change(trait="fanatic", rule="hotm 13.2.1")
    def fanatics(rule: str, at: int) -> Iterable[Modifier | Refusal]:
        yield Modifier(-1, "fanatic", rule)

    supporting_firepower: One[[int], str] = One("supporting firepower", rule="core 5.2")

    @supporting_firepower.printed
    def halved(rule: str, firepower: int) -> str:
        return f"{firepower // 2} by {rule}"

    @supporting_firepower.change(motherland, trait="partisan", rule="hotm 13.1.1")
    def none_at_all(rule: str, firepower: int) -> str:
        return f"0 by {rule}"

    @supporting_firepower.change(defiance, trait="encumbered", rule="hid 13.1.1")
    def one_more(rule: str, firepower: int) -> str:
        return f"{firepower + 1} by {rule}"

    before_melee: Steps[tuple[str, ...], [int]] = Steps("before melee", rule="core 8.0")

    @before_melee.change(defiance, trait="fierce", rule="hid 13.3.1", order=2)
    def charge(rule: str, state: tuple[str, ...], at: int) -> Generator[str, int, tuple[str, ...]]:
        die = yield "charge"
        return (*state, f"charge {die} at {at}")

    @before_melee.change(motherland, trait="fierce", rule="hotm 13.1.2", order=1)
    def cheer(rule: str, state: tuple[str, ...], at: int) -> Generator[str, int, tuple[str, ...]]:
        die = yield "cheer"
        return (*state, f"cheer {die} at {at}")

    made.__dict__.update(
        target_modifier=target_modifier,
        supporting_firepower=supporting_firepower,
        before_melee=before_melee,
    )
    return made


BOTH = Active(modules=("motherland", "defiance"))


def test_a_sum_gathers_the_printed_modifiers_and_those_of_the_active_module() -> None:
    point = chapter().target_modifier
    assert point(Active(), ("partisan",), 2) == Gathered(modifiers=(Modifier(2, "forest", "core 5.0"),))
    gathered = point(BOTH, ("partisan",), 2)
    assert gathered.modifiers == (
        Modifier(2, "forest", "core 5.0"),
        Modifier(1, "partisan", "hotm 13.1.1"),
    )
    assert gathered.total == total(gathered.modifiers) == 3
    assert gathered.refusals == ()


def test_a_sum_leaves_subjects_without_the_trait_alone() -> None:
    assert chapter().target_modifier(BOTH, ("squad",), 1) == Gathered()


def test_a_sum_gathers_refusals_beside_modifiers() -> None:
    gathered = chapter().target_modifier(BOTH, ("partisan",), 3)
    assert gathered.refusals == (Refusal("a partisan is never fired at there", "hotm 13.1.1"),)


def test_what_modules_print_alike_needs_the_book_to_name_it_and_cites_its_key() -> None:
    point = chapter().target_modifier
    assert point(BOTH, ("fanatic",), 1) == Gathered()
    named = Active(rules={"fanatic": "hid 13.2.1"})
    assert point(named, ("fanatic",), 1).modifiers == (Modifier(-1, "fanatic", "hid 13.2.1"),)


def test_one_is_the_printed_rule_or_the_one_in_its_place() -> None:
    point = chapter().supporting_firepower
    assert point(Active(), ("partisan",), 4) == "2 by core 5.2"
    assert point(BOTH, (), 4) == "2 by core 5.2"
    assert point(BOTH, ("partisan",), 4) == "0 by hotm 13.1.1"
    assert point(BOTH, ("encumbered",), 4) == "5 by hid 13.1.1"


def test_two_claims_on_one_subject_are_found_when_the_book_is_put_together() -> None:
    made = chapter()
    subjects = {"counter band": ("partisan", "encumbered"), "counter squad": ("encumbered",)}
    (problem,) = check_book(points_in(made), BOTH, subjects)
    assert problem.startswith("counter band: supporting firepower is claimed by")
    assert "hotm 13.1.1" in problem
    assert "hid 13.1.1" in problem
    assert check_book(points_in(made), Active(modules=("motherland",)), subjects) == ()
    with pytest.raises(ValueError, match="supporting firepower: claimed by"):
        made.supporting_firepower(BOTH, ("partisan", "encumbered"), 4)


def test_steps_run_in_their_order_and_hand_the_state_on() -> None:
    point = chapter().before_melee
    ruling = point(BOTH, ("fierce",), (), 7)
    assert next(ruling) == "cheer"
    assert ruling.send(3) == "charge"
    with pytest.raises(StopIteration) as ended:
        ruling.send(5)
    assert ended.value.value == ("cheer 3 at 7", "charge 5 at 7")


def test_steps_that_do_not_apply_ask_nothing() -> None:
    with pytest.raises(StopIteration) as ended:
        next(chapter().before_melee(BOTH, (), ("start",), 7))
    assert ended.value.value == ("start",)


def test_a_misspelt_trait_is_a_problem_and_so_is_one_of_an_absent_module() -> None:
    points = points_in(chapter())
    subjects = {"counter band": ("partizan", "wired")}
    (problem,) = check_book(points, BOTH, subjects, traits_in_chapters=("wired",))
    assert problem == "counter band: no rule knows the trait 'partizan'; did you mean 'partisan'?"
    (problem,) = check_book(points, Active(), {"counter band": ("encumbered",)}, traits_in_chapters=())
    assert problem == ("counter band: trait 'encumbered' belongs to defiance, which is not part of this book")


def test_the_order_of_registration_does_not_matter() -> None:
    def numbers(order: Iterable[str]) -> tuple[int, ...]:
        point: Sum[[]] = Sum("numbers", rule="core 1.0")

        def one(rule: str) -> Iterable[Modifier | Refusal]:
            return (Modifier(1, "one", rule),)

        def two(rule: str) -> Iterable[Modifier | Refusal]:
            return (Modifier(2, "two", rule),)

        made = {"one": one, "two": two}
        for name in order:
            point.change(motherland, rule="core 1.0")(made[name])
        return tuple(each.value for each in point(BOTH, ()).modifiers)

    assert numbers(["one", "two"]) == numbers(["two", "one"]) == (1, 2)


def test_registering_twice_or_without_module_and_trait_is_refused() -> None:
    point: Sum[[]] = Sum("numbers", rule="core 1.0")

    def one(rule: str) -> Iterable[Modifier | Refusal]:
        return (Modifier(1, "one", rule),)

    point.change(motherland, rule="core 1.0")(one)
    with pytest.raises(ValueError, match="registered twice"):
        point.change(motherland, rule="core 1.0")(one)
    with pytest.raises(TypeError, match="needs a module or a trait"):
        point.change(rule="core 1.0")
