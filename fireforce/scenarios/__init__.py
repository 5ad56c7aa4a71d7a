"""Scenarios as text files: those shipped with the project, and the reader for all."""

from __future__ import annotations

from collections.abc import Mapping

from umpire.kernel.book.shipped import texts


def bundled() -> Mapping[str, str]:
    """The shipped scenarios: key to the text of the file."""
    return texts(__name__)
