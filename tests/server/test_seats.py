"""Seats, codes, tokens, messages, the desk, the demo battle."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from tests.server.conftest import Table, make_table
from umpire.battles import selectors, services
from umpire.battles.errors import BadInput, NotYours, Refused
from umpire.battles.keys import ALPHABET, hash_of_code
from umpire.battles.models import Battle, Device, Entry, Seat, SettingHalf
from umpire.battles.services.demo import demo_of, prepare_demos
from umpire.battles.store import load_half
from umpire.desk.selectors import desk_for
from umpire.desk.services import message_delay, message_deliver, message_lose, message_send
from umpire.kernel.codec import digest_of, encode
from umpire.kernel.dice import commitment
from umpire.testing.skirmish import Skirmish

pytestmark = pytest.mark.postgres


def test_a_battle_has_a_seat_for_each_command_and_one_for_the_umpire(db: None) -> None:
    battle, seats = services.battle_create(owner=None, system="skirmish", scenario="the-lane", title="Tuesday")
    assert [(seat.role, seat.commands) for seat, _ in seats] == [
        ("umpire", []),
        ("player", ["blue_1"]),
        ("player", ["blue_2"]),
        ("player", ["red_1"]),
        ("player", ["red_2"]),
    ]
    assert battle.title == "Tuesday"
    assert battle.commitment == commitment(bytes(battle.secret))
    for seat, code in seats:
        assert len(code.replace("-", "")) == 10
        assert set(code) <= {*ALPHABET, "-"}
        assert seat.code_hash == hash_of_code(code.lower().replace("-", " "))


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"system": "chess"}, "/system"),
        ({"scenario": "the-hill"}, "/scenario"),
        ({"options": {"fog": True}}, "/options"),
        ({"options": {"dice": "loaded"}}, "/options/dice"),
        ({"options": {"release": "yes"}}, "/options/release"),
    ],
)
def test_a_battle_that_cannot_be_made_leaves_nothing(db: None, change: dict[str, object], pointer: str) -> None:
    wanted = {"owner": None, "system": "skirmish", "scenario": "the-lane", **change}
    with pytest.raises(BadInput) as bad:
        services.battle_create(**wanted)  # type: ignore[arg-type]
    assert bad.value.faults[0].pointer == pointer
    assert not Battle.objects.exists()


def test_settings_are_stored_once_and_found_again(db: None) -> None:
    one, other = make_table(), make_table()
    assert one.battle.public_setting_id == other.battle.public_setting_id
    assert SettingHalf.objects.count() == 2
    for digest in (one.battle.public_setting_id, one.battle.umpire_setting_id):
        assert digest_of(encode(load_half(digest))) == digest
    assert load_half("0" * 64) is None


def test_true_ids_differ_from_battle_to_battle(db: None) -> None:
    assert make_table().unit("Thorn") != make_table().unit("Thorn")


def test_a_code_seats_a_device_until_it_is_renewed_or_revoked(table: Table) -> None:
    umpire, seat = table.seats["umpire"], table.seats["blue_1"]
    code = services.seat_new_code(seat=seat, by=umpire)
    joined, token = services.seat_join(code=code.lower(), device="my tablet")
    assert joined.id == seat.id
    device = selectors.actor_of_token(token)
    assert device is not None
    assert (device.seat, device.label) == (seat, "my tablet")
    assert token not in str(Device.objects.values_list())
    other = services.seat_new_code(seat=seat, by=umpire)
    with pytest.raises(NotYours):
        services.seat_join(code=code)
    assert selectors.actor_of_token(token) is not None
    services.seat_revoke(seat=seat, by=umpire)
    assert selectors.actor_of_token(token) is None
    with pytest.raises(NotYours):
        services.seat_join(code=other)
    services.seat_join(code=services.seat_new_code(seat=seat, by=umpire))
    assert selectors.actor_of_token(token) is None
    with pytest.raises(NotYours):
        services.seat_new_code(seat=seat, by=table.seats["blue_2"])
    assert selectors.actor_of_token("nobody's") is None


def test_an_account_reaches_its_own_battles_alone(db: None) -> None:
    users = get_user_model().objects
    owner, other = users.create_user("ann", password="a long password"), users.create_user("bob")
    battle, _ = services.battle_create(owner=owner, system="skirmish", scenario="the-lane")
    assert selectors.battles_for(user=owner) == [battle]
    assert selectors.battles_for(user=other) == []
    assert selectors.seat_of(battle=battle, user=owner).role == "umpire"
    for reach in (
        lambda: selectors.seat_of(battle=battle, user=other),
        lambda: selectors.battle_for(battle_id=battle.id, user=other),
        lambda: selectors.battle_for(battle_id="nothing", user=owner),
    ):
        with pytest.raises(NotYours):
            reach()
    device, token = services.device_create(user=owner, label="laptop")
    assert selectors.actor_of_token(token) == device
    services.device_revoke(device=device)
    assert selectors.actor_of_token(token) is None


def test_a_further_seat_sees_the_battle_as_it_is(table: Table) -> None:
    table.give("blue_2", "move", unit=table.unit("Cedar"), path=[[3, 0]])
    umpire = table.seats["umpire"]
    seat, _ = services.seat_create(
        battle=table.battle, by=umpire, name="Both", role="player", commands=["blue_1", "blue_2"]
    )
    view, number, tag = selectors.view_for(battle=table.battle, seat=seat)
    assert number == 0
    assert view["pieces"][table.unit("Cedar")]["at"] == [3, 0]
    table.seats["both"] = seat
    table.give("both", "end_turn", command="blue_1")
    assert len(table.news("both")) == 1
    assert selectors.view_for(battle=table.battle, seat=seat)[2] != tag
    table.check()
    for wrong in (
        {"name": "Both", "role": "player", "commands": ["red_1"]},
        {"name": "", "role": "player", "commands": ["red_1"]},
        {"name": "X", "role": "king", "commands": ["red_1"]},
        {"name": "X", "role": "player", "commands": ["green"]},
        {"name": "X", "role": "player", "commands": []},
        {"name": "X", "role": "observer", "commands": ["red_1"]},
    ):
        with pytest.raises(BadInput):
            services.seat_create(battle=table.battle, by=umpire, **wrong)  # type: ignore[arg-type]


def test_a_message_between_commands_goes_by_the_umpire(table: Table) -> None:
    sent = message_send(battle=table.battle, seat=table.seats["blue_1"], to="blue_2", text="Come up")
    assert selectors.messages_for(battle=table.battle, seat=table.seats["blue_2"]) == []
    assert table.news("blue_2") == []
    assert table.news("umpire")[-1]["kind"] == "message"
    mine = selectors.messages_for(battle=table.battle, seat=table.seats["blue_1"])
    message_delay(message=sent, by=table.seats["umpire"], due_turn=2)
    assert [item["kind"] for item in desk_for(battle=table.battle)["waiting"]] == ["message"]
    message_deliver(message=sent, by=table.seats["umpire"], text="Come … p")
    [got] = selectors.messages_for(battle=table.battle, seat=table.seats["blue_2"])
    assert (got["text"], got["sender"]) == ("Come … p", table.seats["blue_1"].name)
    assert selectors.messages_for(battle=table.battle, seat=table.seats["blue_1"]) == mine
    [news] = table.news("blue_2")
    assert (news["kind"], news["patch"]) == ("message", {})
    assert "Come up" not in str(news)
    with pytest.raises(Refused):
        message_lose(message=sent, by=table.seats["umpire"])
    table.check()


def test_a_lost_message_is_told_to_nobody(table: Table) -> None:
    sent = message_send(battle=table.battle, seat=table.seats["blue_1"], to="blue_2", text="Come up")
    before = selectors.messages_for(battle=table.battle, seat=table.seats["blue_1"])
    with pytest.raises(NotYours):
        message_lose(message=sent, by=table.seats["blue_1"])
    message_lose(message=sent, by=table.seats["umpire"])
    assert selectors.messages_for(battle=table.battle, seat=table.seats["blue_1"]) == before
    assert table.news("blue_1") == table.news("blue_2") == []
    [card] = selectors.messages_for(battle=table.battle, seat=table.seats["umpire"])
    assert card["status"] == "lost"


def test_messages_to_and_from_the_umpire_arrive_at_once(table: Table) -> None:
    message_send(battle=table.battle, seat=table.seats["red_1"], to="umpire", text="May I dig in?")
    message_send(battle=table.battle, seat=table.seats["umpire"], to="red_1", text="You may.")
    [item] = table.news("red_1")
    assert item["lines"][0]["text"].endswith("You may.")
    assert len(table.news("umpire")) == 1
    for to, text in (("green", "?"), ("red_1", ""), ("red_2", "x" * 2001)):
        with pytest.raises(BadInput):
            message_send(battle=table.battle, seat=table.seats["red_1"], to=to, text=text)


def test_the_desk_shows_what_waits(table: Table) -> None:
    code = services.seat_new_code(seat=table.seats["blue_1"])
    services.seat_join(code=code)
    Device.objects.update(last_seen=timezone.now() - timedelta(minutes=30))
    table.carry()
    table.give("blue_1", "end_turn", command="blue_1")
    message_send(battle=table.battle, seat=table.seats["blue_1"], to="blue_2", text="Come up")
    desk = desk_for(battle=table.battle)
    assert [item["kind"] for item in desk["waiting"]] == ["absent", "question", "order", "message"]
    assert set(desk["beliefs"]) == {seat.name for who, seat in table.seats.items() if who != "umpire"}
    assert desk["ledger"]
    assert "fault" not in desk


def test_an_order_whose_ruling_fails_blocks_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> object:
        raise ZeroDivisionError("a bug")
        yield

    with monkeypatch.context() as patched:
        patched.setattr(Skirmish, "resolve", fail)
        order = table.give("blue_1", "standing_orders", command="blue_1", fire="near")
    assert order.told == "given"
    desk = desk_for(battle=table.battle)
    assert desk["fault"] == "raised: ZeroDivisionError: a bug"
    assert [item["kind"] for item in desk["waiting"]] == ["stopped"]
    assert "bug" not in str([table.news(who) for who in table.seats if who != "umpire"])
    held = table.give("blue_2", "standing_orders", command="blue_2", fire="near")
    assert held.status == "held"
    services.open_order_resolve(battle=table.battle, by=table.seats["umpire"], do="again")
    order.refresh_from_db()
    assert order.status == "done"
    assert table.state.commands["blue_1"].fire == "near"
    assert "fault" not in desk_for(battle=table.battle)
    table.check()


def test_a_tablet_that_was_away_catches_up(table: Table) -> None:
    seat = table.seats["blue_2"]
    view, number, tag = selectors.view_for(battle=table.battle, seat=seat)
    assert selectors.sync_for(battle=table.battle, seat=seat, after=number, tag=tag)["status"] == "current"
    table.give("blue_2", "move", unit=table.unit("Cedar"), path=[[3, 0]])
    seat.refresh_from_db()
    sync = selectors.sync_for(battle=table.battle, seat=seat, after=number, tag=tag)
    assert (sync["status"], sync["last"]) == ("news", 1)
    assert [item["number"] for item in sync["news"]] == [1]
    assert [order.told for order in sync["orders"]] == ["done"]
    whole = selectors.sync_for(battle=table.battle, seat=seat)
    assert whole["status"] == "whole"
    for after in (-1000, 7):
        whole = selectors.sync_for(battle=table.battle, seat=seat, after=after, tag="")
        assert whole["status"] == "whole"
        assert whole["view"] == selectors.view_for(battle=table.battle, seat=seat)[0]
    assert view != whole["view"]


def test_the_demo_battle_of_a_system_is_made_once(db: None) -> None:
    battle, seats = demo_of("skirmish")
    assert demo_of("skirmish") == (battle, seats)
    assert Battle.objects.count() == 1
    assert [role for _, role, _ in seats] == ["umpire", "player", "player", "player", "player"]
    for name, _, code in seats:
        assert services.seat_join(code=code)[0].name == name
    services.seat_revoke(seat=Seat.objects.get(name=seats[1][0]))
    assert demo_of("skirmish")[1][1][2] != seats[1][2]
    assert not Entry.objects.exists()


def test_a_demo_battle_is_ready_of_each_game_that_is_offered(db: None) -> None:
    demos = prepare_demos()
    assert [title.partition(":")[0] for title, _ in demos] == ["FireForce", "Lock 'n Load"]
    assert all(path.startswith("/join/") for _, seats in demos for _, path in seats)
    assert [links for _, links in prepare_demos()] == [links for _, links in demos]
