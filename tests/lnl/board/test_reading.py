"""Maps read from text: what they give, and how bad ones are refused."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from lnl.board.ground import Ground, place_name, place_named
from lnl.board.parsing import joined, read_board, read_map
from tests.lnl.board.boards import HEXAGON, map_of, tables, text_of
from umpire.kernel.codec import encode
from umpire.kernel.settings import BadInput

SMALL = """
number = 7
half = ["east", "south"]
grid = '''
# A B C
  . f .
  h s s
  . . s
  - . -
'''
roads = ["A3 B3 C2"]

[legend]
"." = "clear"
f = { terrain = "forest", elevation = 1 }
h = { terrain = "wooden_building", box = [-50, -50, 50, 50] }
s = "stone_building"

[elevations]
2 = "A1"

[hexsides]
hedge = ["A1-A2", "around B1 except B1-A1"]

[streams]
stream_2 = ["A3-B4"]

[[building]]
key = "church"
name = "Church"
hexes = "B2 C2 C3"

[labels]
B2 = "Church door"
"""


@pytest.mark.rule("core 1.4", "core 10.4")
def test_a_board_as_it_is_written() -> None:
    ground = map_of(SMALL)
    assert (ground.width, ground.height, len(ground.hexes)) == (3, 4, 10)
    assert ground.hex_named("7B2") == ground.hex_named(" 7b2 ") == (2, 2)
    assert ground.name_of((2, 2)) == "7B2"
    forest, house, church = (ground.hexes[name] for name in ("7B1", "7A2", "7B2"))
    assert (forest.terrain, forest.elevation, forest.fills) == ("forest", 1, True)
    assert (house.terrain, house.fills, house.storeys, house.building) == ("wooden_building", False, 1, "7A2")
    assert (church.building, church.label, church.road) == ("7.church", "Church door", False)
    assert ground.buildings == {"7.church": "Church"}
    assert ground.hexes["7A1"].elevation == 2
    assert ground.hexes["7C2"].road
    assert ground.is_road((1, 3), (2, 3))
    assert not ground.is_road((1, 2), (1, 3))
    assert ground.hexsides == {"7A1-7A2": "hedge", "7B1-7B2": "hedge", "7B1-7C1": "hedge"}
    assert ground.hexside((2, 2), (2, 1)) == "hedge"
    assert ground.hexside((1, 1), (2, 1)) == ""
    assert ground.stream((2, 4), (1, 3)) == "stream_2"
    assert ground.half_hexes == ("7B4", "7C1", "7C2", "7C3")
    assert ground.at((1, 4)) is None
    assert ground.levels((1, 4)) == ()


@pytest.mark.rule("core 10.2")
def test_a_stone_building_of_three_hexes_has_two_storeys() -> None:
    ground = map_of(SMALL)
    assert ground.levels((2, 2)) == (0, 1)
    assert ground.levels((1, 2)) == (0,)
    assert ground.is_same_building((2, 2), (3, 2))
    assert not ground.is_same_building((1, 2), (2, 2))
    wooden = map_of(SMALL.replace('s = "stone_building"', 's = "wooden_building"'))
    assert wooden.levels((2, 2)) == (0,)
    two = map_of(SMALL.replace("B2 C2 C3", "B2 C2"))
    assert two.levels((2, 2)) == (0,)


@pytest.mark.rule("core 10.2", "core 21.1")
def test_places_have_names() -> None:
    ground = map_of(SMALL)
    for place, name in (((2, 2, 0), "7B2"), ((2, 2, 1), "7B2 upstairs"), ((1, 3, -1), "7A3 in the bunker")):
        assert place_name(ground, place) == name
        assert place_named(ground, name) == place
    for wrong in ("7A2 upstairs", "7D9", "7D9 in the bunker"):
        with pytest.raises(KeyError):
            place_named(ground, wrong)
    assert ground.nearest("7B9") in ground.hexes
    assert ground.nearest("somewhere") == ""


def test_a_board_without_a_number_has_plain_names() -> None:
    ground = map_of(SMALL.replace("number = 7", ""))
    assert "B2" in ground.hexes
    assert ground.buildings == {"church": "Church"}


@dataclass(frozen=True)
class Pair:
    """Two boards of three columns and four rows, half along all edges, as text."""

    west: str
    east: str

    def ground(self, layout: str = "[[1, 2]]") -> Ground:
        boards = "\n".join(board.replace("[legend]", "[board.legend]") for board in (self.west, self.east))
        return map_of(f'title = "Two"\nlayout = {layout}\n{boards}')


def _half(number: int, terrain: str = ". . . f f f . . . - . -", extra: str = "") -> str:
    tokens = terrain.split()
    rows = "\n".join(" ".join(tokens[n : n + 3]) for n in range(0, len(tokens), 3))
    return (
        f'[[board]]\nnumber = {number}\nhalf = ["north", "east", "south", "west"]\ngrid = """\n{rows}\n"""\n'
        f'{extra}\n[legend]\n"." = "clear"\nf = "forest"\n'
    )


@pytest.mark.rule("core 1.3", "core 1.4")
def test_half_hexes_that_meet_become_one_with_two_names() -> None:
    ground = Pair(_half(1), _half(2)).ground()
    assert (ground.title, ground.width, ground.height) == ("Two", 5, 4)
    assert ground.hex_named("1C2") == ground.hex_named("2A2") == (3, 2)
    assert ground.name_of((3, 2)) == "1C2"
    assert ground.names["2A2"] == "1C2"
    assert len(ground.hexes) == 5 * 3 + 2
    assert {"1C1", "1C2", "1C3"}.isdisjoint(ground.half_hexes)
    assert {"1A2", "2C2", "1B1", "2B4"} <= set(ground.half_hexes)
    above = Pair(_half(1, ". . . f f f . . . - . -"), _half(2)).ground("[[1], [2]]")
    assert above.hex_named("1B4") == above.hex_named("2B1") == (2, 4)
    assert (above.width, above.height) == (3, 7)
    assert above.hex_named("2C3") == (3, 6)


@pytest.mark.rule("core 1.4")
def test_drawings_and_hexsides_reach_over_the_seam() -> None:
    art = '[[board.art]]\nhexes = "C2"\npolygon = [[-20, -20], [120, -20], [120, 20], [-20, 20]]'
    side = '[board.hexsides]\nhedge = ["C2-C3"]'
    ground = Pair(_half(1) + side + "\n" + art, _half(2)).ground()
    assert ground.hexsides == {"1C2-1C3": "hedge"}
    assert {(each.at, each.spills_from) for each in ground.silhouettes} == {("1C2", "")} | {
        (each.at, "1C2") for each in ground.silhouettes if each.at != "1C2"
    }
    assert any(each.at.startswith("2") for each in ground.silhouettes)
    assert not ground.hexes["1C2"].fills


@pytest.mark.rule("core 10.2")
def test_a_building_across_the_seam_is_one() -> None:
    rows = "f f f . . s . s s - . -"
    west = _half(1, rows, 'building = [{ key = "barn", hexes = "C2 C3 B3" }]') + 's = "stone_building"\n'
    east = (
        _half(2, "f f f s . . s . . - . -", 'building = [{ key = "barn", hexes = "A2 A3" }]') + 's = "stone_building"\n'
    )
    ground = Pair(west, east).ground()
    assert ground.buildings == {"1.barn": "barn"}
    assert {here.building for here in ground.hexes.values() if here.terrain == "stone_building"} == {"1.barn"}
    assert ground.levels(ground.hex_named("2A3")) == (0, 1)


def test_boards_may_be_joined_by_hand() -> None:
    boards = [read_board(_half(n).removeprefix("[[board]]"), file=f"{n}.toml", tables=tables()) for n in (1, 2)]
    assert replace(joined(boards, [[1, 2]]), title="Two") == Pair(_half(1), _half(2)).ground()


def test_a_drawing_is_cut_along_the_hexsides() -> None:
    ground = map_of(
        text_of(terrain={"E4 F4": "brush"}, art=[("E4", "brush", ((-20, -20), (170, -120), (190, -80), (0, 40)))])
    )
    pieces = {each.at: each for each in ground.silhouettes}
    assert sorted(pieces) == ["E4", "F4"]
    assert pieces["F4"].spills_from == ""
    assert not ground.hexes["F4"].fills
    whole = map_of(text_of(terrain={"E4": "brush"}, art=[("E4", "brush", HEXAGON)]))
    assert [each.at for each in whole.silhouettes] == ["E4"]


def test_the_bytes_of_a_map_do_not_depend_on_how_it_was_read() -> None:
    assert encode(map_of(SMALL)) == encode(map_of(SMALL))
    assert map_of(SMALL).digest != map_of(SMALL.replace("A1-A2", "A2-A3")).digest


WRONG = {
    "not toml": ("grid = [", "it is not TOML", "docs/maps.md"),
    "unknown field": (SMALL.replace("roads", "rods"), "unknown field 'rods'", "Did you mean 'roads'?"),
    "wrong type": (SMALL.replace("number = 7", 'number = "7"'), "Expected 'int'", "docs/maps.md"),
    "number": (SMALL.replace("number = 7", "number = -7"), "-7 is no number of a board", "leave it out"),
    "no grid": (SMALL.replace("grid", "gird", 1), "unknown field 'gird'", "Did you mean 'grid'?"),
    "short row": (SMALL.replace("h s s", "h s"), "grid, row 2: it has 2 tokens, not 3", "as many tokens"),
    "token": (SMALL.replace("h s s", "h t s"), "grid, B2: the legend has no 't'", "There are"),
    "empty grid": ("grid = ''\n[legend]\n'.' = 'clear'", "it is empty", "line of tokens"),
    "no hex": ("grid = '- -'\n[legend]\n'.' = 'clear'", "it has no hex", "token of the legend"),
    "terrain": (SMALL.replace('"forest"', '"forrest"'), "there is no terrain 'forrest'", "Did you mean 'forest'?"),
    "level": (SMALL.replace('2 = "A1"', 'two = "A1"'), "'two' is no level", "whole number"),
    "hex": (SMALL.replace('2 = "A1"', '2 = "A9"'), "elevations.2: the board has no hex 'A9'", "There are A1, A2"),
    "hex twice": (SMALL.replace('2 = "A1"', '2 = "A1 A1"'), "A1 has an elevation already", "once"),
    "hexside": (SMALL.replace("hedge =", "hegde ="), "there is no hexside 'hegde'", "Did you mean 'hedge'?"),
    "no pair": (SMALL.replace("A1-A2", "A1"), "'A1' is no hexside", '"C4-D4"'),
    "apart": (SMALL.replace("A1-A2", "A1-A3"), "A1 and A3 are not neighbours", "Beside A1 lie B1, B2, A2"),
    "two kinds": (
        SMALL.replace("[streams]", 'wall = ["A1-A2"]\n[streams]'),
        "hexsides.wall: A1-A2 is hedge already",
        "one kind",
    ),
    "gap": (SMALL.replace("except B1-A1", "except A2-A1"), "A1-A2 is not on the outline", "gaps"),
    "road": (SMALL.replace("A3 B3 C2", "A3 C2"), "roads: A3 and C2 are not neighbours", "Beside A3"),
    "no form": (SMALL + '[[art]]\nhexes = "B1"', "art 1: it has no form, or two", "a box or a polygon"),
    "not convex": (
        SMALL + '[[art]]\nhexes = "B1"\npolygon = [[0, 0], [50, 50], [0, 20], [-50, 50]]',
        "art 1: the form has a corner turned inward",
        "convex pieces",
    ),
    "no area": (SMALL + '[[art]]\nhexes = "B1"\nbox = [0, 0, 0, 9]', "or no area", "convex pieces"),
    "dot": (
        SMALL + '[[art]]\nhexes = "B1"\nbox = [-9, -9, 9, 200]',
        "art 1: forest covers the dot of 7B2, which the grid calls stone_building",
        "around the dot",
    ),
    "far": (
        SMALL + '[[art]]\nhexes = "A1"\nterrain = "brush"\nbox = [40, 40, 50, 400]',
        "art 1: the drawing of 7A1 reaches into 7A3",
        "neighbours",
    ),
    "no building": (SMALL.replace('"B2 C2 C3"', '"B2 C2 C1"'), "building church: C1 is clear", "Buildings stand"),
    "in two parts": (SMALL.replace('"B2 C2 C3"', '"C3 A2"'), "its hexes do not hang together", "neighbouring"),
    "no key": (SMALL.replace('key = "church"', 'key = ""'), "building 1: it has no key of its own", "another key"),
    "two buildings": (
        SMALL.replace("[labels]", '[[building]]\nkey = "other"\nhexes = "C3"\n[labels]'),
        "C3 is part of 7.church already",
        "once",
    ),
    "storeys": (SMALL.replace('name = "Church"', "storeys = 3"), "Invalid enum value 3", "docs/maps.md"),
    "no layout": (_half(1).replace("[legend]", "[board.legend]"), "missing required field 'layout'", "docs/maps.md"),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_bad_map_is_refused_with_place_and_remedy(text: tuple[str, str, str]) -> None:
    bad, what, right = text
    with pytest.raises(BadInput) as refused:
        read_map(bad, file="bad.toml", tables=tables())
    assert str(refused.value).startswith("bad.toml")
    assert what in str(refused.value)
    assert right in refused.value.right
    assert refused.value.file == "bad.toml"


UNFIT = {
    "numbers": (_half(2), "[[1, 3]]", "layout: [1, 3] does not name each board once", "a number of its own"),
    "twice": (_half(1), "[[1, 1]]", "does not name each board once", "a number of its own"),
    "ragged": (_half(2), "[[1, 2], [1]]", "does not name each board once", "a number of its own"),
    "whole edge": (
        _half(2).replace('"north", "east", "south", "west"', '"east"'),
        "[[1, 2]]",
        "its west edge has whole hexes",
        'half = ["west"]',
    ),
    "length": (_half(2, ". . . f f f - . -"), "[[1, 2]]", "are not equally long where they meet", "one size"),
    "unlike": (
        _half(2, ". . . . f f . . . - . -"),
        "[[1, 2]]",
        "2A2: 1C2 and 2A2 are one hex, but the terrain is forest here and clear there",
        "alike",
    ),
}


@pytest.mark.rule("core 1.4")
@pytest.mark.parametrize("case", UNFIT.values(), ids=UNFIT)
def test_boards_that_do_not_fit_are_refused(case: tuple[str, str, str, str]) -> None:
    east, layout, what, right = case
    with pytest.raises(BadInput) as refused:
        Pair(_half(1), east).ground(layout)
    assert what in str(refused.value)
    assert right in refused.value.right


def test_hexsides_on_a_seam_must_agree() -> None:
    west = _half(1) + '[board.hexsides]\nhedge = ["C2-C3"]\n'
    east = _half(2) + '[board.hexsides]\nwall = ["A2-A3"]\n'
    with pytest.raises(BadInput, match="1C2-1C3 is hedge on the other board"):
        Pair(west, east).ground()


def test_boards_of_even_width_do_not_join_side_by_side() -> None:
    rows = ". . . . f f f f . . . . - . - ."
    tokens = rows.split()
    grid = "\n".join(" ".join(tokens[n : n + 4]) for n in range(0, 16, 4))
    west, east = (
        f'[[board]]\nnumber = {n}\nhalf = ["north", "east", "south", "west"]\ngrid = """\n{grid}\n"""\n'
        '[legend]\n"." = "clear"\nf = "forest"\n'
        for n in (1, 2)
    )
    with pytest.raises(BadInput, match="it has 4 columns, so its last is not as low as its first"):
        Pair(west, east).ground()


def test_several_boards_need_a_layout() -> None:
    boards = [read_board(_half(n).removeprefix("[[board]]"), file=f"{n}.toml", tables=tables()) for n in (1, 2)]
    with pytest.raises(BadInput, match="several boards and no layout"):
        joined(boards)
    with pytest.raises(BadInput, match="its rows are of unequal length"):
        joined([*boards, read_board(_half(3).removeprefix("[[board]]"), file="3.toml", tables=tables())], [[1, 2], [3]])
