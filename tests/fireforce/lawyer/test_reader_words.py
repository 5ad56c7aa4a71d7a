"""The reader of FireForce's case files: other ways to say what is given, thrown and expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fireforce.lawyer.test_reader import FIRE, HEAD, fault


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("regular    r*4   veteran galil   10,10", "regular  r1-r4  veteran galil  10, 10"),
        ("regular    r*4   veteran galil   10,10   squad 1", "regular r*4 veteran galil 10,10 squad 1, casualties 0"),
        ("squad 1", "squad 1, leader, MR +1"),
        ("squad 1", "squad 1, Squad Leader MR +1"),
        ('phase  = "firing"', 'phase  = "firing"\nhour = "day"\ntable = [72, 48]'),
        ('phase  = "firing"', 'phase  = "firing"\nterrain = { "50,0 to 60,48" = "jungle" }'),
        ('phase  = "firing"', 'phase  = "firing"\nterrain = ["paddy field 50,0 to 60,48", "wall 40,0 to 40,9"]'),
    ],
)
def test_other_ways_to_say_what_is_given(old: str, new: str, tmp_path: Path) -> None:
    assert old in HEAD
    assert fault(f'{HEAD.replace(old, new)}{FIRE}then = ["r fired", "hits = 2"]\n', tmp_path) == ""


def test_the_names_that_the_page_has_for_indigenous_sides_are_indigenous(tmp_path: Path) -> None:
    """Between two regular sides a die would be thrown for the first turn."""
    names = ("guerrilla", "indigenous", "vc", "nva", "rebels", "insurgents")
    for side, dice in (*((name, 0) for name in names), ("red", 2)):
        head = (
            HEAD.replace("guerrilla ", f"{side} ").replace('active = "regular"', "").replace('"firing"', '"not begun"')
        )
        then = "then = ['rolls = 0']" if not dice else "dice = [9, 3]\nthen = ['rolls = 2']"
        assert fault(f"{head}[[step]]\nbegins = true\n{then}\n", tmp_path) == "", side


def test_the_chance_that_nothing_comes_of_it(tmp_path: Path) -> None:
    """One rifle at 23.5 inches, 2 points: 13 to 20 less 2 is a hit in 8 of 20, of which 6 of 10 fail in the open; two
    hits in none."""
    step = '[[step]]\norder = { seat = "regular", verb = "Fire", figures = "r1", target = "g1" }\n'
    odds = 'odds = { "g1 casualty" = "6/25", "g1 pinned" = "4/25", "g1 unharmed" = "3/5", "g2 unharmed" = "1" }\n'
    assert fault(HEAD + step + odds, tmp_path) == ""
    assert "the odds of 'g1 unharmed' are 3/5" in fault(HEAD + step + odds.replace("3/5", "2/5"), tmp_path)


@pytest.mark.parametrize(
    "step",
    [
        'order = { seat = "regular", verb = "fire", figures = "r1", target = "g1" }\ndice = [3]\nthen = "hits = 0"',
        'order = { seat = "regular", verb = "Motivate", squad = "1" }\ndice = "motivation 1"\nthen = ["score = 5"]',
        'order = { seat = "guerrilla", verb = "Motivate", squad = "9" }\ndice = "motivation 1"\nthen = ["score = 4"]',
        'begins = true\nthen = ["order = regular, guerrilla"]',
    ],
)
def test_the_phase_and_the_side_are_those_of_the_first_order(step: str, tmp_path: Path) -> None:
    head = HEAD.replace('phase  = "firing"', "").replace('active = "regular"', "")
    assert fault(f"{head}[[step]]\n{step}\n", tmp_path) == ""


def test_a_roll_for_a_team_may_be_called_by_it(tmp_path: Path) -> None:
    head = HEAD.replace("firing", "motivation").replace("galil   10,10   squad 1", "galil 10,10 squad 1, team first")
    order = 'order = { seat = "regular", verb = "Motivate", squad = "1", team = "first" }'
    step = f'[[step]]\n{order}\ndice = "motivation squad 1 first 2"\nthen = ["score = 6"]\n'
    assert fault(head + step, tmp_path) == ""
    assert "where the script has 'motivation squad 2 first'" in fault(head + step.replace("d 1 f", "d 2 f"), tmp_path)


def test_a_critical_hit_may_be_called_by_him_for_whom_it_is(tmp_path: Path) -> None:
    """Veterans need 5."""
    answers = 'answers = ["guerrilla: hits on g1", "regular: critical on g2"]\nthen = ["g2 casualty"]\n'
    for name in ("critical g2", "critical 1", "critical"):
        step = FIRE.replace('"save g1 8"', f'"{name} 5", "save g1 8"') + answers
        assert fault(HEAD + step, tmp_path) == "", name
    assert "'critical g1'" in fault(HEAD + step.replace('"critical 5"', '"critical g1 5"'), tmp_path)
