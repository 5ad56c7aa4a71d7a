"""The conformance suite on the toy game, and on faults planted in it: each check can fail."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from umpire.kernel import registry
from umpire.kernel.codec import encode
from umpire.kernel.events import Event
from umpire.kernel.ledger import Begun
from umpire.kernel.news import News
from umpire.kernel.registry import LogLine
from umpire.kernel.rulings import draw, roll
from umpire.kernel.states import Contact
from umpire.kernel.values.modifiers import Refusal
from umpire.testing.conformance import history, sources, suite
from umpire.testing.conformance.fixture import Broken, conformance_of
from umpire.testing.play import checks
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import Failed, random_play, replay
from umpire.testing.skirmish import PACKAGE, Skirmish, firing, rules
from umpire.testing.skirmish.conformance import CONFORMANCE
from umpire.testing.skirmish.events import Entered, Fell
from umpire.testing.skirmish.hand import Remove
from umpire.testing.skirmish.state import Believed, State, units


@pytest.mark.parametrize("invariant", sorted(suite.ONCE))
def test_the_toy_holds(invariant: str) -> None:
    suite.ONCE[invariant](CONFORMANCE, 1)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("invariant", sorted(suite.SEEDED))
def test_the_toy_holds_in_random_play(invariant: str, seed: int) -> None:
    suite.SEEDED[invariant](CONFORMANCE, seed)


def hunt_for(words: str, invariant: suite.Invariant, package: Skirmish) -> None:
    """Some seed breaks an invariant in these words."""

    def hunt() -> None:
        for seed in range(12):
            invariant(replace(CONFORMANCE, package=package), seed)

    with pytest.raises(Broken, match=words):
        hunt()


def test_every_registered_package_has_a_fixture() -> None:
    for package in registry.packages().values():
        conformance = conformance_of(package)
        assert conformance.package is package
        assert conformance.settings
        assert conformance.players


def test_a_package_without_a_fixture_is_a_fault() -> None:
    class Bare(Skirmish):
        system = "bare"

    Bare.__module__ = "json"
    with pytest.raises(LookupError, match="bare has no conformance fixture"):
        conformance_of(Bare())


# Planted faults: what finds them, by the invariant that they break


class OffersTooMuch(Skirmish):
    """A unit that has fired may be ordered to fire again, and is refused."""

    def check(self, believed: Any, seat: Any, order: Any) -> Any:
        refusals = super().check(believed, seat, order)
        return refusals or ([Refusal(reason="No.", rule="skirmish fire")] if isinstance(order, rules.Fire) else [])


class TakesTooMuch(Skirmish):
    """A move into a hex that is barred is accepted."""

    def check(self, believed: Any, seat: Any, order: Any) -> Any:
        refusals = super().check(believed, seat, order)
        return [] if isinstance(order, rules.Assault) and order.at[0] > 0 else refusals


class NamesNoRule(Skirmish):
    def check(self, believed: Any, seat: Any, order: Any) -> Any:
        return [replace(refusal, rule="") for refusal in super().check(believed, seat, order)]


class Unsorted(Skirmish):
    """`apply` puts what has moved last."""

    def apply(self, state: State, event: Any) -> State:
        after = super().apply(state, event)
        if not isinstance(event, Entered) or event.unit not in after.public.pieces:
            return after
        pieces = dict(after.public.pieces)
        pieces[event.unit] = pieces.pop(event.unit)
        return replace(after, public=replace(after.public, pieces=pieces))


class ReadsTheTable(Skirmish):
    def apply(self, state: State, event: Any) -> State:
        rules.lane_of(state)
        return super().apply(state, event)


class WritesKnowledge(Skirmish):
    """`apply` lets the others know that somebody fell."""

    def apply(self, state: State, event: Any) -> State:
        after = super().apply(state, event)
        if not isinstance(event, Entered):
            return after
        contact = Contact(alias="x", kind="footsteps", at=(event.at, 0), status="heard")
        part = replace(after.commands["red_1"], contacts={"x": contact})
        return replace(after, commands={**after.commands, "red_1": part})


class Remembers(Skirmish):
    """A ruling that is not deterministic: it has a memory."""

    def __init__(self) -> None:
        self.moves = 0

    def resolve(self, state: State, seat: Any, order: Any) -> Any:
        self.moves += 1
        return self._often(super().resolve(state, seat, order), self.moves)

    def _often(self, ruling: Any, moves: int) -> Any:
        if moves % 3 == 0:
            yield from roll("1d6", "weariness", rule="skirmish turn")
        return (yield from ruling)


class BreaksARule(Skirmish):
    """Units enter hexes that are full."""

    def problems(self, state: State) -> Any:
        return [*super().problems(state), *(["somebody moved"] if "spent=1" in str(state) else [])]


class RollsInAdvance(Skirmish):
    """What follows by itself rolls for the weather, each turn under the same name."""

    def advance(self, state: State) -> Any:
        before = state.public.turn
        state = yield from super().advance(state)
        if state.public.turn != before:
            yield from roll("1d6", "weather", rule="skirmish turn")
        return state


class SaysTheId(Skirmish):
    """Who has fallen is called by his id: the name went with him."""

    def describe(self, event: Event, believed: Believed) -> LogLine | None:
        line = super().describe(event, believed)
        return replace(line, text=f"{event.unit} fell") if line is not None and isinstance(event, Fell) else line


class Hangs(Skirmish):
    """Nobody may end a turn."""

    def options(self, believed: Any, seat: Any, subject: Any) -> Any:
        return [form for form in super().options(believed, seat, subject) if form.verb not in ("end_turn",)][:0]

    def subjects(self, believed: Any, seat: Any) -> Any:
        return ()


class GapInNews(Play[Any]):
    def numbered(self, seat: str) -> list[tuple[int, News]]:
        return [(number * 2, news) for number, news in super().numbered(seat)]


class HalfThePatch(Play[Any]):
    """The news leaves out what is new of the contacts."""

    def release(self) -> None:
        before = {name: len(news) for name, news in self.news.items()}
        super().release()
        for name, news in self.news.items():
            news[before[name] :] = [
                replace(each, patch={key: part for key, part in each.patch.items() if key != "pieces"})
                for each in news[before[name] :]
            ]


@pytest.mark.parametrize(
    ("fault", "invariant"),
    [
        (OffersTooMuch, "what is offered is accepted"),
        (NamesNoRule, "a refusal names its rule"),
        (Unsorted, "maps are in key order"),
        (ReadsTheTable, "the ledger folds"),
        (WritesKnowledge, "only knowledge events write knowledge"),
        (Remembers, "a ruling run again tells the same"),
        (BreaksARule, "problems is empty"),
        (RollsInAdvance, "what follows by itself names each roll once"),
        (Hangs, "somebody can always act"),
        (SaysTheId, "names are for people"),
    ],
)
def test_random_play_finds_a_planted_fault(fault: type[Skirmish], invariant: str) -> None:
    conformance = replace(CONFORMANCE, package=fault())

    def hunt() -> None:
        for seed in range(12):
            suite.legal_play(conformance, seed)

    with pytest.raises((Broken, Failed)) as raised:
        hunt()
    cause = raised.value if isinstance(raised.value, Broken) else raised.value.__cause__
    if fault is ReadsTheTable:
        assert "no setting with digest" in str(raised.value)
    else:
        assert isinstance(cause, Broken)
        assert cause.invariant == invariant


@pytest.mark.parametrize(
    ("play", "invariant"),
    [(GapInNews, "news is numbered without gaps"), (HalfThePatch, "view before and news is view after")],
)
def test_random_play_finds_a_fault_of_the_server(play: Any, invariant: str) -> None:
    with pytest.raises(Failed) as raised:
        for _ in random_play(PACKAGE, CONFORMANCE.settings["open"](), CONFORMANCE.seats, Random(3), 60, play=play):
            pass
    assert isinstance(raised.value.__cause__, Broken)
    assert raised.value.__cause__.invariant == invariant


def test_what_is_accepted_and_not_offered_is_found() -> None:
    hunt_for("what is accepted is offered", suite.accepted_is_offered, TakesTooMuch())


def test_a_failure_can_be_written_down_and_played_again() -> None:
    def no_casualties(moment: Any) -> None:
        fell = [entry for entry in moment.play.tree.path() if isinstance(getattr(entry, "event", None), Fell)]
        if fell:
            raise Broken("nobody falls", str(fell))

    setting = CONFORMANCE.settings["open"]()
    play = random_play(PACKAGE, setting, CONFORMANCE.seats, Random(4), 400, checks=[no_casualties])
    with pytest.raises(Failed) as raised:
        list(play)
    dump = json.loads(json.dumps(raised.value.dump))
    assert dump["system"] == "skirmish"
    assert dump["broken"].startswith("Broken: nobody falls")
    with pytest.raises(Broken, match="nobody falls"):
        replay(PACKAGE, dump, checks=[no_casualties])
    assert encode(replay(PACKAGE, dump).tree.path()) == encode(replay(PACKAGE, dump).tree.path())


def test_the_same_random_gives_the_same_play_whatever_is_checked() -> None:
    def run(*made: checks.Check) -> bytes:
        setting = CONFORMANCE.settings["blind"]()
        *_, last = random_play(PACKAGE, setting, CONFORMANCE.seats, Random(5), 40, checks=made)
        return encode(last.play.tree.path())

    assert run() == run(*checks.CHECKS) == run(checks.now_and_then(checks.is_playable, 0.5))


def test_odds_that_disagree_with_the_rules_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A die that bears on the question is marked aside."""
    known = firing.roll

    def aside(*args: Any, **kwargs: Any) -> Any:
        return known(*args, **{**kwargs, "aside": True})

    monkeypatch.setattr(firing, "roll", aside)
    with pytest.raises(Broken, match="odds agree with rulings at random"):
        suite.odds(CONFORMANCE, 1)


def test_a_wrong_count_of_states_is_found() -> None:
    case = replace(CONFORMANCE.perfts[0], counts=(24,))
    with pytest.raises(Broken, match=r"\[23\], not \(24,\)"):
        suite.counted_states(replace(CONFORMANCE, perfts=(case,)), 1)


def test_dice_after_a_rewind_are_made_again() -> None:
    rolls, others = history.same_dice(CONFORMANCE, "open", 0)
    assert rolls
    assert others


class CountsTheWind(Remembers):
    """The order of a turn is given once more, and something else is drawn."""

    def _often(self, ruling: Any, moves: int) -> Any:
        yield from draw(tuple(str(number) for number in range(moves)), "wind", rule="skirmish turn")
        return (yield from ruling)


def test_dice_that_do_not_reproduce_are_found() -> None:
    hunt_for("kept dice reproduce", suite.dice_after_rewind, CountsTheWind())


class LosesTheOverridden(Skirmish):
    """Whoever is taken out at a question leaves something wrong behind."""

    def impossible(self, state: State) -> Any:
        return [*super().impossible(state), *(["too few are left"] if len(units(state)) < 6 else [])]


def test_what_an_override_at_a_question_breaks_is_found() -> None:
    hunt_for("problems is empty", suite.waiting, LosesTheOverridden())


class OverrulesNothing(Skirmish):
    """A correction whose event is about a unit that is not there."""

    def overrule(self, state: State, correction: Any) -> Any:
        return [Fell(unit="nobody")] if isinstance(correction, Remove) else super().overrule(state, correction)


def test_an_override_about_nothing_is_an_error() -> None:
    state = PACKAGE.begin(CONFORMANCE.settings["open"](), lambda key: key)
    play = Play(OverrulesNothing(), state, CONFORMANCE.seats)
    with pytest.raises(KeyError):
        play.correct({"verb": "remove", "unit": "ash"}, "a fault of the package")
    assert play.state == state


class AsksForTheTruth(Skirmish):
    def view(self, believed: Any, seat: Any) -> Any:
        return super().view(believed, seat)


def test_what_serves_a_seat_and_is_not_annotated_is_found() -> None:
    with pytest.raises(Broken, match=r"skirmish\.view takes"):
        suite.slice_and_gate(replace(CONFORMANCE, package=AsksForTheTruth()), 1)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import time", "line 1 imports time"),
        ("import os.path", "line 1 imports os"),
        ("from datetime import date", "line 1 imports from datetime"),
        ("from random import choice", "line 1 imports from random"),
        ("import random", "line 1 imports random"),
        ("def f(p):\n    return open(p)", "line 2 calls open"),
        ("from random import Random\nr = Random(3)", "line 2 calls Random"),
        ("x = hash('a')", "line 1 calls hash"),
    ],
)
def test_clock_randomness_and_io_are_found(source: str, fault: str) -> None:
    assert sources.impurities(source) == [fault]


def test_a_sampler_may_be_handed_a_random_source() -> None:
    assert sources.impurities("from random import Random\ndef sample(r: Random): return r.random()") == []
    assert sources.impurities("from pathlib import Path", may_read=True) == []


def test_strings_that_hash_otherwise_are_found(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package whose result hangs on the order of a set gives another digest in another process."""
    (tmp_path / "unsteady.py").write_text(
        "from msgspec import to_builtins\n"
        "from msgspec.structs import replace\n"
        "from umpire.testing.skirmish import Skirmish\n"
        "from umpire.testing.skirmish.conformance import CONFORMANCE as TOY, tells as toy_tells\n"
        "class Unsteady(Skirmish):\n"
        "    def scene(self, believed):\n"
        "        return {**to_builtins(super().scene(believed)), 'words': list({'ash', 'birch', 'cedar', 'rowan'})}\n"
        "def tells(*args):\n"
        "    return toy_tells(*args)\n"
        "CONFORMANCE = replace(TOY, package=Unsteady(), tells=tells)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    unsteady = import_module("unsteady")

    with pytest.raises(Broken, match="hash seeds"):
        history.same_in_other_processes(unsteady.CONFORMANCE, "open", 1, (1, 2, 3))


@pytest.mark.parametrize("always", [False, True])
def test_processes_that_read_files_as_they_change_are_compared_again(
    always: bool, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package's module is a file of its own, which somebody writes while they run."""
    file = tmp_path / "edited.py"
    file.write_text(
        "from msgspec.structs import replace\n"
        "from umpire.testing.skirmish.conformance import CONFORMANCE as TOY, tells as toy_tells\n"
        "def tells(*args):\n"
        "    return toy_tells(*args)\n"
        "CONFORMANCE = replace(TOY, tells=tells)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "edited", raising=False)
    edited = import_module("edited").CONFORMANCE
    times: list[int] = []

    def said(*_: object) -> list[tuple[str, str]]:
        times.append(len(times))
        if len(times) == 1 or always:
            file.write_text(file.read_text() + "# edited\n")
            return [("old", ""), ("", "SyntaxError")]
        return [("new", ""), ("new", "")]

    monkeypatch.setattr(history, "_said", said)
    if always:
        with pytest.raises(Broken, match=f"files changed each of {history.TRIES} times"):
            history.same_in_other_processes(edited, "open", 1, (1, 2))
    else:
        history.same_in_other_processes(edited, "open", 1, (1, 2))
    assert len(times) == (history.TRIES if always else 2)


def test_the_checks_do_not_miss_a_ruling_that_waited() -> None:
    """A ruling that has waited is run again from its beginning."""
    seen = 0
    moments = random_play(PACKAGE, CONFORMANCE.settings["open"](), CONFORMANCE.seats, Random(2), 120, standing=False)
    for moment in moments:
        if moment.opened is not None and moment.play.position.open is None:
            assert isinstance(moment.opened.begun, Begun)
            seen += 1
    assert seen
