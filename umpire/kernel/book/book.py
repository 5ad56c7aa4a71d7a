"""Numbers are data with their origin: the book of tables that a battle plays from.

`umpire.kernel.book.layers` reads the files of tables and lays them over each other; what comes of it is a
`Book`: for each table, row and column a value with its status, its source and the files that have set
it. A battle keeps its book, stored under its digest, from beginning to end.

A table's struct is a frozen `msgspec.Struct` with a field `key`, which the row's key fills in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from umpire.kernel.codec import digest_of, encode
from umpire.kernel.values.maps import is_ordered
from umpire.kernel.values.spelling import get_close_matches

Scalar = int | str | bool
Cell = Scalar | tuple[Scalar | tuple[Scalar | tuple[Scalar, ...], ...], ...]

T = TypeVar("T", bound=msgspec.Struct)


class UnknownKey(LookupError):
    """Nothing in the book answers to this table, row, column or search word."""


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value of the book, its status and source, and the files that set it, the last one last."""

    value: Cell
    status: str
    source: str
    files: tuple[str, ...]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value as it is listed for people; `key` is `table.row.column`."""

    key: str
    origin: Origin

    def __str__(self) -> str:
        origin = self.origin
        value = msgspec.json.encode(origin.value).decode()
        return f"{self.key} = {value}  [{origin.status}] {origin.source}  ({' > '.join(origin.files)})"


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All tables of one battle, with the origin of each value.

    A struct like others: it stands in the setting of a battle and is written and read with it. All
    mappings are in the order of their keys; `layers.put_together` makes a book.
    """

    tables: Mapping[str, Mapping[str, Mapping[str, Origin]]]
    """Table -> row key -> column -> value."""

    def __post_init__(self) -> None:
        rows = [row for table in self.tables.values() for row in table.values()]
        if not all(is_ordered(each) for each in (self.tables, *self.tables.values(), *rows)):
            raise ValueError("the tables, rows and columns of a book stand in the order of their keys")

    def encode(self) -> bytes:
        """The canonical bytes: the same content gives the same bytes everywhere."""
        return encode(self)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return digest_of(self.encode())

    @classmethod
    def decode(cls, data: bytes) -> Book:
        """The book that `encode` wrote. Raises `msgspec.ValidationError` for anything else."""
        return msgspec.json.decode(data, type=cls)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Book({self.digest[:12]}, {len(self.tables)} tables)"

    @cached_property
    def _decoded(self) -> dict[tuple[str, type], Mapping[str, Any]]:
        """What `table` has decoded already. The content never changes, so this is only speed."""
        return {}

    def table(self, name: str, row: type[T]) -> Mapping[str, T]:
        """The rows of a table as structs, by key, in the order of keys.

        Raises `UnknownKey` for a table that the book does not have.
        """
        cached = self._decoded.get((name, row))
        if cached is None:
            cached = MappingProxyType({key: row_struct(key, columns, row) for key, columns in self._rows(name).items()})
            self._decoded[(name, row)] = cached
        return cached

    def origin(self, table: str, key: str, column: str) -> Origin:
        """The value with its origin. Raises `UnknownKey` naming what is nearest.

        A column that no file sets has no origin: the struct's default stands for "does not apply".
        """
        rows = self._rows(table)
        if key not in rows:
            raise UnknownKey(f"no row {key!r} in {table}{_nearest(key, rows)}")
        if column not in rows[key]:
            raise UnknownKey(f"{table}.{key} sets no column {column!r}{_nearest(column, rows[key])}")
        return rows[key][column]

    def describe(self, key: str) -> tuple[Line, ...]:
        """All values that a key names: `table`, `table.row`, `table.row.column`, or a search word.

        A word is looked for in tables, rows, columns, sources and values that are words. Raises
        `UnknownKey` where there is nothing, with what is nearest.
        """
        wanted = key.strip().casefold()
        lines = tuple(self._lines())
        exact = tuple(
            line for line in lines if line.key.casefold() == wanted or line.key.casefold().startswith(wanted + ".")
        )
        if wanted and exact:
            return exact
        found = tuple(line for line in lines if wanted and wanted in _searched(line))
        if found:
            return found
        names = {part for line in lines for part in (line.key, line.key.rpartition(".")[0], *line.key.split("."))}
        raise UnknownKey(f"nothing in the book is called {key!r}{_nearest(wanted, names)}")

    def house_values(self) -> tuple[Line, ...]:
        """Every value that is our own proposal, by key."""
        return tuple(line for line in self._lines() if line.origin.status == "house")

    def _lines(self) -> Iterable[Line]:
        for table, rows in self.tables.items():
            for key, columns in rows.items():
                for column in sorted(columns):
                    yield Line(f"{table}.{key}.{column}", columns[column])

    def _rows(self, table: str) -> Mapping[str, Mapping[str, Origin]]:
        if table not in self.tables:
            raise UnknownKey(f"no table {table!r} in the book{_nearest(table, self.tables)}")
        return self.tables[table]


def row_struct(key: str, columns: Mapping[str, Origin], row: type[T]) -> T:
    """The row as the struct of its table. Raises `msgspec.ValidationError` where it does not fit."""
    values = {name: origin.value for name, origin in columns.items()}
    return msgspec.convert({"key": key, **values}, row, strict=True)


def _searched(line: Line) -> str:
    value = line.origin.value
    return "\n".join((line.key, line.origin.source, value if isinstance(value, str) else "")).casefold()


def _nearest(word: str, words: Iterable[str]) -> str:
    near = get_close_matches(word, list(words), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
