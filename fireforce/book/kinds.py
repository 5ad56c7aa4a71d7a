"""What the kinds of terrain are: going, cover, sight, height. The numbers stand in `kinds.toml`.

The file has the form of the book's tables, so that a battle whose book changes a row hands its own
`Kinds` to `ground`; without a book `kinds()` gives what the file says.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeVar

import msgspec

Going = Literal["good", "bad", "impassable"]
Cover = Literal["none", "soft", "hard"]
Save = Literal["open", "soft", "jungle"]

COVERS: tuple[Cover, ...] = ("none", "soft", "hard")
"""From worst to best."""

SAVES: tuple[Save, ...] = ("open", "soft", "jungle")
"""Rows of the saving throw table, from worst to best."""

_REMARKS = ("source", "status", "status_of", "source_of", "like", "note")

T = TypeVar("T", bound=msgspec.Struct)


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of area terrain. Lengths and heights in hundredths of an inch; `into` None = no limit.

    `fireforce movement`, `fireforce small-arms`, `fireforce saving-throws`
    """

    key: str
    name: str
    going: Going
    cover: Cover = "none"
    save: Save = "open"
    dense: bool = False
    height: int = 0
    blocks: bool = False
    into: int | None = None
    eases: bool = False
    raises: bool = False


class Barrier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of line that gives cover to whoever is behind it. `fireforce saving-throws`"""

    key: str
    name: str
    cover: Cover
    height: int


class Measure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One length that the table needs, in hundredths of an inch."""

    key: str
    name: str
    value: int


class Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All kinds that a table may use, and its measures."""

    ground: tuple[Kind, ...]
    barrier: tuple[Barrier, ...]
    measure: tuple[Measure, ...]

    @cached_property
    def grounds(self) -> Mapping[str, Kind]:
        return {kind.key: kind for kind in self.ground}

    @cached_property
    def barriers(self) -> Mapping[str, Barrier]:
        return {kind.key: kind for kind in self.barrier}

    @cached_property
    def _measures(self) -> Mapping[str, int]:
        return {row.key: row.value for row in self.measure}

    def length(self, key: str) -> int:
        """The measure of this key. Raises `KeyError` where there is none."""
        return self._measures[key]


TABLES: Mapping[str, type[msgspec.Struct]] = {"ground": Kind, "barrier": Barrier, "measure": Measure}
"""Table name -> struct of its rows, for whoever puts the book together."""


@lru_cache(maxsize=1)
def kinds() -> Kinds:
    """The kinds as `kinds.toml` has them. Raises `msgspec.ValidationError` where a row does not fit."""
    tables = tomllib.loads(files("fireforce.data").joinpath("kinds.toml").read_text(encoding="utf-8"))
    return Kinds(_rows(tables["ground"], Kind), _rows(tables["barrier"], Barrier), _rows(tables["measure"], Measure))


def _rows(table: Mapping[str, Mapping[str, Any]], row: type[T]) -> tuple[T, ...]:
    def columns(key: str) -> dict[str, Any]:
        own = table[key]
        inherited = columns(own["like"]) if "like" in own else {}
        return inherited | {name: value for name, value in own.items() if name not in _REMARKS}

    return tuple(msgspec.convert({"key": key, **columns(key)}, row, strict=True) for key in table)
