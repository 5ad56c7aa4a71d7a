"""The OpenAPI document is true: answers are what it says, and no input that it allows breaks the server."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
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
    told = {"fireforce", "lnl", "skirmish"}
    for name in ("OrderBody", "OrderCard", "CorrectionBody", "NewPlan", "ViewAnswer", "SyncAnswer", "Scene"):
        assert set(schemas[name]["discriminator"]["mapping"]) == told, name
        assert schemas[name]["discriminator"]["propertyName"] == "system"
    assert schemas["SkirmishOrderBody"]["properties"]["system"]["enum"] == ["skirmish"]
    assert schemas["SkirmishOrderBody"]["properties"]["order"] == {"$ref": "#/components/schemas/SkirmishOrder"}
    assert schemas["SkirmishMove"]["properties"]["verb"]["enum"] == ["move"]
    assert schemas["LnlViewAnswer"]["properties"]["view"] == {"$ref": "#/components/schemas/LnlView"}
    assert "force" not in schemas["LnlPlanFields"]["properties"]


def test_who_speaks_of_another_system_is_told_so(table: Table) -> None:
    chair = table["blue_1"]
    order = {"verb": "end_turn", "command": "blue_1"}
    chair.view()
    wrong = chair.act(f"{table.at}/orders", {"system": "lnl", "order": order}, If_Match=chair.tag)
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/system")
    assert "skirmish" in wrong.json()["errors"][0]["right"]
    right = chair.act(f"{table.at}/orders", {"system": "skirmish", "order": order}, If_Match=chair.tag)
    assert (right.status_code, right.json()["system"]) == (201, "skirmish")


FREE = {
    "Form.fixed": "a part of an order, in whose words it is",
    "Part.fixed": "the same of an entry of a list",
    "NewsItem.patch": "a merge patch, by which any part of a view may go",
    "RecordEntry.entry": "the ledger of a battle that is over, as it was kept",
    "LedgerLine.working": "the working of an entry, for the umpire",
    "HouseValue.value": "a value of a table, of whatever kind it is",
    "BattleOfCampaign.result": "the umpire's, as a battle's system has it",
    "ResultCard.result": "the same",
    "LineOfSide.change": "from what to what a roster changed",
    "LineOfCampaign.change": "the same",
    "NewBattle.options": "what the scenario lets people choose, by its `options`",
    "Schema.info": "this document itself",
    "Schema.servers": "the same",
    "Schema.paths": "the same",
    "Schema.components": "the same",
}
"""Where anything may stand, and why."""
HAND = {f"{system}{deed}" for system in ("Fireforce", "Lnl") for deed in ("Change.value", "ShowContact.looks")}
"""What the umpire's hand sets may be of any kind that the piece's field has."""


def test_everything_has_a_type(document: dict[str, Any]) -> None:
    """Nothing that goes out or comes in is just any JSON, but for what is listed."""

    def is_free(schema: dict[str, Any]) -> bool:
        if "$ref" in schema or "oneOf" in schema:
            return False
        if schema.get("type") == "array":
            return is_free(schema["items"])
        if schema.get("type") == "object" and "properties" not in schema:
            within = schema.get("additionalProperties", True)
            return within is True or (within is not False and is_free(within))
        return "type" not in schema

    schemas = document["components"]["schemas"]
    free = {
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, told in schema.get("properties", {}).items()
        if is_free(told)
    }
    assert free == set(FREE) | HAND
    bodies = [
        content["schema"]
        for operations in document["paths"].values()
        for operation in operations.values()
        for told in [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in told.get("content", {}).values()
    ]
    assert len(bodies) > 100
    assert not [each for each in bodies if is_free(each)]


# What generators of clients stumble over


def objects(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
    if isinstance(part, dict | list):
        for one in part.values() if isinstance(part, dict) else part:
            yield from objects(one)


def test_unions_are_named_and_told_apart(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    unions = {name: schema for name, schema in schemas.items() if "oneOf" in schema}
    assert len(unions) > 15
    for name, union in unions.items():
        choices = {one["$ref"].rpartition("/")[2] for one in union["oneOf"]}
        field, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert {to.rpartition("/")[2] for to in mapping.values()} == choices, name
        for tag, to in mapping.items():
            choice = schemas[to.rpartition("/")[2]]
            assert choice["properties"][field]["enum"] == [tag], (name, tag)
            assert field in choice["required"], (name, tag)
    everywhere = [part for part in objects(document) if "oneOf" in part or "anyOf" in part]
    assert all(part in unions.values() for part in everywhere)


def test_every_schema_is_one_that_generators_know(document: dict[str, Any]) -> None:
    for part in objects(document["components"]["schemas"]):
        assert not part.keys() & {"prefixItems", "const", "nullable", "x-words"}, part
        assert not isinstance(part.get("title"), str), part
        assert not isinstance(part.get("type"), list), part
        assert part.get("type") != "null", part
        if part.get("type") == "array":
            assert isinstance(part["items"], dict), part
            assert part.get("minItems", 0) <= part.get("maxItems", 10**6)


def test_no_two_types_get_one_name(document: dict[str, Any]) -> None:
    """Generators call a component by its name, and a word from a list by its struct's and its field's."""

    def plainly(name: str) -> str:
        return re.sub("[^a-z0-9]", "", name.lower())

    schemas = document["components"]["schemas"]
    names = [plainly(name) for name in schemas]
    for name, schema in schemas.items():
        names += [plainly(name + field) for field, told in schema.get("properties", {}).items() if "enum" in told]
    assert {name for name in names if names.count(name) > 1} == set()


def test_every_operation_has_a_name_in_python_and_its_headers(document: dict[str, Any]) -> None:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["operationId"].isidentifier()
            sent = {told["name"] for told in operation.get("parameters", []) if told["in"] == "header"}
            got = {status: set(told.get("headers", {})) for status, told in operation["responses"].items()}
            assert "Retry-After" in got["503"] or path == "/live/"
            if "Idempotency-Key" in sent:
                assert any("Idempotent-Replayed" in names for names in got.values()), path
            if "If-None-Match" in sent:
                assert "ETag" in got["200"] & got["304"], path
            if "412" in got:
                assert "If-Match" in sent, path
                assert "ETag" in got["412"], path
            if operation["security"] != [{}]:
                assert {"device": []} in operation["security"], path
                assert "WWW-Authenticate" in got["401"], path
                cookie = next(each for each in operation["security"] if "session" in each)
                assert ("csrf" in cookie) == (method != "get"), path
            for status, told in operation["responses"].items():
                assert "content" in told or status in ("204", "304"), (path, status)
    stream = document["paths"]["/live/"]["get"]
    assert list(stream["responses"]["200"]["content"]) == ["text/event-stream"]


PASSED_OVER = ("/live/", "/session", "/join", "/revoke", "/finish", "/schema", "/rewind", "/open-order")
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
