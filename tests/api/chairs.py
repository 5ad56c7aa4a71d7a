"""A battle of the toy game over REST, with a client for each seat; for tests of several folders."""

from __future__ import annotations

import uuid
from typing import Any

import msgspec
from django.test import Client

from tests.api.truth import must_be_told
from umpire.battles.models import Battle, Seat
from umpire.battles.services import battle_create, seat_create
from umpire.kernel.registry import register
from umpire.testing.skirmish import PACKAGE

register(PACKAGE)


class Chair:
    """A client on a seat: sends the seat's token, and a key with whatever acts."""

    def __init__(self, token: str = "", battle: str = "", client: Client | None = None) -> None:
        self.token, self.battle = token, battle
        self.client = client or Client()
        self.tag = ""

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer to a request; `body` is JSON, or bytes as they are."""
        extra: dict[str, Any] = {"headers": {name.replace("_", "-"): value for name, value in headers.items()}}
        if self.token:
            extra["headers"].setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            extra["content_type"] = "application/json"
            extra["data"] = body if isinstance(body, bytes) else msgspec.json.encode(body)
        answer = self.client.generic(method, f"/api/v1/{path}", **extra)
        must_be_told(method, f"/api/v1/{path}", answer)
        return answer

    def get(self, path: str, **headers: str) -> Any:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("POST", path, {} if body is None else body, **headers)

    def act(self, path: str, body: Any = None, key: str = "", **headers: str) -> Any:
        return self.post(path, body, Idempotency_Key=key or uuid.uuid4().hex, **headers)

    def view(self) -> dict[str, Any]:
        answer = self.get(f"battles/{self.battle}/view")
        assert answer.status_code == 200, answer.content
        self.tag = answer.headers["ETag"]
        return answer.json()["view"]

    def order(self, order: Any, key: str = "", **headers: str) -> Any:
        if "If_Match" not in headers and not self.tag:
            self.view()
        headers.setdefault("If_Match", self.tag)
        answer = self.act(f"battles/{self.battle}/orders", {"order": order}, key, **headers)
        if answer.status_code == 201:
            self.tag = f'"{answer.json()["etag"]}"'
        return answer


class Table:
    """A battle and its seats: `umpire`, one chair a command, `observer`, and a `stranger` who has none."""

    def __init__(self, battle: Battle, codes: dict[str, str]) -> None:
        self.battle, self.codes = battle, codes
        self.seats = {seat.name: seat for seat in battle.seats.all()}
        self.chairs = {name: self.joined(code) for name, code in codes.items()}

    @property
    def at(self) -> str:
        return f"battles/{self.battle.id}"

    def joined(self, code: str) -> Chair:
        answer = Chair().post("join", {"code": code, "device": "a test"})
        assert answer.status_code == 201, answer.content
        return Chair(answer.json()["token"], self.battle.id)

    def __getitem__(self, name: str) -> Chair:
        return self.chairs[name]


def new_table(owner: Any, *, scenario: str = "the-lane", title: str = "Monday's battle", **options: Any) -> Table:
    battle, seats = battle_create(owner=owner, system="skirmish", scenario=scenario, title=title, options=options)
    umpire = next(seat for seat, _ in seats if seat.role == Seat.Role.UMPIRE)
    observer = seat_create(battle=battle, by=umpire, name="observer", role="observer")
    codes = {seat.name if seat.role != "umpire" else "umpire": code for seat, code in [*seats, observer]}
    return Table(battle, codes)
