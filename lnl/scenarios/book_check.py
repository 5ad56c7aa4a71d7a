"""What the modules of a battle change, read from its book, and whether its book can be played with them.

A trait that no rule of this battle knows, or two rules for one thing, is a fault with its file and row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from lnl import rules
from lnl.book.designations import ALPINE, EVEN_BONUS, UNPREDICTABLE
from lnl.book.modules import MODULES
from lnl.book.rows import SCHEMA, NationRow, TraitRow
from lnl.knowledge import sighting
from lnl.rules.men.advisors import ADVISED
from lnl.rules.men.skill_cards import played_words
from lnl.rules.movement.going import PATHFINDER
from lnl.rules.movement.special_movement import ASSAULT_LEADER
from lnl.rules.movement.step_costs import KNOWN_TO_SCOUTS
from lnl.state import belonging
from umpire.kernel.book.book import Book
from umpire.kernel.book.layers import Problem
from umpire.kernel.book.points import Active, Point, check_book, points_in

OWN_WORDS = (
    ADVISED,
    ALPINE,
    ASSAULT_LEADER,
    EVEN_BONUS,
    KNOWN_TO_SCOUTS,
    PATHFINDER,
    UNPREDICTABLE,
    "drives_out",
    "iron_nerve",
    "keen_eyes",
    "lucky",
    "marksman",
    "multi_story_when_large",
)
"""The traits that chapters, designations and maps ask for themselves, whatever the module."""
DESCRIBED = ("counters", "hexsides", "nations", "skills", "terrain", "weapons")
"""The tables whose rows have traits."""
ANYTHING = "everything"


@cache
def points() -> tuple[Point, ...]:
    """Every point at which a module may change the rules, by name."""
    chapters = walk_packages(rules.__path__, f"{rules.__name__}.")
    return points_in(belonging, sighting, *(import_module(each.name) for each in chapters))


def module_names() -> tuple[str, ...]:
    """The modules that have a folder or change anything, by name."""
    changing = {change.module for point in points() for change in point.changes if change.module}
    return tuple(sorted({*changing, *(each.module.name for each in MODULES.all())}))


def active_in(book: Book, modules: Sequence[str]) -> Active:
    """What is in force in a battle of these modules: with the key under which its book names a trait that several
    modules print alike."""
    return Active(modules=tuple(modules), rules={key: row.rule for key, row in book.table("traits", TraitRow).items()})


def problems(book: Book, active: Active) -> tuple[Problem, ...]:
    """What is wrong with the traits of a book, with file and row."""
    return tuple(dict.fromkeys((*_of_named(book), *_of_rows(book, active))))


def faults_of(active: Active, traits: Collection[str], *, own: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """What is wrong with something that has these traits, in words, and what would be right: two rules in the place of
    one; and of those that are its `own`, what no rule of this battle knows."""
    known = (*OWN_WORDS, *played_words())
    found = (
        *check_book(points(), active, {ANYTHING: tuple(own)}, traits_in_chapters=known),
        *check_book(points(), active, {ANYTHING: tuple(traits)}),
    )
    for text in dict.fromkeys(found):
        what, _, hint = text.removeprefix(f"{ANYTHING}: ").partition("; ")
        if " is claimed by " in what:
            hint = "Leave one of the two out"
        elif " belongs to " in what:
            hint = "Name the module (or the trait, in a table [traits]) in this book, or leave the trait out"
        yield what, hint or "Leave it out"


def _of_named(book: Book) -> Iterator[Problem]:
    """Traits that the book names for all modules, and that no rule stands for."""
    shared = {change.trait for point in points() for change in point.changes if change.module is None}
    for key in book.tables["traits"]:
        if key not in shared:
            yield _problem(book, "traits", key, "rule", f"no rule stands for the trait {key!r}", "Leave it out")


def _of_rows(book: Book, active: Active) -> Iterator[Problem]:
    of_nations: Mapping[str, tuple[str, ...]] = {
        key: row.traits for key, row in book.table("nations", NationRow).items()
    }
    for table in DESCRIBED:
        rows: Mapping[str, Any] = book.table(table, SCHEMA[table])
        for key, row in rows.items():
            with_nation = (*row.traits, *of_nations.get(row.nation, ())) if table == "counters" else row.traits
            if with_nation:
                for what, right in faults_of(active, with_nation, own=row.traits):
                    yield _problem(book, table, key, "traits", what, right)


def _problem(book: Book, table: str, key: str, column: str, what: str, right: str) -> Problem:
    row = book.tables[table][key]
    origin = row[column if column in row else "name"]
    return Problem(file=origin.files[-1], what=what, table=table, key=key, column=column, right=right)
