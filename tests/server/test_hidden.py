"""Hidden forces carry on their plans: together, once, and so that timing tells nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.conftest import Table, make_table
from umpire.battles import outbox, selectors, services
from umpire.battles.models import Entry, Outbox
from umpire.hidden import tasks
from umpire.hidden.services import carry_due
from umpire.testing.skirmish import Skirmish
from umpire.testing.skirmish.rules import StandingOrders

pytestmark = pytest.mark.postgres


def marks(table: Table) -> dict[str, tuple[str, int]]:
    return {who: (table.seat(who).tag, table.seat(who).news_count) for who in table.seats if who != "umpire"}


@pytest.fixture
def quiet(table: Table) -> Table:
    """Willow's band has halted; nothing is due any more in this turn."""
    table.carry()
    table.answer("umpire", "halt")
    return table


def test_what_is_due_is_asked_for_and_done_once(quiet: Table) -> None:
    quiet.give("umpire", "give_plan", acting_for="red_1", unit=quiet.unit("Rowan"), goal=9, on_contact="halt")
    quiet.give("umpire", "give_plan", acting_for="red_2", unit=quiet.unit("Thorn"), goal=6, on_contact="halt")
    rows = Outbox.objects.filter(battle=quiet.battle, done=None)
    row = rows.get()  # the second plan needs no second message
    assert carry_due(battle_id=quiet.battle.id, line=row.line, depth=row.depth) == "carried"
    assert carry_due(battle_id=quiet.battle.id, line=row.line, depth=row.depth) == "done already"
    assert not rows.exists()
    begun = Entry.objects.filter(battle=quiet.battle, kind="begun").order_by("depth")
    carried = [row for row in begun if b'"carry"' in bytes(row.body)]
    assert [row.giver for row in carried][1:] == sorted([quiet.unit("Rowan"), quiet.unit("Thorn")])
    quiet.check()


def test_nothing_moves_for_seats_that_see_nothing_of_it(quiet: Table) -> None:
    quiet.give("umpire", "give_plan", acting_for="red_1", unit=quiet.unit("Rowan"), goal=9, on_contact="halt")
    before = marks(quiet)
    assert quiet.carry() == ["carried"]
    after = marks(quiet)
    assert {who for who in before if before[who] != after[who]} == {"red_1", "red_2"}
    assert "blue" not in str(quiet.news("red_1"))


def test_all_seats_hear_of_it_at_one_moment(quiet: Table) -> None:
    """Two forces come into the sight of one command: it gets one piece of news."""
    services.battle_correct(
        battle=quiet.battle,
        by=quiet.seats["umpire"],
        correction={"verb": "place", "unit": quiet.unit("Thorn"), "at": 4},
        reason="set up",
    )
    for name in ("Thorn", "Willow"):
        quiet.give("umpire", "give_plan", acting_for="red_2", unit=quiet.unit(name), goal=3, on_contact="halt")
    before = len(quiet.news("blue_2"))
    quiet.carry()
    [item] = quiet.news("blue_2")[before:]
    assert [line["kind"] for line in item["lines"]] == ["sighted", "sighted"]
    quiet.check()


def step_out(table: Table) -> None:
    """Willow's band stands at the edge of the woods; its next step is before the eyes of Cedar's scouts."""
    services.battle_correct(
        battle=table.battle,
        by=table.seats["umpire"],
        correction={"verb": "place", "unit": table.unit("Willow"), "at": 4},
        reason="set up",
    )
    table.first_views = {}


def test_while_the_umpire_is_asked_nobody_else_hears_anything(table: Table) -> None:
    """Willow's band has stepped out; that comes out with all else when the umpire has answered."""
    step_out(table)
    before = marks(table)
    views = {who: selectors.view_for(battle=table.battle, seat=table.seats[who]) for who in before}
    assert table.carry() == ["paused"]
    assert [question["command"] for question in table.questions("umpire")] == ["red_2"]
    assert marks(table) == before
    assert {who: selectors.view_for(battle=table.battle, seat=table.seats[who]) for who in before} == views
    assert table.now.shown is not None
    table.check()
    order = table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    assert order.told == "given"
    assert marks(table) == before
    table.answer("umpire", "halt")
    assert table.now.shown is None
    assert marks(table)["blue_2"] != before["blue_2"]
    item = table.news("blue_2")[-1]
    assert item["number"] == before["blue_2"][1] + 1
    assert [line["kind"] for line in item["lines"]] == ["sighted"]
    table.check()


def test_a_private_order_is_done_as_ever_while_the_umpire_is_asked(table: Table, monkeypatch: Any) -> None:
    """Neither its status nor its news tell that something waits; what is told meanwhile is not told again."""
    monkeypatch.setattr(Skirmish, "is_private", lambda self, order: isinstance(order, StandingOrders))

    def give(fire: str) -> tuple[str, dict[str, int]]:
        before = marks(table)
        order = table.give("blue_1", "standing_orders", command="blue_1", fire=fire)
        return order.told, {who: number - before[who][1] for who, (_, number) in marks(table).items()}

    step_out(table)
    as_ever = give("hold"), give("near")
    give("hold")
    assert table.carry() == ["paused"]
    assert (give("hold"), give("near")) == as_ever
    assert table.now.shown is not None
    assert [question["command"] for question in table.questions("umpire")] == ["red_2"]
    table.check()
    table.answer("umpire", "halt")
    assert table.now.shown is None
    assert [line["kind"] for line in table.news("blue_2")[-1]["lines"]] == ["sighted"]
    table.check()


def test_what_is_unseen_while_the_umpire_is_asked_serves_no_seat(table: Table) -> None:
    def served() -> list[object]:
        seat = table.seats["blue_2"]
        cedar = table.unit("Cedar")
        move = {"verb": "move", "unit": cedar, "path": [[3, 0], [4, 0]]}
        return [
            selectors.options_for(battle=table.battle, seat=seat, unit=cedar),
            selectors.preview_for(battle=table.battle, seat=seat, order=move),
            selectors.odds_for(battle=table.battle, seat=seat, order=move),
            selectors.questions_for(battle=table.battle, seat=seat),
            selectors.scene_for(battle=table.battle, seat=seat),
        ]

    step_out(table)
    before = served()
    table.carry()
    assert served() == before
    table.answer("umpire", "halt")
    assert served() != before


def test_a_player_who_is_asked_sees_what_he_is_asked_about(table: Table) -> None:
    code = services.seat_new_code(seat=table.seats["red_2"])
    services.seat_join(code=code, device="a tablet")
    table.carry()
    [question] = table.questions("red_2")
    assert table.now.shown is None
    assert table.news("red_2")
    table.check()
    services.question_answer(
        battle=table.battle, seat=table.seats["red_2"], question_id=question["id"], choices=["go_on"]
    )
    table.check()


def test_a_correction_shows_at_once_even_then(table: Table) -> None:
    table.carry()
    services.battle_correct(
        battle=table.battle,
        by=table.seats["umpire"],
        correction={"verb": "set_steps", "unit": table.unit("Ash"), "steps": 1},
        reason="miscounted",
    )
    assert table.news("blue_1")[-1]["patch"]["pieces"][table.unit("Ash")]["facts"]["steps"] == "1"
    assert table.now.shown is None
    table.check()
    table.answer("umpire", "go_on")
    table.check()


def test_after_the_answer_the_rest_is_carried_on(db: None) -> None:
    table = make_table()
    table.give("umpire", "give_plan", acting_for="red_1", unit=table.unit("Rowan"), goal=9, on_contact="halt")
    table.give("umpire", "give_plan", acting_for="red_2", unit=table.unit("Thorn"), goal=6, on_contact="halt")
    assert table.carry() == ["paused"]
    table.answer("umpire", "halt")
    while Outbox.objects.filter(battle=table.battle, done=None).exists():
        assert table.carry() == ["carried"]
    assert {plan.turn for plan in table.state.umpire.plans.values()} <= {1}
    bodies = [bytes(row.body) for row in Entry.objects.filter(battle=table.battle, kind="happened")]
    for name in ("Rowan", "Thorn", "Willow"):
        unit = table.unit(name).encode()
        assert sum(b'"event":"carried"' in body and unit in body for body in bodies) == 1
    table.check()


def test_a_task_whose_cause_is_gone_does_nothing(table: Table) -> None:
    depth = table.now.depth
    assert carry_due(battle_id=table.battle.id, line=0, depth=999) == "done already"
    assert carry_due(battle_id="nobody", line=0, depth=0) == "void"
    services.battle_finish(battle=table.battle, by=table.seats["umpire"], is_opened=False)
    assert carry_due(battle_id=table.battle.id, line=0, depth=0) == "void"
    assert table.now.depth == depth


def test_tasks_carry_ids_only(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, list[object]]] = []
    monkeypatch.setattr(
        outbox.current_app._get_current_object(), "send_task", lambda name, args, **how: sent.append((name, args))
    )
    Outbox.objects.filter(battle=table.battle).update(due_at=table.battle.created)
    tasks.sweep()
    assert sent == [("umpire.carry", [table.battle.id, 0, 0])]
    tasks.carry(*sent[0][1])
    assert table.questions("umpire")
    tasks.take_orders(table.battle.id)
    table.check()


def test_a_plan_that_changes_nothing_is_not_carried_on_for_ever(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def idle(self: object, state: object, force: str) -> object:
        return state
        yield

    monkeypatch.setattr(Skirmish, "carry", idle)
    assert table.carry() == ["carried"]
    assert not Outbox.objects.filter(battle=table.battle, done=None).exists()
    monkeypatch.undo()
    table.give("blue_1", "standing_orders", command="blue_1", fire="near")  # asks again for what is still due
    assert table.carry() == ["paused"]
    table.check()
