"""The ground of case files: areas, roads, walls, and what markers put under men. `docs/cases.md`"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fireforce.book.kinds import Kinds
from fireforce.testing.cases.marks import Piece
from fireforce.testing.cases.words import place, plain
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import unknown

AROUND: Final = 100
"""How far the ground that a marker puts under men reaches beyond them."""
OTHERS: Final = {
    "built up area": "built_up",
    "bua": "built_up",
    "paddy field": "paddy",
    "woods": "forest",
    "wood": "forest",
    "dense jungle": "jungle",
    "rocky ground": "rocks",
    "rutted terrain": "rutted",
    "bad going": "rutted",
    "good going": "open",
    "open plain": "open",
    "firm sand": "open",
    "veldt": "open",
    "open ground": "open",
    "clear": "open",
    "soft cover": "scrub",
    "hard cover": "rocks",
    "paddy fields": "paddy",
    "rice paddy": "paddy",
    "rough": "rutted",
    "swamp": "marsh",
    "sand": "soft_sand",
    "houses": "building",
    "house": "building",
    "stone wall": "wall",
    "hard track": "track",
}
"""Kinds of ground by other words."""
SIZES: Final = ("height", "width", "storeys")


def ground_under(found: Sequence[Piece]) -> list[dict[str, Any]]:
    """The areas that markers (`in jungle`) put under the men of one line."""
    areas: list[dict[str, Any]] = []
    for line, kind in dict.fromkeys((piece.line, piece.ground) for piece in found if piece.ground):
        mine = [piece for piece in found if (piece.line, piece.ground) == (line, kind)]
        xs, ys = [piece.at[0] for piece in mine], [piece.at[1] for piece in mine]
        x0, x1, y0, y1 = min(xs) - AROUND, max(xs) + AROUND, min(ys) - AROUND, max(ys) + AROUND
        ring = [[x / 100, y / 100] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        areas.append({"key": f"under {mine[0].name}", "name": kind, "kind": kind, "polygon": ring})
    return areas


def kind_of_line(line: str, kinds: Kinds) -> str | None:
    """The kind of ground, barrier or road that a line begins with; None where it does not."""
    body = line.partition(" called ")[0].split()
    start = next((index for index, word in enumerate(body) if place(word) is not None), None)
    if not start:
        return None
    text = plain(" ".join(body[:start]))
    kind = OTHERS.get(text, text.replace(" ", "_"))
    return kind if kind in (*kinds.grounds, *kinds.barriers, "road") else None


def ground_lines(given: Any) -> Any:
    """The lines of `terrain`, also where it is a table, `{ "30,5 to 40,15" = "jungle" }`; `other` is the open."""
    if not isinstance(given, Mapping):
        return given
    other = plain(given.get("other", "open"))
    if OTHERS.get(other, other) != "open":
        raise CaseFault(f"where nothing is said the ground is open, not {other}", at=other)
    return [f"{kind} {where}" for where, kind in given.items() if where != "other"]


def terrain(lines: Sequence[str], kinds: Kinds) -> dict[str, list[dict[str, Any]]]:
    """The ground of lines such as `jungle 30,5 to 40,15` (a rectangle between two corners, or a ring of more), `wall
    25,0 to 25,20`, `road 0,20 to 40,20 width 2`, `hill 10,10 to 20,20 height 2`; a name may follow `called`."""
    found: dict[str, list[dict[str, Any]]] = {"terrain": [], "road": [], "building": [], "line": []}
    for number, line in enumerate(lines, 1):
        body, _, name = line.partition(" called ")
        words = body.replace(" to ", " ").split()
        start = next((index for index, word in enumerate(words) if place(word) is not None), None)
        if start is None:
            raise CaseFault(f"{line!r} is not: kind of ground, places with `to` between them", at=line)
        kind = kind_of_line(line, kinds)
        if kind is None:
            unknown("the ground", "_".join(words[:start]), (*kinds.grounds, *kinds.barriers, "road"))
        places = [each for word in words[start:] if (each := place(word)) is not None]
        values = _sizes(words[start + len(places) :], line)
        points = [[x / 100, y / 100] for x, y in places]
        piece: dict[str, Any] = {"key": f"{kind} {number}", "name": name or kind.replace("_", " "), **values}
        if kind == "road" or kind in kinds.barriers:
            found["road" if kind == "road" else "line"].append({**piece, "line": points, **_kind(kind)})
            continue
        if kind == "track" and len(points) == 2:
            points = _strip(points[0], points[1], piece.pop("width", 1))
        elif len(points) == 2:
            (x0, y0), (x1, y1) = points
            points = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        if kind == "building":
            found["building"].append({**piece, "polygon": points, "storeys": int(values.get("storeys", 1))})
        else:
            found["terrain"].append({**piece, "polygon": points, "kind": kind})
    return found


def _strip(a: Sequence[float], b: Sequence[float], width: float) -> list[list[float]]:
    """The ring of a straight track from one place to another."""
    run = math.dist(a, b) or 1
    dx, dy = (b[1] - a[1]) / run * width / 2, (a[0] - b[0]) / run * width / 2
    corners = ((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy), (b[0] - dx, b[1] - dy), (a[0] - dx, a[1] - dy))
    return [[round(x, 2), round(y, 2)] for x, y in corners]


def _sizes(words: Sequence[str], line: str) -> dict[str, float]:
    """`height 2 width 3`. Raises CaseFault."""
    values: dict[str, float] = {}
    for key, value in zip(words[::2], (*words[1::2], ""), strict=False):
        if key.rstrip(",") not in SIZES:
            unknown("the word", key, (*SIZES, "called"))
        try:
            values[key.rstrip(",")] = float(value.rstrip(","))
        except ValueError:
            raise CaseFault(f"{line!r}: {key} wants a number, not {value!r}", at=line) from None
    return values


def _kind(kind: str) -> dict[str, str]:
    return {} if kind == "road" else {"kind": kind}
