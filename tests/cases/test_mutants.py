"""Case files that are changed a little fail: another rule, another number, a die more, a die less."""

from __future__ import annotations

from pathlib import Path
from random import Random

from umpire.testing.cases.form import files
from umpire.testing.cases.mutants import KINDS, mutants, shares

SAMPLE = 40
LEAST = 0.97


def test_cases_that_are_changed_fail() -> None:
    random = Random(7)
    found = random.sample(files([Path(__file__).parent]), SAMPLE)
    made = [mutant for path in found for mutant in mutants(path, random)]
    survivors = [f"{each.file}: {each.kind}, {each.change}" for each in made if not each.is_killed]
    for kind, (killed, number) in shares(made).items():
        assert number >= SAMPLE / 4, kind
        assert killed >= LEAST * number, survivors
    assert set(shares(made)) == set(KINDS)
