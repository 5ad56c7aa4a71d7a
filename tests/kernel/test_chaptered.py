"""What packages made of chapters share: verbs looked up, orders drawn, events applied, titles; and that the slice's
rule is read off what they inherit."""

from __future__ import annotations

from random import Random
from typing import Any, get_type_hints

import pytest

from fireforce.package import PACKAGE
from fireforce.state.battle import Believed, State
from umpire.kernel.chaptered import ChapteredPackage
from umpire.kernel.chapters import Chapters
from umpire.kernel.codec import codec_of
from umpire.kernel.forms import Form, Role
from umpire.kernel.registry import Order
from umpire.kernel.states import Seat
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.conformance import sources


class Wave(Order, frozen=True, tag="Wave"):
    who: str


class Sing(Order, frozen=True, tag="Sing"):
    pass


def package(refusals: list[Refusal], late: list[Refusal], role: Role = "") -> Any:
    """FireForce's package with one verb of the test's own."""
    chapters: Chapters[State, Believed] = Chapters()
    chapters.handles(
        Wave,
        check=lambda believed, seat, order: refusals,
        resolve=lambda state, seat, order: iter(()),  # type: ignore[arg-type, return-value]
        options=lambda believed, seat, subject: [Form(verb="Wave", label="Wave", slots=())],
        rule="house waving",
        role=role,
        idle=lambda believed, seat, subject: [Refusal(f"{subject} has waved.")],
    )
    chapters.words("greeting", answer="Wave", decline="Look away")

    class Waving(type(PACKAGE)):  # type: ignore[misc]
        orders = Wave

        def out_of_turn(self, believed: Believed, seat: Seat, verb: Any) -> list[Refusal]:
            return late

        def draw(self, form: Form, random: Random) -> dict[str, Any]:
            return {"verb": "Wave", "who": f"man {random.randrange(9)}"}

    Waving.chapters = chapters
    return Waving()


SEAT = Seat(name="one", commands=("one",))
NOTHING: Any = None


def test_a_verb_that_no_chapter_carries_out() -> None:
    assert [each.reason for each in package([], []).check(NOTHING, SEAT, Sing())] == [
        "Sing is not played in this battle."
    ]
    with pytest.raises(ValueError, match="no chapter carries out 'Sing'"):
        package([], []).sample(NOTHING, SEAT, Form(verb="Sing", label="Sing", slots=()), Random(1))


def test_out_of_turn_goes_before_the_chapters_own_refusals_and_the_verbs_rule_stands_for_none() -> None:
    theirs, late = Refusal("Nobody looks.", "house looking"), Refusal("Too late.")
    assert package([theirs], []).check(NOTHING, SEAT, Wave(who="x")) == [theirs]
    assert package([theirs], [late]).check(NOTHING, SEAT, Wave(who="x")) == [Refusal("Too late.", "house waving")]
    assert package([], [late]).options(NOTHING, SEAT, None) == []
    assert [form.verb for form in package([], []).options(NOTHING, SEAT, None)] == ["Wave"]


def test_forms_say_where_they_belong_and_a_piece_why_it_is_offered_none() -> None:
    assert [form.role for form in package([], [], "aside").options(NOTHING, SEAT, None)] == ["aside"]
    assert [form.role for form in package([], []).options(NOTHING, SEAT, None)] == [""]
    assert [why.reason for why in package([], []).idle(NOTHING, SEAT, "Ash")] == ["Ash has waved."]
    assert package([], [Refusal("Too late.")]).idle(NOTHING, SEAT, "Ash") == []


def test_buttons_are_called_as_the_chapter_says() -> None:
    assert package([], []).answer_words("greeting") == ("Wave", "Look away")
    assert package([], []).answer_words("parting") == ("", "")


def test_orders_are_drawn_until_one_is_not_refused() -> None:
    form = Form(verb="Wave", label="Wave", slots=())
    order = package([], []).sample(NOTHING, SEAT, form, Random(1))
    assert codec_of(package([], [])).order(order).who.startswith("man ")
    with pytest.raises(ValueError, match="40 orders drawn from the form 'Wave' are all refused"):
        package([Refusal("Nobody looks.")], []).sample(NOTHING, SEAT, form, Random(1))


def test_the_refusals_of_a_preview() -> None:
    no = Refusal("Nobody looks.", "house looking")
    assert package([no], []).preview(NOTHING, SEAT, Wave(who="x")).refusals == (no,)
    assert package([], []).preview(NOTHING, SEAT, Wave(who="x")).refusals == ()


def test_titles_are_those_of_the_index() -> None:
    assert PACKAGE.rule_text()["fireforce close-combat"]
    assert all(key.startswith("fireforce ") for key in PACKAGE.rule_text())


def test_what_serves_a_seat_takes_a_belief_also_where_it_is_inherited() -> None:
    assert get_type_hints(ChapteredPackage.check)["believed"] not in (State, Believed)
    assert sources.hints_of(type(PACKAGE), "check")["believed"] is Believed

    class Careless(ChapteredPackage[State, State]):  # the truth in the place of the belief
        system = "careless"

    class Child(Careless):
        pass

    for kind in (Careless, Child):
        hint = sources.hints_of(kind, "check")["believed"]
        assert hint is State
        assert not sources.is_belief(hint)


def test_verbs_are_offered_in_the_order_that_is_said() -> None:
    chapters: Chapters[State, Believed] = Chapters()
    for kind in (Wave, Sing):
        chapters.handles(kind, check=lambda *_: (), resolve=lambda *_: iter(()), options=lambda *_: ())  # type: ignore[arg-type]
    chapters.arrange(["Sing", "Wave"])
    assert list(chapters.verbs) == [Sing, Wave]
    for wrong in (["Sing"], ["Sing", "Wave", "Dance"]):
        with pytest.raises(ValueError, match=r"Wave|Dance"):
            chapters.arrange(wrong)
