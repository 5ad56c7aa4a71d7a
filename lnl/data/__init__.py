"""The tables as they are shipped, read from the files beside this one: the one place of Lock 'n Load that reads
them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from umpire.kernel.book.layers import Layer, parse_file


@cache
def core() -> Layer:
    """The tables of the core rules, and our own proposals where the printed cards are not to hand."""
    here = [entry for entry in files("lnl.data").iterdir() if entry.name.endswith(".toml")]
    found = sorted(here, key=lambda entry: entry.name)
    return Layer(name="core", files=tuple(parse_file(each.name, each.read_text("utf-8")) for each in found))
