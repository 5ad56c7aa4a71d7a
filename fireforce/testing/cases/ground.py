"""The ground of a case of FireForce: areas, roads, walls, and what markers put under men. `docs/cases.md`"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fireforce.testing.cases.pieces import Piece, Reader, place, place_at
from umpire.testing.cases.words import CaseFault, lines_of, unknown

AROUND: Final = 100
"""How far the ground that a marker puts under men reaches beyond them."""
SIZES: Final = ("height", "width", "storeys")


def ground_lines(given: Any) -> list[str]:
    """The lines of `terrain`, also where it is a table, `{ "30,5 to 40,15" = "jungle" }`."""
    return [f"{kind} {where}" for where, kind in given.items()] if isinstance(given, Mapping) else lines_of(given)


def terrain(reader: Reader, lines: Sequence[str], found: Sequence[Piece]) -> dict[str, list[dict[str, Any]]]:
    """The ground of lines such as `jungle 30,5 to 40,15` (a rectangle between two corners, or a ring of more), `wall
    25,0 to 25,20`, `road 0,20 to 40,20 width 2`, and what stands under pieces, in the form of scenario files."""
    made: dict[str, list[dict[str, Any]]] = {"terrain": _under(found), "road": [], "building": [], "line": []}
    for number, line in enumerate(lines, 1):
        body, _, name = line.partition(" called ")
        words = body.replace(" to ", " ").split()
        start = next((index for index in range(len(words)) if place_at(words[index:])), 0)
        kind = reader.ground_key(" ".join(words[:start]))
        if not start or not reader.is_ground(line):
            unknown("the ground", kind, (*reader.kinds.grounds, *reader.kinds.barriers, "road"))
        points = [[x / 100, y / 100] for x, y in map(place, filter(lambda word: place_at([word]), words))]
        piece: dict[str, Any] = {"key": f"{kind} {number}", "name": name or kind.replace("_", " ")}
        piece |= _sizes(words[start + len(points) :], line)
        if kind == "track" and len(points) == 2:
            points = _strip(points[0], points[1], piece.pop("width", 1))
        elif len(points) == 2 and kind in reader.kinds.grounds:
            (x0, y0), (x1, y1) = points
            points = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        if kind == "road":
            made["road"].append({**piece, "line": points})
        elif kind in reader.kinds.barriers:
            made["line"].append({**piece, "line": points, "kind": kind})
        elif kind == "building":
            made["building"].append({**piece, "polygon": points, "storeys": int(piece.get("storeys", 1))})
        else:
            made["terrain"].append({**piece, "polygon": points, "kind": kind})
    return made


def _under(found: Sequence[Piece]) -> list[dict[str, Any]]:
    """The areas that markers (`in jungle`) put under the men of one line."""
    areas: list[dict[str, Any]] = []
    for line, kind in dict.fromkeys((piece.line, piece.ground) for piece in found if piece.ground):
        places = [piece.at for piece in found if (piece.line, piece.ground) == (line, kind)]
        (x0, x1), (y0, y1) = ((min(each) - AROUND, max(each) + AROUND) for each in zip(*places, strict=True))
        ring = [[x / 100, y / 100] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        areas.append({"key": f"under {line.split()[1]}", "name": kind, "kind": kind, "polygon": ring})
    return areas


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
