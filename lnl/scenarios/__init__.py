"""Scenarios as text files: those shipped with the project, and the reader for all."""

from __future__ import annotations

from collections.abc import Mapping

from lnl.book.modules import MODULES
from umpire.kernel.book.shipped import texts


def bundled() -> Mapping[str, str]:
    """The shipped scenarios, with those of the modules: key to the text of the file."""
    return {**texts(__name__), **{key: text for each in MODULES.all() for key, text in each.scenarios.items()}}
