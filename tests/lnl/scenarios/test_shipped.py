"""The shipped scenarios: what their events, plans, objectives and zones do; and that they can be played."""

from __future__ import annotations

import tomllib
from random import Random
from typing import Any

import pytest

from lnl.package import PACKAGE
from lnl.scenarios.parsing import load
from lnl.state.finding import plan_of, units, works
from lnl.state.setting import secrets_of, setting_of
from tests.lnl.building import Battle
from umpire.testing.play import trials
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import before_act, do
from umpire.testing.play.selfplay import Player, plot_of, seats_of

TEACHING, MIDDLING, LARGE = "crossroads-at-saint-aubin", "the-bridge-below-the-hill", "the-farm-by-night"
SCENARIOS = (TEACHING, MIDDLING, LARGE)
MODES = ("open", "blind")


def begun(key: str, **options: Any) -> Battle:
    """A scenario whose ids are its keys, in its first Rally Phase."""
    data = tomllib.loads(PACKAGE.scenarios()[key])
    data["scenario"].setdefault("initiative", "uk")
    setting = load(PACKAGE.scenarios()[key], file=key, options=options)
    return Battle(data, seats_of(PACKAGE, PACKAGE.begin(setting, lambda name: name)), options, {})


def put(fight: Battle, piece: str, at: str) -> None:
    fight.play.correct({"verb": "MoveTo", "piece": piece, "at": list(fight.at(at))}, "to be tested")


def happens(fight: Battle, key: str) -> None:
    fight.play.correct({"verb": "Happen", "key": key}, "to be tested")


def operations(fight: Battle, side: str) -> None:
    """Goes on to the Operations Phase, with this side to begin."""
    fight.play.correct({"verb": "SetPhase", "active": side, "phase": "operations"}, "to be tested")


def test_there_are_three_and_each_says_what_it_teaches() -> None:
    assert set(PACKAGE.scenarios()) == set(SCENARIOS)
    grades = {key: load(text, file=key).public.teaches.partition(".")[0] for key, text in PACKAGE.scenarios().items()}
    assert (grades[MIDDLING], grades[LARGE]) == ("Middling", "Large, for two players a side")


@pytest.mark.parametrize("play", MODES)
@pytest.mark.parametrize("key", SCENARIOS)
def test_each_event_can_happen_and_breaks_nothing(key: str, play: str) -> None:
    fight = begun(key, play=play)
    secrets = secrets_of(fight.state)
    for happening in secrets.happenings:
        happens(fight, happening)
        assert list(PACKAGE.problems(fight.state)) == []
    happened = {*fight.state.umpire.happened, *fight.state.public.happened}
    assert {each.marker or key for key, each in secrets.happenings.items()} == happened
    told = [each.text for event in secrets.happenings.values() for each in event.actions if each.kind == "text"]
    lines = {line for seat in fight.play.seats for line in fight.lines(seat)}
    assert all(any(text in line for line in lines) for text in told)
    for_umpire = [each.text for event in secrets.happenings.values() for each in event.actions if each.kind == "umpire"]
    assert for_umpire
    assert not any(text in line for text in for_umpire for line in lines)


@pytest.mark.parametrize("key", SCENARIOS)
def test_no_word_of_the_umpires_half_is_in_the_public_one(key: str) -> None:
    setting = load(PACKAGE.scenarios()[key], file=key, options={"play": "blind"})
    words = [
        setting.umpire.title,
        *(each.text for event in setting.umpire.happenings.values() for each in event.actions),
    ]
    assert not any(word and word in str(setting.public) for word in words)
    assert setting.public.forces == {}
    assert setting.public.works == {}


@pytest.mark.parametrize("play", MODES)
@pytest.mark.parametrize("key", SCENARIOS)
def test_the_first_acts_of_a_battle_pass_every_check(key: str, play: str) -> None:
    plot = plot_of(PACKAGE, key, {"play": play}, "first acts")
    battle = Play(PACKAGE, PACKAGE.begin(plot.setting, lambda name: name), plot.seats, secret=b"first acts")
    player = Player("first acts")
    for number in range(6):
        act = player.next_act(battle, number, None)
        assert act is not None
        moment = before_act(battle, act, number, Random(f"check {number}"))
        do(battle, act)
        player.note(battle, act)
        for check in trials.checks(PACKAGE, "full"):
            check(moment)


# The middling one


@pytest.mark.rule("core 1.7", "core 21.4")
def test_whoever_enters_the_manor_finds_where_the_mines_are() -> None:
    fight = begun(MIDDLING)
    hidden = {each.id for each in works(fight.state) if each.id not in fight.state.public.pieces}
    assert hidden == {"mines-1", "mines-2"}
    put(fight, "manor", "31J4")
    put(fight, "third", "31I9")
    operations(fight, "su")
    fight.play.order("riflemen", {"verb": "Move", "units": ["third"], "path": [list(fight.at("31I10"))]})
    assert {"mines-1", "mines-2"} <= fight.open_works
    assert any("sketch of the bridge" in line for line in fight.lines("riflemen"))


@pytest.mark.rule("core 4.0")
def test_the_reserve_waits_for_its_signal_and_then_comes_down() -> None:
    fight = begun(MIDDLING)
    operations(fight, "ge")
    assert PACKAGE.due(fight.state) == ()
    fight.give("rearguard", "Signal", command="rearguard", signal="counterattack")
    assert PACKAGE.due(fight.state) == ("reserve", "stragglers")
    before = fight.unit("reserve").at
    fight.carry("reserve")
    after, plan = fight.unit("reserve").at, plan_of(fight.state, "reserve")
    assert plan is not None
    assert after != before
    assert after in plan.legs[0].path
    assert not fight.state.public.pieces.keys() & {"reserve", "stragglers", "brandt"}


@pytest.mark.rule("core 1.7")
def test_help_comes_when_two_german_units_are_gone() -> None:
    fight = begun(MIDDLING)
    happens(fight, "help")
    assert (fight.unit("plassmann").arrives, fight.unit("relief").arrives) != (999, 999)


@pytest.mark.rule("core 2.0")
def test_the_soviets_win_at_once_when_three_of_their_units_have_left() -> None:
    fight = begun(MIDDLING)
    for piece in ("first", "second", "third"):
        put(fight, piece, "32P9")
    for piece in ("plassmann", "relief"):
        assert not fight.unit(piece).is_placed
    operations(fight, "su")
    fight.give("riflemen", "Move", units=["first", "second", "third"], path=[list(fight.at("32Q9"))])
    fight.give("riflemen", "ExitBoard", units=["first", "second", "third"])
    result = fight.state.public.result
    assert result is not None
    assert (result.winner, result.points["su"]) == ("su", 6)


# The large one


@pytest.mark.rule("core 20.0")
def test_it_is_night_and_four_commands_fight() -> None:
    fight = begun(LARGE)
    assert fight.state.public.hour == "night"
    sides = {key: command.side for key, command in setting_of(fight.state).commands.items()}
    assert sides == {"lane": "uk", "hedgerow": "uk", "farm": "ge", "orchard": "ge"}


@pytest.mark.rule("core 1.7")
def test_somebody_comes_out_of_the_cellar_when_the_yard_is_seen() -> None:
    fight = begun(LARGE)
    assert not fight.unit("cellar").is_placed
    happens(fight, "cellar")
    assert fight.unit("cellar").is_placed
    assert fight.unit("cellar").at == fight.at("J6")


@pytest.mark.rule("core 4.0")
def test_the_patrol_walks_unseen_by_a_plan_of_the_umpires() -> None:
    fight = begun(LARGE)
    operations(fight, "uk")
    assert PACKAGE.due(fight.state) == ("patrol",)
    start = fight.unit("patrol").at
    fight.carry("patrol")
    assert fight.unit("patrol").at != start


@pytest.mark.rule("core 21.1")
def test_the_bunker_is_manned_and_everybody_fits_where_players_set_up() -> None:
    fight = begun(LARGE)
    assert fight.unit("bunker-crew").at == (7, 6, -1)
    for key in SCENARIOS:
        setting = load(PACKAGE.scenarios()[key], file=key, options={"set_up": "players"})
        state = PACKAGE.begin(setting, lambda name: name)
        free = [each for each in units(state) if each.zone]
        assert free
        for each in free:
            zone = setting.public.zones[each.zone]
            assert each.at[:2] in zone.hexes, f"{key}: {each.id} stands outside of {zone.name}"
