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

Layers (core, modules, a group's own files, the special rules of a scenario) are laid over each other
row by row: a later layer may change columns of a row, add a row or drop one. A column that `Adds` (traits)
grows: a later layer's words come to those that are there, and `traits_without` takes some away. Each value
remembers its status, its source and every file that has set it. Whatever is wrong is refused before anything
is played, all at once, with file, table, row, column and what would be right.

Modules stand side by side: two that set one column of one row differently are refused. In a table whose struct
says `BY_MODULE` (counters, weapons) a row that a module adds is its own: where two modules of a battle add one
of the same key they are `module:key`, and each means its own by the bare key; where only one does, the bare
key is its.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from umpire.kernel.settings import BadInput

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
    is_module: bool = False


def parse_file(name: str, text: str) -> File:
    """Reads a file of tables. Raises `BookError` with line and column where it is not TOML."""
    try:
        return File(name=name, tables=tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BookError([Problem(file=name, what=f"is not TOML: {error}")]) from error
