"""Leaks planted in the toy game, one at a time: the conformance suite finds each, and passes without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from umpire.kernel import odds
from umpire.kernel.codec import codec_of, state_digest
from umpire.kernel.dice import ServerDice
from umpire.kernel.events import Sighted, alias_of
from umpire.kernel.forms import Form
from umpire.kernel.ledger import Begun, Drawn, Thrown
from umpire.kernel.news import News, tag_of
from umpire.kernel.odds import Odds
from umpire.kernel.rulings import Choice, Question, ask
from umpire.kernel.settings import Setting
from umpire.kernel.values.modifiers import Modifier, Refusal
from umpire.testing.conformance import names, suite, twins
from umpire.testing.conformance.fixture import Broken, Conformance
from umpire.testing.play.battle import Play
from umpire.testing.play.random_play import Failed, random_play
from umpire.testing.skirmish import Skirmish, firing, ground, rules
from umpire.testing.skirmish.conformance import CONFORMANCE
from umpire.testing.skirmish.events import UnitEvent
from umpire.testing.skirmish.state import Believed, Lane, State, Unit, is_open, lane_of, units

SEEDS = 60
"""A leak has to be found within so many runs."""

Hunt = Callable[[int], object]


def found(hunt: Hunt) -> Broken:
    for seed in range(SEEDS):
        try:
            hunt(seed)
        except Broken as broken:
            return broken
        except Failed as failed:
            if isinstance(failed.__cause__, Broken):
                return failed.__cause__
            raise
    pytest.fail(f"the leak was not found in {SEEDS} runs")


def hidden(play: Play[State], seat: str) -> list[Unit]:
    """The units that a seat's commands do not know of."""
    commands = play.seats[seat].commands
    return [
        unit
        for unit in units(play.state).values()
        if unit.command not in commands
        and not is_open(play.state, unit.id)
        and not any(alias_of(play.state, command, unit.id) for command in commands)
    ]


# Leaks of the server: what wraps the package


class GlobalTag(Play[State]):
    def tag(self, seat: str) -> str:
        return tag_of(self.view(seat), len(self.tree.path()))


class GlobalNumbering(Play[State]):
    """News is numbered with the ledger."""

    def numbered(self, seat: str) -> list[tuple[int, News]]:
        return [(number, news) for number, (_, news) in zip(self.numbers[seat], super().numbered(seat), strict=True)]

    def release(self) -> None:
        before = {name: len(news) for name, news in self.news.items()}
        super().release()
        kept: Mapping[str, tuple[int, ...]] = self.__dict__.get("numbers", {})
        self.numbers = {
            name: kept.get(name, ()) + (len(self.tree.path()),) * (len(news) - before[name])
            for name, news in self.news.items()
        }


class UnitCount(Play[State]):
    def view(self, seat: str) -> dict[str, Any]:
        return {**super().view(seat), "units_left": len(units(self.shown))}


class ReserveCounted(Play[State]):
    """In an open battle the strength of each command is shown, its hidden reserve with it."""

    def view(self, seat: str) -> dict[str, Any]:
        view = super().view(seat)
        if not lane_of(self.shown).blind:
            for name, command in view["commands"].items():
                command["strength"] = sum(unit.command == name for unit in units(self.shown).values())
        return view


class AvoidsHidden(Play[State]):
    """No path is offered into a hex where somebody is hidden."""

    def options(self, seat: str, subject: str | None) -> Sequence[Form]:
        taken = {unit.at for unit in hidden(self, seat)}
        forms = []
        for form in super().options(seat, subject):
            if form.verb == "move":
                (path,) = form.slots
                steps = {at: tuple(to for to in each if to not in taken) for at, each in path.steps.items()}  # type: ignore[union-attr]
                form = replace(form, slots=(replace(path, steps=steps),))
            forms.append(form)
        return forms


class RefusalTells(Play[State]):
    """An order to enter a hex where somebody is hidden is refused."""

    def check(self, seat: str, order: Mapping[str, Any]) -> Sequence[Refusal]:
        refusals = super().check(seat, order)
        taken = {unit.hex for unit in hidden(self, seat)}
        if order["verb"] == "move" and any(at in taken for at, _ in order["path"]) and not refusals:
            return [Refusal(reason="The hex is occupied.", rule="skirmish move", field="path")]
        return refusals


class ShiftedDice(Play[State]):
    """Dice are drawn by count: a hidden roll moves all that follow."""

    def sources(self, begun: Begun) -> Any:
        count = sum(isinstance(entry, Thrown | Drawn) for entry in self.tree.path())
        return ServerDice(b"", 0, "", count, "", False, self.reply)


class TruthSeedsOdds(Play[State]):
    """Odds are sampled, and the sample is seeded from the truth."""

    def odds(self, seat: str, order: Mapping[str, Any]) -> Odds:
        believed, chair = self.believed(seat), self.seats[seat]
        typed = codec_of(self.package).order(order)
        return odds._sampled(
            self.package, believed, lambda: self.package.resolve(believed, chair, typed), state_digest(self.state)
        )


class SaysHeld(Play[State]):
    """An order given while a ruling waits is refused, also while that ruling is hidden."""

    def order(self, seat: str, order: Mapping[str, Any]) -> list[Refusal]:
        if self.position.open is not None:
            return [Refusal(reason="Another ruling waits; your order is held.")]
        return super().order(seat, order)


# Leaks of the package


class LogLine(Skirmish):
    """Whoever enters a hex is in everybody's log."""

    def publishes(self, before: State, event: Any) -> bool:
        return isinstance(event, UnitEvent) or super().publishes(before, event)


class TrueId(Skirmish):
    """A contact carries the true id of what stands behind it."""

    def notice(self, before: State, cause: Any, after: State) -> Any:
        return [
            replace(event, contact=replace(event.contact, looks={**event.contact.looks, "unit": event.subject}))
            if isinstance(event, Sighted)
            else event
            for event in super().notice(before, cause, after)
        ]


class LooksTooMuch(Skirmish):
    """Whoever is seen for the first time shows how strong he is."""

    def notice(self, before: State, cause: Any, after: State) -> Any:
        return [
            replace(
                event, contact=replace(event.contact, looks={**event.contact.looks, "steps": self._steps(after, event)})
            )
            if isinstance(event, Sighted)
            else event
            for event in super().notice(before, cause, after)
        ]

    def _steps(self, state: State, event: Sighted) -> int:
        return units(state)[event.subject].steps


class KeptAlias(Skirmish):
    """A unit that is seen again is known again."""

    def notice(self, before: State, cause: Any, after: State) -> Any:
        return [
            replace(event, contact=replace(event.contact, alias=self._alias(event)))
            if isinstance(event, Sighted)
            else event
            for event in super().notice(before, cause, after)
        ]

    def _alias(self, event: Sighted) -> str:
        return "k" + sha256(f"{event.command} {event.subject}".encode()).hexdigest()[:8]


class TellTaleQuestion(Skirmish):
    """Who is about to walk into somebody unseen is asked whether he will."""

    def resolve(self, state: State, seat: Any, order: Any) -> Any:
        ruling = super().resolve(state, seat, order)
        return self._asked(state, order, ruling) if isinstance(order, rules.Move) else ruling

    def _asked(self, state: State, order: rules.Move, ruling: Any) -> Any:
        unit = units(state)[order.unit]
        near = [other for other in units(state).values() if other.side != unit.side and abs(other.hex - unit.hex) <= 4]
        if any(not ground.knows(state, unit.command, other) for other in near):
            choices = (Choice(id="yes", label="Yes"), Choice(id="no", label="No"))
            question = Question(kind="sure", prompt="Are you sure?", choices=choices, default=("yes",))
            yield from ask(unit.command, question)
        return (yield from ruling)


class PausesForAmbush(Skirmish):
    """A hidden command that has no standing orders is asked whether it fires, and the mover waits."""

    def reply(self, believed: Believed, question: Question) -> tuple[str, ...] | None:
        return None if question.kind == "ambush" else super().reply(believed, question)


class LaneWithEvents(Lane, frozen=True, kw_only=True):
    events: Mapping[str, str] = {}


class TellsEvents(Skirmish):
    """The texts of what waits on the lane stand in the public half of the setting, and come with the scene."""

    public_setting = LaneWithEvents

    def load(self, text: str, *, file: str, options: Mapping[str, Any], layers: Sequence[Any] = ()) -> Setting:
        setting = super().load(text, file=file, options=options)
        lane = setting.public
        fields = {name: getattr(lane, name) for name in lane.__struct_fields__}
        return Setting(public=LaneWithEvents(**fields, events=setting.umpire.events), umpire=setting.umpire)

    def scene(self, believed: Believed) -> Any:
        return {**to_builtins(super().scene(believed)), "events": lane_of(believed).events}  # type: ignore[attr-defined]


def with_package(package: Skirmish) -> Conformance:
    return replace(CONFORMANCE, package=package)


@pytest.mark.parametrize(
    ("leak", "setting"),
    [
        (GlobalTag, "blind"),
        (GlobalNumbering, "blind"),
        (UnitCount, "blind"),
        (ReserveCounted, "open"),
        (AvoidsHidden, "blind"),
        (AvoidsHidden, "open"),
        (RefusalTells, "blind"),
        (RefusalTells, "open"),
        (ShiftedDice, "alley"),
    ],
)
def test_twin_worlds_find_a_leak_of_the_server(leak: Any, setting: str) -> None:
    broken = found(lambda seed: twins.twin_worlds(CONFORMANCE, setting, seed, play=leak))
    assert broken.invariant == "twin worlds"


def test_twin_worlds_find_odds_that_are_sampled_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "SAMPLE", 100)
    broken = found(lambda seed: twins.twin_worlds(CONFORMANCE, "blind", seed, play=TruthSeedsOdds))
    assert broken.text.count("odds: ") == 1


def test_twin_worlds_that_wait_find_an_order_held_only_then() -> None:
    broken = found(lambda seed: twins.twin_worlds(CONFORMANCE, "blind", seed, play=SaysHeld, steady=True))
    assert broken.invariant == "twin worlds"
    assert "waits in one world only" in broken.text


@pytest.mark.parametrize(
    ("leak", "setting"), [(LogLine, "blind"), (TellTaleQuestion, "blind"), (PausesForAmbush, "alley")]
)
def test_twin_worlds_find_a_leak_of_the_package(leak: type[Skirmish], setting: str) -> None:
    conformance = with_package(leak())
    broken = found(lambda seed: twins.twin_worlds(conformance, setting, seed))
    assert broken.invariant == "twin worlds"


def test_twin_worlds_find_a_modifier_computed_from_unseen_enemies(monkeypatch: pytest.MonkeyPatch) -> None:
    known = firing.fire_modifiers

    def from_the_truth(state: State, unit: Unit, at: int) -> list[Modifier]:
        unseen = [
            other
            for other in units(state).values()
            if other.side != unit.side and not ground.knows(state, unit.command, other)
        ]
        return [*known(state, unit, at), *(Modifier(-1, "an enemy in the flank", "skirmish fire") for _ in unseen)]

    monkeypatch.setattr(firing, "fire_modifiers", from_the_truth)
    assert found(lambda seed: twins.twin_worlds(CONFORMANCE, "blind", seed)).invariant == "twin worlds"


def test_other_names_find_a_true_id_in_a_contact() -> None:
    conformance = with_package(TrueId())
    assert found(lambda seed: names.other_names(conformance, "blind", seed)).invariant in (
        "twin worlds",
        "no true id of a hidden thing",
    )


def test_random_play_finds_an_alias_kept_across_sightings() -> None:
    conformance = with_package(KeptAlias())
    assert found(lambda seed: suite.legal_play(conformance, seed)).invariant == "a sighting has its own alias"


def test_what_a_first_sighting_says_too_much_is_found() -> None:
    """By twins that differ in it, and by what a sighting may show."""
    conformance = with_package(LooksTooMuch())
    assert found(lambda seed: suite.legal_play(conformance, seed)).invariant == "contacts are what is seen"
    assert found(lambda seed: twins.twin_worlds(conformance, "blind", seed)).invariant == "twin worlds"


def test_canaries_find_the_event_texts_of_the_setting() -> None:
    package = TellsEvents()
    text = package.scenarios()["the-lane"]
    conformance = replace(
        CONFORMANCE,
        package=package,
        settings={"blind": lambda: package.load(text, file="the-lane", options={})},
    )
    assert found(lambda seed: names.canaries(conformance, "blind", seed)).invariant == "canary"


@pytest.mark.parametrize("leak", [GlobalTag, GlobalNumbering])
def test_random_play_finds_global_tags_and_numbers(leak: Any) -> None:
    def hunt(seed: int) -> None:
        setting = CONFORMANCE.settings["blind"]()
        for _ in random_play(CONFORMANCE.package, setting, CONFORMANCE.seats, Random(seed), 20, play=leak):
            pass

    assert found(hunt).invariant in (
        "the tag changes exactly with view or news",
        "news is numbered without gaps",
    )


def test_ids_that_can_be_tried_out_are_found() -> None:
    class SaysWhose(Play[State]):
        def check(self, seat: str, order: Mapping[str, Any]) -> Sequence[Refusal]:
            if order.get("unit") in {unit.id for unit in hidden(self, seat)}:
                return [Refusal(reason="That is not your unit.", rule="skirmish turn", field="unit")]
            return super().check(seat, order)

    broken = found(lambda seed: names.strangers(CONFORMANCE, "blind", seed, play=SaysWhose))
    assert broken.invariant == "ids cannot be tried out"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("setting", list(CONFORMANCE.settings))
def test_the_clean_toy_passes(setting: str, seed: int) -> None:
    twins.twin_worlds(CONFORMANCE, setting, seed)
    names.canaries(CONFORMANCE, setting, seed)
    names.strangers(CONFORMANCE, setting, seed)
    if setting in CONFORMANCE.steady:
        twins.twin_worlds(CONFORMANCE, setting, seed, steady=True)
