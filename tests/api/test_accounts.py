"""How an umpire gets in: an account without a password, and links that sign in to it once."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import quote

import pytest
import segno
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.api.chairs import Chair, Table
from tests.server.processes import at_once
from umpire import embedded
from umpire.api import addresses
from umpire.battles.services import first_account, sign_in_token
from umpire.serving import network
from umpire.settings import base

pytestmark = pytest.mark.django_db


def follow(token: str, client: Client | None = None, **more: str) -> Any:
    chair = Chair(client=client or Client(enforce_csrf_checks=True))
    return chair, chair.post("session/link", {"token": token, **more})


def test_the_first_start_makes_an_account_and_says_how_to_sign_in() -> None:
    found = embedded.ready()
    path, _, token = found.sign_in.partition("#")
    assert (path, found.account) == ("/sign-in", "Umpire")
    assert not get_user_model().objects.get().has_usable_password()
    chair, answer = follow(token)
    assert (answer.status_code, answer.json()["name"]) == (200, "Umpire")
    assert chair.get("session").json()["kind"] == "account"
    mine = {battle["system"] for battle in chair.get("battles").json()}
    assert mine >= {"fireforce", "lnl"}


def test_a_further_start_has_the_same_account_and_another_link() -> None:
    first, second = embedded.ready(), embedded.ready()
    assert first.account == second.account
    assert follow(second.sign_in.partition("#")[2])[1].status_code == 200


def test_a_link_is_good_once() -> None:
    token = sign_in_token(account=first_account())
    assert follow(token)[1].status_code == 200
    answer = follow(token)[1]
    assert (answer.status_code, answer.json()["type"]) == (401, "/problems/not-authenticated")
    assert "used" in answer.json()["detail"]


def test_a_link_is_good_once_also_within_a_second_of_the_sign_in_before() -> None:
    account = first_account()
    account.last_login = timezone.now() + timedelta(milliseconds=1)
    account.save()
    token = sign_in_token(account=account)
    assert [follow(token)[1].status_code for _ in range(2)] == [200, 401]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_follow_a_link_at_once_one_signs_in() -> None:
    token = sign_in_token(account=first_account())
    answers = at_once(lambda: follow(token)[1].status_code, lambda: follow(token)[1].status_code)
    assert sorted(answers) == [200, 401]


@pytest.mark.parametrize("token", ["1", "1.", "x.y", "1.abc-def", "99.abc-def", "-1.a", "٣.a"])
def test_whatever_is_no_link_lets_nobody_in(token: str) -> None:
    first_account()
    chair, answer = follow(token)
    assert answer.status_code == 401
    assert chair.get("session").status_code == 401


def test_a_link_too_old_and_one_of_an_account_that_was_closed_let_nobody_in(settings: Any) -> None:
    account = first_account()
    token = sign_in_token(account=account)
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert follow(token)[1].status_code == 401
    settings.PASSWORD_RESET_TIMEOUT = 1000
    account.is_active = False
    account.save()
    assert follow(token)[1].status_code == 401


def test_who_signs_in_for_the_first_time_says_what_he_is_called() -> None:
    stranger = Chair()
    assert stranger.get("start").json() == {"has_umpire": False}
    token = sign_in_token(account=first_account())
    assert stranger.get("start").json() == {"has_umpire": False}
    chair, answer = follow(token, name="Marshal")
    assert answer.json()["name"] == "Marshal"
    assert stranger.get("start").json() == {"has_umpire": True}
    csrf = answer.json()["csrf"]
    assert chair.send("PATCH", "session", {"name": "Referee"}).status_code == 401
    assert chair.send("PATCH", "session", {"name": "Referee"}, X_CSRFToken=csrf).json()["name"] == "Referee"


def test_a_name_that_is_taken_leaves_the_link_good(owner: Any) -> None:
    token = sign_in_token(account=get_user_model().objects.create_user("second"))
    chair, answer = follow(token, name="owner")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/name")
    assert chair.get("session").status_code == 401
    assert follow(token, name="Marshal")[1].json()["name"] == "Marshal"


def test_an_account_may_have_a_password_and_stays_signed_in() -> None:
    token = sign_in_token(account=first_account())
    chair, answer = follow(token)
    csrf = answer.json()["csrf"]
    weak = chair.send("PATCH", "session", {"password": "umpire"}, X_CSRFToken=csrf)
    assert weak.status_code == 422
    assert weak.json()["errors"][0]["pointer"] == "/password"
    assert chair.send("PATCH", "session", {"password": "forty-two tanks"}, X_CSRFToken=csrf).status_code == 200
    assert chair.get("session").status_code == 200
    elsewhere = Chair().post("session", {"username": "Umpire", "password": "forty-two tanks"})
    assert elsewhere.status_code == 200


def test_a_name_that_is_taken_is_refused(owner: Any) -> None:
    token = sign_in_token(account=get_user_model().objects.create_user("second"))
    chair, answer = follow(token)
    taken = chair.send("PATCH", "session", {"name": "owner"}, X_CSRFToken=answer.json()["csrf"])
    assert taken.status_code == 422
    assert taken.json()["errors"][0]["pointer"] == "/name"
    assert chair.get("session").json()["name"] == "second"


def test_a_seat_has_no_account_to_change(table: Table) -> None:
    assert table["umpire"].send("PATCH", "session", {"name": "Marshal"}).status_code == 404


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("sign_in_link", *arguments, stdout=out)
    return out.getvalue().strip()


def test_the_command_prints_a_link_for_the_first_account_or_a_named_one() -> None:
    assert said("--address", "https://club.example/").startswith("https://club.example/sign-in#")
    with pytest.raises(CommandError, match=r"no account is called 'Second'.*Umpire"):
        said("Second")
    _, answer = follow(said("Second", "--new").partition("#")[2])
    assert answer.json()["name"] == "Second"


# Addresses


@pytest.fixture
def evening(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.IS_ONE_EVENING = True
    monkeypatch.setattr(addresses, "addresses", lambda: ("192.168.1.20", "10.0.0.7"))
    monkeypatch.setattr(addresses, "_opened", set())


def test_the_umpire_is_told_where_tablets_find_the_server_and_when_one_has(evening: None, table: Table) -> None:
    umpire = table["umpire"]
    there = umpire.get("addresses", Host="localhost:8000").json()
    assert there == [{"address": "http://192.168.1.20:8000"}, {"address": "http://10.0.0.7:8000"}]
    own = Chair(client=Client(REMOTE_ADDR="192.168.1.20"))
    own.get("start", Host="192.168.1.20:8000")  # this machine itself
    Chair(client=Client(REMOTE_ADDR="127.0.0.1")).get("start", Host="192.168.1.20:8000")
    Chair(client=Client(REMOTE_ADDR="192.168.1.31")).get("start", Host="elsewhere.example")
    assert umpire.get("addresses", Host="localhost:8000").json() == there
    Chair(client=Client(REMOTE_ADDR="192.168.1.31")).get("start", Host="192.168.1.20:8000")
    assert umpire.get("addresses", Host="localhost:8000").json()[0] == {**there[0], "opened": True}
    assert table["blue_1"].get("addresses").status_code == 404


def test_links_and_pictures_carry_an_address_that_tablets_can_open(evening: None, table: Table) -> None:
    umpire = table["umpire"]
    made = umpire.act(f"{table.at}/seats", {"name": "press", "role": "observer"}, Host="localhost:8000").json()
    assert made["link"] == f"http://192.168.1.20:8000/join/{made['code']}"
    other = f"http://10.0.0.7:8000/join/{made['code']}"
    drawn = umpire.get("picture?text=" + quote(other, safe="")).json()["svg"]
    assert drawn == segno.make(other, error="m").svg_inline(scale=4, border=2)
    there = umpire.act(f"{table.at}/seats", {"name": "second"}, Host="10.0.0.7:8000").json()
    assert there["link"].startswith("http://10.0.0.7:8000/join/")
    assert table["blue_1"].get("picture?text=x").status_code == 404
    assert umpire.get("picture?text=" + "x" * 301).status_code == 422


def test_a_hosted_server_has_the_address_it_was_asked_at(table: Table) -> None:
    assert table["umpire"].get("addresses", Host="club.example").json() == [{"address": "http://club.example"}]


def test_the_machines_own_addresses_are_those_of_its_network() -> None:
    for each in network.addresses():
        assert not each.startswith(("127.", "169.254."))


def test_twenty_tablets_come_in_from_one_address_in_a_minute(owner: Any, table: Table, settings: Any) -> None:
    settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] |= base.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    try:
        for number in range(20):
            tablet = Chair(client=Client(REMOTE_ADDR="192.168.1.40"))
            assert tablet.get("start").status_code == 200
            joined = tablet.post("join", {"code": table.codes["blue_1"], "device": f"tablet {number}"})
            assert joined.status_code == 201
    finally:
        settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] |= dict.fromkeys(("anon", "join", "account", "seat"))
