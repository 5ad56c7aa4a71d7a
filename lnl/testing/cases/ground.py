"""The ground of a case file: `terrain`, `elevations`, `hexsides`, `buildings`, `roads`, `smoke` made into the text of a
map. `docs/cases.md`, `docs/maps.md`"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from lnl.board.hexes import Hex, hex_name, neighbours
from lnl.book.tables import Tables
from umpire.testing.cases.running import CaseFault
from umpire.testing.cases.words import lines_of, unknown, whole

HEX: Final = re.compile(r"^(\d*)([A-Z]{1,2})([1-9]\d?)$")
"""A hex by name: E5, 15I5."""
NOT_A_HEX: Final = re.compile(r"^(?:LM|MF|FP|MG|LR|SR|AM|OC|GO|WT|HS)\d+$")
WIDTH: Final = 14
HEIGHT: Final = 11
"""A map has at least so many columns and rows, more where a hex of the case lies beyond."""
KINDS: Final[Mapping[str, str]] = {
    "open": "clear",
    "open ground": "clear",
    "plain": "clear",
    "woods": "forest",
    "forests": "forest",
    "light wood": "light_woods",
    "wheat": "wheat_field",
    "wheat fields": "wheat_field",
    "tall grass": "high_grass",
    "crops": "low_crops",
    "wood building": "wooden_building",
    "wooden house": "wooden_building",
    "house": "wooden_building",
    "building": "wooden_building",
    "stone house": "stone_building",
    "swamp": "marsh",
    "river": "water",
    "pond": "water",
    "stream": "water",
    "grass": "high_grass",
}
"""Words for kinds of terrain that are not the keys of the table with spaces."""
LEVELS: Final[Mapping[str, int]] = {
    "upstairs": 1,
    "up": 1,
    "u": 1,
    "upper": 1,
    "upper floor": 1,
    "upper storey": 1,
    "upper level": 1,
    "first floor": 1,
    "": 0,
    "g": 0,
    "ground": 0,
    "ground floor": 0,
    "ground level": 0,
    "downstairs": 0,
    "down": 0,
    "on top": 0,
    "on the bunker": 0,
    "on top of the bunker": 0,
    "outside": 0,
    "b": -1,
    "bunker": -1,
    "in the bunker": -1,
    "in bunker": -1,
    "inside the bunker": -1,
}
LEVEL_NAMES: Final[Mapping[int, str]] = {1: " upstairs", 0: "", -1: " in the bunker"}
STOREYS: Final[Mapping[str, int]] = {"one": 1, "two": 2, "single": 1, "multi": 2, "1": 1, "2": 2}
OTHERS: Final = ("other", "others", "default", "rest", "else", "elsewhere", "all else", "everywhere")
"""Names for all hexes that are not named."""
WORKS: Final[Mapping[str, str]] = {
    "foxhole": "foxhole",
    "foxholes": "foxhole",
    "trench": "trench",
    "trenches": "trench",
    "wire": "wire",
    "barbed wire": "wire",
}
"""Works that may stand among the terrain: whose they are makes no difference."""
LEVEL: Final = re.compile(
    r"\b(?:(?:level|elevation|hill|base)[ =-]*(-?\d+)(?:[ -](?:hill|ground))?"
    r"|(?:hill|ground) (?:of|at|on) (?:level|elevation) (-?\d+)|hill (?:level|elevation) (-?\d+))\b"
)


class Land(Struct, kw_only=True):
    """What a case says of the ground. `markers`: terrain counters laid on the map; `smoke`: its stage by hex; `works`:
    kind and hex; `spotted`: hexes under a Spotted marker."""

    other: str = "clear"
    number: int = 0
    name: str = ""
    terrain: dict[Hex, str] = field(default_factory=dict)
    elevations: dict[Hex, int] = field(default_factory=dict)
    buildings: list[tuple[tuple[Hex, ...], int]] = field(default_factory=list)
    hexsides: dict[str, list[str]] = field(default_factory=dict)
    streams: dict[str, list[str]] = field(default_factory=dict)
    roads: list[str] = field(default_factory=list)
    markers: dict[str, str] = field(default_factory=dict)
    smoke: dict[str, int] = field(default_factory=dict)
    works: list[tuple[str, str]] = field(default_factory=list)
    spotted: list[str] = field(default_factory=list)
    art: list[Mapping[str, Any]] = field(default_factory=list)
    size: tuple[int, int] = (WIDTH, HEIGHT)


def is_hex(word: str) -> bool:
    """Whether a word of a line is the name of a hex."""
    return HEX.match(word) is not None and NOT_A_HEX.match(word) is None


def hex_of(name: str) -> Hex:
    """Column and row of a hex named in a case. Raises CaseFault."""
    found = HEX.match(name.strip())
    if found is None:
        raise CaseFault(f"{name!r} is no hex, such as E5 or 15E5", at=name)
    column = 0
    for letter in found[2]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return column, int(found[3])


def split_place(text: str) -> tuple[str, int]:
    """The hex and the level of a place: "E5", "E5 upstairs", "E5/U", "E5 in the bunker". Raises CaseFault."""
    name, _, level = " ".join(text.replace("/", " ").replace(",", " ").split()).partition(" ")
    if not is_hex(name):
        raise CaseFault(f"{text!r} is no place, such as E5 or E5 upstairs", at=text)
    if level.lower() not in LEVELS:
        unknown("the level", level, [each for each in LEVELS if len(each) > 1])
    return name, LEVELS[level.lower()]


def hexes_of(text: str) -> list[Hex]:
    """Hexes of a list: "E5 E6", "E5, E6", and with A1-C4 all between two corners. Raises CaseFault."""
    found: list[Hex] = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        a = hex_of(first)
        b = hex_of(last) if dash else a
        columns = range(min(a[0], b[0]), max(a[0], b[0]) + 1)
        rows = range(min(a[1], b[1]), max(a[1], b[1]) + 1)
        found.extend((column, row) for column in columns for row in rows)
    return found


# Reading


def land(given: Mapping[str, Any], mentioned: Iterable[str], tables: Tables) -> Land:
    """The ground of `[given]`; `mentioned` are all words of the case, for the size of the map and the number of its
    board. Raises CaseFault."""
    made = Land()
    _measure(made, given, mentioned)
    for names, kind in _entries(given.get("terrain", {})):
        _terrain(made, names, kind, tables)
    for key, value in _entries(given.get("elevations", {})):
        names, level = (value, key) if re.fullmatch(r"-?\d+", key) else (key, value)
        made.elevations.update(dict.fromkeys(hexes_of(names), whole(level)))
    for key, value in _entries(given.get("hexsides", {})):
        pairs, kind = (value, key) if re.search(r"[A-Z]\d+[-/]", value) else (key, value)
        _sides(made, pairs, kind, tables)
    for line in lines_of(given.get("buildings", ())):
        words = line.split()
        names = " ".join(word for word in words if is_hex(word.strip(",")))
        kind = " ".join(word for word in words if not is_hex(word.strip(",")))
        _terrain(made, names, kind, tables)
    made.roads.extend(" ".join(hex_name(at) for at in hexes_of(line)) for line in lines_of(given.get("roads", ())))
    for key, value in _entries(given.get("markers", {})):
        kind = _kind(value, tables)
        made.markers.update({hex_name(at): kind for at in hexes_of(key)})
    for key, value in _entries(given.get("smoke", {})):
        stage = whole(value.lower().removeprefix("smoke").strip() or 1)
        made.smoke.update({hex_name(at): stage for at in hexes_of(key)})
    for art in given.get("art", ()):
        hexes = " ".join(hex_name(at) for at in hexes_of(str(art.get("hexes", ""))))
        of = {"terrain": _kind(str(art["terrain"]), tables)} if "terrain" in art else {}
        made.art.append({**art, "hexes": hexes, **of})
    return made


def _measure(made: Land, given: Mapping[str, Any], mentioned: Iterable[str]) -> None:
    width, height = made.size
    numbers: set[int] = set()
    for word in mentioned:
        if is_hex(word):
            found = HEX.match(word)
            column, row = hex_of(word)
            width, height = max(width, column + 1), max(height, row + 1)
            if found is not None and found[1]:
                numbers.add(int(found[1]))
    if len(numbers) > 1 and "map" not in given:
        raise CaseFault(f"hexes of several boards are named: {sorted(numbers)}; give the map", at=str(max(numbers)))
    if "size" in given:
        size = given["size"]
        text = "x".join(map(str, size)) if isinstance(size, list) else str(size)
        columns, _, rows = text.lower().replace(" ", "").partition("x")
        width, height = whole(columns), whole(rows)
    made.size = (width, height)
    made.number = min(numbers, default=0)


def _entries(given: Any) -> Iterator[tuple[str, str]]:
    """Pairs of a table, or of lines: `E5 E6 = forest`, `forest E5 E6`, `E5 2`, `E5`."""
    if isinstance(given, Mapping):
        for key, value in given.items():
            for each in value if isinstance(value, list) else [value]:
                yield " ".join(str(key).split()), _words(each)
        return
    for line in lines_of(given):
        key, equals, value = line.partition("=")
        if equals:
            yield key.strip(), value.strip()
            continue
        words = line.replace(",", " , ").split()
        names = [word for word in words if all(is_hex(part) for part in word.split("-")) or word in OTHERS]
        yield " ".join(names), " ".join(word for word in words if word not in names and word != ",")


def _words(value: Any) -> str:
    """The words of an entry, of a table too: `{ terrain = "forest", level = 1 }` is "forest, level 1"."""
    if not isinstance(value, Mapping):
        return " ".join(str(value).split())
    parts: list[str] = []
    for key, each in value.items():
        if isinstance(each, bool):
            parts += [key] if each else []
        elif isinstance(each, int) or str(each).isdigit():
            parts.append(f"{each} {key}" if key.startswith(("stor", "floor")) else f"{key} {each}")
        else:
            parts.append(str(each))
    return ", ".join(parts)


def _terrain(made: Land, names: str, text: str, tables: Tables) -> None:
    """One entry: hexes (or a hexside) and what is there, with commas between: "stone building, 2 storeys, level 1"."""
    text = re.sub(r" (?:with|and|\+) |[()+]", ", ", text)
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if names in OTHERS:
        made.other = _kind(parts[0], tables)
        return
    first = parts[0].lower().replace(" ", "_") if parts else ""
    pair = names.replace("/", "-")
    if re.fullmatch(r"[^-\s]+-[^-\s]+", pair) and (first in tables.ground.hexsides or first == "road"):
        _sides(made, pair, parts[0], tables)
        return
    hexes = hexes_of(names)
    storeys, is_counter, kind = 0, False, ""
    for part in parts:
        word = part.lower().replace("_", " ")
        for found in re.findall(r"\b(one|two|single|multi|1|2)[- ](?:storeys?|stor(?:y|ies)|levels?|floors?)\b", word):
            storeys = STOREYS[found]
        word = re.sub(r"\b(one|two|single|multi|1|2)[- ](?:storeys?|stor(?:y|ies)|levels?|floors?)(?:ed)?\b", "", word)
        if level := LEVEL.search(word):
            made.elevations.update(dict.fromkeys(hexes, int(level[1] or level[2] or level[3])))
            word = word.replace(level[0], "")
        if smoke := re.search(r"\bsmoke ?([12])?\b", word):
            made.smoke.update({hex_name(at): int(smoke[1] or 1) for at in hexes})
            word = word.replace(smoke[0], "")
        is_counter = is_counter or bool(re.search(r"\b(?:counter|terrain marker|marker)\b", word))
        word = re.sub(r"\b(?:counter|terrain marker|marker|terrain|an?|hex|on|at|and|laid)\b", " ", word)
        word = " ".join(word.split())
        if word in WORKS:
            made.works.extend((WORKS[word], hex_name(at)) for at in hexes)
        elif word == "spotted":
            made.spotted.extend(hex_name(at) for at in hexes)
        elif word and not (word == "hill" and LEVEL.search(text.lower())):
            kind = _kind(word, tables)
    if is_counter:
        made.markers.update({hex_name(at): kind for at in hexes})
        return
    if kind:
        made.terrain.update(dict.fromkeys(hexes, kind))
        if tables.terrain(kind).is_building:
            made.buildings.append((tuple(hexes), storeys))
            return
    if storeys:
        raise CaseFault(f"{names} has storeys and no building", at=names)


def _kind(text: str, tables: Tables) -> str:
    word = " ".join(text.lower().replace("_", " ").replace("-", " ").split())
    key = KINDS.get(word, word.replace(" ", "_"))
    if key not in tables.ground.terrain:
        run_together = {each.replace("_", ""): each for each in tables.ground.terrain}
        key = run_together.get(word.replace(" ", ""), key)
    if key not in tables.ground.terrain:
        known = [each.replace("_", " ") for each in (*tables.ground.terrain, *WORKS)]
        unknown("the terrain", text, (*known, *KINDS, "level 1", "smoke 1", "2 storeys", "counter"))
    return key


def _sides(made: Land, pairs: str, text: str, tables: Tables) -> None:
    key = text.lower().replace(" ", "_")
    if key == "road":
        made.roads.extend(" ".join(hex_name(hex_of(part)) for part in pair.split("-")) for pair in pairs.split())
        return
    if key not in tables.ground.hexsides:
        unknown("the hexside", text, (*tables.ground.hexsides, "road"))
    for pair in pairs.replace(",", " ").split():
        a, dash, b = pair.replace("/", "-").partition("-")
        if not dash or hex_of(b) not in neighbours(hex_of(a)):
            raise CaseFault(f"{pair!r} is no hexside, such as E5-E6", at=pair)
        where = made.streams if key.startswith("stream") else made.hexsides
        where.setdefault(key, []).append(f"{hex_name(hex_of(a))}-{hex_name(hex_of(b))}")


# The map


def map_text(made: Land, upstairs: Iterable[Hex]) -> str:
    """The text of the map; buildings in which somebody stands `upstairs` have two storeys."""
    width, height = made.size
    tall = set(upstairs)
    kinds = sorted({made.other, *made.terrain.values()})
    tokens = {kind: f"t{number}" for number, kind in enumerate(kinds)}
    rows = [
        " ".join(tokens[made.terrain.get((column, row), made.other)] for column in range(1, width + 1))
        for row in range(1, height + 1)
    ]
    lines = ["grid = '''", *rows, "'''"]
    if made.number:
        lines.insert(0, f"number = {made.number}")
    lines.append(f"roads = {json.dumps(made.roads)}")
    lines += ["[legend]", *(f'{token} = "{kind}"' for kind, token in tokens.items())]
    lines.append("[elevations]")
    for level in sorted(set(made.elevations.values())):
        names = " ".join(hex_name(at) for at, its in sorted(made.elevations.items()) if its == level)
        lines.append(f'"{level}" = "{names}"')
    for title, sides in (("hexsides", made.hexsides), ("streams", made.streams)):
        lines += [f"[{title}]", *(f"{key} = {json.dumps(pairs)}" for key, pairs in sides.items())]
    for hexes, storeys in made.buildings:
        high = storeys or (2 if tall & set(hexes) else 0)
        names = " ".join(hex_name(at) for at in hexes)
        for at in hexes if not _hang_together(hexes) else [None]:
            lines += ["[[building]]", f'key = "{hex_name(at) if at else hex_name(hexes[0])}"']
            lines.append(f'hexes = "{hex_name(at) if at else names}"')
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
