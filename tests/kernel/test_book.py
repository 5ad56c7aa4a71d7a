"""Tables with the origin of each value: what a layer may change, and how bad files are refused."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpire.kernel.book.book import Book, Origin, UnknownKey
from umpire.kernel.book.columns import Adds, Refers
from umpire.kernel.book.layers import BookError, File, Layer, Schema, parse_file
from umpire.kernel.book.laying import put_together
from umpire.kernel.codec import encode


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    name: str
    range: Annotated[int, msgspec.Meta(ge=1)]
    fire_points: int
    on_the_move: bool = True
    bands: tuple[tuple[int, int], ...] = ()
    traits: Annotated[tuple[str, ...], Adds()] = ()
    quality: Annotated[str, Refers("qualities")] = ""


class Quality(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    motivation: int


SCHEMA: Schema = {"weapons": Weapon, "qualities": Quality}

CORE = """
[_file]
title = "Weapons"

[weapons.rifle]
name = "rifle"
range = 3000
fire_points = 2
bands = [[1, 4], [5, 20]]
source = "fireforce small-arms"
status = "printed"
status_of = { bands = "derived" }

[weapons.galil]
like = "rifle"
name = "Galil"
source = "fireforce small-arms"
status = "printed"

[qualities.elite]
motivation = 6
source = "fireforce motivation"
status = "printed"
"""


def layer(name: str, text: str) -> Layer:
    return Layer(name=name, files=(parse_file(f"{name}.toml", text),))


def book(*layers: Layer) -> Book:
    return put_together(SCHEMA, layers)


def refusal(*texts: str) -> str:
    """What is said when files named second.toml, third.toml ... are laid over the core."""
    names = ("second", "third")
    with pytest.raises(BookError) as refused:
        book(layer("core", CORE), *(layer(name, text) for name, text in zip(names, texts, strict=False)))
    return str(refused.value)


def test_rows_come_as_structs_in_the_order_of_their_keys() -> None:
    weapons = book(layer("core", CORE)).table("weapons", Weapon)
    assert list(weapons) == ["galil", "rifle"]
    assert weapons["rifle"] == Weapon("rifle", "rifle", 3000, 2, True, ((1, 4), (5, 20)))
    assert weapons["galil"] == Weapon("galil", "Galil", 3000, 2, True, ((1, 4), (5, 20)))


def test_each_value_knows_status_source_and_file() -> None:
    core = book(layer("core", CORE))
    assert core.origin("weapons", "rifle", "range") == Origin(3000, "printed", "fireforce small-arms", ("core.toml",))
    assert core.origin("weapons", "rifle", "bands").status == "derived"
    assert core.origin("weapons", "galil", "bands").value == ((1, 4), (5, 20))


CLUB = """
[weapons.rifle]
range = 3500
source = "our card of 2001"
status = "read"
source_of = { range = "our card, second edition" }

[weapons.fal]
like = "rifle"
name = "FAL"
fire_points = 3
source = "our card of 2001"
status = "house"

[qualities.elite]
drop = true
source = "our card of 2001"
"""


def test_a_layer_changes_columns_adds_rows_and_drops_rows() -> None:
    laid = book(layer("core", CORE), layer("club", CLUB))
    weapons = laid.table("weapons", Weapon)
    assert (weapons["rifle"].range, weapons["rifle"].fire_points) == (3500, 2)
    assert weapons["galil"].range == 3500
    assert (weapons["fal"].range, weapons["fal"].fire_points, weapons["fal"].bands) == (3500, 3, ((1, 4), (5, 20)))
    assert laid.table("qualities", Quality) == {}
    assert laid.origin("weapons", "rifle", "range") == Origin(
        3500, "read", "our card, second edition", ("core.toml", "club.toml")
    )
    assert laid.origin("weapons", "rifle", "fire_points").files == ("core.toml",)
    assert laid.origin("weapons", "fal", "fire_points").files == ("core.toml", "club.toml")


def test_a_row_dropped_may_be_given_anew() -> None:
    again = layer("again", '[qualities.elite]\nmotivation = 5\nsource = "scenario 3"\nstatus = "house"')
    laid = book(layer("core", CORE), layer("club", CLUB), again)
    assert laid.origin("qualities", "elite", "motivation") == Origin(5, "house", "scenario 3", ("again.toml",))


def test_house_values_and_describe() -> None:
    laid = book(layer("core", CORE), layer("club", CLUB))
    assert [line.key for line in laid.house_values()] == ["weapons.fal.fire_points", "weapons.fal.name"]
    (line,) = laid.describe("weapons.rifle.range")
    assert str(line) == "weapons.rifle.range = 3500  [read] our card, second edition  (core.toml > club.toml)"
    assert [line.key for line in laid.describe("weapons.galil")] == [
        "weapons.galil.bands",
        "weapons.galil.fire_points",
        "weapons.galil.name",
        "weapons.galil.range",
    ]
    assert {line.key for line in laid.describe("FAL")} == {
        f"weapons.fal.{column}" for column in ("bands", "fire_points", "name", "range")
    }
    with pytest.raises(UnknownKey, match=r"called 'weapons.galill'; did you mean 'weapons.galil'"):
        laid.describe("weapons.galill")


def test_asking_for_what_is_not_there_names_the_nearest() -> None:
    core = book(layer("core", CORE))
    with pytest.raises(UnknownKey, match="no table 'weapon' in the book; did you mean 'weapons'"):
        core.table("weapon", Weapon)
    with pytest.raises(UnknownKey, match="no row 'riffle' in weapons; did you mean 'rifle'"):
        core.origin("weapons", "riffle", "range")
    with pytest.raises(UnknownKey, match=r"weapons.rifle sets no column 'rang'; did you mean 'range'"):
        core.origin("weapons", "rifle", "rang")


ROW = '[weapons.rifle]\n{}\nsource = "a card"\nstatus = "house"'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[weapon.rifle]\nrange = 1\nsource = "a card"\nstatus = "house"',
            "second.toml: weapon: no such table; did you mean 'weapons'?",
        ),
        (ROW.format("rage = 1"), "second.toml: weapons.rifle.rage: no such column; did you mean 'range'?"),
        (
            ROW.format('range = "far"'),
            'second.toml: weapons.rifle.range: "far" does not fit; expected int, got str',
        ),
        (ROW.format("range = 30.5"), "second.toml: weapons.rifle.range: 30.5 does not fit; expected int, got float"),
        (ROW.format("range = 0"), "second.toml: weapons.rifle.range: 0 does not fit; expected int >= 1"),
        (
            ROW.format("bands = [[1, 2, 3]]"),
            "second.toml: weapons.rifle.bands: [[1,2,3]] does not fit; expected array of length 2, got 3 - at $[0]",
        ),
        (
            '[weapons.rifle]\nrange = 1\nstatus = "house"',
            'second.toml: weapons.rifle.source: is missing; every row gives source = "..."',
        ),
        (
            '[weapons.rifle]\nrange = 1\nsource = "a card"',
            "second.toml: weapons.rifle.status: is missing; one of printed, derived, read, house",
        ),
        (
            '[weapons.rifle]\nrange = 1\nsource = "a card"\nstatus = "guess"',
            "second.toml: weapons.rifle.status: 'guess' is no status; one of printed, derived, read, house",
        ),
        (
            ROW.format('range = 1\nstatus_of = { fire_points = "house" }'),
            "second.toml: weapons.rifle.status_of: this row sets no 'fire_points'; there are range",
        ),
        (
            ROW.format('range = 1\nstatus_of = { range = "guess" }'),
            "second.toml: weapons.rifle.status_of.range: 'guess' is no status; one of printed, derived, read, house",
        ),
        (
            '[weapons.riffle]\ndrop = true\nsource = "a card"',
            "second.toml: weapons.riffle: is dropped, but no earlier layer has it; did you mean 'rifle'?",
        ),
        (
            '[weapons.rifle]\ndrop = true\nrange = 1\nsource = "a card"',
            "second.toml: weapons.rifle.range: stands in a row that is dropped; "
            "a row that is dropped has a source and nothing else",
        ),
        (
            '[weapons.rifle]\ndrop = "yes"\nsource = "a card"',
            "second.toml: weapons.rifle.drop: is not true; write drop = true, or leave it out",
        ),
        (
            '[weapons.fal]\nname = "FAL"\nrange = 1\nsource = "a card"\nstatus = "house"',
            "second.toml: weapons.fal.fire_points: is missing; a new row gives it",
        ),
        (
            '[weapons.fal]\nlike = "riffle"\nname = "FAL"\nrange = 1\nfire_points = 1\n'
            'source = "a card"\nstatus = "house"',
            "second.toml: weapons.fal.like: no row 'riffle'; did you mean 'rifle'?",
        ),
        (
            '[weapons.rifle]\nlike = "galil"\nsource = "a card"\nstatus = "house"',
            "second.toml: weapons.rifle.like: comes back to itself by way of galil, rifle; a row cannot be like itself",
        ),
        ("[weapons]\nrange = 1", "second.toml: weapons.range: is a loose value; a row is [weapons.KEY]"),
        ("weapons = 1", "second.toml: weapons: is a loose value; rows are [weapons.KEY]"),
        ('[_file]\ntitel = "x"', "second.toml: _file.titel: no such entry; did you mean 'title'?"),
    ],
)
def test_bad_files_are_refused_with_place_and_remedy(text: str, said: str) -> None:
    assert said in refusal(text).splitlines()


def test_a_file_that_is_not_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BookError, match=r"club.toml: is not TOML: .*line 2"):
        parse_file("club.toml", "[weapons.rifle]\nrange = = 3")


def test_all_problems_are_reported_at_once() -> None:
    said = refusal(ROW.format("rage = 1"), ROW.format('range = "far"'))
    assert [line.partition(":")[0] for line in said.splitlines()] == ["second.toml", "third.toml"]


def test_two_files_of_one_layer_may_not_speak_of_the_same_row() -> None:
    text = ROW.format("range = 1")
    two = Layer(name="club", files=(parse_file("a.toml", text), parse_file("b.toml", text)))
    with pytest.raises(BookError, match=r"b.toml: weapons.rifle: is in a.toml already"):
        book(layer("core", CORE), two)


def test_a_scenario_gives_its_special_rules_without_a_file_of_its_own() -> None:
    rules = {"weapons": {"rifle": {"range": 2000, "source": "mist in the valley", "status": "house"}}}
    scenario = Layer(name="scenario", files=(File(name="ford.toml, special rules", tables=rules),))
    laid = book(layer("core", CORE), scenario)
    assert laid.origin("weapons", "rifle", "range").files == ("core.toml", "ford.toml, special rules")


def test_the_canonical_bytes_are_the_book() -> None:
    laid = book(layer("core", CORE), layer("club", CLUB))
    read = Book.decode(laid.encode())
    assert read == laid
    assert read.digest == laid.digest
    assert read.encode() == laid.encode()
    assert read.origin("weapons", "rifle", "bands") == laid.origin("weapons", "rifle", "bands")
    assert read.table("weapons", Weapon) == laid.table("weapons", Weapon)
    with pytest.raises(msgspec.ValidationError):
        Book.decode(b'{"tables": {"weapons": {"rifle": {"range": 3000}}}}')


def test_another_value_or_another_origin_is_another_book() -> None:
    core = book(layer("core", CORE))
    assert book(layer("core", CORE.replace("3000", "3001"))).digest != core.digest
    assert book(layer("core", CORE.replace("printed", "read"))).digest != core.digest
    assert book(layer("core", CORE)) == core


ROWS = st.permutations(CORE.strip().split("\n\n"))


@given(ROWS)
def test_the_order_of_rows_in_a_file_does_not_matter(rows: list[str]) -> None:
    assert book(layer("core", "\n\n".join(rows))).encode() == book(layer("core", CORE)).encode()


def test_a_book_stands_in_a_setting_and_comes_back_from_its_bytes() -> None:
    class Half(msgspec.Struct, frozen=True):
        book: Book

    half = Half(book(layer("core", CORE), layer("club", CLUB)))
    data = encode(half)
    assert msgspec.json.decode(data, type=Half) == half
    assert encode(msgspec.json.decode(data, type=Half)) == data


def test_rows_out_of_order_are_no_book() -> None:
    core = book(layer("core", CORE))
    with pytest.raises(ValueError, match="in the order of their keys"):
        Book(dict(reversed(list(core.tables.items()))))


def test_a_book_cannot_be_changed() -> None:
    core = book(layer("core", CORE))
    with pytest.raises(AttributeError):
        core.tables = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        core.table("weapons", Weapon)["rifle"] = None  # type: ignore[index]


# Columns that grow, rows that name others, modules side by side


def module(name: str, text: str) -> Layer:
    return Layer(name=name, files=(parse_file(f"{name}.toml", text),), is_module=True)


def traits(*layers: Layer, key: str = "rifle") -> tuple[str, ...]:
    return book(layer("core", CORE), *layers).table("weapons", Weapon)[key].traits


def test_words_of_later_layers_come_to_a_column_that_grows() -> None:
    loud, heavy = ROW.format('traits = ["loud"]'), ROW.format('traits = ["heavy", "loud"]')
    assert traits(layer("second", loud), layer("third", heavy)) == ("loud", "heavy")
    assert traits(module("hid", heavy), module("hotm", loud)) == ("heavy", "loud")


def test_a_row_that_is_like_another_has_what_came_to_it_too() -> None:
    assert traits(layer("second", ROW.format('traits = ["loud"]')), key="galil") == ("loud",)


def test_a_later_layer_takes_words_away() -> None:
    loud = ROW.format('traits = ["loud", "heavy"]')
    laid = book(layer("core", CORE), layer("second", loud), layer("third", ROW.format('traits_without = ["loud"]')))
    assert laid.table("weapons", Weapon)["rifle"].traits == ("heavy",)
    assert laid.origin("weapons", "rifle", "traits").files == ("second.toml", "third.toml")


def test_two_modules_that_set_one_column_otherwise_are_refused_with_both_files() -> None:
    one, other = ROW.format("range = 5"), ROW.format("range = 6")
    with pytest.raises(BookError) as refused:
        book(layer("core", CORE), module("hid", one), module("hotm", other))
    (problem,) = refused.value.problems
    assert (problem.file, problem.key, problem.column) == ("hotm.toml", "rifle", "range")
    assert "hid.toml" in problem.what
    assert "5 and 6" in problem.what
    assert book(layer("core", CORE), module("hid", one), module("hotm", one)).origin("weapons", "rifle", "range")
    club = book(layer("core", CORE), module("hid", one), layer("club", other))
    assert club.table("weapons", Weapon)["rifle"].range == 6


def test_a_column_that_names_a_row_which_is_not_there_is_refused_with_the_nearest() -> None:
    assert refusal(ROW.format('quality = "elit"')) == (
        "second.toml: weapons.rifle.quality: there is no 'elit' in qualities; did you mean 'elite'?"
    )
