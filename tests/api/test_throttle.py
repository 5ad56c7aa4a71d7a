"""Codes and passwords cannot be tried out quickly; whoever tries is told how long to wait."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.throttling import ScopedRateThrottle

from tests.api.chairs import Chair, Table


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("join", {"code": "ABCDE-FGHJK"}, 404), ("session", {"username": "owner", "password": "a guess"}, 401)],
)
def test_guesses_are_counted(table: Table, monkeypatch: Any, path: str, body: Any, status: int) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"join": "3/min"})
    assert [Chair().post(path, body).status_code for _ in range(4)] == [status] * 3 + [429]
    answer = Chair().post(path, body)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "/problems/throttled"
    assert int(answer.headers["Retry-After"]) > 0
    # Who sits already is not held up, nor is who only asks who he is.
    assert table["blue_1"].get("session").status_code == 200
    assert table["blue_1"].order({"verb": "end_turn", "command": "blue_1"}).status_code == 201
