"""Questions, typed dice, and the umpire's hand in the middle of an order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.conftest import Table, make_table
from umpire.battles import services
from umpire.battles.errors import BadInput, NotYours, Refused
from umpire.battles.models import Entry, Order, Question
from umpire.kernel.pieces.finding import of_kind
from umpire.testing.skirmish.state import Unit

pytestmark = pytest.mark.postgres


def show(table: Table, name: str, at: int) -> None:
    """The umpire puts a unit somewhere."""
    services.battle_correct(
        battle=table.battle,
        by=table.seats["umpire"],
        correction={"verb": "place", "unit": table.unit(name), "at": at},
        reason="set up",
    )


def opportunity() -> tuple[Table, Order]:
    """An open battle: Cedar's scouts come into the range of Thorn's band, and red_2 is asked whether it fires."""
    table = make_table(blind=False)
    show(table, "Thorn", 5)
    show(table, "Willow", 10 if not _is_at(table, 10) else 7)
    order = table.give("blue_2", "move", unit=table.unit("Cedar"), path=[[3, 0]])
    return table, order


def _is_at(table: Table, at: int) -> bool:
    return any(unit.hex == at for unit in of_kind(table.state, Unit))


def test_an_order_waits_at_a_question_and_goes_on_with_the_answer(db: None) -> None:
    table, order = opportunity()
    assert (order.status, order.told) == ("waiting", "given")
    assert [question["command"] for question in table.questions("red_2")] == ["red_2"]
    assert table.questions("blue_2") == table.questions("red_1") == []
    table.check()
    table.answer("red_2")  # nobody fires
    order.refresh_from_db()
    assert order.status == "done"
    assert table.questions("red_2") == []
    table.check()


def test_only_who_is_asked_answers_and_only_once(db: None) -> None:
    table, _ = opportunity()
    [question] = table.questions("red_2")

    def answer(who: str, **how: Any) -> Question:
        return services.question_answer(battle=table.battle, seat=table.seats[who], question_id=question["id"], **how)

    for who in ("blue_1", "blue_2", "red_1"):
        with pytest.raises(NotYours):
            answer(who, choices=[])
    with pytest.raises(Refused):
        answer("red_2", choices=["nobody"])
    with pytest.raises(BadInput):
        answer("red_2", faces=[1])
    with pytest.raises(BadInput):
        answer("red_2")
    table.check()
    assert answer("umpire", choices=[]).status == "answered"
    with pytest.raises(NotYours):
        answer("red_2", choices=[])
    body = bytes(Entry.objects.get(battle=table.battle, kind="answered").body)
    assert b'"how":"umpire"' in body
    table.check()


def test_dice_are_typed_in_where_the_battle_says_so(db: None) -> None:
    table = make_table(blind=False, dice="typed")
    show(table, "Thorn", 4)
    order = table.give("blue_2", "fire", unit=table.unit("Cedar"), target=table.unit("Thorn"))
    [question] = table.questions("blue_2")
    assert question["roll"]["purpose"] == "fire"
    assert "question" not in question
    with pytest.raises(Refused):
        services.question_answer(battle=table.battle, seat=table.seats["blue_2"], question_id=question["id"], faces=[7])
    with pytest.raises(NotYours):
        services.question_answer(battle=table.battle, seat=table.seats["red_2"], question_id=question["id"], faces=[1])
    services.question_answer(battle=table.battle, seat=table.seats["blue_2"], question_id=question["id"], faces=[1])
    order.refresh_from_db()
    assert order.status == "done"
    [thrown] = Entry.objects.filter(battle=table.battle, kind="thrown")
    assert b'"faces":[1]' in bytes(thrown.body)
    assert table.seats["blue_2"].name.encode() in bytes(thrown.body)
    table.check()


def test_the_umpires_hand_while_a_question_waits(db: None) -> None:
    """It shows at once, the question stays the same, and the order goes on with what it finds."""
    table, order = opportunity()
    [question] = table.questions("red_2")
    services.battle_correct(
        battle=table.battle,
        by=table.seats["umpire"],
        correction={"verb": "set_steps", "unit": table.unit("Cedar"), "steps": 2},
        reason="miscounted",
    )
    assert table.news("blue_2")[-1]["patch"]["pieces"][table.unit("Cedar")]["facts"]["steps"] == "2"
    assert table.questions("red_2") == [question]
    table.check()
    table.answer("red_2")
    order.refresh_from_db()
    assert order.status == "done"
    table.check()


def test_an_order_whose_unit_is_taken_away_meanwhile_ends(db: None) -> None:
    table, order = opportunity()
    services.battle_correct(
        battle=table.battle,
        by=table.seats["umpire"],
        correction={"verb": "remove", "unit": table.unit("Cedar")},
        reason="it never was there",
    )
    table.check()
    [question] = table.questions("red_2")
    [choice] = [each["id"] for each in question["question"]["choices"]][:1]
    table.answer("red_2", choice)
    order.refresh_from_db()
    assert order.told == "ended"
    table.check()


def test_a_correction_gives_its_reason_and_names_what_there_is(db: None) -> None:
    table = make_table()
    by, correction = table.seats["umpire"], {"verb": "remove", "unit": "nobody"}
    with pytest.raises(BadInput):
        services.battle_correct(battle=table.battle, by=by, correction=correction, reason=" ")
    with pytest.raises(BadInput):
        services.battle_correct(battle=table.battle, by=by, correction={"verb": "bless"}, reason="why not")
    with pytest.raises(Refused):
        services.battle_correct(battle=table.battle, by=by, correction=correction, reason="gone")
    with pytest.raises(NotYours):
        services.battle_correct(battle=table.battle, by=table.seats["blue_1"], correction=correction, reason="gone")
    assert table.now.depth == 0
