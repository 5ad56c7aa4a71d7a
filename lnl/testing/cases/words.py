"""Words of case files of Lock 'n Load that several of their parts read: lines, numbers, faults. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NATIONS: Final[Mapping[str, str]] = {
    "american": "us",
    "americans": "us",
    "usa": "us",
    "german": "ge",
    "germans": "ge",
    "british": "uk",
    "gb": "uk",
    "bef": "uk",
    "soviet": "su",
    "soviets": "su",
    "russian": "su",
    "russians": "su",
}
"""Sides that are called otherwise than their nation in the book."""


def plain(text: str) -> str:
    """A phrase in small letters, with one kind of blank: "Low_Crawl" is "low crawl"."""
    return " ".join(text.lower().replace("_", " ").replace("-", " ").split())
