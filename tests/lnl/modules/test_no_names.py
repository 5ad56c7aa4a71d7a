"""No code of the rules asks for a nation, a force or a module by name: what differs is a word in the data.

Read from the syntax tree: texts in code (not docstrings, nor what people read) that are the key or the name of a
nation, a troop of the counters, or the name of a module book.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import lnl
from lnl.book.rows import CounterRow, NationRow
from lnl.book.tables import core_book

HERE = Path(lnl.__file__).parent
NATIONS = core_book().table("nations", NationRow)
TROOPS = {row.troop for row in core_book().table("counters", CounterRow).values() if row.troop}
BOOKS = {"hid", "hotm", "hona", "defiance", "motherland", "north_africa", "belgian", "partisan", "partisans", "ss"}
NAMES = {*NATIONS, *(row.name for row in NATIONS.values()), *TROOPS, *BOOKS}


def sources() -> list[Path]:
    """The code that decides anything: not what only proves."""
    return sorted(
        path for path in HERE.rglob("*.py") if path.relative_to(HERE).parts[0] not in ("modules", "traits", "testing")
    )


def named(text: str) -> Iterator[str]:
    """The texts in code that name a nation, a force or a module."""
    tree = ast.parse(text)
    documents = {
        id(body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (body := node.body)
        if isinstance(body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            if node.value in NAMES:
                yield f"{node.value!r} in line {node.lineno}"


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(HERE)))
def test_no_code_names_a_nation_or_a_module(path: Path) -> None:
    assert list(named(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if counter.nation == 'ge': pass", ["'ge' in line 1"]),
        ("if row.troop in ('guards', 'other'): pass", ["'guards' in line 1"]),
        ("x = 'motherland' in active.modules", ["'motherland' in line 1"]),
        ("def rule():\n    'ge'\n    return row.nation == other.nation", []),
        ("if 'known_to_scouts' in row.traits: pass", []),
    ],
)
def test_what_it_finds(text: str, found: list[str]) -> None:
    assert list(named(text)) == found
