"""The same state under other ids: for twin worlds, in which a seat must not notice it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import inspect


def new_id(random: Random) -> str:
    """A random id that says nothing."""
    return f"i{random.getrandbits(48):012x}"


@cache
def form_words(kind: type[Any]) -> frozenset[str]:
    """The words that the form of a struct itself consists of: names of fields, and of what stands in them."""
    found: set[str] = set()
    todo: list[Any] = [inspect.type_info(kind)]
    seen: set[Any] = set()
    while todo:
        each = todo.pop()
        if isinstance(each, inspect.LiteralType):
            found.update(str(value) for value in each.values)
        elif isinstance(each, inspect.StructType):
            if each.cls in seen:
                continue
            seen.add(each.cls)
            found.update(field.encode_name for field in each.fields)
            todo.extend(field.type for field in each.fields)
        elif isinstance(each, inspect.UnionType):
            todo.extend(each.types)
        elif isinstance(each, inspect.DictType):
            todo.extend((each.key_type, each.value_type))
        elif isinstance(each, inspect.VarTupleType):
            todo.append(each.item_type)
        elif isinstance(each, inspect.TupleType):
            todo.extend(each.item_types)
    return frozenset(found)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A struct in which every word that is a key of `names`, keys of maps too, is the other; maps stay in the order of
    their keys."""
    plain = with_names(msgspec.to_builtins(value), names)
    return msgspec.convert(plain, type(value))


def strings(value: Any) -> frozenset[str]:
    """Every word in a value of builtins."""
    return frozenset(_strings(value))


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def with_names(value: Any, names: Mapping[str, str]) -> Any:
    """The same builtins with other names, and maps in the order of their keys."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return dict(sorted((names.get(key, key), with_names(item, names)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return [with_names(item, names) for item in value]
    return value
