"""Reading input strictly: JSON as it must be, no unknown field, and an error that says what would be right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec
from msgspec import inspect
from rest_framework.request import Request

from umpire.api.authentication import principal_of
from umpire.api.problems import Fault, Problem
from umpire.battles.models import Seat
from umpire.kernel.values.spelling import get_close_matches
from umpire.serving.request_handler import STRANGERS_BODY

T = TypeVar("T")

DEEPEST = 32
MOST_VALUES = 50_000
"""Values in one body: what the rules do with an order grows with them."""
LARGEST = 2**53 - 1
"""Whole numbers beyond this are not safe in JSON: a browser would round them."""
MOST_FAULTS = 20
LONGEST_SHOWN = 60
"""Characters of what was sent that an answer repeats."""


def body_of(request: Request) -> Any:
    """The plain JSON value of a request's body. Raises Problem "malformed" saying where reading stopped."""
    kind = (request.content_type or "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem("malformed", f"The body must be application/json, not {_cut(kind) or 'of no type'}.")
    if len(request.body) > STRANGERS_BODY and not _may_send_much(request):
        raise Problem("too-large", f"{STRANGERS_BODY} bytes will do.")
    return parse(request.body)


def _may_send_much(request: Request) -> bool:
    """An umpire sends data files of his own; orders are small."""
    principal = principal_of(request)
    return principal is not None and (principal.seat is None or principal.seat.role == Seat.Role.UMPIRE)


def parse(data: bytes) -> Any:
    """JSON bytes as plain values. A name that stands twice, NaN, and characters that are none are errors."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise Problem("malformed", f"The body is not UTF-8: byte {fault.start} cannot be read.") from None
    if not text.strip():
        raise Problem("malformed", "The body is empty; an object in JSON is wanted.")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        check_plain(value)
    except json.JSONDecodeError as fault:
        raise Problem(
            "malformed", f"This is not JSON: {fault.msg} (line {fault.lineno}, column {fault.colno})."
        ) from None
    except RecursionError:
        raise Problem("malformed", f"The body is nested more than {DEEPEST} deep.") from None
    except ValueError as fault:
        raise Problem("malformed", f"This is not JSON: {fault}.") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError(f"the name {name[:40]!r} stands twice in one object")
        made[name] = value
    return made


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


_NONE = re.compile("[\0\ud800-\udfff]")


def check_plain(value: Any) -> None:
    """Raises ValueError for what no store keeps or nobody needs: lone surrogates, NUL, numbers beyond 2^53, too deep a
    nest, too many values."""
    found = 0
    level, depth = [value], 0
    while level:
        if depth > DEEPEST:
            raise ValueError(f"it is nested more than {DEEPEST} deep")
        found += len(level)
        if found > MOST_VALUES:
            raise ValueError(f"it holds more than {MOST_VALUES} values")
        within: list[Any] = []
        for one in level:
            match one:
                case str():
                    if _NONE.search(one):
                        raise ValueError("a text holds a character that is none (NUL or half a pair)")
                case bool():
                    pass
                case int() | float():
                    if abs(one) > LARGEST:
                        raise ValueError("a number is beyond 2^53")
                case list():
                    within.extend(one)
                case dict():
                    within.extend(one)
                    within.extend(one.values())
        level, depth = within, depth + 1


def read(request: Request, kind: type[T]) -> T:
    """The body as a struct. Raises Problem "malformed" (not JSON) or "invalid" (with a pointer to each fault)."""
    return convert(body_of(request), kind)


def query(request: Request, kind: type[T]) -> T:
    """The query of the address as a struct. Raises Problem "invalid"."""
    values: dict[str, Any] = {}
    for name, given in request.GET.lists():
        if len(given) > 1:
            raise _problem([Fault(pointer=f"?{_cut(name)}", detail="It is given twice.", right="Give it once.")])
        values[name] = given[0]
    try:
        check_plain(values)
    except ValueError as fault:
        raise Problem("malformed", f"The query cannot be read: {fault}.") from None
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        info = inspect.type_info(kind)
        found = [
            Fault(pointer=f"?{_cut(name)}", detail="This parameter is unknown.", right=_nearest(name, _names(info)))
            for name in values
            if name not in _names(info)
        ][:MOST_FAULTS]
        where = str(error).partition("`$.")[2].rstrip("`")
        raise _problem(found or [Fault(pointer=f"?{where}", detail=_said(error))]) from None


def convert(value: Any, kind: Any, at: str = "") -> Any:
    """A plain value as `kind` (a struct or a union of structs); `at` is the pointer to it in the body."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        found = list(islice(faults(value, inspect.type_info(kind), at), MOST_FAULTS))
        raise _problem(found or [Fault(pointer=at, detail=_said(error))]) from None


def _said(error: Exception) -> str:
    return f"{str(error).partition(' - at ')[0].replace('`', '')}."


def _problem(found: Sequence[Fault]) -> Problem:
    first = found[0]
    where = f"{first.pointer}: " if first.pointer else ""
    return Problem("invalid", f"{where}{first.detail}", errors=tuple(found))


def faults(value: Any, info: inspect.Type, at: str) -> Iterator[Fault]:
    """What is wrong with a plain value for a type, one after the other; nothing where this walk finds nothing."""
    match info:
        case inspect.StructType():
            yield from _struct_faults(value, info, at)
        case inspect.UnionType():
            yield from _union_faults(value, info, at)
        case inspect.TupleType(item_types=items):
            if not isinstance(value, list) or len(value) != len(items):
                yield Fault(pointer=at, detail=_got(value), right=f"A list of {len(items)} is wanted.")
                return
            for n, kind in enumerate(items):
                yield from faults(value[n], kind, f"{at}/{n}")
        case inspect.VarTupleType(item_type=item_type) | inspect.ListType(item_type=item_type):
            if not isinstance(value, list):
                yield Fault(pointer=at, detail=_got(value), right=f"{_wanted(info)} is wanted.")
                return
            for n, item in enumerate(value):
                yield from faults(item, item_type, f"{at}/{n}")
        case inspect.DictType(value_type=value_type):
            if not isinstance(value, dict):
                yield Fault(pointer=at, detail=_got(value), right="An object is wanted.")
                return
            for name, item in value.items():
                yield from faults(item, value_type, f"{at}/{_escaped(name)}")
        case inspect.LiteralType(values=values):
            if value not in values:
                listed = [str(one) for one in values]
                near = _nearest(value, listed) or f"One of {', '.join(listed)} is wanted."
                yield Fault(pointer=at, detail=f"{_shown(value)} is not known here.", right=near)
        case _:
            yield from _plain_faults(value, info, at)


def _plain_faults(value: Any, info: inspect.Type, at: str) -> Iterator[Fault]:
    kinds: dict[type, Any] = {
        inspect.StrType: str,
        inspect.IntType: int,
        inspect.FloatType: (int, float),
        inspect.BoolType: bool,
        inspect.NoneType: type(None),
    }
    kind = kinds.get(type(info))
    if kind is None:
        return
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        yield Fault(pointer=at, detail=_got(value), right=f"{_wanted(info)} is wanted.")
    elif isinstance(info, inspect.StrType):
        if info.max_length is not None and len(value) > info.max_length:
            most = f"At most {info.max_length} will do."
            yield Fault(pointer=at, detail=f"It has {len(value)} characters.", right=most)
        elif info.min_length is not None and len(value) < info.min_length:
            yield Fault(pointer=at, detail="It is empty.", right="Some words are wanted.")
    elif isinstance(info, inspect.IntType):
        if info.ge is not None and value < info.ge:
            yield Fault(pointer=at, detail=f"{value} is too small.", right=f"{info.ge} or more is wanted.")
        elif info.le is not None and value > info.le:
            yield Fault(pointer=at, detail=f"{value} is too large.", right=f"{info.le} or less is wanted.")


def _struct_faults(value: Any, info: inspect.StructType, at: str, tagged: bool = False) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(pointer=at, detail=_got(value), right="An object is wanted.")
        return
    known = {item.encode_name: item for item in info.fields}
    for name, item in value.items():
        pointer = f"{at}/{_escaped(name)}"
        if name in known:
            yield from faults(item, known[name].type, pointer)
        elif not (tagged and name == info.tag_field):
            right = _nearest(name, [*known]) or (f"Known here: {', '.join(known)}." if known else "Leave it out.")
            yield Fault(pointer=pointer, detail="This field is unknown.", right=right)
    for name, field in known.items():
        if field.required and name not in value:
            yield Fault(pointer=f"{at}/{name}", detail="It is missing.", right=f"{_wanted(field.type)} is wanted.")


def _union_faults(value: Any, info: inspect.UnionType, at: str) -> Iterator[Fault]:
    structs = [one for one in info.types if isinstance(one, inspect.StructType)]
    tag_field = structs[0].tag_field if structs else None
    if not structs or tag_field is None:
        if all(any(True for _ in faults(value, one, at)) for one in info.types):
            wanted = " or ".join(dict.fromkeys(_wanted(one) for one in info.types))
            yield Fault(pointer=at, detail=_got(value), right=f"{wanted} is wanted.")
        return
    if not isinstance(value, dict):
        yield Fault(pointer=at, detail=_got(value), right="An object is wanted.")
        return
    tags = {one.tag: one for one in structs}
    listed = [str(tag) for tag in tags]
    pointer = f"{at}/{tag_field}"
    if tag_field not in value:
        yield Fault(pointer=pointer, detail="It is missing.", right=f"One of {', '.join(listed)} is wanted.")
        return
    tag = value[tag_field]
    if not isinstance(tag, str):
        yield Fault(pointer=pointer, detail=_got(tag), right=f"One of {', '.join(listed)} is wanted.")
    elif tag not in tags:
        near = _nearest(tag, listed) or f"One of {', '.join(listed)} is wanted."
        yield Fault(pointer=pointer, detail=f"{_shown(tag)} is not known here.", right=near)
    else:
        yield from _struct_faults(value, tags[tag], at, tagged=True)


def _names(info: inspect.Type) -> list[str]:
    return [item.encode_name for item in info.fields] if isinstance(info, inspect.StructType) else []


def _nearest(name: Any, known: Sequence[str]) -> str:
    if not isinstance(name, str):
        return ""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return f"Perhaps {near[0]!r}?" if near else ""


def _escaped(name: str) -> str:
    return _cut(name).replace("~", "~0").replace("/", "~1")


def _shown(value: Any) -> str:
    """A value in few words, whatever its size: what is long is not written out first."""
    if isinstance(value, str):
        value = value[:LONGEST_SHOWN]
    elif isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}…"


_WORDS: Mapping[type, str] = {
    type(None): "null",
    bool: "true or false",
    int: "a whole number",
    float: "a number with a fraction",
    str: "a text",
    list: "a list",
    dict: "an object",
}


def _got(value: Any) -> str:
    return f"It is {_WORDS.get(type(value), 'something else')}."


def _wanted(info: inspect.Type) -> str:
    match info:
        case inspect.StrType():
            return "A text"
        case inspect.IntType():
            return "A whole number"
        case inspect.FloatType():
            return "A number"
        case inspect.BoolType():
            return "True or false"
        case inspect.NoneType():
            return "Null"
        case inspect.VarTupleType() | inspect.ListType() | inspect.TupleType():
            return "A list"
        case inspect.LiteralType(values=values):
            return f"One of {', '.join(map(str, values))}"
        case inspect.UnionType(types=types):
            return " or ".join(dict.fromkeys(_wanted(one) for one in types))
        case inspect.AnyType():
            return "Something"
        case _:
            return "An object"
