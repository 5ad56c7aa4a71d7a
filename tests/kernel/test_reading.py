"""The playthroughs in tests/goldens/read are what the present rules make of them."""

from __future__ import annotations

from difflib import unified_diff  # noqa: TID251  two texts of a bounded length, in a test
from typing import Any

import pytest

from umpire.battles.management.commands.goldens import FOLDER
from umpire.kernel.registry import RulesPackage, packages
from umpire.testing.play import reading
from umpire.testing.play.watching import Game

PLAYTHROUGHS = [
    (package, game)
    for package in packages().values()
    if not package.is_example
    for game in reading.playthroughs(package)
]


@pytest.mark.parametrize(
    ("package", "game"), PLAYTHROUGHS, ids=lambda each: each.name if isinstance(each, Game) else ""
)
def test_a_playthrough_reads_as_it_did(package: RulesPackage[Any, Any], game: Game) -> None:
    kept = reading.file_of(FOLDER, package, game).read_text("utf-8").splitlines()
    now = reading.text_of(package, game).splitlines()
    difference = "\n".join(unified_diff(kept, now, "as it was", "as it is now", lineterm="", n=8))
    assert difference == "", f"if this is right, write it anew with manage.py goldens --read\n{difference}"


def test_no_playthrough_is_left_over() -> None:
    wanted = {reading.file_of(FOLDER, package, game).name for package, game in PLAYTHROUGHS}
    assert {path.name for path in (FOLDER / "read").glob("*")} == wanted
