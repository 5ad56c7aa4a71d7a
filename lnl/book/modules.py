"""The modules of Lock 'n Load that have a folder: their tables, maps and scenarios."""

from __future__ import annotations

from umpire.kernel.book.shipped import Modules

MODULES = Modules()
"""Taken in by `lnl.package`, once the chapters are there."""
