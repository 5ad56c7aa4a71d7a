"""Places of a map as a scenario names them: a hex, a storey, all hexes between two corners, a way."""

from __future__ import annotations

from collections import deque
from typing import NoReturn

from lnl.board.ground import BUNKER, UPSTAIRS, Ground, place_named
from lnl.board.hexes import Hex, Place, distance, neighbours
from lnl.book.tables import Tables
from umpire.kernel.values.written import Reading


class Places(Reading):
    """Reads places of one map. What is wrong is refused with the nearest that there is."""

    def __init__(self, ground: Ground, tables: Tables, file: str) -> None:
        self.ground, self.tables, self.file = ground, tables, file
        self.bunkers: frozenset[Hex] = frozenset()

    def place(self, where: str, text: str) -> Place:
        try:
            place = place_named(self.ground, text)
        except KeyError:
            self._no_place(where, text)
        if place[2] == BUNKER and (place[0], place[1]) not in self.bunkers:
            self._wrong(where, f"there is no bunker in {text.split()[0]}", "Give it a [[work]] of the kind bunker")
        return place

    def _no_place(self, where: str, text: str) -> NoReturn:
        name = text.split()[0] if text.split() else ""
        if name.upper() in self.ground.names:
            self._wrong(
                where, f"there is no place {text!r}", f"Write {name!r}, or {name + ' upstairs'!r} in a tall house"
            )
        nearest = self.ground.nearest(name)
        right = f"Did you mean {nearest!r}?" if nearest else "Name a hex of the map, such as 'E5'"
        self._wrong(where, f"the map has no hex {name!r}", right)

    def hexes(self, where: str, text: str) -> tuple[Hex, ...]:
        """Hexes by name, and rectangles by two corners: "A1-C4"."""
        found: list[Hex] = []
        for word in text.replace(",", " ").split():
            first, dash, last = word.partition("-")
            a = self.hex(where, first)
            b = self.hex(where, last) if dash else a
            columns = range(min(a[0], b[0]), max(a[0], b[0]) + 1)
            rows = range(min(a[1], b[1]), max(a[1], b[1]) + 1)
            found.extend((c, r) for c in columns for r in rows if self.ground.at((c, r)) is not None)
        if not found:
            self._wrong(where, "no hex is named", "Name hexes: 'A1 A2', or 'A1-C4' for all between two corners")
        return tuple(dict.fromkeys(found))

    def hex(self, where: str, name: str) -> Hex:
        try:
            return self.ground.hex_named(name)
        except KeyError:
            self._no_place(where, name)

    def path(self, where: str, at: Place, text: str) -> tuple[Place, ...]:
        """Places in order, separated by commas or, as hexes, by blanks; between two that do not touch the shortest
        way."""
        words = text.split(",") if "," in text else text.split()
        path: list[Place] = []
        for word in words:
            to = self.place(where, word)
            path.extend(self._between(path[-1] if path else at, to))
        return tuple(path)

    def _between(self, at: Place, to: Place) -> list[Place]:
        if at[:2] == to[:2]:
            return [to] if at != to else []
        if distance(at[:2], to[:2]) == 1 and (at[2] == to[2] or UPSTAIRS not in (at[2], to[2])):
            return [to]
        came: dict[Hex, Hex] = {}
        todo = deque([at[:2]])
        while todo and to[:2] not in came:
            here = todo.popleft()
            for beside in neighbours(here):
                known = self.ground.at(beside)
                if known is not None and beside not in came and self.tables.terrain(known.terrain).leg >= 0:
                    came[beside] = here
                    todo.append(beside)
        way = [to[:2]]
        while way[-1] in came and came[way[-1]] != at[:2]:
            way.append(came[way[-1]])
        return [(*here, 0) for here in reversed(way)] + ([to] if to[2] else [])
