"""What the umpire does while dice are waited for stands, and the ruling goes on from there."""

from __future__ import annotations

from typing import Any

from fireforce.package import PACKAGE
from fireforce.rules.hidden import spotting
from fireforce.state.finding import (
    figure,
    figures,
    squad,
)
from fireforce.state.setting import ground_of
from fireforce.testing.conformance import SEATS, _met, attacks
from umpire.testing.play.battle import Play


def waiting_for_a_save() -> Play[Any]:
    """Aimed fire at the Ford group, typed dice, up to the first saving throw that is waited for."""
    play = Play(PACKAGE, _met("firing"), SEATS, typed=True)
    order = next(attack.order for attack in attacks() if attack.name == "aimed fire")
    target = play.state.umpire.aliases["platoon"]["ford-leader"]
    shooters = ["one-leader", "one-assistant", "one-gunner"]
    assert play.order("platoon", {**order, "figures": shooters, "target": target}) == []
    for _ in range(20):
        waiting = play.waiting
        assert waiting is not None, "nobody was hit"
        if waiting.roll is None:
            command, question = next(iter(waiting.questions.items()))
            assert play.answer(command, question.default) == []
        elif waiting.roll.purpose == "save":
            return play
        else:
            assert play.throw([waiting.roll.sides] * waiting.roll.count) == []
    raise AssertionError("no saving throw is made")


def finish(play: Play[Any], face: int) -> None:
    for _ in range(20):
        if play.position.open is None:
            return
        assert play.position.open.fault is None, play.position.open.fault
        assert play.waiting is not None
        if play.waiting.roll is None:
            command, question = next(iter(play.waiting.questions.items()))
            assert play.answer(command, question.default) == []
        else:
            assert play.throw([min(face, play.waiting.roll.sides)] * play.waiting.roll.count) == []


def test_a_man_killed_by_the_umpire_is_counted_with_those_who_fall_after_him() -> None:
    play = waiting_for_a_save()
    hit = play.waiting.roll.subject.split()[0]
    other = next(man.id for man in figures(play.state) if man.squad == "ford-group" and man.id != hit)
    play.correct({"verb": "Kill", "figure": other}, "a stray shot")
    finish(play, 1)
    lost = [man for man in figures(play.state) if man.squad == "ford-group" and not man.is_fit]
    assert {hit, other} <= {man.id for man in lost}
    assert squad(play.state, "ford-group").casualties == len(lost)
    assert list(PACKAGE.problems(play.state)) == []


def test_who_is_dead_already_needs_no_saving_throw() -> None:
    play = waiting_for_a_save()
    hit = play.waiting.roll.subject.split()[0]
    play.correct({"verb": "Kill", "figure": hit}, "he is dead")
    finish(play, 10)
    assert figure(play.state, hit).status == "casualty"
    assert not figure(play.state, hit).pinned
    assert list(PACKAGE.problems(play.state)) == []


def test_what_is_seen_of_a_way_is_the_same_whatever_is_remembered() -> None:
    """First with nothing remembered, then with all that was worked out."""
    state = _met("motivation_movement")
    man = figure(state, "scout-leader")
    lookers = spotting.observers(state, "cell")
    path = [man.at, (3300, 3000), (4300, 3100)]
    first = spotting.seen_on_the_way(state, man, path, 1500)
    assert spotting.seen_on_the_way(state, man, path, 1500) == first
    assert spotting._any_sees(ground_of(state), path, lookers, ((0, 1500),))
