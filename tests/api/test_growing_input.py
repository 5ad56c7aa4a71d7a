"""Whatever reads what a stranger or a player sends takes time in proportion to it: no body keeps a core busy."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.test import RequestFactory
from rest_framework.request import Request

from tests.api.chairs import Table
from umpire.api import requests, strict
from umpire.api.problems import Problem
from umpire.battles.models import Reply
from umpire.kernel.registry import package_of
from umpire.kernel.values import spelling
from umpire.kernel.values.modifiers import Refusal
from umpire.security import redacted

SMALL, TIMES = 1_000, 16
"""What takes time by the square takes 256 times as long; on a machine however busy 16 stays well below 64."""
SLACK = 0.02
"""Seconds that are never too many."""


def spent(work: Callable[[], Any]) -> float:
    """Seconds of processor that some work takes in this thread; the better of two."""
    taken = []
    for _ in range(2):
        start = time.thread_time()
        with suppress(Problem):
            work()
        taken.append(time.thread_time() - start)
    return min(taken)


def grows(make: Callable[[int], Any], work: Callable[[Any], Any], small_size: int = SMALL) -> None:
    small, large = make(small_size), make(small_size * TIMES)
    before = spent(lambda: work(small))
    after = spent(lambda: work(large))
    assert after < 4 * TIMES * before + SLACK, f"{TIMES} times the input takes {after / before:.0f} times as long"


@pytest.fixture(autouse=True)
def _no_collection() -> Any:
    gc.disable()
    yield
    gc.enable()


def names(n: int) -> dict[str, int]:
    return {f"name{i}": i for i in range(n)}


BODIES: dict[str, Callable[[int], bytes]] = {
    "names": lambda n: json.dumps(names(n)).encode(),
    "the last name twice": lambda n: json.dumps(names(n)).encode()[:-1] + b', "last": 1, "last": 2}',
    "the same name": lambda n: b"{" + b",".join([b'"a":1'] * n) + b"}",
    "lists": lambda n: b"[" + b",".join([b"[]"] * n) + b"]",
    "a nest": lambda n: b"[" * n + b"]" * n,
    "a nest of objects": lambda n: b'{"a":' * n + b"1" + b"}" * n,
    "an open nest": lambda n: b"[" * n,
    "a long number": lambda n: b"1" * n,
    "a long fraction": lambda n: b"0." + b"1" * n,
    "a long exponent": lambda n: b"1e" + b"1" * n,
    "long numbers": lambda n: b"[" + b",".join([b"1" * 4000] * (n // 400)) + b"]",
    "a long text": lambda n: b'"' + b"a" * n + b'"',
    "escapes": lambda n: b'"' + rb"\u00e9\\" * n + b'"',
    "half escapes": lambda n: b'"' + rb"\ud83d" * n + b'"',
    "an open text": lambda n: b'["' + b'a", "' * n,
    "blanks": lambda n: b" " * n + b"{}" + b" " * n,
    "lines": lambda n: b"\n" * n + b"{",
    "not utf-8": lambda n: b"\xc3\xa9" * n + b"\xff",
}


@pytest.mark.parametrize("shape", BODIES)
def test_reading_json(shape: str) -> None:
    grows(BODIES[shape], strict.parse)


SHAPES: dict[str, Callable[[int], Any]] = {
    "a text": lambda n: "ab" * (n // 2),
    "a list of texts": lambda n: ["ab"] * n,
    "a list of numbers": lambda n: [1] * n,
    "a list of places": lambda n: [[1, 2]] * n,
    "a list of objects": lambda n: [{"ab": "ab"}] * n,
    "an object": names,
    "a large number": lambda n: 10 ** (n // 100),
}

KINDS = {
    kind.__name__: kind
    for kind in vars(requests).values()
    if isinstance(kind, type) and issubclass(kind, requests.Body)
}
for _system in ("lnl", "fireforce"):
    KINDS[f"an order of {_system}"] = package_of(_system).orders
    KINDS[f"a correction of {_system}"] = package_of(_system).corrections


def variants(kind: Any) -> list[tuple[list[str], dict[str, str]]]:
    """The fields of a struct, or of each struct of a union with its tag."""
    info = strict.inspect.type_info(kind)
    structs = info.types if isinstance(info, strict.inspect.UnionType) else (info,)
    return [
        ([field.encode_name for field in one.fields], {one.tag_field: one.tag} if one.tag_field else {})
        for one in structs
        if isinstance(one, strict.inspect.StructType)
    ]


@pytest.mark.parametrize("name", KINDS)
def test_reading_a_body(name: str) -> None:
    """In each field each shape; unknown fields, few and long, many and short."""
    kind = KINDS[name]

    def try_all(n: int) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = []
        for fields, tag in variants(kind):
            made += [{**tag, **dict.fromkeys(fields, shape(n))} for shape in SHAPES.values()]
            made += [{**tag, **names(n)}, {**tag, "ab" * (n // 2): 1}]
        return [*made, {"verb": "ab" * (n // 2)}]

    def read_all(values: list[dict[str, Any]]) -> None:
        for value in values:
            with suppress(Problem):
                strict.convert(value, kind)

    grows(try_all, read_all, 125)


def test_reading_a_query() -> None:
    def ask(address: str) -> None:
        strict.query(Request(RequestFactory().get(address)), requests.NewsQuery)

    grows(lambda n: "/?" + "after=" + "1" * n, ask)
    grows(lambda n: "/?" + "a" * n + "=1", ask)


def test_looking_for_what_was_meant() -> None:
    grows(lambda n: "ab" * (n // 2), lambda word: spelling.get_close_matches(word, ["abab" * 10, "standing_orders"]))
    grows(lambda n: [f"name{i}" for i in range(n)], lambda words: spelling.get_close_matches("nmae1", words))


@pytest.mark.parametrize(
    "part", ["/join/", "authorization: ", "bearer ", "?code=", '"token": "', "authorization", " ", '"token" ', "a"]
)
def test_redacting_a_line(part: str) -> None:
    grows(lambda n: part * n, redacted)


def test_an_answer_does_not_repeat_what_was_sent() -> None:
    """A long name, verb, value or type comes back cut short."""
    for value in ({"x" * 50_000: 1}, {"order": {}, "y" * 50_000: 1}, {"order": {}, "for": {"z" * 50_000: 1}}):
        with pytest.raises(Problem) as raised:
            strict.convert(value, requests.OrderBody)
        assert len(str(raised.value.document)) < 2_000
    with pytest.raises(Problem) as raised:
        strict.convert({"verb": "v" * 50_000}, package_of("lnl").orders, "/order")
    assert len(str(raised.value.document)) < 4_000


def test_a_refusal_repeats_little_and_little_is_kept(table: Table) -> None:
    """What a player sends in vain does not fill the database, nor does he send much."""
    chair = table["blue_2"]
    for order in ({"verb": "move", "unit": "u" * 30_000, "path": [[1, 0]]},
                  {"verb": "standing_orders", "command": "c" * 30_000, "fire": "near"}):  # fmt: skip
        answer = chair.order(order)
        assert answer.status_code in (409, 422), answer.content
        assert len(answer.content) < 8_000
    assert max([len(bytes(reply.body)) for reply in Reply.objects.all()], default=0) < 8_000
    much = {"to": "umpire", "text": "x" * 70_000}
    assert chair.act(f"{table.at}/messages", much).status_code == 413
    assert table["umpire"].act(f"{table.at}/messages", much).status_code == 422
    with pytest.raises(Problem) as raised:
        raise Problem("refused", "x" * 90_000, refusals=[Refusal(reason="y" * 90_000, field="z" * 90_000)] * 90)
    assert len(str(raised.value.document)) < 40_000
