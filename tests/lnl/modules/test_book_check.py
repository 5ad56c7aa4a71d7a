"""A book, a group's own file or a force that cannot be played with the modules of its battle is refused with file, row,
what is wrong and what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from lnl.book.rows import SCHEMA
from lnl.book.tables import core_book
from lnl.package import PACKAGE
from lnl.rules.movement.movement import double_time_bonus
from lnl.scenarios.book_check import DESCRIBED, OWN_WORDS, active_in, points, problems
from lnl.state.battle import State, Unit
from lnl.state.setting import tables_of
from tests.lnl.building import CLEAR, Battle, battle
from tests.lnl.modules.proving import FANATICS_FILE, PARTISANS_FILE, RIFLES, WOODS
from umpire.kernel.book.layers import BookError
from umpire.kernel.book.points import Module
from umpire.kernel.settings import BadInput

HEAVY, DESERT = Module("book check: heavy clothes"), Module("book check: the desert")


@double_time_bonus.change(HEAVY, rule="hid 13.1.1")
def in_heavy_clothes(rule: str, state: State, each: Unit) -> int:
    return 1


@double_time_bonus.change(DESERT, rule="hona 10.7")
def in_the_sand(rule: str, state: State, each: Unit) -> int:
    return 1


SQUADS = "su a squad 1-4-4-5 B2\nge g squad 1-6-4-5 E3"


def made(
    layers: Sequence[tuple[str, str]] = (), modules: Sequence[Module] = (), pieces: str = SQUADS, **more: Any
) -> Battle:
    head = {"modules": [each.name for each in modules]}
    return battle(CLEAR, pieces, active="su", layers=layers, head=head, **more)


def row(table: str, key: str, **columns: Any) -> str:
    """A row of a group's own file."""
    lines = [
        f"{name} = {str(value).lower() if isinstance(value, bool) else value!r}" for name, value in columns.items()
    ]
    return "\n".join((f"[{table}.{key}]", *lines, 'source = "our card"', 'status = "read"', ""))


def refused(*layers: tuple[str, str], modules: Sequence[Module] = (), **more: Any) -> list[tuple[str, str, str, str]]:
    """The faults: file, row and column, what is wrong, what would be right."""
    with pytest.raises(BookError) as caught:
        made(layers, modules, **more)
    return [
        (each.file, f"{each.table}.{each.key}.{each.column}", each.what, each.right) for each in caught.value.problems
    ]


# Words that nobody knows


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("counters", "su_line"),
        ("hexsides", "wall"),
        ("nations", "su"),
        ("skills", "lucky"),
        ("terrain", "marsh"),
        ("weapons", "mg42"),
    ],
)
def test_a_misspelt_trait_is_refused_in_whatever_row_it_stands(table: str, key: str) -> None:
    ours = ("ours.toml", row(table, key, traits=["partizan"]))
    (fault,) = refused(ours, modules=[WOODS])
    assert fault[:2] == ("ours.toml", f"{table}.{key}.traits")
    assert "no rule knows the trait 'partizan'" in fault[2]
    assert "'partisan'" in fault[3]


def test_a_trait_of_a_module_that_the_battle_has_not_is_refused() -> None:
    faults = refused(("partisans.toml", PARTISANS_FILE))
    assert [each[:2] for each in faults] == [
        ("partisans.toml", "counters.su_partisan_leader.traits"),
        ("partisans.toml", "counters.su_partisans.traits"),
    ]
    assert all(WOODS.name in each[2] and "Name the module" in each[3] for each in faults)
    assert made([("partisans.toml", PARTISANS_FILE)], [WOODS]).state.public.turn == 1


def test_a_trait_that_modules_print_alike_needs_its_key_in_the_book() -> None:
    faults = refused(("fanatics.toml", FANATICS_FILE.partition("[traits.fanatic]")[0]))
    assert {each[1] for each in faults} == {"counters.ge_ss.traits", "counters.ge_ss_leader.traits"}
    assert all("'fanatic'" in each[2] and "[traits]" in each[3] for each in faults)


def test_a_trait_that_a_book_names_for_nothing_is_refused() -> None:
    ours = ("ours.toml", row("traits", "fanatical", name="Fanaticism", rule="hid 13.2.1"))
    assert refused(ours) == [
        ("ours.toml", "traits.fanatical.rule", "no rule stands for the trait 'fanatical'", "Leave it out")
    ]


def test_a_module_that_does_not_exist_is_refused_by_the_scenario() -> None:
    with pytest.raises(BadInput) as caught:
        made(modules=[Module("proving ground: the wood")])
    assert (caught.value.file, caught.value.where) == ("small", "scenario.modules")
    assert WOODS.name in caught.value.right


# Two rules for one thing


def test_two_rules_in_the_place_of_one_are_refused_for_one_counter() -> None:
    ours = ("ours.toml", row("counters", "su_line", traits=["partisan", "volley"]))
    (fault,) = refused(ours, modules=[WOODS, RIFLES])
    assert fault[:2] == ("ours.toml", "counters.su_line.traits")
    assert fault[2].startswith("supporting firepower is claimed by ")
    assert all(each in fault[2] for each in (WOODS.name, RIFLES.name, "hotm 13.1.1", "hona 13.5.1"))
    assert fault[3] == "Leave one of the two out"


def test_two_rules_are_found_where_one_comes_from_the_nation() -> None:
    layers = (
        ("nation.toml", row("nations", "su", traits=["volley"])),
        ("counter.toml", row("counters", "su_line", traits=["partisan"])),
    )
    (fault,) = refused(*layers, modules=[WOODS, RIFLES])
    assert fault[:2] == ("counter.toml", "counters.su_line.traits")
    assert "supporting firepower is claimed by" in fault[2]


def test_two_rules_are_found_on_a_force_of_the_scenario() -> None:
    pieces = "su a squad 1-4-4-5 B2 trait partisan, trait volley\nge g squad 1-6-4-5 E3"
    with pytest.raises(BadInput) as caught:
        made(modules=[WOODS, RIFLES], pieces=pieces)
    assert (caught.value.file, caught.value.where) == ("small", "force 'a'.traits")
    assert "supporting firepower is claimed by" in caught.value.text


def test_a_misspelt_trait_of_a_force_is_refused() -> None:
    with pytest.raises(BadInput) as caught:
        made(modules=[WOODS], pieces="su a squad 1-4-4-5 B2 trait partizan\nge g squad 1-6-4-5 E3")
    assert (caught.value.where, "'partizan'" in caught.value.text) == ("force 'a'.traits", True)
    assert "'partisan'" in caught.value.right


def test_two_modules_that_change_the_same_for_everybody_do_not_go_together() -> None:
    with pytest.raises(BadInput) as caught:
        made(modules=[HEAVY, DESERT])
    assert (caught.value.file, caught.value.where) == ("small", "scenario.modules")
    assert all(each in caught.value.text for each in ("double-time is claimed by", HEAVY.name, DESERT.name))
    assert made(modules=[HEAVY]).state.public.turn == 1


# A group's own files


def test_a_groups_own_files_are_laid_over_ours_and_a_later_one_over_an_earlier_one() -> None:
    first = row("counters", "su_line", firepower=3, range=6)
    fight = made([("first.toml", first), ("second.toml", row("counters", "su_line", range=7))])
    found = tables_of(fight.state).counter("su_line")
    printed = core_book().tables["counters"]["su_line"]
    assert (found.firepower, found.range, found.movement) == (3, 7, printed["movement"].value)
    files = tables_of(fight.state).book.origin("counters", "su_line", "range").files
    assert files == ("counters.toml", "first.toml", "second.toml")
    assert tables_of(fight.state).is_house("counters", "su_line", "range") is False


def test_the_special_rules_of_a_scenario_lie_over_a_groups_own_files() -> None:
    special = {"numbers": {"floor_cost": {"value": 1, "source": "special rule", "status": "house"}}}
    own = [("ours.toml", row("numbers", "floor_cost", value=3))]
    assert tables_of(made(own).state).number("floor_cost") == 3
    assert tables_of(made(own, book=special).state).number("floor_cost") == 1


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        (row("counters", "su_line", firepwr=3), "counters.su_line.firepwr", ["no such column", "'firepower'"]),
        (row("counters", "su_line", firepower="three"), "counters.su_line.firepower", ["three", "int"]),
        (row("counters", "su_line", reduces="su_lines"), "counters.su_line.reduces", ["'su_lines'", "counter"]),
        (row("counter", "su_line", firepower=3), "counter..", ["no such table", "'counters'"]),
        ('[counters.su_line]\nfirepower = 3\nstatus = "read"\n', "counters.su_line.source", ["is missing"]),
        ("[counters.su_line", "..", ["not TOML", "']'"]),
    ],
)
def test_what_is_wrong_with_a_groups_own_file_is_said_with_file_and_row(
    text: str, where: str, words: list[str]
) -> None:
    (fault,) = refused(("ours.toml", text))
    assert fault[:2] == ("ours.toml", where)
    for word in words:
        assert word in f"{fault[2]}; {fault[3]}"


# The points themselves


def test_the_shipped_tables_can_be_played() -> None:
    assert problems(core_book(), active_in(core_book(), ())) == ()
    assert PACKAGE.book() == core_book()


def test_every_point_has_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(each.name for each in points()).items() if count > 1] == []


def test_every_table_whose_rows_have_traits_is_checked() -> None:
    assert tuple(sorted(name for name, kind in SCHEMA.items() if "traits" in kind.__struct_fields__)) == DESCRIBED


def test_every_trait_of_the_shipped_tables_is_one_that_a_chapter_knows() -> None:
    traits = {
        word
        for table in DESCRIBED
        for each in core_book().table(table, SCHEMA[table]).values()
        for word in each.traits  # type: ignore[attr-defined]
    }
    assert traits
    assert traits <= set(OWN_WORDS)
