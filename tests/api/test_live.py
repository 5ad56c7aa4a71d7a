"""The event stream: a ticket opens it once, news comes as it happens, goes on where it broke off, and tells no more."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import redis
from django.contrib.sessions.models import Session
from django.utils import timezone

from tests.api.chairs import Chair, Table, new_table
from tests.api.serving import Heard, served
from tests.api.test_resources import unit_of
from umpire.battles.models import Battle, Device
from umpire.battles.services import device_create, device_revoke
from umpire.live import app, hub, wakes
from umpire.live.models import Ticket


@pytest.fixture
def shared(transactional_db: None, django_user_model: Any) -> Table:
    return new_table(django_user_model.objects.create_user("owner", password="a long password"))


@pytest.fixture
def base(shared: Table) -> Iterator[str]:
    with served() as address:
        yield address


def opened(base: str, chair: Chair, after: str = "", **headers: str) -> Heard:
    told = chair.post(f"battles/{chair.battle}/ticket").json()
    return Heard(base, told["url"] + after, **headers)


def move(chair: Chair, unit: str, to: int) -> Any:
    chair.view()
    answer = chair.order({"verb": "move", "unit": unit_of(chair, unit), "path": [[to, 0]]})
    assert answer.status_code == 201, answer.content
    return answer


def test_news_comes_as_it_happens(base: str, shared: Table) -> None:
    chair = shared["blue_2"]
    stream = opened(base, chair)
    assert stream.status == 200
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.headers["cache-control"] == "private, no-store"
    given = move(chair, "Cedar's scouts", 3).json()
    stream.wait(lambda: stream.news)
    known = chair.get(f"{shared.at}/news?after={given['last'] - 1}").json()
    assert stream.news == [{**known["news"][0], "etag": known["etag"]}]
    assert stream.events[0]["id"] == str(given["last"])
    assert [event["event"] for event in stream.events] == ["news"], "whoever has the news need not ask for anything"
    # What is no news wakes: a message between others on the umpire's desk does not, one's own question or message does.
    shared["umpire"].act(f"{shared.at}/messages", {"to": "blue_2", "text": "Well done."})
    stream.wait(lambda: len(stream.events) == 3)
    assert [event["event"] for event in stream.events] == ["news", "news", "wake"]
    assert stream.events[2]["data"] == "{}"
    stream.close()


def test_an_order_that_had_to_wait_wakes_its_giver_when_it_is_over(base: str, shared: Table) -> None:
    chair, umpire = shared["blue_2"], shared["umpire"]
    Battle.objects.update(options={"release": True})
    given = chair.order({"verb": "end_turn", "command": "blue_2"}).json()
    assert given["status"] == "given"
    stream, others = opened(base, chair), opened(base, shared["red_1"])
    assert chair.act(f"orders/{given['id']}/withdraw").json()["status"] == "withdrawn"
    stream.wait(lambda: stream.events)
    assert [event["event"] for event in stream.events] == ["wake"]
    assert umpire.act(f"{shared.at}/orders/release").status_code == 200
    assert [event["event"] for event in stream.events] == ["wake"]
    assert others.events == []
    stream.close()
    others.close()


def test_it_goes_on_where_it_broke_off(base: str, shared: Table) -> None:
    chair = shared["blue_2"]
    stream = opened(base, chair)
    first = move(chair, "Cedar's scouts", 3).json()["last"]
    stream.wait(lambda: stream.news)
    stream.close()
    assert shared["blue_1"].order({"verb": "end_turn", "command": "blue_1"}).status_code == 201
    chair.view()
    last = chair.order({"verb": "end_turn", "command": "blue_2"}).json()["last"]
    for again in (opened(base, chair, Last_Event_ID=str(first)), opened(base, chair, after=f"&after={first}")):
        again.wait(lambda again=again: len(again.news) == last - first)
        assert [item["number"] for item in again.news] == list(range(first + 1, last + 1))
        assert "etag" not in again.news[0]
        assert f'"{again.news[-1]["etag"]}"' == chair.tag
        again.close()


def test_a_ticket_is_good_once_and_for_a_minute(base: str, shared: Table) -> None:
    chair = shared["blue_1"]
    url = chair.post(f"{shared.at}/ticket").json()["url"]
    ticket = url.partition("=")[2]
    assert not Ticket.objects.filter(hash=ticket).exists()
    stream = Heard(base, url)
    assert stream.status == 200
    stream.close()
    old = chair.post(f"{shared.at}/ticket").json()["url"]
    Ticket.objects.update(expires=timezone.now() - timedelta(seconds=1))
    answers = [httpx.get(base + one) for one in (url, old, "/live/?ticket=nothing", "/live/", "/live/?ticket=%00")]
    assert {(answer.status_code, answer.content) for answer in answers} == {(401, answers[0].content)}
    assert answers[0].headers["content-type"] == "application/problem+json"


def test_what_is_no_stream_is_a_problem(base: str, shared: Table) -> None:
    url = shared["blue_1"].post(f"{shared.at}/ticket").json()["url"]
    assert httpx.post(base + url).status_code == 404
    assert httpx.get(f"{base}/live/other").status_code == 404
    wrong = httpx.get(base + url, headers={"Last-Event-ID": "many"})
    assert wrong.status_code == 400
    assert "Last-Event-ID" in wrong.json()["detail"]
    for more in ("&colour=red", "&colour", "&ticket=another"):
        assert httpx.get(base + url + more).status_code == 400


def test_the_umpire_ends_a_stream_with_its_seat(base: str, shared: Table) -> None:
    chair = shared["blue_1"]
    stream = opened(base, chair)
    other = opened(base, shared["blue_2"])
    revoked = shared["umpire"].act(f"seats/{shared.seats['blue_1'].id}/revoke")
    assert revoked.status_code == 200
    stream.wait(lambda: stream.is_closed, seconds=2)
    assert not other.is_closed
    assert stream.events == []
    other.close()


def test_a_revoked_device_is_noticed_by_the_slow_look(base: str, shared: Table, monkeypatch: Any) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.1)
    stream = opened(base, shared["blue_1"])
    Device.objects.filter(seat=shared.seats["blue_1"]).update(is_revoked=True)
    stream.wait(lambda: stream.is_closed)


@pytest.mark.parametrize("how", ["signs out", "changes the password", "is put to rest", "loses the battle", "expires"])
def test_an_accounts_stream_and_ticket_end_with_it(
    base: str, shared: Table, monkeypatch: Any, django_user_model: Any, how: str
) -> None:
    """What an account saw goes on flowing to nobody: neither on the open stream nor by a ticket not yet used."""
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.1)
    owner = django_user_model.objects.get(username="owner")
    account = Chair(battle=shared.battle.id)
    account.client.force_login(owner)
    csrf = {"X_CSRFToken": account.get("session").json()["csrf"]}
    first, unused = [account.post(f"{shared.at}/ticket", **csrf).json()["url"] for _ in range(2)]
    stream = Heard(base, first)
    stream.wait(lambda: stream.text)
    assert not stream.is_closed
    if how == "signs out":
        assert account.send("DELETE", "session", **csrf).status_code == 204
    elif how == "changes the password":
        owner.set_password("another long password")
        owner.save()
    elif how == "is put to rest":
        django_user_model.objects.update(is_active=False)
    elif how == "loses the battle":
        Battle.objects.update(owner=django_user_model.objects.create_user("another"))
    else:
        Session.objects.update(expire_date=timezone.now())
    move(shared["blue_2"], "Cedar's scouts", 3)
    stream.wait(lambda: stream.is_closed, seconds=2)
    assert stream.news == []
    assert httpx.get(base + unused).status_code == 401


def test_a_stream_by_an_accounts_token_ends_with_token_and_account(
    base: str, shared: Table, monkeypatch: Any, django_user_model: Any
) -> None:
    owner = django_user_model.objects.get(username="owner")
    devices = [device_create(user=owner) for _ in range(2)]
    given, rest = [opened(base, Chair(token, shared.battle.id)) for _, token in devices]
    device_revoke(device=devices[0][0])
    given.wait(lambda: given.is_closed, seconds=2)  # at once, not at the slow look
    assert not rest.is_closed
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.1)
    django_user_model.objects.update(is_active=False)
    rest.wait(lambda: rest.is_closed)


def test_news_of_another_process_is_noticed_by_the_slow_look(base: str, shared: Table, monkeypatch: Any) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(wakes, "announce", lambda seats, woken=(): None)
    stream = opened(base, shared["blue_2"])
    move(shared["blue_2"], "Cedar's scouts", 3)
    stream.wait(lambda: stream.news)
    stream.close()


def test_a_quiet_stream_says_that_it_is_there(base: str, shared: Table, monkeypatch: Any) -> None:
    monkeypatch.setattr(app, "HEARTBEAT_SECONDS", 0.1)
    stream = opened(base, shared["blue_1"])
    stream.wait(lambda: stream.text.count(": still here\n\n") >= 2)
    assert stream.events == []
    stream.close()


def test_what_others_do_in_hiding_sends_nothing(base: str, shared: Table) -> None:
    umpire = shared["umpire"]
    quiet = [opened(base, shared[name]) for name in ("blue_1", "blue_2", "observer")]
    loud = opened(base, umpire)
    thorn = unit_of(umpire, "Thorn's band")
    body = {"correction": {"verb": "place", "unit": thorn, "at": 6}, "reason": "hidden"}
    assert umpire.act(f"{shared.at}/corrections", body).status_code == 201
    loud.wait(lambda: loud.news)
    time.sleep(0.3)
    assert [stream.text for stream in quiet] == [f"retry: {app.RETRY_MILLISECONDS}\n\n"] * 3
    for stream in [*quiet, loud]:
        stream.close()


def test_open_streams_hold_neither_thread_nor_connection(base: str, shared: Table) -> None:
    before = threading.active_count()
    streams = [opened(base, shared["blue_1"]) for _ in range(30)]
    for stream in streams:
        stream.wait(lambda stream=stream: stream.text)
    readers = [thread for thread in threading.enumerate() if thread.name.startswith("live-reader")]
    assert len(readers) <= hub.READERS
    # Each stream has one thread of the test's own, which reads it.
    assert threading.active_count() - before <= len(streams) + hub.READERS + 2
    for stream in streams:
        stream.close()


@pytest.mark.redis
def test_wakes_go_by_redis(shared: Table, redis_url: str, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 60)
    settings.REDIS_URL = redis_url
    with served() as base:
        stream = opened(base, shared["blue_2"])
        stream.wait(lambda: stream.text)

        client = redis.Redis.from_url(redis_url)
        stream.wait(lambda: client.pubsub_numsub(wakes.CHANNEL)[0][1] > 0)
        move(shared["blue_2"], "Cedar's scouts", 3)
        stream.wait(lambda: stream.news)
        stream.close()


def test_the_slow_look_serves_while_redis_is_away(shared: Table, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.1)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with served() as base:
        stream = opened(base, shared["blue_2"])
        move(shared["blue_2"], "Cedar's scouts", 3)
        stream.wait(lambda: stream.news)
        stream.close()


def test_the_umpire_is_woken_for_an_order_that_waits_for_him(transactional_db: None, django_user_model: Any) -> None:
    table = new_table(django_user_model.objects.create_user("owner", password="a long password"), release=True)
    with served() as base:
        umpire, player = opened(base, table["umpire"]), opened(base, table["blue_1"])
        table["blue_1"].view()
        assert table["blue_1"].order({"verb": "end_turn", "command": "blue_1"}).json()["status"] == "given"
        umpire.wait(lambda: umpire.events)
        assert {event["event"] for event in umpire.events} == {"wake"}
        assert player.events == []
        umpire.close()
        player.close()
