"""The ground of a case of Lock 'n Load: places by name, and what `[given]` says of hexes made into the text of a map.
`docs/cases.md`, `docs/maps.md`"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from lnl.board.hexes import Hex, hex_name, neighbours
from lnl.book.tables import Tables
from umpire.testing.cases.words import CaseFault, lines_of, plain, unknown, whole

HEX: Final = re.compile(r"(\d*)([A-Z]{1,2})([1-9]\d?)")
"""A hex by name: E5, 15I5."""
NOT_A_HEX: Final = re.compile(r"(?:LM|MF|FP|MG)\d+")
LEAST: Final = (14, 11)
"""A map has at least so many columns and rows, more where a hex of the case lies beyond."""
LEVELS: Final[Mapping[str, int]] = {"upstairs": 1, "u": 1, "": 0, "on top": 0, "in the bunker": -1, "b": -1}
LEVEL_NAMES: Final[Mapping[int, str]] = {1: " upstairs", 0: "", -1: " in the bunker"}
WORKS: Final = ("foxhole", "trench", "wire")
"""Works that may stand among the terrain: whose they are makes no difference."""


class Land(Struct, kw_only=True):
    """What a case says of the ground. `markers`: terrain counters laid on the map; `smoke`: its stage by hex; `works`:
    kind and hex; `spotted`: hexes under a Spotted marker."""

    other: str = "clear"
    number: int = 0
    size: tuple[int, int] = LEAST
    terrain: dict[Hex, str] = field(default_factory=dict)
    elevations: dict[Hex, int] = field(default_factory=dict)
    buildings: list[tuple[tuple[Hex, ...], int]] = field(default_factory=list)
    hexsides: dict[str, list[str]] = field(default_factory=dict)
    roads: list[str] = field(default_factory=list)
    markers: dict[str, str] = field(default_factory=dict)
    smoke: dict[str, int] = field(default_factory=dict)
    works: list[tuple[str, str]] = field(default_factory=list)
    spotted: list[str] = field(default_factory=list)
    art: list[Mapping[str, Any]] = field(default_factory=list)


# Places


def is_hex(word: str) -> bool:
    """Whether a word of a line is the name of a hex, perhaps with its level (E5/U)."""
    name = word.rstrip(",").partition("/")[0]
    return HEX.fullmatch(name) is not None and NOT_A_HEX.fullmatch(name) is None


def hex_of(name: str) -> Hex:
    """Column and row of a hex named in a case. Raises CaseFault."""
    found = HEX.fullmatch(name.strip())
    if found is None:
        raise CaseFault(f"{name!r} is no hex, such as E5 or 15E5", at=name)
    column = 0
    for letter in found[2]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return column, int(found[3])


def place_at(words: Sequence[str]) -> int:
    """How many words at the head of some are a place: "E5", "E5 in the bunker", "off map"; 0 for none."""
    first = words[0]
    if first == "off" and words[1:2] and plain(words[1].rstrip(",")) in ("map", "board"):
        return 2
    if not is_hex(first):
        return 0
    for size in (3, 2, 1):
        if not first.endswith(",") and LEVELS.get(plain(" ".join(words[1 : 1 + size]).rstrip(","))) is not None:
            return 1 + len(words[1 : 1 + size])
    return 1


def split_place(text: str) -> tuple[str, int]:
    """The hex and the level of a place: "E5", "E5 upstairs", "E5/U", "E5 in the bunker". Raises CaseFault."""
    name, _, level = " ".join(text.replace("/", " ").replace(",", " ").split()).partition(" ")
    if not is_hex(name):
        raise CaseFault(f"{text!r} is no place, such as E5 or E5 upstairs", at=text)
    if plain(level) not in LEVELS:
        unknown("the level", level, [each for each in LEVELS if len(each) > 1])
    return name, LEVELS[plain(level)]


def hexes_of(text: str) -> list[Hex]:
    """Hexes of a list: "E5 E6", "E5, E6", and with A1-C4 all between two corners. Raises CaseFault."""
    found: list[Hex] = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        (a, b), (c, d) = hex_of(first), hex_of(last if dash else first)
        found += [
            (column, row) for column in range(min(a, c), max(a, c) + 1) for row in range(min(b, d), max(b, d) + 1)
        ]
    return found


# Reading


def land(given: Mapping[str, Any], mentioned: Iterable[str], tables: Tables) -> Land:
    """The ground of `[given]`; `mentioned` are all hexes of the case, for the size of the map and the number of its
    board. Raises CaseFault."""
    made = Land()
    _measure(made, given, mentioned)
    for names, said in _entries(given.get("terrain", {})):
        _terrain(made, names, said, tables)
    for level, names in _entries(given.get("elevations", {})):
        made.elevations.update(dict.fromkeys(hexes_of(names), whole(level)))
    for pairs, kind in _entries(given.get("hexsides", {})):
        _sides(made, pairs, kind, tables)
    for line in lines_of(given.get("buildings", ())):
        named = [word.rstrip(",") for word in line.split() if is_hex(word)]
        _terrain(made, " ".join(named), re.sub(rf"\b(?:{'|'.join(named)})\b", "", line), tables)
    made.roads += [" ".join(map(hex_name, hexes_of(line))) for line in lines_of(given.get("roads", ()))]
    for names, kind in _entries(given.get("markers", {})):
        made.markers.update({hex_name(at): _kind(kind, tables) for at in hexes_of(names)})
    for names, stage in _entries(given.get("smoke", {})):
        made.smoke.update({hex_name(at): whole(stage) for at in hexes_of(names)})
    for art in given.get("art", ()):
        of = {"terrain": _kind(str(art["terrain"]), tables)} if "terrain" in art else {}
        made.art.append({**art, "hexes": " ".join(map(hex_name, hexes_of(str(art.get("hexes", ""))))), **of})
    return made


def _measure(made: Land, given: Mapping[str, Any], mentioned: Iterable[str]) -> None:
    named = [word for word in mentioned if is_hex(word)]
    width, height = ((max([least, *(hex_of(word)[n] + 1 for word in named)])) for n, least in enumerate(LEAST))
    numbers = {int(found[1]) for word in named if (found := HEX.match(word)) and found[1]}
    if len(numbers) > 1 and "map" not in given:
        raise CaseFault(f"hexes of several boards are named: {sorted(numbers)}; give the map", at=str(max(numbers)))
    if "size" in given:
        columns, _, rows = str(given["size"]).lower().replace(" ", "").partition("x")
        width, height = whole(columns), whole(rows)
    made.size, made.number = (width, height), min(numbers, default=0)


def _entries(given: Any) -> Iterator[tuple[str, str]]:
    """Pairs of a table; each of several that stand behind one key."""
    if not isinstance(given, Mapping):
        raise CaseFault(f"{given!r} is no table, such as {{ E7 = 'forest' }}", at=str(given))
    for key, value in given.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Mapping):  # { terrain = "forest", level = 1 }
                each = ", ".join(str(one) if name == "terrain" else f"{name} {one}" for name, one in each.items())
            yield " ".join(str(key).split()), " ".join(str(each).split())


def _terrain(made: Land, names: str, text: str, tables: Tables) -> None:
    """One entry: hexes (or a hexside) and what is there, with commas between: "stone building, 2 storeys, level 1"."""
    parts = [plain(part) for part in text.split(",") if part.strip()]
    if names == "other":
        made.other = _kind(parts[0], tables)
        return
    if re.fullmatch(r"\S+-\S+", names) and parts and parts[0].replace(" ", "_") in (*tables.ground.hexsides, "road"):
        _sides(made, names, parts[0], tables)
        return
    hexes = hexes_of(names)
    storeys, kind = 0, ""
    for part in parts:
        if found := re.fullmatch(r"(one|two|1|2) (?:storeys?|floors?)", part):
            storeys = {"one": 1, "two": 2}.get(found[1]) or int(found[1])
        elif found := re.fullmatch(r"level (-?\d+)", part):
            made.elevations.update(dict.fromkeys(hexes, int(found[1])))
        elif found := re.fullmatch(r"smoke ?([12])?", part):
            made.smoke.update({hex_name(at): int(found[1] or 1) for at in hexes})
        elif part in WORKS:
            made.works.extend((part, hex_name(at)) for at in hexes)
        elif part == "spotted":
            made.spotted.extend(map(hex_name, hexes))
        elif part.endswith(" counter"):
            made.markers.update({hex_name(at): _kind(part.removesuffix(" counter"), tables) for at in hexes})
        else:
            kind = _kind(part, tables)
    if kind:
        made.terrain.update(dict.fromkeys(hexes, kind))
    if kind and tables.terrain(kind).is_building:
        made.buildings.append((tuple(hexes), storeys))
    elif storeys:
        raise CaseFault(f"{names} has storeys and no building", at=names)


def _kind(text: str, tables: Tables) -> str:
    """The terrain that words name, by key or by name. Raises CaseFault."""
    known = {plain(word): key for key, row in tables.ground.terrain.items() for word in (row.name, key)}
    more = (*WORKS, "level 1", "smoke 1", "2 storeys", "forest counter")
    return known.get(plain(text)) or unknown("the terrain", text, (*known, *more))


def _sides(made: Land, pairs: str, text: str, tables: Tables) -> None:
    key = plain(text).replace(" ", "_")
    if key not in (*tables.ground.hexsides, "road"):
        unknown("the hexside", text, (*tables.ground.hexsides, "road"))
    for pair in pairs.replace(",", " ").split():
        a, dash, b = pair.partition("-")
        if not dash or hex_of(b) not in neighbours(hex_of(a)):
            raise CaseFault(f"{pair!r} is no hexside, such as E5-E6", at=pair)
        if key == "road":
            made.roads.append(f"{hex_name(hex_of(a))} {hex_name(hex_of(b))}")
        else:
            made.hexsides.setdefault(key, []).append(f"{hex_name(hex_of(a))}-{hex_name(hex_of(b))}")


# The map


def map_text(made: Land, upstairs: Iterable[Hex]) -> str:
    """The text of the map; buildings in which somebody stands `upstairs` have two storeys."""
    width, height = made.size
    tokens = {kind: f"t{number}" for number, kind in enumerate(sorted({made.other, *made.terrain.values()}))}
    rows = [
        " ".join(tokens[made.terrain.get((column, row), made.other)] for column in range(1, width + 1))
        for row in range(1, height + 1)
    ]
    lines = [f"number = {made.number}"] if made.number else []
    lines += ["grid = '''", *rows, "'''", f"roads = {json.dumps(made.roads)}"]
    lines += ["[legend]", *(f'{token} = "{kind}"' for kind, token in tokens.items()), "[elevations]"]
    for level in sorted(set(made.elevations.values())):
        names = " ".join(hex_name(at) for at, its in sorted(made.elevations.items()) if its == level)
        lines.append(f'"{level}" = "{names}"')
    for title in ("hexsides", "streams"):
        sides = {key: pairs for key, pairs in made.hexsides.items() if key.startswith("stream") == (title == "streams")}
        lines += [f"[{title}]", *(f"{key} = {json.dumps(pairs)}" for key, pairs in sides.items())]
    for hexes, storeys in made.buildings:
        high = storeys or (2 if set(upstairs) & set(hexes) else 0)
        for group in [hexes] if _hang_together(hexes) else [(at,) for at in hexes]:
            names = " ".join(map(hex_name, group))
            lines += ["[[building]]", f'key = "{hex_name(group[0])}"', f'hexes = "{names}"']
            lines += [f"storeys = {high}"] if high else []
    for art in made.art:
        lines += ["[[art]]", *(f"{key} = {json.dumps(value)}" for key, value in art.items())]
    return "\n".join(lines) + "\n"


def _hang_together(hexes: Sequence[Hex]) -> bool:
    found, todo = {hexes[0]}, [hexes[0]]
    while todo:
        new = [at for at in neighbours(todo.pop()) if at in hexes and at not in found]
        found.update(new)
        todo += new
    return len(found) == len(set(hexes))
