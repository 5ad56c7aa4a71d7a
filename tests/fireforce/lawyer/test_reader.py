"""The reader of FireForce's case files: other words for the same things, and what it says of what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest

from umpire.testing.cases.running import run_file

HEAD = """
case   = "X"
title  = "words"
system = "fireforce"
rules  = ["fireforce small-arms"]

[given]
phase  = "firing"
active = "regular"
pieces = \"\"\"
regular    r*4   veteran galil   10,10   squad 1
guerrilla  g*6   trained ak47    34,10   squad 9, in the open
\"\"\"
"""
FIRE = """
[[step]]
order   = { seat = "regular", verb = "Fire", figures = ["r1", "r2", "r3", "r4"], target = "g1", aimed = true }
dice    = ["hits row 8 10", "save g1 8", "save g2 3"]
"""


def fault(text: str, tmp_path: Path) -> str:
    path = tmp_path / "X.toml"
    path.write_text(text, encoding="utf-8")
    return run_file(path).fault


@pytest.mark.parametrize(
    "answers",
    [
        # In order of play; each seat's own; several hits in one line; nobody's, where defaults will do.
        '["guerrilla: hits on g1", "regular: forgo the critical", "guerrilla: hits on g2"]',
        '["regular: forgo the critical", "guerrilla: hits on g1, g2"]',
        '["guerrilla: hits on g1 and g2", "regular: forgo"]',
        '["guerrilla: g1, g2", "regular: none"]',
        "[]",
    ],
)
def test_answers_of_several_seats(answers: str, tmp_path: Path) -> None:
    assert fault(f'{HEAD}{FIRE}answers = {answers}\nthen = ["g1 pinned", "g2 casualty"]\n', tmp_path) == ""


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ('["guerrilla: hits on g1, g2, g3"]', "nobody was asked for 'guerrilla: on g3'"),
        ('["guerrilla: hits on g1, g9"]', "'g9' is none of the choices"),
        ('["guerrilla: hits on g3, g1"]', "a roll for 'save g3' was made where the script has 'save g1'"),
        ('["regular: forgo the criticl"]', "'forgo the criticl' is none of the choices"),
        ('["regular: forgo", "regular: forgo"]', "nobody was asked for 'regular: forgo'"),
    ],
)
def test_answers_that_are_not_used_or_not_known(answers: str, words: str, tmp_path: Path) -> None:
    assert words in fault(f'{HEAD}{FIRE}answers = {answers}\nthen = ["hits = 2"]\n', tmp_path)


def test_dice_of_several_men_stand_by_their_names(tmp_path: Path) -> None:
    """Who saves first is nothing that the book says."""
    text = FIRE.replace('"save g1 8", "save g2 3"', '"save g2 3", "save g1 8"')
    for answers in ("guerrilla: hits on g1, g2", "guerrilla: hits on g2, g1"):
        assert fault(f'{HEAD}{text}answers = ["{answers}"]\nthen = ["g1 pinned", "g2 casualty"]\n', tmp_path) == ""
    other = text.replace("save g2 3", "save g3 3")
    step = f'{other}answers = ["guerrilla: hits on g1, g2"]\nthen = ["hits = 2"]\n'
    assert "'save g3'" in fault(HEAD + step, tmp_path)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ('["regular: forgo", "guerrilla: hits on g1, g2"]', ""),
        ('["guerrilla: hits on g2"]', ""),
        ('["guerrilla: hits on g1", "regular: forgo", "guerrilla: hits on g2"]', ""),
        ('["guerrilla: hits on g1, g1"]', "nobody was asked for 'guerrilla: on g1'"),
        ('["guerrilla: hits on g1, g2, g2"]', "nobody was asked for 'guerrilla: on g2, g2'"),
        ('["regular: critical on g2, g2"]', "a roll for 'critical 1' was made"),
    ],
)
def test_hits_that_nobody_else_could_take_may_be_said(answers: str, words: str, tmp_path: Path) -> None:
    """Two hits and two men: of the second nobody is asked."""
    step = f'{FIRE}answers = {answers}\nthen = ["hits = 2"]\n'
    found = fault(HEAD.replace("g*6", "g*2") + step, tmp_path)
    assert words in found
    assert bool(found) == bool(words)


@pytest.mark.parametrize("dice", ['"hits row 8 10"', '"Hits row 8 10"', '"hits 10"'])
def test_names_of_rolls(dice: str, tmp_path: Path) -> None:
    text = FIRE.replace('"hits row 8 10"', dice)
    assert fault(f'{HEAD}{text}then = ["hits = 2"]\n', tmp_path) == ""


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ('"hits row 7 10"', "'hits row 8' was made where the script has 'hits row 7'"),
        ('"hits row 8"', "'hits row 8' was made where the script has 'hits row'"),
        ('"d10 10"', "where the script has 'd10'"),
        ('"save g10 8", "hits 10"', "'hits row 8' was made where the script has 'save g10'"),
    ],
)
def test_names_of_other_rolls(dice: str, words: str, tmp_path: Path) -> None:
    assert words in fault(
        f'{HEAD}{FIRE.replace(chr(34) + "hits row 8 10" + chr(34), dice)}then = ["hits = 2"]\n', tmp_path
    )


@pytest.mark.parametrize(
    "working",
    [
        'fire_points = ["4 galil +8"], hits = ["target far -2"]',
        '"fire points" = "4 galil +8", "hits row 8" = ["far -2"]',
        'hits = ["target far -2 (house rules G4)"], "save g1" = []',
        "save = []",
    ],
)
def test_workings(working: str, tmp_path: Path) -> None:
    assert fault(f"{HEAD}{FIRE}working = {{ {working} }}\n", tmp_path) == ""


@pytest.mark.parametrize(
    ("order", "then"),
    [
        ('verb = "Fire", figures = "r", target = "g1"', '"r1, r2, r3 and r4 fired aimed", "regular sees g"'),
    ],
)
def test_several_men_by_one_name(order: str, then: str, tmp_path: Path) -> None:
    """At 23.5 inches 1 - 2 is 1 on row 8: no hit."""
    step = f'[[step]]\norder = {{ seat = "regular", {order} }}\ndice = "hits row 8 1"\nthen = [{then}]\n'
    assert fault(HEAD + step, tmp_path) == ""
    assert "r1 is not pinned" in fault(HEAD + step.replace(then, '"r pinned"'), tmp_path)
    assert "'q*2 pinned' is not known" in fault(HEAD + step.replace(then, '"q*2 pinned"'), tmp_path)


@pytest.mark.parametrize(
    ("working", "words"),
    [
        ('hits = ["target far -3"]', "is ['target far -2']"),
        ('hits = ["night -2"]', "is ['target far -2']"),
        ("hits = []", "is ['target far -2']"),
        ('hits = ["target far -2", "elite +2"]', "is ['target far -2']"),
        ('hits = ["target far -2 (fireforce movement)"]', "is ['target far -2']"),
        ('hitz = ["target far -2"]', "nothing was worked out for 'hitz'"),
        ('fire_points = ["4 galil +4"]', "is ['4 galil +8']"),
    ],
)
def test_workings_that_are_otherwise(working: str, words: str, tmp_path: Path) -> None:
    assert words in fault(f"{HEAD}{FIRE}working = {{ {working} }}\n", tmp_path)


def test_parts_of_fire_points_in_any_order_and_without_what_each_makes(tmp_path: Path) -> None:
    """8 points halved three times: which halving takes 4 and which 1 hangs on their order alone."""
    order = 'order = { seat = "regular", verb = "Fire", figures = ["r1", "r2", "r3", "r4"], target = "g1" }'
    given = '"r1 moved", "r2 moved", "r3 moved", "r4 moved", "squad 1 counts as poor", "squad 9 in soft cover"'
    for halvings, holds in (
        (("poor troops: halved", "on the move: halved", "soft cover: halved"), True),
        (("poor troops: halved", "soft cover: halved"), False),
        (("poor troops: halved -4", "on the move: halved -4", "soft cover: halved -1"), False),
    ):
        lines = ", ".join(f'"{each}"' for each in ("4 galil +8", *halvings))
        working = f"working = {{ fire_points = [{lines}] }}"
        step = f'[[step]]\ngiven = [{given}]\n{order}\ndice = ["hits row 1 1"]\n{working}\n'
        assert (fault(HEAD + step, tmp_path) == "") == holds, lines


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        # Pinned men fire prophylactic only: so say the chapters of small arms, of firing and of saving throws.
        ('given = ["r1 pinned"]', "fireforce small-arms"),
        ('given = ["r1 pinned"]', "fireforce firing"),
        ('given = ["r1 pinned"]', "fireforce saving-throws"),
        # Whom nobody sees is no target.
        ('given = ["g1 hidden"]', "fireforce visibility"),
        # Out of its phase, by the sequence and by the chapter of the order; who is no more likewise.
        ('given = ["phase movement"]', "fireforce turn-sequence"),
        ('given = ["phase movement"]', "fireforce small-arms"),
        ('given = ["r1 casualty"]', "fireforce small-arms"),
    ],
)
def test_chapters_that_refuse(step: str, rule: str, tmp_path: Path) -> None:
    order = 'order = { seat = "regular", verb = "Fire", figures = ["r1"], target = "g1" }'
    assert fault(f'{HEAD}\n[[step]]\n{step}\n{order}\nrefused = "{rule}"\n', tmp_path) == ""
    wrong = fault(f'{HEAD}\n[[step]]\n{step}\n{order}\nrefused = "fireforce close-combat"\n', tmp_path)
    assert "refused, but not by 'fireforce close-combat'" in wrong


def test_a_refusal_draws_no_die_and_what_follows_it_is_looked_at(tmp_path: Path) -> None:
    order = 'order = { seat = "regular", verb = "Fire", figures = ["r1"], target = "g1" }\nrefused = "fireforce firing"'
    step = f'\n[[step]]\ngiven = ["r1 running"]\n{order}\n'
    assert fault(HEAD + step, tmp_path) == ""
    assert "no roll was made for hits" in fault(f'{HEAD}{step}dice = ["hits 3"]\n', tmp_path)
    assert "r1 is not fired" in fault(f'{HEAD}{step}then = ["r1 fired"]\n', tmp_path)


@pytest.mark.parametrize(
    ("ask", "value"),
    [
        ('value = "line of sight", from = "r1", to = "g1"', '"clear"'),
        ('value = "range", from = "10,10", to = "g1"', "23.5"),
        ('value = "check", seat = "regular", verb = "Fire", figures = ["r1"], target = "g1"', '"accepted"'),
        ('value = "check", seat = "guerrilla", verb = "fire", figures = "g1", target = "r1"', '"refused"'),
        ('value = "fire points", base = 6, doubled = "ambush, civilians"', "12"),
        ('value = "fire points", figures = ["r1", "r2"], target = "g1"', "4"),
        ('value = "fire modifier", figures = ["r1"], target = "g1"', "-2"),
        ('value = "hits", fire_points = 26, die = 10', "8"),
        ('value = "motivation result", score = 6, quality = "Trained", hour = "Night"', '"fair"'),
        ('value = "score", die = 1, quality = "trained", casualties = 5, conditions = ["under fire"]', "-2"),
        ('value = "counts as", quality = "veteran", flakey = true', '"Poor"'),
        ('value = "critical number", quality = "green"', "9"),
        ('value = "critical number", quality = "sniper"', '"none"'),
        ('value = "close combat", difference = 2', '"withdrawal"'),
        ('value = "hearing", what = "regulars moving"', "8"),
        ('value = "save", figure = "g1", weapon = "AK-47", die = 6', '"casualty"'),
        ('value = "cost", path = [[10, 10], [13, 10]]', "50"),
        ('value = "range", weapon = "M60"', "50"),
        ('value = "fire points", weapon = "Galil", number = 4', "8"),
        ('value = "line of sight", from = "r1", to = "g1"', "true"),
        ('value = "victory points", side = "regular", deeds = { cache_captured = 1 }', "20"),
    ],
)
def test_what_may_be_asked(ask: str, value: str, tmp_path: Path) -> None:
    assert fault(f"{HEAD}\n[[step]]\nask = {{ {ask} }}\nis = {value}\n", tmp_path) == ""


@pytest.mark.parametrize(
    "marker",
    [
        "squad leader, MR+2",
        "SL, motivation rating 1",
        "counts as poor",
        "Good morale",
        "in the jungle",
        "in a built-up area",
        "sniper",
    ],
)
def test_markers(marker: str, tmp_path: Path) -> None:
    text = HEAD.replace("squad 1\n", f"squad 1\nguerrilla  x1  Trained AK-47  20,30  squad 7, {marker}\n")
    assert fault(f'{text}\n[[step]]\nask = {{ value = "rows", fire_points = 26 }}\nis = [20, 6]\n', tmp_path) == ""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("veteran galil", "veteran galill", ["line 11", "did you mean 'galil'?"]),
        ("squad 9, in", "squad 9 in", ["line 12", "a squad's name is one word"]),
        ("in the open", "in the jungel", ["line 12", "'the jungel'", "jungle"]),
        ('"firing"', '"firing"\nterrain = "jungl 1,1 to 2,2"', ["line 9", "did you mean 'jungle'?"]),
        ('"firing"', '"firing"\nterrain = "hill 1,1 to 2,2 hight 2"', ["line 9", "did you mean 'height'?"]),
        ('"firing"', '"firing"\nstanding = ["guerrilla: losses in ordr"]', ["line 9", "did you mean 'in order'?"]),
        ('"firing"', '"firing"\nplay = "opn"', ["line 9", "did you mean 'open'?"]),
        ('"firing"', '"firing"\ncards = "yes"', ["line 9", "true or false"]),
        ('figures = ["r1"', 'figurs = ["r1"', ["line 16", "the order Fire", "did you mean 'figures'?"]),
        ('verb = "Fire"', 'verb = "Fier"', ["line 16", "did you mean 'Fire'?"]),
    ],
)
def test_what_cannot_be_read(old: str, new: str, words: list[str], tmp_path: Path) -> None:
    text = f'{HEAD}{FIRE}then = ["hits = 2"]\n'
    assert old in text
    made = fault(text.replace(old, new, 1), tmp_path)
    for each in words:
        assert each in made, made


@pytest.mark.parametrize(
    "line",
    [
        "g1 is pinned",
        "g1 pinned, pinned until 1, not fired",
        "casualties = 1",
        "questions = 3",
        'guerrilla is asked "on whom"',
        'regular is told "2 hits"',
        'guerrilla is not told "galil"',
        "regular sees g1, g3",
        "regular sees g1 as rifle",
        "nobody hears gunfire",
        "r1 fired aimed",
        "r1 on the table",
    ],
)
def test_what_follows(line: str, tmp_path: Path) -> None:
    assert fault(f"{HEAD}{FIRE}then = ['''{line}''']\n", tmp_path) == ""


def test_pieces_ground_and_gunfire_in_further_lines(tmp_path: Path) -> None:
    step = """
[[step]]
given = ["guerrilla x1 trained rpk 30,30 squad 7", "jungle 20,5 to 22,20", "r1 and r2 pinned", "regular heard gunfire"]
ask   = { value = "line of sight", from = "r1", to = "g1" }
is    = "blocked"

[[step]]
order = { seat = "regular", verb = "EndPhase" }
then  = ["r1 pinned", "r2 pinned", "r3 not pinned", "regular sees x1 at 30,30"]
"""
    assert fault(HEAD + step, tmp_path) == ""


def test_steps_that_lead_on_may_say_nothing_but_the_last_may_not(tmp_path: Path) -> None:
    bare = '\n[[step]]\norder = { seat = "regular", verb = "EndPhase" }\n'
    assert fault(f'{HEAD}{bare}{bare.rstrip()}\nthen = ["active = guerrilla"]\n', tmp_path) == ""
    assert "says nothing that must follow" in fault(f"{HEAD}{bare}{bare}", tmp_path)
