"""What is read off a package's source: who takes a believed state, and that rules are pure."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from umpire.kernel.odds import odds_of
from umpire.kernel.registry import RulesPackage
from umpire.kernel.states import Belief, Leak, Slice, gate
from umpire.testing.conformance.fixture import Broken, Conformance

SERVES = ("subjects", "options", "sample", "check", "preview", "reply", "view", "scene", "describe")
FORBIDDEN = (
    "asyncio", "datetime", "glob", "http", "io", "logging", "multiprocessing", "os", "pathlib", "platform", "random",
    "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time",
    "urllib", "uuid",
)  # fmt: skip
CALLS = ("open", "print", "input", "exec", "eval", "__import__", "hash", "id", "Random", "SystemRandom", "breakpoint")
MAY_READ = ("io", "os", "pathlib", "glob")


def takes_belief(conformance: Conformance) -> None:
    """Slice: what serves a seat is annotated with the package's `Believed` and gets nothing else; `believed` takes a
    slice; the gate refuses the truth at run time."""
    package = conformance.package
    for name in SERVES:
        hints = hints_of(type(package), name)
        if not is_belief(hints.get("believed")):
            raise Broken("what serves a seat takes Believed", f"{package.system}.{name} takes {hints.get('believed')}")
    hints = hints_of(type(package), "fates")
    if not all(is_belief(hints.get(name)) for name in ("before", "after")):
        raise Broken("what serves a seat takes Believed", f"{package.system}.fates takes {hints}")
    hints = hints_of(type(package), "believed")
    if hints.get("known") is not Slice or not is_belief(hints.get("return")):
        raise Broken("what serves a seat takes Believed", f"{package.system}.believed is {hints}")
    for module in modules(conformance):
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and "believed" in inspect.signature(function).parameters:
                if not is_belief(get_type_hints(function).get("believed")):
                    raise Broken("what serves a seat takes Believed", f"{module.__name__}.{name}")


def hints_of(kind: type[RulesPackage[Any, Any]], name: str) -> dict[str, Any]:
    """The annotations of a package's method; what it has from a generic class, with the types it gave that class."""
    owner = next(each for each in kind.__mro__ if name in vars(each))
    given = _given(kind, owner)
    hints = get_type_hints(vars(owner)[name])
    return {each: given.get(hint, hint) if isinstance(hint, TypeVar) else hint for each, hint in hints.items()}


def _given(kind: type[Any], owner: type[Any]) -> dict[TypeVar, Any]:
    """What the type variables of a generic class stand for in a class that is made from it."""
    for base in getattr(kind, "__orig_bases__", ()):
        origin = get_origin(base)
        if origin is None or not issubclass(origin, owner):
            continue
        given = dict(zip(origin.__parameters__, get_args(base), strict=True))
        if origin is owner:
            return given
        return {name: given.get(value, value) for name, value in _given(origin, owner).items()}
    return next((_given(base, owner) for base in kind.__bases__ if issubclass(base, owner) and base is not owner), {})


def is_belief(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Belief)


def has_gate(package: RulesPackage[Any, Any], truth: Any, attack_order: Any, seat: Any) -> None:
    """The gate: the truth is refused by whatever the kernel does for a seat."""
    for act in (lambda: gate(truth), lambda: odds_of(package, truth, seat, attack_order)):
        try:
            act()
        except Leak:
            continue
        raise Broken("the gate refuses the truth", f"{package.system}: {type(truth).__name__} passed")


def modules(conformance: Conformance) -> Iterator[ModuleType]:
    """The modules of a package that hold rules, what only proves left out."""
    for name in conformance.modules:
        module = import_module(name)
        yield module
        for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"{name}."):
            if not found.name.startswith((conformance.tells.__module__, f"{name}.testing")):
                yield import_module(found.name)


def is_pure(conformance: Conformance) -> None:
    """No clock, randomness or I/O in rules. `from random import Random` is allowed for `sample` and `another`, which
    are handed one; nobody makes one."""
    for module in modules(conformance):
        faults = impurities(inspect.getsource(module), may_read=module.__name__ in conformance.may_read)
        if faults:
            raise Broken("no clock, randomness or I/O in rules", f"{module.__name__}: {'; '.join(faults)}")


def impurities(source: str, *, may_read: bool = False) -> list[str]:
    """What makes a source impure, with its lines."""
    allowed = MAY_READ if may_read else ()
    faults: list[str] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                roots = [alias.name.partition(".")[0] for alias in names]
                faults.extend(
                    f"line {node.lineno} imports {root}" for root in roots if root in FORBIDDEN and root not in allowed
                )
            case ast.ImportFrom(module=str() as module, names=names):
                root = module.partition(".")[0]
                is_random = module == "random" and [alias.name for alias in names] == ["Random"]
                if root in FORBIDDEN and root not in allowed and not is_random:
                    faults.append(f"line {node.lineno} imports from {module}")
            case ast.Call(func=ast.Name(id=name)) if name in CALLS and not (may_read and name == "open"):
                faults.append(f"line {node.lineno} calls {name}")
            case _:
                pass
    return faults
