"""The tables as they are shipped, read from the files beside this one.

This is the one place of FireForce that reads files; the rules get a book.
"""

from __future__ import annotations

from functools import cache

from umpire.kernel.book.layers import Layer
from umpire.kernel.book.shipped import layer


@cache
def core() -> Layer:
    """The tables of the printed rules and our own proposals where the printed ones are lost."""
    return layer("core", __name__)
