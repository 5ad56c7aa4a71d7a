"""Random maps for the tests of this folder, and the same map turned, mirrored and shifted."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from msgspec import Struct

from lnl.board.art import pieces
from lnl.board.ground import Ground, HexGround, Silhouette
from lnl.board.hexes import Hex, Place, Point, centre, hex_at, hex_name, neighbours
from lnl.board.sight import Line
from umpire.kernel.values.maps import ordered

KINDS = ("forest", "light_woods", "brush", "stone_building", "copse", "bluff", "tower")
SIDES = ("wall", "hedge", "bocage")


class World(Struct, frozen=True):
    """A map as lists: what is printed on hexes, drawings (owner, terrain, polygon), hexsides."""

    hexes: dict[Hex, HexGround]
    art: tuple[tuple[Hex, str, tuple[Point, ...]], ...] = ()
    sides: tuple[tuple[Hex, Hex, str], ...] = ()

    def ground(self) -> Ground:
        names = {at: hex_name(at) for at in self.hexes}
        silhouettes = [
            Silhouette(kind, part, names[lies], "" if lies == owner else names[owner])
            for owner, kind, polygon in self.art
            for lies, part in pieces(polygon)
            if lies in self.hexes
        ]
        return Ground(
            width=max(column for column, _ in self.hexes),
            height=max(row for _, row in self.hexes),
            hexes=ordered({names[at]: here for at, here in self.hexes.items()}),
            names=ordered({name: name for name in names.values()}),
            hexsides=ordered({f"{names[min(a, b)]}-{names[max(a, b)]}": kind for a, b, kind in self.sides}),
            silhouettes=tuple(silhouettes),
        )


def random_world(seed: int, hexes: Sequence[Hex], *, flat: bool = False, drawn: bool = True) -> World:
    """Hills, all kinds of terrain, houses of two storeys, drawings of which many reach into neighbours, hexsides."""
    dice = random.Random(seed)
    printed: dict[Hex, HexGround] = {}
    art = []
    for at in sorted(hexes):
        kind = dice.choice(KINDS) if dice.random() < 0.35 else "clear"
        has_art = drawn and kind != "clear" and dice.random() < 0.6
        if has_art:
            art.append((at, kind, _moved(_shape(dice), centre(at))))
        printed[at] = HexGround(
            name=hex_name(at),
            at=at,
            terrain=kind,
            elevation=0 if flat or dice.random() < 0.7 else dice.choice((1, 2)),
            storeys=2 if kind == "stone_building" and dice.random() < 0.5 else 1,
            fills=not has_art,
        )
    sides = [
        (at, other, dice.choice(SIDES))
        for at in sorted(hexes)
        for other in neighbours(at)
        if other > at and other in printed and dice.random() < 0.08
    ]
    return World(printed, tuple(art), tuple(sides))


def _shape(dice: random.Random) -> tuple[Point, ...]:
    """A lozenge, even in both coordinates, small enough to leave the dots of other hexes free."""
    left, right, up, down = (2 * dice.randint(10, 70), 2 * dice.randint(10, 70), 2 * dice.randint(5, 28), 40)
    return ((-left, 0), (0, -up), (right, dice.choice((-6, 0, 6))), (0, down))


def _moved(polygon: Sequence[Point], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in polygon)


def changed(world: World, point: Callable[[Point], Point]) -> World:
    """The map with every point of the lattice moved. Dots must come to lie on dots."""

    def at(old: Hex) -> Hex:
        return hex_at(point(centre(old)))

    hexes = {}
    for old, here in world.hexes.items():
        new = at(old)
        hexes[new] = HexGround(
            name=hex_name(new),
            at=new,
            terrain=here.terrain,
            elevation=here.elevation,
            storeys=here.storeys,
            fills=here.fills,
        )
    art = tuple((at(owner), kind, tuple(point(corner) for corner in polygon)) for owner, kind, polygon in world.art)
    return World(hexes, art, tuple((at(a), at(b), kind) for a, b, kind in world.sides))


def placed(place: Place, point: Callable[[Point], Point]) -> Place:
    return (*hex_at(point(centre(place[:2]))), place[2])


def told(line: Line, named: Callable[[str], str]) -> tuple[bool, int, int, frozenset[tuple[object, ...]]]:
    """A line without the order of its obstacles, with the names of hexes put through a function."""
    bears = set()
    for each in line.obstacles:
        what, between, ends = each.what.partition(" between ")
        where = frozenset(named(end) for end in ends.split(" and ")) if between else named(each.at)
        bears.add((where, each.effect, what, each.rule))
    return line.is_blocked, line.degrading, line.distance, frozenset(bears)
