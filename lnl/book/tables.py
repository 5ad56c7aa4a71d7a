"""Lock 'n Load's tables as functions: typed answers from the book.

`shipped_book(*layers)` puts a book together; `Tables(book)` answers from it. Keys that the book does not have raise
`UnknownKey` with the nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import TypeVar

import msgspec

from lnl.book import rows
from lnl.book.rows import SCHEMA
from lnl.data import core
from umpire.kernel.book.book import Book, UnknownKey
from umpire.kernel.book.layers import BookError, Layer, Problem
from umpire.kernel.book.laying import put_together
from umpire.kernel.values.modifiers import Modifier

R = TypeVar("R", bound=msgspec.Struct)


def shipped_book(*layers: Layer) -> Book:
    """The shipped tables with these layers laid over them. Raises `BookError` where they cannot be played."""
    book = put_together(SCHEMA, (core(), *layers))
    if found := problems(book):
        raise BookError(found)
    return book


@cache
def core_book() -> Book:
    """The shipped tables alone."""
    return shipped_book()


class GroundTables(msgspec.Struct, frozen=True):
    """The tables that a map is read with: rows by key; and how many degrading hexes a line may cross. `core 10.3`"""

    terrain: Mapping[str, rows.TerrainRow]
    hexsides: Mapping[str, rows.HexsideRow]
    markers: Mapping[str, rows.MarkerRow]
    most_degrading: int


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Answers from one book."""

    book: Book

    @cached_property
    def _counters(self) -> Mapping[str, rows.CounterRow]:
        return self.book.table("counters", rows.CounterRow)

    @cached_property
    def _numbers(self) -> Mapping[str, rows.NumberRow]:
        return self.book.table("numbers", rows.NumberRow)

    def counter(self, key: str) -> rows.CounterRow:
        """A counter of men. `core 1.1`"""
        found = self._counters.get(key)
        return found if found is not None else self._row("counters", key, rows.CounterRow)

    def weapon(self, key: str) -> rows.WeaponRow:
        """A support weapon. `core 1.6.1`"""
        return self._row("weapons", key, rows.WeaponRow)

    def terrain(self, key: str) -> rows.TerrainRow:
        """A kind of terrain. `core 10.4`"""
        return self._row("terrain", key, rows.TerrainRow)

    def hexside(self, key: str) -> rows.HexsideRow:
        """What stands on a hexside. `core 10.3`"""
        return self._row("hexsides", key, rows.HexsideRow)

    def marker(self, key: str) -> rows.MarkerRow:
        """Smoke or a fortification. `core 7.0`, `core 21.0`"""
        return self._row("markers", key, rows.MarkerRow)

    def nation(self, key: str) -> rows.NationRow:
        """A nation or force. `core 13.0`"""
        return self._row("nations", key, rows.NationRow)

    def force(self, nation: str, troop: str) -> rows.NationRow:
        """The force of a nation to which troops belong, where it has a row of its own; else the nation. `core 13.0`"""
        found = self.book.table("nations", rows.NationRow).get(f"{nation}_{troop}") if troop else None
        return found if found is not None else self.nation(nation)

    def skill(self, key: str) -> rows.SkillRow:
        """A skill card. `core 12.0`"""
        return self._row("skills", key, rows.SkillRow)

    def damage(self, key: str) -> rows.DamageRow:
        """What a Damage Check does to a kind of target. `core 5.1`"""
        return self._row("damage", key, rows.DamageRow)

    def number(self, key: str) -> int:
        """A single number of the rules."""
        found = self._numbers.get(key)
        return (found if found is not None else self._row("numbers", key, rows.NumberRow)).value

    def fire_modifier(self, key: str, times: int = 1) -> Modifier:
        """A modifier of an attack on the Direct Fire Table, so many times over. `core 5.0`"""
        row = self._row("fire_modifiers", key, rows.FireModifierRow)
        status = self.book.origin("fire_modifiers", key, "value").status
        return Modifier(row.value * times, row.name, row.rule, "house" if status == "house" else "")

    @cached_property
    def melee(self) -> tuple[rows.MeleeRow, ...]:
        """The columns of the Melee Table from the worst odds to the best. `core 8.0`"""
        return tuple(sorted(self.book.table("melee", rows.MeleeRow).values(), key=lambda row: row.column))

    @cached_property
    def ground(self) -> GroundTables:
        """The tables that sight and movement read the map with."""
        return GroundTables(
            terrain=self.book.table("terrain", rows.TerrainRow),
            hexsides=self.book.table("hexsides", rows.HexsideRow),
            markers=self.book.table("markers", rows.MarkerRow),
            most_degrading=self.number("degrading_limit"),
        )

    def is_house(self, table: str, key: str, column: str) -> bool:
        """Whether a value is our own proposal."""
        try:
            return self.book.origin(table, key, column).status == "house"
        except UnknownKey:
            return False

    def _row(self, table: str, key: str, kind: type[R]) -> R:
        found = self.book.table(table, kind).get(key)
        if found is None:
            self.book.origin(table, key, "name")
        assert found is not None
        return found


def problems(book: Book) -> tuple[Problem, ...]:
    """What of a book cannot be played: a melee column missing or double."""
    columns = sorted(row.column for row in book.table("melee", rows.MeleeRow).values())
    if columns == list(range(len(columns))):
        return ()
    what = "the columns do not count 0, 1, 2 ..."
    return (Problem(file="melee", what=what, table="melee", right="number them in order"),)
