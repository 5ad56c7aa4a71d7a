"""The umpire's hand, for all games: every field of every correction tried with what it cannot be, every form with what
it can; and play goes on from there."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from fireforce.testing.conformance import CONFORMANCE as FIREFORCE
from lnl.testing.conformance import CONFORMANCE as LOCK_N_LOAD
from umpire.kernel import forms as kernel_forms
from umpire.kernel.codec import encode
from umpire.kernel.forms import ChoiceSlot, Form, ListSlot, PointSlot, Slot
from umpire.kernel.hand.forms import correction_of, hand_forms
from umpire.kernel.registry import Refused
from umpire.testing.conformance.fixture import Conformance
from umpire.testing.conformance.odd_hands import Odd, unmarked
from umpire.testing.play.battle import Play
from umpire.testing.play.checks import unruled
from umpire.testing.play.random_play import do, next_act, settled
from umpire.testing.skirmish.conformance import CONFORMANCE as SKIRMISH

GAMES = {"skirmish": SKIRMISH, "lnl": LOCK_N_LOAD, "fireforce": FIREFORCE}
NEED_MORE = {"Conceal", "DropContact", "DropPlan", "Heal"}
"""Corrections that need something to have happened before."""


def begun(game: Conformance, which: str, seed: int) -> Play[Any]:
    """A battle in which some acts have been done."""
    random = Random(seed)
    names = iter(range(10_000))
    state = game.package.begin(game.settings[which](), lambda key: f"n{next(names):04d}")
    play: Play[Any] = Play(game.package, state, game.seats, secret=b"hand")
    for _ in range(10):
        act = next_act(play, random)
        assert act is not None
        do(play, act)
    settled(play, random)
    return play


def places(game: Conformance, play: Play[Any]) -> list[Any]:
    return [piece.at for piece in game.package.truth(play.state).pieces.values() if piece.at]


def tried(play: Play[Any], correction: Any) -> str:
    """Makes a correction: "" where it is taken, else the words in which it is refused. Nothing else may happen."""
    before = play.state
    try:
        play.correct(correction, "tried")
    except (Refused, msgspec.ValidationError) as refused:
        assert play.state is before
        words = str(refused)
        assert words.strip(), correction
        assert len(words) < 1500, words
        return words
    return ""


@pytest.mark.parametrize("game", GAMES)
def test_each_field_says_what_it_may_hold(game: str) -> None:
    package = GAMES[game].package
    assert list(unmarked(package.hand, package.corrections)) == []


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_is_refused_in_words_and_play_goes_on(game: str) -> None:
    """A correction is taken or refused in words; what is taken leaves a battle that can go on."""
    fixture = GAMES[game]
    which = sorted(fixture.settings)[0]
    first = play = begun(fixture, which, 3)
    random = Random(7)
    taken: Counter[str] = Counter()
    odd = Odd(play.package.hand, play.package.corrections, play.state, places(fixture, play), random)
    since, verb = 0, ""
    for correction in odd.all():
        if correction["verb"] != verb:
            play, since, verb = first.copied(), 0, correction["verb"]
        if tried(play, encoded(correction)):
            continue
        assert not unruled(play), correction
        taken[correction["verb"]] += 1
        since += 1
        if since < 10 and play.waiting is None:
            continue
        # Every few corrections the battle goes on, and then begins again, or too little would be left of it.
        for _ in range(2):
            settled(play, random)
            if (act := next_act(play, random)) is None:
                break
            do(play, act)
        settled(play, random)
        assert not unruled(play), correction
        play, since = first.copied(), 0
    verbs = {each.__struct_config__.tag for each in odd.corrections}
    assert verbs - set(taken) <= NEED_MORE, taken


def encoded(correction: Any) -> Any:
    """A correction as it comes in: plain JSON."""
    return msgspec.json.decode(encode(correction))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_offered_to_the_umpire_is_taken(game: str) -> None:
    """Each form, for the battle and for a piece of each kind, is taken with some of its values; with others it may be
    refused, in words."""
    fixture = GAMES[game]
    random = Random(5)
    for which in fixture.settings:
        play = begun(fixture, which, 4)
        where = places(fixture, play)
        known = play.package.hand.kinds["piece"].known
        pieces = {type(play.package.hand.find(play.state, key)): key for key in known(play.state)}
        for piece in (None, *pieces.values()):
            for form in hand_forms(play.package, play.state, piece):
                assert is_offered(play, form, where, random), form


def is_offered(play: Play[Any], form: Form, where: list[Any], random: Random) -> bool:
    return any(
        not tried(play.copied(), correction_of(form, {slot.name: sampled(slot, where, random) for slot in form.slots}))
        for _ in range(60)
    )


def sampled(slot: Slot, where: list[Any], random: Random) -> Any:
    if isinstance(slot, PointSlot):
        return list(random.choice(where))
    if isinstance(slot, ListSlot):
        return kernel_forms.sample_list(slot, random, lambda inner, rand: sampled(inner, where, rand))
    if isinstance(slot, ChoiceSlot) and slot.many:
        return [choice.id for choice in random.sample(slot.choices, random.randint(0, 1))]
    return kernel_forms.sample(slot, random)
