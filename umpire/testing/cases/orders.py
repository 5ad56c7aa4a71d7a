"""Orders and corrections of a case file, read by the types of their fields. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, get_args

from msgspec import inspect

from umpire.kernel.codec import codec_of
from umpire.kernel.states import Seat, slice_of
from umpire.testing.cases.language import Language
from umpire.testing.cases.words import CaseFault, listed, one_of, plain, unknown


def kinds_of(language: Language[Any], seat: Seat) -> Mapping[str, Any]:
    """The orders of a seat (corrections of the umpire's) by their verbs in words: "end phase" is EndPhase."""
    kinds = language.package.corrections if seat.role == "umpire" else language.package.orders
    return {verb_words(kind.__name__): kind for kind in get_args(kinds)}


def verb_words(verb: str) -> str:
    return plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", verb))


@cache
def types_of(kind: Hashable) -> Mapping[str, Any]:
    """The types of a kind's fields."""
    return {each.name: each.type for each in inspect.type_info(kind).fields}  # type: ignore[attr-defined]


def read(language: Language[Any], state: Any, seat: Seat, given: Mapping[str, Any]) -> dict[str, Any]:
    """An order as the API takes it: names of what belongs to others become what the seat calls them, places and inches
    the engine's numbers. Raises CaseFault."""
    word = verb_words(str(given.get("verb", "")))
    more = language.verbs.get(word, {})
    kinds = kinds_of(language, seat)
    kind = kinds.get(verb_words(str(more.get("verb", word))))
    if kind is None:
        unknown("the verb", str(given.get("verb", "")), [each.__name__ for each in kinds.values()])
    order = language.adapted(state, seat, {**more, **given, "verb": kind.__name__})
    kind = kinds[verb_words(order.pop("verb"))]
    types = types_of(kind)
    made: dict[str, Any] = {"verb": kind.__name__}
    for key, value in order.items():
        if key not in types:
            unknown(f"of the order {kind.__name__} the field", key, types)
        made[key] = _value(language, state, seat, key, types[key], value)
    return made


def _value(language: Language[Any], state: Any, seat: Seat, key: str, of: Any, value: Any) -> Any:
    """A value of a field as its type has it."""
    match of:
        case inspect.UnionType(types=types):
            some = next(each for each in types if not isinstance(each, inspect.NoneType))
            return None if value is None else _value(language, state, seat, key, some, value)
        case inspect.TupleType(item_types=items) if all(isinstance(each, inspect.IntType) for each in items):
            return list(language.place(state, value))[: len(items)]
        case inspect.VarTupleType(item_type=inspect.TupleType() as item):
            return [_value(language, state, seat, key, item, each) for each in _places(language, value)]
        case inspect.VarTupleType(item_type=inspect.StrType()) | inspect.TupleType(item_types=(inspect.StrType(), *_)):
            names = [name for word in listed(value) for name in language.meaning(state, word) or [word]]
            for name in names if seat.role != "umpire" else ():
                if name not in language.known(state):
                    unknown("the piece", name, language.known(state))
            return [language.alias(state, seat, name) for name in names]
        case inspect.VarTupleType(item_type=item):
            return [_value(language, state, seat, key, item, each) for each in value]
        case inspect.LiteralType(values=values):
            return one_of(f"the {key}", value, map(str, values))
        case inspect.StructType(fields=fields):
            if isinstance(value, str):
                return dict(language.standing(value))
            inner = {each.name: each.type for each in fields}
            for name in value:
                if name not in inner:
                    unknown(f"of {key} the field", name, inner)
            return {name: _value(language, state, seat, name, inner[name], each) for name, each in value.items()}
        case inspect.DictType(value_type=each):
            return {name: _value(language, state, seat, key, each, one) for name, one in value.items()}
        case inspect.StrType():
            return _name(language, state, seat, str(value)) if isinstance(value, str | int) else value
        case inspect.IntType() if key in language.inches:
            return length(value)
    return value


def _places(language: Language[Any], value: Any) -> list[Any]:
    """The places of a path; two numbers are one place."""
    is_one = isinstance(value, list) and len(value) == 2 and all(isinstance(each, int | float) for each in value)
    return [value] if is_one else language.path(value)


def _name(language: Language[Any], state: Any, seat: Seat, word: str) -> str:
    """What a seat calls the piece of this name; any other word as it is."""
    found = language.meaning(state, word)
    return language.alias(state, seat, found[0]) if len(found) == 1 else word


def length(inches: Any) -> int:
    """Inches as hundredths. Raises CaseFault."""
    try:
        return round(Fraction(str(inches).removesuffix('"')) * 100)
    except ValueError:
        raise CaseFault(f"{inches!r} is no length in inches", at=str(inches)) from None


def check(language: Language[Any], state: Any, given: Mapping[str, Any]) -> str:
    """Whether an order would be accepted: "accepted" or "refused"."""
    order = dict(given)
    name = str(order.pop("seat", ""))
    seats = language.seats(state)
    seat = seats[one_of("the seat", name, seats)]
    typed = codec_of(language.package).order(read(language, state, seat, order))
    believed = language.package.believed(slice_of(state, seat.commands))
    return "refused" if list(language.package.check(believed, seat, typed)) else "accepted"
