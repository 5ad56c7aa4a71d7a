"""Generals of self-play: whose wish is done, who waits, and what is said where there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from umpire.kernel.forms import Form, order_of
from umpire.kernel.registry import Wish
from umpire.kernel.rulings import Question
from umpire.kernel.states import Seat
from umpire.testing.play import selfplay as games
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import settled
from umpire.testing.skirmish import PACKAGE, Skirmish

Offered = Callable[[str | None], Sequence[Form]]


class Ender:
    """Gives the first order that needs no choice; some seats want it more than others, some wish nothing."""

    def __init__(self, worth: dict[str, float]) -> None:
        self.worth = worth
        self.asked: list[str] = []

    def order(self, believed: Any, seat: Seat, offered: Offered, random: Random) -> Wish | None:
        self.asked.append(seat.name)
        form = next((form for form in offered(None) if not form.slots), None)
        if form is None or seat.name not in self.worth:
            return None
        return Wish(order=order_of(form, {}), worth=self.worth[seat.name])

    def answer(self, believed: Any, command: str, question: Question, random: Random) -> tuple[str, ...]:
        return question.default


def battle(**more: Any) -> Play[Any]:
    """A battle of the toy game when its plans have been carried on."""
    play = games.battle_of(PACKAGE, games.plot_of(PACKAGE, "the-lane", {}, "a seed", level="none", **more))
    while due := PACKAGE.due(play.state):
        play.carry(due[0])
        settled(play)
    return play


def test_a_package_without_generals_says_so() -> None:
    with pytest.raises(LookupError, match="skirmish has no generals 'plain'; it has: none"):
        battle(generals="plain")


def test_the_seat_to_which_its_order_is_worth_most_gives_it() -> None:
    play = battle()
    names = [name for name, seat in play.seats.items() if seat.role == "player"]
    able = [name for name in names if any(not form.slots for form in play.options(name, None))]
    assert len(able) > 1
    for best in able:
        general = Ender({name: 2.0 if name == best else 1.0 for name in able})
        act = games.Player("a seed", general).next_act(play, 0, None)
        assert act is not None
        assert act["seat"] == best
        assert set(general.asked) == set(names)


def test_where_nobody_wishes_anything_a_legal_order_is_given_at_random() -> None:
    play = battle()
    act = games.Player("a seed", Ender({})).next_act(play, 0, None)
    assert act is not None
    assert not play.check(act["seat"], act["order"])


def test_a_seat_whose_order_came_to_nothing_waits_until_something_happens() -> None:
    play = battle()
    general = Ender({})
    player = games.Player("a seed", general)
    act = player.next_act(play, 0, None)
    assert act is not None
    player.note(play, act)
    player.note(play, act)  # the state is the one it was
    assert player.idle == {act["seat"]}
    general.asked.clear()
    player.next_act(play, 1, None)
    assert act["seat"] not in general.asked
    play.order(act["seat"], act["order"])
    player.note(play, act)
    assert player.idle == set()


def test_a_game_of_generals_is_played_again_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Skirmish, "generals", {"ender": Ender({})})
    game = games.play_game(PACKAGE, games.plot_of(PACKAGE, "the-lane", {}, "x", level="none", most=4, generals="ender"))
    assert "every battle ends" in game.fault
    assert games.plot_from(PACKAGE, game.dump).generals == "ender"
    game.dump["doing"] = "chooses"
    assert games.replay(PACKAGE, game.dump).acts == 4
