"""FireForce on the conformance suite: every invariant, in map mode, with cards, and with cards moved by hand."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from importlib import import_module
from random import Random

import pytest

from fireforce.book.tables import core_book
from fireforce.happening.movement import Moved
from fireforce.happening.visibility import NoiseMade
from fireforce.package import PACKAGE
from fireforce.state.battle import Figure
from fireforce.state.finding import (
    figures,
)
from fireforce.testing.conformance import CONFORMANCE, LOCKED, _met, hidden_ids, patrol, tells
from fireforce.testing.parts import of
from fireforce.testing.twins import CHANGES, another
from umpire.kernel.codec import encode
from umpire.kernel.states import slice_of
from umpire.testing.conformance.fixture import conformance_of
from umpire.testing.conformance.sources import impurities
from umpire.testing.conformance.suite import ONCE, SEEDED
from umpire.testing.conformance.twins import somewhere

SEEDS = int(os.environ.get("CONFORMANCE_SEEDS", "1"))
"""More seeds find more; the default keeps the suite short."""


@pytest.mark.parametrize("invariant", sorted(ONCE))
def test_it_holds_for_fireforce(invariant: str) -> None:
    ONCE[invariant](CONFORMANCE, 1)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("invariant", sorted(SEEDED))
def test_it_holds_for_fireforce_in_random_play(invariant: str, seed: int) -> None:
    SEEDED[invariant](CONFORMANCE, seed)


def test_the_locks_are_all_that_is_impure_in_shared_geometry() -> None:
    for name in LOCKED:
        faults = impurities(inspect.getsource(import_module(name)))
        assert len(faults) == 1
        assert faults[0].endswith("imports from threading")


def test_the_suite_finds_the_fixture() -> None:
    assert conformance_of(PACKAGE) is CONFORMANCE
    assert set(CONFORMANCE.settings) == {"map", "cards", "cards, by hand"}


@pytest.mark.parametrize("command", ["platoon", "cell"])
@pytest.mark.parametrize("setting", sorted(CONFORMANCE.settings))
def test_another_truth_has_the_same_slice_and_is_another(setting: str, command: str) -> None:
    differ = 0
    for seed in range(6):
        random = Random(seed)
        state = somewhere(CONFORMANCE, setting, random, most=20)
        try:
            twin = another(state, command, random)
        except LookupError:
            assert command == "cell"
            continue
        assert encode(slice_of(twin, (command,))) == encode(slice_of(state, (command,)))
        assert list(PACKAGE.problems(twin)) == []
        differ += encode(twin) != encode(state)
    assert differ >= (5 if command == "platoon" else 0)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_each_kind_of_change_makes_another_truth(change: object) -> None:
    """Counters apart, which only players of the open side place: those are exchanged where two of them stand."""
    found = 0
    for seed in range(10):
        random = Random(seed)
        setting = ("map", "cards")[seed % 2]
        state = somewhere(CONFORMANCE, setting, random, most=20)
        for command, other in (("platoon", "cell"), ("cell", "platoon")):
            twin = change(state, command, other, random)  # type: ignore[operator]
            assert encode(slice_of(twin, (command,))) == encode(slice_of(state, (command,)))
            assert list(PACKAGE.problems(twin)) == []
            found += encode(twin) != encode(state)
        if found:
            return
    name = getattr(change, "__name__", "")
    assert name in ("_counters_exchanged", "_memories_otherwise"), f"{name} never makes another truth"


def test_what_may_be_told_is_judged_by_what_lies_on_the_table() -> None:
    state = _met("firing")
    hidden = next(man for man in of(state.commands["cell"], Figure).values() if not man.is_placed)
    shown = next(man for man in of(state.commands["cell"], Figure).values() if man.is_placed)
    moves = {
        man.id: Moved(figure=man.id, at=(man.at[0] + 100, man.at[1]), manner="tactical") for man in (hidden, shown)
    }
    said = {key: tells(state, event, PACKAGE.apply(state, event), "platoon") for key, event in moves.items()}
    assert said == {hidden.id: "nothing", shown.id: "new"}
    assert tells(state, moves[hidden.id], PACKAGE.apply(state, moves[hidden.id]), "cell") == "known"
    noise = NoiseMade(kind="voice", at=hidden.at, distance=0, side="guerrilla", figures=(hidden.id,))
    assert tells(state, noise, state, "platoon") == "nothing"


def test_the_hidden_are_those_of_others() -> None:
    state = PACKAGE.begin(patrol(hidden="cards"), lambda key: key)
    assert "scouts" in hidden_ids(state, ("platoon",))
    assert "one" not in hidden_ids(state, ("platoon",))
    assert hidden_ids(state, ("cell",)) == []


def naming(called: str, word: str) -> Callable[[str], str]:
    return lambda key: word if key == called else key


@pytest.mark.parametrize("word", ["dummy", "rifleman", "firing", "poor", "ak47", "whole", "at", "guerrilla", "cell"])
def test_a_piece_called_like_a_word_of_the_state_does_not_lead_twins_astray(word: str) -> None:
    """Only tests name pieces: here a squad, its leader or the card above it is called like a kind, a weapon, a side."""
    changed, weapons = 0, set(core_book().tables["weapons"])
    for called in ("scouts", "scout-leader", "card-scouts"):
        state = PACKAGE.begin(patrol(hidden="cards"), naming(called, word))
        for seed in range(12):
            twin = another(state, "platoon", Random(seed))
            assert encode(slice_of(twin, ("platoon",))) == encode(slice_of(state, ("platoon",)))
            assert list(PACKAGE.problems(twin)) == []
            assert {row for man in figures(twin) for row in man.weapons} <= weapons
            changed += encode(twin) != encode(state)
    assert changed >= 30
