"""Files of tables, and how they are laid over each other to make a book.

A file of tables is TOML. A row is a table `[TABLE.KEY]`; its columns are those of the struct that the
rules package declares for that table:

    [_file]
    title = "Small arms"

    [weapons.assault_rifle]
    name = "assault rifle"
    range = 3000
    fire_points = 2
    source = "fireforce small-arms"
    status = "printed"

    [weapons.galil]
    like = "assault_rifle"
    name = "Galil"
    source = "fireforce small-arms"
    status = "printed"

Beside its columns a row has

* `source`  (always): the rule key, book, card or reason that its values come from,
* `status`  (always but in a row that drops): `printed` stands in the rulebook, `derived` follows from
  it, `read` was found elsewhere, `house` is our proposal because nothing printed is to hand,
* `status_of`, `source_of`: the same for single columns, `status_of = { range = "house" }`,
* `like`: another row of the table, which gives the columns that this row does not,
* `note`: a remark for whoever reads the file,
* `drop = true`: the row of an earlier layer is taken out of the book.

`[_file]` may hold `title` and `note`. Values are whole numbers, words, true or false, and lists of
these; lengths are hundredths of an inch, angles tenths of a degree.

Layers (core, module, a group's own files, the special rules of a scenario) are laid over each other
row by row: a later layer may change columns of a row, add a row or drop one. Each value remembers its
status, its source and every file that has set it. Whatever is wrong is refused before anything is
played, all at once, with file, table, row, column and what would be right.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec

from umpire.kernel.book.book import Book, Cell, Origin, row_struct
from umpire.kernel.settings import BadInput
from umpire.kernel.values.maps import ordered
from umpire.kernel.values.spelling import get_close_matches

Status = Literal["printed", "derived", "read", "house"]
STATUSES: tuple[str, ...] = get_args(Status)

_RESERVED = ("source", "status", "status_of", "source_of", "like", "note", "drop")

Schema = Mapping[str, type[msgspec.Struct]]
"""Table name -> the struct of its rows."""


class Problem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing wrong with a file of tables: where, what, and what would be right."""

    file: str
    what: str
    table: str = ""
    key: str = ""
    column: str = ""
    right: str = ""

    def __str__(self) -> str:
        place = ".".join(part for part in (self.table, self.key, self.column) if part)
        text = f"{self.file}: {place}: {self.what}" if place else f"{self.file}: {self.what}"
        return f"{text}; {self.right}" if self.right else text


class BookError(BadInput):
    """The files do not make a book. `problems` lists everything that is wrong."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of tables, parsed: table -> row key -> column -> value. `name` is shown to people."""

    name: str
    tables: Mapping[str, Any]


class Layer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files that belong together: the core, one module, a group's own, a scenario's special rules.

    Two files of one layer may not both speak of the same row.
    """

    name: str
    files: tuple[File, ...]


def parse_file(name: str, text: str) -> File:
    """Reads a file of tables. Raises `BookError` with line and column where it is not TOML."""
    try:
        return File(name=name, tables=tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BookError([Problem(file=name, what=f"is not TOML: {error}")]) from error


def put_together(schema: Schema, layers: Iterable[Layer]) -> Book:
    """Lays the layers over each other, the later over the earlier, and returns the book.

    Every table of the schema is in the book, if only empty. Raises `BookError` with all problems.
    """
    building = _Building(schema)
    for layer in layers:
        building.lay(layer)
    return building.finish()


class _Row:
    """A row in the making: what the files say of it so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.like: str | None = None
        self.columns: dict[str, Origin] = {}


class _Building:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.columns = {
            name: {field.name: field for field in msgspec.structs.fields(row) if field.name != "key"}
            for name, row in schema.items()
        }
        self.tables: dict[str, dict[str, _Row]] = {name: {} for name in schema}
        self.problems: list[Problem] = []

    def lay(self, layer: Layer) -> None:
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
                            self._row(file.name, table, key, row)

    def _header(self, file: str, header: Any) -> None:
        known = ("title", "note")
        if not isinstance(header, Mapping):
            self._wrong(file, "is a loose value", table="_file", right="it is a table [_file]")
            return
        for name in header:
            if name not in known:
                self._wrong(file, "no such entry", table="_file", key=name, right=_did_you_mean(name, known))

    def _row(self, file: str, table: str, key: str, row: Any) -> None:
        if not isinstance(row, Mapping):
            self._wrong(file, "is a loose value", table=table, key=key, right=f"a row is [{table}.KEY]")
            return
        count = len(self.problems)
        self._text(file, table, key, row, "source")
        here = self.tables[table].get(key)
        if "drop" in row:
            self._drop(file, table, key, row)
            return
        self._one_of(file, table, key, "status", row.get("status"))
        mine = {name: value for name, value in row.items() if name not in _RESERVED}
        known = self.columns[table]
        for column in mine:
            if column not in known:
                right = _did_you_mean(column, (*known, *_RESERVED))
                self._wrong(file, "no such column", table=table, key=key, column=column, right=right)
        for reserved in ("status_of", "source_of"):
            self._of(file, table, key, row, reserved, mine)
        if "like" in row and not isinstance(row["like"], str):
            self._wrong(file, "is not a word", table=table, key=key, column="like", right="give a row's key")
        if len(self.problems) > count:
            return
        if here is None:
            here = self.tables[table][key] = _Row(file)
        here.file = file
        here.like = row.get("like", here.like)
        for column, value in mine.items():
            before = here.columns.get(column)
            cell = self._cell(file, table, key, column, value)
            if cell is not None:
                here.columns[column] = Origin(
                    value=cell,
                    status=row.get("status_of", {}).get(column, row["status"]),
                    source=row.get("source_of", {}).get(column, row["source"]),
                    files=(*(before.files if before else ()), file),
                )

    def _drop(self, file: str, table: str, key: str, row: Mapping[str, Any]) -> None:
        if row["drop"] is not True:
            right = "write drop = true, or leave it out"
            self._wrong(file, "is not true", table=table, key=key, column="drop", right=right)
        elif key not in self.tables[table]:
            right = _did_you_mean(key, self.tables[table])
            self._wrong(file, "is dropped, but no earlier layer has it", table=table, key=key, right=right)
        elif extra := sorted(set(row) - {"drop", "source", "status", "note"}):
            right = "a row that is dropped has a source and nothing else"
            self._wrong(file, "stands in a row that is dropped", table=table, key=key, column=extra[0], right=right)
        else:
            del self.tables[table][key]

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

    def finish(self) -> Book:
        tables = {name: {key: self._inherited(name, key, ()) for key in rows} for name, rows in self.tables.items()}
        for name, rows in tables.items():
            for key, columns in rows.items():
                self._whole(name, key, columns)
        if self.problems:
            # A row that others are like reports its faults once.
            raise BookError(dict.fromkeys(self.problems))
        return Book({name: {key: ordered(rows[key]) for key in sorted(rows)} for name, rows in sorted(tables.items())})

    def _inherited(self, table: str, key: str, seen: tuple[str, ...]) -> dict[str, Origin]:
        row = self.tables[table][key]
        if row.like is None:
            return dict(row.columns)
        if row.like in (*seen, key):
            what = f"comes back to itself by way of {', '.join((*seen, key))}"
            self._wrong(row.file, what, table=table, key=key, column="like", right="a row cannot be like itself")
            return dict(row.columns)
        if row.like not in self.tables[table]:
            right = _did_you_mean(row.like, self.tables[table])
            self._wrong(row.file, f"no row {row.like!r}", table=table, key=key, column="like", right=right)
            return dict(row.columns)
        columns = self._inherited(table, row.like, (*seen, key))
        for column, origin in row.columns.items():
            earlier = columns[column].files if column in columns else ()
            files = (*earlier, *(file for file in origin.files if file not in earlier))
            columns[column] = msgspec.structs.replace(origin, files=files)
        return columns

    def _whole(self, table: str, key: str, columns: Mapping[str, Origin]) -> None:
        file = self.tables[table][key].file
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


def _did_you_mean(word: str, words: Iterable[str]) -> str:
    words = sorted(words)
    near = get_close_matches(word, words, 1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are {', '.join(words)}" if words else "there are none"
