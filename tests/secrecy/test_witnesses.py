"""Who has seen everything of a battle takes no side in it unnoticed: the umpire must allow it, and sees it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.api.chairs import Chair, Table, new_table
from umpire.battles.models import Device
from umpire.battles.services import device_create


@pytest.fixture
def owner(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("owner", password="a long password")


@pytest.fixture
def table(owner: Any) -> Table:
    return new_table(owner)


def join(code: str, *, browser: Client | None = None, token: str = "") -> Any:
    return Chair(token, client=browser).post("join", {"code": code, "device": "a tablet"})


def marks(table: Table, seat: str) -> list[bool]:
    seats = {one["name"]: one for one in table["umpire"].get(f"{table.at}/seats").json()}
    return [device.get("has_seen_everything", False) for device in seats[seat]["devices"]]


def must_be_refused(answer: Any) -> None:
    assert answer.status_code == 409
    assert answer.json()["type"] == "/problems/refused"
    assert "umpire" in answer.json()["detail"]


def test_the_browser_of_an_umpire_takes_no_players_seat(table: Table) -> None:
    browser = Client()
    token = join(table.codes["umpire"], browser=browser).json()["token"]
    assert Chair(token, table.battle.id, browser).view()
    must_be_refused(join(table.codes["blue_1"], browser=browser))
    assert Chair(token).send("DELETE", "session").status_code == 204  # the token is given back
    must_be_refused(join(table.codes["blue_1"], browser=browser))
    assert join(table.codes["observer"], browser=browser).status_code == 201
    assert join(table.codes["blue_1"], browser=Client()).status_code == 201
    assert marks(table, "blue_1") == [False, False]


@pytest.mark.parametrize("is_revoked", [False, True])
def test_the_token_of_an_umpire_takes_no_players_seat(table: Table, is_revoked: bool) -> None:
    umpire = table["umpire"]
    Device.objects.filter(seat__role="umpire").update(is_revoked=is_revoked)
    must_be_refused(join(table.codes["blue_1"], token=umpire.token))
    assert join(table.codes["blue_1"], token=table["blue_2"].token).status_code == 201
    assert join(table.codes["blue_1"], token="nonsense").status_code == 201


def test_an_umpire_of_another_battle_may_play(table: Table, owner: Any) -> None:
    other = new_table(owner)
    assert join(table.codes["blue_1"], token=other["umpire"].token).status_code == 201


def test_the_account_of_the_owner_takes_no_players_seat(table: Table, owner: Any) -> None:
    _, token = device_create(user=owner)
    must_be_refused(join(table.codes["blue_1"], token=token))
    browser = Client()
    browser.force_login(owner)
    must_be_refused(join(table.codes["blue_1"], browser=browser))
    assert Chair(battle=table.battle.id, client=browser).view()
    browser.logout()
    assert join(table.codes["blue_1"], browser=browser).status_code == 201  # logging out drops this client's cookies


def test_signing_out_does_not_make_one_forget(table: Table, owner: Any) -> None:
    browser = Client()
    chair = Chair(battle=table.battle.id, client=browser)
    assert chair.post("session", {"username": "owner", "password": "a long password"}).status_code == 200
    assert chair.view()
    csrf = chair.get("session").json()["csrf"]
    assert chair.send("DELETE", "session", X_CSRFToken=csrf).status_code == 204
    must_be_refused(join(table.codes["blue_1"], browser=browser))


def test_the_umpire_may_allow_it_and_sees_it(table: Table) -> None:
    browser = Client()
    token = join(table.codes["umpire"], browser=browser).json()["token"]
    Chair(token, table.battle.id, browser).view()
    seat = table.seats["blue_1"].id
    made = table["umpire"].post(f"seats/{seat}/code", {"admits_witnesses": True}).json()
    assert made["admits_witnesses"]
    joined = join(made["code"], browser=browser)
    assert joined.status_code == 201
    assert marks(table, "blue_1") == [False, True]
    again = table["umpire"].post(f"seats/{seat}/code").json()
    assert "admits_witnesses" not in again
    must_be_refused(join(again["code"], browser=browser))
    # What it may not say of itself, another seat of its own does not say for it.
    must_be_refused(join(table.codes["blue_2"], token=joined.json()["token"]))


def test_who_sees_everything_later_is_marked_too(table: Table) -> None:
    browser = Client()
    assert join(table.codes["blue_1"], browser=browser).status_code == 201
    assert marks(table, "blue_1") == [False, False]
    token = join(table.codes["umpire"], browser=browser).json()["token"]
    Chair(token, table.battle.id, browser).view()
    assert marks(table, "blue_1") == [False, True]


def test_the_cookie_lets_nobody_in_and_is_kept_from_scripts(table: Table) -> None:
    browser = Client()
    join(table.codes["blue_1"], browser=browser)
    cookie = browser.cookies["umpire_browser"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/api/"
    assert Chair(client=browser).get("session").status_code == 401
    assert cookie.value not in str(list(Device.objects.values()))
