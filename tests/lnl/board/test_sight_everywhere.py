"""What must hold of lines of sight on every map: symmetry, an oracle, turned and mirrored maps, more obstacles."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import pytest
import shapely

from lnl.board.ground import Ground
from lnl.board.hexes import CORNERS, Hex, Place, Point, centre, distance, hex_at, hex_name, hexes_within
from lnl.board.parsing import joined, read_board, read_map
from lnl.board.sight import Overlay, sight_of
from lnl.maps import bundled
from tests.lnl.board.boards import tables, text_of
from tests.lnl.board.worlds import World, changed, placed, random_world, told

WIDTH, HEIGHT = 9, 7
MIDDLE: Hex = (5, 5)
BOARD = [(c, r) for c in range(1, WIDTH + 1) for r in range(1, HEIGHT + 1) if c % 2 == 0 or r < HEIGHT]
"""A board with half hexes to the north and south: upside down it has the same hexes."""


def _all_lines(ground: Ground, overlays: tuple[Overlay, ...] = ()) -> None:
    """Asserts that both directions, the fields and the line in words agree for every pair of places."""
    sight = sight_of(ground, tables(), overlays)
    fields = dict(sight.whole())
    for a, b in combinations(ground.places(), 2):
        there, back = sight.line(a, b), sight.line(b, a)
        assert there == back
        assert fields[a].sees(b) == fields[b].sees(a) == (not there.is_blocked)
        assert fields[a].degrading(b) == fields[b].degrading(a) == there.degrading
        effects = {each.effect for each in there.obstacles}
        assert there.is_blocked == (bool(effects & {"blocks", "shadow"}) or there.degrading > 2)
        assert (there.degrading > 0) == ("degrades" in effects)


@pytest.mark.rule("core 10.3")
@pytest.mark.parametrize("seed", range(4))
def test_lines_are_the_same_in_both_directions(seed: int) -> None:
    ground = random_world(seed, BOARD).ground()
    dice = random.Random(seed)
    overlays = tuple(Overlay(dice.choice(BOARD), kind) for kind in ("smoke", "smoke", "wreck", "forest", "copse"))
    _all_lines(ground)
    _all_lines(ground, overlays)


@pytest.mark.rule("core 10.3")
@pytest.mark.parametrize("name", ["saint-aubin", "the-bocage"])
def test_lines_of_the_shipped_maps_are_the_same_in_both_directions(name: str) -> None:
    ground = read_map(bundled()[name], file=name, tables=tables())
    sight = sight_of(ground, tables(), ())
    fields = dict(sight.whole())
    for a, b in combinations(ground.places(), 2):
        assert (fields[a].sees(b), fields[a].degrading(b)) == (fields[b].sees(a), fields[b].degrading(a))


# -- an oracle of floats -----------------------------------------------------------------------------------------------


def _level(ground: Ground, place: Place) -> int:
    here = ground.hexes[hex_name(place[:2])]
    return here.elevation + 2 * place[2]


class Oracle:
    """The rules over Shapely's geometry. It does not answer where a line comes near an outline without crossing it."""

    NEAR = 0.5

    def __init__(self, world: World) -> None:
        self.world, self.ground = world, world.ground()
        self.outlines = {
            at: shapely.Polygon([(centre(at)[0] + dx, centre(at)[1] + dy) for dx, dy in CORNERS]) for at in world.hexes
        }
        self.drawn = [(each, shapely.Polygon(each.polygon)) for each in self.ground.silhouettes]
        self.unsure = 0

    def line(self, a: Place, b: Place) -> tuple[bool, int] | None:
        segment = shapely.LineString([centre(a[:2]), centre(b[:2])])
        levels = sorted((_level(self.ground, a), _level(self.ground, b)))
        low, high = levels
        end = a if _level(self.ground, a) == low else b
        blocked = self._floors(a, b)
        degrading = set()
        ends = {a[:2], b[:2]}
        for at, outline in self.outlines.items():
            if at in ends:
                continue
            crossed = self._crossed(segment, outline)
            if crossed is None:
                return None
            here = self.world.hexes[at]
            blocked |= crossed and here.elevation > high
            owned = [(here.terrain, here.storeys, crossed)] if here.fills else []
            for each, polygon in self.drawn:
                owner = self.world.hexes[self.ground.hex_named(each.spills_from or each.at)]
                if self.ground.hex_named(each.at) == at and owner.at not in ends:
                    is_met = self._crossed(segment, polygon)
                    if is_met is None:
                        return None
                    owned.append((each.terrain, owner.storeys, is_met))
            for kind, storeys, is_met in owned:
                row = tables().terrain[kind]
                if not is_met or row.sight == "open":
                    continue
                height = max(row.height, 2 * (storeys - 1))
                top = here.elevation + height
                if top >= high:
                    blocked |= row.sight == "blocking"
                    degrading |= {at} if row.sight == "degrading" else set()
                if high > low and height and here.elevation < high and top >= low and distance(at, end[:2]) == 1:
                    blocked = True
        count = len(degrading)
        for one, other, kind in self.world.sides:
            if ends & {one, other}:
                continue
            side = self.outlines[one].intersection(self.outlines[other])
            if side.distance(segment) < self.NEAR and not self._goes_through(segment, side):
                return None
            row2 = tables().hexsides[kind]
            ground = max(self.world.hexes[one].elevation, self.world.hexes[other].elevation)
            if side.crosses(segment) and ground + row2.height >= high:
                blocked |= row2.sight == "blocking"
                count += row2.sight == "degrading"
        return blocked or count > 2, count

    def _floors(self, a: Place, b: Place) -> bool:
        tall = all(self.world.hexes[each[:2]].storeys == 2 for each in (a, b))
        return tall and distance(a[:2], b[:2]) == 1 and a[2] != b[2]

    def _crossed(self, segment: shapely.LineString, area: shapely.Polygon) -> bool | None:
        if segment.distance(area) > self.NEAR:
            return False
        return True if segment.intersection(area.buffer(-self.NEAR)).length > self.NEAR else None

    def _goes_through(self, segment: shapely.LineString, side: shapely.LineString) -> bool:
        ends = [shapely.Point(each) for each in side.coords]
        return bool(side.crosses(segment)) and all(segment.distance(each) > self.NEAR for each in ends)


@pytest.mark.rule("core 10.3")
@pytest.mark.parametrize(("seed", "flat"), [(11, True), (12, True), (13, False), (14, False), (15, False)])
def test_away_from_outlines_shapely_finds_the_same(seed: int, flat: bool) -> None:
    oracle = Oracle(random_world(seed, [at for at in BOARD if at[0] < 8], flat=flat))
    sight = sight_of(oracle.ground, tables(), ())
    sure = 0
    for a, b in combinations(oracle.ground.places(), 2):
        if a[:2] != b[:2] and (found := oracle.line(a, b)) is not None:
            line = sight.line(a, b)
            assert (line.is_blocked, line.degrading) == found, (a, b, line)
            sure += 1
    assert sure > 400


# -- maps that are moved -----------------------------------------------------------------------------------------------


def _half_turn(point: Point) -> Point:
    return 180 * (WIDTH + 1) - point[0], 120 * (HEIGHT + 1) - point[1]


def _mirrored(point: Point) -> Point:
    return 180 * (WIDTH + 1) - point[0], point[1]


def _upside_down(point: Point) -> Point:
    return point[0], 120 * (HEIGHT + 1) - point[1]


def _shifted(point: Point) -> Point:
    return point[0] + 180 * 4, point[1] + 120 * 3


def _sixth_turn(point: Point) -> Point:
    """By 60 degrees around the middle: the step to the north becomes that to the north-east, and on."""
    x, y = point[0] - centre(MIDDLE)[0], point[1] - centre(MIDDLE)[1]
    assert (x - 3 * y) % 2 == 0 == (x + y) % 2
    return centre(MIDDLE)[0] + (x - 3 * y) // 2, centre(MIDDLE)[1] + (x + y) // 2


def _same_when(world: World, point: Callable[[Point], Point]) -> None:
    one, other = world.ground(), changed(world, point).ground()
    here, there = sight_of(one, tables(), ()), sight_of(other, tables(), ())
    names = {hex_name(at): hex_name(hex_at(point(centre(at)))) for at in world.hexes}
    for a, b in combinations(one.places(), 2):
        line = there.line(placed(a, point), placed(b, point))
        assert told(here.line(a, b), names.__getitem__) == told(line, str), (a, b)


@pytest.mark.rule("core 10.3")
@pytest.mark.parametrize("point", [_half_turn, _mirrored, _upside_down, _shifted])
def test_a_map_that_is_turned_or_mirrored_has_the_same_lines(point: Callable[[Point], Point]) -> None:
    _same_when(random_world(21, BOARD), point)
    _same_when(random_world(22, BOARD), point)


@pytest.mark.rule("core 10.3")
@pytest.mark.parametrize(("seed", "drawn"), [(31, False), (32, False), (33, True)])
def test_a_map_turned_by_sixty_degrees_has_the_same_lines(seed: int, drawn: bool) -> None:
    world = random_world(seed, hexes_within(MIDDLE, 4), drawn=drawn)
    for _ in range(2):
        _same_when(world, _sixth_turn)
        world = changed(world, _sixth_turn)


@pytest.mark.rule("core 10.3")
def test_boards_beside_it_change_nothing_on_a_board() -> None:
    grid = " ".join(random.Random(5).choice(("clear", "clear", "forest", "brush")) for _ in range(9 * 6)).split()
    terrain: dict[str, str] = {}
    for n, kind in enumerate(grid):
        column, row = n // 6 + 1, n % 6 + 1
        if kind != "clear" and column not in (1, 9):
            terrain[hex_name((column, row))] = kind
    half = 'half = ["north", "east", "south", "west"]\n'
    texts = {n: half + text_of(9, 6, terrain if n == 15 else {}, number=n) for n in (14, 15)}
    boards = {n: read_board(text, file=f"{n}.toml", tables=tables()) for n, text in texts.items()}
    alone, beside = joined([boards[15]]), joined([boards[14], boards[15]], [[14, 15]])
    here, there = sight_of(alone, tables(), ()), sight_of(beside, tables(), ())
    seam = {name: beside.names[name] for name in alone.hexes}
    for a, b in combinations(alone.hexes.values(), 2):
        ends = [(*beside.hex_named(each.name), 0) for each in (a, b)]
        one, other = here.line((*a.at, 0), (*b.at, 0)), there.line(ends[0], ends[1])
        assert [(seam[each.at], each.effect, each.what) for each in one.obstacles] == [
            (each.at, each.effect, each.what) for each in other.obstacles
        ]
        assert (one.is_blocked, one.degrading, one.distance) == (other.is_blocked, other.degrading, other.distance)


@pytest.mark.rule("core 7.0", "core 10.5")
@pytest.mark.parametrize("kind", ["smoke", "wreck", "forest", "tower", "light_woods"])
def test_another_obstacle_never_opens_a_line(kind: str) -> None:
    world = random_world(41, BOARD)
    ground = world.ground()
    taken = {each.at for each in ground.silhouettes}
    bare = [at for at in BOARD if world.hexes[at].terrain == "clear" and hex_name(at) not in taken]
    before = sight_of(ground, tables(), ())
    changes = 0
    for at in bare:
        after = sight_of(ground, tables(), (Overlay(at, kind),))
        for place in ground.places():
            one, other = before.field(place), after.field(place)
            assert set(other.seen()) <= set(one.seen())
            assert all(one.degrading(each) <= other.degrading(each) for each in ground.places())
            changes += one.counts != other.counts or one.blocked != other.blocked
    assert changes > 50
