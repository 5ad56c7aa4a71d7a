"""Files that people write, read into structs: what is wrong is refused with the file, the place in it, and what
would be right.

A place is named by the keys of the things in it: `squad 'first'.quality`, not `squad[0].quality`.
"""

from __future__ import annotations

import tomllib
import types
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from umpire.kernel.settings import BadInput
from umpire.kernel.values.spelling import get_close_matches

K = TypeVar("K", bound=Struct)


def parsed(text: str, file: str) -> dict[str, Any]:
    """The data of a TOML file. Raises BadInput."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(
            f"it is not TOML: {fault}", file=file, right="Write it in the form of the scenarios that are shipped"
        ) from None


def typed(data: Any, kind: type[K], file: str, *, names: Sequence[str] = ("key",)) -> K:
    """Data as structs. `names`: the keys by which a thing in a list is named. Raises BadInput with the place and, for a
    key that is not known, the nearest one."""
    _known_keys(data, kind, "", file, tuple(names))
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as fault:
        what, _, place = str(fault).partition(" - at ")
        where = _named(data, place.strip("`").removeprefix("$").lstrip("."), tuple(names))
        wrong, _, got = what.partition(", got ")
        if got:
            raise BadInput(
                f"{got.strip('`')} will not do", file=file, where=where, right=f"{wrong.replace('`', '')} here"
            ) from None
        raise BadInput(what.replace("`", "'"), file=file, where=where) from None


def near(word: str, words: Iterable[str]) -> str:
    """What would be right in the place of a word that is not among these."""
    words = sorted(words)
    found = get_close_matches(word, words, 1)
    return f"Did you mean {found[0]!r}?" if found else f"There are {', '.join(words)}" if words else "There are none"


class Reading:
    """Reads a file: its faults are told with the file, the place and what would be right. What checks
    raises BadInput, or does nothing."""

    file: str

    def _fault(self, where: str, what: str, right: str) -> BadInput:
        return BadInput(what, file=self.file, where=where, right=right)

    def _wrong(self, where: str, what: str, right: str) -> NoReturn:
        raise self._fault(where, what, right)

    def _refers(self, where: str, key: str, known: Iterable[str]) -> None:
        """A key names something that there is."""
        known = list(known)
        if key not in known:
            self._wrong(where, f"there is no {key!r}", near(key, known))

    def _differ(self, what: str, keys: Iterable[str]) -> None:
        """No key is used twice."""
        for key, count in Counter(keys).items():
            if count > 1:
                self._wrong(what, f"the key {key!r} is used twice", "Give each its own")

    def _check_battle(self, turns: int, sides: Collection[str], sides_of: Mapping[str, str]) -> None:
        """A battle has a turn or more, two sides or more, and each command (key to side) is of one of them."""
        if turns < 1:
            self._wrong("scenario.turns", f"{turns} turns are none", "Give 1 turn or more")
        if len(sides) < 2:
            self._wrong("side", "a battle has two sides", "Write a [[side]] for each")
        for command, side in sides_of.items():
            self._refers(f"command {command!r}.side", side, sides)


def _known_keys(data: Any, kind: Any, where: str, file: str, names: tuple[str, ...]) -> None:
    """Refuses the first key that no field of the struct has."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        for one in get_args(kind):
            is_struct = isinstance(one, type) and issubclass(one, Struct) and isinstance(data, Mapping)
            if is_struct or get_origin(one) is Literal:
                _known_keys(data, one, where, file, names)
    elif origin is Literal and isinstance(data, str):
        if data not in get_args(kind):
            raise BadInput(f"{data!r} will not do", file=file, where=where, right=near(data, get_args(kind)))
    elif origin is tuple and isinstance(data, list):
        inner = get_args(kind)[0]
        for index, each in enumerate(data):
            name = _name(each, names)
            _known_keys(each, inner, f"{where} {name!r}" if name else f"{where}[{index}]", file, names)
    elif isinstance(kind, type) and issubclass(kind, Struct) and isinstance(data, Mapping):
        hints = get_type_hints(kind)
        for key, value in data.items():
            place = f"{where}.{key}" if where else key
            if key not in hints:
                raise BadInput(f"there is no key {key!r} here", file=file, where=place, right=near(key, hints))
            _known_keys(value, hints[key], place, file, names)
        for needed in msgspec.structs.fields(kind):
            if needed.required and needed.name not in data:
                raise BadInput(
                    f"{needed.name!r} is missing", file=file, where=where or "the file", right="It is needed"
                )


def _name(data: Any, names: tuple[str, ...]) -> Any:
    if not isinstance(data, Mapping):
        return None
    return next((data[name] for name in names if data.get(name)), None)


def _named(data: Any, place: str, names: tuple[str, ...]) -> str:
    found, at = "", data
    for part in place.replace("[", ".[").split("."):
        if part.startswith("["):
            index = part.strip("[]")
            at = at[int(index)] if index.isdigit() and isinstance(at, list) and int(index) < len(at) else None
            name = _name(at, names)
            found += f" {name!r}" if name else part
        elif part:
            at = at.get(part) if isinstance(at, Mapping) else None
            found += f".{part}" if found else part
    return found
