"""Which rule sections are proved by which tests.

The index of sections stands in `<package>/titles.tsv`: book, section, title; in `no_rule` a reason where a section
holds no rule; in `open` what is still to come of one that is begun, which stays open until then. A section of a
module's book stays open until it ships (`<package>/modules/<book>`): its points prove nothing. A test names what it
proves with `@pytest.mark.rule("fireforce motivation", …)` (on a function, a class, or a module's `pytestmark`), a case
file with its `rules`. The statements of each section, and what proves each, are listed in `docs/audit` (see `audit`).
"""

from __future__ import annotations

import ast
import csv
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from umpire.testing import audit


class Section(Struct, frozen=True, kw_only=True):
    """A rule section and the tests that prove it. `status` is covered, open or no_rule."""

    key: str
    title: str
    status: str
    tests: tuple[str, ...] = ()
    reason: str = ""
    statements: tuple[audit.Statement, ...] = ()


class Coverage(Struct, frozen=True, kw_only=True):
    """All sections, marks that name one that the index does not have, and what is wrong with the audit's pages."""

    sections: tuple[Section, ...]
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def statements(self) -> audit.Audit:
        """The statements of these sections."""
        found = tuple(statement for section in self.sections for statement in section.statements)
        return audit.Audit(statements=found, faults=self.faults)


def index(root: Path) -> list[tuple[str, str, str, str]]:
    """(key, title, reason why it holds no rule, what is still to come) of every section, in the order of the books."""
    rows: list[tuple[str, str, str, str]] = []
    for path in sorted(root.glob("*/titles.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                is_core = row["book"] in ("core", path.parent.name)
                is_here = is_core or (path.parent / "modules" / row["book"]).is_dir()
                to_come = row["open"] or ("" if is_here else "its module is not shipped yet")
                rows.append((f"{row['book']} {row['section']}", row["title"], row["no_rule"] or "", to_come))
    return rows


def marks(root: Path) -> Iterator[tuple[str, str]]:
    """(key, test) for every rule that a test or a case file names."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = str(path.relative_to(root))
        everywhere = [key for node in tree.body if _is_pytestmark(node) for key in _keys(ast.walk(node))]
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            keys = [key for decorator in node.decorator_list for key in _keys(ast.walk(decorator))]
            if node.name.startswith("test"):
                keys += everywhere
            for key in keys:
                yield key, f"{name}::{node.name}"
    for path, case in cases(root):
        for key in case.get("rules", ()):
            yield str(key), f"{path.relative_to(root)}"


def cases(root: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The case files below a root folder that can be read, each as its table."""
    for path in sorted((root / "tests").rglob("*.toml")):
        try:
            case = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError:
            continue
        if "case" in case:
            yield path, case


def _is_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
    )


def _keys(nodes: Iterator[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def count(root: Path, books: Sequence[str] = ()) -> Coverage:
    """The coverage of all sections below a root folder, or of some books'."""
    proved: dict[str, list[str]] = {}
    for key, test in marks(root):
        proved.setdefault(key, []).append(test)
    sections = []
    known = set()
    titles = {key: title for key, title, _, _ in index(root)}
    audited = audit.read(root, titles, frozenset(str(case["case"]) for _, case in cases(root)))
    for key, title, no_rule, to_come in index(root):
        known.add(key)
        if books and key.split()[0] not in books:
            continue
        tests = tuple(dict.fromkeys(proved.get(key, ())))
        status = "open" if to_come and not no_rule else "covered" if tests else "no_rule" if no_rule else "open"
        said = tuple(statement for statement in audited.statements if statement.section == key)
        section = Section(key=key, title=title, status=status, tests=tests, reason=to_come or no_rule, statements=said)
        sections.append(section)
    unknown = {key: tuple(tests) for key, tests in sorted(proved.items()) if key not in known}
    return Coverage(sections=tuple(sections), unknown=unknown, faults=audited.faults)
