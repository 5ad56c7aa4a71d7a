"""Lays files of tables over each other: what `umpire.kernel.book.layers` describes, carried out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from umpire.kernel.book.book import Book, Cell, Origin, row_struct
from umpire.kernel.book.columns import adds, refers_to
from umpire.kernel.book.layers import BookError, Layer, Problem, Schema
from umpire.kernel.values.maps import ordered
from umpire.kernel.values.spelling import get_close_matches

Status = Literal["printed", "derived", "read", "house"]
STATUSES: tuple[str, ...] = get_args(Status)

_RESERVED = ("source", "status", "status_of", "source_of", "like", "note", "drop")
_WITHOUT = "_without"


def put_together(schema: Schema, layers: Iterable[Layer]) -> Book:
    """Lays the layers over each other, the later over the earlier, and returns the book.

    Every table of the schema is in the book, if only empty. Raises `BookError` with all problems.
    """
    laying = _Laying(schema)
    for layer in layers:
        laying.lay(layer)
    return laying.finish()


class _Set(msgspec.Struct, frozen=True):
    """A column as a layer has set it; `module` is the module whose layer it was, "" for another layer."""

    origin: Origin
    module: str = ""


class _Row:
    """A row in the making. `columns`: what has been set; `grown`: what later layers add to a column that grows, and
    take away from it; `like`: the row that gives the other columns, by the name that a layer of `like_for` gave it."""

    def __init__(self, file: str, table: str) -> None:
        self.file = file
        self.table = table
        self.like = ""
        self.like_for = ""
        self.columns: dict[str, _Set] = {}
        self.grown: dict[str, list[tuple[Origin, bool]]] = {}


class _Laying:
    """Rows by table and key. In a table whose rows are their module's own (`BY_MODULE`), a row that a module adds
    stands under `module:key` until all layers are laid."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.columns = {
            name: {field.name: field for field in msgspec.structs.fields(row) if field.name != "key"}
            for name, row in schema.items()
        }
        self.by_module = frozenset(name for name, row in schema.items() if getattr(row, "BY_MODULE", False))
        self.tables: dict[str, dict[str, _Row]] = {name: {} for name in schema}
        self.names: dict[str, dict[str, str]] = {}
        self.problems: list[Problem] = []

    # A layer

    def lay(self, layer: Layer) -> None:
        module = layer.name if layer.is_module else ""
        spoken: dict[tuple[str, str], str] = {}
        for file in layer.files:
            for table, rows in file.tables.items():
                if table == "_file":
                    self._header(file.name, rows)
                elif table not in self.schema:
                    self._wrong(file.name, "no such table", table=table, right=_did_you_mean(table, self.schema))
                elif not isinstance(rows, Mapping):
                    self._wrong(file.name, "is a loose value", table=table, right=f"rows are [{table}.KEY]")
                else:
                    for key, row in rows.items():
                        if (first := spoken.setdefault((table, key), file.name)) != file.name:
                            self._wrong(
                                file.name,
                                f"is in {first} already, a file of the same layer",
                                table=table,
                                key=key,
                                right="a row stands in one file of a layer",
                            )
                        else:
                            self._row(file.name, module, table, key, row)

    def _header(self, file: str, header: Any) -> None:
        known = ("title", "note")
        if not isinstance(header, Mapping):
            self._wrong(file, "is a loose value", table="_file", right="it is a table [_file]")
            return
        for name in header:
            if name not in known:
                self._wrong(file, "no such entry", table="_file", key=name, right=_did_you_mean(name, known))

    def _row(self, file: str, module: str, table: str, key: str, row: Any) -> None:
        if not isinstance(row, Mapping):
            self._wrong(file, "is a loose value", table=table, key=key, right=f"a row is [{table}.KEY]")
            return
        count = len(self.problems)
        self._text(file, table, key, row, "source")
        found = self._found(table, key, module)
        if len(found) > 1:
            right = f"name one of them: {', '.join(found)}"
            self._wrong(file, "stands in several modules of this battle", table=table, key=key, right=right)
        if "drop" in row:
            self._drop(file, table, key, found, row)
            return
        self._one_of(file, table, key, "status", row.get("status"))
        mine = {name: value for name, value in row.items() if name not in _RESERVED}
        known = self.columns[table]
        growing = {f"{name}{_WITHOUT}" for name, field in known.items() if adds(field.type)}
        for column in mine:
            if column not in known and column not in growing:
                right = _did_you_mean(column, (*known, *growing, *_RESERVED))
                self._wrong(file, "no such column", table=table, key=key, column=column, right=right)
        for reserved in ("status_of", "source_of"):
            self._of(file, table, key, row, reserved, mine)
        if "like" in row and not isinstance(row["like"], str):
            self._wrong(file, "is not a word", table=table, key=key, column="like", right="give a row's key")
        if len(self.problems) > count:
            return
        name = found[0] if found else f"{module}:{key}" if module and table in self.by_module else key
        is_new = name not in self.tables[table]
        here = self.tables[table].setdefault(name, _Row(file, table))
        here.file = file
        if "like" in row:
            here.like, here.like_for = row["like"], module
        for column, value in mine.items():
            takes_away = column in growing
            cell = self._cell(file, table, key, column.removesuffix(_WITHOUT) if takes_away else column, value)
            if cell is not None:
                status = row.get("status_of", {}).get(column, row["status"])
                source = row.get("source_of", {}).get(column, row["source"])
                given = Origin(value=cell, status=status, source=source, files=(file,))
                self._set(here, module, key, column, given, takes_away=takes_away, is_new=is_new)

    def _set(
        self, here: _Row, module: str, key: str, column: str, given: Origin, *, takes_away: bool, is_new: bool
    ) -> None:
        if takes_away or (not is_new and adds(self.columns[here.table][column].type)):
            here.grown.setdefault(column.removesuffix(_WITHOUT), []).append((given, takes_away))
            return
        before = here.columns.get(column)
        if before is not None and module and before.module not in ("", module):
            if before.origin.value != given.value:
                other = before.origin.files[-1]
                shown = " and ".join(msgspec.json.encode(each.value).decode() for each in (before.origin, given))
                what = f"{other} of another module sets it too, otherwise: {shown}"
                right = "leave one of the two modules out, or let one give the row a key of its own"
                self._wrong(given.files[-1], what, table=here.table, key=key, column=column, right=right)
            return
        files = (*(before.origin.files if before else ()), *given.files)
        here.columns[column] = _Set(replace(given, files=files), module or (before.module if before else ""))

    def _drop(self, file: str, table: str, key: str, found: tuple[str, ...], row: Mapping[str, Any]) -> None:
        if row["drop"] is not True:
            right = "write drop = true, or leave it out"
            self._wrong(file, "is not true", table=table, key=key, column="drop", right=right)
        elif not found:
            right = _did_you_mean(key, self.tables[table])
            self._wrong(file, "is dropped, but no earlier layer has it", table=table, key=key, right=right)
        elif extra := sorted(set(row) - {"drop", "source", "status", "note"}):
            right = "a row that is dropped has a source and nothing else"
            self._wrong(file, "stands in a row that is dropped", table=table, key=key, column=extra[0], right=right)
        elif len(found) == 1:
            del self.tables[table][found[0]]

    def _found(self, table: str, name: str, module: str) -> tuple[str, ...]:
        """The rows that a layer may mean by a name: the module's own first, then the one that stands under it, then
        those that modules have under it (for a layer that is no module's)."""
        rows = self.tables[table]
        for own in (f"{module}:{name}", name):
            if own in rows:
                return (own,)
        return () if module else tuple(sorted(key for key in rows if key.rpartition(":")[2] == name))

    # What is wrong with a row

    def _of(self, file: str, table: str, key: str, row: Mapping[str, Any], name: str, mine: Mapping[str, Any]) -> None:
        given = row.get(name, {})
        if not isinstance(given, Mapping):
            right = f'write {name} = {{ COLUMN = "..." }}'
            self._wrong(file, "is not a table", table=table, key=key, column=name, right=right)
            return
        for column, value in given.items():
            if column not in mine:
                right = _did_you_mean(column, mine)
                self._wrong(file, f"this row sets no {column!r}", table=table, key=key, column=name, right=right)
            elif name == "status_of":
                self._one_of(file, table, key, f"status_of.{column}", value)
            elif not isinstance(value, str) or not value.strip():
                self._wrong(file, "is not a source", table=table, key=key, column=name, right="give a text")

    def _text(self, file: str, table: str, key: str, row: Mapping[str, Any], name: str) -> None:
        if not isinstance(row.get(name), str) or not row[name].strip():
            right = f'every row gives {name} = "..."'
            self._wrong(file, "is missing", table=table, key=key, column=name, right=right)

    def _one_of(self, file: str, table: str, key: str, column: str, value: Any) -> None:
        if value not in STATUSES:
            what = "is missing" if value is None else f"{value!r} is no status"
            self._wrong(file, what, table=table, key=key, column=column, right=f"one of {', '.join(STATUSES)}")

    def _cell(self, file: str, table: str, key: str, column: str, value: Any) -> Cell | None:
        """The value in the form that is stored, or nothing where its type is wrong."""
        kind = self.columns[table][column].type
        try:
            msgspec.convert(value, kind, strict=True)
        except msgspec.ValidationError as error:
            shown = msgspec.json.encode(value).decode()
            right = str(error).removeprefix("Expected ").replace("`", "")
            self._wrong(file, f"{shown} does not fit", table=table, key=key, column=column, right=f"expected {right}")
            return None
        cell: Cell = msgspec.convert(value, Cell)
        return cell

    # The book

    def finish(self) -> Book:
        self.names = {table: _last_names(rows) for table, rows in self.tables.items()}
        tables = {
            table: {self.names[table][key]: self._inherited(table, key, ()) for key in rows}
            for table, rows in self.tables.items()
        }
        for table, rows in self.tables.items():
            for key, row in rows.items():
                self._whole(table, self.names[table][key], row.file, tables[table][self.names[table][key]])
        if self.problems:
            # A row that others are like reports its faults once.
            raise BookError(dict.fromkeys(self.problems))
        return Book({name: {key: ordered(rows[key]) for key in sorted(rows)} for name, rows in sorted(tables.items())})

    def _inherited(self, table: str, key: str, seen: tuple[str, ...]) -> dict[str, Origin]:
        """The columns of a row: those of the row that it is like, its own over them, and what has grown."""
        row = self.tables[table][key]
        columns: dict[str, Origin] = {}
        if row.like:
            found = self._found(table, row.like, row.like_for)
            if found and found[0] in (*seen, key):
                what = f"comes back to itself by way of {', '.join((*seen, key))}"
                self._wrong(row.file, what, table=table, key=key, column="like", right="a row cannot be like itself")
            elif not found:
                right = _did_you_mean(row.like, self.tables[table])
                self._wrong(row.file, f"no row {row.like!r}", table=table, key=key, column="like", right=right)
            else:
                columns = self._inherited(table, found[0], (*seen, key))
        for column, made in row.columns.items():
            earlier = columns[column].files if column in columns else ()
            files = (*earlier, *(file for file in made.origin.files if file not in earlier))
            columns[column] = replace(self._meant(table, key, column, made), files=files)
        for column, changes in row.grown.items():
            for given, takes_away in changes:
                columns[column] = _grown(columns.get(column), given, takes_away=takes_away)
        return columns

    def _meant(self, table: str, key: str, column: str, made: _Set) -> Origin:
        """A value that names a row, with the name that this row has in the book."""
        named = made.origin.value
        to = refers_to(self.columns[table][column].type)
        if not to or not named or not isinstance(named, str):
            return made.origin
        found = self._found(to, named, made.module)
        if len(found) != 1:
            what = f"several modules have {named!r} in {to}" if found else f"there is no {named!r} in {to}"
            right = f"name one of them: {', '.join(found)}" if found else _did_you_mean(named, self.tables[to])
            shown = self.names[table][key]
            self._wrong(made.origin.files[-1], what, table=table, key=shown, column=column, right=right)
            return made.origin
        return replace(made.origin, value=self.names[to][found[0]])

    def _whole(self, table: str, key: str, file: str, columns: Mapping[str, Origin]) -> None:
        missing = [name for name, field in self.columns[table].items() if field.required and name not in columns]
        for column in missing:
            self._wrong(file, "is missing", table=table, key=key, column=column, right="a new row gives it")
        if not missing and not self.problems:
            try:
                row_struct(key, columns, self.schema[table])
            except msgspec.ValidationError as error:
                self._wrong(file, str(error), table=table, key=key)

    def _wrong(
        self, file: str, what: str, *, table: str = "", key: str = "", column: str = "", right: str = ""
    ) -> None:
        self.problems.append(Problem(file=file, what=what, table=table, key=key, column=column, right=right))


def _last_names(rows: Iterable[str]) -> dict[str, str]:
    """What rows are called in the book: without their module where nobody else has their key."""
    keys = list(rows)
    bare = [key.rpartition(":")[2] for key in keys]
    return {key: name if bare.count(name) == 1 else key for key, name in zip(keys, bare, strict=True)}


def _grown(before: Origin | None, given: Origin, *, takes_away: bool) -> Origin:
    """A column that grows with what a later layer adds or takes away."""
    there = before.value if before is not None and isinstance(before.value, tuple) else ()
    words = given.value if isinstance(given.value, tuple) else (given.value,)
    left = tuple(word for word in there if word not in words)
    value = left if takes_away else (*there, *(word for word in words if word not in there))
    return replace(given, value=value, files=(*(before.files if before is not None else ()), *given.files))


def _did_you_mean(word: str, words: Iterable[str]) -> str:
    words = sorted(words)
    near = get_close_matches(word, words, 1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are {', '.join(words)}" if words else "there are none"
