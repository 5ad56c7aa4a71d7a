"""The tables as they are shipped, read from the files beside this one.

This is the one place of FireForce that reads files; the rules get a book.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from umpire.kernel.book.layers import Layer, parse_file


@cache
def core() -> Layer:
    """The tables of the printed rules and our own proposals where the printed ones are lost."""
    here = [entry for entry in files("fireforce.data").iterdir() if entry.name.endswith(".toml")]
    found = sorted(here, key=lambda entry: entry.name)
    return Layer(name="core", files=tuple(parse_file(each.name, each.read_text("utf-8")) for each in found))
