"""Words of case files: capitals, hyphens, underscores and blanks are free; what is not known is a fault with the
nearest word. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from umpire.kernel.values.spelling import get_close_matches

T = TypeVar("T")


class CaseFault(AssertionError):
    """A case that fails or cannot be read: what is wrong, in which line, and the nearest word where one is near."""

    def __init__(self, text: str, *, at: str = "", known: Iterable[str] = ()) -> None:
        names = list(known)
        word = at.split()[0] if at.split() else at
        nearest = get_close_matches(at, names, n=1) or get_close_matches(word, names, n=1)
        super().__init__(f"{text}; did you mean {nearest[0]!r}?" if nearest else text)
        self.at = at


def unknown(what: str, word: str, known: Iterable[str]) -> NoReturn:
    """Raises the fault of a word that is not known, with the nearest that is."""
    nearest = get_close_matches(word, sorted(set(known)), 1, 0.0)
    raise CaseFault(f"{what} {word!r} is not known" + (f"; did you mean {nearest[0]!r}?" if nearest else ""), at=word)


def plain(text: Any) -> str:
    """A phrase in small letters with one kind of blank: "Booby_Trap" is "booby trap". Minus signs stay."""
    return " ".join(re.sub(r"_|(?<=[a-z])-(?=[a-z])", " ", str(text).lower()).split())


def meant(what: str, word: Any, known: Mapping[str, T]) -> T:
    """What a word stands for among `known` phrases, however it is written. Raises CaseFault."""
    found = known.get(plain(word))
    return unknown(what, str(word), known) if found is None else found


def one_of(what: str, word: Any, known: Iterable[str]) -> str:
    """The key that a word means, however it is written. Raises CaseFault."""
    return meant(what, word, {plain(key): key for key in known})


def lines_of(text: Any) -> list[str]:
    """The lines of a text or list, without comments and blank ones."""
    lines = text.splitlines() if isinstance(text, str) else [str(each) for each in text]
    return [line for each in lines if (line := " ".join(each.partition("#")[0].split()))]


def listed(value: Any) -> list[str]:
    """The names of a list, or of a text with commas or `and` between them."""
    if not isinstance(value, str):
        return [str(each) for each in value]
    return [part for each in re.split(r",(?!\d)| and ", value) if (part := each.strip())]


def whole(text: Any) -> int:
    """A whole number of a line. Raises CaseFault."""
    try:
        return int(str(text))
    except ValueError:
        raise CaseFault(f"{text!r} is no whole number", at=str(text)) from None


def group(word: str, names: Iterable[str]) -> list[str]:
    """The names that a word means: its own, or those of one line of pieces, `r*4`, `r1-r4`, or `r` for r1 and the
    others; none where it means nothing."""
    names = list(names)
    if word in names:
        return [word]
    found = re.fullmatch(r"([A-Za-z_-]+)(?:\*(\d*))?", word) or re.fullmatch(r"([A-Za-z_]+)1(?:-|\.\.)\1?(\d+)", word)
    if found is None:
        return []
    numbered = {int(each[1]): name for name in names if (each := re.fullmatch(rf"{found[1]}([1-9]\d*)", name))}
    wanted = range(1, int(found[2]) + 1) if found[2] else sorted(numbered)
    return [numbered[number] for number in wanted] if all(number in numbered for number in wanted) else []
