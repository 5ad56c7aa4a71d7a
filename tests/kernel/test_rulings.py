"""Rulings that run, wait, are overridden, diverge, raise and are overtaken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tests.kernel.tables import ORDER, Table, begun, names, play_of, position_of, setting, which
from umpire.kernel import running
from umpire.kernel.codec import encode, state_digest
from umpire.kernel.dice import RandomDice, ScriptedDice, ServerDice
from umpire.kernel.events import Lost
from umpire.kernel.ledger import Answered, Corrected, Ended, Thrown
from umpire.kernel.rulings import Overtaken, Roll, Ruling, ask, draw, offer, read, roll, tell
from umpire.testing.play.battle import Play
from umpire.testing.skirmish import Skirmish
from umpire.testing.skirmish.events import Fired, Hit, Placed
from umpire.testing.skirmish.state import State, units

QUESTION = which("ash", "birch")
RED = "rowan"


def hit_whom(state: State) -> Ruling[State]:
    """Something happens, one is asked who is hit, and the state after the question is used."""
    state = yield from tell(Placed(unit="rowan", at=4))
    state, taken = yield from ask("blue_1", QUESTION)
    return (yield from tell(Hit(unit=taken[0], steps=units(state)[taken[0]].steps - 1)))


def two_dice(state: State) -> Ruling[State]:
    first = yield from roll("1d6", "first", by="blue_1", bands=[(1, 3, "low"), (4, 6, "high")])
    yield from tell(Placed(unit="ash", at=2 if first.result == "high" else 3))
    second = yield from roll("2d6", "second", by="red_1", secret=True)
    return (yield from tell(Placed(unit="rowan", at=5 if second.total > 7 else 4)))


def who_fires(state: State) -> Ruling[State]:
    """Everybody is offered a shot until nobody takes one."""
    left = [RED, "ash", "birch"]
    while left:
        able = {"blue_1": [name for name in ("ash", "birch") if name in left], "red_1": left[:1] if RED in left else []}
        questions = {command: which(*mine, least=0, default=()) for command, mine in able.items() if mine}
        state, command, taken = yield from offer(questions)
        if command is None:
            return state
        left.remove(taken[0])
        if taken[0] in units(state):
            state = yield from tell(Fired(unit=taken[0], at=3, result="miss"))
    return state


# Waiting and going on


def test_a_ruling_waits_at_a_question_and_goes_on_with_the_answer() -> None:
    play = play_of(hit_whom)
    assert play.order("blue_1", ORDER) == []
    assert play.waiting is not None
    assert play.asked("blue_1") == {"blue_1": QUESTION}
    assert play.asked("red_1") == {}
    assert units(play.state)["rowan"].hex == 4  # what it has told is told
    assert names(play.tree.path()) == ["Begun", "Placed", "Asked"]
    assert play.answer("blue_1", ["birch"], by="blue_1") == []
    assert names(play.tree.path())[3:] == ["Answered", "Hit", "Ended"]
    assert units(play.state)["birch"].steps == 1
    assert play.waiting is None


def test_only_those_who_are_asked_may_answer_and_only_what_is_asked() -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    before = play.tree.path()
    (refusal,) = play.answer("red_1", ["ash"])
    assert refusal.field == "command"
    (refusal,) = play.answer("blue_1", ["rowan"])
    assert "'rowan' is not among the choices (ash, birch)" in refusal.reason
    assert play.answer("blue_1", [])
    assert play.answer("blue_1", ["ash", "ash"])
    assert play.tree.path() == before


def test_an_order_given_meanwhile_is_held_and_checked_again() -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    assert play.order("red_1", {"verb": "standing_orders", "command": "red_1", "fire": "any"}) == []
    assert len(play.held) == 1
    play.answer("blue_1", ["ash"])
    assert play.held == []
    assert [entry.giver for entry in play.tree.path() if hasattr(entry, "giver")] == ["blue_1", "red_1"]
    with pytest.raises(ValueError, match="another ruling waits"):
        running.begin(play.package, play.position, begun(), play.sources)


def test_a_restarted_process_waits_at_the_same_place() -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    other = play.restarted()
    assert other.position.state == play.state
    assert encode(other.waiting) == encode(play.waiting)
    other.answer("blue_1", ["ash"])
    play.answer("blue_1", ["ash"])
    assert encode(other.tree.path()) == encode(play.tree.path())
    assert play.folded() == play.state == other.state


@pytest.mark.parametrize(
    ("answers", "fired"),
    [
        ([("red_1", ()), ("blue_1", ())], []),
        ([("blue_1", ("birch",)), ("red_1", ()), ("blue_1", ())], ["birch"]),
        ([("red_1", ("rowan",)), ("blue_1", ("ash",)), ("blue_1", ())], ["rowan", "ash"]),
    ],
)
def test_an_offer_goes_to_the_first_taker_or_all_decline(
    answers: Sequence[tuple[str, tuple[str, ...]]], fired: Sequence[str]
) -> None:
    play = play_of(who_fires)
    play.order("blue_1", ORDER)
    for command, choices in answers:
        assert play.waiting is not None
        assert play.waiting.offer
        assert play.answer(command, choices) == []
    assert play.waiting is None
    assert [name for name, unit in units(play.state).items() if unit.fired] == sorted(fired)


def test_who_has_declined_an_offer_is_not_asked_again_for_it() -> None:
    play = play_of(who_fires)
    play.order("blue_1", ORDER)
    play.answer("red_1", [])
    assert play.waiting is not None
    assert list(play.waiting.questions) == ["blue_1"]
    assert play.answer("red_1", ["rowan"])[0].field == "command"
    assert list((play.restarted().waiting or play.waiting).questions) == ["blue_1"]


def test_standing_orders_answer_at_once_and_stand_in_the_ledger() -> None:
    class Standing(Table):
        def reply(self, believed: Any, question: Any) -> tuple[str, ...] | None:
            return ("birch",)

    package = Standing(hit_whom)
    state = package.begin(setting(), lambda key: key)
    seats = {"blue_1": play_of(hit_whom).seats["blue_1"]}
    play = Play(package, state, seats)
    play.order("blue_1", ORDER)
    assert play.waiting is None
    (answered,) = [entry for entry in play.tree.path() if isinstance(entry, Answered)]
    assert (answered.how, answered.choices) == ("standing", ("birch",))
    asked = Play(package, state, seats, standing=False)
    asked.order("blue_1", ORDER)
    assert asked.waiting is not None


def test_a_standing_order_that_will_not_do_is_a_fault_that_blocks_nothing() -> None:
    class Wrong(Table):
        def reply(self, believed: Any, question: Any) -> tuple[str, ...] | None:
            return ("nobody",)

    play = Play(Wrong(hit_whom), Wrong(hit_whom).begin(setting(), lambda key: key), play_of(hit_whom).seats)
    play.order("blue_1", ORDER)
    assert play.position.open is not None
    assert play.position.open.fault is not None
    assert "'nobody' is not among the choices" in play.position.open.fault.text
    play.stop("the package is at fault")
    assert play.position.open is None
    assert units(play.state)["rowan"].hex == 4


# Dice


def test_typed_dice_are_waited_for_checked_and_used() -> None:
    play = play_of(two_dice, typed=True)
    play.order("blue_1", ORDER)
    assert play.waiting is not None
    assert play.waiting.roll is not None
    assert [band.result for band in play.waiting.roll.bands] == ["low", "high"]
    for wrong in ([0], [7], [], [3, 3]):
        (refusal,) = play.throw(wrong)
        assert refusal.reason == f"first: 1 dice with faces 1 to 6 are wanted, not {wrong}."
    assert play.throw([5], by="blue_1") == []
    assert units(play.state)["ash"].hex == 2
    assert play.waiting is None  # the second is secret: thrown here, though dice are typed
    thrown = [entry for entry in play.tree.path() if isinstance(entry, Thrown)]
    assert [entry.by for entry in thrown] == ["blue_1", "server"]
    assert play.throw([3])[0].reason == "No dice are waited for."


def test_a_ruling_run_again_rolls_no_die_of_its_own() -> None:
    play = play_of(two_dice)
    play.order("blue_1", ORDER)
    path = play.tree.path()

    class NoDice(RandomDice):
        def roll(self, made: Roll, n: int) -> tuple[int, ...] | None:
            raise AssertionError("a recorded roll was made again")

    again = running.position_of(play.package, play.first, path[:-1], lambda _: NoDice(Random(1)))
    assert again.state == play.state
    assert again.open is not None
    assert again.open.fault is None


def test_recorded_dice_give_the_same_ruling_from_its_start() -> None:
    play = play_of(two_dice)
    play.order("blue_1", ORDER)
    own = play.tree.path()[1:]
    source = running.recorded(own, RandomDice(Random(9)))
    done = running.begin(play.package, position_of(play.first), begun(), lambda _: source)
    assert [encode(entry) for entry in done.entries[1:]] == [encode(entry) for entry in own]
    assert source.roll(Roll(purpose="another"), 0) is not None  # what is not recorded comes from the other source


def test_bands_must_cover_each_face_once() -> None:
    with pytest.raises(ValueError, match="4 is in 0 bands"):
        next(roll("1d6", "gap", bands=[(1, 3, "low"), (5, 6, "high")]))
    with pytest.raises(ValueError, match="3 is in 2 bands"):
        next(roll("1d6", "overlap", bands=[(1, 3, "low"), (3, 6, "high")]))
    with pytest.raises(ValueError, match="2 is in 0 bands"):
        next(roll("2d6", "too few", bands=[(3, 12, "all")]))
    with pytest.raises(ValueError, match="nothing to draw from"):
        next(draw([], "a card"))


def test_dice_are_read_together_or_each() -> None:
    together = read(Roll(count=2, purpose="t"), (3, 4))
    assert (together.result, together.total) == ("7", 7)
    bands = next(roll("3d6", "hits", bands=[(1, 3, "miss"), (4, 6, "hit")], each=True))
    assert isinstance(bands, Roll)
    assert read(bands, (1, 4, 6)).results == ("miss", "hit", "hit")


def test_a_script_that_does_not_fit_is_a_fault_in_words() -> None:
    play = play_of(two_dice, script=ScriptedDice([("second", (1,))]))
    play.order("blue_1", ORDER)
    assert play.position.open is not None
    assert play.position.open.fault is not None
    assert "a roll for 'first' was made where the script has 'second'" in play.position.open.fault.text


# Overrides


def test_an_override_at_a_question_is_in_the_state_after_it() -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    play.correct({"verb": "set_steps", "unit": "ash", "steps": 1}, "he was wounded before")
    assert play.waiting is not None
    play.answer("blue_1", ["birch"])
    assert units(play.state)["ash"].steps == 1
    assert units(play.state)["birch"].steps == 1
    assert play.restarted().state == play.folded() == play.state
    corrected = [entry for entry in play.tree.path() if isinstance(entry, Corrected)]
    assert [(entry.by, entry.reason) for entry in corrected] == [("umpire", "he was wounded before")]


def test_a_ruling_whose_subject_was_taken_away_is_overtaken() -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    play.correct({"verb": "remove", "unit": "birch"}, "he was never there")
    play.answer("blue_1", ["birch"])
    (ended,) = [entry for entry in play.tree.path() if isinstance(entry, Ended)]
    assert ended.how == "overtaken"
    assert "birch" in ended.reason
    assert play.position.open is None
    assert play.restarted().state == play.folded() == play.state


def test_a_ruling_may_say_itself_that_it_is_overtaken() -> None:
    def stops(state: State) -> Ruling[State]:
        state, _ = yield from ask("blue_1", QUESTION)
        if "ash" not in units(state):
            raise Overtaken("Ash is gone")
        return (yield from tell(Hit(unit="ash", steps=1)))

    play = play_of(stops)
    play.order("blue_1", ORDER)
    play.correct({"verb": "remove", "unit": "ash"}, "")
    play.answer("blue_1", ["birch"])
    assert play.tree.path()[-1] == Ended(how="overtaken", reason="Ash is gone")


def test_an_override_while_dice_are_typed_is_applied_at_that_roll_also_when_run_again() -> None:
    """The ruling has asked for dice by the state before the override: run again it must ask for the same."""

    def by_place(state: State) -> Ruling[State]:
        state = yield from tell(Placed(unit="rowan", at=4))
        yield from roll("1d6", f"from hex {units(state)['ash'].hex}", by="blue_1")
        state = yield from tell(Fired(unit="ash", at=4, result="miss"))
        return (yield from tell(Hit(unit="rowan", steps=1 if units(state)["ash"].hex == 3 else 2)))

    play = play_of(by_place, typed=True)
    play.order("blue_1", ORDER)
    play.correct({"verb": "place", "unit": "ash", "at": 3}, "moved")
    other = play.restarted()
    assert encode(other.waiting) == encode(play.waiting)
    assert other.state == play.state
    for each in (play, other):
        assert each.throw([2]) == []
        assert each.position.open is None
        assert units(each.state)["rowan"].steps == 1
    assert play.restarted().state == play.state


def test_an_override_between_two_answers_to_an_offer() -> None:
    play = play_of(who_fires)
    play.order("blue_1", ORDER)
    play.answer("blue_1", [])
    play.correct({"verb": "remove", "unit": "rowan"}, "")
    play.answer("red_1", ["rowan"])
    assert play.waiting is not None
    other = play.restarted()
    assert other.state == play.state
    assert encode(other.waiting) == encode(play.waiting)


# Changed code


def under(play: Play[State], chapter: Callable[[State], Ruling[State]]) -> Play[State]:
    other = play.restarted()
    other.package = Table(chapter)
    other.position = running.position_of(other.package, other.first, other.tree.path(), other.sources)
    return other


def rolls_first(state: State) -> Ruling[State]:
    yield from roll("1d6", "a new roll")
    return (yield from hit_whom(state))


def asks_otherwise(state: State) -> Ruling[State]:
    state = yield from tell(Placed(unit="rowan", at=4))
    state, _ = yield from ask("blue_1", which("ash", "birch", "rowan"))
    return state


def ends_at_once(state: State) -> Ruling[State]:
    return state
    yield


def is_overtaken_at_once(state: State) -> Ruling[State]:
    raise Overtaken("it knows nothing of an override")
    yield


def raises(state: State) -> Ruling[State]:
    yield from tell(Placed(unit="rowan", at=4))
    raise ZeroDivisionError("a fault")


def raises_before_it_begins(state: State) -> Ruling[State]:
    raise ZeroDivisionError("no ruling at all")


@pytest.mark.parametrize(
    ("chapter", "how", "says"),
    [
        (rolls_first, "diverged", "rolls for a new roll where the ledger has the event Placed"),
        (asks_otherwise, "diverged", "a question to blue_1 where the ledger has a question to blue_1"),
        (ends_at_once, "diverged", "the ruling ends where the ledger has the event Placed"),
        (is_overtaken_at_once, "diverged", "the ruling ends where the ledger has the event Placed"),
        (raises, "raised", "ZeroDivisionError: a fault"),
        (raises_before_it_begins, "raised", "ZeroDivisionError: no ruling at all"),
    ],
)
def test_changed_code_leaves_what_was_told_and_blocks_nothing(
    chapter: Callable[[State], Ruling[State]], how: str, says: str
) -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    other = under(play, chapter)
    opened = other.position.open
    assert opened is not None
    assert opened.fault is not None
    assert opened.fault.how == how
    assert says in opened.fault.text
    assert other.state == other.folded() == play.state  # what was told stands
    assert other.answer("blue_1", ["ash"])  # nothing is waited for; the umpire decides
    ended = under(play, chapter)
    ended.stop("the rules have changed")
    assert ended.tree.path()[-1] == Ended(how="stopped", reason="the rules have changed")
    assert ended.state == play.state
    taken_back = under(play, chapter)
    taken_back.rewind(0)
    assert taken_back.state == play.first
    mended = under(under(play, chapter), hit_whom)
    assert encode(mended.waiting) == encode(play.waiting)


def test_an_order_that_no_longer_can_be_read_is_a_fault_and_not_a_crash() -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    opened = play.position.open
    assert opened is not None
    old = replace(opened.begun, order={"verb": "march"})
    again = running.position_of(play.package, play.first, [old, *opened.tape], play.sources)
    assert again.open is not None
    assert again.open.fault is not None
    assert again.open.fault.how == "raised"
    assert "march" in again.open.fault.text


def test_a_ruling_must_not_tell_knowledge() -> None:
    def tells_knowledge(state: State) -> Ruling[State]:
        return (yield from tell(Lost(command="red_1", alias="x")))

    play = play_of(tells_knowledge)
    play.order("blue_1", ORDER)
    assert play.position.open is not None
    assert play.position.open.fault is not None
    assert "knowledge is written by `notice` alone" in play.position.open.fault.text


def test_a_package_in_which_something_follows_for_ever_is_at_fault() -> None:
    class Endless(Skirmish):
        def advance(self, state: State) -> Ruling[State]:
            return (yield from tell(Placed(unit="ash", at=0)))

    with pytest.raises(RuntimeError, match="more than 200 rulings followed from one order"):
        Play(Endless(), Endless().begin(setting(), lambda key: key), {})


# Rewinds into the middle


def test_a_rewind_before_behind_and_to_a_question() -> None:
    play = play_of(hit_whom)
    play.order("blue_1", ORDER)
    play.answer("blue_1", ["birch"])
    whole, digest = play.tree.path(), state_digest(play.state)
    assert names(whole) == ["Begun", "Placed", "Asked", "Answered", "Hit", "Ended"]
    for depth, waits in ((3, True), (2, False), (1, False)):
        other = play.copied()
        other.rewind(depth)
        assert (other.waiting is not None) is waits
        assert other.tree.path(0) == whole
        if not waits:
            other.go_on()
        assert other.waiting is not None
        other.answer("blue_1", ["birch"])
        assert state_digest(other.state) == digest
        assert other.folded() == other.state
    behind = play.copied()
    behind.rewind(4)
    behind.go_on()  # the answer that was given is kept
    assert encode(behind.tree.path()) == encode(whole)


def test_fresh_dice_fall_otherwise_also_in_the_middle_of_an_order() -> None:
    def many(state: State) -> Ruling[State]:
        yield from tell(Placed(unit="rowan", at=4))
        yield from roll("8d6", "many", by="blue_1")
        return (yield from tell(Placed(unit="rowan", at=3)))

    play = play_of(many)
    play.order("blue_1", ORDER)

    def faces(each: Play[State]) -> list[Any]:
        return [entry.faces for entry in each.tree.path() if isinstance(entry, Thrown)]

    for depth in (0, 2):
        kept, fresh = play.copied(), play.copied()
        kept.rewind(depth)
        fresh.rewind(depth, fresh=True)
        for other in (kept, fresh):
            if other.position.open is not None:
                other.go_on()
            else:
                other.order("blue_1", ORDER)
        assert faces(kept) == faces(play)
        assert faces(fresh) != faces(play)
        assert len(faces(fresh)) == 1


def test_what_follows_by_itself_follows_after_a_rewind_between_orders() -> None:
    package = Skirmish()
    state = package.begin(setting(), lambda key: key)
    play = Play(package, state, {"blue_1": play_of(hit_whom).seats["blue_1"]})
    play.order("blue_1", ORDER)
    assert play.state.public.side == "red"
    path = play.tree.path()
    depth = next(index for index, entry in enumerate(path) if isinstance(entry, Ended)) + 1
    play.rewind(depth)
    assert play.state.public.side == "red"
    assert play.folded() == play.state


def test_what_follows_is_drawn_on_the_dice_line_of_the_order() -> None:
    class Weather(Table):
        def advance(self, state: State) -> Ruling[State]:
            if state.public.turn == 1 and units(state)["ash"].hex == 0:
                yield from roll("8d6", "weather", subject="turn 1")
                state = yield from tell(Placed(unit="ash", at=2))
            return state

    package = Weather(ends_at_once)
    state = package.begin(setting(), lambda key: key)
    play = Play(package, replace(state), {"blue_1": play_of(hit_whom).seats["blue_1"]})
    play.rewind(0, fresh=True)
    begins = [entry for entry in play.tree.path() if hasattr(entry, "dice")]
    assert [entry.dice for entry in begins] == [1]
    first = [entry.faces for entry in play.tree.path(0) if isinstance(entry, Thrown)]
    second = [entry.faces for entry in play.tree.path() if isinstance(entry, Thrown)]
    assert first != second


def test_server_dice_of_a_ruling_are_named_by_its_order() -> None:
    one, other = play_of(two_dice), play_of(two_dice)
    one.order("blue_1", ORDER)
    other.order("blue_1", {"verb": "standing_orders", "command": "blue_1", "fire": "any"})
    faces = [[entry.faces for entry in play.tree.path() if isinstance(entry, Thrown)] for play in (one, other)]
    assert faces[0] != faces[1]
    assert isinstance(one.sources(begun()), ServerDice)
