"""What pieces are called, by the names and types of their fields: markers set them, lines of `then` ask for them.

A field that is true or false is a word (`is_shaken`: shaken, `has_called`: has called); each value of a field that has
a few is one (`status`: casualty, captured), also behind its name (`fired aimed`); numbers and names stand behind theirs
(`pinned until 3`). What a game calls otherwise stands in its own table. `docs/cases.md`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, inspect

from umpire.testing.cases.words import plain, whole

Said = dict[Any, dict[str, Any]]
"""What lines say of a piece: values of fields by the kinds that have them."""


class Mark(Struct, frozen=True):
    """A word for what a field is: `value` is what the word sets; with `other` it is so of all values but an empty
    one."""

    field: str
    value: Any = True
    other: bool = False


Marks = Mapping[str, Mark]


@cache
def words_of(kind: Hashable) -> Marks:
    """The words for fields of a kind that are true or false or have a few values."""
    found: dict[str, Mark] = {}
    values: Counter[str] = Counter()
    for each in inspect.type_info(kind).fields:  # type: ignore[attr-defined]
        word = plain(each.name).removeprefix("is ")
        if isinstance(each.type, inspect.BoolType):
            found[word] = Mark(each.name)
        elif isinstance(each.type, inspect.LiteralType):
            for value in filter(None, map(str, each.type.values)):
                values[plain(value)] += 1
                found[f"{word} {plain(value)}"] = Mark(each.name, value)
                found.setdefault(plain(value), Mark(each.name, value))
    return {word: mark for word, mark in found.items() if values[word] < 2}


@cache
def values_of(kind: Hashable) -> Mapping[str, tuple[str, type[Any]]]:
    """The words for fields of a kind behind which a number or a name stands: the field, and its type."""
    types: dict[type[Any], type[Any]] = {inspect.IntType: int, inspect.StrType: str, inspect.VarTupleType: tuple}
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    found: dict[str, tuple[str, type[Any]]] = {}
    for each in fields:
        of = each.type.types if isinstance(each.type, inspect.UnionType) else (each.type,)
        if made := next((types[type(one)] for one in of if type(one) in types), None):
            found[plain(each.name).removeprefix("is ")] = (each.name, made)
    return found


def put(said: Said, text: str, tables: Mapping[Any, Marks]) -> bool:
    """Puts one marker on a piece: a word of the tables, of fields, or with a value. False for one that none knows."""
    word = plain(text)
    bare = word.removeprefix("not ")
    for kind, own in tables.items():
        mark = own.get(bare) or words_of(kind).get(bare)
        if mark is not None:
            value = mark.value if bare == word else not mark.value if isinstance(mark.value, bool) else ""
            said.setdefault(kind, {})[mark.field] = value
            return True
    for kind in tables:
        head, _, value = " ".join(text.split()).rpartition(" ")
        named = values_of(kind).get(plain(head))
        if named is not None:
            name, of = named
            fields = said.setdefault(kind, {})
            made: Any = whole(value) if of is int else (value,) if of is tuple else value
            fields[name] = made
            return True
    return False


def holds(piece: Any, text: str, own: Marks) -> bool | None:
    """Whether a piece is what a word of fields says; None for one that is none."""
    word = plain(text)
    kind: Any = type(piece)
    mark = own.get(word) or words_of(kind).get(word)
    if mark is not None:
        value = getattr(piece, mark.field)
        return bool(value) if mark.other else bool(value == mark.value)
    head, _, value = word.rpartition(" ")
    if head in values_of(kind):
        name, of = values_of(kind)[head]
        now = getattr(piece, name)
        return value in map(plain, now) if of is tuple else plain(now) == plain(str(value).removeprefix("+"))
    return None
