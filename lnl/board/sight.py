"""Lines of sight between the places of a map, exact and alike in both directions.

How the book is read where it leaves room (`core 10.3`):

- An obstacle obstructs up to and including its top. It bears on a line when its top reaches the higher of both ends;
  bare ground does when it is higher than both.
- Lower obstacles are seen over, but for the shadow: one that has a height and stands on lower ground than the higher
  end hides what is in the next hex behind it, if its top reaches the lower end.
- What a line touches it crosses; hexes at its ends, what is drawn there, what of it spills into a neighbour, and their
  hexsides do not count.
- Each hex degrades once, and so does each place where a line meets hedges.
- Floors of one hex see each other; different floors of neighbouring hexes of tall buildings do not. `core 10.2`
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from lnl.board.ground import BUNKER, GROUND, Ground, GroundRows, level_of
from lnl.board.hexes import Place, distance
from lnl.board.lines import Bools, Ints, line_table
from lnl.board.obstacles import NOTHING, Obstacles, Overlay, Standing, laid_over, obstacles_of
from lnl.book.rows import TerrainRow

__all__ = ["Field", "Line", "Obstacle", "Overlay", "Sight", "sight_of"]

KEPT_SIGHTS = 48
KEPT_LINES = 20_000
KEPT_BYTES = 12_000_000
"""Of the fields of one map with one set of overlays."""

Effect = Literal["blocks", "degrades", "shadow"]
Indices = npt.NDArray[np.int64]


class Obstacle(Struct, frozen=True):
    """Something that bears on a line: where, how, what it is and by which rule."""

    at: str
    effect: Effect
    what: str
    rule: str


class Line(Struct, frozen=True):
    """A line of sight. `degrading` counts hexes, also of a line that is blocked; `obstacles` stand in their order from
    the end of the smaller column (or row) to the other; `why` says it in words. `core 10.0`"""

    is_blocked: bool
    degrading: int
    distance: int
    obstacles: tuple[Obstacle, ...]
    why: str


class Field(Struct, frozen=True):
    """What is seen from one place: of every place of the map whether its line is blocked, and how often degraded."""

    number: dict[Place, int]
    blocked: bytes
    counts: bytes

    def sees(self, place: Place) -> bool:
        return not self.blocked[self.number[place]]

    def degrading(self, place: Place) -> int:
        return self.counts[self.number[place]]

    def seen(self) -> tuple[Place, ...]:
        """Every place that is seen, bunkers apart, by column and row, upper storeys last."""
        return tuple(at for at, n in self.number.items() if at[2] != BUNKER and not self.blocked[n])


class _Met(Struct, frozen=True):
    """What lines from one place meet: of each touched hex the target and whether what fills it blocks, degrades, casts
    a shadow, or is too high itself; of each touched silhouette the touched hex; of each hexside the target."""

    target: Indices
    hex: Ints
    along: Ints
    fills: tuple[Bools, Bools, Bools]
    hill: Bools
    drawn_in: Indices
    drawn: Indices
    draws: tuple[Bools, Bools, Bools]
    side_target: Indices
    side: Ints
    side_along: Ints
    meeting: Indices
    sides: tuple[Bools, Bools]


class Sight:
    """Lines of sight on a map with what lies on it. Get it from `sight_of`; it never changes, and remembers."""

    def __init__(self, ground: Ground, tables: GroundRows, obstacles: Obstacles) -> None:
        self.ground = ground
        self.obstacles = obstacles
        self._most_degrading = tables.most_degrading
        self._lines = line_table(ground.width, ground.height)
        places = sorted(ground.places(), key=lambda place: (place[2], place))
        self._places = tuple(places)
        self._number = {place: n for n, place in enumerate(places)}
        self._hex = np.array([obstacles.number[place[:2]] for place in places], dtype=np.int32)
        upper = [_upper(ground, tables.terrain, place) for place in places]
        self._level = obstacles.elevation[self._hex] + np.array(upper, dtype=np.int32)
        self._floor = np.array([place[2] for place in places], dtype=np.int32)
        self._is_tall = np.array([len(ground.levels(at)) > 1 for at in obstacles.hexes], dtype=np.bool_)
        # Whoever is in a bunker sees as from its hex.
        self._number |= {(*at, BUNKER): self._number[(*at, GROUND)] for at in obstacles.hexes}
        self._matters = (obstacles.block_top > NOTHING) | (obstacles.degrade_top > NOTHING) | (obstacles.count > 0)
        self._fields: dict[Place, Field] = {}
        self._kept: OrderedDict[tuple[int, int], Line] = OrderedDict()
        self._lock = Lock()

    def sees(self, a: Place, b: Place) -> bool:
        """Whether there is a line of sight. Raises KeyError for a place that the map does not have. `core 10.0`"""
        field = self._fields.get(a)
        if field is None:
            other = self._fields.get(b)
            if other is not None:
                return not other.blocked[self._number[a]]
            field = self.field(a)
        return not field.blocked[self._number[b]]

    def field(self, a: Place) -> Field:
        """What is seen from a place. Raises KeyError for a place that the map does not have."""
        found = self._fields.get(a)
        if found is not None:
            return found
        source, targets = self._number[a], np.arange(len(self._places))
        blocked, degrading = self._judged(source, targets, self._met(source, targets))
        field = Field(number=self._number, blocked=blocked.tobytes(), counts=degrading.astype(np.uint8).tobytes())
        with self._lock:
            while len(self._fields) > max(64, KEPT_BYTES // (2 * len(self._places))):
                self._fields.pop(next(iter(self._fields)))
            self._fields[a] = field
        return field

    def whole(self, progress: Callable[[int, int], None] | None = None) -> Iterator[tuple[Place, Field]]:
        """The fields of all places, one after the other; `progress` is told how many of how many are done."""
        for done, place in enumerate(self._places, 1):
            yield place, self.field(place)
            if progress is not None:
                progress(done, len(self._places))

    def line(self, a: Place, b: Place) -> Line:
        """The line of sight between two places, with all that bears on it. Raises KeyError for a place that the map
        does not have. `core 10.3`"""
        first, last = sorted((self._number[a], self._number[b]), key=lambda n: (int(self._hex[n]), n))
        with self._lock:
            found = self._kept.get((first, last))
            if found is not None:
                self._kept.move_to_end((first, last))
                return found
        line = self._explained(first, last)
        with self._lock:
            self._kept[(first, last)] = line
            while len(self._kept) > KEPT_LINES:
                self._kept.popitem(last=False)
        return line

    # -- many lines at once ---------------------------------------------------------------------------------------

    def _judged(self, source: int, targets: Indices, met: _Met) -> tuple[Bools, Indices]:
        """Of each target whether the line to it is blocked, and how often it is degraded."""
        blocked = self._other_floor(source, targets)
        blocks, degrades, shades = met.fills
        drawn_blocks, drawn_degrades, drawn_shades = met.draws
        blocked[met.target[blocks | shades | met.hill]] = True
        blocked[met.target[met.drawn_in[drawn_blocks | drawn_shades]]] = True
        once = degrades.copy()
        once[met.drawn_in[drawn_degrades]] = True
        degrading = np.bincount(met.target[once], minlength=len(targets))
        side_blocks, side_degrades = met.sides
        blocked[met.side_target[side_blocks]] = True
        if side_degrades.any():
            meetings = np.stack([met.side_target[side_degrades], met.meeting[side_degrades]])
            degrading += np.bincount(np.unique(meetings, axis=1)[0], minlength=len(targets))
        return blocked | (degrading > self._most_degrading), degrading

    def _other_floor(self, source: int, targets: Indices) -> Bools:
        """Whether the ends are on different floors of neighbouring hexes of tall buildings. `core 10.2`"""
        here, hexes = self.obstacles, self._hex[targets]
        at = self._hex[source]
        if not self._is_tall[at]:
            return np.zeros(len(targets), dtype=np.bool_)
        across, down = np.abs(here.column[hexes] - here.column[at]), np.abs(here.half[hexes] - here.half[at])
        near = across + np.maximum(0, down - across) // 2 == 1
        result: Bools = near & self._is_tall[hexes] & (self._floor[targets] != self._floor[source])
        return result

    def _met(self, source: int, targets: Indices) -> _Met:
        here, table = self.obstacles, self._lines.hexes
        at, hexes = self._hex[source], self._hex[targets]
        first, last = np.minimum(hexes, at), np.maximum(hexes, at)
        across, down = here.column[last] - here.column[first], here.half[last] - here.half[first]
        number = self._lines.number[across, down + self._lines.halves]
        levels = self._level[targets]
        high, low = np.maximum(levels, self._level[source]), np.minimum(levels, self._level[source])
        # At which end of a line the lower place is: 0 for level lines, 1 the first, 2 the last.
        lower = np.where(high == low, 0, np.where((levels < self._level[source]) == (hexes < at), 1, 2))

        target, entry = _spread(table.starts, number)
        hex_ = here.grid[here.column[first][target] + table.column[entry], here.half[first][target] + table.half[entry]]
        matters = self._matters | (here.elevation > self._level[source])
        kept = np.flatnonzero((hex_ >= 0) & matters[hex_])
        target, entry, hex_ = target[kept], entry[kept], hex_[kept]
        is_before = np.where(lower[target] == 1, table.near_first[entry], (lower[target] == 2) & table.near_last[entry])
        is_lower_ground = here.elevation[hex_] < high[target]
        shaded = is_before & is_lower_ground
        highest, lowest = high[target], low[target]

        inner, drawn = _spread_counted(here.first[hex_], here.count[hex_])
        top, stands = here.drawn_top[drawn], here.drawn_stands[drawn]
        reaches = top >= highest[inner]
        shades = shaded[inner] & stands & (top >= lowest[inner])
        owner = here.belongs_to[drawn]
        counts = np.flatnonzero((reaches | shades) & (owner != at) & (owner != hexes[target[inner]]))
        inner, drawn, reaches, shades = inner[counts], drawn[counts], reaches[counts], shades[counts]
        start, end = here.dots[first[target[inner]]], here.dots[last[target[inner]]]
        touched = _touches(start, end - start, here.corners, drawn)
        blocks = here.drawn_blocks[drawn]

        side_target, side, side_along, meeting, sides = self._sides_met(first, number, high)
        return _Met(
            target=target,
            hex=hex_,
            along=table.along[entry],
            fills=(
                here.block_top[hex_] >= highest,
                here.degrade_top[hex_] >= highest,
                shaded & (here.shadow_top[hex_] >= lowest),
            ),
            hill=here.elevation[hex_] > highest,
            drawn_in=inner[touched],
            drawn=drawn[touched],
            draws=((reaches & blocks)[touched], (reaches & ~blocks)[touched], shades[touched]),
            side_target=side_target,
            side=side,
            side_along=side_along,
            meeting=meeting,
            sides=sides,
        )

    def _sides_met(
        self, first: Ints, number: Ints, high: Ints
    ) -> tuple[Indices, Ints, Ints, Indices, tuple[Bools, Bools]]:
        here = self.obstacles
        if not here.sides:
            none, off = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
            return none, none.astype(np.int32), none.astype(np.int32), none, (off, off)
        table = self._lines.sides
        target, entry = _spread(table.starts, number)
        hex_ = here.grid[here.column[first][target] + table.column[entry], here.half[first][target] + table.half[entry]]
        side = 3 * hex_ + table.side[entry]
        blocks = (hex_ >= 0) & (here.side_block_top[side] >= high[target])
        degrades = (hex_ >= 0) & (here.side_degrade_top[side] >= high[target])
        kept = np.flatnonzero(blocks | degrades)
        entry = entry[kept]
        return (
            target[kept],
            side[kept],
            table.along[entry],
            table.meeting[entry],
            (blocks[kept], degrades[kept]),
        )

    # -- one line in words ----------------------------------------------------------------------------------------

    def _explained(self, first: int, last: int) -> Line:
        targets = np.array([last])
        met = self._met(first, targets)
        judged = self._judged(first, targets, met)
        blocked, degrading = bool(judged[0][0]), int(judged[1][0])
        a, b = (self.obstacles.hexes[self._hex[n]] for n in (first, last))
        high, low = sorted((int(self._level[first]), int(self._level[last])), reverse=True)
        found = [*self._filling(met, high, low), *self._drawn(met), *self._on_sides(met)]
        obstacles = tuple(dict.fromkeys(obstacle for _, obstacle in sorted(found, key=lambda each: each[0])))
        if self._other_floor(first, targets)[0]:
            obstacles = (Obstacle(self.ground.name_of(a), "blocks", "Floor between the storeys", "core 10.2"),)
        return Line(
            blocked,
            degrading,
            distance(a, b),
            obstacles,
            _in_words(blocked, degrading, self._most_degrading, obstacles),
        )

    def _filling(self, met: _Met, high: int, low: int) -> Iterator[tuple[int, Obstacle]]:
        for n, at in enumerate(met.hex.tolist()):
            along, is_shade = int(met.along[n]), bool(met.fills[2][n])
            if met.hill[n]:
                yield along, self._obstacle(at, "blocks", Standing("Hill", True, 0, 0))
            for each in self.obstacles.filling[at]:
                if each.top >= high:
                    yield along, self._obstacle(at, "blocks" if each.blocks else "degrades", each)
                if is_shade and each.height > 0 and each.top >= low and not (each.blocks and each.top >= high):
                    yield along, self._obstacle(at, "shadow", each)

    def _drawn(self, met: _Met) -> Iterator[tuple[int, Obstacle]]:
        for inner, drawn, *draws in zip(met.drawn_in, met.drawn, *met.draws, strict=True):
            effects: tuple[Effect, ...] = ("blocks", "degrades", "shadow")
            for effect, is_so in zip(effects, draws, strict=True):
                if is_so and not (effect == "shadow" and draws[0]):
                    at, each = int(met.hex[inner]), self.obstacles.drawn[drawn]
                    yield int(met.along[inner]), self._obstacle(at, effect, each)

    def _on_sides(self, met: _Met) -> Iterator[tuple[int, Obstacle]]:
        for side, along, blocks in zip(met.side.tolist(), met.side_along, met.sides[0], strict=True):
            each = self.obstacles.sides[side]
            yield int(along), self._obstacle(side // 3, "blocks" if blocks else "degrades", each)

    def _obstacle(self, at: int, effect: Effect, standing: Standing) -> Obstacle:
        return Obstacle(self.ground.name_of(self.obstacles.hexes[at]), effect, standing.what, standing.rule)


def sight_of(ground: Ground, tables: GroundRows, overlays: tuple[Overlay, ...]) -> Sight:
    """Lines of sight on a map with what lies on it now. Equal ground, tables and overlays give the same object while
    it is remembered. Raises KeyError for an overlay off the map or of a kind that no table has, ValueError for a map
    that is too large."""
    laid = tuple(sorted(set(overlays)))
    rows = (
        *(tuple(each.values()) for each in (tables.terrain, tables.hexsides, tables.markers)),
        tables.most_degrading,
    )
    with _LOCK:
        found = _SIGHTS.get((ground.digest, rows, laid))
        if found is not None:
            _SIGHTS.move_to_end((ground.digest, rows, laid))
            return found
    if laid:
        printed = sight_of(ground, tables, ())
        sight = Sight(ground, tables, laid_over(printed.obstacles, laid, tables))
    else:
        sight = Sight(ground, tables, obstacles_of(ground, tables))
    with _LOCK:
        _SIGHTS[(ground.digest, rows, laid)] = sight
        while len(_SIGHTS) > KEPT_SIGHTS:
            _SIGHTS.popitem(last=False)
    return sight


_SIGHTS: OrderedDict[tuple[object, ...], Sight] = OrderedDict()
_LOCK = Lock()


def _upper(ground: Ground, terrain: Mapping[str, TerrainRow], place: Place) -> int:
    """How much higher than the ground of its hex a place is."""
    here = ground.at(place[:2])
    return level_of(ground, place, terrain) - (here.elevation if here else 0)


def _spread(starts: Ints, number: Ints) -> tuple[Indices, Indices]:
    """All entries of the lines with these numbers: of each, the index of its line and its own in the table."""
    return _spread_counted(starts[number], starts[number + 1] - starts[number])


def _spread_counted(first: Ints, count: Ints) -> tuple[Indices, Indices]:
    owner = np.repeat(np.arange(len(count)), count)
    before = np.cumsum(count) - count
    return owner, np.arange(len(owner)) + np.repeat(first - before, count)


def _touches(start: Ints, way: Ints, corners: Ints, drawn: Indices) -> Bools:
    """Whether lines touch silhouettes: not all corners are strictly on one side. That a line does not end before is
    sure, for the silhouette lies in a hex that it runs through."""
    across, down = way[:, 0], way[:, 1]
    offset = across * start[:, 1] - down * start[:, 0]
    least = most = across * corners[0, 1][drawn] - down * corners[0, 0][drawn]
    for x, y in corners[1:]:
        off = across * y[drawn] - down * x[drawn]
        least, most = np.minimum(least, off), np.maximum(most, off)
    result: Bools = (least <= offset) & (most >= offset)
    return result


def _in_words(is_blocked: bool, degrading: int, most: int, obstacles: tuple[Obstacle, ...]) -> str:
    told = {
        effect: ", ".join(f"{each.what} in {each.at}" if " between " not in each.what else each.what for each in some)
        for effect in ("blocks", "shadow", "degrades")
        if (some := [each for each in obstacles if each.effect == effect])
    }
    if "blocks" in told:
        return f"Blocked: {told['blocks']}"
    if "shadow" in told:
        return f"Blocked: hidden right behind {told['shadow']}"
    if is_blocked:
        return f"Blocked: degraded more than {most} times: {told['degrades']}"
    return f"Degraded by {degrading}: {told['degrades']}" if degrading else "Clear"
