"""What an umpire does with his battles as a whole, and with their seats."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.api.chairs import Chair, Table
from umpire.battles.models import Battle, Device, Entry, Seat
from umpire.live import queries
from umpire.live.grants import Grant

pytestmark = pytest.mark.django_db

END_TURN = {"verb": "end_turn", "command": "blue_1"}


def seat_of(table: Table, name: str) -> dict[str, Any]:
    [found] = [seat for seat in table["umpire"].get(f"{table.at}/seats").json() if seat["name"] == name]
    return dict(found)


def finish(table: Table, **body: Any) -> None:
    assert table["umpire"].act(f"{table.at}/finish", body).status_code == 200


def test_a_battle_gets_another_title_and_is_put_away(table: Table) -> None:
    umpire = table["umpire"]
    changed = umpire.send("PATCH", table.at, {"title": "Tuesday's battle", "archived": True})
    assert (changed.json()["title"], changed.json()["archived"]) == ("Tuesday's battle", True)
    assert umpire.get(table.at).json() == changed.json()
    seen = table["blue_1"].get(table.at).json()
    assert seen["title"] == "Tuesday's battle"
    assert "archived" not in seen
    assert "archived" not in umpire.send("PATCH", table.at, {"archived": False}).json()
    assert umpire.send("PATCH", table.at, {"title": "   "}).status_code == 422


@pytest.mark.parametrize("who", ["blue_1", "observer"])
def test_only_the_umpire_does_any_of_it(table: Table, who: str) -> None:
    chair = table[who]
    assert chair.send("PATCH", table.at, {"title": "Mine"}).status_code == 404
    assert chair.send("DELETE", table.at).status_code == 404
    assert chair.act(f"{table.at}/copy").status_code == 404
    assert chair.act(f"{table.at}/reopen").status_code == 404
    assert chair.send("PATCH", f"seats/{seat_of(table, 'blue_1')['id']}", {"name": "Me"}).status_code == 404


def test_a_copy_begins_anew_with_the_same_seats_and_other_dice(table: Table) -> None:
    umpire = table["umpire"]
    added = umpire.act(f"{table.at}/seats", {"name": "second", "role": "player", "commands": ["blue_1", "blue_2"]})
    assert added.status_code == 201
    assert table["blue_1"].order(END_TURN).status_code == 201
    answer = umpire.act(f"{table.at}/copy", {"title": "Once more"}, "a-key")
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert made["battle"]["title"] == "Once more"
    assert made["battle"]["commitment"] != table.battle.commitment
    told = {seat["name"]: (seat["role"], tuple(seat.get("commands", ()))) for seat in made["seats"]}
    assert told == {seat.name: (seat.role, tuple(seat.commands)) for seat in table.battle.seats.all()}
    copy = Battle.objects.get(pk=made["battle"]["id"])
    assert copy.owner == table.battle.owner
    assert not Entry.objects.filter(battle=copy, kind="begun").exists()
    code = next(seat["code"] for seat in made["seats"] if seat["name"] == "second")
    assert Chair().post("join", {"code": code}).status_code == 201
    again = umpire.act(f"{table.at}/copy", {"title": "Once more"}, "a-key").json()
    assert again["battle"]["id"] == copy.pk
    assert all("code" not in seat for seat in again["seats"])


def test_a_finished_battle_goes_on_unless_its_record_is_open(table: Table) -> None:
    umpire = table["umpire"]
    assert umpire.act(f"{table.at}/reopen").status_code == 409
    finish(table)
    assert table["blue_1"].order(END_TURN).status_code == 409
    reopened = umpire.act(f"{table.at}/reopen")
    assert (reopened.status_code, reopened.json()["status"]) == (200, "running")
    told = table["blue_1"].get(f"{table.at}/news?after=0").json()["news"]
    assert told[-1]["lines"][0]["text"] == "The umpire has reopened the battle."
    table["blue_1"].view()
    assert table["blue_1"].order(END_TURN).status_code == 201
    finish(table, open=True)
    refused = umpire.act(f"{table.at}/reopen")
    assert refused.status_code == 409
    assert "copy" in refused.json()["refusals"][0]["reason"]


def test_a_battle_that_is_over_or_put_away_can_be_thrown_away(table: Table) -> None:
    umpire = table["umpire"]
    refused = umpire.send("DELETE", table.at)
    assert refused.status_code == 409
    assert "put it away" in refused.json()["refusals"][0]["reason"]
    finish(table)
    assert umpire.send("DELETE", table.at).status_code == 204
    assert not Battle.objects.filter(pk=table.battle.pk).exists()
    assert not Seat.objects.filter(battle=table.battle.pk).exists()
    assert table["blue_1"].get(f"{table.at}/view").status_code == 401


# Seats


def test_a_seat_is_renamed_where_the_name_is_free(table: Table) -> None:
    umpire, seat = table["umpire"], seat_of(table, "blue_1")
    path = f"seats/{seat['id']}"
    assert umpire.send("PATCH", path, {"name": "Anna's men"}).json()["name"] == "Anna's men"
    assert table["blue_1"].get("session").json()["name"] == "Anna's men"
    taken = umpire.send("PATCH", path, {"name": "blue_2"})
    assert (taken.status_code, taken.json()["errors"][0]["pointer"]) == (422, "/name")
    assert umpire.send("PATCH", path, {"name": "Anna's men"}).status_code == 200
    table["blue_1"].view()
    assert table["blue_1"].order(END_TURN).status_code == 201


def test_a_seat_that_is_handed_over_stays_until_the_next_device_has_it(table: Table) -> None:
    umpire, old = table["umpire"], table["blue_1"]
    seat = seat_of(table, "blue_1")
    renewed = umpire.post(f"seats/{seat['id']}/code", {"hands_over": True}).json()
    assert renewed["handed_over"] is True
    assert old.get("session").status_code == 200
    new = table.joined(renewed["code"])
    assert new.get("session").status_code == 200
    assert old.get("session").status_code == 401
    assert "handed_over" not in seat_of(table, "blue_1")
    third = table.joined(renewed["code"])  # a code seats as many as come
    assert (third.get("session").status_code, new.get("session").status_code) == (200, 200)


def test_an_assistant_umpire_sees_and_does_what_the_umpire_does(table: Table) -> None:
    made = table["umpire"].act(f"{table.at}/seats", {"name": "assistant", "role": "umpire"})
    assert made.status_code == 201, made.content
    assistant = table.joined(made.json()["code"])
    assert assistant.get(f"{table.at}/desk").json() == table["umpire"].get(f"{table.at}/desk").json()
    wrong = table["umpire"].act(f"{table.at}/seats", {"name": "x", "role": "umpire", "commands": ["blue_1"]})
    assert wrong.status_code == 422


def test_a_command_may_have_two_players(table: Table) -> None:
    made = table["umpire"].act(f"{table.at}/seats", {"name": "second", "role": "player", "commands": ["blue_1"]})
    second = table.joined(made.json()["code"])
    assert second.view() == table["blue_1"].view()


def test_the_umpire_knows_who_is_online(table: Table) -> None:
    assert seat_of(table, "blue_1")["online"] is True
    devices = Device.objects.filter(seat__name="blue_1")
    devices.update(last_seen=timezone.now() - timedelta(minutes=10))
    seat = seat_of(table, "blue_1")
    assert "online" not in seat
    assert "online" not in seat["devices"][0]
    device = devices.get()
    queries.note_online({Grant(seat=device.seat_id, device=device.pk)})  # as for a stream that is open
    assert seat_of(table, "blue_1")["online"] is True
