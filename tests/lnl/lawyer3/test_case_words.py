"""The words of case files: what the form allows is read, what it does not know is a fault that says where and what."""

from __future__ import annotations

from pathlib import Path

import pytest

from umpire.testing.cases.running import run_file

HEAD = 'case = "x"\ntitle = "x"\nsystem = "lnl"\nrules = ["core 5.0"]\n[given]\n'
PIECES = """us  sq*2    2-5-4-6       D6
us  lt      leader LM1    D6
us  gunner  2-5-4-6       D6   has m1919a4
ge  foe     1-6-4-5       D3   has mg42
ge  mate    1-6-4-5       D3
ge  far     1-6-4-5       N11
"""
MOVE = 'order = { seat = "us", verb = "Move", units = ["sq1"], path = ["D7"] }\n'
FIRE = 'order = { seat = "us", verb = "Fire", units = ["sq1"], target = "D3" }\ndice = ["attack 1", "defence 6"]\n'
HITS = 'order = { seat = "us", verb = "Fire", units = ["sq1"], target = "D3" }\n'
ALL = (
    'order = { seat = "us", verb = "Fire", units = ["sq1", "sq2", "gunner"], weapons = ["m1919a4"], target = "D3", '
    'leader = "lt" }\ndice = ["attack 1", "defence 6"]\n'
)
HOUSE = 'terrain = { D3 = "stone building" }\nspotted = "D3"'
ASKED = 'ask = { value = "range", from = "A1", to = "A2" }\nis = 1\n'


def fault(tmp_path: Path, step: str, given: str = "", pieces: str = PIECES) -> str:
    """What is wrong with a case of one step, "" for nothing."""
    path = tmp_path / "x.toml"
    path.write_text(f'{HEAD}{given}\npieces = """\n{pieces}"""\n[[step]]\n{step}', encoding="utf-8")
    return run_file(path).fault


@pytest.mark.parametrize(
    "line",
    [
        "us  x*3  2-5-4-6  A1 A2 A3",
        "us  x    leader (morale 6, LM1)  A1",
        "us  x    mortar  A1",
        "us  x    sniper  off board",
        "us  x    uk 1-6-4-6  A1",
        "us  x    2-3-4-6 may assault move  A1",
        "us  x*2  2-2-4-6 boxed range  A1 A2",
        "ge  x    1-6-4-5  E5 on top",
    ],
)
def test_lines_of_pieces(line: str, tmp_path: Path) -> None:
    assert fault(tmp_path, ASKED, pieces=f"{PIECES}{line}\n") == ""


@pytest.mark.parametrize(
    "given",
    [
        'terrain = { E7 = { terrain = "forest", level = 1 } }',
        'initiative = "none"',
    ],
)
def test_keys_of_given(given: str, tmp_path: Path) -> None:
    assert fault(tmp_path, ASKED, given) == ""


def test_who_holds_his_fire_is_not_asked(tmp_path: Path) -> None:
    standing = 'standing = ["foe: hold", "mate: hold"]'
    assert fault(tmp_path, MOVE + 'then = ["foe unmarked", "rolls = 0"]\n', standing) == ""


@pytest.mark.parametrize(
    "line",
    [
        "foe and mate good order",
        "sq2, lt unmarked",
        "foe not gone",
        "gunner has m1919a4 and foe has mg42",
    ],
)
def test_lines_of_then(line: str, tmp_path: Path) -> None:
    lines = line.split(" and foe has mg42")
    said = f'then = ["{lines[0]}"]\n'
    assert fault(tmp_path, MOVE + said) == ""


def test_has_moved_is_false_of_who_stands(tmp_path: Path) -> None:
    assert "sq2 is not moved" in fault(tmp_path, MOVE + 'then = ["sq2 moved"]\n')
    assert "sq1 is not unmarked" in fault(tmp_path, MOVE + 'then = ["sq1 unmarked"]\n')


@pytest.mark.parametrize(
    "order",
    [
        '{ seat = "us", verb = "Fire", weapons = ["m1919a4"], target = "foe" }',
    ],
)
def test_fire_in_other_words(order: str, tmp_path: Path) -> None:
    dice = 'dice = ["attack 1", "defence 6"]\nthen = ["turn = 1"]\n'
    assert fault(tmp_path, f"order = {order}\n{dice}") == ""


@pytest.mark.parametrize(
    "dice",
    [
        '["attack 5", "defence 1", "damage check mate 2", "damage check foe 2"]',
        '["attack 5", "defence 1", "damage check foe 2", "damage check mate 2"]',
        "[5, 1, 2, 2]",
        '"attack 5, defence 1, damage check foe 2, damage check mate 2"',
    ],
)
def test_dice_of_equals_stand_in_any_order(dice: str, tmp_path: Path) -> None:
    then = 'then = ["foe shaken", "mate shaken"]\n'
    assert fault(tmp_path, f"{HITS}dice = {dice}\n{then}") == ""


@pytest.mark.parametrize("total", [7, 8])
def test_the_total_of_one_of_several_checks(total: int, tmp_path: Path) -> None:
    dice = 'dice = ["attack 5", "defence 1", "damage check foe 2", "damage check mate 2"]\n'
    found = fault(tmp_path, f'{HITS}{dice}then = ["damage check mate = {total}"]\n')
    # 5, the squad's 2 and the leader's 1 against 1
    assert found.endswith("damage check mate is 9")
    assert fault(tmp_path, f'{HITS}{dice}then = ["damage check mate = 9"]\n') == ""


def test_dice_of_different_rolls_do_not(tmp_path: Path) -> None:
    found = fault(tmp_path, HITS + 'dice = ["defence 6", "attack 1"]\nthen = ["foe good order"]\n')
    assert "a roll for 'attack D6' was made where the script has 'defence'" in found
    assert "line 17" in found


@pytest.mark.parametrize(
    ("answer", "fired", "firepower"),
    [
        ("ge: foe without mg42", '"foe fired", "mate not fired"', 2),
        ("ge: only foe with mg42", '"foe fired", "mate not fired"', 4),
        ("ge: foe and mate", '"foe fired", "mate fired"', 5),
    ],
)
def test_who_takes_opportunity_fire(answer: str, fired: str, firepower: int | None, tmp_path: Path) -> None:
    dice = 'dice = ["attack 1", "defence 6"]\n' if firepower else ""
    said = f', "firepower = {firepower}"' if firepower else ""
    assert fault(tmp_path, f'{MOVE}answers = ["{answer}"]\n{dice}then = [{fired}{said}]\n') == ""


@pytest.mark.parametrize(
    "working",
    [
        '["lead unit +2", "2 supporting units +2", "m1919a4 +2", "lt +1"]',
        '["lead unit +2 (core 5.2)", "supporting units +2", "m1919a4 +2", "lt +1 (core 5.01)"]',
    ],
)
def test_workings(working: str, tmp_path: Path) -> None:
    assert fault(tmp_path, f"{ALL}working = {{ attack = {working} }}\n", HOUSE) == ""


def test_a_working_by_another_rule_is_a_fault(tmp_path: Path) -> None:
    said = '["lead unit +2 (core 9.0)", "supporting units +2", "m1919a4 +2", "lt +1"]'
    assert "lead unit +2 (core 9.0)" in fault(tmp_path, f"{ALL}working = {{ attack = {said} }}\n", HOUSE)


@pytest.mark.parametrize(
    ("ask", "value"),
    [
        ('{ line_of_sight = ["A1", "A3"] }', '"clear"'),
        ('{ value = "damage", unit = "foe", totals = [5, 6, 15] }', '["none", "shaken", "eliminated"]'),
        ('{ check = { seat = "us", verb = "Move", units = ["sq1"], path = ["D7"] } }', "true"),
        ('{ value = "initiative" }', '"us"'),
    ],
)
def test_what_may_be_asked(ask: str, value: str, tmp_path: Path) -> None:
    assert fault(tmp_path, f"ask = {ask}\nis = {value}\n") == ""


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (FIRE + 'then = ["foe shkaen"]\n', ("line", "'shkaen'", "'shaken'")),
        (FIRE + 'then = ["fooe shaken"]\n', ("line", "'fooe shaken'", "'foe shaken'")),
        (FIRE + 'odds = { "foe shakn" = "0" }\n', ("line", "'shakn'", "'shaken'")),
        (FIRE + "working = { atack = [] }\n", ("'atack'", "'attack'")),
        (MOVE.replace("Move", "Mvoe") + 'then = ["turn = 1"]\n', ("line", "'Mvoe'", "'Move'")),
        (MOVE.replace("path", "pth") + 'then = ["turn = 1"]\n', ("line", "'pth'", "'path'")),
        (MOVE.replace("sq1", "sqq") + 'then = ["turn = 1"]\n', ("line", "'sqq'", "did you mean")),
        (MOVE + 'answers = ["ge: fooe"]\nthen = ["turn = 1"]\n', ("line", "'fooe' is none of the choices")),
        ('ask = { value = "lign of sight", from = "A1", to = "A2" }\nis = 1\n', ("line", "'line of sight'")),
        ('ask = { value = "range", from = "A1", too = "A2" }\nis = 1\n', ("line", "'too'", "'to'")),
        (MOVE + 'refused = "core 6.0"\n', ("was accepted", "'core 6.0'")),
        (MOVE.replace("D7", "A1") + 'refused = "core 9.0"\n', ("not by 'core 9.0'",)),
    ],
)
def test_what_is_wrong_is_said_with_what_would_be_right(step: str, words: tuple[str, ...], tmp_path: Path) -> None:
    found = fault(tmp_path, step)
    assert all(word in found for word in words), found


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("us  x  2-5-4-6  A1  shakn", ("line 14", "'shakn'", "'shaken'")),
        ("us  x  2-5-4-6  A1  has mgg42", ("line 14", "'mgg42'", "'mg42'")),
        ("us  x  ledaer   A1", ("line 14", "'ledaer'", "'leader'")),
        ("us  x  2-5-4-6", ("line 14", "side, name, what it is, place")),
    ],
)
def test_a_line_that_is_wrong_is_named(line: str, words: tuple[str, ...], tmp_path: Path) -> None:
    found = fault(tmp_path, ASKED, pieces=f"{PIECES}{line}\n")
    assert all(word in found for word in words), found


def test_further_lines_add_remove_and_change(tmp_path: Path) -> None:
    given = 'given = ["ge new 1-6-4-5 D9", "mate gone", "sq2 fired", "D7 forest"]\n'
    then = 'working = { cost = ["D7 2"] }\nthen = ["new at D9", "sq2 fired", "sq1 at D7"]\n'
    assert fault(tmp_path, f"{given}{MOVE}{then}") == ""


def test_a_correction_may_be_refused(tmp_path: Path) -> None:
    assert "not by 'core 2.0'" in fault(tmp_path, 'umpire = { verb = "Reveal", piece = "foe" }\nrefused = "core 2.0"\n')
    assert "it was refused" in fault(tmp_path, 'umpire = { verb = "Reveal", piece = "foe" }\nthen = ["foe open"]\n')


@pytest.mark.parametrize(
    "line",
    [
        "us sees foe and mate",
    ],
)
def test_lines_about_places_and_all_together(line: str, tmp_path: Path) -> None:
    assert fault(tmp_path, f'{MOVE}then = ["{line}"]\n') == ""


def test_who_sees_anything(tmp_path: Path) -> None:
    woods = 'terrain = { D3 = "forest", N11 = "forest" }'
    assert fault(tmp_path, MOVE + 'then = ["us sees nothing", "D3 not spotted"]\n', woods) == ""
    assert "us sees" in fault(tmp_path, MOVE + 'then = ["us sees nothing"]\n')
