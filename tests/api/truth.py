"""Every answer that a test gets over REST is held against the OpenAPI document: it has what that names, and no more."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import jsonschema_rs

from umpire.api.schema import document
from umpire.kernel.registry import packages


@cache
def _told() -> tuple[dict[str, Any], list[tuple[re.Pattern[str], str]]]:
    told: dict[str, Any] = json.loads(document(tuple(packages())))
    patterns = [(re.compile(re.sub(r"{\w+}", "[A-Za-z0-9_-]{1,40}", path) + "$"), path) for path in told["paths"]]
    return _closed(told), patterns


def _closed(part: Any) -> Any:
    """The document with every object closed to fields that it does not name: what goes out is what was meant to."""
    if isinstance(part, list):
        return [_closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = {name: _closed(one) for name, one in part.items()}
    if isinstance(made.get("properties"), dict) and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


@cache
def _validator(path: str, method: str, status: str, kind: str) -> Any:
    told, _ = _told()
    schema = told["paths"][path][method]["responses"][status]["content"][kind]["schema"]
    return jsonschema_rs.validator_for({**schema, "components": told["components"]})


def must_be_told(method: str, path: str, answer: Any) -> None:
    """Fails where an answer is not what the document says of the operation that gave it."""
    told, patterns = _told()
    template = next((template for pattern, template in patterns if pattern.match(path.partition("?")[0])), "")
    operation = told["paths"].get(template, {}).get(method.lower())
    if operation is None:
        return
    status = str(answer.status_code)
    assert status in operation["responses"], (method, path, status, answer.content)
    for kind in operation["responses"][status].get("content", {}):
        assert answer.headers["Content-Type"] == kind, (method, path)
        validator = _validator(template, method.lower(), status, kind)
        faults = [f"{fault.instance_path}: {fault.message}" for fault in validator.iter_errors(answer.json())]
        assert not faults, (method, path, faults[:3])
