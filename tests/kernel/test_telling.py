"""How events and rolls reach commands that may know some of what they name."""

from __future__ import annotations

import pytest

from umpire.kernel.events import Event
from umpire.kernel.ledger import Thrown
from umpire.kernel.registry import LogLine
from umpire.kernel.rulings import Roll
from umpire.kernel.telling import line_of, named, reported, roll_line, thrown, translated
from umpire.kernel.values.modifiers import Modifier


class Struck(Event, frozen=True, kw_only=True, tag="struck"):
    units: tuple[str, ...]
    losses: dict[str, int]
    note: str = ""


STRUCK = Struck(units=("i1", "i2"), losses={"i2": 3}, note="i1 and more")


def test_an_event_names_ids_in_lists_and_keys_but_not_inside_sentences() -> None:
    assert named(STRUCK, {"i1", "i2", "i3"}) == ("i1", "i2")
    assert named(Struck(units=(), losses={}, note="of i1"), {"i1"}) == ()
    assert named(STRUCK, ()) == ()


def test_translating_renames_everywhere_and_puts_several_in_the_order_of_their_new_names() -> None:
    assert translated(STRUCK, {"i2": "Bravo"}) == Struck(units=("Bravo", "i1"), losses={"Bravo": 3}, note="i1 and more")
    assert translated(STRUCK, {"i1": "z", "i2": "y"}).units == ("y", "z")
    assert translated(STRUCK, {"i1": "y", "i2": "z"}).units == ("y", "z")
    assert translated(STRUCK, {}) is STRUCK


@pytest.mark.parametrize(
    "line",
    [
        LogLine(text="Nothing more."),
        LogLine(
            text="A shot.",
            kind="fire",
            rule="core 5.0",
            modifiers=(Modifier(1, "close", "core 5.0"),),
            faces=(3, 4),
            pieces=("Alpha", "Bravo"),
            at=((3, 4, 0),),
        ),
    ],
)
def test_a_line_comes_out_of_its_report_as_it_went_in(line: LogLine) -> None:
    assert line_of(reported(line)) == line


def test_a_roll_is_told_with_its_working() -> None:
    roll = Roll(count=2, purpose="rally", by="red", modifiers=(Modifier(-2, "cover", "core 1.5"),), rule="core 3.0")
    line = roll_line(thrown(Thrown(roll=roll, faces=(5, 4)), "First squad"))
    assert line.text == "Rally (First squad): 5 + 4 - 2 = 7."
    assert (line.faces, line.modifiers, line.rule) == ((5, 4), roll.modifiers, "core 3.0")


def test_a_roll_without_modifiers_shows_its_faces_only() -> None:
    line = roll_line(thrown(Thrown(roll=Roll(purpose="smoke"), faces=(2,))))
    assert line.text == "Smoke: 2."
