"""The plain general of self-play: what he orders is legal and comes from his belief alone; battles end; and what is
expected of anybody who leads a side."""

from __future__ import annotations

import inspect
from functools import partial
from random import Random
from typing import Any, get_type_hints

import pytest

from lnl.bot.assessment import Assessment, harm
from lnl.bot.generals import PLAIN, Plain
from lnl.bot.impulses import Operations
from lnl.package import PACKAGE
from lnl.rules.fire.damage_checks import scale_of
from lnl.state.battle import Believed, State
from lnl.testing.twins import another
from tests.lnl.building import Battle, battle
from umpire.kernel.registry import Wish
from umpire.kernel.running import believed_of
from umpire.testing.conformance.fixture import new_id
from umpire.testing.play import trials
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import before_act, do
from umpire.testing.play.selfplay import Player, play_game, plot_of

MODES = ("open", "blind")
TEACHING = "crossroads-at-saint-aubin"


def begun(key: str, play: str, seed: str) -> Play[State]:
    plot = plot_of(PACKAGE, key, {"play": play}, seed)
    names = Random(seed)
    return Play(PACKAGE, PACKAGE.begin(plot.setting, lambda key: new_id(names)), plot.seats, secret=seed.encode())


def ordered(play: Play[State], seat: str, state: State | None = None) -> Wish | None:
    """What he would order of a seat, in this state or in another."""
    chair = play.seats[seat]
    believed = believed_of(PACKAGE, play.state if state is None else state, chair)
    return PLAIN.order(believed, chair, partial(PACKAGE.options, believed, chair), Random("x"))


def given(fight: Battle, seat: str) -> dict[str, Any]:
    wish = ordered(fight.play, seat)
    assert wish is not None
    return dict(wish.order)


@pytest.mark.parametrize("play", MODES)
@pytest.mark.parametrize("key", sorted(PACKAGE.scenarios()))
def test_his_first_orders_are_accepted_and_break_nothing(key: str, play: str) -> None:
    fight, player = begun(key, play, "first orders"), Player("first orders", PLAIN)
    for number in range(24):
        act = player.next_act(fight, number, None)
        assert act is not None
        moment = before_act(fight, act, number, Random(f"check {number}"))
        do(fight, act)
        player.note(fight, act)
        for check in trials.checks(PACKAGE, "light"):
            check(moment)


@pytest.mark.parametrize("play", MODES)
def test_a_battle_that_he_leads_ends(play: str) -> None:
    game = play_game(PACKAGE, plot_of(PACKAGE, TEACHING, {"play": play}, "whole", level="none", generals="plain"))
    assert game.fault == ""
    assert 1 <= game.turns <= 7
    assert game.winner in ("us", "ge")


@pytest.mark.parametrize("seed", range(2))
def test_what_is_hidden_from_him_changes_none_of_his_orders(seed: int) -> None:
    """In other truths with the same slice he gives the same orders, as far as a blind battle has come."""
    fight, player = begun(TEACHING, "blind", f"twins {seed}"), Player(f"twins {seed}", PLAIN)
    random, compared = Random(seed), 0
    for number in range(30):
        act = player.next_act(fight, number, None)
        if act is None:
            break
        if act["act"] == "order" and number % 3 == 0:
            other = another(fight.state, act["seat"], random)
            assert other != fight.state
            assert ordered(fight, act["seat"], other) == ordered(fight, act["seat"])
            compared += 1
        do(fight, act)
        player.note(fight, act)
    assert compared > 5


def test_he_takes_nothing_but_beliefs() -> None:
    for function in (Plain.order, Plain.answer, Operations.__init__, Assessment.__init__):
        assert "believed" in inspect.signature(function).parameters
        assert get_type_hints(function)["believed"] is Believed


# What is expected of him


FIELD = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""


def goal(side: str, hexes: str) -> dict[str, Any]:
    """An objective of one side, which the other one holds."""
    other = "ge" if side == "us" else "us"
    return {
        "zone": [{"key": "goal", "name": "the goal", "hexes": hexes}],
        "objective": [{"key": "goal", "side": side, "deed": "control", "points": 1, "name": "goal", "zone": "goal"}],
        "control": {other: hexes},
    }


@pytest.mark.rule("core 5.1")
def test_he_falls_upon_the_shaken() -> None:
    pieces = "us first squad 2-5-4-6 C3\nge broken squad 1-6-4-5 E3 shaken\nge far squad 1-6-4-5 H6 fired"
    order = given(battle(FIELD, pieces, **goal("us", "H1")), "us")
    assert (order["verb"], tuple(order["path"][-1])) == ("Move", (5, 3, 0))


@pytest.mark.rule("core 6.0")
def test_he_marches_towards_what_scores() -> None:
    order = given(battle(FIELD, "us first squad 2-5-4-6 A3\nge far squad 0-1-4-5 H6", **goal("us", "G1")), "us")
    assert order["verb"] == "Move"
    assert order["path"][-1][0] > 3


@pytest.mark.rule("core 4.0")
def test_who_holds_what_he_wants_and_sees_nobody_passes() -> None:
    fight = battle(FIELD, "us first squad 2-5-4-6 A1\nge keeper squad 0-1-4-5 H6", active="ge", **goal("us", "H6"))
    assert given(fight, "ge") == {"verb": "Pass"}


@pytest.mark.parametrize("late", ["us/other late squad 2-5-4-6 A3 arrives never\n", ""])
def test_a_command_with_nobody_on_the_map_is_no_fault(late: str) -> None:
    """In a blind battle it sees nobody at all, its own side's other command neither."""
    pieces = f"us/one first squad 2-5-4-6 A1\nus/other gone squad 2-5-4-6 C1\n{late}ge keeper squad 1-6-4-5 H6"
    small = battle(FIELD, pieces, phase="set_up", options={"play": "blind"}).play
    play = Play(PACKAGE, small.first, small.seats, secret=b"late")
    play.correct({"verb": "Remove", "piece": "gone"}, "to be tested")
    player, turns = Player("late", PLAIN), set()
    for number in range(40):
        act = player.next_act(play, number, None)
        if act is None:
            break
        do(play, act)
        player.note(play, act)
        turns.add(play.state.public.turn)
    assert len(turns) > 2


@pytest.mark.rule("core 5.0", "core 5.1")
def test_what_fire_costs_a_squad_is_counted_from_the_dice() -> None:
    """Attack and defence level, morale 5, in Good Order: the attack is ahead by d = 1 to 5 in 5, 4, 3, 2, 1 of the 36
    pairs. Then a die + d is above 5 for d + 1 faces of six: Shaken, but casualties from 10 on, which are a 6 with 4 and
    a 5 or 6 with 5."""
    fight = battle(FIELD, "us first squad 2-5-4-6 A3\nge keeper squad 1-6-4-5 H6")
    pairs = {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}
    casualties = {1: 0, 2: 0, 3: 0, 4: 1, 5: 2}
    expected = sum(
        count / 36 * ((ahead + 1 - casualties[ahead]) * 0.45 + casualties[ahead] * 0.75) / 6
        for ahead, count in pairs.items()
    )
    assert harm(scale_of(fight.state, fight.unit("keeper")), 0) == pytest.approx(expected)
