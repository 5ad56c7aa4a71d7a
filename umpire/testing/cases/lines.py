"""Lines of pieces: side, name, what it is, place, markers; and the further lines that mark them. `docs/cases.md`"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from umpire.testing.cases.words import CaseFault, group

PlaceAt = Callable[[Sequence[str]], int]
"""How many words at the head of some are a place, 0 for none."""


class Line(Struct, frozen=True, kw_only=True):
    """A line of pieces: `names` are those of all that it makes, `places` one for each, or one for all."""

    text: str
    side: str
    command: str
    names: tuple[str, ...]
    what: str
    places: tuple[str, ...]
    markers: tuple[str, ...]


def is_line(text: str, place_at: PlaceAt) -> bool:
    """Whether a text is a line of pieces: it has a place behind three words or two."""
    words = text.split()
    return any(place_at(words[index:]) for index in range(2, len(words)))


def read_line(text: str, place_at: PlaceAt, shape: str) -> Line:
    """The parts of a line. Raises CaseFault."""
    words = re.sub(r"(\d), +(\d)", r"\1,\2", text, count=1).split()
    index = next((index for index in range(2, len(words)) if place_at(words[index:])), None)
    if index is None:
        raise CaseFault(f"{text!r} is not: side, name, what it is, {shape}", at=text)
    side, _, command = words[0].partition("/")
    name, star, count = words[1].partition("*")
    if run := re.fullmatch(r"([A-Za-z_]+)1(?:-|\.\.)\1?(\d+)", words[1]):
        name, star, count = run[1], "*", run[2]
    if star and not count.isdigit():
        raise CaseFault(f"{words[1]!r} is not a name and a number, such as r*4", at=words[1])
    what = " ".join(word.strip(",()") for word in words[2:index])
    places: list[str] = []
    left = words[index:]
    while left and (size := place_at(left)) and len(places) < max(1, int(count or 1)):
        places.append(" ".join(left[:size]).rstrip(","))
        ends, left = left[size - 1].endswith(","), left[size:]
        if ends and not (count and left and place_at(left)):
            break
    if len(places) not in (1, int(count or 1)):
        raise CaseFault(f"{count} are named, and {len(places)} places", at=text)
    return Line(
        text=text,
        side=side,
        command=command or side,
        names=tuple(f"{name}{number}" for number in range(1, int(count) + 1)) if star else (name,),
        what=what.removesuffix(" at"),
        places=tuple(places),
        markers=tuple(markers_of(" ".join(left))),
    )


def markers_of(text: str) -> list[str]:
    """What stands between commas; the comma of a place (`at 10,10`) is none of them."""
    return [part for each in re.split(r",(?!\d)\s*|,\s+", text) if (part := each.strip())]


def one_each(names: Iterable[str]) -> None:
    """Raises CaseFault where two pieces have one name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise CaseFault(f"two pieces are called {name!r}", at=name)
        seen.add(name)


def heads(line: str, names: Sequence[str]) -> tuple[list[str], str]:
    """The names at the head of a line (`r1`, `squad 9`, `r1 and r2`, `r1, r2`, `r*4`), and the rest of it."""
    words = line.split()
    for size in range(min(3, len(words)), 0, -1):
        last = words[size - 1]
        found = group(" ".join(words[:size]).rstrip(","), names)
        if found:
            rest = words[size:]
            if rest[:1] == ["and"] or last.endswith(","):
                more, after = heads(" ".join(rest[rest[:1] == ["and"] :]), names)
                return [*found, *more], after
            return found, " ".join(rest)
    return [], line
