"""Whether the tests that name a rule would notice if it were otherwise: the functions whose docstrings cite it are
changed one by one, and only the tests and case files marked with it run. `docs/coverage.md`

A comparison is turned, a number is one greater, a branch is left out. Each mutant lives in a process of its own, forked
from one that has imported everything and run nothing.
"""

from __future__ import annotations

import ast
import copy
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any, Final

from msgspec import Struct

from umpire.testing.cases.running import run_file
from umpire.testing.coverage import marks

ROOMS: Final = ("lnl/rules", "fireforce/rules")
PATIENCE: Final = 120
"""Seconds after which a mutant counts as noticed: it goes on for ever."""
TURNED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Function(Struct, frozen=True):
    """A function that cites a rule: its file, its module, its name there, and its syntax."""

    path: Path
    module: str
    name: str
    node: ast.FunctionDef


class RuleMutant(Struct, frozen=True):
    """A function changed in one place, and whether the tests of its rule noticed."""

    key: str
    what: str
    is_killed: bool


def functions(root: Path, key: str) -> Iterator[Function]:
    """The functions among the rules whose docstrings cite a key."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            module = ".".join(path.relative_to(root).with_suffix("").parts)
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and f"`{key}`" in (ast.get_docstring(node) or ""):
                    yield Function(path, module, node.name, node)


def changes(node: ast.FunctionDef) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Each single change of a function, in words, and the function with it."""
    for number, each in enumerate(ast.walk(node)):
        if isinstance(each, ast.Compare) and type(each.ops[0]) in TURNED:
            kind = "a comparison"
        elif isinstance(each, ast.Constant) and type(each.value) is int:
            kind = "a number"
        elif isinstance(each, ast.If | ast.IfExp):
            kind = "a branch"
        else:
            continue
        changed = copy.deepcopy(node)
        other: Any = list(ast.walk(changed))[number]
        if isinstance(other, ast.Compare):
            other.ops[0] = TURNED[type(other.ops[0])]()
        elif isinstance(other, ast.Constant):
            other.value = each.value + 1  # type: ignore[union-attr,operator]
        else:
            other.test = ast.copy_location(ast.Constant(value=False), other.test)
        yield f"{kind} in line {each.lineno}", changed


def _compiled(function: Function, changed: ast.FunctionDef) -> CodeType:
    """The code of a changed function, as its module would have it."""
    tree = ast.parse(function.path.read_text(encoding="utf-8"))
    tree.body = [changed if getattr(node, "name", "") == function.name else node for node in tree.body]
    module = compile(ast.fix_missing_locations(tree), str(function.path), "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType) and each.co_name == function.name)


def is_killed(root: Path, function: Function, changed: ast.FunctionDef, tests: Sequence[str]) -> bool:
    """Whether one of these tests fails with the changed function. Runs them in a process of its own."""
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            signal.signal(signal.SIGALRM, lambda number, frame: os._exit(1))
            signal.alarm(PATIENCE)
            target = getattr(import_module(function.module), function.name)
            target = getattr(target, "__wrapped__", target)
            try:
                target.__code__ = _compiled(function, changed)
                os._exit(int(_fails(root, tests)))
            except BaseException:
                os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def _fails(root: Path, tests: Sequence[str]) -> bool:
    if any(run_file(root / each).fault for each in tests if each.endswith(".toml")):
        return True
    import pytest  # noqa: PLC0415 - what runs the server has no pytest

    named = [each.partition("::") for each in tests if not each.endswith(".toml")]
    paths, names = sorted({str(root / path) for path, _, _ in named}), {name for _, _, name in named}
    arguments = ["-q", "-x", "-p", "no:cacheprovider", "-k", " or ".join(sorted(names)), *paths]
    return bool(paths) and pytest.main(arguments) not in (0, 5)


def mutated(root: Path, keys: Sequence[str], most: int) -> Iterator[RuleMutant]:
    """Mutants of each of these keys (of all that tests name, if none is given), at most so many of a key."""
    proved: dict[str, list[str]] = {}
    for key, test in marks(root):
        proved.setdefault(key, []).append(test)
    sys.path[:0] = [str(root)]
    for key in keys or sorted(proved):
        made = [(function, *change) for function in functions(root, key) for change in changes(function.node)]
        for function, _, _ in made:
            import_module(function.module)
        random = Random(key)
        for function, words, changed in random.sample(made, min(most, len(made))):
            killed = is_killed(root, function, changed, proved.get(key, ()))
            yield RuleMutant(key, f"{function.module}.{function.name}: {words}", killed)
