"""Modules that a package may have for its proofs, and need not."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def module_or_none(name: str) -> ModuleType | None:
    """The module of this name, or None where there is none. What it imports itself must be there."""
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{name}.".startswith(f"{missing.name}."):
            raise
        return None
