"""What somebody may have meant by a word that is not known."""

from __future__ import annotations

import difflib  # noqa: TID251 -- here is the bound that everybody else gets it with
from collections.abc import Iterable
from itertools import islice

LONGEST = 60
"""Longer words are no slips of the pen; comparing takes the product of both lengths."""
MOST = 500
"""As many known words are looked at."""


def get_close_matches(word: str, words: Iterable[str], n: int = 3, cutoff: float = 0.6) -> list[str]:
    """`difflib.get_close_matches` within bounds: for a word of any length, among any number of words."""
    if len(word) > LONGEST:
        return []
    return difflib.get_close_matches(word, [one for one in islice(words, MOST) if len(one) <= LONGEST], n, cutoff)
