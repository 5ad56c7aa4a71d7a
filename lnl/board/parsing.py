"""Maps as text that a person can write: a grid of tokens, a legend, lists of hexes. `docs/maps.md` describes the form.

`read_map` gives the map of a file, of one board or of several joined. What is wrong is refused with the file, the place
and what would be right.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NoReturn, TypeVar

import msgspec
from msgspec import Struct, field

from lnl.board.art import Polygon, is_convex
from lnl.board.ground import Ground, GroundRows, HexGround
from lnl.board.hexes import Hex, centre, hex_name, neighbours
from lnl.board.joining import Board, Edge, Piece, joined
from umpire.kernel.settings import BadInput
from umpire.kernel.values.spelling import get_close_matches

__all__ = ["Board", "joined", "read_board", "read_map"]

T = TypeVar("T")

NO_HEX = "-"
"""The token of the grid where the board has no hex."""
LARGE = 3
"""Stone buildings of so many hexes have two storeys. `core 10.2`"""
_NAME = re.compile(r"([A-Z]{1,2})([1-9][0-9]?)")


class _Form(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class Art(_Form, frozen=True, kw_only=True):
    """A drawing, in hundredths of the way from the dot to a corner (across) and to a flat side (down)."""

    hexes: str
    terrain: str = ""
    box: tuple[int, int, int, int] | None = None
    polygon: tuple[tuple[int, int], ...] = ()


class Token(_Form, frozen=True, kw_only=True):
    terrain: str
    elevation: int = 0
    box: tuple[int, int, int, int] | None = None
    polygon: tuple[tuple[int, int], ...] = ()


class Building(_Form, frozen=True, kw_only=True):
    key: str
    name: str = ""
    hexes: str
    storeys: Literal[1, 2] | None = None


class BoardForm(_Form, frozen=True, kw_only=True):
    title: str = ""
    number: int = 0
    half: tuple[Edge, ...] = ()
    grid: str
    legend: dict[str, str | Token]
    elevations: dict[str, str] = field(default_factory=dict)
    hexsides: dict[str, tuple[str, ...]] = field(default_factory=dict)
    streams: dict[str, tuple[str, ...]] = field(default_factory=dict)
    roads: tuple[str, ...] = ()
    building: tuple[Building, ...] = ()
    art: tuple[Art, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)


class MapForm(_Form, frozen=True, kw_only=True):
    title: str = ""
    layout: tuple[tuple[int, ...], ...]
    board: tuple[BoardForm, ...]


def read_map(text: str, *, file: str, tables: GroundRows) -> Ground:
    """The map of a file: a board, or `[[board]]`s and the layout in which they are joined. Raises BadInput."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(f"it is not TOML: {fault}", file=file, right="Write it as docs/maps.md says") from None
    if "board" not in data:
        return joined((_board(_typed(data, BoardForm, file), file, tables),))
    form = _typed(data, MapForm, file)
    boards = [_board(each, file, tables) for each in form.board]
    return msgspec.structs.replace(joined(boards, form.layout), title=form.title)


def read_board(text: str, *, file: str, tables: GroundRows) -> Board:
    """One board, to be joined with others. Raises BadInput."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(f"it is not TOML: {fault}", file=file, right="Write it as docs/maps.md says") from None
    return _board(_typed(data, BoardForm, file), file, tables)


def _board(form: BoardForm, file: str, tables: GroundRows) -> Board:
    return _Reading(form, file, tables).board()


class _Reading:
    def __init__(self, form: BoardForm, file: str, tables: GroundRows) -> None:
        self.form, self.file, self.tables = form, file, tables
        self.prefix = str(form.number) if form.number else ""
        self.tokens = self._grid()
        self.art: list[Piece] = []

    def board(self) -> Board:
        form = self.form
        if form.number < 0:
            self._wrong("number", f"{form.number} is no number of a board", "Count boards from 1, or leave it out")
        terrain = self._terrain()
        self._drawings()
        elevation = self._elevations()
        roads = tuple(self._chain("roads", chain) for chain in form.roads)
        on_road = {at for chain in roads for at in chain}
        buildings, names, storeys = self._buildings(terrain)
        labels = {self._hex(name, f"labels.{name}"): label for name, label in form.labels.items()}
        hexes = {
            at: HexGround(
                name=self.prefix + hex_name(at),
                at=at,
                terrain=terrain[at],
                elevation=elevation[at],
                storeys=storeys.get(buildings.get(at, ""), 1),
                road=at in on_road,
                building=buildings.get(at, ""),
                label=labels.get(at, ""),
            )
            for at in self.tokens
        }
        return Board(
            file=self.file,
            title=form.title,
            number=form.number,
            width=max(column for column, _ in hexes),
            height=max(row for _, row in hexes),
            half=form.half,
            hexes=hexes,
            hexsides=self._sides("hexsides", form.hexsides),
            streams=self._sides("streams", form.streams),
            roads=roads,
            buildings=names,
            art=tuple(self.art),
        )

    def _grid(self) -> dict[Hex, str]:
        lines = [line.split() for line in self.form.grid.splitlines() if line.strip() and line.split()[0] != "#"]
        if not lines:
            self._wrong("grid", "it is empty", "Give a line of tokens for each row, from the north")
        width = len(lines[0])
        tokens = {}
        for row, line in enumerate(lines, 1):
            if len(line) != width:
                right = "Every row has as many tokens as the first"
                self._wrong(f"grid, row {row}", f"it has {len(line)} tokens, not {width}", right)
            for column, token in enumerate(line, 1):
                if token != NO_HEX:
                    if token not in self.form.legend:
                        where = f"grid, {hex_name((column, row))}"
                        self._wrong(where, f"the legend has no {token!r}", _nearest(token, self.form.legend))
                    tokens[(column, row)] = token
        if not tokens:
            self._wrong("grid", "it has no hex", "Give a token of the legend for each hex")
        return dict(sorted(tokens.items()))

    def _terrain(self) -> dict[Hex, str]:
        found: dict[Hex, str] = {}
        for token, meant in self.form.legend.items():
            self._known(f"legend.{token}", meant if isinstance(meant, str) else meant.terrain)
        for at, token in self.tokens.items():
            meant = self.form.legend[token]
            found[at] = meant if isinstance(meant, str) else meant.terrain
            if isinstance(meant, Token) and (meant.box or meant.polygon):
                self._draw(f"legend.{token}", at, meant.terrain, meant.box, meant.polygon)
        self._ground = found
        return found

    def _drawings(self) -> None:
        for number, art in enumerate(self.form.art, 1):
            where = f"art {number}"
            for at in self._hexes(where, art.hexes):
                kind = art.terrain or self._ground[at]
                self._known(where, kind)
                self._draw(where, at, kind, art.box, art.polygon)

    def _draw(
        self,
        where: str,
        at: Hex,
        terrain: str,
        box: tuple[int, int, int, int] | None,
        polygon: tuple[tuple[int, int], ...],
    ) -> None:
        if (box is None) == (not polygon):
            self._wrong(where, "it has no form, or two", "Give a box or a polygon")
        if box is not None:
            x1, y1, x2, y2 = box
            polygon = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
        x0, y0 = centre(at)
        # Hundredths of 120 across and of 60 down, rounded to the lattice.
        shape: Polygon = tuple((x0 + (12 * x + 5) // 10, y0 + (6 * y + 5) // 10) for x, y in polygon)
        if not is_convex(shape):
            self._wrong(where, "the form has a corner turned inward, or no area", "Put it together from convex pieces")
        self.art.append(Piece(at=at, terrain=terrain, polygon=shape, where=where))

    def _elevations(self) -> dict[Hex, int]:
        found = {}
        for at, token in self.tokens.items():
            meant = self.form.legend[token]
            found[at] = 0 if isinstance(meant, str) else meant.elevation
        spoken: set[Hex] = set()
        for level, names in self.form.elevations.items():
            where = f"elevations.{level}"
            if not re.fullmatch(r"-?[0-9]+", level):
                self._wrong(where, f"{level!r} is no level", "Give a whole number of levels")
            for at in self._hexes(where, names):
                if at in spoken:
                    self._wrong(where, f"{hex_name(at)} has an elevation already", "Name each hex once")
                spoken.add(at)
                found[at] = int(level)
        return found

    def _buildings(self, terrain: Mapping[Hex, str]) -> tuple[dict[Hex, str], dict[str, str], dict[str, int]]:
        """Which hex is of which building, the names of buildings, and how many storeys each has. `core 10.2`"""
        of: dict[Hex, str] = {}
        names: dict[str, str] = {}
        storeys: dict[str, int] = {}
        for number, form in enumerate(self.form.building, 1):
            where = f"building {form.key or number}"
            key = f"{self.prefix}.{form.key}" if self.prefix else form.key
            if not form.key or key in names:
                self._wrong(where, "it has no key of its own", "Give each building another key")
            hexes = self._hexes(where, form.hexes)
            for at in hexes:
                if not self.tables.terrain[terrain[at]].is_building:
                    self._wrong(where, f"{hex_name(at)} is {terrain[at]}", "Buildings stand on hexes of a building")
                if at in of:
                    self._wrong(where, f"{hex_name(at)} is part of {of[at]} already", "Name each hex once")
                of[at] = key
            if hexes and len(_reached(hexes)) < len(hexes):
                self._wrong(where, "its hexes do not hang together", "Name neighbouring hexes")
            names[key] = form.name or form.key
            storeys[key] = form.storeys or self._storeys(hexes, terrain)
        for at, kind in terrain.items():
            if self.tables.terrain[kind].is_building and at not in of:
                of[at] = self.prefix + hex_name(at)
        return of, names, storeys

    def _storeys(self, hexes: Sequence[Hex], terrain: Mapping[Hex, str]) -> int:
        grows = all("multi_story_when_large" in self.tables.terrain[terrain[at]].traits for at in hexes)
        return 2 if grows and len(hexes) >= LARGE else 1

    def _sides(self, where: str, given: Mapping[str, tuple[str, ...]]) -> dict[tuple[Hex, Hex], str]:
        found: dict[tuple[Hex, Hex], str] = {}
        for kind, lines in given.items():
            place = f"{where}.{kind}"
            if kind not in self.tables.hexsides:
                self._wrong(place, f"there is no hexside {kind!r}", _nearest(kind, self.tables.hexsides))
            for side in (side for line in lines for side in self._line(place, line)):
                if found.setdefault(side, kind) != kind:
                    what = f"{hex_name(side[0])}-{hex_name(side[1])} is {found[side]} already"
                    self._wrong(place, what, "A hexside is of one kind")
        return dict(sorted(found.items()))

    def _line(self, where: str, line: str) -> list[tuple[Hex, Hex]]:
        """Pairs "C4-D4 ...", or the outline "around C4 C5 ... except C4-C3 ..."."""
        words = line.split()
        if words[:1] != ["around"]:
            return [self._pair(where, word) for word in words]
        end = words.index("except") if "except" in words else len(words)
        inner = self._hexes(where, " ".join(words[1:end]))
        gaps = [self._pair(where, word) for word in words[end + 1 :]]
        outline = [
            (min(at, other), max(at, other))
            for at in inner
            for other in neighbours(at)
            if other in self.tokens and other not in inner
        ]
        for gap in gaps:
            if gap not in outline:
                what = f"{hex_name(gap[0])}-{hex_name(gap[1])} is not on the outline"
                self._wrong(where, what, "Name gaps that are")
        return [side for side in outline if side not in gaps]

    def _pair(self, where: str, word: str) -> tuple[Hex, Hex]:
        a, dash, b = word.partition("-")
        if not dash:
            self._wrong(where, f"{word!r} is no hexside", 'Write it as two neighbours, "C4-D4"')
        one, other = self._hex(a, where), self._hex(b, where)
        if other not in neighbours(one):
            self._wrong(where, f"{a} and {b} are not neighbours", self._beside(one))
        return min(one, other), max(one, other)

    def _chain(self, where: str, text: str) -> tuple[Hex, ...]:
        chain = self._hexes(where, text)
        for a, b in pairwise(chain):
            if b not in neighbours(a):
                self._wrong(where, f"{hex_name(a)} and {hex_name(b)} are not neighbours", self._beside(a))
        return chain

    def _beside(self, at: Hex) -> str:
        return f"Beside {hex_name(at)} lie {', '.join(hex_name(n) for n in neighbours(at) if n in self.tokens)}"

    def _hexes(self, where: str, text: str) -> tuple[Hex, ...]:
        return tuple(self._hex(word, where) for word in text.split())

    def _hex(self, word: str, where: str) -> Hex:
        matched = _NAME.fullmatch(word)
        names = {hex_name(at): at for at in self.tokens}
        if matched is None or word not in names:
            self._wrong(where, f"the board has no hex {word!r}", _nearest(word, names))
        return names[word]

    def _known(self, where: str, terrain: str) -> None:
        if terrain not in self.tables.terrain:
            self._wrong(where, f"there is no terrain {terrain!r}", _nearest(terrain, self.tables.terrain))

    def _wrong(self, where: str, what: str, right: str) -> NoReturn:
        board = f"board {self.form.number}, {where}" if self.form.number else where
        raise BadInput(what, file=self.file, where=board, right=right)


def _reached(hexes: Sequence[Hex]) -> set[Hex]:
    """The hexes that hang together with the first."""
    found, todo = {hexes[0]}, [hexes[0]]
    while todo:
        new = [at for at in neighbours(todo.pop()) if at in hexes and at not in found]
        found.update(new)
        todo += new
    return found


def _typed(data: Any, kind: type[T], file: str) -> T:
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as fault:
        what, _, place = str(fault).partition(" - at ")
        where = place.strip("`").removeprefix("$").lstrip(".")
        wrong = re.search(r"unknown field `(\w+)`", what)
        right = "Write it as docs/maps.md says"
        if wrong:
            known = {name for form in (MapForm, BoardForm, Building, Art, Token) for name in form.__struct_fields__}
            right = _nearest(wrong[1], known)
        raise BadInput(what.replace("`", "'"), file=file, where=where, right=right) from None


def _nearest(word: str, words: Iterable[str]) -> str:
    words = sorted(words)
    near = get_close_matches(word, words, 1)
    return f"Did you mean {near[0]!r}?" if near else f"There are {_some(words)}"


def _some(words: Sequence[str]) -> str:
    return ", ".join(words[:12]) + (" ..." if len(words) > 12 else "")
