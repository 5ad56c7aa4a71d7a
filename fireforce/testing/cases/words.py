"""Words of case files of FireForce that several of their parts read: lines, names, inches, faults. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, Final, TypeVar

from fireforce.state.battle import Place
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

T = TypeVar("T")

PLACE: Final = re.compile(r"^\(?(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)\)?$")


def parts_of(text: str) -> list[str]:
    """What stands between commas; the comma of a place (`at 10,10`) is none of them."""
    return [part for each in re.split(r",(?!\d)\s*|,\s+", text) if (part := each.strip())]


def named_in(value: Any) -> list[str]:
    """The names of a list, or of a text with commas or `and` between them."""
    if not isinstance(value, str):
        return [str(each) for each in value]
    return [part for each in re.split(r",| and ", value) if (part := each.strip())]


def meaning(word: str, names: Collection[str]) -> list[str]:
    """The names that a word means: its own, or those of one line of pieces, `r*4`, `r1-r4`, `r*` or `r` for r1 and the
    others; none where it means nothing."""
    if word in names:
        return [word]
    found = re.fullmatch(r"([A-Za-z_-]+)(?:\*(\d*))?", word) or re.fullmatch(r"([A-Za-z_]+)1(?:-|\.\.)\1?(\d+)", word)
    if found is None:
        return []
    numbered = {int(each[1]): name for name in names if (each := re.fullmatch(rf"{found[1]}([1-9]\d*)", name))}
    wanted = range(1, int(found[2]) + 1) if found[2] else sorted(numbered)
    return [numbered[number] for number in wanted] if all(number in numbered for number in wanted) else []


def heads(line: str, names: Collection[str]) -> tuple[list[str], str]:
    """The names at the head of a line (`r1`, `squad 9`, `r1 and r2`, `r1, r2`, `r*4`), and the rest of it."""
    named: list[str] = []
    rest = line
    while True:
        first, _, after = rest.partition(" ")
        if first == "squad":
            number, _, after = after.partition(" ")
            first = f"squad {number}"
        found = meaning(first.rstrip(","), names)
        if not found or (not after and not named):
            return named, rest
        named.extend(found)
        rest = after
        if first.endswith(","):
            continue
        if not rest.startswith("and "):
            return named, rest
        rest = rest.removeprefix("and ")


def length(inches: Any) -> int:
    """Inches as hundredths. Raises CaseFault."""
    try:
        return round(Fraction(str(inches).removesuffix('"')) * 100)
    except ValueError:
        raise CaseFault(f"{inches!r} is no length in inches", at=str(inches)) from None


def place(text: Any) -> Place | None:
    """A place of a line, in inches, as the table has it; None for what is no place."""
    if isinstance(text, list | tuple):
        return (length(text[0]), length(text[1])) if len(text) == 2 else None
    found = PLACE.match(str(text).replace(", ", ","))
    return (length(found[1]), length(found[2])) if found else None


def the_place(text: Any) -> Place:
    """As `place`; raises CaseFault for what is none."""
    found = place(text)
    if found is None:
        raise CaseFault(f"{text!r} is no place in inches, such as 10,10", at=str(text))
    return found


def plain(text: Any) -> str:
    """A phrase in small letters, with one kind of blank: "Booby_Trap" is "booby trap". A minus stays one."""
    return " ".join(re.sub(r"(?<=[a-z])-(?=[a-z])", " ", str(text).lower().replace("_", " ")).split())


def bare(text: str) -> str:
    """The letters and digits of a name: "AK-47" is "ak47"."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def meant(what: str, word: Any, known: Mapping[str, T]) -> T:
    """What a word means, whatever its letters and blanks. Raises CaseFault."""
    found = known.get(plain(word))
    if found is None:
        unknown(what, str(word), known)
    return found
