"""Corrections as nobody should make them: for each field ghosts, keys of other tables, extremes and odd types.

All from the fields' own types, so that no correction and no field is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields as struct_fields

from umpire.kernel.hand.corrections import BATTLE, Change, Hand
from umpire.kernel.hand.fields import Between, Fixed, Key, Words, arms_of, bare, hints_of

HUGE = 2**53 - 1
ODD_TYPES: Sequence[Any] = (None, True, 7, -1.5, "", [], {}, [[]], {"": None}, [None], "\N{SNOWMAN}" * 3)
ODD_PLACES: Sequence[Any] = ([HUGE, HUGE], [-1, -1], [-1, -1, -9], [HUGE, 1, 0], [1, 1, 1, 1])


def unmarked(hand: Hand[Any], corrections: Any) -> Iterator[str]:
    """The fields of corrections, and of what may be set, whose types do not say what they may hold."""
    for correction in get_args(corrections):
        yield from _unmarked(correction, correction.__name__)
    for piece in hand.pieces if Change in get_args(corrections) else ():
        for name, hint in hand.settable(piece).items():
            yield from _open_type(hint, f"{piece.__name__}.{name}")


def _unmarked(struct: type[Any], where: str) -> Iterator[str]:
    for name, hint in hints_of(struct).items():
        if (struct, name) != (Change, "value"):
            yield from _open_type(hint, f"{where}.{name}")


def _open_type(hint: Any, where: str) -> Iterator[str]:
    kind, marks = bare(hint)
    if any(isinstance(mark, Fixed | Key | Between | Words) for mark in marks):
        return
    if arms_of(kind) == (bool,) or get_origin(kind) is Literal or _is_scalar(kind):
        return
    arms = arms_of(kind)
    if arms[0] is not kind:
        for arm in arms:
            yield from _open_type(arm, where)
    elif isinstance(kind, type) and issubclass(kind, Struct):
        yield from _unmarked(kind, where)
    elif inner := [each for each in get_args(kind) if each is not Ellipsis]:
        for each in inner:
            yield from _open_type(each, where)
    else:
        yield where


def _is_scalar(kind: Any) -> bool:
    """What a contact shows is checked by its kind."""
    return set(get_args(kind)) == {str, int, bool}


class Odd:
    """Odd corrections of one battle. `places` are some of its places."""

    def __init__(self, hand: Hand[Any], corrections: Any, state: Any, places: Sequence[Any], random: Random) -> None:
        self.hand, self.state, self.places, self.random = hand, state, places, random
        self.corrections = get_args(corrections)
        self.known = {name: list(kind.known(state)) for name, kind in hand.kinds.items() if kind.known is not None}

    def all(self) -> Iterator[dict[str, Any]]:
        """Each field of each correction with each odd value, all others as they should be; and each of these right."""
        for correction in self.corrections:
            if correction is Change:
                yield from self._changes()
                continue
            verb = {"verb": correction.__struct_config__.tag}
            for path, hint in self._leaves(correction):
                for value in self.odd(hint):
                    yield _with({**verb, **self.fit(correction)}, path, value)
            yield from ({**verb, **self.fit(correction)} for _ in range(12))

    def _changes(self) -> Iterator[dict[str, Any]]:
        pieces = {type(self.hand.find(self.state, key)): key for key in self.known["piece"]}
        for kind, piece in {**pieces, type(self.state.public): BATTLE}.items():
            for name, hint in self.hand.settable(kind).items():
                for value in (*self.odd(hint), self.value(hint)):
                    yield {"verb": "Change", "piece": piece, "field": name, "value": value}
            for name in (*hints_of(kind), "ghost"):
                yield {"verb": "Change", "piece": piece, "field": name, "value": "ghost"}

    def _leaves(self, struct: type[Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
        for name, hint in hints_of(struct).items():
            kind, _ = bare(hint)
            yield (*path, name), hint
            if isinstance(kind, type) and issubclass(kind, Struct):
                yield from self._leaves(kind, (*path, name))

    def odd(self, hint: Any) -> Iterable[Any]:
        """Values that do not fit a type, and the ends of its limits."""
        kind, marks = bare(hint)
        found: list[Any] = [
            *ODD_TYPES,
            -HUGE,
            HUGE,
            "ghost",
            "g" * 400,
            "2,2",
            [HUGE, HUGE],
            [-1, -1, -9],
            [1, 1, 1, 1],
        ]
        found.extend(self.random.choice(keys) for keys in self.known.values() if keys)
        for mark in marks:
            if isinstance(mark, Between):
                found.extend((mark.low - 1, mark.low, mark.high, mark.high + 1))
            elif isinstance(mark, Words):
                found.append("w" * (mark.most + 1))
        inner = [each for each in get_args(arms_of(kind)[0]) if each is not Ellipsis]
        if get_origin(kind) is not Literal and inner and isinstance(get_origin(arms_of(kind)[0]), type):
            if issubclass(get_origin(arms_of(kind)[0]), tuple):
                found.extend([each] for each in list(self.odd(inner[0]))[-6:])
            else:
                found.extend({"ghost": each} for each in list(self.odd(inner[-1]))[-6:])
                found.extend({key: self.value(inner[-1])} for key in ("2,2", "02,2", "999,999", "x"))
        return found

    def fit(self, struct: type[Any]) -> dict[str, Any]:
        """Values that fit for the fields of a struct that must be given, and for some of the others."""
        hints = hints_of(struct)
        return {
            each.name: self.value(hints[each.name])
            for each in struct_fields(struct)
            if each.required or self.random.random() < 0.3
        }

    def value(self, hint: Any) -> Any:
        """A value that fits a type as far as it says."""
        kind, marks = bare(hint)
        kind = arms_of(kind)[0]
        for mark in marks:
            match mark:
                case Key(kind=name) if name in self.known:
                    return self.random.choice(self.known[name] or ["ghost"])
                case Key(kind=("place" | "hex") as name):
                    place = list(self.random.choice(self.places))
                    return place[0] if kind is int else place[:2] if name == "hex" else place
                case Key(kind="hex by key"):
                    return ",".join(map(str, self.random.choice(self.places)[:2]))
                case Between(low=low, high=high):
                    return self.random.randint(low, high)
                case Words(most=most):
                    return "words"[:most]
        if kind is bool:
            return self.random.random() < 0.5
        if get_origin(kind) is Literal:
            return self.random.choice(get_args(kind))
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self.fit(kind)
        inner = get_args(kind)
        if isinstance(origin := get_origin(kind), type) and issubclass(origin, Mapping):
            return {self.value(inner[0]): self.value(inner[1])}
        if inner and inner[-1] is Ellipsis:
            return [self.value(inner[0])]
        return "ghost"


def _with(correction: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    made = dict(correction)
    inner = made
    for name in path[:-1]:
        there = inner.get(name)
        inner[name] = dict(there) if isinstance(there, dict) else {}
        inner = inner[name]
    inner[path[-1]] = value
    return made
