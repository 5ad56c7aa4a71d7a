"""Maps as text files: those shipped with the project. `lnl.board.parsing` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def bundled() -> Mapping[str, str]:
    """The shipped maps: key to the text of the file."""
    here = [entry for entry in files(__package__).iterdir() if entry.name.endswith(".toml")]
    return {entry.name.removesuffix(".toml"): entry.read_text("utf-8") for entry in sorted(here, key=lambda e: e.name)}
