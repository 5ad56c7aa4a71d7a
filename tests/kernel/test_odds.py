"""Exact odds against fractions computed by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests.kernel.tables import Table, setting, which
from umpire.kernel import odds
from umpire.kernel.codec import encode
from umpire.kernel.odds import Odds, fraction_text, odds_of
from umpire.kernel.registry import Fate
from umpire.kernel.rulings import Overtaken, Ruling, ask, draw, offer, roll, tell
from umpire.kernel.states import Leak, slice_of
from umpire.kernel.values.modifiers import Modifier
from umpire.testing.skirmish.conformance import BLUE
from umpire.testing.skirmish.events import Fell, Hit, Placed
from umpire.testing.skirmish.rules import EndTurn
from umpire.testing.skirmish.state import State


def odds_with(chapter: Callable[[State], Ruling[State]]) -> Odds:
    package = Table(chapter)
    state = package.begin(setting(), lambda key: key)
    return odds_of(package, package.believed(slice_of(state, ("blue_1",))), BLUE, EndTurn(command="blue_1"))


def chances(found: Odds) -> dict[tuple[str, str], Fraction]:
    return {(fate.piece, fate.what): chance for fate, chance in found.fates.items()}


def test_two_dice_read_together() -> None:
    def seven_or_more(state: State) -> Ruling[State]:
        rolled = yield from roll("2d6", "t", bands=[(2, 6, "low"), (7, 12, "high")])
        return (yield from tell(Fell(unit="ash"))) if rolled.result == "high" else state

    found = odds_with(seven_or_more)
    assert chances(found) == {("ash", "out"): Fraction(21, 36)}
    assert found.exact
    assert found.branches <= 3  # two results, not 36 faces


def test_dice_read_one_by_one() -> None:
    def three_shots(state: State) -> Ruling[State]:
        rolled = yield from roll("3d6", "t", bands=[(1, 4, "miss"), (5, 6, "hit")], each=True)
        hits = rolled.results.count("hit")
        if hits >= 1:
            state = yield from tell(Hit(unit="ash", steps=1))
        if hits == 3:
            state = yield from tell(Fell(unit="birch"))
        return state

    assert chances(odds_with(three_shots)) == {
        ("ash", "hit"): 1 - Fraction(8, 27),
        ("birch", "out"): Fraction(1, 27),
    }


def test_one_roll_after_another_with_a_modifier() -> None:
    """To hit 4 or more; who is hit saves on 5 or more with +1: 1/2 of 1/2 is out."""

    def fire(state: State) -> Ruling[State]:
        hit = yield from roll("1d6", "hit", bands=[(1, 3, "miss"), (4, 6, "hit")])
        if hit.result == "miss":
            return state
        modifiers = [Modifier(1, "cover", "r")]
        saved = yield from roll("1d6", "save", bands=[(1, 3, "lost"), (4, 6, "saved")], modifiers=modifiers)
        return state if saved.result == "saved" else (yield from tell(Fell(unit="ash")))

    assert chances(odds_with(fire)) == {("ash", "out"): Fraction(1, 4)}


def test_the_highest_of_two_dice() -> None:
    """A six among two dice comes up in 11 of 36."""

    def fire(state: State) -> Ruling[State]:
        rolled = yield from roll("2d6", "hit", highest=True, bands=[(1, 5, "miss"), (6, 6, "hit")])
        assert rolled.result == ("hit" if max(rolled.faces) == 6 else "miss")
        return (yield from tell(Fell(unit="ash"))) if rolled.result == "hit" else state

    found = odds_with(fire)
    assert chances(found) == {("ash", "out"): Fraction(11, 36)}
    assert found.branches == 2


def test_pieces_with_rolls_of_their_own_are_walked_one_at_a_time() -> None:
    """Two pieces that roll five times each: twice 32 ways after the shot, and not 1,024."""
    names = ("ash", "birch")

    def fire(state: State) -> Ruling[State]:
        hit = yield from roll("1d6", "hit", bands=[(1, 3, "miss"), (4, 6, "hit")])
        if hit.result == "miss":
            return state
        for name in names:
            saves = 0
            for number in range(5):
                saved = yield from roll("1d6", f"save {number}", apart=name, bands=[(1, 2, "no"), (3, 6, "yes")])
                saves += saved.result == "yes"
            if saves < 5:
                state = yield from tell(Fell(unit=name))
        return state

    found = odds_with(fire)
    assert chances(found) == {(name, "out"): Fraction(1, 2) * (1 - Fraction(2, 3) ** 5) for name in names}
    assert found.exact
    assert found.branches <= 2 + 2 * 32


def test_a_roll_that_forgets_the_one_before_joins_its_paths() -> None:
    """Opposed dice: the attack beats the defence by 1 to 5 in 15 of 36 ways, which are walked as five."""

    def fire(state: State) -> Ruling[State]:
        attack = yield from roll("1d6", "attack")
        beaten = [max(0, attack.total - face) for face in range(1, 7)]
        bands = [(face, face, str(by)) for face, by in enumerate(beaten, 1)]
        defence = yield from roll("1d6", "defence", bands=bands, forgets="attack")
        fell = yield from roll("1d6", "save", bands=[(1, 3, "lost"), (4, 6, "saved")])
        if int(defence.result) >= 5 and fell.result == "lost":
            state = yield from tell(Fell(unit="ash"))
        return state

    found = odds_with(fire)
    assert chances(found) == {("ash", "out"): Fraction(1, 36) * Fraction(1, 2)}
    assert found.branches <= 20


def test_draws_are_weighted_by_how_often_a_thing_is_there() -> None:
    def card(state: State) -> Ruling[State]:
        taken = yield from draw(["ash", "ash", "birch"], "who")
        return (yield from tell(Fell(unit=taken)))

    assert chances(odds_with(card)) == {("ash", "out"): Fraction(2, 3), ("birch", "out"): Fraction(1, 3)}


def test_asides_are_one_branch() -> None:
    def with_asides(state: State) -> Ruling[State]:
        yield from draw([str(number) for number in range(50)], "hero", aside=True)
        yield from roll("3d10", "ammunition", aside=True)
        rolled = yield from roll("1d6", "t", bands=[(1, 5, "no"), (6, 6, "yes")])
        return (yield from tell(Fell(unit="ash"))) if rolled.result == "yes" else state

    found = odds_with(with_asides)
    assert chances(found) == {("ash", "out"): Fraction(1, 6)}
    assert found.branches <= 3


def test_questions_are_answered_by_their_default_and_the_odds_say_so() -> None:
    def asks(state: State) -> Ruling[State]:
        _, taken = yield from ask("red_1", which("ash", "birch", default=("birch",)))
        _, command, _ = yield from offer({"blue_1": which("ash", least=0, default=()), "red_1": which("ash")})
        assert command == "red_1"
        return (yield from tell(Fell(unit=taken[0])))

    found = odds_with(asks)
    assert chances(found) == {("birch", "out"): Fraction(1)}
    assert found.assumes == ("blue_1", "red_1")


def test_a_ruling_that_is_overtaken_ends_there() -> None:
    def overtaken(state: State) -> Ruling[State]:
        yield from tell(Placed(unit="ash", at=2))
        raise Overtaken("no")

    assert chances(odds_with(overtaken)) == {("ash", "comes to hex 2"): Fraction(1)}


def too_many(state: State) -> Ruling[State]:
    for number in range(6):
        rolled = yield from roll("1d10", "t", subject=str(number))
        if rolled.total == 1:
            state = yield from tell(Hit(unit="ash", steps=1))
    return state


def test_over_the_limit_rulings_are_sampled_and_the_same_question_has_the_same_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(odds, "SAMPLE", 1_500)
    found = odds_with(too_many)
    assert not found.exact
    assert found.branches == 1_500
    exact = 1 - Fraction(9, 10) ** 6
    assert abs(float(found.fates[Fate(piece="ash", what="hit")] - exact)) < 0.06
    assert odds_with(too_many) == found


def test_odds_are_asked_of_belief_alone() -> None:
    package = Table(too_many)
    state = package.begin(setting(), lambda key: key)
    with pytest.raises(Leak, match="State is the truth"):
        odds_of(package, state, BLUE, EndTurn(command="blue_1"))


def test_the_chances_of_all_ends_sum_to_one() -> None:
    def some(state: State) -> Ruling[State]:
        rolled = yield from roll("2d6", "t", bands=[(2, 4, "ash"), (5, 9, "birch"), (10, 12, "rowan")])
        return (yield from tell(Fell(unit=rolled.result)))

    found = chances(odds_with(some))
    assert sum(found.values()) == 1
    assert found["ash", "out"] == Fraction(6, 36)
    assert found["rowan", "out"] == Fraction(6, 36)


@pytest.mark.parametrize(
    ("chance", "over", "text"),
    [(Fraction(13, 18), 36, "26/36"), (Fraction(1, 7), 36, "1/7"), (Fraction(1), 0, "1/1"), (Fraction(0), 6, "0/6")],
)
def test_chances_are_fractions_of_whole_numbers(chance: Fraction, over: int, text: str) -> None:
    assert fraction_text(chance, over) == text


def test_odds_change_nothing() -> None:
    package: Any = Table(too_many)
    state = package.begin(setting(), lambda key: key)
    before = encode(state)
    believed = package.believed(slice_of(state, ("blue_1",)))
    odds_of(package, believed, BLUE, EndTurn(command="blue_1"))
    assert encode(state) == before
