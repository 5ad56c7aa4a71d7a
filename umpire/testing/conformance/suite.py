"""The conformance suite: every invariant, to be run on every registered package.

`INVARIANTS` are functions of a fixture and a number (a seed); `check_all` runs them all. What each holds stands in its
docstring, under the words of the invariants' list: secrecy, determinism, legality and flow, undo and replay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from umpire.testing.conformance import chances, history, names, sources, twins, waits
from umpire.testing.conformance.courses import knows_what_it_sees
from umpire.testing.conformance.fixture import Broken, Conformance, begin
from umpire.testing.conformance.instances import matches
from umpire.testing.play.battle import Play
from umpire.testing.play.checks import CHECKS
from umpire.testing.play.random_play import Failed, forms_of, random_play

Invariant = Callable[[Conformance, int], None]


def slice_and_gate(conformance: Conformance, seed: int) -> None:
    """Secrecy, slice: what serves a seat is annotated with `Believed`, and the gate refuses the truth."""
    sources.takes_belief(conformance)
    for attack in conformance.attacks():
        for setting in conformance.settings:
            truth = begin(conformance, setting, Random(seed))
            sources.has_gate(conformance.package, truth, attack.order, attack.seat)


def registered_whole(conformance: Conformance, seed: int) -> None:
    """Events: each that the package defines has an applier, says who may read it, and has words."""
    package = conformance.package
    if lacking := package.happening.lacking(type(package).__module__.removesuffix(".package")):
        raise Broken("events are registered whole", "; ".join(lacking))


def purity(conformance: Conformance, seed: int) -> None:
    """Determinism: no clock, randomness or I/O in rules."""
    sources.is_pure(conformance)


def legal_play(conformance: Conformance, seed: int) -> None:
    """Everything that is checked after each act of random play: legality, flow, knowledge, numbering, tags, bytes."""
    for setting, make in conformance.settings.items():
        try:
            for _ in random_play(
                conformance.package,
                make(),
                conformance.seats,
                Random(f"{setting} {seed}"),
                100,
                checks=(*CHECKS, knows_what_it_sees(conformance)),
                recognises=conformance.recognises,
                correct=conformance.corrections if seed % 2 else None,
            ):
                pass
        except Failed as failed:
            if isinstance(failed.__cause__, Broken):
                raise Broken(failed.__cause__.invariant, f"{setting}, seed {seed}, {failed}") from failed
            raise


def accepted_is_offered(conformance: Conformance, seed: int) -> None:
    """Legality: every accepted order is an instance of an offered option. Tried with the fixture's odd orders."""
    random = Random(seed)
    for setting in conformance.settings:
        state = twins.somewhere(conformance, setting, random)
        play = Play(conformance.package, state, conformance.seats)
        for seat in conformance.players:
            forms = forms_of(play, seat.name)
            for order in conformance.probes(play.believed(seat.name), seat, random):
                is_accepted = not names.refused(play, seat.name, order)
                if is_accepted and not any(matches(form, order) for form in forms):
                    raise Broken("what is accepted is offered", f"{setting}: {seat.name} may {order}")


def twin_worlds(conformance: Conformance, seed: int) -> None:
    """Secrecy, twin worlds: hidden activity in one of two worlds with the same slice changes no byte of the seat."""
    for setting in conformance.settings:
        twins.twin_worlds(conformance, setting, seed)


def twin_worlds_that_wait(conformance: Conformance, seed: int) -> None:
    """Secrecy, twin worlds: neither does a question that waits in one world only, and its length."""
    for setting in conformance.steady:
        twins.twin_worlds(conformance, setting, seed, steady=True)


def other_names(conformance: Conformance, seed: int) -> None:
    """Secrecy, twin worlds and aliases: permuted ids are not noticed, and no true id of a hidden thing is served."""
    for setting in conformance.settings:
        names.other_names(conformance, setting, seed)


def canaries(conformance: Conformance, seed: int) -> None:
    """Secrecy, canary: unique strings in hidden things are not served."""
    for setting in conformance.settings:
        names.canaries(conformance, setting, seed)


def strangers(conformance: Conformance, seed: int) -> None:
    """Secrecy: an order about a hidden thing is refused like one about nothing."""
    for setting in conformance.settings:
        names.strangers(conformance, setting, seed)


def waiting(conformance: Conformance, seed: int) -> None:
    """Flow: at every question restart, override, rewind, changed code, a ruling that raises, dice that cannot be."""
    for setting in conformance.settings:
        waits.every_wait(conformance, setting, seed)


def waiting_for_dice(conformance: Conformance, seed: int) -> None:
    """Flow: the same where dice are typed in, at every roll."""
    for setting in conformance.settings:
        waits.every_wait(conformance, setting, seed, typed=True)


def undo(conformance: Conformance, seed: int) -> None:
    """Undo and replay: from every step undo back to the start restores each hash, and nothing is deleted."""
    for setting in conformance.settings:
        history.undone(conformance, setting, seed)


def dice_after_rewind(conformance: Conformance, seed: int) -> None:
    """Undo and replay: dice "keep" reproduce, dice "fresh" do not."""
    rolls = others = number = 0
    for number in range(20):
        for setting in conformance.settings:
            again, other = history.same_dice(conformance, setting, seed * 1000 + number)
            rolls, others = rolls + again, others + other
        if rolls >= 8:
            break
    if rolls >= 8 and not others:
        raise Broken("fresh dice are other dice", f"{rolls} rulings fell alike on fresh dice, seed {seed}")


def other_processes(conformance: Conformance, seed: int) -> None:
    """Determinism: the same result across processes and `PYTHONHASHSEED` values."""
    for setting in conformance.settings:
        history.same_in_other_processes(conformance, setting, seed, (seed + 1, seed + 2))


def odds(conformance: Conformance, seed: int) -> None:
    """Determinism: for each kind of attack the exact odds agree with many rulings at random."""
    if not conformance.attacks():
        raise Broken("every package has sample attacks", conformance.package.system)
    for attack in conformance.attacks():
        chances.odds_agree(conformance, attack)


def counted_states(conformance: Conformance, seed: int) -> None:
    """Legality: small set-ups have the number of distinct states that was counted by hand."""
    for case in conformance.perfts:
        chances.counts_are(conformance, case)


ONCE: Mapping[str, Invariant] = {
    "slice and gate": slice_and_gate,
    "registered whole": registered_whole,
    "purity": purity,
    "odds": odds,
    "counted states": counted_states,
    "other processes": other_processes,
    "dice after a rewind": dice_after_rewind,
}
"""Those for which one run says all."""
SEEDED: Mapping[str, Invariant] = {
    "legal play": legal_play,
    "accepted is offered": accepted_is_offered,
    "twin worlds": twin_worlds,
    "twin worlds that wait": twin_worlds_that_wait,
    "other names": other_names,
    "canaries": canaries,
    "strangers": strangers,
    "waiting": waiting,
    "waiting for dice": waiting_for_dice,
    "undo": undo,
}
"""Those that find more with more seeds."""
INVARIANTS: Mapping[str, Invariant] = {**ONCE, **SEEDED}


def check_all(conformance: Conformance, seeds: int = 5) -> None:
    """Runs every invariant. Raises Broken at the first that does not hold."""
    for invariant in ONCE.values():
        invariant(conformance, 1)
    for invariant in SEEDED.values():
        for seed in range(seeds):
            invariant(conformance, seed)
