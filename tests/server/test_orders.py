"""The life of an order."""

from __future__ import annotations

import pytest

from tests.server.conftest import Table, make_table
from umpire.battles import selectors, services
from umpire.battles.errors import BadInput, NotYours, Refused, Stale
from umpire.battles.models import Entry, Order, Reply
from umpire.battles.services.orders import MOST_HELD

pytestmark = pytest.mark.postgres


def test_an_order_is_taken_and_told_to_those_whom_it_concerns(table: Table) -> None:
    order = table.give("blue_2", "move", unit=table.unit("Cedar"), path=[[3, 0]])
    assert (order.status, order.told) == ("done", "done")
    assert [item["number"] for item in table.news("blue_2")] == [1]
    assert table.news("blue_2")[0]["patch"]["pieces"][table.unit("Cedar")]["at"] == [3, 0]
    assert table.news("blue_1")  # a friend in sight has moved
    assert table.news("red_1") == []  # and nobody else knows anything
    assert table.news("red_2")[0]["patch"]["contacts"]  # but for Willow's band, two hexes away
    table.check()


def test_nothing_moves_for_a_seat_that_learns_nothing(table: Table) -> None:
    before = {who: (table.seat(who).tag, table.seat(who).news_count) for who in table.seats}
    table.give("red_1", "standing_orders", command="red_1", fire="any")
    table.give("red_1", "give_plan", unit=table.unit("Rowan"), goal=9, on_contact="halt")
    after = {who: (table.seat(who).tag, table.seat(who).news_count) for who in table.seats}
    assert {who for who in before if before[who] != after[who]} <= {"umpire", "red_1"}
    assert after["umpire"][1] == before["umpire"][1] + 2


def test_a_refused_order_changes_nothing(table: Table) -> None:
    depth = table.now.version
    with pytest.raises(Refused) as refused:
        table.give("red_1", "end_turn", command="red_1")
    assert [(each.reason, each.rule) for each in refused.value.refusals] == [
        ("It is the other side's turn.", "skirmish turn")
    ]
    assert table.now.version == depth
    assert not Order.objects.filter(battle=table.battle).exists()
    assert not Entry.objects.filter(battle=table.battle).exists()


@pytest.mark.parametrize(
    ("order", "pointer"),
    [
        ({"verb": "fly"}, "/verb"),
        ({"unit": "x"}, "/verb"),
        ({"verb": "move", "unit": 3, "path": []}, "/unit"),
        ({"verb": "move", "unit": "x", "path": [[1, 0], ["a", 0]]}, "/path/1/0"),
        ({"verb": "move", "unit": "x", "path": [], "fast": True}, ""),
        ([], ""),
    ],
)
def test_what_is_no_order_is_named_with_its_place(table: Table, order: object, pointer: str) -> None:
    with pytest.raises(BadInput) as bad:
        services.order_give(battle=table.battle, seat=table.seats["blue_1"], order=order, tag=None)  # type: ignore[arg-type]
    assert [fault.pointer for fault in bad.value.faults] == [pointer]
    assert bad.value.faults[0].detail


def test_an_order_decided_on_an_older_view_is_stale(table: Table) -> None:
    seat = table.seats["blue_1"]
    _, number, tag = selectors.view_for(battle=table.battle, seat=seat)
    order = {"verb": "standing_orders", "command": "blue_1", "fire": "near"}
    services.order_give(battle=table.battle, seat=seat, order=order, tag=tag)
    _, number_now, tag_now = selectors.view_for(battle=table.battle, seat=seat)
    if tag_now == tag:  # standing orders stand in no view of the toy
        table.give("blue_1", "end_turn", command="blue_1")
        _, number_now, tag_now = selectors.view_for(battle=table.battle, seat=seat)
    assert number_now == number + 1
    with pytest.raises(Stale) as stale:
        services.order_give(battle=table.battle, seat=seat, order=order, tag=tag)
    assert stale.value.tag == tag_now
    services.order_give(battle=table.battle, seat=seat, order=order, tag=tag_now)


def test_what_others_do_unseen_makes_no_view_stale(table: Table) -> None:
    _, _, tag = selectors.view_for(battle=table.battle, seat=table.seats["blue_1"])
    table.give("red_1", "give_plan", unit=table.unit("Rowan"), goal=9, on_contact="halt")
    order = {"verb": "standing_orders", "command": "blue_1", "fire": "near"}
    services.order_give(battle=table.battle, seat=table.seats["blue_1"], order=order, tag=tag)


def test_the_umpire_acts_for_a_command_and_for_an_absent_seat(table: Table) -> None:
    table.give("umpire", "give_plan", acting_for="red_2", unit=table.unit("Thorn"), goal=6, on_contact="halt")
    order = table.give("umpire", "end_turn", acting_for=table.seats["blue_1"].name, command="blue_1")
    assert order.giver == table.seats["blue_1"].name
    assert table.state.public.done == ("blue_1",)
    with pytest.raises(BadInput) as bad:
        table.give("umpire", "end_turn", command="blue_1")
    assert bad.value.faults[0].pointer == "/for"
    with pytest.raises(BadInput):
        table.give("umpire", "end_turn", acting_for="green", command="blue_1")
    with pytest.raises(NotYours):
        table.give("blue_1", "end_turn", acting_for="blue_2", command="blue_2")


def test_observers_and_revoked_seats_give_no_orders(table: Table) -> None:
    observer, _ = services.seat_create(battle=table.battle, by=table.seats["umpire"], name="Guest", role="observer")
    table.seats["guest"] = observer
    with pytest.raises(NotYours):
        table.give("guest", "end_turn", command="blue_1")
    services.seat_revoke(seat=table.seats["blue_1"], by=table.seats["umpire"])
    with pytest.raises(NotYours):
        table.give("blue_1", "end_turn", command="blue_1")


def paused(table: Table) -> Table:
    """The worker has carried on a plan that has met somebody; the umpire is asked."""
    assert table.carry() == ["paused"]
    return table


def test_an_order_given_while_another_ruling_waits_is_held_and_taken_in_its_turn(table: Table) -> None:
    paused(table)
    first = table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    second = table.give("blue_1", "end_turn", command="blue_1")
    assert [order.told for order in (first, second)] == ["given", "given"]
    assert table.state.public.done == ()
    table.check()
    table.answer("umpire", "halt")
    statuses = Order.objects.filter(battle=table.battle).order_by("sequence").values_list("status", flat=True)
    assert list(statuses) == ["done", "done"]
    assert table.state.public.done == ("blue_1",)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.depth is not None
    assert second.depth is not None
    assert first.depth < second.depth
    table.check()


def test_a_second_check_tells_what_the_first_would_have_told(table: Table) -> None:
    paused(table)
    table.give("blue_1", "end_turn", command="blue_1")
    late = table.give("blue_1", "end_turn", command="blue_1")
    assert late.told == "given"
    before = len(table.news("blue_1"))
    table.answer("umpire", "halt")
    late.refresh_from_db()
    assert late.told == "refused"
    assert late.refusals == [{"reason": "Your turn is ended.", "rule": "skirmish turn", "field": "command"}]
    lines = [line for item in table.news("blue_1")[before:] for line in item["lines"]]
    assert {"text": "Your turn is ended.", "kind": "refused", "rule": "skirmish turn"} in lines
    table.check()


def test_a_held_order_is_refused_at_once_for_what_its_giver_knows(table: Table) -> None:
    paused(table)
    with pytest.raises(Refused):
        table.give("red_1", "end_turn", command="red_1")


def test_a_held_order_can_be_withdrawn_and_a_taken_one_not(table: Table) -> None:
    paused(table)
    order = table.give("blue_1", "end_turn", command="blue_1")
    with pytest.raises(NotYours):
        services.order_withdraw(order=order, seat=table.seats["blue_2"])
    assert services.order_withdraw(order=order, seat=table.seats["blue_1"]).status == "withdrawn"
    table.answer("umpire", "halt")
    assert table.state.public.done == ()
    taken = table.give("blue_1", "end_turn", command="blue_1")
    with pytest.raises(Refused):
        services.order_withdraw(order=taken, seat=table.seats["blue_1"])


def test_a_queue_has_its_bounds(table: Table) -> None:
    paused(table)
    for _ in range(MOST_HELD):
        table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    with pytest.raises(Refused):
        table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    table.give("blue_2", "standing_orders", command="blue_2", fire="near")


def test_orders_wait_for_the_umpires_release_where_the_battle_says_so(db: None) -> None:
    table = make_table(release=True)
    first = table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    second = table.give("blue_2", "standing_orders", command="blue_2", fire="hold")
    assert (first.status, first.told) == ("sealed", "given")
    assert table.give("umpire", "standing_orders", acting_for="red_1", command="red_1", fire="any").told == "done"
    with pytest.raises(NotYours):
        services.orders_release(battle=table.battle, by=table.seats["blue_1"])
    assert services.orders_release(battle=table.battle, by=table.seats["umpire"], order=second) == 1
    assert table.state.commands["blue_2"].fire == "hold"
    assert table.state.commands["blue_1"].fire == "ask"
    assert services.orders_release(battle=table.battle, by=table.seats["umpire"]) == 1
    assert table.state.commands["blue_1"].fire == "near"
    table.check()


def test_nothing_is_ordered_in_a_battle_that_is_over(table: Table) -> None:
    services.battle_finish(battle=table.battle, by=table.seats["umpire"], is_opened=False)
    with pytest.raises(Refused):
        table.give("blue_1", "end_turn", command="blue_1")
    with pytest.raises(NotYours):
        selectors.record_for(battle=table.battle)
    services.battle_finish(battle=table.battle, by=table.seats["umpire"], is_opened=True)
    record = selectors.record_for(battle=table.battle)
    assert record["secret"] == bytes(table.now.secret).hex()
    assert not Reply.objects.filter(battle=table.battle).exists()
