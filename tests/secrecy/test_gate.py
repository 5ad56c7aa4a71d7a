"""Every fault of the gate in `docs/secrecy.md` has its tests, and each that is named is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GATE = ("L1", "L3", "L5", "L6", "L7", "L8", "L10", "L12", "L15", "L16", "L20", "L21", "L23", "L25", "L26")


def rows(text: str) -> dict[str, list[str]]:
    """The tests named beside each fault."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(r"L\d+", cells[0]):
            assert cells[0] not in found, f"{cells[0]} has two rows"
            found[cells[0]] = re.findall(r"`([\w/]+\.py::\w+)`", cells[-1])
    return found


@cache
def defined_in(path: Path) -> frozenset[str]:
    """The names of the tests that a file defines, but for those that are always passed over."""
    if not path.is_file():
        return frozenset()
    tree = ast.parse(path.read_text("utf-8"))
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return frozenset(node.name for node in defined if not any(_passes_over(one) for one in node.decorator_list))


def _passes_over(decorator: ast.expr) -> bool:
    return bool(re.search(r"\bmark\.(skip|xfail)\b", ast.unparse(decorator)))


def missing(named: list[str]) -> list[str]:
    pairs = [one.partition("::") for one in named]
    return [f"{path}::{name}" for path, _, name in pairs if name not in defined_in(ROOT / path)]


GIVEN = rows((ROOT / "docs" / "secrecy.md").read_text("utf-8"))


def test_every_fault_of_the_gate_is_there() -> None:
    assert tuple(GIVEN) == GATE


@pytest.mark.parametrize("fault", GATE)
def test_its_tests_are_there(fault: str) -> None:
    assert GIVEN[fault]
    assert missing(GIVEN[fault]) == []


def test_a_test_that_is_gone_is_found(tmp_path: Path) -> None:
    text = "| L1 | x | y | `tests/secrecy/test_gate.py::test_nowhere`, `tests/nothing.py::test_x` |\n| L2 | x | y | |"
    assert rows(text) == {"L1": ["tests/secrecy/test_gate.py::test_nowhere", "tests/nothing.py::test_x"], "L2": []}
    assert missing(rows(text)["L1"]) == rows(text)["L1"]
    passed_over = tmp_path / "test_x.py"
    passed_over.write_text("@pytest.mark.skip\ndef test_a(): ...\ndef test_b(): ...\n")
    assert defined_in(passed_over) == {"test_b"}
