"""The list of what modules change is whole: every section of the module books on troops afoot, and no point that is
not there."""

from __future__ import annotations

import re
from pathlib import Path

from lnl.package import PACKAGE
from lnl.scenarios.book_check import points

LIST = (Path(__file__).parents[3] / "docs" / "modules.md").read_text("utf-8")
MODULES = ("hid", "hotm", "hona")
LATER = {"hid": (15, 25), "hotm": (17, 23), "hona": (15, 19, 24)}
"""Vehicles, ordnance, aircraft, artillery, and the sections on scenarios."""
ELSEWHERE = {"hid 21.6", "hona 13.5.2", "hona 21.4.1", "hona 21.4.2", "hona 21.7"}
"""Turrets, artillery that goes on, mines under vehicles, tanks dug in."""


def keys() -> set[str]:
    """The keys of the module books that are about troops afoot."""
    found = (key for key in PACKAGE.rule_text() if key.split()[0] in MODULES)
    return {key for key in found if int(key.split()[1].split(".")[0]) not in LATER[key.split()[0]]} - ELSEWHERE


def test_every_section_of_the_module_books_has_its_point_or_is_data() -> None:
    assert set(re.findall(r"`((?:hid|hotm|hona) [\d.]+)`", LIST)) == keys()


def test_the_points_that_it_names_are_there() -> None:
    cells = [line.split("|")[-2] for line in LIST.splitlines() if line.startswith("| `")]
    named = {name for cell in cells for name in re.findall(r"\*([^*]+)\*", cell)}
    assert named <= {each.name for each in points()}


def test_every_point_that_a_module_book_uses_is_named() -> None:
    printed_alone = {"melee roll", "spotting roll"}
    assert {each.name for each in points()} - printed_alone <= set(re.findall(r"\*([^*]+)\*", LIST))
