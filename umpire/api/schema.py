"""OpenAPI, generated from the code: the structs that requests and answers are, and the orders of every package."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import Struct, inspect

from umpire.api.offered import played_here
from umpire.api.problems import CONTENT_TYPE, TITLES, ProblemDocument

REF = "#/components/schemas/{name}"

_named: dict[str, Any] = {}


def ref(kind: Any) -> dict[str, Any]:
    """A reference to a struct's schema; the struct joins the components."""
    _named[kind.__name__] = kind
    return {"$ref": REF.format(name=kind.__name__)}


class Takes(Struct, frozen=True):
    """Whether an operation has parameters in its address, and a body: where it has none, none may be sent."""

    query: bool = False
    body: bool = False


def says(
    summary: str,
    *,
    answer: Any = None,
    many: bool = False,
    status: int = 200,
    body: Any = None,
    query: Any = None,
    key: bool = False,
    match: bool = False,
    etag: bool = False,
    open_to_all: bool = False,
    problems: Iterable[str] = (),
    text: str = "",
) -> Callable[[Any], Any]:
    """What an operation takes and gives, for the schema. `key` and `match` say which headers it needs."""
    responses: dict[Any, Any] = {}
    if answer is None:
        responses[status] = None if status == 204 else {"type": "object"}
    else:
        responses[status] = {"type": "array", "items": ref(answer)} if many else ref(answer)
    kinds = [*problems, "malformed", "invalid", "throttled", "unavailable"]
    if not open_to_all:
        kinds += ["not-authenticated", "not-found"]
    if body is not None:
        kinds += ["too-large"]
    if key:
        kinds += ["conflict"]
    if match:
        kinds += ["precondition-required", "stale"]
    for code in sorted({TITLES[kind][0] for kind in kinds}):
        responses[code, CONTENT_TYPE] = ref(ProblemDocument)
    parameters = list(_query_parameters(query)) if query is not None else []
    if key:
        parameters.append(
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
                OpenApiParameter.HEADER,
                required=True,
                description="Chosen anew for each act; sent again, the same key gives the same answer and one effect.",
            )
        )
    if match:
        parameters.append(
            OpenApiParameter(
                "If-Match",
                {"type": "string"},
                OpenApiParameter.HEADER,
                required=True,
                description="The ETag of the view that this act is about.",
            )
        )
    if etag:
        parameters.append(
            OpenApiParameter(
                "If-None-Match", {"type": "string"}, OpenApiParameter.HEADER, description="The ETag last received."
            )
        )
        responses[304] = None

    def decorate(function: Any) -> Any:
        extended = extend_schema(operation_id=_name_of(function), **told)(function)
        extended.takes = Takes(query=query is not None, body=body is not None)
        return extended

    told: dict[str, Any] = {
        "summary": summary,
        "description": text or None,
        "parameters": parameters,
        "request": {"application/json": ref(body)} if body is not None else None,
        "responses": responses,
        "auth": [{}] if open_to_all else None,
    }
    return decorate


def _name_of(function: Any) -> str:
    """What generated clients call an operation: "post_orders" for `OrdersView.post`."""
    kind, _, method = function.__qualname__.rpartition(".")
    words = re.sub("([A-Z])", r"_\1", kind.removesuffix("View")).lower()
    return f"{method}{words}"


def _query_parameters(kind: Any) -> Iterable[OpenApiParameter]:
    [_], components = msgspec.json.schema_components([kind], ref_template=REF)
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    properties = components[kind.__name__]["properties"]
    for item in info.fields:
        plain = dict(properties[item.encode_name])
        options = [one for one in plain.pop("anyOf", []) if one != {"type": "null"}]
        if options:
            plain = options[0]
        plain.pop("default", None)
        yield OpenApiParameter(item.encode_name, plain, OpenApiParameter.QUERY, required=item.required)


def components() -> dict[str, Any]:
    """The schemas of all structs, and of the orders and corrections of every system that people are offered."""
    _, made = msgspec.json.schema_components(list(_named.values()), ref_template=REF)
    found: dict[str, Any] = dict(made)
    unions: dict[str, list[dict[str, Any]]] = {"Order": [], "Correction": []}
    for system, package in played_here().items():
        for name, kind in (("Order", package.orders), ("Correction", package.corrections)):
            prefix = f"{system}."
            [union], parts = msgspec.json.schema_components([kind], ref_template=REF.format(name=prefix + "{name}"))
            found.update({prefix + part: schema for part, schema in parts.items()})
            found[f"{prefix}{name}"] = union
            unions[name].append({"$ref": REF.format(name=f"{prefix}{name}")})
    for name, choices in unions.items():
        text = f"{'An order' if name == 'Order' else 'A correction'}, in the words of the battle's system."
        found[name] = {"description": text, **({"anyOf": choices} if choices else {"type": "object"})}
    for body, field, kinds in (
        ("OrderBody", "order", "Order"),
        ("AskedOrder", "order", "Order"),
        ("CorrectionBody", "correction", "Correction"),
    ):
        if body in found:
            found[body]["properties"][field] = {"$ref": REF.format(name=kinds)}
    return found


def add_components(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Hook of drf-spectacular: merges our own components in, and names what gives entrance."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    result["components"]["securitySchemes"] = {
        "device": {"type": "http", "scheme": "bearer", "description": "The token of a device, got by joining."},
        "session": {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "An account, signed in."},
    }
    titles = {str(status): title for status, title in TITLES.values()}
    for operations in result["paths"].values():
        for operation in operations.values():
            for status, told in operation["responses"].items():
                told["description"] = told.get("description") or titles.get(status, "")
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
            if operation.get("security") != [{}]:
                operation["security"] = [{"device": []}, {"session": []}]
    return result


SETTINGS: Mapping[str, Any] = {
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["umpire.api.schema.add_components"],
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVERS": [{"url": "/"}],
}


@cache
def document(systems: Sequence[str]) -> bytes:
    """The OpenAPI document as JSON, made once for the systems registered."""
    with patched_settings(dict(SETTINGS)):
        made = SchemaGenerator(urlconf="umpire.urls").get_schema(request=None, public=True)
    return msgspec.json.encode(made)
