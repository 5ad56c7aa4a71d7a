"""Battles go as they went: what people are told and see in self-played games is what was recorded."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from umpire.battles.management.commands.goldens import FOLDER
from umpire.kernel.registry import LogLine, RulesPackage, packages
from umpire.testing.play import courses
from umpire.testing.play.watching import Game
from umpire.testing.skirmish import PACKAGE as TOY
from umpire.testing.skirmish import firing
from umpire.testing.skirmish.drawn import View

GAMES = [
    (package, game)
    for package in packages().values()
    if not package.is_example
    for game in courses.games_of(package, seeds=1)
]
LANE = Game(scenario="the-lane", options={}, generals="", seed=1, acts=30)


class _Lit(View, frozen=True, kw_only=True):
    """A view with a part that no view had when the game was recorded."""

    lamp: str


def _lit(view: View) -> _Lit:
    return _Lit(**{name: getattr(view, name) for name in view.__struct_fields__}, lamp="lit")


def _other(line: LogLine | None) -> LogLine | None:
    return line and replace(line, text=f"{line.text} Truly.")


@pytest.mark.parametrize(("package", "game"), GAMES, ids=lambda each: each.name if isinstance(each, Game) else "")
def test_a_game_of_every_scenario_and_mode_goes_as_it_went(package: RulesPackage[Any, Any], game: Game) -> None:
    """The others are played by `manage.py course`."""
    [kept] = [each for each in courses.read(courses.file_of(FOLDER, package.system)).games if each.name == game.name]
    assert [str(difference) for difference in courses.compared(package, game, kept)] == []


@pytest.mark.parametrize(
    "package", [each for each in packages().values() if not each.is_example], ids=lambda each: each.system
)
def test_every_game_is_recorded(package: RulesPackage[Any, Any]) -> None:
    recorded = {kept.name for kept in courses.read(courses.file_of(FOLDER, package.system)).games}
    assert recorded == {game.name for game in courses.games_of(package)}


def test_a_game_goes_the_same_way_again_and_leaves_its_marks() -> None:
    kept = courses.played(TOY, LANE)
    assert courses.compared(TOY, LANE, kept) == []
    marked = {what for marks in kept.marks for what in marks}
    assert {"preview", "odd order", "odds", "dice", "questions", "umpire: chronicle", "blue_1: lines"} <= marked


def test_what_comes_out_otherwise_is_named_by_its_act_and_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = courses.played(TOY, LANE)
    own, drawn = type(TOY).describe, type(TOY).view
    monkeypatch.setattr(type(TOY), "describe", lambda self, event, believed: _other(own(self, event, believed)))
    monkeypatch.setattr(
        type(TOY),
        "view",
        lambda self, known, seat: _lit(drawn(self, known, seat)) if seat.name == "blue_2" else drawn(self, known, seat),
    )
    found = {difference.what: difference for difference in courses.compared(TOY, LANE, kept)}
    assert "blue_1: lines" in kept.marks[found["blue_1: lines"].number]
    assert found["blue_2: view lamp"].number == 0
    assert {what.split(": ")[1] for what in found} == {"lines", "view lamp"}


def test_rolls_with_other_modifiers_are_other_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = courses.played(TOY, LANE)
    monkeypatch.setattr(firing, "fire_modifiers", lambda state, firer, at: ())
    [dice] = [difference for difference in courses.compared(TOY, LANE, kept) if difference.what == "dice"]
    assert "dice" in kept.marks[dice.number]
