"""What a field holds beside its type: the key of a thing that is there, a number within limits, words of some length.

The field's type says it, in the state, in corrections and in what they bring:

    counter: Annotated[str, Key("counter")]

`Kinds` are the kinds of things that one package's fields may name. Reading a ledger never asks: it goes on being read
whatever the limits become. The umpire's hand does (`umpire.kernel.hand.corrections`), for checks and for forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from umpire.kernel.values.modifiers import Refusal
from umpire.kernel.values.spelling import get_close_matches

LONGEST = 60
"""Letters of a value that are said again in a refusal."""


class Key(Struct, frozen=True):
    """The key of a thing of this kind. `is_optional`: "" stands for none."""

    kind: str
    is_optional: bool = False


class Between(Struct, frozen=True):
    """A number within limits."""

    low: int
    high: int
    unit: str = ""


class Words(Struct, frozen=True):
    """Words with so many letters."""

    most: int
    least: int = 0


class Fixed(Struct, frozen=True):
    """A field that is not set by itself, and why."""

    why: str


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of things. `known`: what there is, with its label by its key; where it cannot be listed (places)
    `why_not` says what is wrong with a value, "" where nothing is."""

    noun: str
    known: Callable[[Any], Mapping[str, str]] | None = None
    why_not: Callable[[Any, Any], str] | None = None


Kinds = Mapping[str, Kind]


def near(word: str, known: Iterable[str]) -> str:
    """The known word that may have been meant, as a question; "" where none is like it."""
    found = get_close_matches(word, list(known), 1)
    return f" Did you mean {found[0]!r}?" if found else ""


def quoted(value: Any) -> str:
    """A value as it was given, not longer than it helps."""
    text = repr(value)
    return text if len(text) <= LONGEST + 20 else f"{text[:LONGEST]}..."


def hints_of(kind: Any) -> Mapping[str, Any]:
    """The types of a struct's fields with all that is said of them, in their order."""
    return _hints(kind)


@cache
def _hints(struct: Any) -> Mapping[str, Any]:
    hints = get_type_hints(struct, include_extras=True)
    return {name: hints[name] for name in struct.__struct_fields__}


def bare(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without what is said of it, and what is."""
    if get_origin(hint) is Annotated:
        inner, marks = bare(hint.__origin__)
        return inner, (*marks, *hint.__metadata__)
    return hint, ()


def arms_of(kind: Any) -> tuple[Any, ...]:
    """The types of a union but for None, or the type."""
    if get_origin(kind) in (Union, UnionType):
        return tuple(each for each in get_args(kind) if each is not NoneType)
    return (kind,)


def faults_of(kinds: Kinds, state: Any, hint: Any, value: Any, at: str) -> Iterator[Refusal]:
    """What is wrong with a value that has the type already; `at` is the field, with dots."""
    kind, marks = bare(hint)
    if value is None:
        return
    for mark in marks:
        yield from _of_mark(kinds, state, mark, value, at)
    if isinstance(value, Struct):
        for name, inner in hints_of(type(value)).items():
            yield from faults_of(kinds, state, inner, getattr(value, name), f"{at}.{name}" if at else name)
        return
    arms = arms_of(kind)
    if len(arms) == 1 and arms[0] is not kind:
        yield from faults_of(kinds, state, arms[0], value, at)
        return
    inner = get_args(kind)
    if isinstance(value, Mapping) and inner:
        for key, item in value.items():
            yield from faults_of(kinds, state, inner[0], key, at)
            yield from faults_of(kinds, state, inner[1], item, at)
    elif isinstance(value, tuple) and inner:
        types = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
        for type_, item in zip(types, value, strict=True):
            yield from faults_of(kinds, state, type_, item, at)


def _of_mark(kinds: Kinds, state: Any, mark: Any, value: Any, at: str) -> Iterator[Refusal]:
    match mark:
        case Key(kind=name, is_optional=is_optional) if value or not is_optional:
            if why := _no_thing(kinds[name], state, value):
                yield Refusal(why, "", at)
        case Between(low=low, high=high) if not low <= value <= high:
            yield Refusal(f"{_name(at)} is a number from {low} to {high}; {value} will not do.", "", at)
        case Words(most=most, least=least) if not least <= len(value.strip()) <= len(value) <= most:
            yield Refusal(f"{_name(at)} has {least} to {most} letters, not {len(value)}.", "", at)


def _no_thing(kind: Kind, state: Any, value: Any) -> str:
    if kind.why_not is not None:
        return kind.why_not(state, value)
    known = kind.known(state) if kind.known is not None else {}
    if value in known:
        return ""
    there = f" There are: {', '.join(known)}." if 0 < len(known) <= 8 else "" if known else " There is none."
    return f"There is no {kind.noun} {quoted(value)}.{near(value, known) or there}"


def _name(at: str) -> str:
    return at.rpartition(".")[2].replace("_", " ").capitalize()


def label_of(kinds: Kinds, state: Any, hint: Any, value: Any) -> str:
    """A value in words: what a key stands for, yes or no, lists in their order."""
    kind, marks = bare(hint)
    for mark in marks:
        if isinstance(mark, Key) and isinstance(value, str):
            known = kinds[mark.kind].known if mark.kind in kinds else None
            return known(state).get(value, value) if known is not None and value else plain(value)
    if len(arms := arms_of(kind)) == 1 and arms[0] is not kind:
        return label_of(kinds, state, arms[0], value) if value is not None else plain(value)
    inner = get_args(kind)
    if isinstance(value, list | tuple) and inner and get_origin(kind) is not Literal:
        types = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
        said = [label_of(kinds, state, type_, item) for type_, item in zip(types, value, strict=False)]
        return ", ".join(said) or plain("")
    if isinstance(value, Mapping) and len(inner) == 2:
        said = [f"{key}: {label_of(kinds, state, inner[1], item)}" for key, item in value.items()]
        return ", ".join(said) or plain("")
    return plain(value)


def plain(value: Any) -> str:
    """A value without a table of its own in words."""
    if value is None or (isinstance(value, str | list | tuple | dict) and not value):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {plain(item)}" for key, item in value.items())
    return str(value).replace("_", " ")
