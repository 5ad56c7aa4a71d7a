"""Boards joined to a map. Half hexes along edges that meet become one hex with the names of both. `core 1.4`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from lnl.board.art import Polygon, covers, pieces
from lnl.board.ground import Ground, HexGround, Silhouette
from lnl.board.hexes import Hex, centre, distance
from umpire.kernel.settings import BadInput
from umpire.kernel.values.maps import ordered

Edge = Literal["north", "east", "south", "west"]
Side = tuple[Hex, Hex]


class Piece(Struct, frozen=True, kw_only=True):
    """A drawing that belongs to a hex, wherever it reaches. `where`: its place in the file, for messages."""

    at: Hex
    terrain: str
    polygon: Polygon
    where: str


class Board(Struct, frozen=True, kw_only=True):
    """One board as its file gives it, with columns and rows of its own. `half`: the edges along which its hexes are
    cut in half; to the north and south these are the hexes of even columns."""

    file: str
    title: str
    number: int
    width: int
    height: int
    half: tuple[Edge, ...]
    hexes: Mapping[Hex, HexGround]
    hexsides: Mapping[Side, str]
    streams: Mapping[Side, str]
    roads: tuple[tuple[Hex, ...], ...]
    buildings: Mapping[str, str]
    art: tuple[Piece, ...]

    def halves(self) -> tuple[Hex, ...]:
        """The half hexes along its edges."""
        return tuple(at for at in self.hexes if any(self._is_half(at, edge) for edge in self.half))

    def _is_half(self, at: Hex, edge: Edge) -> bool:
        column, row = at
        even = column % 2 == 0
        return {
            "north": row == 1 and even,
            "south": row == self.height and even,
            "west": column == 1,
            "east": column == self.width,
        }[edge]


def joined(boards: Sequence[Board], layout: Sequence[Sequence[int]] = ()) -> Ground:
    """The map of a board, or of several by their numbers: rows from the north, each from the west. Raises BadInput."""
    if not layout:
        if len(boards) != 1:
            _wrong(boards[0], "layout", "several boards and no layout", "Give the numbers of the boards in rows")
        return _Joining([(boards[0], (0, 0))]).ground()
    return _Joining(_laid_out(boards, layout)).ground()


def _laid_out(boards: Sequence[Board], layout: Sequence[Sequence[int]]) -> list[tuple[Board, Hex]]:
    """Each board with the columns and rows by which it is shifted."""
    numbered = {board.number: board for board in boards}
    named = [number for row in layout for number in row]
    if sorted(named) != sorted(board.number for board in boards) or len(numbered) < len(boards) or 0 in numbered:
        right = "Give each board a number of its own, and each number a place"
        _wrong(boards[0], "layout", f"{named} does not name each board once", right)
    if len({len(row) for row in layout}) > 1:
        _wrong(boards[0], "layout", "its rows are of unequal length", "Boards are joined to a rectangle")
    placed = []
    rows = 0
    for y, numbers in enumerate(layout):
        columns = 0
        for x, number in enumerate(numbers):
            board = numbered[number]
            if x:
                _fit(numbered[numbers[x - 1]], board, "east", "west", board.height)
            if y:
                _fit(numbered[layout[y - 1][x]], board, "south", "north", board.width)
            placed.append((board, (columns, rows)))
            columns += board.width - 1
        rows += numbered[numbers[0]].height - 1
    return placed


def _fit(one: Board, other: Board, its: Edge, others: Edge, length: int) -> None:
    for board, edge in ((one, its), (other, others)):
        if edge not in board.half:
            right = f'Boards meet along half hexes: write half = ["{edge}"]'
            _wrong(board, "half", f"its {edge} edge has whole hexes, and a board is joined there", right)
    if (one.height if its == "east" else one.width) != length:
        what = f"boards {one.number} and {other.number} are not equally long where they meet"
        _wrong(other, "layout", what, "Join boards of one size")
    if its == "east" and one.width % 2 == 0:
        right = "Such a board has an odd number of columns"
        _wrong(one, "grid", f"it has {one.width} columns, so its last is not as low as its first", right)


class _Joining:
    def __init__(self, placed: Sequence[tuple[Board, Hex]]) -> None:
        self.placed = placed
        self.hexes: dict[Hex, HexGround] = {}
        self.names: dict[str, Hex] = {}
        self.of: dict[Hex, Board] = {}
        self.same_building: dict[str, str] = {}

    def ground(self) -> Ground:
        for board, shift in self.placed:
            for at, here in board.hexes.items():
                self._lay(board, _shifted(at, shift), here)
        hexes = {
            at: replace(here, building=self.same_building.get(here.building, here.building))
            for at, here in sorted(self.hexes.items())
        }
        storeys: dict[str, int] = {}
        for here in hexes.values():
            storeys[here.building] = max(here.storeys, storeys.get(here.building, 1))
        self.hexes = {
            at: replace(here, storeys=storeys[here.building] if here.building else 1) for at, here in hexes.items()
        }
        silhouettes = self._silhouettes()
        buildings = {key: name for board, _ in self.placed for key, name in board.buildings.items()}
        return Ground(
            title=self.placed[0][0].title,
            width=max(column for column, _ in self.hexes),
            height=max(row for _, row in self.hexes),
            hexes=ordered({here.name: here for here in self.hexes.values()}),
            names=ordered({name: self.hexes[at].name for name, at in self.names.items()}),
            hexsides=self._sides([(board, board.hexsides, shift) for board, shift in self.placed], "hexsides"),
            streams=self._sides([(board, board.streams, shift) for board, shift in self.placed], "streams"),
            roads=tuple(
                tuple(self.hexes[_shifted(at, shift)].name for at in road)
                for board, shift in self.placed
                for road in board.roads
            ),
            buildings=ordered({key: name for key, name in buildings.items() if key not in self.same_building}),
            silhouettes=silhouettes,
            half_hexes=self._halves(),
        )

    def _lay(self, board: Board, at: Hex, here: HexGround) -> None:
        self.names[here.name] = at
        before = self.hexes.get(at)
        if before is None:
            self.hexes[at], self.of[at] = replace(here, at=at), board
            return
        for what in ("terrain", "elevation"):
            if (one := getattr(before, what)) != (other := getattr(here, what)):
                text = f"{before.name} and {here.name} are one hex, but the {what} is {one} here and {other} there"
                _wrong(board, here.name, text, "Make the half hexes alike")
        if before.building and here.building:
            self.same_building[here.building] = before.building
        self.hexes[at] = replace(
            before,
            fills=before.fills and here.fills,
            road=before.road or here.road,
            label=before.label or here.label,
        )

    def _sides(self, given: Sequence[tuple[Board, Mapping[Side, str], Hex]], where: str) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for board, sides, shift in given:
            for (a, b), kind in sides.items():
                name = f"{self.hexes[_shifted(a, shift)].name}-{self.hexes[_shifted(b, shift)].name}"
                if found.setdefault(name, kind) != kind:
                    _wrong(board, where, f"{name} is {found[name]} on the other board", "Make the boards alike")
        return ordered(found)

    def _silhouettes(self) -> tuple[Silhouette, ...]:
        found = []
        for board, (columns, rows) in self.placed:
            for drawn in board.art:
                owner = _shifted(drawn.at, (columns, rows))
                polygon = tuple((x + 180 * columns, y + 120 * rows) for x, y in drawn.polygon)
                for at, part in pieces(polygon):
                    if at in self.hexes:
                        found.append(self._silhouette(board, drawn, owner, at, part))
        unique = dict.fromkeys(sorted(found, key=lambda each: (self.names[each.at], each.terrain, each.polygon)))
        for each in unique:
            at = self.names[each.at]
            if not each.spills_from and self.hexes[at].terrain == each.terrain:
                self.hexes[at] = replace(self.hexes[at], fills=False)
        return tuple(unique)

    def _silhouette(self, board: Board, drawn: Piece, owner: Hex, at: Hex, part: Polygon) -> Silhouette:
        here = self.hexes[at]
        has_dot = covers(part, centre(at))
        if has_dot and here.terrain != drawn.terrain:
            what = f"{drawn.terrain} covers the dot of {here.name}, which the grid calls {here.terrain}"
            _wrong(board, drawn.where, what, "The terrain around the dot is that of the hex")
        if distance(owner, at) > 1:
            what = f"the drawing of {self.hexes[owner].name} reaches into {here.name}"
            _wrong(board, drawn.where, what, "A drawing reaches into neighbours; draw the rest from a hex beside it")
        spills_from = "" if at == owner or has_dot else self.hexes[owner].name
        return Silhouette(terrain=drawn.terrain, polygon=part, at=here.name, spills_from=spills_from)

    def _halves(self) -> tuple[str, ...]:
        """The half hexes of single boards that no other board makes whole."""
        seen = [_shifted(at, shift) for board, shift in self.placed for at in board.halves()]
        corners = {at for at in seen if self._is_whole(at)}
        return tuple(sorted(self.hexes[at].name for at in set(seen) - corners))

    def _is_whole(self, at: Hex) -> bool:
        """Whether a half hex of a board lies along an edge where boards meet."""
        return sum(at in {_shifted(each, shift) for each in board.hexes} for board, shift in self.placed) > 1


def _shifted(at: Hex, shift: Hex) -> Hex:
    return at[0] + shift[0], at[1] + shift[1]


def _wrong(board: Board, where: str, what: str, right: str) -> NoReturn:
    place = f"board {board.number}, {where}" if board.number else where
    raise BadInput(what, file=board.file, where=place, right=right)
