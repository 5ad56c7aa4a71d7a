"""Every case file, and that a broken one fails with its line and the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

import fireforce.cases  # noqa: F401
import lnl.cases  # noqa: F401
from umpire.kernel import cases

HERE = Path(__file__).parent
FILES = cases.files([HERE])
GOOD = (HERE / "fireforce" / "FF-03.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_case(path: Path) -> None:
    assert cases.run_file(path).fault == ""


def test_names_of_files_and_cases_agree() -> None:
    assert [cases.load(path.read_text(encoding="utf-8"), str(path)).case for path in FILES] == [
        path.stem for path in FILES
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("veteran galil", "vetran galil", ["line 11", "'vetran'", "did you mean 'veteran'?"]),
        ("trained ak47", "trained ak74x", ["line 12", "'ak74x'", "'ak74'"]),
        ("in the open\n", "in the opne\n", ["line 12", "'the opne'", "'the open'"]),
        ("squad 9, in", "squad 9, flaky, in", ["line 12", "'flaky'", "'flakey'"]),
        ('"g1 pinned"', '"g1 pined"', ["line 21", "'pined'", "'pinned'"]),
        ('"g1 pinned"', '"g1 at 12"', ["line 21", "no place in inches"]),
        ('"g2 casualty"', '"h2 casualty"', ["line 21", "'h2'", "did you mean"]),
        ('"hits = 2"', '"hits = 3"', ["line 21", "hits is 2"]),
        ('"hits = 2"', '"hitz = 2"', ["line 21", "'hitz'", "'hits'"]),
        ('"g3 not pinned"', '"g3 pinned"', ["line 21", "g3 is not pinned"]),
        ('"hits row 8 10", "save g1 8"', '"hits row 7 10", "save g1 8"', ["step 1", "'hits row 8'", "'hits row 7'"]),
        ('"save g2 3"]', '"save g2 3", "save g3 3"]', ["step 1", "no roll was made for save g3"]),
        ("4 galil +8", "4 galil +7", ["step 1", "4 galil +8"]),
        ("hits on g2", "hits on g7", ["step 1", "'g7' is none of the choices"]),
        ('phase  = "firing"', 'phase  = "fireing"', ["line 8", "'fireing'", "'firing'"]),
        ('active = "regular"', 'activ = "regular"', ["line 9", "'activ'", "'active'"]),
        ('given   = ["r1 pinned"]', 'given   = ["r7 pinned"]', ["line 26", "'r7'", "did you mean"]),
        ('refused = "fireforce small-arms"', 'refused = "fireforce firing"', ["step 2", "not by 'fireforce firing'"]),
        ('seat = "regular", verb', 'seat = "regulars", verb', ["step 1", "'regulars'", "did you mean 'regular'?"]),
        ('target = "g1"', 'targett = "g1"', ["step 1", "targett"]),
        ('[[step]]\nsays    = "24', '[[step]]\nsay    = "24', ["say", "'says'"]),
        ('["fireforce small-arms"', '["fireforce smal-arms"', ["line 5", "no rule", "'fireforce small-arms'"]),
        ('refused = "fireforce small-arms"', 'refused = "fireforce smal-arms"', ["line 28", "'fireforce small-arms'"]),
        ('verb = "Fire"', 'verb = "Fier"', ["step 1", "line 17", "'Fire'"]),
        ("squad 9, in", "squad 9, result fairr, in", ["line 12", "'fairr'", "'fair'"]),
        ("squad 9, in", "squad 9, team secnd, in", ["line 12", "'secnd'", "'second'"]),
        ('"g1 at 22.5,10"', '"g1 at 22.5;10"', ["step 3", "line 33", "no place in inches"]),
        ('phase  = "firing"', 'phase  = "firing"\nhour = "nigth"', ["line 9", "'nigth'", "'night'"]),
        ('phase  = "firing"', 'phase  = "firing"\nturn = "two"', ["line 9", "'two'", "no whole number"]),
        ('phase  = "firing"', 'phase  = "firing"\ntable = [72]', ["line 9", "[72, 48]"]),
        ('phase  = "firing"', 'phase  = "firing"\nplans_only = ["guerilla"]', ["line 9", "'guerilla'", "'guerrilla'"]),
        ('"g1 pinned"', '"g1 carrying arms x"', ["line 21", "no whole number"]),
        ("working = {", 'odds = { "g2 casualty" = "half" }\nworking = {', ["line 20", "'half'", "no chance"]),
    ],
)
def test_a_broken_case_fails_and_says_where_and_what_would_be_right(
    right: str, wrong: str, words: list[str], tmp_path: Path
) -> None:
    assert right in GOOD
    path = tmp_path / "broken.toml"
    path.write_text(GOOD.replace(right, wrong, 1), encoding="utf-8")
    fault = cases.run_file(path).fault
    assert fault
    for each in words:
        assert each in fault, fault


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ('"first player south 1 9"]', '"first player south 1 2"]', ["step 2", "line 25", "order is north, south"]),
        (', "first player south 1 9"', "", ["step 2", "first player south 1"]),
        ('"rolls = 0"', '"rolls = 1"', ["step 1", "line 18", "rolls is 0"]),
        ('phase  = "not begun"', 'phase  = "not begn"', ["line 8", "'not begun'"]),
        ('phase  = "not begun"', 'phase  = "not begun"\nactive = "north"', ["line 8", "no 'active' yet"]),
        ('phase  = "not begun"', 'phase  = "firing"', ["step 1", "line 17", "nothing begins here"]),
        ('["side north regular"]', '["side north regulr"]', ["step 2", "'regulr'", "'regular'"]),
        ('["side north regular"]', '["sides north regular"]', ["step 2", "'sides'", "'side'"]),
        ("begins = true", "begins = false", ["step 1", "`begins` is true or is not there"]),
    ],
)
def test_a_battle_that_begins_otherwise_fails(right: str, wrong: str, words: list[str], tmp_path: Path) -> None:
    good = (HERE / "fireforce" / "FF-19.toml").read_text(encoding="utf-8")
    assert right in good
    path = tmp_path / "broken.toml"
    path.write_text(good.replace(right, wrong, 1), encoding="utf-8")
    fault = cases.run_file(path).fault
    for each in words:
        assert each in fault, fault


def test_a_case_that_asks_for_nothing_is_no_case(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_text(GOOD.partition("[[step]]")[0] + '[[step]]\nask = { value = "die" }\n', encoding="utf-8")
    assert "says nothing that must follow" in cases.run_file(path).fault
