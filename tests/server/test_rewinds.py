"""Taken back: nothing is deleted, news go on, what stood on the line left is void."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.server.conftest import Table, make_table
from tests.server.test_questions import opportunity, show
from umpire.battles import selectors, services
from umpire.battles.errors import BadInput, NotYours, Refused
from umpire.battles.heads import read_head
from umpire.battles.idempotency import Once, Rendered, reply_for
from umpire.battles.models import Battle, Entry, Line, Order, Outbox, Question, Snapshot
from umpire.battles.paths import path_of
from umpire.kernel.events import KnowledgeEvent
from umpire.kernel.ledger import Happened

pytestmark = pytest.mark.postgres


def rewind(table: Table, depth: int, **how: Any) -> Battle:
    return services.battle_rewind(battle=table.battle, by=table.seats["umpire"], depth=depth, **how)


def shot(table: Table) -> bytes:
    """Cedar's scouts fire; the faces of the die, as the ledger has them."""
    table.give("blue_2", "fire", unit=table.unit("Cedar"), target=table.unit("Thorn"))
    head = read_head(table.battle.id)
    [row] = [row for row in head.path.rows() if row.kind == "thrown"]
    return bytes(row.body)


@pytest.fixture
def facing(db: None) -> Table:
    """An open battle with Thorn's band in front of Cedar's scouts."""
    table = make_table(blind=False)
    show(table, "Thorn", 4)
    return table


def test_dice_that_are_kept_fall_alike_and_fresh_ones_do_not(facing: Table) -> None:
    depth = facing.now.depth
    first = shot(facing)
    rewind(facing, depth)
    facing.check()
    assert shot(facing) == first
    thrown = set()
    for _ in range(6):
        rewind(facing, depth, dice="fresh")
        thrown.add(shot(facing))
    assert len(thrown) > 1
    facing.check()
    assert Line.objects.filter(battle=facing.battle).count() == 8
    assert Entry.objects.filter(battle=facing.battle, kind="thrown").count() == 8


def test_for_a_seat_a_rewind_is_news_like_any_other(table: Table) -> None:
    table.give("blue_2", "move", unit=table.unit("Cedar"), path=[[3, 0]])
    numbers = {who: table.seat(who).news_count for who in table.seats}
    assert numbers["red_1"] == 0
    tag = table.seat("blue_2").tag
    first = table.first_views[table.seats["blue_2"].id]
    rewind(table, 0, reason="a wrong unit")
    table.check()
    item = table.news("blue_2")[-1]
    assert (item["number"], item["kind"]) == (numbers["blue_2"] + 1, "rewind")
    assert item["lines"] == [{"text": "The umpire has taken the battle back.", "kind": "rewind"}]
    view, _, now = selectors.view_for(battle=table.battle, seat=table.seats["blue_2"])
    assert view == first
    assert now != tag
    assert table.seat("red_1").news_count == 0
    assert "a wrong unit" in table.news("umpire")[-1]["lines"][0]["text"]


def test_what_stood_on_the_line_left_is_taken_back(table: Table) -> None:
    first = table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    depth = table.now.depth
    kept = Once(
        actor=f"seat:{table.seats['blue_2'].id}",
        key="k",
        method="POST",
        path="/orders",
        body_hash="0",
        render=lambda order: Rendered(201, msgspec.json.encode(order.told)),
    )
    second = table.give("blue_2", "standing_orders", command="blue_2", fire="near", once=kept)
    reply = reply_for(kept)
    assert reply is not None
    assert not selectors.is_taken_back(reply)
    rewind(table, depth)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.told, second.told) == ("done", "taken_back")
    assert selectors.is_taken_back(reply)
    assert bytes(reply.body) == b'"done"'
    assert Order.objects.filter(battle=table.battle).count() == 2
    table.check()


def test_a_rewind_makes_questions_void_and_brings_them_back_with_new_ids(db: None) -> None:
    table, order = opportunity()
    [question] = table.questions("red_2")
    row = Question.objects.get(pk=question["id"])
    rewind(table, row.depth + 1)  # to where it had just been asked
    table.check()
    [again] = table.questions("red_2")
    assert again["id"] != question["id"]
    assert again["question"] == question["question"]
    with pytest.raises(NotYours):
        services.question_answer(battle=table.battle, seat=table.seats["red_2"], question_id=question["id"], choices=[])
    order.refresh_from_db()
    assert order.status == "waiting"
    table.answer("red_2")
    order.refresh_from_db()
    assert order.status == "done"
    table.check()
    rewind(table, row.depth + 1)  # from behind its end back into it
    order.refresh_from_db()
    assert order.status == "waiting"
    table.check()
    rewind(table, order.depth or 0)
    assert table.questions("umpire") == []
    order.refresh_from_db()
    assert order.status == "taken_back"
    table.check()


def test_an_order_cut_in_its_middle_goes_on_when_it_is_told_to(facing: Table) -> None:
    first = shot(facing)
    order = Order.objects.get(battle=facing.battle)
    thrown = Entry.objects.get(battle=facing.battle, kind="thrown")
    rewind(facing, thrown.depth)
    order.refresh_from_db()
    assert order.status == "waiting"
    assert facing.questions("umpire") == []
    facing.check()
    services.open_order_resolve(battle=facing.battle, by=facing.seats["umpire"], do="go_on")
    order.refresh_from_db()
    assert order.status == "done"
    assert [bytes(row.body) for row in read_head(facing.battle.id).path.rows() if row.kind == "thrown"] == [first]
    facing.check()


@pytest.mark.parametrize(("way", "status"), [("stop", "ended"), ("take_back", "taken_back"), ("again", "waiting")])
def test_what_becomes_of_an_open_order(db: None, way: str, status: str) -> None:
    table, order = opportunity()
    with pytest.raises(Refused):
        services.open_order_resolve(battle=table.battle, by=table.seats["umpire"], do="go_on")
    services.open_order_resolve(battle=table.battle, by=table.seats["umpire"], do=way, reason="it is late")
    order.refresh_from_db()
    assert order.status == status
    table.check()
    if way == "again":
        table.answer("red_2")
        order.refresh_from_db()
        assert order.status == "done"
        table.check()
    with pytest.raises(Refused):
        services.open_order_resolve(battle=table.battle, by=table.seats["umpire"], do="stop")


def test_the_ledger_is_cut_only_where_nothing_is_noticed_half(table: Table) -> None:
    table.give("blue_2", "move", unit=table.unit("Cedar"), path=[[3, 0]])
    head = read_head(table.battle.id)
    entries = head.entries(0, head.battle.depth)
    noticed = [
        depth
        for depth, entry in enumerate(entries)
        if isinstance(entry, Happened) and isinstance(entry.event, KnowledgeEvent)
    ]
    assert noticed
    with pytest.raises(Refused):
        rewind(table, noticed[0])
    shown = selectors.ledger_for(battle=table.battle)
    assert [item["depth"] for item in shown if not item["cut"]] == noticed
    for depth in (-1, len(entries) + 1):
        with pytest.raises(BadInput):
            rewind(table, depth)
    with pytest.raises(BadInput):
        rewind(table, 0, dice="loaded")
    with pytest.raises(NotYours):
        services.battle_rewind(battle=table.battle, by=table.seats["blue_1"], depth=0)


def test_work_of_the_line_left_is_void_and_what_is_due_on_the_new_one_is_asked_for(table: Table) -> None:
    assert table.carry() == ["paused"]
    table.answer("umpire", "halt")
    table.end_turn("blue_1", "blue_2", "red_1", "red_2")
    table.give("umpire", "give_plan", acting_for="red_2", unit=table.unit("Thorn"), goal=6, on_contact="halt")
    [due] = Outbox.objects.filter(battle=table.battle, done=None)
    rewind(table, 0)
    due.refresh_from_db()
    assert due.outcome.startswith("void")
    [again] = Outbox.objects.filter(battle=table.battle, done=None)
    assert (again.line, again.depth) == (1, 0)
    assert table.carry() == ["paused"]
    table.check()


def test_snapshots_are_caches(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire.battles.publishing.SNAPSHOT_EVERY", 10)
    for number in range(12):
        table.give("blue_1", "standing_orders", command="blue_1", fire=("near", "any")[number % 2])
    taken = Snapshot.objects.filter(battle=table.battle)
    assert taken.count() > 3
    table.check()
    head = read_head(table.battle.id)
    with_them = [head.state_at(depth) for depth in range(head.battle.depth + 1)]
    taken.exclude(depth=0).delete()
    assert [read_head(table.battle.id).state_at(depth) for depth in range(head.battle.depth + 1)] == with_them


def test_a_path_leaves_out_what_lies_on_other_lines(table: Table) -> None:
    for _ in range(3):
        table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    rewind(table, 6)
    table.give("blue_1", "standing_orders", command="blue_1", fire="any")
    rewind(table, 3)  # before line 1 was begun
    table.give("blue_1", "standing_orders", command="blue_1", fire="hold")
    path = path_of(table.battle.id, table.now.line)
    assert [(row.line, row.depth) for row in path.rows()] == [(0, 0), (0, 1), (0, 2), (2, 3), (2, 4), (2, 5)]
    assert path.has(0, 2)
    assert not path.has(0, 3)
    assert not path.has(1, 6)
    assert path.reaches(0, 3)
    assert not path.reaches(0, 4)
    table.check()
