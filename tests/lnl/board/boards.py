"""Small maps for the tests of this folder, written as text and read as any other map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from lnl.board.ground import Ground, place_named
from lnl.board.hexes import hex_name
from lnl.board.parsing import read_map
from lnl.board.sight import Line, Overlay, Sight, sight_of
from lnl.book.rows import SCHEMA
from lnl.book.tables import GroundTables
from umpire.kernel.book.book import Book
from umpire.kernel.book.layers import Layer, parse_file
from umpire.kernel.book.laying import put_together

HEXAGON = ((100, 0), (50, 100), (-50, 100), (-100, 0), (-50, -100), (50, -100))
"""A drawing that fills its hex."""

ORCHARD = """
[terrain.copse]
name = "Copse"
leg = 1
sight = "degrading"
height = 1
source = "for the tests"
status = "house"

[terrain.bluff]
name = "Low building"
leg = 1
sight = "blocking"
height = 1
source = "for the tests"
status = "house"

[terrain.tower]
name = "Tower"
leg = 1
sight = "blocking"
height = 2
source = "for the tests"
status = "house"
"""


@cache
def tables() -> GroundTables:
    """The shipped terrain, and a degrading and two blocking kinds of a known height."""
    shipped = parse_file("terrain.toml", (files("lnl.data") / "terrain.toml").read_text("utf-8"))
    names = ("terrain", "hexsides", "markers")
    layers = [Layer(name="core", files=(shipped,)), Layer(name="tests", files=(parse_file("tests", ORCHARD),))]
    book = put_together({name: SCHEMA[name] for name in names}, layers)
    return tables_from(book)


def tables_from(book: Book) -> GroundTables:
    found = (book.table(name, SCHEMA[name]) for name in ("terrain", "hexsides", "markers"))
    return GroundTables(*found, most_degrading=2)  # type: ignore[arg-type]


def text_of(
    width: int = 12,
    height: int = 8,
    terrain: Mapping[str, str] | None = None,
    *,
    number: int = 0,
    levels: Mapping[int, str] | None = None,
    hexsides: Mapping[str, str] | None = None,
    art: Sequence[tuple[str, str, Sequence[tuple[int, int]]]] = (),
    storeys: Mapping[str, int] | None = None,
) -> str:
    """A map file: clear but for the hexes named in `terrain` ("H6 I6" to a kind). `storeys`: of a building."""
    kinds = {name: kind for names, kind in (terrain or {}).items() for name in names.split()}
    rows = [
        " ".join(kinds.get(hex_name((column, row)), "clear") for column in range(1, width + 1))
        for row in range(1, height + 1)
    ]
    lines = [f"number = {number}", 'grid = """', *rows, '"""', "[legend]"]
    lines += [f'{kind} = "{kind}"' for kind in sorted({"clear", *kinds.values()})]
    lines += ["[elevations]", *(f'{level} = "{names}"' for level, names in (levels or {}).items())]
    lines += ["[hexsides]", *(f'{kind} = ["{sides}"]' for kind, sides in (hexsides or {}).items())]
    for at, kind, polygon in art:
        corners = ", ".join(f"[{x}, {y}]" for x, y in polygon)
        lines += ["[[art]]", f'hexes = "{at}"', f'terrain = "{kind}"', f"polygon = [{corners}]"]
    for n, (hexes, count) in enumerate((storeys or {}).items()):
        lines += ["[[building]]", f'key = "b{n}"', f'hexes = "{hexes}"', f"storeys = {count}"]
    return "\n".join(lines)


def map_of(text: str) -> Ground:
    return read_map(text, file="test.toml", tables=tables())


def sight_on(ground: Ground, *overlays: tuple[str, str]) -> Sight:
    """Lines of sight with overlays: the name of the hex and the kind."""
    laid = tuple(Overlay(hex=ground.hex_named(at), kind=kind) for at, kind in overlays)
    return sight_of(ground, tables(), laid)


def line(sight: Sight, a: str, b: str) -> Line:
    """The line between two places by their names, the same from both sides and in the fields of both."""
    one, other = place_named(sight.ground, a), place_named(sight.ground, b)
    found = sight.line(one, other)
    assert found == sight.line(other, one)
    for start, end in ((one, other), (other, one)):
        field = sight.field(start)
        assert (field.sees(end), field.degrading(end)) == (not found.is_blocked, found.degrading)
    assert sight.sees(one, other) is not found.is_blocked
    return found


def bearing(found: Line) -> list[tuple[str, str]]:
    """Where what bears on a line, and how."""
    return [(each.at, each.effect) for each in found.obstacles]
