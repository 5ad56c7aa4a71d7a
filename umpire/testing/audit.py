"""Which sentences of the rulebooks are held by which function and proved by which test.

`docs/audit/*.md` holds tables of four columns (see its README). `section` is a key of the index.
A function is named by its module and name, a test by its file and function, a case by its key, each in backquotes. A
statement is proved when a test or a case is named, needs none where the last column says why, and is open where it says
what is missing.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

COLUMNS = ("section", "statement", "held by", "proved by")
NEEDS_NONE = "needs none:"
OPEN = "open:"


class Statement(Struct, frozen=True, kw_only=True):
    """A sentence of a book in our own words. `status` is proved, needs_none or open; `place` its file and line."""

    section: str
    words: str
    functions: tuple[str, ...]
    proofs: tuple[str, ...]
    reason: str
    place: str

    @property
    def status(self) -> str:
        return "proved" if self.proofs else "open" if self.reason.startswith(OPEN) else "needs_none"


class Audit(Struct, frozen=True, kw_only=True):
    """All statements, and in words what is wrong with the pages that list them."""

    statements: tuple[Statement, ...]
    faults: tuple[str, ...]

    def share(self) -> tuple[int, int]:
        """How many statements are proved, and how many could be: those that need no proof left out."""
        counted = Counter(statement.status for statement in self.statements)
        return counted["proved"], counted["proved"] + counted["open"]


def read(root: Path, sections: Mapping[str, str], cases: frozenset[str]) -> Audit:
    """The statements of `docs/audit` below a root folder, checked against the keys of all sections and of all cases."""
    statements: list[Statement] = []
    faults: list[str] = []
    for path in sorted((root / "docs" / "audit").glob("*.md")):
        for number, cells in _rows(path.read_text(encoding="utf-8")):
            place = f"{path.relative_to(root)}:{number}"
            if len(cells) != len(COLUMNS):
                faults.append(f"{place}: {len(cells)} columns; right would be {len(COLUMNS)}: {', '.join(COLUMNS)}")
                continue
            statement = _statement(cells, place)
            statements.append(statement)
            faults += [f"{place}: {fault}" for fault in _faults(root, statement, sections, cases)]
    return Audit(statements=tuple(statements), faults=tuple(faults))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row of the tables, without their heads; what stands between fences is an example."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        fenced ^= line.startswith("```")
        if fenced or not line.startswith("|"):
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
        if tuple(cells) != COLUMNS and set("".join(cells)) - set("-: "):
            yield number, cells


def _statement(cells: list[str], place: str) -> Statement:
    section, words, held, proof = cells
    named = tuple(re.findall(r"`([^`]+)`", proof))
    return Statement(
        section=section,
        words=words,
        functions=tuple(re.findall(r"`([^`]+)`", held)),
        proofs=() if proof.startswith((NEEDS_NONE, OPEN)) else named,
        reason="" if named and not proof.startswith((NEEDS_NONE, OPEN)) else proof,
        place=place,
    )


def _faults(root: Path, said: Statement, sections: Mapping[str, str], cases: frozenset[str]) -> Iterator[str]:
    if said.section not in sections:
        yield f"{said.section!r} is no section of the index"
    if not said.words:
        yield "no statement"
    if not said.proofs and not re.match(f"({NEEDS_NONE}|{OPEN}) *[^ ]", said.reason):
        yield f"neither proof nor reason; right would be a test or case in backquotes, '{NEEDS_NONE} …' or '{OPEN} …'"
    if said.proofs and not said.functions:
        yield "proved, but by no function held"
    for function in said.functions:
        if not _is_defined(root, function):
            yield f"there is no {function}"
    for proof in said.proofs:
        file, _, test = proof.partition("::")
        if test and test.split("[")[0] not in _names(root / file):
            yield f"there is no test {proof}"
        if not test and proof not in cases:
            yield f"there is no case {proof}"


def _is_defined(root: Path, dotted: str) -> bool:
    """Whether a module, or what one defines, has this name."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        module = root.joinpath(*parts[:cut])
        for file in (module.with_suffix(".py"), module / "__init__.py"):
            if file.is_file():
                return cut == len(parts) or ".".join(parts[cut:]) in _names(file)
    return False


@cache
def _names(file: Path) -> frozenset[str]:
    """What a file defines: functions, classes, their methods by both names, and what it assigns."""
    if not file.is_file() or file.suffix != ".py":
        return frozenset()
    found: set[str] = set()

    def walk(nodes: list[ast.stmt], before: str) -> None:
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.update((node.name, before + node.name))
                if isinstance(node, ast.ClassDef):
                    walk(node.body, f"{before}{node.name}.")
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found.update(before + target.id for target in targets if isinstance(target, ast.Name))

    walk(ast.parse(file.read_text(encoding="utf-8")).body, "")
    return frozenset(found)
