"""Words of case files of Lock 'n Load that several of their parts read: lines, numbers, faults. `docs/cases.md`"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from umpire.kernel.cases import CaseFault

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


def unknown(what: str, word: str, known: Iterable[str]) -> NoReturn:
    """Raises the fault of a word that the vocabulary lacks, with the nearest that it has."""
    nearest = get_close_matches(word, list(known), 1, 0.0)
    raise CaseFault(f"{what} {word!r} is not known" + (f"; did you mean {nearest[0]!r}?" if nearest else ""), at=word)


def lines_of(text: Any) -> list[str]:
    """The lines of a text or list, without comments and blank ones."""
    lines = text.splitlines() if isinstance(text, str) else [str(each) for each in text]
    return [line for each in lines if (line := " ".join(each.partition("#")[0].split()))]


def whole(text: Any) -> int:
    """A whole number of a line. Raises CaseFault."""
    try:
        return int(str(text))
    except ValueError:
        raise CaseFault(f"{text!r} is no whole number", at=str(text)) from None


def plain(text: str) -> str:
    """A phrase in small letters, with one kind of blank: "Low_Crawl" is "low crawl"."""
    return " ".join(text.lower().replace("_", " ").replace("-", " ").split())
