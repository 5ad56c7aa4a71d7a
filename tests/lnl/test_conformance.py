"""Lock 'n Load on the conformance suite: every invariant, in open and blind battles, by day and by night."""

from __future__ import annotations

import inspect
import os
from importlib import import_module
from random import Random

import pytest

from lnl.happening.movement import Entered
from lnl.happening.turn import BattleBegan
from lnl.package import PACKAGE
from lnl.testing.conformance import CONFORMANCE, LOCKED, skirmish, tells
from lnl.testing.twins import another
from umpire.kernel.codec import encode
from umpire.kernel.states import slice_of
from umpire.testing.conformance.fixture import conformance_of
from umpire.testing.conformance.sources import impurities
from umpire.testing.conformance.suite import ONCE, SEEDED
from umpire.testing.conformance.twins import somewhere

SEEDS = int(os.environ.get("CONFORMANCE_SEEDS", "1"))
"""More seeds find more; the default keeps the suite short."""


@pytest.mark.parametrize("invariant", sorted(ONCE))
def test_it_holds_for_lock_n_load(invariant: str) -> None:
    ONCE[invariant](CONFORMANCE, 1)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("invariant", sorted(SEEDED))
def test_it_holds_for_lock_n_load_in_random_play(invariant: str, seed: int) -> None:
    SEEDED[invariant](CONFORMANCE, seed)


def test_the_locks_are_all_that_is_impure_in_lines_of_sight() -> None:
    for name in LOCKED:
        faults = impurities(inspect.getsource(import_module(name)))
        assert len(faults) == 1
        assert faults[0].endswith("imports from threading")


def test_the_suite_finds_the_fixture() -> None:
    assert conformance_of(PACKAGE) is CONFORMANCE


@pytest.mark.parametrize("command", ["alpha", "berta"])
@pytest.mark.parametrize("setting", sorted(CONFORMANCE.settings))
def test_another_truth_has_the_same_slice_and_is_another(setting: str, command: str) -> None:
    differ = 0
    for seed in range(6):
        random = Random(seed)
        state = somewhere(CONFORMANCE, setting, random, most=20)
        try:
            twin = another(state, command, random)
        except LookupError:
            assert setting == "open"
            continue
        assert encode(slice_of(twin, (command,))) == encode(slice_of(state, (command,)))
        assert list(PACKAGE.problems(twin)) == []
        differ += encode(twin) != encode(state)
    assert differ >= (0 if setting == "open" else 5)


def test_what_may_be_told_is_judged_by_what_a_command_sees() -> None:
    """The patrol in the fields stands in the open, who is upstairs in the mill cannot be seen."""
    state = PACKAGE.begin(skirmish(play="blind"), lambda key: key)
    state = PACKAGE.apply(state, BattleBegan(phase="rally"))
    steps = {
        "patrol": Entered(units=("patrol",), at=(8, 5, 0), spent={"patrol": 1}),
        "upstairs": Entered(units=("upstairs",), at=(6, 3, 1), spent={"upstairs": 1}),
    }
    said = {key: tells(state, step, PACKAGE.apply(state, step), "alpha") for key, step in steps.items()}
    assert said == {"patrol": "new", "upstairs": "nothing"}
