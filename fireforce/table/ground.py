"""A table made ready for questions: spatial index, elevations, tops, and what lies at a point.

`ground(table)` compiles once and keeps the last few; a `Ground` never changes. Areas are closed: their
outline belongs to them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from threading import Lock
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import shapely

from fireforce.book.kinds import COVERS, SAVES, Cover, Going, Kind, Kinds, Save, kinds
from fireforce.table.convex import corners_of
from fireforce.table.ranges import BASE_RADIUS
from fireforce.table.terrain import Point, Road, Table, Terrain
from fireforce.table.validate import BadTable, validate

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]

GOINGS = ("good", "bad", "impassable", "road")
"""What the cells of a raster say, worse after better, the road apart."""

CELL = 50
"""Side of a cell of the raster, hundredths of an inch."""

KEPT_TABLES = 16
KEPT_REGIONS = 512
KEPT_SIGHTS = 20_000
KEPT_PLACES = 20_000
KEPT_WAYS = 5_000
KEPT_STRETCHES = 20_000

T = TypeVar("T")


class Area(msgspec.Struct, frozen=True):
    """A terrain or a building. `height` above the ground beneath, hundredths of an inch."""

    key: str
    name: str
    kind: Kind
    height: int


class Solid(msgspec.Struct, frozen=True):
    """Something that stops a line of sight running lower than `top`.

    `area` is the index of the area it is a piece of, or -1 for a step of a hill. `convex` is true of a whole
    convex area, whose shadow can be cast from its far sides.
    """

    key: str
    name: str
    shape: Any
    top: int
    area: int
    convex: bool = False


class Memory:
    """Results by key, the least recently used dropped first. Safe for threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                found: T = self._kept[key]
                return found
        value = compute()
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return value

    def together(self, keys: Sequence[Hashable], compute: Callable[[list[int]], Sequence[T]]) -> list[T]:
        """The results of several keys, none of them None. `compute` gets the indices of those that are not known yet
        and gives theirs."""
        with self._lock:
            found: list[Any] = [self._kept.get(key) for key in keys]
        new = [index for index, value in enumerate(found) if value is None]
        if not new:
            return found
        for index, value in zip(new, compute(new), strict=True):
            found[index] = value
        with self._lock:
            self._kept.update((keys[index], found[index]) for index in new)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return found


PREPARED = Lock()
"""To be held while prepared shapes are asked. Such a shape keeps what it works with in itself: two threads that ask the
same one at once crash the process, however warm it is (GEOS 3.14)."""


def meet(shapes: Any, segments: Any) -> Bools:
    """Whether each prepared shape touches its segment."""
    with PREPARED:
        met: Bools = shapely.intersects(shapes, segments)
    return met


class Ground:
    """A compiled table with what is laid over it. Make it with `ground`."""

    def __init__(self, table: Table, overlays: tuple[Terrain, ...], known: Kinds) -> None:
        """Raises `BadTable` with every fault of the table."""
        faults = validate(table, overlays, known)
        if faults:
            raise BadTable(faults)
        self.table = table
        self.overlays = overlays
        self.kinds = known
        self.width, self.depth = table.width, table.depth
        self.eye_height = known.length("eye_height")
        self.cover_reach = known.length("cover_reach")
        self.frame = shapely.box(0, 0, table.width, table.depth)
        self.regions = Memory(KEPT_REGIONS)
        self.sights = Memory(KEPT_SIGHTS)
        self.places = Memory(KEPT_PLACES)
        self.ways = Memory(KEPT_WAYS)
        self.stretches = Memory(KEPT_STRETCHES)

        terrain = (*table.terrain, *overlays)
        storey = known.length("storey")
        self.areas: tuple[Area, ...] = (
            *(self._area(piece) for piece in terrain),
            *(Area(each.key, each.name, known.grounds["building"], each.storeys * storey) for each in table.buildings),
        )
        rings = [*(piece.polygon for piece in terrain), *(each.polygon for each in table.buildings)]
        self.shapes = _shapes([shapely.Polygon(ring) for ring in rings])
        self.area_tree = _tree(self.shapes)
        self.span = np.array([_diameter(shape) for shape in self.shapes], dtype=np.float64)
        self.area_corners = tuple(corners_of(shape) for shape in self.shapes)
        # How far sight may run inside each area; infinite where it has no limit.
        self.into = np.array(
            [np.inf if area.kind.into is None else area.kind.into for area in self.areas], dtype=np.float64
        )
        self.barriers = tuple(known.barriers[line.kind] for line in table.lines)
        self.barrier_shapes = _shapes([shapely.LineString(line.line) for line in table.lines])
        self.barrier_tree = _tree(self.barrier_shapes)
        self.road_parts = tuple(part for road in table.roads for part in _road_parts(road))
        self.road_tree = _tree(_shapes([part.strip for part in self.road_parts]))

        self.zones = self._elevation_zones()
        self.solids = tuple(self._solids())
        self.solid_tree = _tree(_shapes([solid.shape for solid in self.solids]))
        self.tops = np.array([solid.top for solid in self.solids], dtype=np.float64)
        self.solid_area = np.array([solid.area for solid in self.solids], dtype=np.intp)
        self.solid_convex = np.array([solid.convex for solid in self.solids], dtype=np.bool_)
        self.solid_corners = tuple(corners_of(solid.shape) for solid in self.solids)
        # Outlines with the solid on the left of each side. Holes are left out: see `fireforce.table.region`.
        self.solid_rings = tuple(_turned_left(solid.shape) for solid in self.solids)

    # What lies at a point

    def areas_at(self, points: Sequence[Point], radius: int = 0) -> Bools:
        """For each point and each area, whether the base touches it; a last column is always False."""
        inside = np.zeros((len(points), len(self.areas) + 1), dtype=np.bool_)
        if len(self.areas) and len(points):
            places = shapely.points(np.asarray(points, dtype=np.float64))
            if radius:
                # Half a hundredth more: distances are compared as whole hundredths.
                hits = self.area_tree.query(places, predicate="dwithin", distance=radius + 0.499999)
            else:
                hits = self.area_tree.query(places, predicate="intersects")
            inside[hits[0], hits[1]] = True
        return inside

    def under(self, point: Point, radius: int = 0) -> tuple[Area, ...]:
        """Every area that the base touches, in the order of the table; remembered."""
        return self.places.get(
            (point, radius),
            lambda: tuple(self.areas[index] for index in np.flatnonzero(self.areas_at([point], radius)[0])),
        )

    def kind_at(self, point: Point) -> Kind:
        """The kind of ground at a point: what is laid on top (the last in the table), but for hills."""
        on_top = [area.kind for area in self.under(point) if not area.kind.raises]
        return on_top[-1] if on_top else self.kinds.grounds["open"]

    def cover_at(self, point: Point, radius: int = BASE_RADIUS) -> Cover:
        """The best cover under a base. `fireforce saving-throws`"""
        return max((area.kind.cover for area in self.under(point, radius)), key=COVERS.index, default="none")

    def save_at(self, point: Point, radius: int = BASE_RADIUS) -> Save:
        """The best row of the saving throw table under a base. `fireforce saving-throws`"""
        return max((area.kind.save for area in self.under(point, radius)), key=SAVES.index, default="open")

    def is_dense_at(self, point: Point) -> bool:
        """Whether the middle of the base stands in dense jungle or among buildings. `fireforce small-arms`"""
        return any(area.kind.dense for area in self.under(point))

    def going_at(self, point: Point) -> Going:
        """The going at a point; on a road it is good. `fireforce movement`"""
        return "good" if self.is_on_road(point) else worst_going([area.kind for area in self.under(point)])

    def is_on_road(self, point: Point) -> bool:
        """Whether a point lies on a road. `fireforce movement`"""
        return bool(len(self.road_tree.query(shapely.Point(point), predicate="intersects")))

    def elevation_at(self, point: Point) -> int:
        """Height of the ground: the steps of all hills that hold the point add up."""
        return sum(area.height for area in self.under(point) if area.kind.raises)

    def is_on_table(self, point: Point) -> bool:
        """Whether a point lies on the table, its edge included."""
        return 0 <= point[0] <= self.width and 0 <= point[1] <= self.depth

    def elevations(self, inside: Bools) -> Floats:
        """The elevations of the points for which `areas_at` gave `inside`."""
        steps = np.array([area.height if area.kind.raises else 0 for area in self.areas] + [0], dtype=np.float64)
        result: Floats = inside @ steps
        return result

    @cached_property
    def raster(self) -> npt.NDArray[np.int8]:
        """The going of square cells of side `CELL`, [row, column] from the lower left: indices of `GOINGS`.

        For drawing and planning; a move is judged by `spend`.
        """
        columns, rows = -(-self.width // CELL), -(-self.depth // CELL)
        x, y = np.meshgrid((np.arange(columns) + 0.5) * CELL, (np.arange(rows) + 0.5) * CELL)
        cells = np.zeros((rows, columns), dtype=np.int8)
        eased = np.zeros((rows, columns), dtype=np.bool_)
        for area, shape in zip(self.areas, self.shapes, strict=True):
            if area.kind.going == "good" and not area.kind.eases:
                continue
            inside = shapely.contains_xy(shape, x, y)
            if area.kind.eases:
                eased |= inside
            else:
                cells = np.where(inside, np.maximum(cells, GOINGS.index(area.kind.going)), cells).astype(np.int8)
        cells[eased] = GOINGS.index("good")
        for part in self.road_parts:
            cells[shapely.contains_xy(part.strip, x, y)] = GOINGS.index("road")
        return cells

    # Compiling

    def _area(self, piece: Terrain) -> Area:
        kind = self.kinds.grounds[piece.kind]
        return Area(piece.key, piece.name, kind, kind.height if piece.height is None else piece.height)

    def _elevation_zones(self) -> dict[int, Any]:
        """Elevation -> the part of the table that has it. Together they are the table."""
        hills = [index for index, area in enumerate(self.areas) if area.kind.raises]
        if not hills:
            return {0: self.frame}
        outlines = shapely.unary_union([self.frame.boundary, *(self.shapes[index].boundary for index in hills)])
        faces: dict[int, list[Any]] = {}
        for face in shapely.polygonize([outlines]).geoms:
            middle = face.representative_point()
            height = sum(self.areas[index].height for index in hills if self.shapes[index].covers(middle))
            faces.setdefault(height, []).append(face)
        # A height of one face is that face, with its integer corners.
        return {
            height: each[0] if len(each) == 1 else shapely.union_all(each) for height, each in sorted(faces.items())
        }

    def _solids(self) -> list[Solid]:
        solids = []
        for height, zone in self.zones.items():
            if height > 0:
                solids += [Solid(*self._hill(face), face, height, -1) for face in shapely.get_parts(zone)]
        for index, (area, shape) in enumerate(zip(self.areas, self.shapes, strict=True)):
            if not area.kind.blocks:
                continue
            for height, zone in self.zones.items():
                piece = shape if zone.covers(shape) else shapely.intersection(shape, zone)
                for part in [shape] if piece is shape else shapely.get_parts(piece):
                    if part.geom_type == "Polygon" and part.area > 0:
                        convex = part is shape and part.convex_hull.area == part.area
                        solids.append(Solid(area.key, area.name, part, height + area.height, index, convex))
        return solids

    def _hill(self, face: Any) -> tuple[str, str]:
        """Key and name of the smallest hill that the face belongs to."""
        middle = face.representative_point()
        _, index = min(
            (shape.area, index)
            for index, (area, shape) in enumerate(zip(self.areas, self.shapes, strict=True))
            if area.kind.raises and shape.covers(middle)
        )
        return self.areas[index].key, self.areas[index].name


class RoadPart(msgspec.Struct, frozen=True):
    """One straight stretch of a road: its direction and the strip it covers."""

    key: str
    direction: Point
    strip: Any


def ground(table: Table, overlays: tuple[Terrain, ...] = (), known: Kinds | None = None) -> Ground:
    """The compiled table; equal tables with equal overlays give the same object while it is remembered.

    `overlays` are areas that come and go (smoke). `known` are the kinds of the battle's book. Raises
    `BadTable` with every fault.
    """
    known = known or kinds()
    return _GROUNDS.get((table.digest(), overlays, known), lambda: Ground(table, overlays, known))


_GROUNDS = Memory(KEPT_TABLES)


def worst_going(found: Sequence[Kind]) -> Going:
    """The going where these kinds lie over each other: a ford eases it, else the worst counts."""
    goings = {kind.going for kind in found}
    if any(kind.eases for kind in found):
        return "good"
    if "impassable" in goings:
        return "impassable"
    return "bad" if "bad" in goings else "good"


@lru_cache(maxsize=256)
def _strip(a: Point, b: Point, width: int, bends: tuple[Point, ...]) -> Any:
    """A stretch as wide as the road: round where the road bends, cut off straight where it ends."""
    straight = shapely.LineString([a, b]).buffer(width / 2, cap_style="flat")
    return shapely.union_all([straight, *(shapely.Point(each).buffer(width / 2) for each in bends)])


def _road_parts(road: Road) -> list[RoadPart]:
    bends = road.line[1:-1]
    return [
        RoadPart(
            road.key,
            (b[0] - a[0], b[1] - a[1]),
            _strip(a, b, road.width, tuple(each for each in (a, b) if each in bends)),
        )
        for a, b in pairwise(road.line)
    ]


def _shapes(shapes: Sequence[Any]) -> npt.NDArray[np.object_]:
    result = np.empty(len(shapes), dtype=np.object_)
    result[:] = shapes
    return result


def _tree(shapes: npt.NDArray[np.object_]) -> Any:
    shapely.prepare(shapes)
    tree = shapely.STRtree(shapes)
    # Indices are built at the first question; asked here, before threads share them.
    tree.query(shapely.Point(0, 0))
    for shape in shapes:
        shapely.intersects(shape, shape.envelope.boundary)
    return tree


def _turned_left(shape: Any) -> Floats:
    corners: Floats = shapely.get_coordinates(shape.exterior)
    return corners if shapely.is_ccw(shape.exterior) else corners[::-1]


def _diameter(shape: Any) -> float:
    x0, y0, x1, y1 = shape.bounds
    return float(np.hypot(x1 - x0, y1 - y0))
