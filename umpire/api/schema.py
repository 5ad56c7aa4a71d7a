"""OpenAPI, generated from the code: what each operation takes and gives, and the event stream."""

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

from umpire.api import responses
from umpire.api.components import REF, Schema, components, plain, ref
from umpire.api.problems import CONTENT_TYPE, TITLES, ProblemDocument

_structs: dict[str, Any] = {"NewsItem": responses.NewsItem}
"""What stands in the document beside the systems' words, by name: what the operations take and give."""


def refer(kind: Any) -> Schema:
    """A reference to a struct's schema; the struct joins the components. What every system has one of is named."""
    if isinstance(kind, str):
        return ref(kind)
    _structs[kind.__name__] = kind
    return ref(kind.__name__)


class Takes(Struct, frozen=True):
    """Whether an operation has parameters in its address, and a body: where it has none, none may be sent."""

    query: bool = False
    body: bool = False


TEXT: Schema = {"type": "string"}
HEADERS: Mapping[str, tuple[Schema, str]] = {
    "Idempotency-Key": (
        {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
        "Chosen anew for each act; sent again, the same key gives the same answer and one effect.",
    ),
    "If-Match": (
        TEXT,
        "The ETag of the view that this act is about. Only the umpire, acting for another, may leave it out.",
    ),
    "If-None-Match": (TEXT, "The ETag last received."),
    "Last-Event-ID": (TEXT, "The number of the last news received, to go on after a break."),
    "ETag": (TEXT, "The tag of what is seen: it changes when, and only when, the answer does."),
    "Location": (TEXT, "The address of what was made."),
    "Idempotent-Replayed": (TEXT, "There, and `true`, where this answer was given before to the same key."),
    "Retry-After": ({"type": "integer"}, "In how many seconds to send it again."),
    "WWW-Authenticate": (TEXT, "How to say who one is."),
}
"""The headers that requests and answers have, beside those that give entrance."""


def sent(name: str, *, required: bool = False) -> OpenApiParameter:
    """A header of a request."""
    schema, text = HEADERS[name]
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, required=required, description=text)


def got(name: str, *statuses: int) -> OpenApiParameter:
    """A header of the answers with these statuses."""
    schema, text = HEADERS[name]
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, response=[*statuses], description=text)


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
    location: bool = False,
    open_to_all: bool = False,
    problems: Iterable[str] = (),
    text: str = "",
) -> Callable[[Any], Any]:
    """What an operation takes and gives, for the schema. `key`, `match`, `etag` and `location` say which headers go
    with it."""
    answers: dict[Any, Any] = {status: None}
    if answer is not None:
        answers[status] = {"type": "array", "items": refer(answer)} if many else refer(answer)
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
        answers[code, CONTENT_TYPE] = refer(ProblemDocument)
    parameters = list(_query_parameters(query)) if query is not None else []
    parameters.append(got("Retry-After", TITLES["throttled"][0], TITLES["unavailable"][0]))
    if not open_to_all:
        parameters.append(got("WWW-Authenticate", TITLES["not-authenticated"][0]))
    if key:
        parameters += [sent("Idempotency-Key", required=True), got("Idempotent-Replayed", status)]
    if match:
        parameters += [sent("If-Match"), got("ETag", TITLES["stale"][0])]
    if etag:
        parameters += [sent("If-None-Match"), got("ETag", status, 304)]
        answers[304] = None
    if location:
        parameters.append(got("Location", status))

    def decorate(function: Any) -> Any:
        extended = extend_schema(operation_id=_name_of(function), **told)(function)
        extended.takes = Takes(query=query is not None, body=body is not None)
        return extended

    told: dict[str, Any] = {
        "summary": summary,
        "description": text or None,
        "parameters": parameters,
        "request": {"application/json": refer(body)} if body is not None else None,
        "responses": answers,
        "auth": [{}] if open_to_all else None,
    }
    return decorate


def _name_of(function: Any) -> str:
    """What generated clients call an operation: "post_orders" for `OrdersView.post`."""
    kind, _, method = function.__qualname__.rpartition(".")
    words = re.sub("([A-Z])", r"_\1", kind.removesuffix("View")).lower()
    return f"{method}{words}"


def _query_parameters(kind: Any) -> Iterable[OpenApiParameter]:
    [_], components = msgspec.json.schema_components([kind], ref_template=REF + "{name}")
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    properties = plain(components[kind.__name__])["properties"]
    for item in info.fields:
        schema = properties[item.encode_name]
        yield OpenApiParameter(item.encode_name, schema, OpenApiParameter.QUERY, required=item.required)


STREAM: Schema = {
    "get": {
        "operationId": "open_stream",
        "summary": "What is new, as server-sent events, until the other side hangs up",
        "description": "Events are `news` (their `id` is the number, their `data` a NewsItem; the newest carries the"
        " view's `etag`) and `wake` (no content: ask `sync`). Every 15 seconds comes a comment.",
        "tags": ["live"],
        "security": [{}],
        "parameters": [
            {
                "name": "ticket",
                "in": "query",
                "required": True,
                "schema": TEXT,
                "description": "Got over REST; good once and for a minute.",
            },
            {
                "name": "after",
                "in": "query",
                "schema": TEXT,
                "description": "As Last-Event-ID, where that cannot be sent.",
            },
            {
                "name": "Last-Event-ID",
                "in": "header",
                "schema": HEADERS["Last-Event-ID"][0],
                "description": HEADERS["Last-Event-ID"][1],
            },
        ],
        "responses": {
            "200": {"description": "The stream.", "content": {"text/event-stream": {"schema": TEXT}}},
            **{
                str(TITLES[kind][0]): {
                    "description": TITLES[kind][1],
                    "content": {CONTENT_TYPE: {"schema": ref(ProblemDocument.__name__)}},
                }
                for kind in ("malformed", "not-authenticated", "not-found", "unavailable")
            },
        },
    }
}
"""The event stream, which is served beside REST."""


def add_components(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Hook of drf-spectacular: puts the components and the stream in, and names what gives entrance."""
    result["components"] = {
        "schemas": components(_structs),
        "securitySchemes": {
            "device": {"type": "http", "scheme": "bearer", "description": "The token of a device, got by joining."},
            "session": {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "An account, signed in."},
            "csrf": {
                "type": "apiKey",
                "in": "header",
                "name": "X-CSRFToken",
                "description": "Beside a cookie, with all that acts: the `csrf` of `GET session`.",
            },
        },
    }
    titles = {str(status): title for status, title in TITLES.values()}
    for operations in result["paths"].values():
        for method, operation in operations.items():
            for status, told in operation["responses"].items():
                told["description"] = told.get("description") or titles.get(status, "Done.")
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
            if operation.get("security") != [{}]:
                cookie: dict[str, list[str]] = {"session": []} if method == "get" else {"session": [], "csrf": []}
                operation["security"] = [{"device": []}, cookie]
    result["paths"]["/live/"] = STREAM
    return result


SETTINGS: Mapping[str, Any] = {
    # Generators of Kotlin and Swift read 3.0 without a word, and 3.1 with warnings.
    "OAS_VERSION": "3.0.3",
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
