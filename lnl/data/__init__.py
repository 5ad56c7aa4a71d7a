"""The tables as they are shipped, read from the files beside this one: the one place of Lock 'n Load that reads
them."""

from __future__ import annotations

from functools import cache

from umpire.kernel.book.layers import Layer
from umpire.kernel.book.shipped import layer


@cache
def core() -> Layer:
    """The tables of the core rules, and our own proposals where the printed cards are not to hand."""
    return layer("core", __name__)
