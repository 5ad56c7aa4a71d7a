"""Invariants of a state, fates for odds, other worlds behind the same slice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from lnl.happening.changing import placed
from lnl.happening.fire import SmokePlaced
from lnl.happening.men import Eliminated, HeroCreated, Reduced, Shaken, Wounded
from lnl.package import PACKAGE
from lnl.state.battle import POSSESSED, Loss, State
from lnl.state.finding import unit, weapons
from lnl.testing.conformance import CONFORMANCE
from lnl.testing.twins import CHANGES
from tests.lnl.building import CLEAR, battle
from umpire.kernel.codec import encode
from umpire.kernel.parts import with_public
from umpire.kernel.pieces.piece import Hold
from umpire.kernel.states import slice_of
from umpire.kernel.values.maps import ordered
from umpire.testing.conformance.twins import somewhere

PIECES = """
us a  squad 2-5-4-6   A2 bar
us b  squad 2-5-4-6   A2
us c  squad 2-5-4-6   A2
us d  squad 2-5-4-6   B3
us h  hero 1-5-6-6    A2
ge g  squad 1-6-4-5   D2
us x  wire            B6
"""


def whole() -> State:
    return battle(CLEAR, PIECES).state


def written(state: State, piece: str, **changes: Any) -> State:
    """A piece as no applier would write it."""
    pieces = {**state.public.pieces, piece: replace(state.public.pieces[piece], **changes)}
    return with_public(state, pieces=pieces)


def guns(state: State) -> tuple[str, ...]:
    return tuple(each.id for each in weapons(state))


def held_by(piece: str) -> Hold:
    return Hold(by=piece, how=POSSESSED, n=1)


BROKEN: dict[str, Callable[[State], State]] = {
    "too many of United States at A2": lambda state: placed(state, "d", at=(1, 2, 0)),
    "without melee": lambda state: placed(state, "g", at=(2, 3, 0)),
    "off the map": lambda state: placed(state, "d", at=(40, 1, 0)),
    "bunker that is not there": lambda state: placed(state, "d", at=(2, 3, -1)),
    "is held by nobody, which is not there": lambda state: written(state, guns(state)[0], hold=held_by("nobody")),
    "which is no unit": lambda state: written(state, guns(state)[0], hold=held_by("x")),
    "hero and Shaken": lambda state: placed(state, "h", is_shaken=True),
    "without a marker": lambda state: placed(state, "d", is_moving=True),
    "and its holder a at": lambda state: written(state, guns(state)[0], at=(3, 3, 0)),
    "order of their ids": lambda state: with_public(
        state, pieces=dict(sorted(state.public.pieces.items(), reverse=True))
    ),
}


@pytest.mark.rule("core 1.3", "core 1.6.1", "core 8.0", "core 11.2")
@pytest.mark.parametrize("words", BROKEN)
def test_each_broken_invariant_is_found(words: str) -> None:
    state = whole()
    assert list(PACKAGE.problems(state)) == []
    found = list(PACKAGE.problems(BROKEN[words](state)))
    assert any(words in problem for problem in found), found


@pytest.mark.rule("core 11.2")
def test_a_third_hero_of_a_nation_is_one_too_many() -> None:
    state = whole()
    hero = unit(state, "h")
    more = {key: replace(hero, id=key, at=(5, number, 0)) for number, key in enumerate(("h2", "h3"), 1)}
    crowded = with_public(state, pieces=ordered({**state.public.pieces, **more}))
    assert any("more than 2 heroes" in problem for problem in PACKAGE.problems(crowded))


@pytest.mark.rule("core 5.1")
def test_fates_of_units() -> None:
    before = battle(CLEAR, PIECES).play.believed("us")
    loss = Loss(unit="a", side="us", command="us", counter=unit(before, "a").counter, turn=1, how="reduced")
    half = "us_airborne_half"
    cases = [
        (Shaken(unit="a"), [("a", "shaken")]),
        (Reduced(unit="a", counter=half, loss=loss), [("a", "casualties")]),
        (Wounded(unit="h", is_shaken=False), [("h", "wounded")]),
        (Eliminated(unit="a", loss=replace(loss, how="eliminated")), [("a", "eliminated")]),
        (Eliminated(unit="a", loss=replace(loss, how="surrendered")), [("a", "surrendered")]),
        (SmokePlaced(at=(3, 3)), [("3,3", "smoke")]),
        (HeroCreated(unit=replace(unit(before, "h"), id="new")), [("1,2,0", "hero")]),
    ]
    for event, wanted in cases:
        after = PACKAGE.apply(before, event)
        found = PACKAGE.fates(before, after)  # type: ignore[arg-type]
        assert [(fate.piece, fate.what) for fate in found] == wanted


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_each_kind_of_change_makes_another_truth(change: Callable[[State, str, str, Random], State]) -> None:
    found = 0
    for seed in range(8):
        random = Random(seed)
        state = somewhere(CONFORMANCE, ("blind", "open")[seed % 2], random, most=30)
        for command, other in (("alpha", "berta"), ("berta", "alpha")):
            if not state.commands[other].pieces:
                continue
            twin = change(state, command, other, random)
            assert encode(slice_of(twin, (command,))) == encode(slice_of(state, (command,)))
            assert list(PACKAGE.problems(twin)) == []
            found += encode(twin) != encode(state)
    assert found or change.__name__ == "_memories_otherwise"  # few remember anything so early
