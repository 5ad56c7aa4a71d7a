"""Codes and passwords cannot be tried out quickly; whoever tries is told how long to wait, with Redis or without."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.test import Client

from tests.api.chairs import Chair, Table
from tests.server.processes import at_once
from umpire.api import throttles
from umpire.api.throttles import Counts, counts, place_of


@pytest.fixture
def rates(settings: Any) -> dict[str, str | None]:
    """The rates, to be set; time stands still in the middle of a minute."""
    found: dict[str, str | None] = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    before = dict(found)
    yield found
    found.update(before)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire.api.throttles.time.time", lambda: 1_000_000_010.0)


GUESSES = [("join", {"code": "ABCDE-FGHJK"}, 404), ("session", {"username": "owner", "password": "a guess"}, 401)]


@pytest.mark.parametrize(("path", "body", "status"), GUESSES)
def test_guesses_are_counted(table: Table, rates: Any, path: str, body: Any, status: int) -> None:
    rates["join"] = "3/min"
    assert [Chair().post(path, body).status_code for _ in range(4)] == [status] * 3 + [429]
    answer = Chair().post(path, body)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "/problems/throttled"
    assert int(answer.headers["Retry-After"]) > 0
    # Who sits already is not held up, nor is who only asks who he is.
    assert table["blue_1"].get("session").status_code == 200
    assert table["blue_1"].order({"verb": "end_turn", "command": "blue_1"}).status_code == 201


def from_(address: str, path: str, body: Any) -> int:
    return int(Chair(client=Client(REMOTE_ADDR=address)).post(path, body).status_code)


def test_addresses_of_one_network_are_one(owner: Any, rates: Any) -> None:
    """Whoever has an IPv6 address has 2^64 of them."""
    rates["join"] = "2/min"
    path, body, _ = GUESSES[0]
    assert [from_(f"2001:db8:7:1::{n:x}", path, body) for n in (1, 2, 3, 0xFFFF)] == [404, 404, 429, 429]
    assert from_("2001:db8:7:2::1", path, body) == 404
    assert [from_(f"192.0.2.{n}", path, body) for n in (1, 2, 3)] == [404] * 3
    assert place_of("::ffff:192.0.2.1") == place_of("192.0.2.1") != place_of("192.0.2.2")
    assert place_of("fe80::1%eth0") == place_of("fe80::2%eth1")
    assert len(place_of("x" * 100_000)) < 60


def test_guesses_at_one_account_are_counted_wherever_they_come_from(owner: Any, rates: Any) -> None:
    rates["account"] = "2/min"
    path, body, _ = GUESSES[1]
    tried = [
        from_(f"192.0.2.{n}", path, {**body, "username": name}) for n, name in enumerate(["owner", "Owner", "OWNER"])
    ]
    assert tried == [401, 401, 429]
    assert from_("192.0.2.9", path, {**body, "username": "somebody else"}) == 401


def test_what_a_seat_sends_is_counted_and_what_it_reads_is_not(table: Table, rates: Any) -> None:
    rates["seat"] = "2/min"
    chair, order = table["blue_1"], {"verb": "standing_orders", "command": "blue_1", "fire": "near"}
    assert [chair.order(order).status_code for _ in range(3)] == [201, 201, 429]
    assert chair.get(f"{table.at}/view").status_code == 200
    assert table["blue_2"].order({**order, "command": "blue_2"}).status_code == 201


def test_a_limit_comes_back_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the counts of the last minute were spread over it evenly."""
    mine, now = Counts(), [600.0]
    monkeypatch.setattr("umpire.api.throttles.time.time", lambda: now[0])
    assert [mine.wait("k", 4, 60) > 0 for _ in range(6)] == [False] * 4 + [True] * 2
    now[0] = 659.9
    assert mine.wait("k", 4, 60) > 0
    now[0] = 660
    wait = mine.wait("k", 4, 60)
    assert 0 < wait <= 15.1, "a quarter of the minute before has to pass for one of four"
    now[0] = 660 + wait + 0.1
    assert mine.wait("k", 4, 60) == 0
    assert mine.wait("k", 4, 60) > 0


def many_at_once(mine: Counts) -> list[float]:
    acts = [lambda: [mine.wait("many", 25, 60) for _ in range(10)]] * 8
    return [wait for waits in at_once(*acts) for wait in waits]


def test_many_at_the_same_moment_are_not_more_than_the_limit() -> None:
    assert sum(not wait for wait in many_at_once(Counts())) == 25


@pytest.mark.redis
def test_processes_count_together(redis_url: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "REDIS_WITHIN", 10)
    settings.REDIS_URL = redis_url
    first, second = Counts(), Counts()
    assert sum(not wait for wait in many_at_once(first)) == 25
    assert second.wait("many", 25, 60) > 0
    with redis.Redis.from_url(redis_url) as client:
        [name] = client.keys("umpire:count:*")
        assert 0 < client.ttl(name) <= 120


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a Redis that hangs: it lets one connect and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


def sick(kind: str, silent: str, redis_url: str) -> str:
    if kind == "hangs":
        return silent
    if kind == "down":
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
    assert kind == "has another password"
    return redis_url.replace("redis://", "redis://:wrong@")


@pytest.mark.redis
@pytest.mark.parametrize("kind", ["hangs", "down", "has another password"])
def test_without_redis_the_process_counts_for_itself(
    table: Table, rates: Any, settings: Any, silent: str, redis_url: str, kind: str
) -> None:
    settings.REDIS_URL = sick(kind, silent, redis_url)
    rates["join"] = "3/min"
    rates["seat"] = "1200/min"
    path, body, status = GUESSES[0]
    counts.is_away, counts.again_at = False, 0.0
    start = time.monotonic()
    assert [Chair().post(path, body).status_code for _ in range(5)] == [status] * 3 + [429] * 2
    assert table["blue_1"].order({"verb": "end_turn", "command": "blue_1"}).status_code == 201
    assert time.monotonic() - start < 5, "one of them has waited, a quarter of a second"
    counts.is_away = False


@pytest.mark.redis
def test_a_redis_that_is_full(redis_url: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Counts()
    settings.REDIS_URL = redis_url

    def full(*given: Any) -> None:
        raise redis.exceptions.OutOfMemoryError("command not allowed when used memory > 'maxmemory'.")

    monkeypatch.setattr(mine, "_added_in_redis", full)
    assert [mine.wait("k", 1, 60) > 0 for _ in range(2)] == [False, True]


def test_one_asks_whether_redis_is_there_again(silent: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight come at the same moment: one waits for it."""
    mine = Counts()
    mine.is_away = True
    settings.REDIS_URL = silent
    asked: list[int] = []

    def asks(*given: Any) -> None:
        asked.append(threading.get_ident())
        time.sleep(0.05)
        raise redis.exceptions.TimeoutError

    monkeypatch.setattr(mine, "_added_in_redis", asks)
    assert at_once(*[lambda: mine.wait("k", 5, 60)] * 5) == [0] * 5
    assert len(asked) == 1
