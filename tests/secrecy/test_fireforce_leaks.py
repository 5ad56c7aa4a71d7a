"""Leaks planted in FireForce, one at a time: the conformance suite finds each with FireForce's fixture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from fireforce.happening.blinds import CardMoved
from fireforce.happening.movement import Moved
from fireforce.happening.plans import PlanCarried
from fireforce.happening.turn import PhaseBegan
from fireforce.knowledge import notice
from fireforce.package import FireForce
from fireforce.rules.men import motivation
from fireforce.state.battle import (
    Believed,
    CommandPart,
    Figure,
    Squad,
    State,
)
from fireforce.state.finding import (
    enemies_of,
    figures,
    visible_enemies,
)
from fireforce.state.points import judged
from fireforce.testing.conformance import CONFORMANCE
from fireforce.testing.parts import of
from umpire.kernel.events import Report, Told
from umpire.kernel.ledger import Thrown
from umpire.kernel.registry import LogLine
from umpire.kernel.values.modifiers import Modifier
from umpire.testing.conformance import names, suite, twins
from umpire.testing.conformance.fixture import Broken, Conformance
from umpire.testing.play.battle import Play

SEEDS = 40
"""A leak has to be found within so many runs."""


def found(hunt: Callable[[int], object], first: int) -> Broken:
    """How the suite says that it has found the leak. `first` is a run that found it quickly when it was last looked."""
    for seed in dict.fromkeys((first, *range(SEEDS))):
        try:
            hunt(seed)
        except Broken as broken:
            return broken
    pytest.fail(f"the leak was not found in {SEEDS} runs")


def with_package(package: FireForce) -> Conformance:
    return replace(CONFORMANCE, package=package)


# Leaks of the server


class HiddenMenCounted(Play[State]):
    """The view says how many men the others have."""

    def view(self, seat: str) -> dict[str, Any]:
        return {**super().view(seat), "men": sum(man.is_fit for man in figures(self.shown))}


class SecretPoints(Play[State]):
    """The points of the table are those that the umpire would count."""

    def view(self, seat: str) -> dict[str, Any]:
        points = {side: {"total": total} for side, total in judged(self.shown).points.items()}
        return {**super().view(seat), "points": points}


class SaysHowMany(Play[State]):
    """Options say how many plans are on their way."""

    def options(self, seat: str, subject: str | None) -> Any:
        moving = sum(plan.status == "running" for plan in self.shown.umpire.plans.values())
        return [replace(form, note=f"{form.note} {moving}") for form in super().options(seat, subject)]


@pytest.mark.parametrize("leak", [HiddenMenCounted, SaysHowMany])
@pytest.mark.parametrize("setting", ["map", "cards"])
def test_leaks_of_the_server_are_found(leak: Any, setting: str) -> None:
    broken = found(lambda seed: twins.twin_worlds(CONFORMANCE, setting, seed, play=leak), first=1)
    assert broken.invariant == "twin worlds"


# Leaks of the package


class HiddenMovesInTheLog(FireForce):
    """Whoever moves is in everybody's log."""

    def publishes(self, before: State, event: Any) -> bool:
        return isinstance(event, Moved | CardMoved) or super().publishes(before, event)

    def describe(self, event: Any, believed: Believed) -> LogLine | None:
        moved = isinstance(event, Moved | CardMoved)
        return super().describe(event, believed) or (LogLine(text="Somebody moves.") if moved else None)


def said(state: State, text: str) -> list[Told]:
    return [Told(command=name, report=Report(key="line", values={"text": text})) for name in state.commands]


class HiddenRollsAreTold(FireForce):
    """All commands are told of every roll."""

    def notice(self, before: State, cause: Any, after: State) -> Any:
        told = list(super().notice(before, cause, after))
        if isinstance(cause, Thrown):
            told += said(after, "Dice fall.")
        return told


@pytest.mark.parametrize(
    ("leak", "setting", "first"),
    [(HiddenMovesInTheLog, "map", 6), (HiddenMovesInTheLog, "cards", 12), (HiddenRollsAreTold, "map", 17)],
)
def test_leaks_of_the_package_are_found(leak: type[FireForce], setting: str, first: int) -> None:
    conformance = with_package(leak())
    assert found(lambda seed: twins.twin_worlds(conformance, setting, seed), first).invariant == "twin worlds"


def test_noises_that_carry_for_ever_are_found() -> None:
    class Loud(FireForce):
        def notice(self, before: State, cause: Any, after: State) -> Any:
            told = list(super().notice(before, cause, after))
            if isinstance(cause, Moved | PlanCarried):
                told += said(after, "A rustle somewhere.")
            return told

    broken = found(lambda seed: twins.twin_worlds(with_package(Loud()), "map", seed), first=5)
    assert broken.invariant == "twin worlds"


def test_cards_that_tell_what_they_are_make_no_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A face-down card whose looks say what it is: found by what a contact may show; and by twins, for the truth stands
    in the slice, and leads apart at once where whatever happens makes all pieces be looked at anew. Otherwise only a
    card that has changed is, which in so few runs hardly one is."""
    known = notice.card_looks
    monkeypatch.setattr(notice, "card_looks", lambda state, card: {**known(state, card), "card": card.kind})
    with pytest.raises(Broken, match="contacts are what is seen"):
        suite.legal_play(CONFORMANCE, 0)

    def all_pieces(before: CommandPart | None, after: CommandPart) -> frozenset[str]:
        gone = () if before is None else before.pieces
        return frozenset((*gone, *(key for key, each in after.pieces.items() if not isinstance(each, Squad))))

    monkeypatch.setattr(notice, "_changed", all_pieces)
    assert found(lambda seed: twins.twin_worlds(CONFORMANCE, "cards", seed), first=0).invariant == "twin worlds"


def test_looks_that_tell_the_quality_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    known = notice.figure_looks
    monkeypatch.setattr(notice, "figure_looks", lambda setting, man: {**known(setting, man), "quality": man.quality})
    broken = found(lambda seed: twins.twin_worlds(CONFORMANCE, "cards", seed, steps=12), first=17)
    assert broken.invariant == "twin worlds"


def test_a_modifier_computed_from_unseen_enemies_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modifiers told with a roll for motivation count enemies whom nobody sees."""
    known = motivation.motivation_modifiers

    def from_the_truth(state: State, unit: Squad, team: str, **more: Any) -> Any:
        unseen = len(enemies_of(state, unit.command)) - len(visible_enemies(state, unit.command))
        return (*known(state, unit, team, **more), Modifier(-unseen, "a feeling in the neck", "fireforce motivation"))

    monkeypatch.setattr(motivation, "motivation_modifiers", from_the_truth)
    assert (
        found(lambda seed: twins.twin_worlds(CONFORMANCE, "map", seed, steps=12), first=15).invariant == "twin worlds"
    )


def test_names_of_hidden_men_in_the_log_are_found() -> None:
    class Names(FireForce):
        def notice(self, before: State, cause: Any, after: State) -> Any:
            told = list(super().notice(before, cause, after))
            if isinstance(cause, PhaseBegan):
                told += [
                    Told(command=name, report=Report(key="line", values={"text": word}))
                    for name in after.commands
                    for word in _names_of_others(after, name)
                ]
            return told

    broken = found(lambda seed: names.canaries(with_package(Names()), "map", seed), first=5)
    assert broken.invariant == "canary"


def _names_of_others(state: State, command: str) -> Iterator[str]:
    for name, part in state.commands.items():
        if name != command:
            yield from (man.name for man in of(part, Figure).values())


def test_true_ids_in_what_is_told_are_found() -> None:
    class Ids(FireForce):
        def notice(self, before: State, cause: Any, after: State) -> Any:
            told = list(super().notice(before, cause, after))
            if isinstance(cause, PhaseBegan):
                told += [
                    Told(command=name, report=Report(key="line", values={"text": piece}))
                    for name in after.commands
                    for piece in CONFORMANCE.ids(after, (name,))[:1]
                ]
            return told

    broken = found(lambda seed: names.other_names(with_package(Ids()), "cards", seed), first=0)
    assert broken.invariant in ("twin worlds", "no true id of a hidden thing")
