"""An order names a group: in which order its men are named makes no difference to anything."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest

from fireforce.orders import orders
from fireforce.package import PACKAGE
from fireforce.state.battle import State
from tests.fireforce.rules.from_lines import WORDS, battle
from umpire.kernel.dice import ServerDice, default_answer
from umpire.kernel.rulings import Question
from umpire.testing.cases.orders import read
from umpire.testing.play.battle import Play

MEN = ("g1", "g2", "g3")

FIRE = """
regular/one  r*3  trained m16    20,20.5   squad 1
regular/two  q1   trained m16    44,27   squad 2
regular      v1   civilian       20.6,19
guerrilla    g1   poor ak47      11,20     squad 9, hidden, prepared
guerrilla    g2   trained rpk    14,27     squad 9
guerrilla    g3   elite shotgun  14,18     squad 9, local, moved
"""
WALK = """
regular/one  r1   trained m16    26,22     squad 1
regular/two  q1   trained m16    33,17     squad 2
guerrilla    g1   trained ak47   22,20     squad 9, hidden, special motivation
guerrilla    g2   trained ak47   22,21     squad 9, hidden
guerrilla    g3   trained ak47   22,22     squad 9, hidden
guerrilla    t1   card booby trap 25.5,20.5
"""
STORES = """
regular    g1   trained m16    20,20.2   squad 1, special motivation
regular    g2   trained m16    20,21     squad 1
regular    g3   trained m16    19.5,20   squad 1
guerrilla  c1   card cache     20,20     face up, searched by regular, arms 1, food 2, heavy 1
guerrilla  t1   card booby trap 20.2,20.4
guerrilla  h1   trained ak47   50,20     squad 9
"""

GIVEN: Mapping[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "Fire": (FIRE, {"active": "guerrilla", "terrain": "wall 19,20 to 19.5,22"}, {"target": "r1", "aimed": True}),
    "Move": (
        WALK,
        {"active": "guerrilla", "phase": "movement", "terrain": "jungle 20,18 to 30,26"},
        {"paths": {"g1": [[26, 20]], "g2": [[26, 21]], "g3": [[26, 22]]}},
    ),
    "Search": (STORES, {"phase": "searching"}, {}),
    "TakeStores": (STORES, {"phase": "movement", "cards": True}, {"card": "c1"}),
    "DestroyStores": (STORES, {"phase": "movement", "cards": True}, {"card": "c1"}),
    "DropStores": (STORES.replace("squad 1", "squad 1, carrying arms 1"), {"phase": "movement", "cards": True}, {}),
    "PlaceCounter": (
        STORES,
        {"phase": "movement", "cards": True, "terrain": "building 40,0 to 41,48"},
        {"command": "regular"},
    ),
    "DropOff": (STORES + "regular g4 trained m16 20,22 squad 1, leader", {"phase": "movement"}, {"squad": "squad 1"}),
    "FormGunGroup": (
        STORES.replace("trained m16", "trained m60")
        + "regular g4 trained m16 20,22 squad 1, leader, may form a gun group",
        {"phase": "movement"},
        {"squad": "squad 1"},
    ),
}


def _answer(command: str, question: Question, state: Any) -> tuple[str, ...] | None:
    """Critical hits are taken; all else is as by default."""
    return (question.choices[0].id,) if question.kind == "critical" else default_answer(command, question, state)


def outcome(state: State, verb: str, named: tuple[str, ...], further: dict[str, Any], secret: bytes) -> State:
    """What becomes of the battle, and of the rest of its player turn, with dice that depend on what is rolled alone."""
    dice = ServerDice(secret=secret, line=0, giver="test", number=1, digest="", answers=_answer)
    play = Play(PACKAGE, state, WORDS.seats(state), source=lambda begun: dice)
    side = "guerrilla" if state.public.active == "guerrilla" else "regular"
    seats = [name for name in play.seats if name == side]
    order = {"verb": verb, "figures": list(named), **further}
    assert play.order(seats[0], read(WORDS, state, play.seats[seats[0]], order)) == []
    if verb == "Search":
        for _ in range(3):
            play.order(seats[0], {"verb": "EndPhase"})
    assert play.position.open is None
    return play.state


@pytest.mark.rule("fireforce small-arms", "fireforce visibility", "fireforce movement", "fireforce searching")
@pytest.mark.parametrize("verb", GIVEN)
def test_in_which_order_figures_are_named_makes_no_difference(verb: str) -> None:
    pieces, given, further = GIVEN[verb]
    state = battle(pieces, **given)
    for number in range(6):
        secret = f"any order {number}".encode()
        first, *others = (outcome(state, verb, named, further, secret) for named in permutations(MEN))
        assert first != state
        for other in others:
            assert other == first


def test_every_order_that_names_figures_is_tried() -> None:
    naming = {
        name
        for name, kind in vars(orders).items()
        if isinstance(kind, type) and issubclass(kind, orders.Order) and "figures" in kind.__struct_fields__
    }
    assert naming == set(GIVEN)
