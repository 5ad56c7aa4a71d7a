"""What is checked in self-play, cheap and dear: after each act, or at a share of the moments."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from umpire.kernel.codec import codec_of, encode
from umpire.kernel.hand.corrections import fresh
from umpire.kernel.odds import odds_of
from umpire.kernel.registry import RulesPackage
from umpire.kernel.states import Seat, slice_of
from umpire.testing.conformance.fixture import Broken, Conformance, conformance_of
from umpire.testing.conformance.serving import difference, served
from umpire.testing.play import checks as invariants
from umpire.testing.play.battle import Play
from umpire.testing.play.checks import now_and_then
from umpire.testing.play.moments import Check, Moment

ALWAYS: tuple[Check, ...] = (invariants.is_legal, invariants.folds, invariants.is_news)
DEAR: tuple[Check, ...] = tuple(check for check in invariants.CHECKS if check not in ALWAYS)
SHARE = 0.02
"""The share of moments at which the dear checks are made, each by itself, where play is checked lightly."""


@cache
def fixture_of(package: RulesPackage[Any, Any]) -> Conformance | None:
    """What the conformance suite knows of a package, or None where it knows nothing."""
    try:
        return conformance_of(package)
    except LookupError:
        return None


@cache
def checks(package: RulesPackage[Any, Any], level: str) -> tuple[Check, ...]:
    """The checks of a level: "full" makes them all after each act, "light" the dear ones at a share of the moments."""
    dear = (*DEAR, is_restarted, has_odds)
    fixture = fixture_of(package)
    if fixture is not None:
        dear = (*dear, twins(fixture))
    if level == "none":
        return ()
    if level == "full":
        return (*ALWAYS, *dear)
    return (*ALWAYS, *(now_and_then(check, SHARE) for check in dear))


def is_restarted(moment: Moment) -> None:
    """Another process that reads the stored ledger has the same battle, waiting for the same."""
    play = moment.play
    other = play.restarted()
    if encode(other.state) != encode(play.state):
        raise Broken("a restart changes nothing", "the state read again from the ledger is another")
    if encode(other.waiting) != encode(play.waiting):
        raise Broken("a restart changes nothing", f"it waits for {other.waiting}, not for {play.waiting}")


def has_odds(moment: Moment) -> None:
    """The odds of one chancy order on offer can be told, each between 0 and 1, and are the same when asked again."""
    play, random = moment.play, moment.random
    if play.position.open is not None:
        return
    names = [name for name, seat in play.seats.items() if seat.role == "player" and play.subjects(name)]
    if not names:
        return
    name = random.choice(names)
    believed, seat = play.believed(name), play.seats[name]
    for subject in random.sample(play.subjects(name), min(4, len(play.subjects(name)))):
        forms = [form for form in play.options(name, subject) if form.odds]
        if not forms:
            continue
        order = play.package.sample(believed, seat, random.choice(forms), random)
        odds = play.odds(name, order)
        if wrong := {fate: chance for fate, chance in odds.fates.items() if not 0 < chance <= 1}:
            raise Broken("odds are chances", f"{order}: {wrong}")
        again = odds_of(play.package, believed, seat, codec_of(play.package).order(order))
        if (again.fates, again.branches) != (odds.fates, odds.branches):
            raise Broken("the same question has the same odds", f"{order}")
        return


def twins(fixture: Conformance) -> Check:
    """Another world with the same slice of a seat is proper, serves that seat the same bytes, and carries out whatever
    order the seat gives."""

    def is_twin(moment: Moment) -> None:
        play, random = moment.play, moment.random
        if play.position.open is not None or play.package.outcome(play.state).is_over:
            return
        seat = random.choice([seat for seat in play.seats.values() if len(seat.commands) == 1])
        other = _another(fixture, play, seat, random)
        if other is None:
            return
        seed = random.getrandbits(32)
        if text := difference(_served(fixture, play, seat, seed), _served(fixture, other, seat, seed)):
            raise Broken("twin worlds", f"{seat.name} can tell them apart: {text}")
        _resolves_in(other, seat, random)

    return is_twin


def _another(fixture: Conformance, play: Play[Any], seat: Seat, random: Random) -> Play[Any] | None:
    package, [command] = play.package, seat.commands
    try:
        twin = fixture.another(play.state, command, random)
    except LookupError:
        return None
    if encode(slice_of(twin, (command,))) != encode(slice_of(play.state, (command,))):
        raise Broken("another world has the same slice", command)
    if problems := [*package.impossible(twin), *fresh(package.problems, play.state, twin)]:
        raise Broken("another world is a proper one", "; ".join(problems))
    other = play.copied()
    other.first, other.shown, other.position = twin, twin, type(play.position)(state=twin)
    other.tree = type(play.tree)()
    return other


def _served(fixture: Conformance, play: Play[Any], seat: Seat, seed: int) -> dict[str, bytes]:
    return served(fixture, play, seat.name, seed)


def _resolves_in(play: Play[Any], seat: Seat, random: Random) -> None:
    """An order that its giver may give resolves whatever is true."""
    subjects = play.subjects(seat.name)
    forms = play.options(seat.name, random.choice(subjects) if subjects else None)
    if not forms:
        return
    order = play.package.sample(play.believed(seat.name), seat, random.choice(forms), random)
    if refusals := play.order(seat.name, order):
        raise Broken("what is accepted in one world is accepted in its twin", f"{order}: {refusals}")
    opened = play.position.open
    if opened is not None and opened.fault is not None:
        raise Broken("every order resolves in every world", f"{order}: {opened.fault.text}")
