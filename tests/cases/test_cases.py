"""Every case file, and that a broken one fails with its line and the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

from umpire.testing.cases.form import files, load
from umpire.testing.cases.running import run_file

HERE = Path(__file__).parent
FILES = files([HERE])
LNL = next(HERE.rglob("LNL-051.toml")).read_text(encoding="utf-8")
GOOD = next(HERE.rglob("FF-03.toml")).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_case(path: Path) -> None:
    assert run_file(path).fault == ""


def test_names_of_files_and_cases_agree() -> None:
    assert [load(path.read_text(encoding="utf-8"), str(path)).case for path in FILES] == [path.stem for path in FILES]


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("veteran galil", "vetran galil", ["line 11", "'vetran'", "did you mean 'veteran'?"]),
        ("trained ak47", "trained ak74x", ["line 12", "'ak74x'", "'ak74'"]),
        ("in the open\n", "in the opne\n", ["line 12", "'the opne'", "'the open'"]),
        ("squad 9, in", "squad 9, flaky, in", ["line 12", "'flaky'", "'flakey'"]),
        ('"g1 pinned"', '"g1 pined"', ["line 21", "'pined'", "'pinned'"]),
        ('"g1 pinned"', '"g1 at 12"', ["line 21", "no place in inches"]),
        ('"g2 casualty"', '"h2 casualty"', ["line 21", "'h2 casualty'", "did you mean"]),
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
        ('refused = "fireforce small-arms"', 'refused = "fireforce cards"', ["step 2", "not by 'fireforce cards'"]),
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
        ('"g1 pinned"', '"g1 carrying arms x"', ["line 21", "'carrying arms x'"]),
        ("working = {", 'odds = { "g2 casualty" = "half" }\nworking = {', ["line 20", "'half'", "no chance"]),
    ],
)
def test_a_broken_case_fails_and_says_where_and_what_would_be_right(
    right: str, wrong: str, words: list[str], tmp_path: Path
) -> None:
    assert right in GOOD
    path = tmp_path / "broken.toml"
    path.write_text(GOOD.replace(right, wrong, 1), encoding="utf-8")
    fault = run_file(path).fault
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
    good = next(HERE.rglob("FF-19.toml")).read_text(encoding="utf-8")
    assert right in good
    path = tmp_path / "broken.toml"
    path.write_text(good.replace(right, wrong, 1), encoding="utf-8")
    fault = run_file(path).fault
    for each in words:
        assert each in fault, fault


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("2-5-4-6", "2-5-46", ["line 13", "'2-5-46'"]),
        ("2-5-4-6   D6", "sqaud 2-5-4-6   D6", ["line 13", "'sqaud'", "did you mean 'squad'?"]),
        ("has mg42", "has mg24", ["line 15", "'mg24'", "did you mean 'mg42'?"]),
        ("has mg42", "has mg42, shakn", ["line 15", "'shakn'", "'shaken'"]),
        ("H5   concealed", "5H   concealed", ["line 15", "is not: side, name, what it is, place"]),
        ("near    1-6-4-5", "gun     1-6-4-5", ["two pieces are called 'gun'"]),
        ('E7 = "forest"', 'E7 = "forrest"', ["line 11", "'forrest'", "did you mean 'forest'?"]),
        ('"near: hold", "gun: fire', '"nera: hold", "gun: fire', ["line 17", "'nera'", "'near'"]),
        ('"near: hold", "gun: fire', '"near: holt", "gun: fire', ["line 17", "'holt'", "'hold'"]),
        ('play     = "blind"', 'play     = "blnd"', ["line 8", "'blnd'", "'blind'"]),
        ('phase    = "operations"', 'phase    = "operatoins"', ["line 9", "'operatoins'", "'operations'"]),
        ('active   = "us"', 'active   = "uss"', ["line 10", "'uss'", "'us'"]),
        ('active   = "us"', 'actve    = "us"', ["line 10", "'actve'", "'active'"]),
        (
            'verb = "Move", units = ["squad"], path = ["E6"] }\ndice    = ["attack 2"',
            'verb = "Mvoe", units = ["squad"], path = ["E6"] }\ndice    = ["attack 2"',
            ["step 1", "'Move'"],
        ),
        (
            'units = ["squad"], path = ["E6"] }\ndice    = ["attack 2"',
            'units = ["sqaud"], path = ["E6"] }\ndice    = ["attack 2"',
            ["step 1", "'sqaud'", "'squad'"],
        ),
        ('path = ["E6"] }\ndice    = ["attack 2"', 'path = ["E66"] }\ndice    = ["attack 2"', ["step 1", "refused"]),
        ('"attack 2", "defence 1"', '"attack 2", "defense check 1"', ["step 1", "'defence H5'", "'defense check'"]),
        ('"damage check squad 5"]', '"damage check squad 5", "hero 2"]', ["step 1", "no roll was made for hero"]),
        ('"mg42 +2"', '"mg42 +3"', ["step 1", "mg42 +3", "MG42 +2"]),
        ('"mg42 +2", ', "", ["step 1", "MG42 +2"]),
        ("working = { attack", "working = { atack", ["step 1", "'atack'", "'attack'"]),
        ('"squad at E6, shaken, moved"', '"squad at E6, shaken, mvoed"', ["step 1", "line 23", "'mvoed'", "'moved'"]),
        ('"squad at E6, shaken, moved"', '"squad at E5, shaken, moved"', ["step 1", "line 23", "squad is at E6"]),
        ('"squad at E6, shaken, moved"', '"squad at E6, good order"', ["line 23", "squad is not good order"]),
        ('"gun fired"', '"gnu fired"', ["step 1", "line 23", "'gnu fired'", "gun"]),
        ('"gun fired"', '"gun gone"', ["step 1", "line 23", "gun is still there"]),
        ('"gun fired"', '"attack = 7"', ["step 1", "line 23", "attack is 6"]),
        ('"gun fired"', '"atack = 6"', ["step 1", "line 23", "'atack'", "'attack'"]),
        ('"us sees gun at H5"', '"us sees gun at H6"', ["step 1", "us sees gun at H5"]),
        ('"us does not see near"', '"us sees near"', ["step 1", "us does not see near"]),
        ('["core 6.0"', '["core 6.9"', ["no rule 'core 6.9'"]),
    ],
)
def test_a_broken_case_of_lock_n_load_fails_and_says_where(
    right: str, wrong: str, words: list[str], tmp_path: Path
) -> None:
    assert right in LNL
    path = tmp_path / "broken.toml"
    path.write_text(LNL.replace(right, wrong, 1), encoding="utf-8")
    fault = run_file(path).fault
    assert fault
    for each in words:
        assert each in fault, fault


def test_a_case_that_asks_for_nothing_is_no_case(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_text(GOOD.partition("[[step]]")[0] + '[[step]]\nask = { value = "die" }\n', encoding="utf-8")
    assert "says nothing that must follow" in run_file(path).fault
