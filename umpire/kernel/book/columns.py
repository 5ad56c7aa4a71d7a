"""What the struct of a table says of its columns, beside their types: annotations."""

from __future__ import annotations

from typing import Any, get_args

import msgspec


class Adds(msgspec.Struct, frozen=True):
    """The column is a list that grows: what a later layer gives comes to what is there.

    `traits: Annotated[tuple[str, ...], Adds()] = ()`; a row's `traits_without` takes words away.
    """


class Refers(msgspec.Struct, frozen=True):
    """The column names a row of a table, or is empty.

    `reduces: Annotated[str, Refers("counters")] = ""`
    """

    table: str


def adds(kind: Any) -> bool:
    """Whether a column of this annotated type grows from layer to layer."""
    return any(isinstance(each, Adds) for each in get_args(kind)[1:])


def refers_to(kind: Any) -> str:
    """The table whose rows a column of this annotated type names; "" where it names none."""
    return next((each.table for each in get_args(kind)[1:] if isinstance(each, Refers)), "")
