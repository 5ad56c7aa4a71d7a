"""The OpenAPI document is true: answers are what it says, and no input that it allows breaks the server."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.api.chairs import Chair, Table


@pytest.fixture
def document(db: None) -> dict[str, Any]:
    told: dict[str, Any] = Chair().get("schema").json()
    return told


def test_every_operation_has_a_name_a_summary_and_its_problems(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(set(names)) == len(names) > 40
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (path, method)
            problems = [status for status in operation["responses"] if status >= "400"]
            for status in problems:
                assert list(operation["responses"][status]["content"]) == ["application/problem+json"]
            if "requestBody" in operation:
                assert operation["requestBody"]["required"]
                assert {"400", "422"} <= set(problems), (path, method)


def test_all_references_lead_somewhere(document: dict[str, Any]) -> None:
    def references(part: Any) -> set[str]:
        if isinstance(part, dict):
            own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
            return own.union(*(references(one) for one in part.values()))
        return set().union(*(references(one) for one in part)) if isinstance(part, list) else set()

    schemas = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert references(document) <= schemas


def test_the_orders_of_every_system_are_there(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert {one["$ref"].rpartition("/")[2] for one in schemas["Order"]["anyOf"]} >= {
        "fireforce.Order",
        "skirmish.Order",
    }
    assert schemas["skirmish.Move"]["properties"]["verb"] == {"enum": ["move"]}
    assert schemas["OrderBody"]["properties"]["order"] == {"$ref": "#/components/schemas/Order"}


PASSED_OVER = ("/session", "/join", "/revoke", "/finish", "/schema", "/rewind", "/open-order")
"""What would end the game that the others are tried out on."""


@pytest.mark.parametrize("who", ["umpire", "blue_2"])
def test_answers_are_what_the_document_says_and_no_input_breaks_the_server(
    document: dict[str, Any], table: Table, who: str
) -> None:
    chair = table[who]
    schema = schemathesis.openapi.from_dict(document)
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if not operation.path.endswith(PASSED_OVER):
            try_out(operation, chair)
            tried += 1
    assert tried > 30


def try_out(operation: Any, chair: Chair) -> None:
    """Random input as the document allows it to one operation; the chair holds answers against the document."""
    ids = {"battle_id": chair.battle, "system": "skirmish", "scenario": "the-lane"}

    @settings(max_examples=6, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=operation.as_strategy())
    def run(case: Any) -> None:
        path = case.path.removeprefix("/api/v1/").format(**{**case.path_parameters, **ids})
        asked = {name: value for name, value in case.query.items() if value is not None}
        headers = {"Idempotency_Key": uuid.uuid4().hex, "If_Match": chair.tag or '"x"'}
        body = case.body if case.method.upper() == "POST" and case.media_type else None
        answer = chair.send(case.method.upper(), f"{path}?{urlencode(asked)}" if asked else path, body, **headers)
        assert answer.status_code < 500, (case.method, path, body, answer.content)

    run()
