"""What lies at a point, the kinds' data, and what is wrong with a table."""

from __future__ import annotations

from importlib.resources import files

import msgspec
import pytest

from fireforce.book.kinds import TABLES, Kinds, kinds
from fireforce.table.ground import BadTable, ground
from fireforce.table.terrain import Building, Line, Road, Table, Terrain
from fireforce.table.validate import validate
from tests.fireforce.table.tables import SIDE, area, house, rectangle, table
from umpire.kernel.book.layers import Layer, parse_file
from umpire.kernel.book.laying import put_together


def test_what_lies_at_a_point() -> None:
    road = Road("track", "the track", ((500, 1000), (1500, 1000)), 100)
    field = ground(
        table(
            area("jungle", 1000, 500, 2000, 1500),
            area("paddy", 3000, 500, 3500, 1500),
            road,
            house(2500, 500, 2600, 600),
        )
    )
    assert field.kind_at((1500, 1200)).key == "jungle"
    assert field.kind_at((100, 100)).key == "open"
    assert field.kind_at((2550, 550)).key == "building"
    assert (field.going_at((1500, 1200)), field.going_at((1200, 1000)), field.going_at((100, 100))) == (
        "bad",
        "good",
        "good",
    )
    assert (field.is_on_road((1200, 1050)), field.is_on_road((1200, 1051))) == (True, False)
    assert [field.is_dense_at(at) for at in ((1500, 1200), (2550, 550), (3200, 1000), (100, 100))] == [
        True,
        True,
        False,
        False,
    ]
    assert [field.save_at(at) for at in ((1500, 1200), (3200, 1000), (100, 100))] == ["jungle", "soft", "open"]


@pytest.mark.rule("fireforce saving-throws")
def test_a_base_has_the_best_cover_it_touches() -> None:
    field = ground(table(area("jungle", 1000, 500, 2000, 1500), area("paddy", 2000, 500, 3000, 1500)))
    assert field.cover_at((2025, 1000)) == "hard"
    assert field.cover_at((2026, 1000)) == "soft"
    assert field.cover_at((2026, 1000), radius=50) == "hard"
    assert (field.cover_at((3025, 1000)), field.cover_at((3026, 1000))) == ("soft", "none")


def test_a_base_touches_by_whole_hundredths() -> None:
    # 36 and 37 beside an edge at 45 degrees are 25.46 and 26.16 from it: 25 and 26.
    field = ground(table(Terrain("t", "t", "bush", ((1000, 1000), (3000, 3000), (1000, 3000)))))
    assert (field.cover_at((2036, 2000)), field.cover_at((2037, 2000))) == ("soft", "none")


def test_equal_tables_are_compiled_once_and_smoke_makes_another() -> None:
    smoke = (area("smoke", 100, 100, 200, 200),)
    assert ground(table(house(1, 1, 50, 50))) is ground(table(house(1, 1, 50, 50)))
    assert ground(table(), smoke) is ground(table(), smoke)
    assert ground(table(), smoke) is not ground(table())
    assert table().digest() == table().digest() != table(house(1, 1, 50, 50)).digest()


def test_a_table_is_the_same_after_its_way_through_bytes() -> None:
    lay = table(house(1, 1, 50, 50), area("hill", 100, 100, 200, 200, height=70))
    assert msgspec.json.decode(msgspec.json.encode(lay), type=Table) == lay


def test_the_kinds_are_a_layer_of_the_book() -> None:
    text = files("fireforce.data").joinpath("kinds.toml").read_text(encoding="utf-8")
    book = put_together(TABLES, [Layer("core", (parse_file("kinds.toml", text),))])
    rows = {name: tuple(book.table(name, row).values()) for name, row in TABLES.items()}
    for name, found in rows.items():
        assert sorted(found, key=lambda row: row.key) == sorted(getattr(kinds(), name), key=lambda row: row.key)
    for column in ("into", "height", "blocks"):
        assert book.origin("ground", "jungle", column).status == "house"
    assert all(line.origin.status == "house" for line in book.describe("measure") if line.key.endswith(".value"))


def test_a_group_changes_a_kind_for_its_battles() -> None:
    own = tuple(msgspec.structs.replace(kind, into=200) if kind.key == "jungle" else kind for kind in kinds().ground)
    lay = table(area("jungle", 1000, 500, 2000, 1500))
    changed = ground(lay, (), Kinds(own, kinds().barrier, kinds().measure))
    assert changed.into[0] == 200
    assert ground(lay).into[0] == 800


def faults(lay: Table) -> list[str]:
    return [str(fault) for fault in validate(lay)]


def test_a_good_table_has_no_faults() -> None:
    assert (
        faults(table(area("jungle", 0, 0, SIDE, SIDE), house(10, 10, 20, 20), Road("r", "r", ((0, 0), (9, 9))))) == []
    )


@pytest.mark.parametrize(
    ("piece", "fault"),
    [
        (Terrain("t", "t", "jungel", rectangle(0, 0, 9, 9)), "t: unknown kind 'jungel'; did you mean 'jungle'?"),
        (Terrain("t", "t", "bush", ((0, 0), (9, 9))), "t: has 2 points; an area needs at least 3"),
        (
            Terrain("t", "t", "bush", ((0, 0), (5, 5), (9, 9))),
            "t: has no area; its points must not all lie on one line",
        ),
        (
            Terrain("t", "t", "bush", ((0, 0), (100, 100), (100, 0), (0, 100))),
            "t: its outline is not simple (self-intersection at (50, 50)); draw it so that its sides do not cross",
        ),
        (
            Terrain("t", "t", "bush", rectangle(-1, 0, 9, 9)),
            "t: point (-1, 0) lies off the table; x runs from 0 to 4800, y from 0 to 4800",
        ),
        (Terrain("t", "t", "bush", rectangle(0, 0, 9, 9), -5), "t: has height -5; a height is zero or more"),
        (Building("b", "b", rectangle(0, 0, 9, 9), 0), "b: has 0 storeys; a building has one storey or more"),
        (Road("r", "r", ((0, 0),)), "r: has 1 points; a line needs at least 2"),
        (Road("r", "r", ((0, 0), (9, 9)), 0), "r: is 0 wide; give a width in hundredths of an inch, 1 or more"),
        (Line("w", "w", "wall", ((0, 0), (0, 0))), "w: repeats a point; two points that follow each other must differ"),
        (Line("w", "w", "moat", ((0, 0), (5, 0))), "w: unknown kind 'moat'; known are hedge, wall"),
    ],
)
def test_faults_say_what_is_wrong_and_what_would_be_right(piece: Terrain | Building | Road | Line, fault: str) -> None:
    lay = table(piece)
    assert fault in faults(lay)
    with pytest.raises(BadTable) as refused:
        ground(lay)
    assert fault in str(refused.value)


def test_keys_are_used_once_and_all_faults_are_told() -> None:
    lay = table(house(0, 0, 9, 9, "x"), area("bush", 0, 0, 9, 9, "x"), Line("w", "w", "moat", ((0, 0), (5, 0))))
    assert len(faults(lay)) == 2
    assert "x: this key is used twice; give every piece of the table a key of its own" in faults(lay)


def test_a_table_has_a_size() -> None:
    assert faults(Table(0, 100)) == [
        "table: measures 0 by 100; both sides must lie between 1 and 100000 hundredths of an inch"
    ]


def test_smoke_may_drift_over_the_edge() -> None:
    assert validate(table(), (area("smoke", -50, 100, 50, 200),)) == []
