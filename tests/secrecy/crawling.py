"""Walks every operation of the OpenAPI schema as one who sits at a table, and looks for what he must not be told."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from tests.api.chairs import Chair, Table
from umpire.battles.models import Battle, Device, Message, Order, Question, Seat
from umpire.campaigns.models import Campaign

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MOST = {"GET": 40, "POST": 30}
FEW = 4
"""Requests of one method to one path: the first so many of all combinations."""


class Hit(Struct, frozen=True):
    """A canary that was found: in which answer to which request."""

    method: str
    path: str
    place: str
    canary: str


def found_in(text: str, canaries: Iterable[str]) -> list[str]:
    """Which canaries stand in a text, however its letters are written."""
    plain = text.lower()
    return [canary for canary in canaries if canary.lower() in plain]


def pool_of(tables: Iterable[Table]) -> dict[str, list[str]]:
    """Values for the parameters of paths and queries: all ids that there are, of whatever battle, and none."""
    battles = [table.battle.id for table in tables]
    units = [
        name
        for seat in Seat.objects.filter(battle__in=battles)
        for name in re.findall(r'"(p[a-z0-9]{9})"', bytes(seat.last_view).decode())
    ]
    return {
        "battle_id": battles,
        "order_id": [*Order.objects.values_list("id", flat=True)[:6], "nothing"],
        "message_id": [*Message.objects.values_list("id", flat=True)[:6], "nothing"],
        "seat_id": [*Seat.objects.values_list("id", flat=True)],
        "campaign_id": [*Campaign.objects.values_list("id", flat=True)[:6], "nothing"],
        "question_id": [*Question.objects.values_list("id", flat=True)[:6], "nothing"],
        "system": ["skirmish"],
        "scenario": [Battle.objects.values_list("scenario", flat=True)[0]],
        "unit": ["", *dict.fromkeys(units)],
        "all": ["", "true"],
        "as": ["", *dict.fromkeys(Seat.objects.values_list("name", flat=True))],
        "device_id": [*Device.objects.values_list("id", flat=True)[:6], "nothing"],
        "orders": ["", "0"],
        "after": ["0"],
        "from": ["2,5,0", "6,3,0"],
        "to": ["", "6,2,1"],
        "before": ["", "100000"],
        "limit": ["200"],
        "tag": [""],
        "text": ["http://testserver/join/AAAAA-AAAAA"],
    }


def bodies_for(name: str, pool: Mapping[str, list[str]]) -> list[Any]:
    """Bodies for an operation by the schema of its body: what might make an answer say more than it should."""
    units = [unit for unit in pool["unit"] if unit]
    orders: list[Any] = [{"verb": "fire", "unit": one, "target": other} for one in units[:2] for other in units]
    orders += [{"verb": "move", "unit": unit, "path": [[at, 0]]} for unit in units for at in (3, 5)]
    orders += [{"verb": "assault", "unit": unit, "at": [5, 0]} for unit in units]
    orders += [{"verb": "give_plan", "unit": unit, "goal": 3} for unit in units]
    known: dict[str, list[Any]] = {
        "OrderBody": [{"order": order} for order in orders] + [{"order": orders[0], "for": "red_1"}],
        "AskedOrder": [{"order": order} for order in orders] + [{"order": orders[0], "for": "red_1"}],
        "Answer": [{"choices": units[:1]}, {"choices": []}, {"faces": [3]}],
        "CorrectionBody": [{"correction": {"verb": "remove", "unit": unit}, "reason": "x"} for unit in units],
        "AskedCorrection": [{"correction": {"verb": "remove", "unit": unit}} for unit in units],
        "Rewind": [{"depth": 0, "reason": "x"}],
        "OpenOrder": [{"do": "stop", "reason": "x"}],
        "Finish": [{"open": True}],
        "NewMessage": [{"to": "umpire", "text": "x"}, {"to": "green", "text": "x"}],
        "Delivery": [{}],
        "Delay": [{"due": 3}],
        "NewSeat": [{"name": "x", "role": "observer"}],
        "NewPlan": [{"force": unit, "plan": {"goal": 3}} for unit in units],
        "AskRoute": [{"force": unit, "goal": [3, 0]} for unit in units],
        "NewBattle": [{"system": "skirmish", "scenario": pool["scenario"][0]}, {"system": "skirmish", "scenario": "x"}],
        "NewDevice": [{"device": "x"}],
        "Join": [{"code": "AAAAA-AAAAA"}],
        "SignIn": [{"username": "owner", "password": "x"}],
        "SignInLink": [{"token": "1.abc-0123"}],
        "AccountChange": [{"name": "x"}],
        "BattleChange": [{"title": "x"}, {"archived": True}],
        "BattleCopy": [{"title": "x"}],
        "SeatChange": [{"name": "x"}],
        "Release": [{}],
    }
    return [*known.get(name, []), {}]


def requests_of(schema: Mapping[str, Any], pool: Mapping[str, list[str]]) -> Iterator[tuple[str, str, str, Any]]:
    """Method, path as the schema has it, as it is sent with its query, and body of each request of the crawl; methods
    the schema does not name too."""
    for template, operations in schema["paths"].items():
        if not template.startswith("/api/v1/"):
            continue  # streams are listened to while the crawl goes on
        names = re.findall(r"{(\w+)}", template)
        query = [
            parameter["name"]
            for parameter in operations.get("get", {}).get("parameters", [])
            if parameter["in"] == "query"
        ]
        unknown = [name for name in (*names, *query) if name not in pool]
        assert not unknown, f"the crawl has no values for {unknown} of {template}"
        for method in METHODS:
            operation = operations.get(method.lower(), {})
            content = operation.get("requestBody", {}).get("content", {})
            reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
            bodies = bodies_for(reference.rpartition("/")[2], pool) if method in ("POST", "PUT", "PATCH") else [None]
            asked = query if method in ("GET", "HEAD") else []
            ways = itertools.product(bodies, *(pool[name] for name in (*names, *asked)))
            for body, *values in itertools.islice(ways, MOST.get(method, FEW)):
                filled = dict(zip((*names, *asked), values, strict=True))
                path = template.removeprefix("/api/v1/").format(**filled)
                questions = "&".join(f"{name}={filled[name]}" for name in asked if filled[name])
                yield method, template, f"{path}?{questions}" if questions else path, body


def crawl(
    chair: Chair,
    schema: Mapping[str, Any],
    pool: Mapping[str, list[str]],
    canaries: Iterable[str],
    *,
    is_first_enough: bool = False,
) -> tuple[list[Hit], set[tuple[str, str]]]:
    """All hits of one crawl, and which operations gave an answer. The chair's token is given back last of all, for that
    ends its seat. `is_first_enough` stops at the first hit."""
    listed = list(canaries)
    hits: list[Hit] = []
    answered: set[tuple[str, str]] = set()
    requests = sorted(requests_of(schema, pool), key=lambda request: request[0] == "DELETE" and "session" in request[1])
    for number, (method, template, path, body) in enumerate(requests):
        headers = {"Idempotency_Key": f"crawl-{number}", "If_Match": chair.tag or '"x"'}
        answer = chair.send(method, path, body, **headers)
        assert answer.status_code < 500, (method, path, body, answer.content)
        must_be_private(answer, path)
        if answer.status_code < 300:
            answered.add((method, template))
        said = {"body": answer.content.decode(), "cookies": str(answer.cookies)}
        said |= {f"header {name}": value for name, value in answer.headers.items()}
        hits += [Hit(method, path, place, canary) for place, text in said.items() for canary in found_in(text, listed)]
        if hits and is_first_enough:
            break
    return hits, answered


def must_be_private(answer: Any, path: str) -> None:
    """No cache between may keep it, and none may give it to another."""
    if path.startswith("docs"):
        return
    assert answer.headers["Cache-Control"] == "private, no-store", path
    assert {"Authorization", "Cookie"} <= set(answer.headers["Vary"].replace(" ", "").split(",")), path
